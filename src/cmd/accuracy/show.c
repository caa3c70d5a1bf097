// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_show.c - what 'runcast accuracy' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/timestamp.h"
#include "cmd/accuracy/accuracy.h"

enum { PARTS_MAX = 8, PART_LEAST = 4 };

static const char *const way_names[RC_REPLAY_WAYS] = {"single model", "adapting list", "default"};
static const char *const way_keys[RC_REPLAY_WAYS] = {"single", "list", "default"};

/* Stretches of time of equal numbers of runs. */
static size_t parts_of(size_t n)
{
    size_t parts = n / PART_LEAST;

    return parts < 1 ? 1 : parts > PARTS_MAX ? PARTS_MAX : parts;
}

/* ---- for people ---- */

static void cell(struct rc_table *table, double value, int digits, const char *unit)
{
    char text[40];

    if (isnan(value))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.*f%s", digits, value, unit);
    rc_table_text(table, text);
}

static void cells(struct rc_table *table, const struct rc_predict_score_report *report)
{
    rc_table_integer(table, (long long)report->n);
    cell(table, report->mean, 1, " %");
    cell(table, report->sd, 1, " %");
    cell(table, report->p90, 1, " %");
    cell(table, 100 * report->under_30, 0, " %");
    cell(table, 100 * report->held, 0, " %");
}

#define SCORE_HEADS                                                                                \
    {.title = "runs", .right = true}, {.title = "mean error", .right = true},                      \
        {.title = "sd", .right = true}, {.title = "9 of 10 below", .right = true},                 \
        {.title = "below 30 %", .right = true},                                                    \
    {                                                                                              \
        .title = "held", .right = true                                                             \
    }

static int print_history(const struct rc_history *history, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "runs from"}, SCORE_HEADS};
    size_t parts = parts_of(history->n);
    struct rc_table *table;
    int status = 0;

    if (history->n == 0) {
        puts("No prediction has its run yet.");
        return 0;
    }
    printf("Predictions that were made: %zu have their run, %" PRIu64 " have not\n", history->n,
           history->waiting);
    table = rc_table_create(stdout, heads, 7, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts && status == 0; i++) {
        size_t first = i * history->n / parts, end = (i + 1) * history->n / parts;
        struct rc_predict_score_report report;
        char when[RC_TIME_SIZE];

        status = rc_predict_history_part(history, first, end, &report, error);
        rc_timestamp_format(history->entries[first].start, when);
        rc_table_text(table, when);
        cells(table, &report);
    }
    if (parts > 1) {
        rc_table_text(table, "all");
        cells(table, &history->all);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : status;
}

/* What is not in the table, since there is nothing to compare it with. */
static void print_alone(const struct rc_cmd_accuracy *accuracy)
{
    for (size_t i = 0; i < accuracy->n_families; i++) {
        const struct rc_cmd_accuracy_family *family = &accuracy->families[i];

        if (family->alone > 0)
            printf("(%s has foretold %zu run%s besides, without the others: '--family %s' tells of "
                   "all)\n",
                   family->name, family->alone, family->alone == 1 ? "" : "s", family->name);
    }
}

/* Every family foretold the same runs, or some of them. */
static int print_families(const struct rc_cmd_accuracy *accuracy, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "family"},
                                             SCORE_HEADS,
                                             {.title = "together on the same", .right = true}};
    struct rc_table *table;

    if (accuracy->n_families < 2 || accuracy->history.n == 0)
        return 0;
    puts("\nWhat each family of models said of these runs");
    table = rc_table_create(stdout, heads, 8, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    rc_table_text(table, "together");
    cells(table, &accuracy->history.all);
    cell(table, accuracy->history.all.mean, 1, " %");
    for (size_t i = 0; i < accuracy->n_families; i++) {
        rc_table_text(table, accuracy->families[i].name);
        cells(table, &accuracy->families[i].report);
        cell(table, accuracy->families[i].door.mean, 1, " %");
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    print_alone(accuracy);
    return 0;
}

static int print_course(const struct rc_predict_replay *replay, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "after run", .right = true},
                                             {.title = "single model", .right = true},
                                             {.title = "adapting list", .right = true},
                                             {.title = "default", .right = true}};
    size_t parts = parts_of(replay->n);
    struct rc_table *table = rc_table_create(stdout, heads, 4, rc_cmd_width());
    int status = 0;

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts && status == 0; i++) {
        size_t first = i * replay->n / parts, end = (i + 1) * replay->n / parts;

        rc_table_integer(table, (long long)(replay->n_training + first));
        for (int way = 0; way < RC_REPLAY_WAYS && status == 0; way++) {
            struct rc_predict_score_report report;

            status =
                rc_predict_replay_part(replay, first, end, (enum rc_replay_way)way, &report, error);
            cell(table, report.mean, 1, " %");
        }
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : status;
}

static int print_replay(const struct rc_cmd_accuracy *accuracy, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "model"}, SCORE_HEADS};
    const struct rc_predict_replay *replay = &accuracy->replay;
    struct rc_table *table;

    if (replay->n == 0) {
        printf("\nNo replay: %s\n", accuracy->no_replay.text);
        return 0;
    }
    printf("\nRuns replayed in the order of their %s: trained on %zu, then %zu foretold\n",
           replay->by_start ? "starts" : "numbers", replay->n_training, replay->n);
    puts("(by models of the runs before each, with the load that it met; 'default' is what predict "
         "uses)");
    if (replay->n_earlier)
        printf("(%zu earlier runs are left out)\n", replay->n_earlier);
    table = rc_table_create(stdout, heads, 7, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (int way = 0; way < RC_REPLAY_WAYS; way++) {
        rc_table_text(table, way_names[way]);
        cells(table, &replay->all[way]);
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    for (int i = 0; i < 2; i++)
        if (replay->all[i ? RC_REPLAY_DEFAULT : RC_REPLAY_LIST].n == 0)
            printf("(no model by the %s criterion: %s)\n", i ? "default" : "paper's",
                   replay->why[i].text);
    puts("\nErrors over time");
    return print_course(replay, error);
}

int rc_cmd_accuracy_print(const struct rc_cmd_accuracy *accuracy, struct rc_error *error)
{
    if (print_history(&accuracy->history, error) || print_families(accuracy, error) ||
        print_replay(accuracy, error))
        return -1;
    puts("\nErrors are shares of the time that the run took: on average, their standard deviation, "
         "and what\n9 of 10 are below. 'below 30 %' is how many are, and 'held' how many of the "
         "90 % intervals held\ntheir run.");
    return 0;
}

/* ---- for programs ---- */

static json_t *report_json(const struct rc_predict_score_report *report)
{
    json_t *object = json_object();

    rc_json_set(object, "runs", json_integer((json_int_t)report->n));
    rc_json_set(object, "mean", rc_json_number(report->mean));
    rc_json_set(object, "sd", rc_json_number(report->sd));
    rc_json_set(object, "p90", rc_json_number(report->p90));
    rc_json_set(object, "under_30", rc_json_number(report->under_30));
    rc_json_set(object, "coverage", rc_json_number(report->held));
    rc_json_set(object, "width", rc_json_number(report->width));
    return object;
}

static json_t *history_json(const struct rc_history *history)
{
    json_t *object = report_json(&history->all), *list = json_array();

    for (size_t i = 0; i < history->n; i++) {
        const struct rc_history_entry *entry = &history->entries[i];
        json_t *one = json_object();

        rc_json_set(one, "start", rc_json_number(entry->start));
        rc_json_set(one, "n", rc_json_number(entry->n));
        rc_json_set(one, "p", json_integer(entry->p));
        rc_json_set(one, "predicted", rc_json_number(entry->predicted));
        rc_json_set(one, "lo90", rc_json_number(entry->lo90));
        rc_json_set(one, "hi90", rc_json_number(entry->hi90));
        rc_json_set(one, "seconds", rc_json_number(entry->came));
        json_array_append_new(list, one);
    }
    rc_json_set(object, "waiting", json_integer((json_int_t)history->waiting));
    rc_json_set(object, "predictions", list);
    return object;
}

static json_t *families_json(const struct rc_cmd_accuracy *accuracy)
{
    json_t *list = json_array();

    for (size_t i = 0; i < accuracy->n_families; i++) {
        const struct rc_cmd_accuracy_family *family = &accuracy->families[i];
        json_t *object = report_json(&family->report);

        rc_json_set(object, "family", rc_json_text(family->name));
        rc_json_set(object, "waiting", json_integer((json_int_t)family->waiting));
        rc_json_set(object, "alone", json_integer((json_int_t)family->alone));
        rc_json_set(object, "door", report_json(&family->door));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *replay_json(const struct rc_predict_replay *replay)
{
    json_t *object = json_object(), *list = json_array();

    rc_json_set(object, "training", json_integer((json_int_t)replay->n_training));
    rc_json_set(object, "left_out", json_integer((json_int_t)replay->n_earlier));
    for (int way = 0; way < RC_REPLAY_WAYS; way++)
        rc_json_set(object, way_keys[way], report_json(&replay->all[way]));
    for (size_t i = 0; i < replay->n; i++) {
        const struct rc_replay_run *run = &replay->runs[i];
        json_t *one = json_object();

        rc_json_set(one, "id", json_integer(run->id));
        rc_json_set(one, "n", rc_json_number(run->n));
        rc_json_set(one, "p", rc_json_number(run->p));
        rc_json_set(one, "seconds", rc_json_number(run->came));
        for (int way = 0; way < RC_REPLAY_WAYS; way++)
            rc_json_set(one, way_keys[way], rc_json_number(run->predicted[way]));
        rc_json_set(one, "lo90", rc_json_number(run->lo90));
        rc_json_set(one, "hi90", rc_json_number(run->hi90));
        json_array_append_new(list, one);
    }
    rc_json_set(object, "runs", list);
    return object;
}

int rc_cmd_accuracy_json(const struct rc_cmd_accuracy *accuracy, struct rc_error *error)
{
    json_t *object = json_object();

    rc_json_set(object, "app", rc_json_text(accuracy->app));
    rc_json_set(object, "family", rc_json_text(accuracy->family));
    rc_json_set(object, "platform",
                accuracy->platform ? rc_json_text(accuracy->platform) : json_null());
    rc_json_set(object, "foretold", history_json(&accuracy->history));
    if (accuracy->n_families > 0)
        rc_json_set(object, "families", families_json(accuracy));
    if (accuracy->replay.n > 0)
        rc_json_set(object, "replay", replay_json(&accuracy->replay));
    else
        rc_json_set(object, "no_replay", rc_json_text(accuracy->no_replay.text));
    rc_json_set(object, "notes", rc_cmd_notes_json());
    if (!object)
        return rc_error_no_memory(error);
    rc_json_write(stdout, object, true);
    json_decref(object);
    return 0;
}
