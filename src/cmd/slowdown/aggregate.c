// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate.c - 'runcast slowdown aggregate': what the slowdowns of all hosts come to for
 * one parallel program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "cmd/slowdown/nodes.h"

struct aggregate_options {
    struct rc_cmd_nodes_options nodes;
    double communicating, link;
    const char *db;
    bool json, explain;
};

static const struct aggregate_options aggregate_defaults = {.link = NAN};

static const struct rc_option aggregate_options[] = {
    RC_OPTIONS_NODES(struct aggregate_options, nodes),
    RC_OPTION_PLATFORM_NODES(struct aggregate_options, nodes.platform),
    RC_OPTION_SLOWDOWN_MODEL(struct aggregate_options, nodes.model),
    RC_OPTIONS_NETWORK(struct aggregate_options),
    RC_OPTION_EXPLAIN(struct aggregate_options),
    RC_OPTION_DB(struct aggregate_options),
    RC_OPTION_JSON(struct aggregate_options),
    RC_OPTIONS_END,
};

enum { NETWORK_SIZE = 200 };

/* How the slowdowns of computing and of messages come together. */
static void write_network(const struct aggregate_options *options, const struct rc_cmd_nodes *all,
                          double total, char text[NETWORK_SIZE])
{
    char number[RC_NUMBER_SIZE], computing[RC_NUMBER_SIZE];

    rc_number_format_short(all->aggregate.slowdown, 4, computing);
    rc_number_format_short(total, 4, number);
    snprintf(text, NETWORK_SIZE, "(1 - %.3g) x %s + %.3g x %.4g = %s", options->communicating,
             computing, options->communicating, options->link, number);
}

static json_t *equations_json(const struct aggregate_options *options,
                              const struct rc_cmd_nodes *all, double total)
{
    json_t *list = rc_cmd_nodes_equations_json(all);
    char network[NETWORK_SIZE];

    if (options->communicating > 0) {
        write_network(options, all, total, network);
        json_array_append_new(list, rc_cmd_equation_json("network", network, total));
    }
    return list;
}

static int show(const struct aggregate_options *options, const struct rc_cmd_nodes *all,
                const struct rc_value *value, double total)
{
    struct rc_error error = {0};
    char number[RC_NUMBER_SIZE], network[NETWORK_SIZE];

    rc_number_format_short(total, 4, number);
    printf("the program takes %s times as long on ", number);
    if (all->nodes.n == 1)
        printf("this node");
    else
        printf("these %zu nodes", all->nodes.n);
    if (rc_value_kind(value) != RC_POINT)
        printf(" (from %.4g to %.4g, by the ranges of competitors' shares)", rc_value_low(value),
               rc_value_high(value));
    printf("\n");
    if (options->explain) {
        if (rc_cmd_nodes_explain(all, &error))
            return rc_cmd_fail(&error, "explaining");
        write_network(options, all, total, network);
        if (options->communicating > 0)
            printf("with the network: %s\n", network);
    }
    return RC_EXIT_OK;
}

static void write_json(const struct aggregate_options *options, const struct rc_cmd_nodes *all,
                       const struct rc_value *value, double total)
{
    json_t *object = rc_cmd_nodes_json(all);

    rc_json_set(object, "slowdown", rc_cmd_slowdown_json(value, total));
    if (options->communicating > 0) {
        rc_json_set(object, "communicating", rc_json_number(options->communicating));
        rc_json_set(object, "link_slowdown", rc_json_number(options->link));
    }
    if (options->explain)
        rc_json_set(object, "equations", equations_json(options, all, total));
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static int answer(const struct aggregate_options *options, const struct rc_cmd_nodes *all)
{
    struct rc_error error = {0};
    double total = all->aggregate.slowdown;
    struct rc_value *value =
        rc_slowdown_nodes_value(&all->nodes, all->split, all->terms, all->model,
                                options->communicating, options->link, &error);
    int status = RC_EXIT_OK;

    if (!value)
        return rc_cmd_fail(&error, "reckoning the slowdown");
    if (options->communicating > 0)
        total = rc_slowdown_aggregate_network(total, options->link, options->communicating);
    if (options->json)
        write_json(options, all, value, total);
    else
        status = show(options, all, value, total);
    rc_value_drop(value);
    return status;
}

/* On what matters to predictions alone, and on cores. */
static void note_all(struct rc_cmd_nodes *all)
{
    size_t leaving = 0, cycling = 0;

    for (size_t i = 0; i < all->nodes.n; i++) {
        const struct rc_node *node = &all->nodes.items[i];

        if (!isnan(node->slowdown))
            continue;
        leaving += rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                RC_COMPETITOR_LEAVES);
        cycling += rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                RC_COMPETITOR_CYCLES);
    }
    rc_cmd_note_leaving(leaving);
    rc_cmd_note_cycles(cycling, false);
    rc_cmd_note_coreless(all->coreless);
}

static int run_aggregate(struct rc_invocation *invocation)
{
    const struct aggregate_options *options = invocation->options;
    struct rc_cmd_nodes all;
    int status;

    status = rc_cmd_nodes_check(invocation, &options->nodes);
    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_network_check(invocation, options->communicating, options->link);
    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_nodes_read(&options->nodes, options->db, &all);
    if (status == RC_EXIT_OK) {
        note_all(&all);
        status = answer(options, &all);
    }
    rc_cmd_nodes_free(&all);
    return status;
}

const struct rc_command rc_command_slowdown_aggregate = {
    .name = "aggregate",
    .summary = "How much longer a parallel program takes on hosts that it shares",
    .details =
        "Section 6 of Figueira and Berman (2001). With --policy load the work is split by what "
        "hosts can do beside their competitors, and all end together (Eq. 5); with --policy "
        "constraint it is split by anything else, and the slowest host counts (Eq. 9).",
    .examples = "  runcast slowdown aggregate --policy load --nodes cluster.yaml --explain\n"
                "  runcast slowdown aggregate --policy constraint --nodes cluster.yaml\n",
    .options = aggregate_options,
    .options_size = sizeof(struct aggregate_options),
    .defaults = &aggregate_defaults,
    .run = run_aggregate,
};
