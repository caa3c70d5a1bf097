// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_fit_show.c - what 'runcast scale fit' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/scale/fit.h"
#include "model/scaling/forms.h"
#include "stats/value/expression.h"

/* ---- for people ---- */

#define NOTHING 1e-9 /* of a whole, is no more than rounding */

static const char *short_number(double value, char text[RC_NUMBER_SIZE])
{
    rc_number_format_short(value, 4, text);
    return text;
}

static const char *percent(double part, char text[RC_NUMBER_SIZE])
{
    rc_number_format_short(100 * part, 2, text);
    return text;
}

/* `value` with four digits; 0 where it is no more than what rounding leaves of `beside`. */
static const char *beside_number(double value, double beside, char text[RC_NUMBER_SIZE])
{
    return short_number(fabs(value) < NOTHING * fabs(beside) ? 0 : value, text);
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
               short_number(group->mean, mean), group->procs, group->procs == 1 ? "" : "es",
               rc_scaling_mesh_text(&group->block, block), group->n, group->n == 1 ? "" : "s");
        if (group->n > 1)
            printf(", %s %% apart", percent(group->most / group->least - 1, apart));
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
               beside_number(model->at[i].alpha, whole, a), short_number(model->at[i].alpha_sd, b),
               model->at[i].procs, beside_number(model->at[i].gamma, each, c));
    printf("alpha(np) = c + d %s, c = %s s, d = %s s%s\n", model->k == 0 ? "log2 np" : "phi_k(np)",
           beside_number(model->c, whole, a), beside_number(model->d, whole, b),
           model->level ? " (taken as constant)" : "");
    if (model->k != 0)
        printf("  phi_k(np) = (np^k - 1) / (k ln 2), k = %s\n", short_number(model->k, a));
    printf("gamma = %s s for a unit of work (%s)\n", beside_number(model->gamma, each, a),
           model->one_gamma ? "one for all numbers of processes" : "that of the largest number");
    if (model->has_beta)
        printf("beta = %s s for a cell of surface\n", short_number(model->beta, a));
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

static void show_fitted(const struct rc_cmd_scale_fit_options *options,
                        const struct rc_cmd_scale_fitted *fitted)
{
    const struct rc_scaling_model *model = &fitted->model;
    char noise[RC_NUMBER_SIZE];
    size_t width = rc_cmd_width() ? rc_cmd_width() : 10000;

    printf("%s on %s (%s, %d on a host), from %zu runs:\n", options->scale.app,
           model->setting.cluster, model->setting.network, model->setting.per_host, fitted->runs);
    show_groups(model);
    show_alpha(model);
    show_work(model);
    printf("noise of a run: %s %%", percent(model->noise.sd, noise));
    if (model->noise.freedom)
        printf(" (%zu degrees of freedom)\n", model->noise.freedom);
    else
        printf(" (not measured)\n");
    for (size_t i = 0; i < fitted->n_findings; i++) {
        printf("%s: ", fitted->findings[i].bent ? "BENT" : "straight");
        rc_option_wrap(stdout, fitted->findings[i].text, 6, width);
    }
    rc_cmd_scale_notes_show(&model->notes);
}

/* ---- for programs ---- */

/* As --work says it. */
static json_t *work_json(const struct rc_scaling_work *work)
{
    if (work->kind == RC_WORK_EXPRESSION)
        return rc_json_text(rc_value_expression_text(work->expression));
    return rc_json_text(work->kind == RC_WORK_POWER ? "fitted" : "cells");
}

static json_t *groups_json(const struct rc_scaling_model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->samples.n_groups; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];
        json_t *each = json_object();

        rc_json_set(each, "p", json_integer(group->procs));
        rc_json_set(each, "mesh", rc_cmd_scale_mesh_json(&group->mesh));
        rc_json_set(each, "block", rc_cmd_scale_mesh_json(&group->block));
        rc_json_set(each, "runs", json_integer((json_int_t)group->n));
        rc_json_set(each, "mean", rc_json_number(group->mean));
        rc_json_set(each, "least", rc_json_number(group->least));
        rc_json_set(each, "most", rc_json_number(group->most));
        rc_json_set(each, "memory", rc_json_number(group->memory));
        json_array_append_new(list, each);
    }
    return list;
}

json_t *rc_cmd_scale_lines_json(const struct rc_scaling_model *model)
{
    json_t *list = json_array();

    for (size_t i = 0; i < model->n_at; i++) {
        json_t *each = json_object();

        rc_json_set(each, "p", json_integer(model->at[i].procs));
        rc_json_set(each, "alpha", rc_json_number(model->at[i].alpha));
        rc_json_set(each, "alpha_sd", rc_json_number(model->at[i].alpha_sd));
        rc_json_set(each, "gamma", rc_json_number(model->at[i].gamma));
        json_array_append_new(list, each);
    }
    return list;
}

static json_t *findings_json(const struct rc_cmd_scale_fitted *fitted)
{
    json_t *list = json_array();

    for (size_t i = 0; i < fitted->n_findings; i++) {
        json_t *each = json_object();

        rc_json_set(each, "bent", json_boolean(fitted->findings[i].bent));
        rc_json_set(each, "deviation", rc_json_number(fitted->findings[i].deviation));
        rc_json_set(each, "noise", rc_json_number(fitted->findings[i].noise));
        rc_json_set(each, "text", rc_json_text(fitted->findings[i].text));
        json_array_append_new(list, each);
    }
    return list;
}

static json_t *model_json(const struct rc_cmd_scale_fitted *fitted)
{
    const struct rc_scaling_model *model = &fitted->model;
    json_t *object = json_object();

    rc_json_set(object, "cluster", rc_json_text(model->setting.cluster));
    rc_json_set(object, "network", rc_json_text(model->setting.network));
    rc_json_set(object, "per_host", json_integer(model->setting.per_host));
    rc_json_set(object, "cut", json_integer(model->setting.cut));
    rc_json_set(object, "work", work_json(&model->work));
    rc_json_set(object, "runs", json_integer((json_int_t)fitted->runs));
    rc_json_set(object, "groups", groups_json(model));
    rc_json_set(object, "c", rc_json_number(model->c));
    rc_json_set(object, "d", rc_json_number(model->d));
    rc_json_set(object, "k", rc_json_number(model->k));
    rc_json_set(object, "gamma", rc_json_number(model->gamma));
    rc_json_set(object, "one_gamma", json_boolean(model->one_gamma));
    rc_json_set(object, "beta", model->has_beta ? rc_json_number(model->beta) : json_null());
    rc_json_set(object, "at", rc_cmd_scale_lines_json(model));
    rc_json_set(object, "exponent", rc_json_number(model->work.exponent));
    rc_json_set(object, "noise", rc_json_number(model->noise.sd));
    rc_json_set(object, "noise_freedom", json_integer((json_int_t)model->noise.freedom));
    rc_json_set(object, "bytes_per_cell", rc_json_number(model->bytes_per_cell));
    rc_json_set(object, "bytes_base", rc_json_number(model->bytes_base));
    rc_json_set(object, "bytes_told", json_boolean(!isnan(model->options.bytes_per_cell)));
    rc_json_set(object, "findings", findings_json(fitted));
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&model->notes));
    return object;
}

static json_t *link_json(const struct rc_cmd_scale_linked *linked)
{
    json_t *object = json_object();

    rc_json_set(object, "network", rc_json_text(linked->link.network));
    rc_json_set(object, "seconds", rc_json_number(linked->link.seconds));
    rc_json_set(object, "sd", rc_json_number(linked->link.sd));
    rc_json_set(object, "runs", json_integer((json_int_t)linked->link.runs));
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&linked->notes));
    return object;
}

static void show_link(const struct rc_cmd_scale_linked *linked)
{
    printf("the link between %s and %s adds %.4g s (sd %.2g)\n", linked->link.cluster[0],
           linked->link.cluster[1], linked->link.seconds, linked->link.sd);
    rc_cmd_scale_notes_show(&linked->notes);
}

void rc_cmd_scale_fit_show(const struct rc_cmd_scale_fit_options *options,
                           const struct rc_cmd_scale *scale,
                           const struct rc_cmd_scale_fitted *fitted,
                           const struct rc_cmd_scale_linked *linked,
                           const struct rc_cmd_scale_kept *kept)
{
    json_t *object, *models;

    if (!options->scale.json) {
        for (size_t i = 0; i < scale->n_parts; i++)
            show_fitted(options, &fitted[i]);
        if (scale->link)
            show_link(linked);
        if (kept->id)
            printf("stored in model %" PRId64 ", which has all scaling models of %s on %s: %zu "
                   "now\n",
                   kept->id, options->scale.app, scale->platform->name, kept->models);
        return;
    }
    object = json_object();
    models = json_array();
    for (size_t i = 0; i < scale->n_parts; i++)
        json_array_append_new(models, model_json(&fitted[i]));
    rc_json_set(object, "app", rc_json_text(options->scale.app));
    rc_json_set(object, "platform", rc_json_text(scale->platform->name));
    rc_json_set(object, "models", models);
    if (scale->link)
        rc_json_set(object, "link", link_json(linked));
    rc_json_set(object, "id", kept->id ? json_integer(kept->id) : json_null());
    rc_json_write(stdout, object, true);
    json_decref(object);
}
