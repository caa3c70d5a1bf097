// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate.c - 'runcast slowdown aggregate': what the slowdowns of all hosts come to for one
 * parallel program. */
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cmd/slowdown/slowdown.h"

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

static int show(const struct aggregate_options *options, const struct rc_cmd_nodes *all,
                const struct rc_value *value, const struct rc_answer_equation *network)
{
    struct rc_error error = {0};
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(network->value, 4, number);
    printf("the program takes %s times as long on ", number);
    if (all->nodes.n == 1)
        printf("this node");
    else
        printf("these %zu nodes", all->nodes.n);
    if (rc_value_kind(value) != RC_POINT)
        printf(" (from %.4g to %.4g, by the ranges of competitors' shares)", rc_value_low(value),
               rc_value_high(value));
    printf("\n");
    if (options->explain && rc_cmd_nodes_explain(all, &error))
        return rc_cmd_fail(&error, "explaining");
    if (options->explain && options->communicating > 0)
        printf("with the network: %s\n", network->text);
    return RC_EXIT_OK;
}

static void write_json(const struct aggregate_options *options, const struct rc_cmd_nodes *all,
                       const struct rc_value *value, const struct rc_answer_equation *network)
{
    json_t *object = rc_cmd_nodes_json(all);
    struct rc_answer_equation equations[2];

    rc_cmd_nodes_equation(all, &equations[0]);
    equations[1] = *network;
    rc_json_set(object, "slowdown", rc_cmd_slowdown_json(value, 0.9, network->value));
    if (options->communicating > 0) {
        rc_json_set(object, "communicating", rc_json_number(options->communicating));
        rc_json_set(object, "link_slowdown", rc_json_number(options->link));
    }
    rc_cmd_slowdown_print(object, options->explain ? equations : NULL,
                          options->communicating > 0 ? 2 : 1);
}

static int answer(const struct aggregate_options *options, const struct rc_cmd_nodes *all)
{
    struct rc_error error = {0};
    struct rc_value *value =
        rc_slowdown_nodes_value(&all->nodes, all->split, all->terms, all->model,
                                options->communicating, options->link, &error);
    struct rc_answer_equation network;
    int status = RC_EXIT_OK;

    if (!value)
        return rc_cmd_fail(&error, "reckoning the slowdown");
    rc_answer_equation_network(all->aggregate.slowdown, options->communicating,
                               options->communicating > 0 ? options->link : 1, &network);
    if (options->json)
        write_json(options, all, value, &network);
    else
        status = show(options, all, value, &network);
    rc_value_drop(value);
    return status;
}

static int run_aggregate(struct rc_invocation *invocation)
{
    const struct aggregate_options *options = invocation->options;
    struct rc_cmd_nodes all;
    int status;

    if ((status = rc_cmd_nodes_check(invocation, &options->nodes)) ||
        (status = rc_cmd_network_check(invocation, options->communicating, options->link)))
        return status;
    status = rc_cmd_nodes_read(&options->nodes, options->db, &all);
    if (status == RC_EXIT_OK) {
        rc_cmd_note_leaving(rc_slowdown_nodes_count(&all.nodes, RC_COMPETITOR_LEAVES));
        rc_cmd_note_cycles(rc_slowdown_nodes_count(&all.nodes, RC_COMPETITOR_CYCLES), false);
        rc_cmd_note_coreless(all.coreless);
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
