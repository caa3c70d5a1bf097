// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - 'runcast scale fit': fits a model to the small runs and stores it. */
#include "cmd/scale/scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/cell.h"

enum { LISTED = 12, LINE = 600 };

struct fit_options {
    struct rc_cmd_scale_options scale;
    const char *gamma;
    double noise, model_error;
    bool force, dry_run, plan_only;
};

static const struct fit_options fit_defaults = {
    .scale = RC_CMD_SCALE_DEFAULT, .gamma = "auto", .noise = NAN, .model_error = NAN};
static const char *const gammas[] = {"auto", "one", "each", NULL}; /* by enum rc_scaling_gamma */

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct fit_options, member)

static const struct rc_option fit_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: from runs in the database); stored with the model"),
    RC_OPTION_SCALE_LINK(""),
    {OPTION("gamma", CHOICE, gamma), .argument = "HOW", .choices = gammas,
     .help =
         "how communication cost depends on the number of processes: one gamma for all, each "
         "its own (as in the paper), or auto: one if they differ by noise only (default: auto)"},
    {OPTION("noise", QUANTITY, noise), .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "run-to-run variation, such as 2% (default: from repetitions)"},
    {OPTION("model-error", QUANTITY, model_error), .argument = "SD", .dimension = RC_FRACTION,
     .help = "standard deviation of the method's relative error at twice the measured processes "
             "or work; grows as the square root of the number of doublings (default: 2%)"},
    {OPTION("force", FLAG, force), .letter = 'f',
     .help = "proceed although a check failed: use runs that disagree by more than 20 %"},
    {OPTION("plan-only", FLAG, plan_only),
     .help = "use only runs of the plan, and none with other numbers of rows"},
    {OPTION("dry-run", FLAG, dry_run),
     .help = "show what would be done, and do nothing: the model is not stored"},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- runs that disagree ---- */

/* The runs of a group, the shortest first.  Of many runs, those in the middle are left out, since
 * the outliers are at the ends. */
static void list_runs(const struct rc_scaling_run *runs, size_t n, char line[LINE])
{
    line[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (n > LISTED && i == LISTED / 2) {
            rc_text_append(line, LINE, ", ...");
            i = n - LISTED / 2;
        }
        rc_text_append(line, LINE, "%s%.4g s (run %" PRId64 "%s)", i ? ", " : "", runs[i].seconds,
                       runs[i].id, runs[i].killed ? ", killed" : "");
    }
    rc_text_mend_cut(line, LINE);
}

/* Lists the runs of each group that disagrees, by their numbers in the database. */
static void note_outliers(const struct rc_scaling_runs *used, int cut)
{
    struct rc_scaling_run *runs = calloc(used->n + 1, sizeof *runs);
    struct rc_scaling_samples samples = {0};
    char mesh[RC_MESH_TEXT], block[RC_MESH_TEXT], line[LINE];

    if (runs)
        rc_scaling_samples_make(used->items, used->n, cut, &samples, NULL);
    for (size_t i = 0; i < samples.n_groups; i++) {
        const struct rc_scaling_group *group = &samples.groups[i];

        if (!rc_scaling_group_disagrees(group))
            continue;
        list_runs(runs, rc_scaling_group_runs(group, used->items, used->n, runs), line);
        rc_cmd_note("runs of %s on %" PRId64 " process%s (block %s): %s",
                    rc_scaling_mesh_text(&group->mesh, mesh), group->procs,
                    rc_cell_plural(group->procs, "es"), rc_scaling_mesh_text(&group->block, block),
                    line);
    }
    rc_scaling_samples_free(&samples);
    free(runs);
}

/* ---- fitting ---- */

static void fill_options(const struct fit_options *options, struct rc_scaling_options *out)
{
    rc_scaling_options_init(out);
    for (int i = 0; gammas[i]; i++)
        if (strcmp(options->gamma, gammas[i]) == 0)
            out->gamma = (enum rc_scaling_gamma)i;
    out->noise = options->noise;
    if (!isnan(options->model_error))
        out->model_error = options->model_error;
    out->bytes_per_cell = options->scale.bytes_per_cell;
    out->force = options->force;
}

static int fit_part(const struct fit_options *options, const struct rc_scaling_matched *plan,
                    struct rc_answer_scale_fitted *fitted, struct rc_error *error)
{
    struct rc_scaling_options how;

    if (rc_scaling_matched_check(plan, error))
        return -1;
    if (!options->force)
        note_outliers(&plan->used, plan->plan.cut);
    fill_options(options, &how);
    fitted->runs = plan->used.n;
    return rc_scaling_matched_fit(plan, &how, &fitted->model, error) ||
                   rc_scaling_linearity_check(&fitted->model, fitted->findings, &fitted->n_findings,
                                              error)
               ? -1
               : 0;
}

static int fit_all(const struct fit_options *options, struct rc_cmd_scale_prepared *prepared,
                   struct rc_answer_scale_fitted *fitted, struct rc_answer_scale_link *linked)
{
    const struct rc_scaling_crossing *crossing = &prepared->crossing;
    const struct rc_scaling_model *models[] = {&fitted[0].model, &fitted[1].model};
    struct rc_error error = {0};
    int status = 0;

    for (size_t i = 0; i < prepared->scale.n_parts && !status; i++)
        status = (!options->plan_only &&
                  rc_scaling_matched_add_alike(&prepared->runs, &prepared->plans[i], &error)) ||
                 rc_scaling_matched_add_killed(&prepared->killed, &prepared->plans[i], &error) ||
                 fit_part(options, &prepared->plans[i], &fitted[i], &error);
    if (!status && prepared->scale.with_link) {
        if (!options->force)
            note_outliers(&crossing->used, 1);
        status = rc_scaling_crossing_fit(crossing, models, options->force, &linked->link,
                                         &linked->notes, &error);
    }
    return status ? rc_cmd_fail(&error, "fitting %s", options->scale.app) : RC_EXIT_OK;
}

/* ---- the database ---- */

/* Adds a copy of the model, since the original is shown. */
static int put_copy(struct rc_scaling_models *models, const struct rc_scaling_model *model,
                    struct rc_error *error)
{
    struct rc_scaling_model copy;

    return rc_scaling_fit(&model->samples, &model->work, &model->setting, &model->options, &copy,
                          error) ||
                   rc_scaling_models_put(models, &copy, error)
               ? -1
               : 0;
}

static int save(const struct rc_cmd_scale *scale, struct rc_answer_scale_fit *answer)
{
    const char *app = scale->options->app, *platform = scale->platform->name;
    struct rc_db *db = rc_cmd_open_db(scale->options->db, RC_DB_WRITE, NULL);
    struct rc_scaling_models models = {0};
    struct rc_error error = {0};
    int found, status;

    if (!db)
        return RC_EXIT_FAILED;
    found = rc_scaling_models_load(db, app, platform, &models, &error);
    if (found == -2)
        rc_cmd_note("the stored models are damaged and will be replaced: %.300s", error.text);
    status = found == -1 ? -1 : 0;
    for (size_t i = 0; i < scale->n_parts && !status; i++)
        status = put_copy(&models, &answer->fitted[i].model, &error);
    if (!status && answer->link)
        status = rc_scaling_models_put_link(&models, &answer->link->link, &error);
    if (!status)
        status = rc_scaling_models_save(db, app, platform, &models, &answer->id, &error);
    answer->models = models.n;
    rc_scaling_models_free(&models);
    rc_db_close(db);
    return status ? rc_cmd_fail(&error, "storing the model") : RC_EXIT_OK;
}

/* ---- the command ---- */

static int run_fit(struct rc_invocation *invocation)
{
    const struct fit_options *options = invocation->options;
    struct rc_answer_scale_fitted *fitted = calloc(RC_SCALING_PARTS_MAX, sizeof *fitted);
    struct rc_answer_scale_link linked = {0};
    struct rc_cmd_scale_prepared prepared = {0};
    struct rc_answer_scale_fit answer = {.app = options->scale.app, .fitted = fitted};
    int status = RC_EXIT_OK;

    if (!fitted)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "fitting");
    if (!isnan(options->noise) && !(options->noise >= 0))
        status = rc_cmd_usage_text(invocation, "--noise: must be 0 or more");
    else if (!isnan(options->model_error) && !(options->model_error >= 0))
        status = rc_cmd_usage_text(invocation, "--model-error: must be 0 or more");
    if (status == RC_EXIT_OK)
        status = rc_cmd_scale_prepare(invocation, &options->scale, NULL, &prepared);
    if (status == RC_EXIT_OK)
        status = fit_all(options, &prepared, fitted, &linked);
    if (status == RC_EXIT_OK) {
        answer.platform = prepared.scale.platform->name;
        answer.n_fitted = prepared.scale.n_parts;
        answer.link = prepared.scale.with_link ? &linked : NULL;
        if (!options->dry_run)
            status = save(&prepared.scale, &answer);
    }
    if (status == RC_EXIT_OK)
        rc_cmd_scale_show_fit(&answer, options->scale.json);
    for (size_t i = 0; i < RC_SCALING_PARTS_MAX; i++)
        rc_scaling_model_free(&fitted[i].model);
    free(fitted);
    rc_scaling_notes_free(&linked.notes);
    rc_cmd_scale_prepared_free(&prepared);
    return status;
}

const struct rc_command rc_command_scale_fit = {
    .name = "fit",
    .summary = "Fit a scaling model to the small runs",
    .details =
        "Fits T = Tcomp + alpha(np) + gamma work with alpha = c + d log2 np, and stores the model "
        "for 'runcast scale predict' and 'compare'. Uses the runs of 'runcast scale plan' with the "
        "same options, and runs that differ from them only in their number of rows. It does not "
        "matter how they were made. A third block size (--check-linearity) or a third number of "
        "processes (--small-procs 4,8,16) checks that the lines are straight. fit refuses runs of "
        "one kind that disagree by more than 20 %, unless --force is given.",
    .examples = "  runcast scale fit --app mg --size 8192 --procs A:64 --platform-file p.yaml\n",
    .options = fit_options,
    .options_size = sizeof(struct fit_options),
    .defaults = &fit_defaults,
    .answers = {rc_answer_scale_fit},
    .run = run_fit,
};
