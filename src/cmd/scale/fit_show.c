// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_show.c - the output of 'runcast scale fit'. */
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/unit.h"
#include "cmd/scale/scale.h"
#include "model/scaling/growth_curves.h"

#define NOTHING 1e-9 /* of a whole, is no more than rounding */

const char *rc_cmd_scale_digits(double value, int digits, char text[RC_NUMBER_SIZE])
{
    rc_number_format_short(value, digits, text);
    return text;
}

/* `value` with four digits; 0 if it is a rounding error of `whole`. */
static const char *rounded(double value, double whole, char text[RC_NUMBER_SIZE])
{
    return rc_cmd_scale_digits(fabs(value) < NOTHING * fabs(whole) ? 0 : value, 4, text);
}

/* Seconds of the longest runs, and the least for a unit of work. */
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

        printf("  %" PRId64 " process%s, block %s: %s s (%zu run%s", group->procs,
               group->procs == 1 ? "" : "es", rc_scaling_mesh_text(&group->block, block),
               rc_cmd_scale_digits(group->mean, 4, mean), group->n, group->n == 1 ? "" : "s");
        if (group->n > 1)
            printf(", range %s %%",
                   rc_cmd_scale_digits(100 * (group->most / group->least - 1), 2, apart));
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
               rounded(model->at[i].alpha, whole, a),
               rc_cmd_scale_digits(model->at[i].alpha_sd, 4, b), model->at[i].procs,
               rounded(model->at[i].gamma, each, c));
    printf("alpha(np) = c + d %s, c = %s s, d = %s s%s\n", model->k == 0 ? "log2 np" : "phi_k(np)",
           rounded(model->c, whole, a), rounded(model->d, whole, b),
           model->level ? " (assumed constant)" : "");
    if (model->k != 0)
        printf("  phi_k(np) = (np^k - 1) / (k ln 2), k = %s\n",
               rc_cmd_scale_digits(model->k, 4, a));
    printf("gamma = %s s per unit of work (%s)\n", rounded(model->gamma, each, a),
           model->one_gamma ? "the same for all numbers of processes"
                            : "that of the largest number of processes");
    if (model->has_beta)
        printf("beta = %s s per cell of surface\n", rc_cmd_scale_digits(model->beta, 4, a));
}

static void show_work(const struct rc_scaling_model *model)
{
    char text[RC_FORM_TEXT], bytes[RC_UNIT_SIZE];

    if (model->work.kind == RC_WORK_POWER)
        printf("work: %s, w = cells\n",
               rc_scaling_work_form_name(RC_FORM_POWER, model->work.exponent, text));
    if (!isnan(model->bytes_per_cell)) {
        rc_unit_format(model->bytes_base, RC_BYTES, bytes);
        printf("memory of a process: %s + %.4g bytes per cell%s\n", bytes, model->bytes_per_cell,
               isnan(model->options.bytes_per_cell) ? "" : " (from --bytes-per-cell)");
    }
}

static void show_fitted(const char *app, const struct rc_answer_scale_fitted *fitted)
{
    const struct rc_scaling_model *model = &fitted->model;
    char noise[RC_NUMBER_SIZE];
    size_t width = rc_cmd_width() ? rc_cmd_width() : 10000;

    printf("%s on %s (%s, %d per host), %zu runs:\n", app, model->setting.cluster,
           model->setting.network, model->setting.per_host, fitted->runs);
    show_groups(model);
    show_alpha(model);
    show_work(model);
    printf("noise of a run: %s %%", rc_cmd_scale_digits(100 * model->noise.sd, 2, noise));
    if (model->noise.freedom)
        printf(" (%zu degrees of freedom)\n", model->noise.freedom);
    else
        printf(" (not measured)\n");
    for (size_t i = 0; i < fitted->n_findings; i++) {
        printf("%s: ", fitted->findings[i].nonlinear ? "NOT LINEAR" : "linear");
        rc_option_wrap(stdout, fitted->findings[i].text, 6, width);
    }
}

static void show_notes(const struct rc_answer_scale_fit *answer)
{
    for (size_t i = 0; i < answer->n_fitted; i++) {
        const struct rc_scaling_model *model = &answer->fitted[i].model;

        rc_cmd_scale_notes(answer->n_fitted > 1 ? model->setting.cluster : NULL, &model->notes);
    }
    if (answer->link)
        rc_cmd_scale_notes(NULL, &answer->link->notes);
}

void rc_cmd_scale_show_fit(struct rc_answer_scale_fit *answer, bool json)
{
    const struct rc_scaling_link *link = answer->link ? &answer->link->link : NULL;

    if (json) {
        show_notes(answer);
        answer->notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_scale_fit, answer));
        json_decref(answer->notes);
        return;
    }
    for (size_t i = 0; i < answer->n_fitted; i++)
        show_fitted(answer->app, &answer->fitted[i]);
    show_notes(answer);
    if (link)
        printf("link between %s and %s: %.4g s (sd %.2g s)\n", link->cluster[0], link->cluster[1],
               link->seconds, link->sd);
    if (answer->id)
        printf("stored in model %" PRId64 " (%zu scaling model%s of %s on %s)\n", answer->id,
               answer->models, answer->models == 1 ? "" : "s", answer->app, answer->platform);
}
