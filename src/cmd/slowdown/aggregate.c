// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate.c - 'runcast slowdown aggregate': slowdown of a parallel program on shared hosts. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "cmd/slowdown/slowdown.h"
#include "report/cell.h"

struct aggregate_options {
    struct rc_cmd_hosts_options hosts;
    double communicating, link_slowdown;
    const char *db;
    bool json, explain;
};

static const struct aggregate_options aggregate_defaults = {.link_slowdown = NAN};

static const struct rc_option aggregate_options[] = {
    RC_OPTIONS_HOSTS_FILE(struct aggregate_options, hosts),
    RC_OPTION_PLATFORM_HOSTS(struct aggregate_options, hosts.platform),
    RC_OPTION_SLOWDOWN_MODEL(struct aggregate_options, hosts.model),
    RC_OPTIONS_NETWORK(struct aggregate_options),
    RC_OPTION_EXPLAIN(struct aggregate_options),
    RC_OPTION_DB(struct aggregate_options),
    RC_OPTION_JSON(struct aggregate_options),
    RC_OPTIONS_END,
};

static int show(const struct aggregate_options *options, const struct rc_cmd_hosts *all,
                const struct rc_value *value, const struct rc_answer_equation *network)
{
    struct rc_error error = {0};
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(network->value, 4, number);
    printf("slowdown of the program on %zu host%s: %s", all->nodes.n,
           rc_cell_plural((long long)all->nodes.n, "s"), number);
    if (rc_value_kind(value) != RC_POINT)
        printf(" (%.4g to %.4g, from the ranges of shares)", rc_value_low(value),
               rc_value_high(value));
    printf("\n");
    if (options->explain && rc_cmd_hosts_explain(all, &error))
        return rc_cmd_fail(&error, "showing the equations");
    if (options->explain && options->communicating > 0)
        printf("with the network: %s\n", network->text);
    return RC_EXIT_OK;
}

static int write_json(const struct aggregate_options *options, const struct rc_cmd_hosts *all,
                      const struct rc_value *value, const struct rc_answer_equation *network)
{
    struct rc_answer_slowdown_aggregate answer = {.communicating = options->communicating,
                                                  .link_slowdown = options->link_slowdown};
    struct rc_answer_equation equations[2];
    struct rc_error error = {0};

    if (rc_cmd_hosts_answer(all, &answer.aggregate, &error))
        return rc_cmd_fail(&error, "showing the slowdown");
    rc_cmd_hosts_equation(all, &equations[0]);
    equations[1] = *network;
    answer.slowdown = rc_cmd_slowdown_json(value, 0.9, network->value);
    answer.end = rc_cmd_slowdown_end(options->explain ? equations : NULL,
                                     options->communicating > 0 ? 2 : 1);
    rc_cmd_print_json(rc_field_json(rc_answer_slowdown_aggregate, &answer));
    json_decref(answer.slowdown);
    rc_cmd_slowdown_end_free(&answer.end);
    free(answer.aggregate.nodes);
    return RC_EXIT_OK;
}

static int answer(const struct aggregate_options *options, const struct rc_cmd_hosts *all)
{
    struct rc_error error = {0};
    struct rc_value *value =
        rc_slowdown_nodes_value(&all->nodes, all->split, all->terms, all->model,
                                options->communicating, options->link_slowdown, &error);
    struct rc_answer_equation network;
    int status = RC_EXIT_OK;

    if (!value)
        return rc_cmd_fail(&error, "computing the slowdown");
    rc_answer_equation_network(all->aggregate.slowdown, options->communicating,
                               options->communicating > 0 ? options->link_slowdown : 1, &network);
    if (options->json)
        status = write_json(options, all, value, &network);
    else
        status = show(options, all, value, &network);
    rc_value_drop(value);
    return status;
}

static int run_aggregate(struct rc_invocation *invocation)
{
    const struct aggregate_options *options = invocation->options;
    struct rc_cmd_hosts all;
    int status;

    if ((status = rc_cmd_hosts_check(invocation, &options->hosts)) ||
        (status = rc_cmd_network_check(invocation, options->communicating, options->link_slowdown)))
        return status;
    status = rc_cmd_hosts_read(&options->hosts, options->db, &all);
    if (status == RC_EXIT_OK) {
        rc_cmd_note_leaving(rc_slowdown_nodes_count(&all.nodes, RC_COMPETITOR_LEAVES));
        rc_cmd_note_cycles(rc_slowdown_nodes_count(&all.nodes, RC_COMPETITOR_CYCLES), false);
        rc_cmd_note_coreless(all.coreless);
        status = answer(options, &all);
    }
    rc_cmd_hosts_free(&all);
    return status;
}

const struct rc_command rc_command_slowdown_aggregate = {
    .name = "aggregate",
    .summary = "Compute the slowdown of a parallel program on shared hosts",
    .details =
        "Combines the slowdowns of all hosts (section 6 of Figueira and Berman, 2001). With "
        "--policy load, the work is divided by the speed of the hosts under load, and all finish "
        "together (Eq. 5). With --policy constraint, it is divided by any other rule, and the "
        "slowest host decides (Eq. 9).",
    .examples = "  runcast slowdown aggregate --policy load --hosts-file cluster.yaml --explain\n"
                "  runcast slowdown aggregate --policy constraint --hosts-file cluster.yaml\n",
    .options = aggregate_options,
    .options_size = sizeof(struct aggregate_options),
    .defaults = &aggregate_defaults,
    .answers = {rc_answer_slowdown_aggregate},
    .run = run_aggregate,
};
