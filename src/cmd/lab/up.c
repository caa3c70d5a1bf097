// SPDX-License-Identifier: GPL-3.0-or-later
/* up.c - 'runcast lab up': virtual nodes. */
#include <math.h>
#include <stdlib.h>

#include "answer/lab_fields.h"
#include "base/error.h"
#include "cmd/lab/lab.h"

struct up_options {
    const char *lab;
    int64_t nodes;
    const char *link_rate;
    double cpu_share, grain, link_burst;
    bool json;
};

static const struct rc_option up_options[] = {
    {RC_OPTION_OF(struct up_options, INTEGER, nodes), .name = "nodes", .argument = "N", .least = 1,
     .help = "number of virtual nodes (default: 4)"},
    {RC_OPTION_OF(struct up_options, QUANTITY, cpu_share), .name = "cpu-share", .argument = "SHARE",
     .dimension = RC_FRACTION,
     .help = "share of a core that a node gets (default: the largest that all can have)"},
    {RC_OPTION_OF(struct up_options, TEXT, link_rate), .name = "link-rate", .argument = "RATE",
     .help = "rate of the link of each node, in each direction, such as 100Mbit (default: none, "
             "no limit)"},
    {RC_OPTION_OF(struct up_options, QUANTITY, link_burst), .name = "link-burst",
     .argument = "BYTES", .dimension = RC_BYTES,
     .help = "bytes that a link may send in one burst above its rate (default: 2 ms of it); with "
             "1600B, "
             "the smallest, short messages are also delayed"},
    RC_OPTION_LAB(struct up_options,
                  "; its nodes are NAME1, NAME2, ... (default: " RC_NODES_DEFAULT_NAME ")"),
    {RC_OPTION_OF(struct up_options, QUANTITY, grain), .name = "grain", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "period over which CPU shares are enforced (default: 250us); a shorter one costs CPU "
             "time"},
    RC_OPTION_JSON(struct up_options),
    RC_OPTIONS_END,
};

static int run_up(struct rc_invocation *invocation)
{
    const struct up_options *options = invocation->options;
    struct rc_nodes_request request = {options->lab, options->nodes, options->cpu_share,
                                       INFINITY,     options->grain, options->link_burst};
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status;

    if (rc_cmd_lab_link_rate(options->link_rate, &request.link, &error)) {
        free(testbed);
        return rc_cmd_usage(invocation, &error);
    }
    if (!testbed) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "making a lab");
    }
    rc_cmd_work_begin(&work, "making a lab");
    status = rc_nodes_up(&request, testbed, &work.monitor, &error);
    rc_cmd_work_end(&work);
    if (status)
        status = rc_cmd_fail(&error, "making the lab '%.40s'", options->lab);
    else
        status = rc_cmd_lab_show(testbed, 1, options->json);
    if (status == RC_EXIT_OK && !options->json && testbed->nodes[0].cpu < 1)
        rc_cmd_note("CPU shares are accurate for programs that compute for " RC_NODES_TRUE_FOR
                    " or more between messages (see docs/explanation/virtual-nodes.md)");
    free(testbed);
    return status;
}

const struct rc_command rc_command_lab_up = {
    .name = "up",
    .summary = "Make virtual nodes on this machine (needs root)",
    .details =
        "Each node has a host name, a network with one link to the lab's switch, and a fixed share "
        "of one core. The share does not grow when other nodes on the core are idle.\n\n"
        "While programs run in a lab, its cores are busy: idle shares are used up, and other "
        "programs on this machine get little of these cores. Core 0 is used last.",
    .examples = "  runcast lab up --nodes 4 --cpu-share 0.4 --link-rate 100Mbit # lab1 to lab4\n"
                "  runcast lab up --nodes 2 --cpu-share 1 --lab big # big1, big2: a core each\n",
    .options = up_options,
    .options_size = sizeof(struct up_options),
    .defaults = &(const struct up_options){.lab = RC_NODES_DEFAULT_NAME,
                                           .nodes = 4,
                                           .cpu_share = NAN,
                                           .link_rate = "none",
                                           .grain = RC_NODES_GRAIN,
                                           .link_burst = NAN},
    .answers = {rc_answer_labs},
    .run = run_up,
};
