// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_fields.c - the fields of slowdowns by competing processes. */
#include "answer/slowdown_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/value_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"

/* ---- competitors ---- */

struct counted {
    struct rc_competitor is; /* cycle and away NAN: none */
    size_t count;
};

static const struct rc_field range_fields[] = {
    {RC_FIELD(struct rc_share, NUMBER, low), .key = "min"},
    {RC_FIELD(struct rc_share, NUMBER, high), .key = "max"},
    RC_FIELDS_END};

#define COUNTED struct counted
/* Null if it is a range. */
static json_t *share_json(struct rc_share share)
{
    return rc_json_number(rc_observe_share_known(share) ? share.low : (double)NAN);
}

static json_t *compute_json(const void *record)
{
    return share_json(((const COUNTED *)record)->is.compute);
}

static json_t *communicate_json(const void *record)
{
    return share_json(((const COUNTED *)record)->is.communicate);
}

static bool is_compute_range(const void *record)
{
    return !rc_observe_share_known(((const COUNTED *)record)->is.compute);
}

static bool is_communicate_range(const void *record)
{
    return !rc_observe_share_known(((const COUNTED *)record)->is.communicate);
}

static const struct rc_field counted_fields[] = {
    {RC_FIELD(COUNTED, CHARS, is.name), .key = "name"},
    {RC_FIELD(COUNTED, SIZE, count), .key = "count"},
    {.kind = RC_AS_COMPUTED, .key = "compute_fraction", .json = compute_json, .type = "number"},
    {RC_FIELD(COUNTED, OBJECT, is.compute), .key = "compute_range", .fields = range_fields,
     .when = is_compute_range},
    {.kind = RC_AS_COMPUTED,
     .key = "communicate_fraction",
     .json = communicate_json,
     .type = "number"},
    {RC_FIELD(COUNTED, OBJECT, is.communicate), .key = "communicate_range", .fields = range_fields,
     .when = is_communicate_range},
    {RC_FIELD(COUNTED, NUMBER, is.weight), .key = "cpu_weight"},
    {RC_FIELD(COUNTED, NUMBER, is.cycle), .key = "cycle_s"},
    {RC_FIELD(COUNTED, NUMBER, is.memory), .key = "memory_bound_fraction"},
    {RC_FIELD(COUNTED, NUMBER, is.stay), .key = "stay_s"},
    {RC_FIELD(COUNTED, NUMBER, is.away), .key = "away_s"},
    {RC_FIELD(COUNTED, BOOL, is.steady), .key = "steady"},
    {RC_FIELD(COUNTED, BOOL, is.unknown), .key = "unknown"},
    RC_FIELDS_END};

static bool same_share(struct rc_share a, struct rc_share b)
{
    return a.low == b.low && a.high == b.high;
}

static bool alike(const struct rc_competitor *a, const struct rc_competitor *b)
{
    return strcmp(a->name, b->name) == 0 && same_share(a->compute, b->compute) &&
           same_share(a->communicate, b->communicate) && a->weight == b->weight &&
           a->cycle == b->cycle && a->memory == b->memory && a->stay == b->stay &&
           a->away == b->away && a->steady == b->steady && a->unknown == b->unknown;
}

/* As a list; equal neighbours are one entry. */
static json_t *list_json(const struct rc_competitor *competitors, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0, count; i < n; i += count) {
        struct counted one = {competitors[i], 1};

        for (count = 1; i + count < n && alike(&competitors[i], &competitors[i + count]); count++)
            ;
        one.count = count;
        one.is.cycle = one.is.cycle > 0 ? one.is.cycle : NAN;
        one.is.away = one.is.away > 0 ? one.is.away : NAN;
        json_array_append_new(list, rc_field_json(counted_fields, &one));
    }
    return list;
}

#define COMPETITORS(function)                                                                      \
    .key = "competitors", .json = function, .type = "list", .fields = counted_fields

/* ---- equations with their numbers ---- */

#define EQUATION struct rc_answer_equation
static bool is_product(const void *record)
{
    return !isnan(((const struct rc_local_term *)record)->p);
}

static const struct rc_field term_fields[] = {
    {RC_FIELD(struct rc_local_term, TEXT, by), .key = "by"},
    {RC_FIELD(struct rc_local_term, NUMBER, adds), .key = "adds"},
    {RC_FIELD(struct rc_local_term, NUMBER, p), .key = "probability", .when = is_product},
    {RC_FIELD(struct rc_local_term, NUMBER, times), .key = "multiplier", .when = is_product},
    RC_FIELDS_END};

static bool is_fraction(const void *record)
{
    return !isnan(((const EQUATION *)record)->above);
}

static bool is_sum(const void *record)
{
    return ((const EQUATION *)record)->sum;
}

static json_t *equation_terms_json(const void *record)
{
    const EQUATION *equation = record;

    return rc_field_json_list(term_fields, equation->terms, equation->n, sizeof *equation->terms);
}

const struct rc_field rc_answer_equation[] = {
    {RC_FIELD(EQUATION, TEXT, name), .key = "name"},
    {RC_FIELD(EQUATION, CHARS, text), .key = "text"},
    {RC_FIELD(EQUATION, NUMBER, value), .key = "value"},
    {RC_FIELD(EQUATION, NUMBER, above), .key = "numerator", .when = is_fraction},
    {RC_FIELD(EQUATION, NUMBER, below), .key = "denominator", .when = is_fraction},
    {.kind = RC_AS_COMPUTED,
     .key = "terms",
     .json = equation_terms_json,
     .type = "list",
     .fields = term_fields,
     .when = is_sum},
    RC_FIELDS_END};

#define VALUE(type, member) RC_FIELD(type, JSON, member), .fields = rc_answer_value

#define END struct rc_answer_slowdown_end
static bool has_equations(const void *record)
{
    return ((const END *)record)->equations != NULL;
}

static const struct rc_field end_fields[] = {
    {RC_FIELD(END, JSON, equations), .key = "equations", .type = "list",
     .fields = rc_answer_equation, .when = has_equations},
    {RC_FIELD(END, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

static void begin_equation(EQUATION *equation, const char *name, double value)
{
    equation->name = name;
    equation->text[0] = '\0';
    equation->value = value;
    equation->above = equation->below = NAN;
    equation->sum = false;
    equation->n = 0;
}

static void add_number(EQUATION *equation, const char *before, double value, int digits)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, digits, number);
    rc_text_append(equation->text, sizeof equation->text, "%s%s", before, number);
}

void rc_answer_equation_local(const struct rc_local_host *host, const struct rc_local *local,
                              enum rc_local_model model, EQUATION *equation)
{
    begin_equation(equation, model == RC_LOCAL_PAPER ? "Eq. 2" : "queue", local->slowdown);
    equation->sum = true;
    equation->n = rc_slowdown_local_terms(host, local, model, equation->terms);
    rc_text_append(equation->text, sizeof equation->text, "1");
    for (size_t i = 0; i < equation->n; i++) {
        const struct rc_local_term *term = &equation->terms[i];

        add_number(equation, " + ", isnan(term->p) ? term->adds : term->p, 3);
        if (isnan(term->p))
            rc_text_append(equation->text, sizeof equation->text, " (%s)", term->by);
        else
            add_number(equation, " x ", term->times, 3);
    }
    add_number(equation, " = ", equation->value, 3);
}

void rc_answer_equation_comm(double idle_rate, double current_rate, EQUATION *equation)
{
    char above[RC_UNIT_SIZE], below[RC_UNIT_SIZE];

    begin_equation(equation, "Eq. 3", rc_slowdown_burst_slowdown(idle_rate, current_rate));
    equation->above = idle_rate;
    equation->below = current_rate;
    rc_unit_format(idle_rate, RC_RATE, above);
    rc_unit_format(current_rate, RC_RATE, below);
    rc_text_append(equation->text, sizeof equation->text, "idle rate / current rate: %s / %s",
                   above, below);
    add_number(equation, " = ", equation->value, 4);
}

void rc_answer_equation_aggregate(const struct rc_aggregate *aggregate, enum rc_split split,
                                  bool uniform, const struct rc_aggregate_node *terms,
                                  EQUATION *equation)
{
    begin_equation(equation,
                   split == RC_SPLIT_LOAD    ? "Eq. 5"
                   : uniform                 ? "Eq. 12"
                   : isnan(terms->dedicated) ? "Eq. 8"
                                             : "Eq. 9",
                   aggregate->slowdown);
    equation->above = aggregate->above;
    equation->below = aggregate->below;
    add_number(equation,
               split == RC_SPLIT_LOAD ? "sum of w / sum of w/sd: "
                                      : "max (1+ew) x sd/w / max dedicated (1+ew)/w: ",
               equation->above, 3);
    add_number(equation, " / ", equation->below, 3);
    add_number(equation, " = ", equation->value, 3);
}

void rc_answer_equation_network(double computing, double communicating, double link_slowdown,
                                EQUATION *equation)
{
    begin_equation(equation, "with messages",
                   rc_slowdown_aggregate_network(computing, link_slowdown, communicating));
    rc_text_append(equation->text, sizeof equation->text, "(1 - %.3g)", communicating);
    add_number(equation, " x ", computing, 4);
    rc_text_append(equation->text, sizeof equation->text, " + %.3g x %.4g", communicating,
                   link_slowdown);
    add_number(equation, " = ", equation->value, 4);
}

/* ---- one host ---- */

#define TERM struct rc_answer_term
const struct rc_field rc_answer_term[] = {
    {RC_FIELD(TERM, SIZE, i), .key = "active_competitors", .title = "i"},
    {RC_FIELD(TERM, NUMBER, compute), .key = "compute_probability", .title = "P(compute)"},
    {RC_FIELD(TERM, NUMBER, adds), .title = "adds"},
    {RC_FIELD(TERM, NUMBER, communicate), .key = "communicate_probability",
     .title = "P(communicate)"},
    {RC_FIELD(TERM, NUMBER, delay), .key = "delay", .title = "delay"},
    RC_FIELDS_END};

struct rc_answer_term rc_answer_term_of(const struct rc_local_host *host,
                                        const struct rc_local *local, size_t i)
{
    return (struct rc_answer_term){i, local->computing.p[i],
                                   rc_slowdown_local_added(host, (double)i),
                                   local->communicating.p[i], local->delays[i]};
}

#define LOCAL struct rc_answer_local
static bool is_answer(const void *record)
{
    return ((const LOCAL *)record)->model != NULL;
}

static json_t *competitors_json(const void *record)
{
    const struct rc_local_host *host = &((const LOCAL *)record)->host;

    return list_json(host->competitors, host->n_competitors);
}

static json_t *terms_json(const void *record)
{
    const LOCAL *answer = record;
    json_t *list = json_array();

    for (size_t i = 0; i <= answer->local.computing.n; i++) {
        struct rc_answer_term term = rc_answer_term_of(&answer->host, &answer->local, i);

        json_array_append_new(list, rc_field_json(rc_answer_term, &term));
    }
    return list;
}

const struct rc_field rc_answer_local[] = {
    {RC_FIELD(LOCAL, TEXT, model), .key = "model", .when = is_answer},
    {RC_FIELD(LOCAL, NUMBER, paper), .key = "paper"},
    {RC_FIELD(LOCAL, NUMBER, queue), .key = "queue"},
    {RC_FIELD(LOCAL, NUMBER, local.by_computing), .key = "by_computing", .when = is_answer},
    {RC_FIELD(LOCAL, NUMBER, local.by_communicating), .key = "by_communicating", .when = is_answer},
    {RC_FIELD(LOCAL, NUMBER, local.by_memory), .key = "by_memory", .when = is_answer},
    {RC_FIELD(LOCAL, NUMBER, host.bandwidth), .key = "bandwidth_bytes_per_s"},
    {RC_FIELD(LOCAL, INT, host.cores), .key = "cores"},
    {RC_FIELD(LOCAL, TEXT, cores_from), .key = "cores_from"},
    {RC_FIELD(LOCAL, INT, host.processes), .key = "procs"},
    {RC_FIELD(LOCAL, NUMBER, host.memory), .key = "memory_bound_fraction", .when = is_answer},
    {.kind = RC_AS_COMPUTED, COMPETITORS(competitors_json)},
    {.kind = RC_AS_COMPUTED,
     .key = "terms",
     .json = terms_json,
     .type = "list",
     .fields = rc_answer_term},
    RC_FIELDS_END};

#define LOCAL_DOCUMENT struct rc_answer_slowdown_local
const struct rc_field rc_answer_slowdown_local[] = {
    {VALUE(LOCAL_DOCUMENT, slowdown), .key = "slowdown"},
    {RC_FIELD(LOCAL_DOCUMENT, INLINE, local), .fields = rc_answer_local},
    {RC_FIELD(LOCAL_DOCUMENT, INLINE, end), .fields = end_fields},
    RC_FIELDS_END};

/* ---- several hosts ---- */

#define NODE struct rc_answer_node
static json_t *node_competitors_json(const void *record)
{
    const struct rc_node *node = ((const NODE *)record)->is;

    return list_json(node->competitors, node->n_competitors);
}

static void decides_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const NODE *)record)->decides ? "<- slowest" : "");
}

static const struct rc_field node_fields[] = {
    {RC_FIELD(NODE, TEXT, name), .key = "name", .title = "host"},
    {RC_FIELD(NODE, NUMBER, term.weight), .key = "relative_speed", .title = "w"},
    {RC_FIELD(NODE, NUMBER, term.slowdown), .key = "slowdown", .title = "sd"},
    {RC_FIELD(NODE, BOOL, given), .key = "slowdown_given"},
    {RC_FIELD(NODE, INT, cores), .key = "cores"},
    {RC_FIELD(NODE, INT, processes), .key = "procs"},
    RC_FIELDS_END};

const struct rc_field rc_answer_node_load[] = {{.kind = RC_AS_INLINE, .fields = node_fields},
                                               {RC_FIELD(NODE, NUMBER, capacity), .title = "w/sd"},
                                               RC_FIELDS_END};

const struct rc_field rc_answer_node_constraint[] = {
    {.kind = RC_AS_INLINE, .fields = node_fields},
    {RC_FIELD(NODE, NUMBER, term.work), .title = "f"},
    {RC_FIELD(NODE, NUMBER, row.extra), .title = "ew"},
    {RC_FIELD(NODE, NUMBER, row.shared), .title = "(1+ew) x sd/w"},
    {RC_FIELD(NODE, NUMBER, row.alone), .title = "dedicated (1+ew)/w"},
    {.kind = RC_AS_COMPUTED, .title = "", .text = decides_text},
    RC_FIELDS_END};

static bool is_load(const void *record)
{
    return !((const NODE *)record)->constraint;
}

static bool is_constraint(const void *record)
{
    return ((const NODE *)record)->constraint;
}

static const struct rc_field node_document_fields[] = {
    {.kind = RC_AS_INLINE, .fields = node_fields},
    {RC_FIELD(NODE, NUMBER, capacity), .key = "capacity", .when = is_load},
    {RC_FIELD(NODE, NUMBER, term.work), .key = "work_fraction", .when = is_constraint},
    {RC_FIELD(NODE, NUMBER, row.dedicated), .key = "dedicated_work_fraction",
     .when = is_constraint},
    {RC_FIELD(NODE, NUMBER, row.extra), .key = "extra_work_fraction", .when = is_constraint},
    {RC_FIELD(NODE, NUMBER, row.shared), .key = "relative_time", .when = is_constraint},
    {RC_FIELD(NODE, NUMBER, row.alone), .key = "dedicated_relative_time", .when = is_constraint},
    {.kind = RC_AS_COMPUTED, COMPETITORS(node_competitors_json)},
    RC_FIELDS_END};

struct rc_answer_node *rc_answer_nodes_make(const struct rc_slowdown_nodes *nodes,
                                            const struct rc_aggregate_node *terms,
                                            enum rc_split split, size_t slowest)
{
    NODE *made = calloc(nodes->n, sizeof *made);

    for (size_t i = 0; made && i < nodes->n; i++) {
        const struct rc_node *node = &nodes->items[i];

        made[i] = (NODE){.is = node,
                         .name = node->name,
                         .cores = node->cores,
                         .processes = node->processes,
                         .term = terms[i],
                         .row = rc_slowdown_nodes_row(&terms[i], nodes->n),
                         .capacity = terms[i].weight / terms[i].slowdown,
                         .given = !isnan(node->slowdown),
                         .decides = i == slowest,
                         .constraint = split == RC_SPLIT_CONSTRAINT};
    }
    return made;
}

#define AGGREGATE struct rc_answer_aggregate
static bool has_slowest(const void *record)
{
    return ((const AGGREGATE *)record)->slowest != NULL;
}

const struct rc_field rc_answer_aggregate[] = {
    {RC_FIELD(AGGREGATE, TEXT, policy), .key = "policy"},
    {RC_FIELD(AGGREGATE, TEXT, model), .key = "model"},
    {RC_FIELD(AGGREGATE, NUMBER, aggregate.slowdown), .key = "compute_slowdown"},
    {RC_FIELD(AGGREGATE, NUMBER, aggregate.above), .key = "numerator"},
    {RC_FIELD(AGGREGATE, NUMBER, aggregate.below), .key = "denominator"},
    {RC_FIELD(AGGREGATE, TEXT, slowest), .key = "slowest_host", .when = has_slowest},
    {RC_FIELD_LIST_OF(AGGREGATE, nodes, n), .key = "hosts", .fields = node_document_fields},
    RC_FIELDS_END};

#define AGGREGATE_DOCUMENT struct rc_answer_slowdown_aggregate
static bool has_network(const void *record)
{
    return ((const AGGREGATE_DOCUMENT *)record)->communicating > 0;
}

const struct rc_field rc_answer_slowdown_aggregate[] = {
    {RC_FIELD(AGGREGATE_DOCUMENT, INLINE, aggregate), .fields = rc_answer_aggregate},
    {VALUE(AGGREGATE_DOCUMENT, slowdown), .key = "slowdown"},
    {RC_FIELD(AGGREGATE_DOCUMENT, NUMBER, communicating), .key = "communicating_fraction",
     .when = has_network},
    {RC_FIELD(AGGREGATE_DOCUMENT, NUMBER, link_slowdown), .key = "link_slowdown",
     .when = has_network},
    {RC_FIELD(AGGREGATE_DOCUMENT, INLINE, end), .fields = end_fields},
    RC_FIELDS_END};

/* ---- predictions ---- */

#define CONTENTION struct rc_answer_contention
static const struct rc_field uncertainty_fields[] = {
    {RC_FIELD(CONTENTION, NUMBER, spread), .key = "variation_fraction"},
    {RC_FIELD(CONTENTION, NUMBER, model_error), .key = "model_error_fraction"},
    {RC_FIELD(CONTENTION, SIZE, doubts.long_cycles), .key = "long_cycles"},
    {RC_FIELD(CONTENTION, NUMBER, doubts.longest), .key = "longest_cycle_s"},
    {RC_FIELD(CONTENTION, SIZE, doubts.come_and_go), .key = "come_and_go"},
    {RC_FIELD(CONTENTION, SIZE, doubts.ranges), .key = "ranges"},
    {RC_FIELD(CONTENTION, SIZE, doubts.unknown), .key = "unknown_competitors"},
    RC_FIELDS_END};

const struct rc_field rc_answer_contention[] = {
    {RC_FIELD(CONTENTION, NUMBER, dedicated), .key = "dedicated_s"},
    {RC_FIELD(CONTENTION, JSON, time), .key = "time", .fields = rc_answer_value_time},
    {VALUE(CONTENTION, slowdown), .key = "slowdown"},
    {.kind = RC_AS_OBJECT, .key = "uncertainty", .fields = uncertainty_fields},
    {RC_FIELD(CONTENTION, NUMBER, communicating), .key = "communicating_fraction"},
    {RC_FIELD(CONTENTION, NUMBER, link_slowdown), .key = "link_slowdown"},
    {RC_FIELD(CONTENTION, TEXT, model), .key = "model"},
    {RC_FIELD(CONTENTION, TEXT, coupling), .key = "coupling"},
    {RC_FIELD(CONTENTION, INT64, samples), .key = "sample_count"},
    {RC_FIELD(CONTENTION, INT64, seed), .key = "seed"},
    {RC_FIELD(CONTENTION, POINTER, aggregate), .key = "aggregate", .fields = rc_answer_aggregate,
     .optional = true},
    {RC_FIELD(CONTENTION, POINTER, local), .key = "local", .fields = rc_answer_local,
     .optional = true},
    {RC_FIELD(CONTENTION, INLINE, end), .fields = end_fields},
    RC_FIELDS_END};

/* ---- messages ---- */

#define COMM struct rc_answer_comm
static bool has_burst(const void *record)
{
    return ((const COMM *)record)->burst.messages > 0;
}

static bool is_measured(const void *record)
{
    return ((const COMM *)record)->measured > 0;
}

const struct rc_field rc_answer_comm[] = {
    {VALUE(COMM, slowdown), .key = "slowdown"},
    {RC_FIELD(COMM, NUMBER, idle_rate), .key = "idle_rate_bytes_per_s"},
    {RC_FIELD(COMM, NUMBER, current_rate), .key = "current_rate_bytes_per_s"},
    {RC_FIELD(COMM, NUMBER, burst.messages), .key = "messages", .when = has_burst},
    {RC_FIELD(COMM, NUMBER, burst.bytes), .key = "message_bytes", .when = has_burst},
    {RC_FIELD(COMM, CHARS, from), .key = "from", .when = is_measured},
    {RC_FIELD(COMM, CHARS, to), .key = "to", .when = is_measured},
    {RC_FIELD(COMM, SIZE, measured), .key = "measured_bursts", .when = is_measured},
    {RC_FIELD(COMM, INLINE, end), .fields = end_fields},
    RC_FIELDS_END};

#define BURST struct rc_slowdown_burst_rate
static void megabytes_text(const void *record, char *text, size_t size)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(((const BURST *)record)->rate / 1e6, 4, number);
    snprintf(text, size, "%s", number);
}

const struct rc_field rc_answer_burst[] = {
    {RC_FIELD(BURST, NUMBER, burst.messages), .key = "messages", .title = "messages", .digits = 4},
    {RC_FIELD(BURST, NUMBER, burst.bytes), .key = "message_bytes", .title = "message bytes",
     .digits = 4},
    {RC_FIELD(BURST, RATE, rate), .key = "rate_bytes_per_s", .title = "rate"},
    {RC_FIELD(BURST, NUMBER, rate), .title = "MB/s", .text = megabytes_text},
    RC_FIELDS_END};

#define BURSTS struct rc_answer_bursts
const struct rc_field rc_answer_bursts[] = {{RC_FIELD(BURSTS, TEXT, to), .key = "to"},
                                            {RC_FIELD(BURSTS, INT64, repeat), .key = "repeat"},
                                            {RC_FIELD_LIST_OF(BURSTS, bursts, n), .key = "bursts",
                                             .fields = rc_answer_burst},
                                            RC_FIELDS_END};

/* ---- calibrations ---- */

/* "1.05 (1 other)", or "1.05 (1 other), 1.62 (7 others)" */
static void memory_text(const void *record, char *text, size_t size)
{
    const struct rc_memory_curve *curve =
        &((const struct rc_slowdown_calibration_host *)record)->memory;
    char first[RC_NUMBER_SIZE], last[RC_NUMBER_SIZE];

    snprintf(text, size, "-");
    if (curve->n == 0)
        return;
    rc_number_format_short(curve->slowdown[0], 4, first);
    rc_number_format_short(curve->slowdown[curve->n - 1], 4, last);
    if (curve->n == 1)
        snprintf(text, size, "%s (1 other)", first);
    else
        snprintf(text, size, "%s (1 other), %s (%zu others)", first, last, curve->n);
}

#define CALIBRATED struct rc_slowdown_calibration_host
const struct rc_field rc_answer_calibration_host[] = {
    {RC_FIELD(CALIBRATED, CHARS, name), .title = "host"},
    {RC_FIELD(CALIBRATED, INT, cores), .title = "cores"},
    {RC_FIELD(CALIBRATED, SECONDS, seconds), .title = "benchmark"},
    {RC_FIELD(CALIBRATED, NUMBER, weight), .title = "weight", .digits = 4},
    {.kind = RC_AS_COMPUTED, .title = "slowdown by memory contention", .text = memory_text},
    RC_FIELDS_END};

/* ---- tasks ---- */

#define TASK struct rc_answer_task
const struct rc_field rc_answer_task[] = {
    {RC_FIELD(TASK, TEXT, name), .key = "name", .title = "task"},
    {RC_FIELD(TASK, TEXT, machine), .key = "machine", .title = "machine"},
    {RC_FIELD(TASK, SECONDS, execution), .key = "time_s", .title = "time"},
    {RC_FIELD(TASK, SECONDS, transfer), .key = "transfer_s", .title = "transfer"},
    RC_FIELDS_END};

#define ALLOCATION struct rc_answer_allocation
const struct rc_field rc_answer_allocation[] = {
    {RC_FIELD(ALLOCATION, NUMBER, time), .key = "time_s"},
    {RC_FIELD(ALLOCATION, BOOL, tie), .key = "tie"},
    {RC_FIELD_LIST_OF(ALLOCATION, tasks, n), .key = "tasks", .fields = rc_answer_task},
    RC_FIELDS_END};

int rc_answer_allocation_make(const struct rc_allocation_file *file,
                              const struct rc_mapping *mapping, struct rc_answer_allocation *answer)
{
    struct rc_allocation allocation = rc_slowdown_allocation_file_view(file);

    *answer = (ALLOCATION){mapping->seconds, mapping->tie,
                           calloc(file->n_tasks, sizeof *answer->tasks), file->n_tasks};
    for (size_t i = 0; answer->tasks && i < answer->n; i++) {
        struct rc_allocation_step step =
            rc_slowdown_allocation_step(&allocation, mapping->machines, i);

        answer->tasks[i] = (TASK){file->tasks[i], file->machines[mapping->machines[i]],
                                  step.execution, step.transfer};
    }
    return answer->tasks ? 0 : -1;
}
