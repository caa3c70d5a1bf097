// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_show.c - models, and the steps of a prediction by them, for people. */
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/unit.h"
#include "cmd/scale/scale.h"
#include "model/scaling/growth_curves.h"

#define NOTHING 1e-9 /* of a whole, is no more than rounding */

static const char *number(double value, int digits, char text[RC_NUMBER_SIZE])
{
    rc_number_format_short(value, digits, text);
    return text;
}

/* ---- models ---- */

/* `value` with four digits; 0 where it is no more than what rounding leaves of `beside`. */
static const char *beside_number(double value, double beside, char text[RC_NUMBER_SIZE])
{
    return number(fabs(value) < NOTHING * fabs(beside) ? 0 : value, 4, text);
}

/* Seconds of the largest runs, and of those for a unit of their work. */
static void find_whole(const struct rc_scaling_model *model, double *seconds, double *each)
{
    double work;

    *seconds = 0;
    *each = INFINITY;
    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];

        *seconds = fmax(*seconds, group->mean);
        if (rc_scaling_work_of(&model->work, &group->block, group->procs, &work, NULL) == 0)
            *each = fmin(*each, group->mean / work);
    }
}

static void show_groups(const struct rc_scaling_model *model)
{
    char block[RC_MESH_TEXT], mean[RC_NUMBER_SIZE], apart[RC_NUMBER_SIZE];

    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];

        printf("  %s s on %" PRId64 " process%s with %s each (%zu run%s",
               number(group->mean, 4, mean), group->procs, group->procs == 1 ? "" : "es",
               rc_scaling_mesh_text(&group->block, block), group->n, group->n == 1 ? "" : "s");
        if (group->n > 1)
            printf(", %s %% apart", number(100 * (group->most / group->least - 1), 2, apart));
        printf(")\n");
    }
}

static void show_alpha(const struct rc_scaling_model *model)
{
    char a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE];
    double whole, each;

    find_whole(model, &whole, &each);
    for (size_t i = 0; i < model->n_at; i++)
        printf("alpha(%" PRId64 ") = %s s (sd %s), gamma(%" PRId64 ") = %s s\n", model->at[i].procs,
               beside_number(model->at[i].alpha, whole, a), number(model->at[i].alpha_sd, 4, b),
               model->at[i].procs, beside_number(model->at[i].gamma, each, c));
    printf("alpha(np) = c + d %s, c = %s s, d = %s s%s\n", model->k == 0 ? "log2 np" : "phi_k(np)",
           beside_number(model->c, whole, a), beside_number(model->d, whole, b),
           model->level ? " (taken as constant)" : "");
    if (model->k != 0)
        printf("  phi_k(np) = (np^k - 1) / (k ln 2), k = %s\n", number(model->k, 4, a));
    printf("gamma = %s s for a unit of work (%s)\n", beside_number(model->gamma, each, a),
           model->one_gamma ? "one for all numbers of processes" : "that of the largest number");
    if (model->has_beta)
        printf("beta = %s s for a cell of surface\n", number(model->beta, 4, a));
}

static void show_work(const struct rc_scaling_model *model)
{
    char text[RC_FORM_TEXT], bytes[RC_UNIT_SIZE];

    if (model->work.kind == RC_WORK_POWER)
        printf("work is %s of the cells\n",
               rc_scaling_work_form_name(RC_FORM_POWER, model->work.exponent, text));
    if (!isnan(model->bytes_per_cell)) {
        rc_unit_format(model->bytes_base, RC_BYTES, bytes);
        printf("memory of a process: %s and %.4g bytes for each cell%s\n", bytes,
               model->bytes_per_cell,
               isnan(model->options.bytes_per_cell) ? "" : ", as --bytes-per-cell says");
    }
}

static void show_fitted(const char *app, const struct rc_answer_scale_fitted *fitted)
{
    const struct rc_scaling_model *model = &fitted->model;
    char noise[RC_NUMBER_SIZE];
    size_t width = rc_cmd_width() ? rc_cmd_width() : 10000;

    printf("%s on %s (%s, %d on a host), from %zu runs:\n", app, model->setting.cluster,
           model->setting.network, model->setting.per_host, fitted->runs);
    show_groups(model);
    show_alpha(model);
    show_work(model);
    printf("noise of a run: %s %%", number(100 * model->noise.sd, 2, noise));
    if (model->noise.freedom)
        printf(" (%zu degrees of freedom)\n", model->noise.freedom);
    else
        printf(" (not measured)\n");
    for (size_t i = 0; i < fitted->n_findings; i++) {
        printf("%s: ", fitted->findings[i].bent ? "BENT" : "straight");
        rc_option_wrap(stdout, fitted->findings[i].text, 6, width);
    }
}

void rc_cmd_scale_show_fit(const struct rc_answer_scale_fit *answer)
{
    const struct rc_scaling_link *link = answer->link ? &answer->link->link : NULL;

    for (size_t i = 0; i < answer->n_fitted; i++)
        show_fitted(answer->app, &answer->fitted[i]);
    for (size_t i = 0; i < answer->n_fitted; i++) {
        const struct rc_scaling_model *model = &answer->fitted[i].model;

        rc_cmd_scale_notes(answer->n_fitted > 1 ? model->setting.cluster : NULL, &model->notes);
    }
    if (link) {
        printf("the link between %s and %s adds %.4g s (sd %.2g)\n", link->cluster[0],
               link->cluster[1], link->seconds, link->sd);
        rc_cmd_scale_notes(NULL, &answer->link->notes);
    }
    if (answer->id)
        printf("stored in model %" PRId64 ", which has all scaling models of %s on %s: %zu now\n",
               answer->id, answer->app, answer->platform, answer->models);
}

/* ---- the six steps of Romanazzi and Jimack (2008), section IV, with their numbers ---- */

/* Steps 1 and 2: what was measured; Tcomm is what parallel runs take longer. */
static void explain_runs(const struct rc_scaling_model *model)
{
    char block[RC_MESH_TEXT], a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE];

    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i], *alone;

        rc_scaling_mesh_text(&group->block, block);
        if (group->procs == 1) {
            printf("  1. %s on one process: Tcomp = %s s\n", block, number(group->mean, 5, a));
            continue;
        }
        alone = rc_scaling_samples_find(&model->samples, 1, &group->block);
        printf("  2. %s on each of %" PRId64 ": T = %s s", block, group->procs,
               number(group->mean, 5, a));
        if (alone)
            printf(", Tcomm = %s - %s = %s s", a, number(alone->mean, 5, b),
                   number(group->mean - alone->mean, 5, c));
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
               model->at[i].procs, number(model->at[i].alpha, 5, a),
               number(model->at[i].gamma, 5, b));
    printf("  4. alpha(%" PRId64 ") = c + d %s = %s + %s x %s = %s s\n", procs,
           model->k == 0 ? "log2 np" : "phi_k(np)", number(model->c, 5, a), number(model->d, 5, b),
           number(growth, 5, c), number(model->c + model->d * growth, 5, d));
}

/* Steps 5 and 6: the answer. */
static void explain_answer(const struct rc_scaling_model *model,
                           const struct rc_scaling_parts *parts, int64_t procs)
{
    char a[RC_NUMBER_SIZE], b[RC_NUMBER_SIZE], c[RC_NUMBER_SIZE], d[RC_NUMBER_SIZE];

    if (parts->talking == 1) {
        printf("  5. Tcomm(1) = 0 s\n  6. T = Tcomp = %s s\n", number(parts->seconds, 5, a));
        return;
    }
    printf("  5. Tcomm(%" PRId64 ") = alpha + gamma work = %s + %s x %s", procs,
           number(parts->alpha, 5, a), number(model->gamma, 5, b), number(parts->work, 5, c));
    if (model->has_beta)
        printf(" + %s (surface)", number(parts->surface, 5, d));
    printf(" = %s s", number(parts->alpha + parts->gamma_work + parts->surface, 5, d));
    if (parts->hidden)
        printf(", below 0: hidden behind computing, so %s s", number(parts->communicating, 5, d));
    printf("\n");
    printf("  6. T = Tcomp + Tcomm = %s + %s = %s s\n", number(parts->computing, 5, a), d,
           number(parts->seconds, 5, b));
}

void rc_cmd_scale_show_steps(const struct rc_scaling_prediction *prediction)
{
    char text[RC_NUMBER_SIZE];

    for (size_t i = 0; i < prediction->target.n_parts; i++) {
        const struct rc_scaling_share *share = &prediction->shares[i];
        const struct rc_scaling_parts *parts = &prediction->estimates[i].point;

        if (share->rows == 0)
            continue;
        printf("steps for %s (%s):\n", share->model->setting.cluster,
               share->model->setting.network);
        explain_runs(share->model);
        explain_lines(share->model, parts->talking);
        explain_answer(share->model, parts, share->procs);
    }
    if (prediction->target.n_parts > 1)
        printf("T = max over the clusters (Eq. 5)%s = %s s\n",
               prediction->link ? " + the link's" : "",
               number(prediction->estimate.point.seconds, 5, text));
}
