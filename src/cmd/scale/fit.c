// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_fit.c - 'runcast scale fit': a model of the small runs, kept in the store. */
#include "cmd/scale/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"

static const struct rc_cmd_scale_fit_options fit_defaults = {
    .scale = RC_CMD_SCALE_DEFAULT, .gamma = "auto", .noise = NAN, .model_error = NAN};
static const char *const gammas[] = {"auto", "one", "each", NULL}; /* by enum rc_scaling_gamma */

#define FREE 0.9 /* of a core: hosts with less are not free */

#define MEMBER(member) .offset = offsetof(struct rc_cmd_scale_fit_options, member)

static const struct rc_option fit_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SIZE,
    RC_OPTION_SCALE_PROCS,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: as the runs in the store say); it is kept with the model"),
    RC_OPTION_SCALE_LINK("none (the default), or measured: by runs across both clusters"),
    {.name = "gamma",
     .kind = RC_OPTION_CHOICE,
     .argument = "HOW",
     .choices = gammas,
     .help = "what communicating costs for each unit of work: one number for all numbers of "
             "processes, each its own as in the paper, or auto (the default): one where they "
             "differ by no more than noise",
     MEMBER(gamma)},
    {.name = "noise",
     .kind = RC_OPTION_QUANTITY,
     .argument = "PART",
     .dimension = RC_FRACTION,
     .help = "by how much single runs vary, such as 2% (default: by the repeats)",
     MEMBER(noise)},
    {.name = "model-error",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SD",
     .dimension = RC_FRACTION,
     .help = "the standard deviation of the method's own relative error for twice the processes, "
             "or twice the work of a block, that were measured; it grows as the root of the "
             "doublings (default: 2%)",
     MEMBER(model_error)},
    {.name = "force",
     .kind = RC_OPTION_FLAG,
     .help = "take runs that disagree by more than 20 %",
     MEMBER(force)},
    {.name = "only",
     .kind = RC_OPTION_FLAG,
     .help = "take the runs of the plan alone, and none with other numbers of rows",
     MEMBER(only)},
    {.name = "dry-run",
     .kind = RC_OPTION_FLAG,
     .help = "show the model, and store nothing",
     MEMBER(dry_run)},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- fitting ---- */

/* Which runs the store has none of. */
static int check_missing(const struct rc_cmd_scale_plan *plan, struct rc_error *error)
{
    char list[400] = "", mesh[RC_MESH_TEXT];
    size_t at = 0, missing = 0;

    for (size_t i = 0; i < plan->plan.n_runs; i++) {
        const struct rc_scaling_planned *run = &plan->plan.runs[i];

        if (plan->have[i] > 0)
            continue;
        if (at < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s on %" PRId64,
                                   missing ? ", " : "", rc_scaling_mesh_text(&run->mesh, mesh),
                                   run->procs);
        missing++;
    }
    if (missing == 0)
        return 0;
    rc_error_set(error, "%zu of the %zu small runs are not in the store: %s", missing,
                 plan->plan.n_runs, list);
    return rc_error_hint(error, "'runcast scale measure' with the same options makes them");
}

static int fit_work(const struct rc_cmd_scale *scale, const struct rc_scaling_samples *samples,
                    struct rc_scaling_work *work, struct rc_error *error)
{
    return scale->work.kind == RC_WORK_POWER ? rc_scaling_work_fit(samples, work, error)
                                             : rc_scaling_work_copy(&scale->work, work, error);
}

static void fill_options(const struct rc_cmd_scale_fit_options *options,
                         struct rc_scaling_options *out)
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

/* Runs that several commands made are one model's all the same, and may be of two programs. */
static int note_commands(const struct rc_cmd_scale_runs *used, struct rc_scaling_notes *notes,
                         struct rc_error *error)
{
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < used->n; i++) {
        if (isnan(used->asides[i].command))
            continue;
        if (first == SIZE_MAX)
            first = i;
        else if (used->asides[i].command != used->asides[first].command)
            return rc_scaling_note(notes, error,
                                   "these runs were made by different commands: run %" PRId64
                                   " by another than run %" PRId64,
                                   used->items[i].id, used->items[first].id);
    }
    return 0;
}

/* Sensors may have seen that somebody else was on the hosts. */
static int note_load(const struct rc_cmd_scale_runs *used, struct rc_scaling_notes *notes,
                     struct rc_error *error)
{
    size_t n = 0, worst = 0;

    for (size_t i = 0; i < used->n; i++) {
        if (!(used->asides[i].cpu < FREE)) /* also where it is not known */
            continue;
        if (n++ == 0 || used->asides[i].cpu < used->asides[worst].cpu)
            worst = i;
    }
    return n == 0 ? 0
                  : rc_scaling_note(notes, error,
                                    "%zu run%s met hosts that were not free: a process could have "
                                    "%.2g of a core in run %" PRId64,
                                    n, n == 1 ? "" : "s", used->asides[worst].cpu,
                                    used->items[worst].id);
}

static int fit_part(const struct rc_cmd_scale_fit_options *options,
                    const struct rc_cmd_scale *scale, size_t part,
                    const struct rc_cmd_scale_plan *plan, struct rc_cmd_scale_fitted *fitted,
                    struct rc_error *error)
{
    const struct rc_cluster *cluster = &scale->platform->clusters[scale->parts[part].cluster];
    struct rc_scaling_setting setting = {.per_host = plan->plan.per_host,
                                         .cut = plan->plan.cut,
                                         .packed = plan->plan.packed};
    struct rc_scaling_samples samples = {0};
    struct rc_scaling_work work = {0};
    struct rc_scaling_options how;
    int status;

    if (check_missing(plan, error))
        return -1;
    snprintf(setting.cluster, sizeof setting.cluster, "%s", cluster->name);
    snprintf(setting.network, sizeof setting.network, "%s",
             cluster->networks[scale->parts[part].network].name);
    rc_scaling_setting_count(&setting, scale->platform, scale->parts[part].cluster,
                             plan->used.items, plan->used.n);
    fill_options(options, &how);
    status =
        rc_scaling_samples_make(plan->used.items, plan->used.n, plan->plan.cut, &samples, error);
    if (!status && !options->force)
        rc_cmd_scale_tell_odd(&samples, &plan->used);
    if (!status)
        status = fit_work(scale, &samples, &work, error);
    if (!status)
        status = rc_scaling_fit(&samples, &work, &setting, &how, &fitted->model, error);
    if (!status)
        status = rc_scaling_straight(&fitted->model, fitted->findings, &fitted->n_findings, error);
    if (!status)
        status = note_commands(&plan->used, &fitted->model.notes, error) ||
                 note_load(&plan->used, &fitted->model.notes, error);
    fitted->runs = plan->used.n;
    rc_scaling_samples_free(&samples);
    rc_scaling_work_free(&work);
    return status;
}

/* Whether the runs across both clusters are alike, as those of one cluster must be. */
static int check_crossing(const struct rc_cmd_scale_fit_options *options,
                          const struct rc_cmd_scale_crossing *crossing,
                          struct rc_scaling_notes *notes, struct rc_error *error)
{
    struct rc_scaling_samples samples = {0};
    int status =
        rc_scaling_samples_make(crossing->used.items, crossing->used.n, 1, &samples, error);

    if (!status && !options->force)
        rc_cmd_scale_tell_odd(&samples, &crossing->used);
    if (!status)
        status = rc_scaling_samples_agree(&samples, options->force, notes, error);
    rc_scaling_samples_free(&samples);
    return status;
}

/* What the link adds, by the runs across both clusters. */
static int fit_link(const struct rc_cmd_scale_fit_options *options,
                    const struct rc_cmd_scale_crossing *crossing,
                    const struct rc_cmd_scale_fitted *fitted, struct rc_cmd_scale_linked *linked,
                    struct rc_error *error)
{
    struct rc_scaling_share shares[2];
    char mesh[RC_MESH_TEXT];

    if (crossing->used.n == 0) {
        rc_error_set(error, "the run across both clusters is not in the store: %s on %" PRId64,
                     rc_scaling_mesh_text(&crossing->mesh, mesh), crossing->procs);
        return rc_error_hint(error, "'runcast scale measure' with the same options makes it");
    }
    if (check_crossing(options, crossing, &linked->notes, error))
        return -1;
    for (size_t i = 0; i < 2; i++)
        shares[i] = (struct rc_scaling_share){.model = &fitted[i].model,
                                              .procs = crossing->procs / 2,
                                              .rows = crossing->procs / 2 *
                                                      crossing->block.extent[RC_MESH_ROWS]};
    return rc_scaling_link_measure(crossing->used.items, crossing->used.n, shares, 2, &linked->link,
                                   error);
}

/* ---- the store ---- */

/* A copy of the model goes into the book: the one that is shown stays. */
static int put_copy(struct rc_book *book, const struct rc_scaling_model *model,
                    struct rc_error *error)
{
    struct rc_scaling_model copy;

    return rc_scaling_fit(&model->samples, &model->work, &model->setting, &model->options, &copy,
                          error) ||
                   rc_scaling_book_put(book, &copy, error)
               ? -1
               : 0;
}

static int save(const struct rc_cmd_scale *scale, const struct rc_cmd_scale_fitted *fitted,
                const struct rc_scaling_link *link, struct rc_cmd_scale_kept *kept)
{
    const char *app = scale->options->app, *platform = scale->platform->name;
    struct rc_db *store = rc_cmd_open_db(scale->options->db, RC_DB_WRITE, NULL);
    struct rc_book book = {0};
    struct rc_error error = {0};
    int found, status;

    if (!store)
        return RC_EXIT_FAILED;
    found = rc_scaling_book_load(store, app, platform, &book, &error);
    if (found == -2)
        rc_cmd_note("the models that were stored are damaged, and are given up: %.300s",
                    error.text);
    status = found == -1 ? -1 : 0;
    for (size_t i = 0; i < scale->n_parts && !status; i++)
        status = put_copy(&book, &fitted[i].model, &error);
    if (!status && scale->link)
        status = rc_scaling_book_put_link(&book, link, &error);
    if (!status)
        status = rc_scaling_book_save(store, app, platform, &book, &kept->id, &error);
    kept->models = book.n_models;
    rc_scaling_book_free(&book);
    rc_db_close(store);
    return status ? rc_cmd_fail(&error, "storing the model") : RC_EXIT_OK;
}

/* ---- the command ---- */

static int fit_all(const struct rc_cmd_scale_fit_options *options, const struct rc_cmd_scale *scale,
                   struct rc_cmd_scale_plan *plans, const struct rc_cmd_scale_runs *runs,
                   struct rc_cmd_scale_fitted *fitted, struct rc_cmd_scale_linked *linked)
{
    struct rc_cmd_scale_crossing crossing = {0};
    struct rc_error error = {0};
    int status = 0;

    for (size_t i = 0; i < scale->n_parts && !status; i++)
        status = (!options->only && rc_cmd_scale_more_runs(runs, &plans[i], &error)) ||
                 fit_part(options, scale, i, &plans[i], &fitted[i], &error);
    if (!status && scale->link) {
        status = rc_cmd_scale_make_crossing(scale, plans, runs, &crossing, &error) ||
                 fit_link(options, &crossing, fitted, linked, &error);
        rc_cmd_scale_crossing_free(&crossing);
    }
    return status ? rc_cmd_fail(&error, "fitting %s", options->scale.app) : RC_EXIT_OK;
}

static int run_fit(struct rc_invocation *invocation)
{
    const struct rc_cmd_scale_fit_options *options = invocation->options;
    struct rc_cmd_scale_plan plans[RC_SCALING_PARTS_MAX] = {0};
    struct rc_cmd_scale_fitted *fitted = calloc(RC_SCALING_PARTS_MAX, sizeof *fitted);
    struct rc_cmd_scale_runs runs = {0};
    struct rc_cmd_scale_linked linked = {0};
    struct rc_cmd_scale scale;
    struct rc_cmd_scale_kept kept = {0};
    int status = rc_cmd_scale_begin_runs(invocation, &options->scale, &scale);

    if (status == RC_EXIT_OK && !isnan(options->noise) && !(options->noise >= 0))
        status = rc_cmd_usage_text(invocation, "--noise: 0 or more is expected");
    if (status == RC_EXIT_OK && !isnan(options->model_error) && !(options->model_error >= 0))
        status = rc_cmd_usage_text(invocation, "--model-error: 0 or more is expected");
    if (status == RC_EXIT_OK && !fitted)
        status = rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "fitting");
    if (status == RC_EXIT_OK)
        status = rc_cmd_scale_make_plans(&scale, &runs, plans);
    if (status == RC_EXIT_OK)
        status = fit_all(options, &scale, plans, &runs, fitted, &linked);
    if (status == RC_EXIT_OK && !options->dry_run)
        status = save(&scale, fitted, &linked.link, &kept);
    if (status == RC_EXIT_OK)
        rc_cmd_scale_fit_show(options, &scale, fitted, &linked, &kept);
    for (size_t i = 0; fitted && i < RC_SCALING_PARTS_MAX; i++)
        rc_scaling_model_free(&fitted[i].model);
    free(fitted);
    rc_scaling_notes_free(&linked.notes);
    rc_cmd_scale_plans_free(plans, &runs);
    rc_cmd_scale_end(&scale);
    return status;
}

const struct rc_command rc_command_scale_fit = {
    .name = "fit",
    .summary = "Make a model of the small runs that the store has",
    .details =
        "Takes all runs in the store that 'runcast scale plan' with the same options asks for, "
        "also those that were made otherwise, and those that differ from them in their rows alone, "
        "and fits T = Tcomp + alpha(np) + gamma work with alpha = c + d log2 np. Says whether the "
        "lines are straight, as far as a third size (--check) or a third number of processes "
        "(--small 4,8,16) shows it. The model is kept in the store, for 'runcast scale predict' "
        "and 'compare'. Runs that are alike and disagree by more than 20 % are refused, unless "
        "--force.",
    .examples = "  runcast scale fit --app mg --size 8192 --procs A:64 --platform p.yaml\n",
    .options = fit_options,
    .options_size = sizeof(struct rc_cmd_scale_fit_options),
    .defaults = &fit_defaults,
    .run = run_fit,
};
