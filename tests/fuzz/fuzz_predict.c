/* fuzz_predict.c - any text as the model of a store, asked for a time; or as a table of runs to
 * predict. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/regression/formula.h"
#include "predict/phase_models.h"
#include "db/run_csv.h"

enum { DRAWS = 20, ROWS_MAX = 200 };

/* Whatever a model says, asking it ends, and what comes out is a time. */
static void ask(const struct rc_regression_model *model, struct rc_regression_question *question,
                struct rc_predict_load *load)
{
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_predict_summary summary;
    struct rc_regression_beyond beyond;
    struct rc_error error;
    double draws[DRAWS];

    rc_predict_load_complete(model, load);
    if (random && rc_regression_question_check(model, question, &error) == 0) {
        rc_regression_beyond(model, question, &beyond);
        rc_predict_at_load(model, question, load, random, draws, DRAWS, &summary);
        must(summary.predicted > 0 && summary.lo90 > 0 && summary.lo90 <= summary.hi90);
    }
    rc_random_destroy(random);
}

static void check_model(const char *text, size_t size)
{
    struct rc_regression_question question = {.n = 100, .p = 4, .bytes = NAN};
    struct rc_predict_load load = {.cpu = {0.5, NAN}, .bw = {NAN, NAN}};
    json_t *body = json_loadb(text, size, 0, NULL);
    struct rc_error error;
    struct rc_regression_model *model = rc_regression_model_from_json(body, &error);
    char *formula;

    if (model) {
        must(model->n_members >= 1);
        for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
            question.params[i] = 2;
        ask(model, &question, &load);
        formula = rc_regression_formula(model, &model->members[0]);
        free(formula);
        json_decref(rc_regression_model_to_json(model));
    }
    rc_regression_model_destroy(model);
    json_decref(body);
}

/* The same for models of phases and processes. */
static void check_parts(const char *text, size_t size)
{
    struct rc_random *random = rc_random_create(1, 0);
    json_t *body = json_loadb(text, size, 0, NULL);
    struct rc_predict_parts asked = {0};
    struct rc_predict_summary summary;
    struct rc_error error;
    struct rc_regression_parts *parts = rc_regression_parts_from_json(body, &error);
    double draws[DRAWS];
    struct rc_question question;

    rc_predict_question_init(&question, "app");
    question.size = 100;
    question.procs = 4;
    if (parts && random && rc_predict_parts_ask(parts, &question, &asked, &error) == 0) {
        rc_predict_parts_at_load(&asked, random, draws, DRAWS, &summary);
        must(summary.predicted > 0 && summary.lo90 > 0 && summary.lo90 <= summary.hi90);
    }
    if (parts)
        json_decref(rc_regression_parts_to_json(parts));
    rc_predict_parts_free(&asked);
    rc_regression_parts_destroy(parts);
    rc_random_destroy(random);
    json_decref(body);
}

struct source {
    const char *text;
    size_t left;
};

static ptrdiff_t read_some(void *data, char *buffer, size_t size)
{
    struct source *source = data;
    size_t n = source->left < size ? source->left : size;

    memcpy(buffer, source->text, n);
    source->text += n;
    source->left -= n;
    return (ptrdiff_t)n;
}

static void check_table(const char *text, size_t size)
{
    struct source source = {text, size};
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){read_some, &source}, "fuzz");
    struct rc_run_table *table = NULL;
    struct rc_csv_row row;
    struct rc_error error;
    struct rc_run run;

    if (csv && rc_csv_next(csv, &row, &error) > 0)
        table = rc_db_run_table_create_asked(&row, "fuzz", "md", &error);
    for (int i = 0; table && i < ROWS_MAX && rc_csv_next(csv, &row, &error) > 0; i++)
        if (rc_db_run_table_row(table, &row, &run, &error) == 0)
            must(strcmp(run.app, "md") == 0 && run.n > 0 && run.p >= 1 &&
                 (isnan(run.seconds) || run.seconds > 0));
    rc_db_run_table_destroy(table);
    rc_csv_destroy(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    if (!text)
        return 0;
    check_model(text, size);
    check_parts(text, size);
    check_table(text, size);
    free(text);
    return 0;
}
