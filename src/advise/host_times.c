// SPDX-License-Identifier: GPL-3.0-or-later
/* host_times.c - what the same share of a run takes on each host. */
#include "advise/host_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "structure/registry.h"
#include "structure/binding.h"

/* ---- by a structural model ---- */

static const double little = 1e-3; /* of a core: less than hosts differ by */

struct questions {
    const struct rc_host_times *asked;
    struct rc_store *store;
    struct rc_structure structure;
    const char *load;   /* the input that says what is free of a host's CPU */
    char **assignments; /* of the parameters, then one for each host */
    size_t n_params;
};

static const char *find_load(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (item->kind == RC_ITEM_INPUT && item->n_parameters == 1 && item->metric &&
            strcmp(item->metric, "cpu") == 0 &&
            (item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST))
            return item->name;
    }
    return NULL;
}

static bool has_input(const struct rc_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].kind == RC_ITEM_INPUT && model->items[i].n_parameters == 0 &&
            strcmp(model->items[i].name, name) == 0)
            return true;
    return false;
}

static int assign(struct questions *questions, size_t place, const char *name, const char *host,
                  double value, struct rc_error *error)
{
    char number[RC_NUMBER_SIZE], *text = NULL;

    rc_number_format(value, number);
    if (asprintf(&text, host ? "%s[%s]=%s" : "%s%s=%s", name, host ? host : "", number) < 0)
        return rc_error_no_memory(error);
    free(questions->assignments[place]);
    questions->assignments[place] = text;
    return 0;
}

static int assign_all(struct questions *questions, struct rc_error *error)
{
    const struct rc_host_times *asked = questions->asked;

    questions->assignments = calloc(asked->n_params + asked->n_hosts + 1,
                                    sizeof *questions->assignments);
    if (!questions->assignments)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < asked->n_params; i++)
        if (has_input(questions->structure.model, asked->params[i].name) &&
            assign(questions, questions->n_params++, asked->params[i].name, NULL,
                   asked->params[i].value, error))
            return -1;
    for (size_t h = 0; h < asked->n_hosts; h++)
        if (assign(questions, questions->n_params + h, questions->load, asked->hosts[h], 1, error))
            return -1;
    return 0;
}

/* What the model comes to with so much free on one host, and all of it on the others. */
static int ask(struct questions *questions, size_t host, double cpu, double *seconds,
               struct rc_error *error)
{
    const struct rc_host_times *asked = questions->asked;
    struct rc_model_setting setting;
    struct rc_binding *binding;
    int status;

    if (assign(questions, questions->n_params + host, questions->load, asked->hosts[host], cpu,
               error))
        return -1;
    rc_model_setting_init(&setting);
    setting.section = questions->structure.section;
    setting.hosts = asked->hosts;
    setting.n_hosts = asked->n_hosts;
    setting.size = asked->size;
    setting.processes = asked->processes;
    setting.platform = asked->platform;
    setting.store = questions->store;
    setting.now = asked->at;
    setting.assignments = (const char *const *)questions->assignments;
    setting.n_assignments = questions->n_params + asked->n_hosts;
    binding = rc_binding_create(questions->structure.model, &setting, error);
    status = binding ? rc_binding_without(binding, NULL, seconds, error) : -1;
    rc_binding_destroy(binding);
    return status;
}

static int ask_of(struct questions *questions, size_t host, double *work, double *beside,
                  struct rc_error *error)
{
    const char *name = questions->asked->hosts[host];
    double once, twice;

    if (ask(questions, host, little, &once, error) ||
        ask(questions, host, little / 2, &twice, error) ||
        assign(questions, questions->n_params + host, questions->load, name, 1, error))
        return -1;
    *work = (twice - once) * little;
    *beside = fmax(once - *work / little, 0);
    if (!(*work > 0 && isfinite(*work)))
        return rc_error_set(error, "its structural model takes no longer when %s is busy", name);
    return 0;
}

int rc_host_times_of_model(struct rc_store *store, const struct rc_host_times *asked, double *work,
                           double *beside, struct rc_error *why, struct rc_error *error)
{
    struct questions questions = {.asked = asked, .store = store};
    const char *platform = asked->platform ? asked->platform->name : NULL;
    int status = 1;

    if (asked->n_hosts > RC_HOST_TIMES_MOST)
        status = rc_error_set(why, "its structural model is asked of %d hosts at most",
                              RC_HOST_TIMES_MOST);
    else if (rc_structure_load(store, asked->app, platform, &questions.structure, why))
        return 0;
    else if (!(questions.load = find_load(questions.structure.model)))
        status = rc_error_set(why, "its structural model does not rest on the CPU of hosts");
    else if (assign_all(&questions, error))
        status = -2;
    for (size_t h = 0; h < asked->n_hosts && status == 1; h++)
        status = ask_of(&questions, h, &work[h], &beside[h], why) ? -1 : 1;
    for (size_t i = 0; questions.assignments && i < questions.n_params + asked->n_hosts; i++)
        free(questions.assignments[i]);
    free(questions.assignments);
    rc_structure_free(&questions.structure);
    return status == -2 ? -1 : status == 1;
}

/* ---- by runs on one host each ---- */

struct alone {
    size_t host;
    double n, iterations; /* NAN where not told */
    double seconds;       /* with all of a core */
};

struct runs {
    struct alone *items;
    size_t n, capacity;
};

static double iterations_of(const struct rc_param *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].name, "iterations") == 0)
            return params[i].value;
    return NAN;
}

static bool alike(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int take_run(struct runs *runs, const struct rc_host_times *asked, const struct rc_run *run,
                    struct rc_error *error)
{
    double cpu = isfinite(run->cpu_avgmin) && run->cpu_avgmin > 0 ? run->cpu_avgmin : 1;
    size_t host = 0;

    while (host < asked->n_hosts && strcmp(asked->hosts[host], run->hosts) != 0)
        host++;
    if (host == asked->n_hosts)
        return 0;
    if (runs->n == runs->capacity) {
        size_t capacity = runs->capacity ? 2 * runs->capacity : 64;
        struct alone *grown = realloc(runs->items, capacity * sizeof *grown);

        if (!grown)
            return rc_error_no_memory(error);
        runs->items = grown;
        runs->capacity = capacity;
    }
    runs->items[runs->n++] = (struct alone){host, run->n, iterations_of(run->params, run->n_params),
                                            run->seconds * cpu};
    return 0;
}

static int read_runs(struct rc_store *store, const struct rc_host_times *asked, struct runs *runs,
                     struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int status;

    rc_run_filter_init(&filter);
    filter.app = asked->app;
    filter.platform = asked->platform ? asked->platform->name : NULL;
    filter.procs = (struct rc_range){1, 1};
    filter.status = RC_RUN_OK;
    cursor = rc_run_find(store, &filter,
                         RC_FIELD_HOSTS | RC_FIELD_N | RC_FIELD_SECONDS | RC_FIELD_CPU_AVGMIN |
                             RC_FIELD_PARAMS,
                         error);
    if (!cursor)
        return -1;
    while ((status = rc_run_next(cursor, &run, error)) > 0)
        if (take_run(runs, asked, &run, error)) {
            status = -1;
            break;
        }
    rc_run_cursor_close(cursor);
    return status;
}

/* Speeds by the runs that are like `pattern`; false where some host has none. */
static bool speeds_like(const struct runs *runs, const struct alone *pattern, double *speeds,
                        size_t n_hosts)
{
    for (size_t h = 0; h < n_hosts; h++) {
        double sum = 0;
        size_t n = 0;

        for (size_t i = 0; i < runs->n; i++)
            if (runs->items[i].host == h && runs->items[i].n == pattern->n &&
                alike(runs->items[i].iterations, pattern->iterations)) {
                sum += runs->items[i].seconds;
                n++;
            }
        if (n == 0)
            return false;
        speeds[h] = (double)n / sum;
    }
    return true;
}

int rc_host_speeds_of_runs(struct rc_store *store, const struct rc_host_times *asked,
                           double *speeds, struct rc_error *error)
{
    struct runs runs = {0};
    double nearest = INFINITY, *tried = calloc(asked->n_hosts + 1, sizeof *tried);
    int status = tried ? read_runs(store, asked, &runs, error) : rc_error_no_memory(error);

    for (size_t i = 0; i < runs.n && status == 0; i++) {
        double apart = fabs(log(runs.items[i].n / asked->size));

        if (runs.items[i].host == 0 && apart < nearest &&
            speeds_like(&runs, &runs.items[i], tried, asked->n_hosts)) {
            nearest = apart;
            memcpy(speeds, tried, asked->n_hosts * sizeof *speeds);
        }
    }
    free(tried);
    free(runs.items);
    return status < 0 ? -1 : isfinite(nearest);
}
