// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_csv.c - 'runcast predict --csv': every row of a table, predicted.
 *
 * The table is read twice, as for an import: once to find every fault, so that nothing is written
 * where there is one, and once to predict.  Rows pass through; memory does not grow with them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/core/notes.h"
#include "cmd/predict/predict.h"
#include "predict/score.h"
#include "db/run_table.h"
#include "db/table_reader.h"

enum { ROW_DRAWS = 400 };

static const char *const added[] = {"predicted", "lo90", "hi90"};
enum { N_ADDED = sizeof added / sizeof *added };

struct table {
    const struct rc_cmd_predict_options *options;
    const struct rc_platform *platform; /* NULL: no file was named */
    const struct rc_regression_model *model;
    const struct rc_regression_speeds *speeds;
    struct rc_regression_learner *learner; /* NULL: the model stays as it is */
    struct rc_regression_table one; /* a row on its way to the learner; names are the model's */
    struct rc_table_reader reader;
    struct rc_run_table *columns;
    FILE *out;
    struct rc_random *random;
    double *draws;
    size_t n_draws;
    struct rc_score score;
    uint64_t rows;
};

/* ---- writing ---- */

static void put_text(FILE *out, const struct rc_csv_field *field)
{
    const char *text = field->text;

    /* What was quoted may mean something else without. */
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
                                   row->fields[i].column, "there is a column '%s' already",
                                   added[j]);
    table->columns =
        rc_db_run_table_create_asked(row, table->reader.input.name, table->options->app, error);
    return table->columns ? 0 : -1;
}

static int learn(struct table *table, const struct rc_run *run, struct rc_error *error)
{
    table->one.n_runs = 0;
    if (rc_regression_table_add(&table->one, run, error))
        return -1;
    rc_regression_speeds_scale(table->speeds, NULL, run, table->one.runs[0].cpu);
    return rc_regression_learner_add(table->learner, &table->one.runs[0], error);
}

static enum rc_row_result predict_row(struct table *table, const struct rc_csv_row *row,
                                      const struct rc_run *run, struct rc_error *error)
{
    const struct rc_regression_model *model =
        table->learner ? rc_regression_learner_model(table->learner) : table->model;
    bool scored = run->seconds > 0 && run->status == RC_RUN_OK;
    struct rc_predict_summary summary;
    struct rc_regression_question question;
    struct rc_predict_load load;

    rc_predict_run(model, run, &question, &load);
    rc_predict_load_complete(model, &load);
    rc_regression_speeds_scale(table->speeds, NULL, run, load.cpu);
    rc_predict_at_load(model, &question, &load, table->random, table->draws, table->n_draws,
                       &summary);
    put_row(table, row, (double[]){summary.predicted, summary.lo90, summary.hi90});
    table->rows++;
    if (scored)
        rc_predict_score_add(&table->score, summary.predicted, summary.lo90, summary.hi90,
                             run->seconds);
    if (scored && table->learner && learn(table, run, error))
        return RC_ROW_FAILED;
    return RC_ROW_GOOD;
}

static enum rc_row_result meet_row(void *data, const struct rc_csv_row *row, bool storing,
                                   struct rc_error *error)
{
    struct table *table = data;
    struct rc_regression_question question;
    struct rc_predict_load load;
    struct rc_error why;
    struct rc_run run;

    if (rc_db_run_table_row(table->columns, row, &run, error))
        return RC_ROW_BAD;
    if (storing)
        return predict_row(table, row, &run, error);
    rc_predict_run(table->model, &run, &question, &load);
    if (rc_regression_question_check(table->model, &question, &why) == 0)
        return RC_ROW_GOOD;
    rc_error_at(error, table->reader.input.name, row->line, 1, "%.400s", why.text);
    return RC_ROW_BAD;
}

/* The second reading begins with the header, which the reader passes over. */
static int put_header(struct table *table, struct rc_error *error)
{
    struct rc_csv *csv =
        rc_csv_create(rc_db_input_source(&table->reader.input), table->reader.input.name);
    struct rc_csv_row row;
    int got = csv ? rc_csv_next(csv, &row, error) : rc_error_no_memory(error);

    if (got > 0)
        put_row(table, &row, NULL);
    rc_csv_destroy(csv);
    return got > 0 ? 0 : -1;
}

static int read_table(struct table *table, struct rc_error *error)
{
    struct rc_table_reader *reader = &table->reader;

    if (rc_db_table_reader_look(reader, error))
        return -1;
    if (rc_db_run_table_settle(table->columns, error))
        rc_db_table_reader_fault(reader, error);
    if (reader->n_faults > 0) {
        *error = reader->first_fault;
        if (!error->hint[0] && reader->n_faults > 1)
            rc_error_hint(error, "%llu more rows are bad; nothing was predicted",
                          (unsigned long long)reader->n_faults - 1);
        return -1;
    }
    return rc_db_input_rewind(&reader->input, error) || put_header(table, error) ||
                   rc_db_table_reader_store(reader, error)
               ? -1
               : 0;
}

/* ---- the file ---- */

/* A name beside the file that is wanted, so that it appears as a whole. */
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
        rc_error_errno(error, errno, "cannot write beside %s", path);
        temporary[0] = '\0';
        return NULL;
    }
    fchmod(file, 0666 & ~mask);
    return out;
}

/* Puts it in its place, or takes it away again. */
static int finish_file(FILE *out, const char *temporary, const char *path, int status,
                       struct rc_error *error)
{
    if (out && (fflush(out) || ferror(out)) && status == 0)
        status = rc_error_errno(error, errno, "cannot write %s", path);
    if (out && fclose(out) && status == 0)
        status = rc_error_errno(error, errno, "cannot write %s", path);
    if (status == 0 && rename(temporary, path))
        status = rc_error_errno(error, errno, "cannot make %s", path);
    if (status && temporary[0])
        unlink(temporary);
    return status;
}

/* ---- how good it was ---- */

/* The spread of one error is not known, and that of huge ones has no number. */
static const char *percent(double value, char text[RC_NUMBER_SIZE])
{
    if (!isfinite(value))
        return "-";
    snprintf(text, RC_NUMBER_SIZE, value < 1e6 ? "%.1f" : "%.3g", value);
    return text;
}

static void report(const struct table *table)
{
    const struct rc_cmd_predict_options *options = table->options;
    char mean[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE], p90[RC_NUMBER_SIZE];
    struct rc_predict_score_report score;
    json_t *object;

    rc_predict_score_report(&table->score, &score);
    if (!options->json) {
        fprintf(stderr, "%llu row%s predicted", (unsigned long long)table->rows,
                table->rows == 1 ? "" : "s");
        if (score.n > 0)
            fprintf(stderr,
                    "; of %llu with seconds: error %s %% on average, standard deviation %s, "
                    "90th percentile %s; %.0f %% of the 90 %% intervals held",
                    (unsigned long long)score.n, percent(score.mean, mean), percent(score.sd, sd),
                    percent(score.p90, p90), 100 * score.held);
        fputc('\n', stderr);
        return;
    }
    object = json_object();
    rc_json_set(object, "rows", json_integer((json_int_t)table->rows));
    rc_json_set(object, "scored", json_integer((json_int_t)score.n));
    rc_json_set(object, "mean", rc_json_number(score.mean));
    rc_json_set(object, "sd", rc_json_number(score.sd));
    rc_json_set(object, "p90", rc_json_number(score.p90));
    rc_json_set(object, "under_30", rc_json_number(score.under_30));
    rc_json_set(object, "coverage", rc_json_number(score.held));
    rc_json_set(object, "width", rc_json_number(score.width));
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(options->out ? stdout : stderr, object, options->out != NULL);
    json_decref(object);
}

/* ---- the command ---- */

static int open_model(const struct table *table, struct rc_db *store,
                      struct rc_predict_source *source, enum rc_regression_criterion criterion,
                      struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = table->options;
    struct rc_regression_speeds speeds;
    int status = rc_predict_speeds(store, table->platform, options->platform, &speeds, error);

    if (status == 0)
        status = rc_predict_source_near(store, options->app, options->platform, &speeds, criterion,
                                        false, source, error);
    rc_regression_speeds_free(&speeds);
    if (status == 0)
        rc_cmd_note_hosts_apart(&source->hosts);
    return status;
}

static int prepare(struct table *table, struct rc_db *store, struct rc_predict_source *source,
                   enum rc_regression_criterion criterion, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = table->options;

    if (open_model(table, store, source, criterion, error))
        return -1;
    rc_cmd_note_elsewhere(source);
    table->model = source->model;
    table->speeds = &source->hosts.speeds;
    for (size_t i = 0; i < source->model->n_params; i++)
        table->one.params[i] = source->model->params[i];
    table->one.n_params = source->model->n_params;
    if (options->learn &&
        !(table->learner = rc_predict_learner(store, options->app,
                                              rc_predict_source_platform(source, options->platform),
                                              source, error)))
        return -1;
    table->n_draws = options->draws ? (size_t)options->draws : ROW_DRAWS;
    table->draws = calloc(table->n_draws, sizeof *table->draws);
    table->random = rc_random_create((uint64_t)options->seed, 0);
    if (!table->draws || !table->random)
        return rc_error_no_memory(error);
    return rc_predict_score_begin(&table->score, error);
}

static int predict_table(struct table *table, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = table->options;
    char temporary[4096] = "";
    int status = rc_db_table_reader_open(&table->reader, options->csv, &work->monitor, error);

    table->reader.header = meet_header;
    table->reader.row = meet_row;
    table->reader.data = table;
    table->out = stdout;
    if (status == 0 && options->out) {
        table->out = open_beside(options->out, temporary, sizeof temporary, error);
        status = table->out ? 0 : -1;
    }
    if (status == 0)
        status = read_table(table, error);
    if (options->out)
        status = finish_file(table->out, temporary, options->out, status, error);
    rc_db_input_close(&table->reader.input);
    return status;
}

int rc_cmd_predict_csv(const struct rc_cmd_predict_options *options,
                       const struct rc_platform *platform, enum rc_regression_criterion criterion)
{
    struct table table = {.options = options, .platform = platform};
    struct rc_predict_source source = {0};
    struct rc_cmd_work work;
    struct rc_db *store;
    struct rc_error error;
    int status = -1;

    rc_cmd_work_begin(&work, "predicting");
    store = rc_cmd_open_db(options->db, RC_DB_READ, &work);
    if (store) {
        status = prepare(&table, store, &source, criterion, &error);
        if (status == 0)
            status = predict_table(&table, &work, &error);
        rc_db_close(store);
        rc_cmd_work_end(&work);
        if (status)
            rc_cmd_fail(&error, "predicting %s for the rows of %s", options->app, options->csv);
        else
            report(&table);
    } else {
        rc_cmd_work_end(&work);
    }
    rc_db_run_table_destroy(table.columns);
    rc_regression_learner_destroy(table.learner);
    free(table.one.runs);
    rc_predict_score_free(&table.score);
    rc_random_destroy(table.random);
    free(table.draws);
    rc_predict_source_free(&source);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}
