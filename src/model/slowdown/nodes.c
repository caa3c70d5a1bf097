// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes.c - slowdown of a parallel program by competitors on its hosts. */
#include "model/slowdown/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/slowdown/local_estimate.h"

/* ---- what the file leaves open ---- */

unsigned rc_slowdown_nodes_parts(const struct rc_slowdown_nodes *nodes)
{
    unsigned parts = 0;

    for (size_t i = 0; i < nodes->n; i++)
        parts |= (isnan(nodes->items[i].weight) ? RC_CALIBRATION_WEIGHTS : 0) |
                 (nodes->items[i].memory > 0 ? RC_CALIBRATION_MEMORY : 0);
    for (size_t i = 0; i < nodes->n_groups && !nodes->has_delay; i++)
        parts |= nodes->groups[i].competitor.communicate.high > 0 ? RC_CALIBRATION_DELAY : 0;
    return parts;
}

static void take_calibrated(struct rc_slowdown_nodes *nodes,
                            const struct rc_calibration *calibration)
{
    for (size_t i = 0; i < nodes->n; i++) {
        struct rc_node *node = &nodes->items[i];
        const struct rc_slowdown_calibration_host *host =
            rc_slowdown_calibration_host(calibration, node->name);

        if (!host)
            continue;
        if (isnan(node->weight))
            node->weight = host->weight;
        if (node->cores == 0)
            node->cores = host->cores;
        node->memory_curve = &host->memory;
    }
    if (!nodes->has_delay && calibration->delay.n > 0) {
        nodes->delay = calibration->delay;
        nodes->has_delay = true;
    }
}

static int settle_weights(struct rc_slowdown_nodes *nodes, struct rc_error *error)
{
    size_t known = 0, missing = 0;

    for (size_t i = 0; i < nodes->n; i++)
        if (isnan(nodes->items[i].weight))
            missing = i;
        else
            known++;
    if (known > 0 && known < nodes->n) {
        rc_error_set(error, "unknown weight of host '%.100s', but other hosts have one",
                     nodes->items[missing].name);
        return rc_error_hint(error, "add 'weight' or 'seconds' to all hosts, or to none");
    }
    for (size_t i = 0; i < nodes->n; i++) {
        if (known == 0)
            nodes->items[i].weight = 1;
        nodes->items[i].cores_guessed = nodes->items[i].cores == 0;
        if (nodes->items[i].cores == 0)
            nodes->items[i].cores = 1;
    }
    return 0;
}

/* ---- competitors ---- */

static int make_room(struct rc_slowdown_nodes *nodes, struct rc_error *error)
{
    for (size_t g = 0; g < nodes->n_groups; g++)
        for (size_t i = 0; i < nodes->groups[g].n_nodes; i++)
            nodes->items[nodes->groups[g].nodes[i]].n_competitors += nodes->groups[g].count;
    for (size_t i = 0; i < nodes->n; i++) {
        struct rc_node *node = &nodes->items[i];

        if (node->n_competitors == 0)
            continue;
        node->competitors = calloc(node->n_competitors, sizeof *node->competitors);
        if (!node->competitors)
            return rc_error_no_memory(error);
        node->n_competitors = 0;
    }
    return 0;
}

static struct rc_share share_of(struct rc_share share, double part)
{
    return (struct rc_share){share.low * part, share.high * part};
}

/* The share of computing of a coupled group on each of its hosts, relative to that without
 * waiting. */
static void find_parts(const struct rc_slowdown_nodes *nodes, const struct rc_node_group *group,
                       double *work, double *weights, double *parts)
{
    for (size_t i = 0; i < group->n_nodes; i++) {
        work[i] = group->work ? group->work[i] : 1 / (double)group->n_nodes;
        weights[i] = nodes->items[group->nodes[i]].weight;
        parts[i] = 1;
    }
    if (group->coupled)
        rc_observe_competitor_couple(work, weights, group->n_nodes, parts);
}

static int place_group(struct rc_slowdown_nodes *nodes, const struct rc_node_group *group,
                       struct rc_error *error)
{
    double *numbers = calloc(3 * group->n_nodes, sizeof *numbers), *parts;

    if (!numbers)
        return rc_error_no_memory(error);
    parts = numbers + 2 * group->n_nodes;
    find_parts(nodes, group, numbers, numbers + group->n_nodes, parts);
    for (size_t i = 0; i < group->n_nodes; i++) {
        struct rc_node *node = &nodes->items[group->nodes[i]];
        struct rc_competitor here = group->competitor;

        here.compute = share_of(here.compute, parts[i]);
        for (size_t k = 0; k < group->count; k++)
            node->competitors[node->n_competitors++] = here;
    }
    free(numbers);
    return 0;
}

int rc_slowdown_nodes_settle(struct rc_slowdown_nodes *nodes,
                             const struct rc_calibration *calibration, struct rc_error *error)
{
    if (calibration)
        take_calibrated(nodes, calibration);
    if (settle_weights(nodes, error) || make_room(nodes, error))
        return -1;
    for (size_t g = 0; g < nodes->n_groups; g++)
        if (place_group(nodes, &nodes->groups[g], error))
            return -1;
    return 0;
}

/* A host for local_slowdown.h.  Without communicating competitors, no bandwidth is needed. */
static struct rc_local_host local_host(const struct rc_slowdown_nodes *nodes, size_t i)
{
    const struct rc_node *node = &nodes->items[i];

    return (struct rc_local_host){
        .cores = node->cores,
        .processes = node->processes,
        .competitors = node->competitors,
        .n_competitors = node->n_competitors,
        .delay =
            nodes->has_delay && rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                             RC_COMPETITOR_COMMUNICATES) > 0
                ? &nodes->delay
                : NULL,
        .bandwidth = nodes->bandwidth,
        .shared_link = nodes->shared_link,
        .memory = node->memory,
        .memory_curve = node->memory_curve,
    };
}

size_t rc_slowdown_nodes_count(const struct rc_slowdown_nodes *nodes,
                               enum rc_competitor_trait trait)
{
    size_t count = 0;

    for (size_t i = 0; i < nodes->n; i++)
        if (isnan(nodes->items[i].slowdown))
            count += rc_observe_competitors_count(nodes->items[i].competitors,
                                                  nodes->items[i].n_competitors, trait);
    return count;
}

void rc_slowdown_nodes_doubt(const struct rc_slowdown_nodes *nodes, double seconds,
                             struct rc_slowdown_doubts *doubts)
{
    for (size_t i = 0; i < nodes->n; i++)
        if (isnan(nodes->items[i].slowdown))
            rc_slowdown_doubt(nodes->items[i].competitors, nodes->items[i].n_competitors, seconds,
                              doubts);
}

/* ---- what it comes to ---- */

static int local_of(const struct rc_slowdown_nodes *nodes, size_t i, enum rc_local_model model,
                    double *slowdown, unsigned *notes, struct rc_error *error)
{
    struct rc_error inner = {0};
    struct rc_local local = {0};
    struct rc_local_host host;
    enum rc_local_method method;
    int status;

    *slowdown = nodes->items[i].slowdown;
    if (!isnan(*slowdown))
        return 0;
    host = local_host(nodes, i);
    status = rc_slowdown_local_find(&host, model, &local, &method, &inner);
    *slowdown = local.slowdown;
    if (notes)
        *notes |= local.notes | ((unsigned)method != (unsigned)model ? RC_NODES_WEIGHTS : 0);
    rc_slowdown_local_free(&local);
    if (status) {
        rc_error_set(error, "host '%.100s': %s", nodes->items[i].name, inner.text);
        if (host.delay && host.delay->n > 0 && isnan(host.bandwidth))
            rc_error_hint(error, "add 'bandwidth' to the file");
        else
            rc_error_hint_of(error, &inner);
    }
    return status;
}

int rc_slowdown_nodes_compute(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                              bool uniform, enum rc_local_model model,
                              struct rc_aggregate_node *terms, struct rc_aggregate *aggregate,
                              unsigned *notes, struct rc_error *error)
{
    double equal = 1 / (double)nodes->n;

    if (notes)
        *notes = 0;
    for (size_t i = 0; i < nodes->n; i++) {
        const struct rc_node *node = &nodes->items[i];

        terms[i] = (struct rc_aggregate_node){
            .weight = node->weight,
            .work = isnan(node->work) ? equal : node->work,
            .dedicated = uniform ? equal : node->dedicated,
        };
        if (local_of(nodes, i, model, &terms[i].slowdown, notes, error))
            return -1;
    }
    return rc_slowdown_aggregate_compute(terms, nodes->n, split, aggregate, error);
}

struct rc_node_row rc_slowdown_nodes_row(const struct rc_aggregate_node *term, size_t n)
{
    struct rc_node_row row = {
        .dedicated = isnan(term->dedicated) ? term->work : term->dedicated,
        .extra = rc_slowdown_aggregate_extra(term->work, n),
    };

    row.shared = (1 + row.extra) * term->slowdown / term->weight;
    row.alone = (1 + rc_slowdown_aggregate_extra(row.dedicated, n)) / term->weight;
    return row;
}

/* Local slowdowns at one end of the shares; returns 1 if they differ from those at the other. */
static int take_ends(const struct rc_slowdown_nodes *nodes, enum rc_local_model model, bool high,
                     struct rc_aggregate_node *terms, struct rc_error *error)
{
    int differ = 0;

    for (size_t i = 0; i < nodes->n; i++) {
        struct rc_local_host host;
        struct rc_value *value;

        if (!isnan(nodes->items[i].slowdown))
            continue;
        host = local_host(nodes, i);
        value = rc_slowdown_local_value(&host, model, error);
        if (!value)
            return -1;
        terms[i].slowdown = high ? rc_value_high(value) : rc_value_low(value);
        differ = differ || rc_value_high(value) > rc_value_low(value);
        rc_value_drop(value);
    }
    return differ;
}

struct rc_value *rc_slowdown_nodes_value(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                         const struct rc_aggregate_node *terms,
                                         enum rc_local_model model, double communicating,
                                         double link, struct rc_error *error)
{
    struct rc_aggregate_node *ends = malloc(nodes->n * sizeof *ends);
    double slowdown[2] = {0};
    int differ = 1;

    if (!ends) {
        rc_error_no_memory(error);
        return NULL;
    }
    for (int high = 0; high < 2 && differ > 0; high++) {
        struct rc_aggregate aggregate;

        memcpy(ends, terms, nodes->n * sizeof *ends);
        differ = take_ends(nodes, model, high, ends, error);
        if (differ < 0 || rc_slowdown_aggregate_compute(ends, nodes->n, split, &aggregate, error)) {
            free(ends);
            return NULL;
        }
        slowdown[high] = aggregate.slowdown;
        if (communicating > 0)
            slowdown[high] = rc_slowdown_aggregate_network(aggregate.slowdown, link, communicating);
    }
    free(ends);
    return differ ? rc_value_interval(fmin(slowdown[0], slowdown[1]),
                                      fmax(slowdown[0], slowdown[1]), error)
                  : rc_value_point(slowdown[0], error);
}

/* Policy constraint: seconds of a host are its work divided by its weight, scaled so that the
 * slowest host of the dedicated run takes the dedicated run time. */
static double constraint_unit(const struct rc_aggregate_node *terms, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, (isnan(terms[i].dedicated) ? terms[i].work : terms[i].dedicated) /
                              terms[i].weight);
    return most;
}

/* Policy load: parts are proportional to w / sd, and the sum is the work of the dedicated run. */
static double load_seconds(const struct rc_aggregate_node *terms, size_t n, size_t i)
{
    double able = 0, left = 0;

    for (size_t j = 0; j < n; j++) {
        able += terms[j].weight;
        left += terms[j].weight / terms[j].slowdown;
    }
    return able / left / terms[i].slowdown;
}

double rc_slowdown_nodes_contention(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                    const struct rc_aggregate_node *terms, double dedicated,
                                    struct rc_contention_host *hosts)
{
    double unit = constraint_unit(terms, nodes->n), longest = 0;

    for (size_t i = 0; i < nodes->n; i++) {
        double part = split == RC_SPLIT_LOAD ? load_seconds(terms, nodes->n, i)
                                             : terms[i].work / terms[i].weight / unit;

        hosts[i].local = local_host(nodes, i);
        hosts[i].work = part * dedicated;
        if (!isnan(nodes->items[i].slowdown) ||
            nodes->items[i].n_competitors > RC_CONTENTION_COMPETITORS_MAX) {
            hosts[i].local.n_competitors = 0;
            hosts[i].work *= terms[i].slowdown;
        }
        longest = fmax(longest, hosts[i].work);
    }
    return longest;
}
