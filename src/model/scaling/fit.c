// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - steps 3 and 4 of the paper: alpha, gamma, c and d from the small runs.
 *
 * 1. alpha(np) = (4 Tcomm of the quarter - Tcomm of the whole) / 3 makes noise larger, and growth
 *    d log2 np makes it larger still; so where repeats show that the gammas do not differ, one is
 *    taken for all, as Eq. 4 says.
 * 2. Where three numbers of processes or more were measured, the form of growth is judged by them:
 *    phi_k is weighed for each k, with log2 (k = 0) as the form that is believed until then. */
#include <math.h>

#include "base/error.h"
#include "model/scaling/fit_system.h"
#include "model/scaling/growth_curves.h"
#include "model/scaling/model.h"

/* ---- required runs ---- */

static int check_sizes(int64_t procs, size_t sizes, struct rc_error *error)
{
    return sizes >= 2 ? 0
                      : rc_error_set(error, "%s on %lld process%s",
                                     sizes == 0 ? "no runs" : "only one block size in runs",
                                     (long long)procs, procs == 1 ? "" : "es");
}

static int check_samples(const struct rc_scaling_samples *samples, struct rc_error *error)
{
    size_t numbers = 0, sizes = 0;
    char text[RC_MESH_TEXT];
    int64_t procs = 1;

    for (size_t i = 0; i < samples->n_groups; i++) {
        const struct rc_scaling_group *group = &samples->groups[i];

        if (group->procs != procs) {
            if (check_sizes(procs, sizes, error))
                return -1;
            procs = group->procs;
            sizes = 0;
            numbers++;
        }
        sizes++;
        if (group->procs > 1 && !rc_scaling_samples_find(samples, 1, &group->block))
            return rc_error_set(error,
                                "no sequential run of %s, the block of a process in parallel runs",
                                rc_scaling_mesh_text(&group->block, text));
    }
    if (check_sizes(procs, sizes, error))
        return -1;
    return numbers >= 2
               ? 0
               : rc_error_set(error, numbers == 0
                                         ? "no parallel runs"
                                         : "parallel runs on only one number of processes");
}

/* ---- one gamma, or each its own ---- */

/* Do the gammas of `system`, in which each has its own, differ by no more than noise? */
static bool gammas_agree(const struct rc_fit_system *system, const struct rc_scaling_noise *noise)
{
    double difference[RC_SCALING_GROUPS_MAX];
    const double *last = rc_scaling_fit_gamma(system, system->n_at - 1);

    for (size_t at = 0; at + 1 < system->n_at; at++) {
        const double *row = rc_scaling_fit_gamma(system, at);
        double most = 0, by;

        for (size_t i = 0; i < system->n_groups; i++) {
            difference[i] = last[i] - row[i];
            most = fmax(most, fabs(difference[i]) * system->samples->groups[i].mean);
        }
        by = fabs(rc_scaling_fit_mean(difference, system->samples));
        if (by > rc_scaling_fit_critical(noise) *
                         rc_scaling_fit_sd(difference, system->samples, noise->sd) +
                     1e-12 * most)
            return false;
    }
    return true;
}

static int choose_gamma(struct rc_scaling_model *model, struct rc_error *error)
{
    bool known = model->noise.freedom > 0 || !isnan(model->options.noise);
    struct rc_fit_system each;

    model->one_gamma = model->options.gamma == RC_GAMMA_ONE;
    if (model->options.gamma != RC_GAMMA_AUTO)
        return 0;
    if (!known)
        return rc_scaling_note(&model->notes, error,
                               "no run was repeated; a noise of %g %% is assumed, and each number "
                               "of processes has its own gamma",
                               100 * model->noise.sd);
    if (rc_scaling_fit_system_make(&model->samples, &model->work, false, model->has_beta, &each,
                                   error))
        return -1;
    model->one_gamma = gammas_agree(&each, &model->noise);
    rc_scaling_fit_system_free(&each);
    return rc_scaling_note(
        &model->notes, error,
        model->one_gamma ? "gamma varies with the number of processes by no more than noise; one "
                           "value is used for all"
                         : "gamma varies with the number of processes; the value of the "
                           "largest number is used");
}

/* ---- growth with processes ---- */

enum { FORMS_TRIED = 201 };
#define FORM_LEAST (-0.5)
#define FORM_STEP 0.01
/* No form is true to more than this part of a run's time. */
#define FORM_TRUTH 1e-3

/* Weighs all k, and sets `k` and `k_sd`.  `weight` are those of the alphas. */
static void weigh_forms(struct rc_scaling_model *model, const double *alpha, const double *weight,
                        const int64_t *procs)
{
    double squares[FORMS_TRIED], least = INFINITY, sum = 0, mean = 0, around = 0, c, d;
    const double believed = 2 * model->options.form_sd;

    for (int i = 0; i < FORMS_TRIED; i++) {
        double k = FORM_LEAST + FORM_STEP * i, x[RC_SCALING_PROCS_MAX];

        for (size_t j = 0; j < model->n_at; j++)
            x[j] = rc_scaling_growth(k, (double)procs[j]);
        squares[i] = rc_scaling_line(x, alpha, weight, model->n_at, &c, &d);
        if (believed > 0)
            squares[i] += k * k / (believed * believed);
        least = fmin(least, squares[i]);
    }
    for (int i = 0; i < FORMS_TRIED; i++) {
        double k = FORM_LEAST + FORM_STEP * i, likely = exp((least - squares[i]) / 2);

        sum += likely;
        mean += likely * k;
        around += likely * k * k;
    }
    mean /= sum;
    around = sqrt(fmax(around / sum - mean * mean, FORM_STEP * FORM_STEP / 12));
    model->k = believed == 0 || fabs(mean) <= 2 * around ? 0 : mean;
    model->k_sd = believed == 0 ? 0 : hypot(around, mean - model->k);
}

/* The sd of d, for the weights that the line has. */
static double growth_sd(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                        const double *weight, const int64_t *procs)
{
    double row[RC_SCALING_GROUPS_MAX] = {0};

    for (size_t at = 0; at < model->n_at; at++) {
        double alpha[RC_SCALING_PROCS_MAX] = {0}, c, d;

        alpha[at] = 1;
        rc_scaling_fit_growth(alpha, weight, procs, model->n_at, model->k, false, &c, &d);
        for (size_t i = 0; i < system->n_groups; i++)
            row[i] += d * rc_scaling_fit_alpha(system, at)[i];
    }
    return rc_scaling_fit_sd(row, system->samples, model->noise.sd);
}

void rc_scaling_alpha_weights(const struct rc_scaling_model *model, double *weight, int64_t *procs)
{
    for (size_t at = 0; at < model->n_at; at++) {
        double most = rc_scaling_fit_longest(&model->samples, model->at[at].procs);
        double sd = hypot(model->at[at].alpha_sd, FORM_TRUTH * most);

        weight[at] = 1 / (sd * sd);
        procs[at] = model->at[at].procs;
    }
}

static int fit_growth(struct rc_scaling_model *model, const struct rc_fit_system *system,
                      struct rc_error *error)
{
    double alpha[RC_SCALING_PROCS_MAX], weight[RC_SCALING_PROCS_MAX];
    int64_t procs[RC_SCALING_PROCS_MAX];

    rc_scaling_alpha_weights(model, weight, procs);
    for (size_t at = 0; at < model->n_at; at++)
        alpha[at] = model->at[at].alpha;
    model->k = 0;
    model->k_sd = model->options.form_sd;
    if (model->n_at > 2)
        weigh_forms(model, alpha, weight, procs);
    rc_scaling_fit_growth(alpha, weight, procs, model->n_at, model->k, false, &model->c, &model->d);
    model->level = model->d < 0 && -model->d <= 2 * growth_sd(model, system, weight, procs);
    if (!model->level)
        return model->d < 0 ? rc_scaling_note(&model->notes, error,
                                              "alpha decreases with the number of processes by "
                                              "more than noise; do not extrapolate far")
                            : 0;
    rc_scaling_fit_growth(alpha, weight, procs, model->n_at, model->k, true, &model->c, &model->d);
    return rc_scaling_note(&model->notes, error,
                           "alpha decreases with the number of processes, but only by noise; it is "
                           "assumed constant");
}

/* ---- all of it ---- */

static int fit_terms(struct rc_scaling_model *model, struct rc_fit_system *system,
                     struct rc_error *error)
{
    model->n_at = system->n_at;
    for (size_t at = 0; at < system->n_at; at++) {
        const double *row = rc_scaling_fit_alpha(system, at);

        model->at[at] = (struct rc_scaling_alpha){
            .procs = system->procs[at],
            .alpha = rc_scaling_fit_mean(row, &model->samples),
            .alpha_sd = rc_scaling_fit_sd(row, &model->samples, model->noise.sd),
            .gamma = rc_scaling_fit_mean(rc_scaling_fit_gamma(system, at), &model->samples)};
    }
    model->gamma = model->at[system->n_at - 1].gamma;
    model->beta = rc_scaling_fit_mean(rc_scaling_fit_beta(system), &model->samples);
    return fit_growth(model, system, error);
}

static int fit_times(struct rc_scaling_model *model, struct rc_error *error)
{
    struct rc_fit_system system;
    int status;

    /* With gammas of their own beta would be worth too little: it is asked for with one. */
    if (model->samples.cut > 1 &&
        rc_scaling_fit_system_make(&model->samples, &model->work, true, true, &system, NULL) == 0) {
        model->has_beta = true;
        rc_scaling_fit_system_free(&system);
    }
    if (choose_gamma(model, error) ||
        rc_scaling_fit_system_make(&model->samples, &model->work, model->one_gamma, model->has_beta,
                                   &system, error))
        return -1;
    status =
        fit_terms(model, &system, error) || rc_scaling_warn_times(model, &system, error) ? -1 : 0;
    rc_scaling_fit_system_free(&system);
    if (!status && model->samples.cut > 1 && !model->has_beta)
        status =
            rc_scaling_note(&model->notes, error,
                            "the runs cannot separate the cost of messages from that of work; that "
                            "takes three block sizes, two of them with equal work and different "
                            "messages");
    return status;
}

/* Memory of a process, from the options or the runs. */
static int fit_memory(struct rc_scaling_model *model, struct rc_error *error)
{
    double cells[RC_SCALING_GROUPS_MAX] = {0}, bytes[RC_SCALING_GROUPS_MAX] = {0};
    size_t n = 0;

    model->bytes_base = 0;
    model->bytes_per_cell = model->options.bytes_per_cell;
    if (!isnan(model->bytes_per_cell))
        return 0;
    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];

        if (isnan(group->memory))
            continue;
        cells[n] = rc_scaling_mesh_cells(&group->block);
        bytes[n++] = group->memory;
    }
    rc_scaling_memory_line(cells, bytes, n, &model->bytes_per_cell, &model->bytes_base);
    if (n > 0)
        return 0;
    return rc_scaling_note(&model->notes, error,
                           "the memory of the runs is unknown; whether a choice fits in memory is "
                           "checked only if the bytes per cell are given");
}

/* Notes about the hosts of the runs. */
static int note_setting(struct rc_scaling_model *model, struct rc_error *error)
{
    const struct rc_scaling_setting *setting = &model->setting;
    bool one = setting->unsaid == 1, named = setting->network[0] != '\0';

    if (setting->packed &&
        rc_scaling_note(&model->notes, error,
                        "small runs had several processes per host; the network cost may be "
                        "underestimated"))
        return -1;
    if (setting->alone > 0 &&
        rc_scaling_note(&model->notes, error,
                        "%zu run%s made without copies; memory contention is not "
                        "included",
                        setting->alone, setting->alone == 1 ? " was" : "s were"))
        return -1;
    if (setting->unsaid == 0)
        return 0;
    return rc_scaling_note(&model->notes, error,
                           "%zu run%s no hosts or network; %s%s%s%s is assumed", setting->unsaid,
                           one ? " has" : "s have", setting->cluster, named ? " (" : "",
                           setting->network, named ? ")" : "");
}

static int check_options(const struct rc_scaling_options *options, struct rc_error *error)
{
    if (!isnan(options->noise) && !(options->noise >= 0 && options->noise <= 1))
        return rc_error_set(error, "the noise of a run must be 0 to 100 %%, not %g %%",
                            100 * options->noise);
    if (!isnan(options->bytes_per_cell) &&
        !(options->bytes_per_cell > 0 && options->bytes_per_cell <= 1e12))
        return rc_error_set(error, "the bytes per cell must be above 0, not %g",
                            options->bytes_per_cell);
    if (!(options->form_sd >= 0 && options->form_sd <= 1))
        return rc_error_set(error, "the sd of the form of growth must be 0 to 1, not %g",
                            options->form_sd);
    if (!(options->model_error >= 0 && options->model_error <= 1))
        return rc_error_set(error, "the model error must be 0 to 100 %%, not %g %%",
                            100 * options->model_error);
    return 0;
}

int rc_scaling_fit(const struct rc_scaling_samples *samples, const struct rc_scaling_work *work,
                   const struct rc_scaling_setting *setting,
                   const struct rc_scaling_options *options, struct rc_scaling_model *model,
                   struct rc_error *error)
{
    *model = (struct rc_scaling_model){.setting = *setting, .options = *options};
    model->setting.cut = samples->cut;
    if (check_options(options, error) ||
        (check_samples(samples, error) && rc_error_code(error, "scaling.missing-runs", NULL)) ||
        rc_scaling_samples_copy(samples, &model->samples, error) ||
        rc_scaling_work_copy(work, &model->work, error) ||
        rc_scaling_samples_agree(samples, options->force, &model->notes, error))
        goto failed;
    model->noise = rc_scaling_samples_noise(samples);
    if (!isnan(options->noise))
        model->noise = (struct rc_scaling_noise){options->noise, 0};
    if (fit_times(model, error) || fit_memory(model, error) || note_setting(model, error))
        goto failed;
    return 0;
failed:
    rc_scaling_model_free(model);
    return -1;
}
