// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.c - the terms of Eq. 2 with their numbers, for people and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/slowdown.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/slowdown_value.h"

enum { ROWS_SHOWN = 20, EQUATION_MAX = 4000 };
#define NEVER 1e-12 /* a probability that is not shown */

/* ---- both ways ---- */

const char *const rc_cmd_slowdown_methods[] = {"paper", "queue", "contest"};

/* Which --model knows of weights. */
static void hint_model(const struct rc_cmd_slowdown *slowdown, struct rc_error *error)
{
    const struct rc_local_host *host = &slowdown->host;

    if (!slowdown->model_given || rc_slowdown_local_equal_turns(host))
        return;
    if (host->cores > 1 || host->shared_link)
        rc_error_hint(error, "leave out --model: then it is played out");
    else
        rc_error_hint(error, "--model queue knows of weights; without --model it is taken");
}

int rc_cmd_slowdown_both(struct rc_cmd_slowdown *slowdown, struct rc_cmd_both *both)
{
    struct rc_error error = {0}, why = {0};
    int status;

    *both = (struct rc_cmd_both){0};
    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        if (rc_slowdown_local_compute(&slowdown->host, (enum rc_local_model)model,
                                      &both->models[model], &why))
            both->models[model] = (struct rc_local){.slowdown = NAN};
    both->method = slowdown->model == RC_LOCAL_PAPER ? RC_LOCAL_BY_PAPER : RC_LOCAL_BY_QUEUE;
    if (slowdown->model_given) /* and no other */
        status = rc_slowdown_local_compute(&slowdown->host, slowdown->model, &both->answer, &error);
    else
        status = rc_slowdown_local_find(&slowdown->host, slowdown->model, &both->answer,
                                        &both->method, &error);
    if (status) {
        rc_cmd_slowdown_both_free(both);
        hint_model(slowdown, &error);
        return rc_cmd_fail(&error, "reckoning the slowdown");
    }
    if (isnan(both->models[RC_LOCAL_QUEUE].slowdown) && both->method == RC_LOCAL_BY_PAPER)
        rc_cmd_note("what the queue says is not known: %s", why.text);
    rc_cmd_note_delay(slowdown->host.delay, both->answer.notes);
    return RC_EXIT_OK;
}

void rc_cmd_slowdown_both_free(struct rc_cmd_both *both)
{
    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        rc_slowdown_local_free(&both->models[model]);
    rc_slowdown_local_free(&both->answer);
}

/* ---- the equation ---- */

static void add_number(struct rc_buffer *line, const char *before, double value)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, 3, number);
    rc_buffer_printf(line, "%s%s", before, number);
}

static void add_named(struct rc_buffer *line, double value, const char *name)
{
    add_number(line, " + ", value);
    rc_buffer_printf(line, " (%s)", name);
}

/* A probability times what it costs. */
struct product {
    double p, each;
};

/* The products of a sum; those of equal cost stand together.  Returns how many; 0 where there are
 * too many to show, or none. */
static size_t find_products(const struct rc_activity *activity,
                            double (*cost)(const void *data, size_t i), const void *data,
                            struct product products[ROWS_SHOWN])
{
    double together = 0;
    size_t n = 0;

    for (size_t i = activity->n > ROWS_SHOWN ? 0 : activity->n; i >= 1; i--) {
        double p = activity->p[i] + together, each = cost(data, i);

        if (!(p > NEVER))
            continue;
        together = i > 1 && cost(data, i - 1) == each ? p : 0;
        if (together == 0)
            products[n++] = (struct product){p, each};
    }
    return n;
}

/* A long sum is reported as one number. */
static void add_sum(struct rc_buffer *line, const struct rc_activity *activity, double whole,
                    const char *name, double (*cost)(const void *data, size_t i), const void *data)
{
    struct product products[ROWS_SHOWN];
    size_t n = find_products(activity, cost, data, products);

    if (activity->n > ROWS_SHOWN)
        add_named(line, whole, name);
    for (size_t i = 0; i < n; i++) {
        add_number(line, " + ", products[i].p);
        add_number(line, " x ", products[i].each);
    }
}

static double cost_of_computing(const void *data, size_t i)
{
    return rc_slowdown_local_added(data, (double)i);
}

static double cost_of_communicating(const void *data, size_t i)
{
    return ((const struct rc_local *)data)->delays[i];
}

/* The equation with its numbers. */
static void write_equation(const struct rc_local_host *host, const struct rc_local *local,
                           enum rc_local_model model, struct rc_buffer *line)
{
    rc_buffer_add_text(line, "1");
    if (model == RC_LOCAL_PAPER)
        add_sum(line, &local->computing, local->by_computing, "computing", cost_of_computing, host);
    else
        add_named(line, local->by_computing, "computing");
    if (local->by_communicating > 0)
        add_sum(line, &local->communicating, local->by_communicating, "communicating",
                cost_of_communicating, local);
    if (local->by_memory > 0)
        add_named(line, local->by_memory, "memory");
    add_number(line, " = ", local->slowdown);
}

static const char *const equations[] = {"Eq. 2", "queue"}; /* by enum rc_local_model */

static void print_equation(const struct rc_local_host *host, const struct rc_local *local,
                           enum rc_local_model model)
{
    struct rc_buffer line = RC_BUFFER_INIT(EQUATION_MAX);

    write_equation(host, local, model, &line);
    printf("%s: %s\n", equations[model], line.data ? line.data : "");
    rc_buffer_free(&line);
}

static int print_terms(const struct rc_local_host *host, const struct rc_local *local,
                       struct rc_error *error)
{
    struct rc_answer_term terms[ROWS_SHOWN + 1];

    for (size_t i = 0; i <= local->computing.n; i++)
        terms[i] = rc_answer_term_of(host, local, i);
    if (rc_field_table(stdout, rc_answer_term, terms, local->computing.n + 1, sizeof *terms,
                       rc_cmd_width(), error))
        return -1;
    printf("i: so many competitors at once; pp: probability that they compute, and what that adds; "
           "pm: that they communicate, and the delay\n");
    return 0;
}

int rc_cmd_slowdown_explain(const struct rc_cmd_slowdown *slowdown, const struct rc_cmd_both *both,
                            struct rc_error *error)
{
    const struct rc_local_host *host = &slowdown->host;
    char rate[RC_UNIT_SIZE];

    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        if (!isnan(both->models[model].slowdown))
            print_equation(host, &both->models[model], (enum rc_local_model)model);
    if (!isnan(host->bandwidth)) {
        rc_unit_format(host->bandwidth, RC_RATE, rate);
        printf("k = %s\n", rate);
    }
    if (host->n_competitors == 0)
        return 0;
    if (host->n_competitors <= ROWS_SHOWN)
        return print_terms(host, &both->answer, error);
    printf("the probabilities of up to %zu at once are in the answer of --json\n",
           host->n_competitors);
    return 0;
}

/* ---- JSON ---- */

struct rc_answer_local rc_cmd_slowdown_answer(const struct rc_cmd_slowdown *slowdown,
                                              const struct rc_cmd_both *both, bool whole)
{
    return (struct rc_answer_local){.model = whole ? rc_cmd_slowdown_methods[both->method] : NULL,
                                    .paper = both->models[RC_LOCAL_PAPER].slowdown,
                                    .queue = both->models[RC_LOCAL_QUEUE].slowdown,
                                    .cores_from = rc_cmd_slowdown_cores[slowdown->cores_from],
                                    .host = slowdown->host,
                                    .local = both->answer};
}

json_t *rc_cmd_equation_json(const char *name, const char *text, double value)
{
    json_t *object = json_object();

    rc_json_set(object, "name", rc_json_text(name));
    rc_json_set(object, "text", rc_json_text(text));
    rc_json_set(object, "value", rc_json_number(value));
    return object;
}

static void append_term(json_t *terms, const char *by, double adds)
{
    json_t *term = json_object();

    rc_json_set(term, "by", rc_json_text(by));
    rc_json_set(term, "adds", rc_json_number(adds));
    json_array_append_new(terms, term);
}

static void append_sum(json_t *terms, const struct rc_activity *activity, double whole,
                       const char *by, double (*cost)(const void *data, size_t i), const void *data)
{
    struct product products[ROWS_SHOWN];
    size_t n = find_products(activity, cost, data, products);

    if (activity->n > ROWS_SHOWN)
        append_term(terms, by, whole);
    for (size_t i = 0; i < n; i++) {
        json_t *term;

        append_term(terms, by, products[i].p * products[i].each);
        term = json_array_get(terms, json_array_size(terms) - 1);
        rc_json_set(term, "p", rc_json_number(products[i].p));
        rc_json_set(term, "times", rc_json_number(products[i].each));
    }
}

/* What is added to 1, in the order of the text. */
static json_t *equation_terms(const struct rc_local_host *host, const struct rc_local *local,
                              enum rc_local_model model)
{
    json_t *terms = json_array();

    if (model == RC_LOCAL_PAPER)
        append_sum(terms, &local->computing, local->by_computing, "computing", cost_of_computing,
                   host);
    else
        append_term(terms, "computing", local->by_computing);
    if (local->by_communicating > 0)
        append_sum(terms, &local->communicating, local->by_communicating, "communicating",
                   cost_of_communicating, local);
    if (local->by_memory > 0)
        append_term(terms, "memory", local->by_memory);
    return terms;
}

json_t *rc_cmd_slowdown_equations_json(const struct rc_cmd_slowdown *slowdown,
                                       const struct rc_cmd_both *both)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_LOCAL_MODELS; i++) {
        enum rc_local_model model = (enum rc_local_model)i;
        const struct rc_local *local = &both->models[model];
        struct rc_buffer line = RC_BUFFER_INIT(EQUATION_MAX);
        json_t *equation;

        if (isnan(local->slowdown))
            continue;
        write_equation(&slowdown->host, local, model, &line);
        equation =
            rc_cmd_equation_json(equations[model], line.data ? line.data : "", local->slowdown);
        rc_json_set(equation, "terms", equation_terms(&slowdown->host, local, model));
        json_array_append_new(list, equation);
        rc_buffer_free(&line);
    }
    return list;
}
