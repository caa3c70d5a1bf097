// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_results.c - from runs that were made to values of inputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/binding_internal.h"
#include "model/structural/measuring_internal.h"

enum { SOURCE_SIZE = 160 };

/* ---- before a run ---- */

/* The model with what is measured by now. */
static int join(struct rc_measuring *plan, const struct rc_benchmarks *measured,
                const char *section, struct rc_error *error)
{
    const struct rc_benchmark_part part = {measured, section};
    struct rc_model_text texts[RC_MODEL_FILES_MAX];
    size_t n_left;

    rc_structural_binding_destroy(plan->alone);
    plan->alone = NULL;
    rc_structural_model_destroy(plan->with);
    for (size_t i = 0; i < plan->model->n_files; i++)
        texts[i] = (struct rc_model_text){plan->model->files[i].name, plan->model->files[i].text,
                                          strlen(plan->model->files[i].text)};
    plan->with = rc_structural_model_parse_all(texts, plan->model->n_files, error);
    return plan->with && rc_structural_benchmarks_join(&plan->with, &part, 1, &n_left, error) >= 0
               ? 0
               : -1;
}

/* Binds it as the run will be. */
static int bind(struct rc_measuring *plan, const struct rc_measuring_job *job, const char *section,
                struct rc_error *error)
{
    struct rc_model_setting setting;

    if (rc_structural_measuring_setting(plan, job->size, job->processes, &setting, error))
        return -1;
    setting.section = section ? rc_structural_model_find_section(plan->with, section) : -1;
    plan->alone = rc_structural_binding_create(plan->with, &setting, error);
    return plan->alone ? 0 : -1;
}

static int find_factors(struct rc_measuring *plan, struct rc_measuring_wanted *wanted,
                        struct rc_error *error)
{
    const struct rc_item *item = rc_structural_binding_find_item(plan->alone, wanted->item->name);
    const char *members[2] = {wanted->row, wanted->column};

    wanted->per = 1;
    wanted->less = 0;
    if (item->measure.per && rc_structural_binding_number(plan->alone, item->measure.per, members,
                                                          item->n_parameters, &wanted->per, error))
        return -1;
    if (item->measure.less &&
        rc_structural_binding_number(plan->alone, item->measure.less, members, item->n_parameters,
                                     &wanted->less, error))
        return -1;
    if (!(wanted->per > 0) || !isfinite(wanted->per))
        return rc_error_set(error, "'per' of '%s' is %g; it must be above 0", item->name,
                            wanted->per);
    return 0;
}

int rc_structural_measuring_prepare(struct rc_measuring *plan, size_t job,
                                    const struct rc_benchmarks *measured, const char *section,
                                    struct rc_error *error)
{
    int status =
        join(plan, measured, section, error) || bind(plan, &plan->jobs[job], section, error) ? -1
                                                                                             : 0;

    for (size_t i = 0; i < plan->n_wanted && status == 0; i++)
        if (plan->wanted[i].job == job)
            status = find_factors(plan, &plan->wanted[i], error);
    return status;
}

int rc_structural_measuring_input(struct rc_measuring *plan, const char *name, double *value,
                                  struct rc_error *error)
{
    return rc_structural_measuring_value(plan->alone, name, value, error);
}

/* ---- after a run ---- */

struct figure {
    double mean, sd; /* sd: NAN where it is not known */
    double n;
};

static struct figure summarise(const double *seconds, size_t n, double less, double per)
{
    struct figure figure = {.n = (double)n};

    for (size_t i = 0; i < n; i++)
        figure.mean += (seconds[i] - less) / per / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = (seconds[i] - less) / per - figure.mean;

        figure.sd += off * off / (double)(n - 1);
    }
    figure.sd = n > 1 ? sqrt(figure.sd) : NAN;
    return figure;
}

/* A stated accuracy stands for two standard deviations, here of the mean. */
static int put_figure(const struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                      struct figure figure, const char *source, double when,
                      struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_benchmark_how how = plan->hows.hows[wanted->how];

    double spread = figure.n < 2                         ? NAN
                    : figure.mean > 0                    ? figure.sd / figure.mean
                    : figure.mean == 0 && figure.sd == 0 ? 0
                                                         : NAN;
    const struct rc_benchmark_value value = {
        .mean = figure.mean,
        .accuracy = isnan(spread) ? NAN : fmax(2 * spread / sqrt(figure.n), RC_BENCHMARKS_ROUNDING),
        .spread = spread,
        .when = when};

    how.source = source;
    how.repeats = figure.n;
    return rc_structural_benchmarks_put(measured, wanted->item, wanted->row, wanted->column, &value,
                                        &how, error);
}

static int take_seconds(const struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                        const double *seconds, size_t n, const char *source, double when,
                        struct rc_benchmarks *measured, struct rc_error *error)
{
    struct figure figure = summarise(seconds, n, wanted->less, wanted->per);

    if (!(figure.mean > 0) || !isfinite(figure.mean)) {
        rc_error_set(error, "the runs took %.4g s on average, but 'less' of '%s' is %.4g s",
                     figure.mean * wanted->per + wanted->less, wanted->item->name, wanted->less);
        return rc_error_hint(error, "use a larger problem size, or correct 'less'");
    }
    return put_figure(plan, wanted, figure, source, when, measured, error);
}

int rc_structural_measuring_take_run(const struct rc_measuring *plan, size_t job,
                                     const double *seconds, size_t n, double when,
                                     struct rc_benchmarks *measured, struct rc_error *error)
{
    const struct rc_measuring_job *made = &plan->jobs[job];
    char source[SOURCE_SIZE], place[64];
    int status = 0;

    if (made->together)
        snprintf(place, sizeof place, "%g processes on %zu host%s", made->processes, made->n_hosts,
                 made->n_hosts == 1 ? "" : "s");
    else
        snprintf(place, sizeof place, "one process");
    snprintf(source, sizeof source, "%zu run%s of problem size %.15g, %s", n, n == 1 ? "" : "s",
             made->size, place);
    for (size_t i = 0; i < plan->n_wanted && status == 0; i++)
        if (plan->wanted[i].job == job)
            status =
                take_seconds(plan, &plan->wanted[i], seconds, n, source, when, measured, error);
    return status;
}

/* ---- reports of programs ---- */

static double number_of(const json_t *object, const char *name)
{
    const json_t *number = json_object_get(object, name);

    return json_is_number(number) ? json_number_value(number) : NAN;
}

static int differs(const char *member, const char *place, double reported, double asked,
                   struct rc_error *error)
{
    rc_error_set(error, "the program reports \"%.60s\": %.15g instead of %.15g", member, reported,
                 asked);
    return rc_error_code(error, "structural.other-run", "%.60s", place);
}

/* What counts for a value: "iterations=5, eps=0.1" against the members of those names. */
static int check_inputs(struct rc_measuring *plan, size_t job, const json_t *reported,
                        struct rc_error *error)
{
    char name[RC_MODEL_NAME_MAX + 1];

    for (size_t i = 0; i < plan->n_wanted; i++) {
        const struct rc_measuring_wanted *wanted = &plan->wanted[i];
        const char *at = wanted->job == job ? plan->hows.hows[wanted->how].inputs : NULL;
        double asked;

        for (; at && *at; at += *at == ',' ? 2 : 0) { /* "name=number, name=number" */
            size_t length = strcspn(at, "=");

            snprintf(name, sizeof name, "%.*s", (int)length, at);
            asked = strtod(at + length + 1, NULL);
            if (!isnan(number_of(reported, name)) && number_of(reported, name) != asked)
                return differs(name, name, number_of(reported, name), asked, error);
            at += strcspn(at, ",");
        }
    }
    return 0;
}

int rc_structural_measuring_check_report(struct rc_measuring *plan, size_t job,
                                         const json_t *reported, struct rc_error *error)
{
    static const char *const sizes[] = {"size", "n"};
    const struct rc_measuring_job *made = &plan->jobs[job];
    const json_t *check = json_object_get(reported, "check");
    const char *verdict = json_string_value(check);

    if (json_is_false(check) ||
        (verdict && strcmp(verdict, "ok") != 0 && strcmp(verdict, "charged") != 0))
        return rc_error_set(error, "the program reports a wrong result (\"check\": \"%.60s\")",
                            verdict ? verdict : "false");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!isnan(number_of(reported, sizes[i]))) {
            if (number_of(reported, sizes[i]) != made->size)
                return differs(sizes[i], "size", number_of(reported, sizes[i]), made->size, error);
            break;
        }
    if (!isnan(number_of(reported, "p")) && number_of(reported, "p") != made->processes)
        return differs("p", "p", number_of(reported, "p"), made->processes, error);
    return check_inputs(plan, job, reported, error);
}

/* ---- the microbenchmark's report ---- */

/* Up to the first dot: names of hosts may come with their domain. */
static bool is_host(const char *reported, const char *host)
{
    size_t length = strcspn(host, ".");

    return reported && strcspn(reported, ".") == length && strncmp(reported, host, length) == 0;
}

static const char *host_of(const json_t *report, size_t rank)
{
    const json_t *processes = json_object_get(report, "processes");

    return json_string_value(json_object_get(json_array_get(processes, rank), "host"));
}

/* Whether a program was on another host of the plan than on one of the job's. */
static bool is_elsewhere(const struct rc_measuring *plan, const struct rc_measuring_job *job,
                         const char *reported)
{
    bool other = false;

    for (size_t i = 0; i < job->n_hosts; i++)
        if (is_host(reported, job->hosts[i]))
            return false;
    for (size_t i = 0; i < plan->binding->n_hosts; i++)
        other |= is_host(reported, plan->binding->names[i]);
    return other;
}

/* Launchers may start processes elsewhere than they were asked to, and in other numbers. */
static int check_report(const struct rc_measuring *plan, const struct rc_measuring_job *job,
                        const json_t *report, struct rc_error *error)
{
    const char *first = host_of(report, 0), *second = host_of(report, 1);
    double p = number_of(report, "p"), bytes = number_of(report, "bytes");

    if (!isnan(p) && p != job->processes) {
        rc_error_set(error, "the microbenchmark ran with %g process%s instead of %g", p,
                     p == 1 ? "" : "es", job->processes);
        return rc_error_code(error, "structural.microbenchmark-processes", NULL);
    }
    if (job->n_hosts == 2 && first && second && strcmp(first, second) == 0) {
        rc_error_set(
            error, "both processes of the microbenchmark ran on '%.60s' instead of %.60s and %.60s",
            first, job->hosts[0], job->hosts[1]);
        return rc_error_code(error, "structural.microbenchmark-hosts", NULL);
    }
    for (size_t i = 0; i < job->n_hosts; i++)
        if (is_elsewhere(plan, job, host_of(report, i)))
            return rc_error_set(error, "the microbenchmark ran on %.60s instead of %.60s",
                                host_of(report, i), job->hosts[i]);
    if ((job->bandwidth || job->message) && !isnan(job->bytes) && !isnan(bytes) &&
        bytes != job->bytes)
        return rc_error_set(error,
                            "the microbenchmark sent messages of %.15g bytes instead of %.15g",
                            bytes, job->bytes);
    return 0;
}

/* The process on a host: in the order of the hosts, unless their names tell another one. */
static size_t rank_of(const struct rc_measuring_job *job, const json_t *report, const char *host)
{
    size_t rank = strcmp(job->hosts[0], host) == 0 ? 0 : 1;

    if (job->n_hosts == 2 && is_host(host_of(report, 0), job->hosts[1]) &&
        is_host(host_of(report, 1), job->hosts[0]))
        rank = 1 - rank;
    return rank;
}

static const json_t *pair_of(const json_t *report, size_t from, size_t to)
{
    const json_t *pairs = json_object_get(report, "pairs");

    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);

        if (number_of(pair, "from") == (double)from && number_of(pair, "to") == (double)to)
            return pair;
    }
    return NULL;
}

/* What the report has of a value, and where it comes from in words. */
static const json_t *find_figure(const struct rc_measuring_job *job,
                                 const struct rc_measuring_wanted *wanted, const json_t *report,
                                 char source[SOURCE_SIZE])
{
    size_t from = rank_of(job, report, wanted->from), to = rank_of(job, report, wanted->to);
    const json_t *process = json_array_get(json_object_get(report, "processes"), from);
    const json_t *pair = pair_of(report, from, to);
    double repeats = number_of(report, "repeats");

    switch (wanted->item->measure.kind) {
    case RC_MEASURE_OPERATION:
        snprintf(source, SOURCE_SIZE, "%.15g runs of %.15g operations", repeats,
                 number_of(report, "count"));
        return json_object_get(json_object_get(process, "operations"),
                               rc_structural_operation_names[wanted->item->measure.operation]);
    case RC_MEASURE_BANDWIDTH:
        snprintf(source, SOURCE_SIZE, "%.15g times %.15g messages of %.15g bytes and one byte back",
                 repeats, number_of(report, "messages"), number_of(report, "bytes"));
        return json_object_get(pair, "bandwidth");
    case RC_MEASURE_MESSAGE:
        snprintf(source, SOURCE_SIZE, "%.15g round trips of %.15g bytes", repeats,
                 number_of(report, "bytes"));
        return json_object_get(pair, "message");
    default:
        snprintf(source, SOURCE_SIZE, "%.15g fits of a + b n to round trips and packing", repeats);
        return json_object_get(pair, wanted->item->measure.kind == RC_MEASURE_STARTUP ? "a" : "b");
    }
}

int rc_structural_measuring_take_report(const struct rc_measuring *plan, size_t job,
                                        const json_t *report, double when,
                                        struct rc_benchmarks *measured, struct rc_error *error)
{
    char source[SOURCE_SIZE];

    if (check_report(plan, &plan->jobs[job], report, error))
        return -1;
    for (size_t i = 0; i < plan->n_wanted; i++) {
        const struct rc_measuring_wanted *wanted = &plan->wanted[i];
        const json_t *reported;
        struct figure figure;

        if (wanted->job != job)
            continue;
        reported = find_figure(&plan->jobs[job], wanted, report, source);
        figure = (struct figure){number_of(reported, "mean"), number_of(reported, "sd"),
                                 number_of(report, "repeats")};
        if (!(figure.mean >= 0) || !(figure.sd >= 0) || !(figure.n >= 1) ||
            !isfinite(figure.mean + figure.sd) ||
            (figure.mean == 0 && wanted->item->measure.kind < RC_MEASURE_STARTUP)) {
            rc_error_set(error, "the report has no value of '%s'", wanted->item->name);
            return rc_error_hint(error, "start the microbenchmark with all of {options}");
        }
        if (put_figure(plan, wanted, figure, source, when, measured, error))
            return -1;
    }
    return 0;
}
