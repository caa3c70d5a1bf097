// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_steps.c - the six steps of a prediction by Romanazzi and Jimack (2008), section IV, with
 * their numbers. */
#include <inttypes.h>

#include "base/number.h"
#include "cmd/scale/scale.h"
#include "model/scaling/growth_curves.h"

/* Steps 1 and 2: the measured runs; Tcomm is the extra time of parallel runs. */
static void explain_runs(const struct rc_scaling_model *model)
{
    char block[RC_MESH_TEXT], a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE];

    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i], *alone;

        rc_scaling_mesh_text(&group->block, block);
        if (group->procs == 1) {
            printf("  1. %s on 1 process: Tcomp = %s s\n", block,
                   rc_cmd_scale_digits(group->mean, 5, a));
            continue;
        }
        alone = rc_scaling_samples_find(&model->samples, 1, &group->block);
        printf("  2. %s on each of %" PRId64 " processes: T = %s s", block, group->procs,
               rc_cmd_scale_digits(group->mean, 5, a));
        if (alone)
            printf(", Tcomm = %s - %s = %s s", a, rc_cmd_scale_digits(alone->mean, 5, b),
                   rc_cmd_scale_digits(group->mean - alone->mean, 5, c));
        printf("\n");
    }
}

/* Steps 3 and 4: the lines through them. */
static void explain_lines(const struct rc_scaling_model *model, int64_t procs)
{
    double growth = rc_scaling_growth(model->k, (double)procs);
    char a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE], d[RC_NUMBER_SIZE];

    for (size_t i = 0; i < model->n_at; i++)
        printf("  3. Tcomm(%" PRId64 ") = alpha + gamma work: alpha = %s s, gamma = %s s\n",
               model->at[i].procs, rc_cmd_scale_digits(model->at[i].alpha, 5, a),
               rc_cmd_scale_digits(model->at[i].gamma, 5, b));
    printf("  4. alpha(%" PRId64 ") = c + d %s = %s + %s x %s = %s s\n", procs,
           model->k == 0 ? "log2 np" : "phi_k(np)", rc_cmd_scale_digits(model->c, 5, a),
           rc_cmd_scale_digits(model->d, 5, b), rc_cmd_scale_digits(growth, 5, c),
           rc_cmd_scale_digits(model->c + model->d * growth, 5, d));
}

/* Steps 5 and 6: the answer. */
static void explain_answer(const struct rc_scaling_model *model,
                           const struct rc_scaling_parts *parts, int64_t procs)
{
    char a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE], d[RC_NUMBER_SIZE];

    if (parts->talking == 1) {
        printf("  5. Tcomm(1) = 0 s\n  6. T = Tcomp = %s s\n",
               rc_cmd_scale_digits(parts->seconds, 5, a));
        return;
    }
    printf("  5. Tcomm(%" PRId64 ") = alpha + gamma work = %s + %s x %s", procs,
           rc_cmd_scale_digits(parts->alpha, 5, a), rc_cmd_scale_digits(model->gamma, 5, b),
           rc_cmd_scale_digits(parts->work, 5, c));
    if (model->has_beta)
        printf(" + %s (surface)", rc_cmd_scale_digits(parts->surface, 5, d));
    printf(" = %s s", rc_cmd_scale_digits(parts->alpha + parts->gamma_work + parts->surface, 5, d));
    if (parts->hidden)
        printf(", below 0: hidden behind computation, so %s s",
               rc_cmd_scale_digits(parts->communicating, 5, d));
    printf("\n");
    printf("  6. T = Tcomp + Tcomm = %s + %s = %s s\n", rc_cmd_scale_digits(parts->computing, 5, a),
           d, rc_cmd_scale_digits(parts->seconds, 5, b));
}

void rc_cmd_scale_show_steps(const struct rc_scaling_prediction *prediction)
{
    char text[RC_NUMBER_SIZE];

    for (size_t i = 0; i < prediction->target.n_parts; i++) {
        const struct rc_scaling_share *share = &prediction->shares[i];
        const struct rc_scaling_parts *parts = &prediction->estimates[i].point;

        if (share->rows == 0)
            continue;
        printf("steps on %s (%s):\n", share->model->setting.cluster, share->model->setting.network);
        explain_runs(share->model);
        explain_lines(share->model, parts->talking);
        explain_answer(share->model, parts, share->procs);
    }
    if (prediction->target.n_parts > 1)
        printf("T = max over the clusters (Eq. 5)%s = %s s\n", prediction->link ? " + link" : "",
               rc_cmd_scale_digits(prediction->estimate.point.seconds, 5, text));
}
