// SPDX-License-Identifier: GPL-3.0-or-later
/* warnings.c - warnings of a model about implausible times of its small runs.
 *
 * A program that communicates while it computes takes as long as the longer of the two.  Tcomm,
 * what parallel runs take longer, then falls as work grows: gamma is below 0, and the line goes on
 * below 0 with blocks in which all communication is hidden. */
#include "model/scaling/fit_system.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

int rc_scaling_warn(struct rc_scaling_model *model, struct rc_error *error, const char *format, ...)
{
    char text[RC_SCALING_NOTE_SIZE] = "";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(text, sizeof text);
    return rc_scaling_note(&model->notes, error, "%s", text) ||
                   rc_scaling_note(&model->warnings, error, "%s", text)
               ? -1
               : 0;
}

/* Does the overhead fall with work by more than noise, on some number of processes? */
static bool is_hidden(const struct rc_scaling_model *model, const struct rc_fit_system *system)
{
    double least, most;

    rc_scaling_fit_range(system, true, &least, &most);
    for (size_t at = 0; at < model->n_at; at++) {
        double sd =
            rc_scaling_fit_sd(rc_scaling_fit_gamma(system, at), &model->samples, model->noise.sd);

        if (-model->at[at].gamma * most >
            rc_scaling_fit_critical(&model->noise) * sd * most +
                RC_SCALING_WORTH * rc_scaling_fit_longest(&model->samples, system->procs[at]))
            return true;
    }
    return false;
}

/* Whether a parallel group took less than its computation alone, by more than noise. */
static int warn_computing(struct rc_scaling_model *model, const struct rc_fit_system *system,
                          size_t g, struct rc_error *error)
{
    const struct rc_scaling_group *group = &model->samples.groups[g];
    double row[RC_SCALING_GROUPS_MAX], amount, alone, sd;
    char text[RC_MESH_TEXT];

    if (rc_scaling_fit_computing(system, &group->block, group->procs, row, &amount, error))
        return -1;
    alone = rc_scaling_fit_mean(row, &model->samples);
    row[g] -= 1;
    sd = rc_scaling_fit_sd(row, &model->samples, model->noise.sd);
    if (alone - group->mean <=
        rc_scaling_fit_critical(&model->noise) * sd + RC_SCALING_WORTH * alone)
        return 0;
    return rc_scaling_warn(
        model, error,
        "%lld processes with %s each took %.4g s, and one process %.4g s; communication "
        "cannot take less than 0 s, so one of these times is wrong for the target",
        (long long)group->procs, rc_scaling_mesh_text(&group->block, text), group->mean, alone);
}

/* Whether `small`, of fewer cells, took longer than `large` by more than noise. */
static bool took_longer(const struct rc_scaling_model *model, const struct rc_scaling_group *small,
                        const struct rc_scaling_group *large)
{
    double sd = model->noise.sd *
                hypot(small->mean / sqrt((double)small->n), large->mean / sqrt((double)large->n));

    return small->procs == large->procs &&
           rc_scaling_mesh_cells(&small->block) < rc_scaling_mesh_cells(&large->block) &&
           small->mean - large->mean >
               rc_scaling_fit_critical(&model->noise) * sd + RC_SCALING_WORTH * small->mean;
}

/* Of the blocks that are larger than that of group `g`: the one that took least, if less. */
static int warn_order(struct rc_scaling_model *model, size_t g, struct rc_error *error)
{
    const struct rc_scaling_group *group = &model->samples.groups[g], *least = NULL;
    char text[RC_MESH_TEXT], other[RC_MESH_TEXT];

    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *large = &model->samples.groups[i];

        if (took_longer(model, group, large) && (!least || large->mean < least->mean))
            least = large;
    }
    if (!least)
        return 0;
    return rc_scaling_warn(
        model, error,
        "a smaller block took longer: %.4g s with %s on %lld process%s, but %.4g s with %s",
        group->mean, rc_scaling_mesh_text(&group->block, text), (long long)group->procs,
        group->procs == 1 ? "" : "es", least->mean, rc_scaling_mesh_text(&least->block, other));
}

int rc_scaling_warn_times(struct rc_scaling_model *model, const struct rc_fit_system *system,
                          struct rc_error *error)
{
    if (is_hidden(model, system) &&
        rc_scaling_warn(model, error,
                        "communication is hidden behind computation (gamma is below 0); its cost "
                        "is assumed to be 0 for blocks that are large enough"))
        return -1;
    for (size_t g = system->n_sequential; g < system->n_groups; g++)
        if (warn_computing(model, system, g, error))
            return -1;
    for (size_t g = 0; g < system->n_groups; g++)
        if (warn_order(model, g, error))
            return -1;
    return 0;
}
