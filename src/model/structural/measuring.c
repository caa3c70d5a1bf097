// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring.c - which runs measure the inputs of a model, and in what order. */
#include "model/structural/measuring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/unit.h"
#include "model/structural/binding_internal.h"
#include "model/structural/measuring_internal.h"

void rc_structural_measuring_free(struct rc_measuring *plan)
{
    rc_structural_binding_destroy(plan->alone);
    rc_structural_model_destroy(plan->with);
    rc_structural_binding_destroy(plan->as_run);
    rc_structural_binding_destroy(plan->binding);
    rc_structural_benchmarks_free(&plan->hows);
    free(plan->again);
    free(plan->assignments);
    free(plan->pairs);
    free(plan->jobs);
    free(plan->wanted);
    *plan = (struct rc_measuring){0};
}

const struct rc_measuring_wanted *rc_structural_measuring_of(const struct rc_measuring *plan,
                                                             size_t job, size_t *n)
{
    size_t first = 0;

    while (first < plan->n_wanted && plan->wanted[first].job != job)
        first++;
    for (*n = 0; first + *n < plan->n_wanted && plan->wanted[first + *n].job == job;)
        ++*n;
    return &plan->wanted[first];
}

/* ---- formulas ---- */

/* The whole number, from 1 on, that a formula of an input comes to. */
static int find_count(struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                      const struct rc_expression *formula, const char *what, double *count,
                      struct rc_error *error)
{
    const char *members[2] = {wanted->row, wanted->column};

    if (rc_structural_binding_number(plan->binding, formula, members, wanted->item->n_parameters,
                                     count, error))
        return -1;
    *count = round(*count);
    if (*count >= 1 && *count <= 9e15)
        return 0;
    return rc_error_set(error, "cannot measure '%s' with %s of %g", wanted->item->name, what,
                        *count);
}

/* ---- jobs ---- */

/* Whether messages of a length that is asked for are in it. */
static bool sends(const struct rc_measuring_job *job)
{
    return job->bandwidth || job->message;
}

/* Whether one run can do for both. */
static bool can_share(const struct rc_measuring_job *job, const struct rc_measuring_job *other)
{
    const char *a = job->arguments ? job->arguments : "";
    const char *b = other->arguments ? other->arguments : "";

    /* Lists of hosts are parts of the plan's own. */
    if (job->run != other->run || job->hosts != other->hosts || job->n_hosts != other->n_hosts)
        return false;
    if (job->run)
        return job->size == other->size && job->together == other->together && strcmp(a, b) == 0;
    return !sends(job) || !sends(other) || job->bytes == other->bytes ||
           (isnan(job->bytes) && isnan(other->bytes));
}

/* Adds what is wanted, to a job that can do it or to a new one. */
static int add_wanted(struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                      const struct rc_measuring_job *job, struct rc_error *error)
{
    size_t at = plan->n_jobs;

    for (size_t i = 0; i < plan->n_jobs && at == plan->n_jobs; i++)
        if (can_share(&plan->jobs[i], job))
            at = i;
    if (plan->n_wanted == RC_MEASURING_WANTED_MAX)
        return rc_error_set(error, "more than %d values to measure", RC_MEASURING_WANTED_MAX);
    if (rc_array_room(&plan->wanted, plan->n_wanted + 1, &plan->wanted_room, sizeof *plan->wanted,
                      error) ||
        rc_array_room(&plan->jobs, plan->n_jobs + 1, &plan->jobs_room, sizeof *plan->jobs, error))
        return -1;
    if (at == plan->n_jobs)
        plan->jobs[plan->n_jobs++] = *job;
    if (sends(job) && !sends(&plan->jobs[at]))
        plan->jobs[at].bytes = job->bytes;
    plan->jobs[at].operations |= job->operations;
    plan->jobs[at].bandwidth |= job->bandwidth;
    plan->jobs[at].message |= job->message;
    plan->jobs[at].startup |= job->startup;
    plan->wanted[plan->n_wanted] = *wanted;
    plan->wanted[plan->n_wanted++].job = at;
    return 0;
}

/* The microbenchmark between two hosts, or on one. */
static int plan_microbenchmark(struct rc_measuring *plan, struct rc_measuring_wanted *wanted,
                               size_t x, size_t y, struct rc_measuring_job *job,
                               struct rc_error *error)
{
    enum rc_measure_kind kind = wanted->item->measure.kind;
    size_t low = x < y ? x : y, high = x < y ? y : x, n = plan->binding->n_hosts;

    *job = (struct rc_measuring_job){.hosts = plan->pairs + 2 * (low * n + high),
                                     .n_hosts = x == y ? 1 : 2,
                                     .bytes = NAN,
                                     .size = NAN,
                                     .operations = kind == RC_MEASURE_OPERATION,
                                     .bandwidth = kind == RC_MEASURE_BANDWIDTH,
                                     .message = kind == RC_MEASURE_MESSAGE,
                                     .startup =
                                         kind == RC_MEASURE_STARTUP || kind == RC_MEASURE_PACKING,
                                     .order = x == y ? 0 : 1};
    job->processes = (double)job->n_hosts;
    wanted->from = plan->binding->names[x];
    wanted->to = plan->binding->names[y];
    return wanted->item->measure.bytes ? find_count(plan, wanted, wanted->item->measure.bytes,
                                                    "messages", &job->bytes, error)
                                       : 0;
}

/* The program, alone on a host or on all of them. */
static int plan_run(struct rc_measuring *plan, struct rc_measuring_wanted *wanted, size_t host,
                    size_t order, struct rc_measuring_job *job, struct rc_error *error)
{
    const struct rc_binding *binding = plan->binding;
    bool together = wanted->item->measure.kind == RC_MEASURE_TOGETHER;

    *job = (struct rc_measuring_job){.run = true,
                                     .bytes = NAN,
                                     .order = order,
                                     .together = together,
                                     .processes = 1,
                                     .hosts = together ? binding->names : binding->names + host,
                                     .n_hosts = together ? binding->n_hosts : 1,
                                     .arguments = wanted->item->measure.arguments};
    if (together)
        job->processes = isnan(binding->setting.processes) ? (double)binding->n_hosts
                                                           : binding->setting.processes;
    return find_count(plan, wanted, wanted->item->measure.size, "a problem size", &job->size,
                      error);
}

/* ---- what is known ---- */

struct planning {
    struct rc_measuring *plan;
    const struct rc_benchmarks *known;
    const struct rc_measuring_options *options;
    size_t order;       /* of its runs */
    const char **names; /* of inputs that count for the input that is looked at */
    struct rc_error *error;
};

/* Notes that a value which is known is measured again. */
static int note_again(struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                      const char *why, struct rc_error *error)
{
    struct rc_measuring_again *again;

    for (size_t i = 0; i < plan->n_again; i++)
        if (plan->again[i].item == wanted->item) {
            plan->again[i].n++;
            return 0;
        }
    if (rc_array_room(&plan->again, plan->n_again + 1, &plan->again_room, sizeof *plan->again,
                      error))
        return -1;
    again = &plan->again[plan->n_again++];
    *again = (struct rc_measuring_again){
        .item = wanted->item, .row = wanted->row, .column = wanted->column, .n = 1};
    snprintf(again->why, sizeof again->why, "%s", why);
    return 0;
}

/* Whether a known value would be another one now; says why. */
static bool is_outdated(const struct planning *planning, const struct rc_measuring_wanted *wanted,
                        const struct rc_benchmark_value *value, char why[RC_BENCHMARKS_TEXT])
{
    const struct rc_measuring_options *options = planning->options;
    struct rc_benchmark_how now = planning->plan->hows.hows[wanted->how];
    char life[RC_UNIT_SIZE], text[RC_BENCHMARKS_TEXT];
    bool other;

    if (value->when + wanted->item->meta.lifetime < planning->plan->setting.now) {
        rc_unit_format(wanted->item->meta.lifetime, RC_SECONDS, life);
        snprintf(why, RC_BENCHMARKS_TEXT, "older than its lifetime of %s", life);
        return true;
    }
    if (wanted->item->measure.kind < RC_MEASURE_RUN ? !options->new_microbenchmark
                                                    : !options->new_command)
        now.command = NULL;
    if (!options->new_repeats)
        now.repeats = NAN;
    other = rc_structural_benchmarks_differ(&planning->known->hows[value->how], &now, text);
    snprintf(why, RC_BENCHMARKS_TEXT, "%s", text);
    return other;
}

/* ---- one input ---- */

/* The job that measures a value, and what with. */
static int plan_value(const struct planning *planning, struct rc_measuring_wanted *wanted, size_t x,
                      size_t y, struct rc_measuring_job *job, struct rc_error *error)
{
    const struct rc_item *item = wanted->item;
    struct rc_measuring *plan = planning->plan;
    bool startup =
        item->measure.kind == RC_MEASURE_STARTUP || item->measure.kind == RC_MEASURE_PACKING;
    /* A host's own start-up is that of messages to the next one. */
    size_t to = item->n_parameters > 1 ? y : startup ? (x + 1) % plan->binding->n_hosts : x;
    int status = item->measure.kind >= RC_MEASURE_RUN
                     ? plan_run(plan, wanted, x, planning->order, job, error)
                     : plan_microbenchmark(plan, wanted, x, to, job, error);

    return status || rc_structural_measuring_how(plan, wanted, job, planning->names,
                                                 planning->options, &wanted->how, error)
               ? -1
               : 0;
}

/* One value of an input: for hosts x and y, as far as it has such parameters. */
static int want_value(const struct planning *planning, const struct rc_item *item, size_t x,
                      size_t y)
{
    struct rc_measuring *plan = planning->plan;
    const char **names = plan->binding->names;
    struct rc_measuring_wanted wanted = {.item = item,
                                         .per = 1,
                                         .row = item->n_parameters > 0 ? names[x] : "",
                                         .column = item->n_parameters > 1 ? names[y] : ""};
    const struct rc_benchmark_value *value =
        planning->options->again
            ? NULL
            : rc_structural_benchmarks_find(planning->known, item, wanted.row, wanted.column);
    struct rc_measuring_job job;
    char why[RC_BENCHMARKS_TEXT];
    int status;

    if (planning->options->nothing) {
        plan->n_known += value != NULL;
        return 0;
    }
    /* Where it cannot be told how a known value would be measured now, it is good. */
    status = plan_value(planning, &wanted, x, y, &job, value ? NULL : planning->error);
    if (value && (status || !is_outdated(planning, &wanted, value, why))) {
        plan->n_known++;
        return 0;
    }
    if (status || (value && note_again(plan, &wanted, why, planning->error)))
        return -1;
    return add_wanted(plan, &wanted, &job, planning->error);
}

static int want_input(struct planning *planning, const struct rc_item *item)
{
    size_t n = planning->plan->binding->n_hosts;
    size_t rows = item->n_parameters > 0 ? n : 1, columns = item->n_parameters > 1 ? n : 1;
    int status = 0;

    planning->order++;
    planning->names =
        rc_structural_measuring_names(planning->plan, item, planning->options, planning->error);
    if (!planning->names)
        return -1;
    for (size_t x = 0; x < rows && status == 0; x++)
        for (size_t y = 0; y < columns && status == 0; y++)
            status = want_value(planning, item, x, y);
    free(planning->names);
    return status;
}

/* ---- all inputs ---- */

/* Whether formulas of an item lead to another one. */
static bool needs(const struct rc_model *model, const struct rc_item *item,
                  const struct rc_item *other, bool *been)
{
    bool found = false;

    rc_structural_measuring_reach(model, item, been);
    for (size_t i = 0; i < model->n_items && !found; i++)
        found = been[i] && strcmp(model->items[i].name, other->name) == 0;
    return found;
}

/* Puts those first that need none of the others that are left; of those that need one another, any.
 */
static void sort_items(const struct rc_model *model, const struct rc_item **items, size_t n,
                       bool *been)
{
    for (size_t at = 0; at + 1 < n; at++) {
        size_t next = n;

        for (size_t i = at; i < n && next == n; i++) {
            bool free_now = true;

            for (size_t k = at; k < n && free_now; k++)
                free_now = k == i || !needs(model, items[i], items[k], been);
            if (free_now)
                next = i;
        }
        if (next < n) {
            const struct rc_item *first = items[next];

            memmove(&items[at + 1], &items[at], (next - at) * sizeof *items);
            items[at] = first;
        }
    }
}

static bool is_asked(const struct rc_measuring_options *options, const char *name)
{
    for (size_t i = 0; i < options->n_only; i++)
        if (strcmp(options->only[i], name) == 0)
            return true;
    return options->n_only == 0;
}

static int check_only(const struct rc_measuring *plan, const struct rc_measuring_options *options,
                      struct rc_error *error)
{
    for (size_t i = 0; i < options->n_only; i++) {
        const struct rc_bound_item *bound =
            rc_structural_bound_find(plan->binding, options->only[i]);

        if (!bound || bound->item->kind != RC_ITEM_INPUT)
            return rc_error_set(error, "the model has no input '%s'", options->only[i]);
        if (bound->item->measure.kind == RC_MEASURE_NOTHING)
            return rc_error_set(error, "the input '%s' has no 'measure' clause", options->only[i]);
    }
    return 0;
}

/* The inputs that are measured, the microbenchmark's first. */
static size_t list_items(struct rc_measuring *plan, const struct rc_measuring_options *options,
                         const struct rc_item **items, size_t *n_microbenchmark)
{
    const struct rc_binding *binding = plan->binding;
    size_t n = 0;

    for (int run = 0; run < 2; run++) {
        for (size_t i = 0; i < binding->n_items; i++) {
            const struct rc_item *item = binding->items[i].item;
            enum rc_measure_kind kind =
                item->kind == RC_ITEM_INPUT ? item->measure.kind : RC_MEASURE_NOTHING;

            if (kind == RC_MEASURE_NOTHING || (kind >= RC_MEASURE_RUN) != run)
                continue;
            plan->n_inputs++;
            if (is_asked(options, item->name))
                items[n++] = item;
        }
        if (!run)
            *n_microbenchmark = n;
    }
    return n;
}

static int want_inputs(struct planning *planning)
{
    struct rc_measuring *plan = planning->plan;
    const struct rc_item **items = calloc(plan->binding->n_items + 1, sizeof *items);
    bool *been = calloc(plan->model->n_items + 1, sizeof *been);
    size_t n = 0, n_microbenchmark = 0;
    int status = items && been ? 0 : rc_error_no_memory(planning->error);

    if (status == 0) {
        n = list_items(plan, planning->options, items, &n_microbenchmark);
        sort_items(plan->model, items + n_microbenchmark, n - n_microbenchmark, been);
    }
    planning->order = 1; /* after the microbenchmark's */
    for (size_t i = 0; i < n && status == 0; i++)
        status = want_input(planning, items[i]);
    free(items);
    free(been);
    return status;
}

/* ---- the plan ---- */

struct sorted {
    size_t order, job;
};

static int by_order(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;

    return left->order != right->order ? (left->order > right->order) - (left->order < right->order)
                                       : (left->job > right->job) - (left->job < right->job);
}

static int by_job(const void *a, const void *b)
{
    const struct rc_measuring_wanted *left = a, *right = b;

    return (left->job > right->job) - (left->job < right->job);
}

/* Jobs by their order, and what is wanted by job. */
static int put_in_order(struct rc_measuring *plan, struct rc_error *error)
{
    struct sorted *sorted = calloc(plan->n_jobs + 1, sizeof *sorted);
    struct rc_measuring_job *jobs = calloc(plan->n_jobs + 1, sizeof *jobs);
    size_t *place = calloc(plan->n_jobs + 1, sizeof *place);

    for (size_t i = 0; sorted && i < plan->n_jobs; i++)
        sorted[i] = (struct sorted){plan->jobs[i].order, i};
    if (sorted && jobs && place && plan->n_jobs) {
        qsort(sorted, plan->n_jobs, sizeof *sorted, by_order);
        for (size_t i = 0; i < plan->n_jobs; i++) {
            jobs[i] = plan->jobs[sorted[i].job];
            place[sorted[i].job] = i;
        }
        memcpy(plan->jobs, jobs, plan->n_jobs * sizeof *jobs);
        for (size_t i = 0; i < plan->n_wanted; i++)
            plan->wanted[i].job = place[plan->wanted[i].job];
        qsort(plan->wanted, plan->n_wanted, sizeof *plan->wanted, by_job);
    }
    free(sorted);
    free(jobs);
    free(place);
    return sorted && jobs && place ? 0 : rc_error_no_memory(error);
}

/* What comes of it must be a text that can be read back: names of hosts may be such that no table
 * can have them, and tables may be too large. */
static int try_text(const struct rc_measuring *plan, struct rc_error *error)
{
    const struct rc_benchmark_value any = {.mean = 1.234567};
    const struct rc_benchmark_how how = {.size = NAN};
    struct rc_benchmarks measured = {0}, back = {0};
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    int status = 0;

    for (size_t i = 0; i < plan->n_wanted && status == 0; i++)
        status = rc_structural_benchmarks_put(&measured, plan->wanted[i].item, plan->wanted[i].row,
                                              plan->wanted[i].column, &any, &how, error);
    if (status == 0)
        status = rc_structural_benchmarks_write(&measured, NULL, NULL, &text, error);
    if (status == 0 && text.length)
        status = rc_structural_benchmarks_read(text.data, text.length, &back, error);
    rc_buffer_free(&text);
    rc_structural_benchmarks_free(&measured);
    rc_structural_benchmarks_free(&back);
    return status;
}

/* For each two hosts, both: the hosts of a job. */
static int make_pairs(struct rc_measuring *plan, struct rc_error *error)
{
    size_t n = plan->binding->n_hosts;

    if (n == 0) {
        rc_error_set(error, "no hosts to measure");
        return rc_error_code(error, "structural.measure-nowhere", NULL);
    }
    if (n > RC_MEASURING_HOSTS_MAX)
        return rc_error_set(error, "more than %d hosts", RC_MEASURING_HOSTS_MAX);
    plan->pairs = calloc(2 * n * n, sizeof *plan->pairs);
    if (!plan->pairs)
        return rc_error_no_memory(error);
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++) {
            plan->pairs[2 * (x * n + y)] = plan->binding->names[x];
            plan->pairs[2 * (x * n + y) + 1] = plan->binding->names[y];
        }
    return 0;
}

int rc_structural_measuring_plan(const struct rc_model *model,
                                 const struct rc_model_setting *setting,
                                 const struct rc_benchmarks *known,
                                 const struct rc_measuring_options *options,
                                 struct rc_measuring *plan, struct rc_error *error)
{
    struct planning planning = {.plan = plan, .known = known, .options = options, .error = error};

    *plan = (struct rc_measuring){.model = model, .setting = *setting};
    plan->binding = rc_structural_binding_create(model, setting, error);
    if (plan->binding && check_only(plan, options, error) == 0 && make_pairs(plan, error) == 0 &&
        want_inputs(&planning) == 0 && put_in_order(plan, error) == 0 && try_text(plan, error) == 0)
        return 0;
    rc_structural_measuring_free(plan);
    return -1;
}
