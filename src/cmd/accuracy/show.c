// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the answer of 'runcast accuracy', as text and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/accuracy/accuracy.h"
#include "predict/predictor.h"

enum { NEWEST_MAX = 10, PARTS_MAX = 8, PART_LEAST = 4, COLUMNS = 12 };

/* Stretches of time of equal numbers of runs. */
static size_t parts_of(size_t n)
{
    size_t parts = n / PART_LEAST;

    return parts < 1 ? 1 : parts > PARTS_MAX ? PARTS_MAX : parts;
}

/* ---- text ---- */

/* A table whose rows are a text and a score. */
static struct rc_table *create_scores(const char *title)
{
    static struct rc_column heads[COLUMNS];

    heads[0] = (struct rc_column){.title = title};
    return rc_table_create(stdout, heads,
                           1 + rc_field_columns(rc_answer_score, heads + 1, COLUMNS - 1),
                           rc_cmd_width());
}

static void put_score(struct rc_table *table, const char *text,
                      const struct rc_predict_score_report *report)
{
    rc_table_text(table, text);
    rc_field_row(table, rc_answer_score, report);
}

/* Of a killed run, it is known only where it was longer than the interval. */
static const char *covered(const struct rc_history_entry *entry)
{
    if (entry->killed)
        return entry->came > entry->hi90 ? "no" : "-";
    return entry->lo90 <= entry->came && entry->came <= entry->hi90 ? "yes" : "no";
}

static void put_entry(struct rc_table *table, const struct rc_history_entry *entry)
{
    char text[2 * RC_UNIT_SIZE + 8], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE], size[RC_NUMBER_SIZE];

    rc_table_integer(table, (long long)entry->run);
    rc_number_format_short(entry->n, 6, size);
    rc_table_text(table, size);
    rc_table_integer(table, (long long)entry->p);
    rc_unit_format(entry->predicted, RC_SECONDS, text);
    rc_table_text(table, text);
    rc_unit_format(entry->lo90, RC_SECONDS, low);
    rc_unit_format(entry->hi90, RC_SECONDS, high);
    snprintf(text, sizeof text, "%s to %s", low, high);
    rc_table_text(table, text);
    rc_unit_format(entry->came, RC_SECONDS, low);
    snprintf(text, sizeof text, "%s%s", entry->killed ? "> " : "", low);
    rc_table_text(table, text);
    snprintf(text, sizeof text, "%.1f %%",
             100 * rc_predict_score_error(entry->predicted, entry->came));
    rc_table_text(table, entry->killed ? "-" : text);
    rc_table_text(table, covered(entry));
}

/* The predictions of the runs that started last. */
static int print_newest(const struct rc_history *history, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "run", .right = true},
                                             {.title = "size", .right = true},
                                             {.title = "processes", .right = true},
                                             {.title = "predicted", .right = true},
                                             {.title = "90 % interval"},
                                             {.title = "measured", .right = true},
                                             {.title = "APE", .right = true},
                                             {.title = "covered"}};
    size_t first = history->n > NEWEST_MAX ? history->n - NEWEST_MAX : 0;
    struct rc_table *table =
        rc_table_create(stdout, heads, sizeof heads / sizeof *heads, rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = first; i < history->n; i++)
        put_entry(table, &history->entries[i]);
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    if (first)
        printf("(the newest %d of %zu)\n", NEWEST_MAX, history->n);
    putchar('\n');
    return 0;
}

/* Predictions by method, and those that can be compared. */
static void print_count(const struct rc_history *history)
{
    uint64_t all = history->n + history->waiting;

    if (all == 0)
        puts("Predictions: none");
    else if (history->n == 0)
        printf("Predictions: %" PRIu64 "; none has a run in the database\n", all);
    else if (history->waiting)
        printf("Predictions: %" PRIu64 ", %zu of them compared with a run\n", all, history->n);
    else
        printf("Predictions: %" PRIu64 ",%s compared with a run\n", all, all == 1 ? "" : " all");
    if (history->all.n_killed)
        printf("Killed runs: %" PRIu64
               ", not in the MAPE; in the coverage if they were longer than the "
               "interval\n",
               history->all.n_killed);
}

static int print_history(const struct rc_history *history, struct rc_error *error)
{
    size_t parts = parts_of(history->n);
    struct rc_table *table;
    int status = 0;

    print_count(history);
    if (history->n == 0)
        return 0;
    if (print_newest(history, error))
        return -1;
    table = create_scores("runs since");
    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts && status == 0; i++) {
        size_t first = i * history->n / parts, end = (i + 1) * history->n / parts;
        struct rc_predict_score_report report;
        char when[RC_TIME_SIZE];

        status = rc_predict_history_part(history, first, end, &report, error);
        rc_timestamp_format(history->entries[first].start, when);
        put_score(table, when, &report);
    }
    if (parts > 1)
        put_score(table, "all", &history->all);
    return rc_table_finish(table) ? rc_error_no_memory(error) : status;
}

/* Predictions that are not in the table, without a combined one to compare them with. */
static void print_alone(const struct rc_predict_accuracy *accuracy)
{
    for (size_t i = 0; i < accuracy->n_methods; i++) {
        const struct rc_method_accuracy *method = &accuracy->methods[i];

        if (method->alone > 0)
            printf("further predictions by %s alone: %zu run%s (--method %s shows all)\n",
                   method->name, method->alone, method->alone == 1 ? "" : "s", method->name);
    }
}

/* Every method has predicted the same runs, or some of them. */
static int print_methods(const struct rc_predict_accuracy *accuracy, struct rc_error *error)
{
    const struct rc_predict_score_report *all = &accuracy->history.all;
    struct rc_method_accuracy rows[RC_METHODS + 1] = {
        {.name = RC_COMBINED, .report = *all, .combined = *all}};

    if (accuracy->n_methods < 2 || accuracy->history.n == 0)
        return 0;
    memcpy(rows + 1, accuracy->methods, accuracy->n_methods * sizeof *rows);
    puts("\nPredictions of these runs by each method");
    if (rc_field_table(stdout, rc_answer_method_accuracy, rows, accuracy->n_methods + 1,
                       sizeof *rows, rc_cmd_width(), error))
        return -1;
    print_alone(accuracy);
    return 0;
}

static const struct rc_field mean_error[] = {{RC_FIELD(struct rc_predict_score_report, FIXED, mean),
                                              .scale = 100, .digits = 1, .unit = " %", .title = ""},
                                             RC_FIELDS_END};

static int print_course(const struct rc_predict_replay *replay, struct rc_error *error)
{
    struct rc_column heads[1 + RC_REPLAY_MODELS] = {{.title = "after run", .right = true}};
    size_t parts = parts_of(replay->n);
    struct rc_table *table;
    int status = 0;

    for (int m = 0; m < RC_REPLAY_MODELS; m++)
        heads[1 + m] = (struct rc_column){.title = rc_answer_replay_titles[m], .right = true};
    table = rc_table_create(stdout, heads, 1 + RC_REPLAY_MODELS, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts && status == 0; i++) {
        size_t first = i * replay->n / parts, end = (i + 1) * replay->n / parts;

        rc_table_integer(table, (long long)(replay->n_training + first));
        for (int m = 0; m < RC_REPLAY_MODELS && status == 0; m++) {
            struct rc_predict_score_report report;

            status =
                rc_predict_replay_part(replay, first, end, (enum rc_replay_model)m, &report, error);
            rc_field_row(table, mean_error, &report);
        }
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : status;
}

static int print_replay(const struct rc_predict_accuracy *accuracy, struct rc_error *error)
{
    const struct rc_predict_replay *replay = &accuracy->replay;
    struct rc_table *table;

    if (replay->n == 0) {
        printf("\nReplay: none (%s)\n", accuracy->no_replay.text);
        return 0;
    }
    printf("\nReplay by %s of the runs: %zu for training, then %zu predicted\n",
           replay->by_start ? "start" : "number", replay->n_training, replay->n);
    if (replay->n_earlier)
        printf("earlier runs, left out: %zu\n", replay->n_earlier);
    puts("  single model   fitted once, after training\n"
         "  adapting list  ranked again after each run\n"
         "  default        the model of 'runcast predict', with each run added after its "
         "prediction");
    table = create_scores("model");
    if (!table)
        return rc_error_no_memory(error);
    for (int m = 0; m < RC_REPLAY_MODELS; m++)
        put_score(table, rc_answer_replay_titles[m], &replay->all[m]);
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    for (int i = 0; i < 2; i++)
        if (replay->all[i ? RC_REPLAY_DEFAULT : RC_REPLAY_LIST].n == 0)
            printf("no model by the criterion %s: %s\n", i ? "default" : "paper",
                   replay->why[i].text);
    puts("\nMAPE over time");
    return print_course(replay, error);
}

int rc_cmd_accuracy_print(const struct rc_predict_accuracy *accuracy, struct rc_error *error)
{
    if (print_history(&accuracy->history, error) || print_methods(accuracy, error) ||
        print_replay(accuracy, error))
        return -1;
    return 0;
}

/* ---- JSON ---- */

void rc_cmd_accuracy_json(const struct rc_predict_accuracy *accuracy)
{
    const struct rc_answer_accuracy answer = {*accuracy, rc_cmd_notes_json()};

    rc_cmd_print_json(rc_field_json(rc_answer_accuracy, &answer));
    json_decref(answer.notes);
}
