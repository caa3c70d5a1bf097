// SPDX-License-Identifier: GPL-3.0-or-later
/* csv.c - 'runcast predict --input': a prediction for each row of a table.
 *
 * The table is read twice, as for an import: first to find all faults, then to predict.  Rows go
 * through a temporary file, so the output appears only when all rows are predicted, and memory does not
 * grow with them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer/accuracy_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/core/hints.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/predict/predict.h"
#include "base/clock.h"
#include "predict/prediction_score.h"
#include "db/run_csv.h"
#include "db/csv_reader.h"

static const char *const added[] = {"predicted_s", "low_s", "high_s"};
enum { N_ADDED = sizeof added / sizeof *added };

struct table {
    const struct rc_cmd_predict_options *options;
    struct rc_predictor *predictor;
    struct rc_question question; /* what all rows share */
    struct rc_table_reader reader;
    struct rc_run_table *columns;
    FILE *out;
    struct rc_score score;
    uint64_t rows;
};

/* ---- writing ---- */

static void put_text(FILE *out, const struct rc_csv_field *field)
{
    const char *text = field->text;

    /* A quoted field may mean something else without quotes. */
    if (!field->quoted && !strpbrk(text, ",\"\r\n")) {
        fwrite(text, 1, field->length, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_row(const struct table *table, const struct rc_csv_row *row, const double *numbers)
{
    for (size_t i = 0; i < row->n_fields; i++) {
        put_text(table->out, &row->fields[i]);
        fputc(',', table->out);
    }
    for (size_t i = 0; i < N_ADDED; i++) {
        char text[RC_NUMBER_SIZE];

        if (numbers)
            rc_number_format_short(numbers[i], 7, text);
        fprintf(table->out, "%s%s", i ? "," : "", numbers ? text : added[i]);
    }
    fputc('\n', table->out);
}

/* ---- rows ---- */

static int meet_header(void *data, const struct rc_csv_row *row, struct rc_error *error)
{
    struct table *table = data;

    for (size_t i = 0; i < row->n_fields; i++)
        for (size_t j = 0; j < N_ADDED; j++)
            if (strcasecmp(row->fields[i].text, added[j]) == 0)
                return rc_error_at(error, table->reader.input.name, row->fields[i].line,
                                   row->fields[i].column, "the table already has a column '%s'",
                                   added[j]);
    table->columns =
        rc_db_run_table_create_asked(row, table->reader.input.name, table->options->app, error);
    return table->columns ? 0 : -1;
}

/* The question of a row.  If the row has a load, the prediction is for that load. */
static void ask_row(const struct table *table, const struct rc_run *run,
                    struct rc_question *question)
{
    *question = table->question;
    question->size = run->n;
    question->procs = run->p;
    question->params = run->params;
    question->n_params = run->n_params;
    question->bytes_read = run->bytes_read;
    question->bytes_written = run->bytes_written;
    question->given =
        (struct rc_given_load){run->cpu_minavg, run->cpu_avgmin, run->bw_minavg, run->bw_avgmin};
    if (!isnan(run->start))
        question->start = run->start;
}

/* RC_ROW_BAD, with the place and the reason, if no method can answer. */
static enum rc_row_result predict(struct table *table, const struct rc_csv_row *row,
                                  const struct rc_run *run, struct rc_predict_summary *summary,
                                  struct rc_error *error)
{
    struct rc_predict_answer answer;
    struct rc_question question;
    struct rc_hostlist hosts = {0};
    int status = 0;

    ask_row(table, run, &question);
    if (run->hosts[0])
        status = rc_platform_hostlist_expand(run->hosts, strlen(run->hosts),
                                             RC_HOST_FORECAST_HOSTS_MAX, &hosts, error);
    question.hosts = (const char *const *)hosts.names;
    question.n_hosts = hosts.count;
    if (status == 0)
        status = rc_predict_ask(table->predictor, &question, &answer, error);
    rc_platform_hostlist_free(&hosts);
    if (status)
        return RC_ROW_FAILED;
    if (answer.answered == 0) {
        const struct rc_error *why = &answer.methods[answer.nearest].why;
        char text[RC_HINT_SIZE];

        rc_error_at(error, table->reader.input.name, row->line, 1, "%.400s",
                    rc_cmd_error_text(why, text));
        return RC_ROW_BAD;
    }
    *summary = answer.summary;
    return RC_ROW_GOOD;
}

static enum rc_row_result predict_row(struct table *table, const struct rc_csv_row *row,
                                      const struct rc_run *run, struct rc_error *error)
{
    bool scored = run->seconds > 0 && run->status == RC_RUN_OK;
    struct rc_predict_summary summary;
    enum rc_row_result result = predict(table, row, run, &summary, error);

    if (result == RC_ROW_BAD)
        rc_db_table_reader_fault(&table->reader, error);
    if (result != RC_ROW_GOOD)
        return result == RC_ROW_BAD ? RC_ROW_GOOD : result; /* later rows may be bad as well */
    put_row(table, row, (double[]){summary.predicted, summary.lo90, summary.hi90});
    table->rows++;
    if (scored)
        rc_predict_score_add(&table->score, summary.predicted, summary.lo90, summary.hi90,
                             run->seconds);
    if (scored && table->options->learn && rc_predict_learn(table->predictor, run, error))
        return RC_ROW_FAILED;
    return RC_ROW_GOOD;
}

static bool is_heading(void *data, const char *text)
{
    (void)data;
    return rc_db_run_table_knows(&(struct rc_run_table_options){0}, text);
}

static enum rc_row_result meet_row(void *data, const struct rc_csv_row *row, bool storing,
                                   struct rc_error *error)
{
    struct table *table = data;
    struct rc_run run;

    if (rc_db_run_table_row(table->columns, row, &run, error))
        return RC_ROW_BAD;
    return storing ? predict_row(table, row, &run, error) : RC_ROW_GOOD;
}

/* The second reading begins with the header, which the reader passes over. */
static int put_header(struct table *table, struct rc_error *error)
{
    struct rc_csv *csv = rc_db_table_reader_csv(&table->reader);
    struct rc_csv_row row;
    int got = csv ? rc_csv_next(csv, &row, error) : rc_error_no_memory(error);

    if (got > 0)
        put_row(table, &row, NULL);
    rc_csv_destroy(csv);
    return got > 0 ? 0 : -1;
}

/* The first fault, as an error of the whole table; 0: there is none. */
static int check_faults(const struct table *table, struct rc_error *error)
{
    const struct rc_table_reader *reader = &table->reader;

    if (reader->n_faults == 0)
        return 0;
    *error = reader->first_fault;
    if (!error->hint[0] && reader->n_faults > 1)
        rc_error_hint(error, "%llu more rows have errors; nothing was predicted",
                      (unsigned long long)reader->n_faults - 1);
    return -1;
}

static void note_synonyms(void *data, const struct rc_error *what)
{
    (void)data;
    rc_cmd_note_error(what);
}

static int read_table(struct table *table, struct rc_error *error)
{
    struct rc_table_reader *reader = &table->reader;

    if (rc_db_table_reader_look(reader, error))
        return -1;
    if (reader->separator_note.text[0])
        rc_cmd_note_error(&reader->separator_note);
    if (rc_db_run_table_settle(table->columns, error))
        rc_db_table_reader_fault(reader, error);
    rc_db_run_table_describe_synonyms(table->columns, note_synonyms, NULL);
    return check_faults(table, error) || rc_db_input_rewind(&reader->input, error) ||
                   put_header(table, error) || rc_db_table_reader_store(reader, error)
               ? -1
               : check_faults(table, error);
}

/* ---- the file ---- */

/* A temporary file in the same directory, so that the output appears as a whole. */
static FILE *open_beside(const char *path, char *temporary, size_t size, struct rc_error *error)
{
    int length = snprintf(temporary, size, "%s.XXXXXX", path), file;
    mode_t mask = umask(0);
    FILE *out;

    umask(mask);
    if (length < 0 || (size_t)length >= size) {
        rc_error_set(error, "the path is too long");
        return NULL;
    }
    file = mkstemp(temporary);
    out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) {
        rc_error_errno(error, errno, "cannot write to the directory of %s", path);
        temporary[0] = '\0';
        return NULL;
    }
    fchmod(file, 0666 & ~mask);
    return out;
}

/* Copies a temporary file to standard output. */
static int copy_out(FILE *from, struct rc_error *error)
{
    char block[1 << 16];
    size_t n;

    rewind(from);
    while ((n = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, n, stdout);
    return ferror(from) ? rc_error_errno(error, errno, "cannot read a temporary file") : 0;
}

/* Renames the temporary file, or removes it. */
static int finish_file(FILE *out, const char *temporary, const char *path, int status,
                       struct rc_error *error)
{
    if (out && (fflush(out) || ferror(out)) && status == 0)
        status = rc_error_errno(error, errno, "cannot write %s", path);
    if (out && fclose(out) && status == 0)
        status = rc_error_errno(error, errno, "cannot write %s", path);
    if (status == 0 && rename(temporary, path))
        status = rc_error_errno(error, errno, "cannot create %s", path);
    if (status && temporary[0])
        unlink(temporary);
    return status;
}

/* ---- accuracy ---- */

/* As a percentage; "-" if unknown or too large for a number. */
static const char *percent(double fraction, char text[RC_NUMBER_SIZE])
{
    double value = 100 * fraction;

    if (!isfinite(value))
        return "-";
    snprintf(text, RC_NUMBER_SIZE, value < 1e6 ? "%.1f %%" : "%.3g %%", value);
    return text;
}

static void report(const struct table *table)
{
    const struct rc_cmd_predict_options *options = table->options;
    char mape[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE], p90[RC_NUMBER_SIZE], covered[RC_NUMBER_SIZE];
    struct rc_answer_table answer = {.rows = table->rows};
    const struct rc_predict_score_report *score = &answer.score;
    json_t *object;

    rc_predict_score_report(&table->score, &answer.score);
    fflush(stdout); /* the rows come first */
    if (!options->json) {
        fprintf(stderr, "rows predicted: %llu\n", (unsigned long long)table->rows);
        if (score->n > 0)
            fprintf(stderr,
                    "rows with a run time: %llu\n"
                    "MAPE: %s (standard deviation %s, P90 %s)\n"
                    "coverage of the 90 %% intervals: %s\n",
                    (unsigned long long)score->n, percent(score->mean, mape),
                    percent(score->sd, sd), percent(score->p90, p90),
                    percent(score->held, covered));
        return;
    }
    answer.notes = rc_cmd_notes_json();
    rc_cmd_set_schema("predict input");
    object = rc_cmd_document(rc_field_json(rc_answer_table, &answer));
    rc_json_write(options->output ? stdout : stderr, object, options->output != NULL);
    json_decref(object);
    json_decref(answer.notes);
}

/* ---- the command ---- */

static int prepare(struct table *table, struct rc_db *db, const struct rc_platform *platform,
                   enum rc_regression_criterion criterion, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = table->options;
    struct rc_clock *clock = rc_clock_system();
    struct rc_predict_options wanted;
    const struct rc_predict_source *runs;

    rc_predict_question_init(&table->question, options->app);
    table->question.platform = options->platform;
    table->question.platform_file = platform;
    table->question.start = isnan(options->at) ? clock->wall(clock) : options->at;
    table->question.seed = (uint64_t)options->seed;
    rc_predict_options_init(&wanted);
    wanted.criterion = criterion;
    if (criterion != RC_REGRESSION_DEFAULT || strcmp(options->method, "regression") == 0)
        wanted.methods = 1U << RC_METHOD_REGRESSION;
    if (options->samples)
        wanted.samples = (size_t)options->samples;
    table->predictor = rc_predict_open(db, &table->question, &wanted, error);
    if (!table->predictor)
        return -1;
    if (rc_predict_open_models(table->predictor) == 0) {
        *error = *rc_predict_unavailable(table->predictor, RC_METHOD_REGRESSION);
        return -1;
    }
    runs = rc_predict_runs(table->predictor);
    if (runs) {
        rc_cmd_note_hosts_apart(&runs->hosts);
        rc_cmd_note_elsewhere(runs);
    }
    return rc_predict_score_begin(&table->score, error);
}

static int predict_table(struct table *table, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = table->options;
    char temporary[4096] = "";
    int status = rc_db_table_reader_open(&table->reader, options->input, &work->monitor, error);

    table->reader.header = meet_header;
    table->reader.row = meet_row;
    table->reader.is_heading = is_heading;
    table->reader.data = table;
    if (status == 0) {
        table->out = options->output
                         ? open_beside(options->output, temporary, sizeof temporary, error)
                         : tmpfile();
        status = table->out        ? 0
                 : options->output ? -1
                                   : rc_error_errno(error, errno, "cannot create a temporary file");
    }
    if (status == 0)
        status = read_table(table, error);
    if (options->output)
        status = finish_file(table->out, temporary, options->output, status, error);
    else if (table->out) {
        status = status ? status : copy_out(table->out, error);
        fclose(table->out);
    }
    rc_db_input_close(&table->reader.input);
    return status;
}

int rc_cmd_predict_csv(const struct rc_cmd_predict_options *options,
                       const struct rc_platform *platform, enum rc_regression_criterion criterion)
{
    struct table table = {.options = options};
    struct rc_cmd_work work;
    struct rc_db *db;
    struct rc_error error;
    int status = -1;

    rc_cmd_work_begin(&work, "predicting");
    db = rc_cmd_open_db(options->db, RC_DB_READ, &work);
    if (db) {
        status = prepare(&table, db, platform, criterion, &error);
        if (status == 0)
            status = predict_table(&table, &work, &error);
    }
    rc_cmd_work_end(&work);
    if (db && status)
        rc_cmd_fail(&error, "predicting %s for the rows of %s", options->app, options->input);
    else if (db)
        report(&table);
    rc_predict_close(table.predictor);
    rc_db_close(db);
    rc_db_run_table_destroy(table.columns);
    rc_predict_score_free(&table.score);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}
