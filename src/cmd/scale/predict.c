// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast scale predict': predicts a large run on one or several clusters. */
#include "cmd/scale/scale.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "base/unit.h"
#include "cmd/core/value_report.h"
#include "model/scaling/growth_curves.h"
#include "report/plot.h"

enum { TITLE = RC_NAME_MAX + RC_MESH_TEXT + 512 };
#define NOTHING 1e-9 /* of a whole: a rounding error */

struct predict_options {
    struct rc_cmd_scale_options scale;
    double level;
    const char *plot;
    bool explain, force;
};

struct predicting {
    const struct rc_cmd_scale *scale;
    const struct predict_options *options;
    struct rc_scaling_models models;
    struct rc_scaling_prediction answer;
};

static const struct predict_options predict_defaults = {.scale = RC_CMD_SCALE_DEFAULT,
                                                        .level = 0.9};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct predict_options, member)

static const struct rc_option predict_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SPLIT,
    RC_OPTIONS_SCALE_UNUSED,
    RC_OPTION_SCALE_LINK(""),
    RC_OPTION_SCALE_BYTES("(default: from the model)"),
    {OPTION("level", QUANTITY, level), .argument = "P", .dimension = RC_FRACTION,
     .help = "probability of the prediction interval (default: 0.9)"},
    {OPTION("explain", FLAG, explain),
     .help = "show how the answer was computed: the six steps with their numbers"},
    {OPTION("force", FLAG, force), .letter = 'f',
     .help = "proceed although a check failed: predict runs that do not fit in memory or on the "
             "cluster"},
    RC_OPTION_PLOT(struct predict_options),
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- text ---- */

/* "mg, 65536 x 65536 on A:64 (ethernet)", or on several clusters with " + " between. */
static void name_run(const struct predicting *it, char text[TITLE])
{
    const struct rc_cmd_scale *scale = it->scale;
    char mesh[RC_MESH_TEXT];

    snprintf(text, TITLE, "%s, %s on ", scale->options->app,
             rc_scaling_mesh_text(&scale->mesh, mesh));
    for (size_t i = 0; i < scale->n_parts; i++) {
        const struct rc_scaling_part *part = &scale->parts[i];
        const struct rc_cluster *cluster = &scale->platform->clusters[part->cluster];

        rc_text_append(text, TITLE, "%s%s:%" PRId64 " (%s)", i ? " + " : "", cluster->name,
                       part->procs, cluster->networks[part->network].name);
    }
}

static void show_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

/* A part of a time; 0 if it is a rounding error. */
static void show_share(const char *before, double part, double whole)
{
    show_seconds(before, fabs(part) < NOTHING * fabs(whole) ? 0 : part, "");
}

/* Whether memory was not measured, but given to 'fit'. */
static bool is_memory_given(const struct predicting *it, size_t i)
{
    return isnan(it->scale->options->bytes_per_cell) &&
           !isnan(it->answer.shares[i].model->options.bytes_per_cell);
}

static void show_part(const struct predicting *it, size_t i)
{
    const struct rc_scaling_prediction *answer = &it->answer;
    char memory[RC_UNIT_SIZE], has[RC_UNIT_SIZE], block[RC_MESH_TEXT];
    const char *name = answer->shares[i].model->setting.cluster;

    if (answer->shares[i].rows == 0) {
        printf("%s: not used\n", name);
        return;
    }
    if (it->scale->n_parts > 1) {
        printf("%s: %" PRId64 " rows, ", name, answer->shares[i].rows);
        show_seconds("", rc_value_quantile(answer->estimates[i].seconds, 0.5), "\n");
    }
    rc_unit_format_apart(answer->memory[i], answer->host_memory[i], RC_BYTES, memory, has);
    printf("each process: block %s, %d per host", rc_scaling_mesh_text(&answer->blocks[i], block),
           answer->per_host[i]);
    if (!isnan(answer->memory[i])) {
        printf(", memory %s", memory);
        if (!isnan(answer->host_memory[i]))
            printf(" of %s%s", has,
                   answer->memory[i] > answer->host_memory[i] ? ": DOES NOT FIT" : "");
        if (is_memory_given(it, i))
            printf(" (from --bytes-per-cell of 'fit')");
    }
    printf("\n");
}

static void show_parts(const struct rc_scaling_parts *point)
{
    double whole = point->seconds;

    show_share("computation: ", point->computing, whole);
    show_share(", communication: ", point->communicating, whole);
    show_share(" (alpha ", point->alpha, whole);
    show_share(", gamma work ", point->gamma_work, whole);
    if (point->surface != 0)
        show_share(", surface ", point->surface, whole);
    printf("%s)\n", point->hidden ? "; hidden behind computation" : "");
}

static void show(const struct predicting *it)
{
    const struct rc_scaling_prediction *answer = &it->answer;
    size_t sharing = 0;
    char run[TITLE];
    double low, high;

    name_run(it, run);
    rc_value_span(answer->estimate.seconds, it->options->level, &low, &high);
    printf("%s: ", run);
    show_seconds("", rc_value_quantile(answer->estimate.seconds, 0.5), "");
    printf(" (%g %% interval: ", 100 * it->options->level);
    show_seconds("", low, "");
    show_seconds(" to ", high, ")\n");
    show_parts(&answer->estimate.point);
    if (answer->link)
        show_seconds("link between the clusters: ", answer->link->seconds, "\n");
    for (size_t i = 0; i < it->scale->n_parts; i++) {
        show_part(it, i);
        sharing += answer->shares[i].rows > 0;
    }
    if (sharing > 1)
        printf("the run ends with its slowest cluster, so its mean is above the mean of each "
               "cluster\n");
    printf("cost: %.4g core-hours", answer->core_hours);
    if (!isnan(answer->cost))
        printf(", %.4g %s", answer->cost, it->scale->platform->currency);
    printf("\n");
    if (it->options->explain)
        rc_cmd_scale_show_steps(answer);
}

/* ---- JSON ---- */

static json_t *value_json(const struct predicting *it, const struct rc_value *value)
{
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    return rc_cmd_report_time_json(value, &rules, it->options->level);
}

static struct rc_answer_scale_part fill_part(const struct predicting *it, size_t i)
{
    const struct rc_scaling_share *share = &it->answer.shares[i];

    return (struct rc_answer_scale_part){
        .cluster = share->model->setting.cluster,
        .network = share->model->setting.network,
        .per_host = it->answer.per_host[i],
        .procs = share->procs,
        .rows = share->rows,
        .block = it->answer.blocks[i],
        .time = share->rows > 0 ? value_json(it, it->answer.estimates[i].seconds) : NULL,
        .memory = it->answer.memory[i],
        .host_memory = it->answer.host_memory[i],
        .memory_given = is_memory_given(it, i)};
}

static void write_json(const struct predicting *it)
{
    struct rc_answer_scale_steps steps[RC_SCALING_PARTS_MAX];
    struct rc_answer_scale_prediction answer = {
        .is = it->answer,
        .platform = it->scale->platform->name,
        .split = rc_scaling_aim_name(it->scale->aim),
        .time = value_json(it, it->answer.estimate.seconds),
        .computation = value_json(it, it->answer.estimate.computing),
        .communication = value_json(it, it->answer.estimate.communicating),
        .link = it->answer.link ? it->answer.link->seconds : (double)NAN,
        .steps = it->options->explain ? steps : NULL};

    for (size_t i = 0; i < it->scale->n_parts; i++) {
        const struct rc_scaling_share *share = &it->answer.shares[i];

        answer.parts[i] = fill_part(it, i);
        if (share->rows > 0)
            steps[answer.n_steps++] =
                (struct rc_answer_scale_steps){*share->model, it->answer.estimates[i].point,
                                               rc_scaling_growth(share->model->k,
                                                                 (double)share->procs)};
    }
    answer.notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_scale_prediction, &answer));
    json_decref(answer.notes);
    json_decref(answer.time);
    json_decref(answer.computation);
    json_decref(answer.communication);
    for (size_t i = 0; i < it->scale->n_parts; i++)
        json_decref(answer.parts[i].time);
}

/* ---- the command ---- */

static int predict(struct predicting *it)
{
    const struct rc_scaling_target target = {.app = it->scale->options->app,
                                             .platform = it->scale->platform,
                                             .mesh = it->scale->mesh,
                                             .parts = it->scale->parts,
                                             .n_parts = it->scale->n_parts,
                                             .cut = (int)it->scale->options->cut,
                                             .aim = it->scale->aim,
                                             .bytes_per_cell = it->scale->options->bytes_per_cell,
                                             .link = it->scale->with_link,
                                             .force = it->options->force};
    char title[TITLE];
    struct rc_error error = {0};
    int status = rc_cmd_scale_load_models(it->scale, &it->models);

    if (status != RC_EXIT_OK)
        return status;
    if (rc_scaling_predict(&target, &it->models, &it->answer, &error))
        return rc_cmd_fail(&error, "predicting %s", target.app);
    if (!it->scale->options->json)
        show(it);
    rc_cmd_scale_notes(NULL, &it->answer.notes);
    if (it->scale->options->json)
        write_json(it);
    name_run(it, title);
    if (it->options->plot &&
        rc_cmd_report_plot(it->options->plot, title, "run time, s", it->answer.estimate.seconds,
                           it->options->level, NULL, &error))
        return rc_cmd_fail(&error, "drawing %s", it->options->plot);
    return RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct predict_options *options = invocation->options;
    struct rc_cmd_scale scale = {0};
    struct predicting it = {.scale = &scale, .options = options};
    struct rc_error error = {0};
    int status;

    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: must be between 0 and 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status = rc_cmd_scale_begin(invocation, &options->scale, &scale);
    if (status == RC_EXIT_OK)
        status = predict(&it);
    rc_scaling_prediction_free(&it.answer);
    rc_scaling_models_free(&it.models);
    rc_cmd_scale_end(&scale);
    return status;
}

const struct rc_command rc_command_scale_predict = {
    .name = "predict",
    .summary = "Predict a large run on one or several clusters",
    .details =
        "Uses the models of 'runcast scale fit'. The prediction is a distribution. It covers the "
        "noise of the small runs and of the run itself, and the uncertainty of how communication "
        "grows. With several clusters, the slowest counts (Eq. 5); --split divides the rows.",
    .examples = "  runcast scale predict --app mg --size 65536 --procs A:64 \\\n"
                "    --platform-file p.yaml\n"
                "  runcast scale predict --app mg --size 65536 --platform-file p.yaml \\\n"
                "    --procs A:64,B:32 --split 1:1\n",
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .answers = {rc_answer_scale_prediction},
    .run = run_predict,
};
