// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_predict.c - 'runcast scale predict': how long a large run takes, on one cluster or split
 * over several. */
#include "cmd/scale/predict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/unit.h"
#include "report/plot.h"
#include "cmd/core/value_report.h"

enum { TITLE = RC_NAME_MAX + RC_MESH_TEXT + RC_CMD_SCALE_PLACE };
#define NOTHING 1e-9 /* of a whole, is no more than rounding */

static const struct rc_cmd_scale_predict_options predict_defaults = {.scale = RC_CMD_SCALE_DEFAULT,
                                                                     .level = 0.9};

#define MEMBER(member) .offset = offsetof(struct rc_cmd_scale_predict_options, member)

static const struct rc_option predict_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SIZE,
    RC_OPTION_SCALE_PROCS,
    RC_OPTION_SCALE_SPLIT,
    RC_OPTIONS_SCALE_UNUSED,
    RC_OPTION_SCALE_LINK("what the link between two clusters costs: none (the default), or as "
                         "measured"),
    RC_OPTION_SCALE_BYTES("(default: as the model has it, by its runs or by what was told to fit)"),
    {.name = "level",
     .kind = RC_OPTION_QUANTITY,
     .argument = "P",
     .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)",
     MEMBER(level)},
    {.name = "explain",
     .kind = RC_OPTION_FLAG,
     .help = "show each of the six steps with its numbers",
     MEMBER(explain)},
    {.name = "force",
     .kind = RC_OPTION_FLAG,
     .help = "predict what does not fit in memory, or on the cluster, too",
     MEMBER(force)},
    RC_OPTION_PLOT(struct rc_cmd_scale_predict_options),
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- reckoning ---- */

/* The cluster as the processes are placed on it. */
static struct rc_cluster placed(const struct rc_cluster *cluster, int per_host)
{
    struct rc_cluster copy = *cluster;

    if (per_host > 0)
        copy.per_host = per_host;
    return copy;
}

static int find_part(struct rc_cmd_scale_prediction *it, size_t i, struct rc_error *error)
{
    const struct rc_cmd_scale_part *part = &it->scale->parts[i];
    const struct rc_cluster *cluster = &it->scale->platform->clusters[part->cluster];
    const struct rc_scaling_model *model =
        rc_cmd_scale_find_model(it->scale, part, &it->book, error);
    struct rc_cluster copy;

    if (!model)
        return -1;
    it->draws[i] = rc_scaling_draws_create(model, 1, error);
    if (!it->draws[i])
        return -1;
    it->per_host[i] = part->per_host ? part->per_host : model->setting.per_host;
    copy = placed(cluster, it->per_host[i]);
    it->host_memory[i] = rc_platform_cluster_memory_per_process(&copy, part->procs);
    it->sides[i] = (struct rc_scaling_side){
        .share = {.model = model, .draws = it->draws[i], .procs = part->procs},
        .price = cluster->core_hour_cost,
        .cores = part->procs,
        .memory = it->host_memory[i],
        .beyond = it->options->force,
        .weight = part->weight,
        .bytes_per_cell =
            isnan(it->scale->options->bytes_per_cell) ? 0 : it->scale->options->bytes_per_cell};
    if (it->options->force || part->procs <= rc_platform_cluster_capacity(&copy))
        return 0;
    rc_error_set(error, "the cluster '%s' takes %" PRId64 " processes, not %" PRId64, cluster->name,
                 rc_platform_cluster_capacity(&copy), part->procs);
    return rc_error_hint(error, "--per-host says how many a host takes, and --force predicts all "
                                "the same");
}

static int split_rows(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    size_t n = it->scale->n_parts;

    if (n == 1)
        it->sides[0].share.rows = it->scale->mesh.extent[RC_MESH_ROWS];
    else if (rc_scaling_split(it->sides, n, &it->scale->mesh, it->scale->aim, error))
        return -1;
    for (size_t i = 0; i < n; i++)
        it->shares[i] = it->sides[i].share;
    return 0;
}

/* What a process needs; refused where it has less. */
static int check_memory(struct rc_cmd_scale_prediction *it, size_t i, struct rc_error *error)
{
    const struct rc_scaling_share *share = &it->shares[i];
    double given = it->scale->options->bytes_per_cell;
    struct rc_mesh mesh = it->scale->mesh;
    char needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    mesh.extent[RC_MESH_ROWS] = share->rows;
    it->memory[i] = NAN;
    if (share->rows == 0)
        return 0;
    if (rc_scaling_mesh_block(&mesh, share->procs, (int)it->scale->options->cut, &it->blocks[i],
                              error))
        return -1;
    it->memory[i] = isnan(given) ? rc_scaling_memory(share->model, &it->blocks[i])
                                 : given * rc_scaling_mesh_cells(&it->blocks[i]);
    if (!(it->memory[i] > it->host_memory[i]) || it->options->force)
        return 0;
    rc_unit_format_apart(it->memory[i], it->host_memory[i], RC_BYTES, needed, has);
    rc_error_set(error, "it does not fit in memory: a process on '%s' needs %s and may have %s",
                 share->model->setting.cluster, needed, has);
    return rc_error_hint(error, "take more processes or fewer on a host (--per-host), or several "
                                "clusters; --force predicts all the same");
}

/* What was measured of the link, over the network of both clusters where it is one. */
static int find_link(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    const struct rc_cmd_scale *scale = it->scale;
    const char *names[2], *networks[2];

    for (size_t i = 0; i < 2; i++) {
        const struct rc_cluster *cluster = &scale->platform->clusters[scale->parts[i].cluster];

        names[i] = cluster->name;
        networks[i] = cluster->networks[scale->parts[i].network].name;
    }
    it->link = rc_scaling_book_find_link(&it->book, names[0], names[1],
                                         strcmp(networks[0], networks[1]) == 0 ? networks[0] : "",
                                         scale->mesh.extent[RC_MESH_COLS]);
    if (it->link)
        return 0;
    rc_error_set(error, "the link between '%s' (%s) and '%s' (%s) was not measured", names[0],
                 networks[0], names[1], networks[1]);
    return rc_error_hint(error, "'runcast scale measure' and 'fit' with --link measured do so");
}

static int reckon(struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    const struct rc_cmd_scale *scale = it->scale;

    for (size_t i = 0; i < scale->n_parts; i++)
        if (find_part(it, i, error))
            return -1;
    if (split_rows(it, error))
        return -1;
    for (size_t i = 0; i < scale->n_parts; i++)
        if (check_memory(it, i, error))
            return -1;
    if ((scale->link && find_link(it, error)) ||
        rc_scaling_estimate_many(it->shares, scale->n_parts, &scale->mesh, it->link, &it->estimate,
                                 it->estimates, error))
        return -1;
    return rc_cmd_scale_predict_notes(it, error);
}

/* All clusters are held until the last one ends. */
static void reckon_price(struct rc_cmd_scale_prediction *it)
{
    double seconds = rc_value_mean(it->estimate.seconds);

    it->core_hours = it->price = 0;
    for (size_t i = 0; i < it->scale->n_parts; i++) {
        if (it->shares[i].rows == 0)
            continue;
        it->core_hours += rc_scaling_core_hours(seconds, it->shares[i].procs);
        it->price += rc_scaling_price(seconds, it->shares[i].procs, it->sides[i].price);
    }
}

/* ---- for people ---- */

/* "mg, 65536 x 65536 on 64 of A (ethernet)" */
static void name_run(const struct rc_cmd_scale_prediction *it, char text[TITLE])
{
    char mesh[RC_MESH_TEXT], place[RC_CMD_SCALE_PLACE];

    rc_cmd_scale_place(it->scale, place);
    snprintf(text, TITLE, "%s, %s on %s", it->scale->options->app,
             rc_scaling_mesh_text(&it->scale->mesh, mesh), place);
}

static void show_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

/* A part of a time, which is nothing where only rounding is left of it. */
static void show_share(const char *before, double part, double whole)
{
    show_seconds(before, fabs(part) < NOTHING * fabs(whole) ? 0 : part, "");
}

/* Whether memory is not measured, but what somebody said when the model was fitted. */
static bool is_told(const struct rc_cmd_scale_prediction *it, size_t i)
{
    return isnan(it->scale->options->bytes_per_cell) &&
           !isnan(it->shares[i].model->options.bytes_per_cell);
}

static void show_part(const struct rc_cmd_scale_prediction *it, size_t i)
{
    char memory[RC_UNIT_SIZE], has[RC_UNIT_SIZE], block[RC_MESH_TEXT];
    const char *name = it->shares[i].model->setting.cluster;

    if (it->shares[i].rows == 0) {
        printf("%s takes no part\n", name);
        return;
    }
    if (it->scale->n_parts > 1) {
        printf("%s: %" PRId64 " rows, ", name, it->shares[i].rows);
        show_seconds("", rc_value_mean(it->estimates[i].seconds), "\n");
    }
    rc_unit_format_apart(it->memory[i], it->host_memory[i], RC_BYTES, memory, has);
    printf("each process, %d on a host, has %s", it->per_host[i],
           rc_scaling_mesh_text(&it->blocks[i], block));
    if (!isnan(it->memory[i])) {
        printf(" in %s", memory);
        if (!isnan(it->host_memory[i]))
            printf(" of the %s that it may have%s", has,
                   it->memory[i] > it->host_memory[i] ? ": it DOES NOT FIT" : "");
        if (is_told(it, i))
            printf(" (by what --bytes-per-cell said of it to 'fit')");
    }
    printf("\n");
}

static void show_parts(const struct rc_scaling_parts *point)
{
    double whole = point->seconds;

    show_share("computing ", point->computing, whole);
    show_share(", communicating ", point->communicating, whole);
    show_share(" (alpha ", point->alpha, whole);
    show_share(", gamma work ", point->gamma_work, whole);
    if (point->surface != 0)
        show_share(", surface ", point->surface, whole);
    printf("%s)\n", point->hidden ? ": hidden behind computing" : "");
}

static void show(const struct rc_cmd_scale_prediction *it)
{
    size_t sharing = 0;
    char run[TITLE];
    double low, high;

    name_run(it, run);
    rc_value_span(it->estimate.seconds, it->options->level, &low, &high);
    printf("%s: ", run);
    show_seconds("", rc_value_mean(it->estimate.seconds), "");
    printf(" (%g %%: ", 100 * it->options->level);
    show_seconds("", low, "");
    show_seconds(" to ", high, ")\n");
    show_parts(&it->estimate.point);
    if (it->link)
        show_seconds("the link between the clusters adds ", it->link->seconds, "\n");
    for (size_t i = 0; i < it->scale->n_parts; i++) {
        show_part(it, i);
        sharing += it->shares[i].rows > 0;
    }
    if (sharing > 1)
        printf("the last to end counts, whichever that is: on average that takes longer than each "
               "does\n");
    printf("cost: %.4g core-hours", it->core_hours);
    if (!isnan(it->price))
        printf(", %.4g %s", it->price, it->scale->platform->currency);
    printf("\n");
    if (it->options->explain)
        rc_cmd_scale_explain(it);
    rc_cmd_scale_notes_show(&it->notes);
}

/* ---- for programs ---- */

static json_t *part_json(const struct rc_cmd_scale_prediction *it, size_t i,
                         const struct rc_value_rules *rules)
{
    json_t *object = json_object();

    rc_json_set(object, "cluster", rc_json_text(it->shares[i].model->setting.cluster));
    rc_json_set(object, "network", rc_json_text(it->shares[i].model->setting.network));
    rc_json_set(object, "per_host", json_integer(it->per_host[i]));
    rc_json_set(object, "p", json_integer(it->shares[i].procs));
    rc_json_set(object, "rows", json_integer(it->shares[i].rows));
    if (it->shares[i].rows > 0) {
        rc_json_set(object, "block", rc_cmd_scale_mesh_json(&it->blocks[i]));
        rc_json_set(object, "seconds",
                    rc_cmd_report_json(it->estimates[i].seconds, rules, it->options->level));
    }
    rc_json_set(object, "memory", rc_json_number(it->memory[i]));
    rc_json_set(object, "memory_told", json_boolean(is_told(it, i)));
    rc_json_set(object, "host_memory", rc_json_number(it->host_memory[i]));
    return object;
}

static void write_json(const struct rc_cmd_scale_prediction *it)
{
    const struct rc_scaling_parts *point = &it->estimate.point;
    json_t *object = json_object(), *parts = json_array();
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    for (size_t i = 0; i < it->scale->n_parts; i++)
        json_array_append_new(parts, part_json(it, i, &rules));
    rc_json_set(object, "app", rc_json_text(it->scale->options->app));
    rc_json_set(object, "platform", rc_json_text(it->scale->platform->name));
    rc_json_set(object, "mesh", rc_cmd_scale_mesh_json(&it->scale->mesh));
    rc_json_set(object, "seconds",
                rc_cmd_report_json(it->estimate.seconds, &rules, it->options->level));
    rc_json_set(object, "computing",
                rc_cmd_report_json(it->estimate.computing, &rules, it->options->level));
    rc_json_set(object, "communicating",
                rc_cmd_report_json(it->estimate.communicating, &rules, it->options->level));
    rc_json_set(object, "point", rc_json_number(point->seconds));
    rc_json_set(object, "alpha", rc_json_number(point->alpha));
    rc_json_set(object, "gamma_work", rc_json_number(point->gamma_work));
    rc_json_set(object, "surface", rc_json_number(point->surface));
    rc_json_set(object, "work", rc_json_number(point->work));
    rc_json_set(object, "link", it->link ? rc_json_number(it->link->seconds) : json_null());
    rc_json_set(object, "split", rc_json_text(rc_scaling_aim_name(it->scale->aim)));
    rc_json_set(object, "parts", parts);
    rc_json_set(object, "core_hours", rc_json_number(it->core_hours));
    rc_json_set(object, "price", rc_json_number(it->price));
    if (it->options->explain)
        rc_json_set(object, "steps", rc_cmd_scale_explain_json(it));
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&it->notes));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

/* ---- the command ---- */

static int plot(const struct rc_cmd_scale_prediction *it, struct rc_error *error)
{
    char title[TITLE];

    name_run(it, title);
    return rc_cmd_report_plot(it->options->plot, title, "seconds of the run", it->estimate.seconds,
                              it->options->level, NULL, error);
}

static int predict(struct rc_cmd_scale_prediction *it)
{
    struct rc_error error = {0};
    int status = rc_cmd_scale_load_book(it->scale, &it->book);

    if (status != RC_EXIT_OK)
        return status;
    if (reckon(it, &error))
        return rc_cmd_fail(&error, "predicting %s", it->scale->options->app);
    reckon_price(it);
    if (it->scale->options->json)
        write_json(it);
    else
        show(it);
    if (it->options->plot && plot(it, &error))
        return rc_cmd_fail(&error, "drawing %s", it->options->plot);
    return RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct rc_cmd_scale_predict_options *options = invocation->options;
    struct rc_cmd_scale scale = {0};
    struct rc_cmd_scale_prediction it = {.scale = &scale, .options = options};
    struct rc_error error = {0};
    int status;

    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level is between 0 and 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status = rc_cmd_scale_begin(invocation, &options->scale, &scale);
    if (status == RC_EXIT_OK)
        status = predict(&it);
    for (size_t i = 0; i < RC_SCALING_PARTS_MAX; i++) {
        rc_scaling_estimate_free(&it.estimates[i]);
        rc_scaling_draws_free(it.draws[i]);
    }
    rc_scaling_estimate_free(&it.estimate);
    rc_scaling_notes_free(&it.notes);
    rc_scaling_book_free(&it.book);
    rc_cmd_scale_end(&scale);
    return status;
}

const struct rc_command rc_command_scale_predict = {
    .name = "predict",
    .summary = "Say how long a large run takes, on one cluster or split over several",
    .details =
        "From the models that 'runcast scale fit' keeps. The answer is a distribution: the noise "
        "of the small runs, what is not known of how the network's part grows, and the noise of "
        "the run itself are in it. Over several clusters the one that takes longest counts "
        "(Eq. 5); --split says how rows are shared.",
    .examples = "  runcast scale predict --app mg --size 65536 --procs A:64 --platform p.yaml\n"
                "  runcast scale predict --app mg --size 65536 --platform p.yaml \\\n"
                "    --procs A:64,B:32 --split 1:1\n",
    .options = predict_options,
    .options_size = sizeof(struct rc_cmd_scale_predict_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
