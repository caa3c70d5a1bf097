// SPDX-License-Identifier: GPL-3.0-or-later
/* up.c - 'runcast lab up': making virtual nodes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/lab/lab.h"

struct up_options {
    const char *name;
    int64_t nodes;
    const char *link;
    double cpu, grain, burst;
    bool json;
};

static const struct rc_option up_options[] = {
    {RC_OPTION_OF(struct up_options, INTEGER, nodes), .name = "nodes", .argument = "N", .least = 1,
     .help = "how many (default: 4)"},
    {RC_OPTION_OF(struct up_options, QUANTITY, cpu), .name = "cpu", .argument = "SHARE",
     .dimension = RC_FRACTION,
     .help = "what each node gets of its core (default: as much as there is for all, at most 1)"},
    {RC_OPTION_OF(struct up_options, TEXT, link), .name = "link", .argument = "RATE",
     .help = "of each node's link, each way, such as 100Mbit (default: none, no limit)"},
    {RC_OPTION_OF(struct up_options, QUANTITY, burst), .name = "burst", .argument = "BYTES",
     .dimension = RC_BYTES,
     .help = "what a link lets pass at once, beyond its rate (default: 2 ms of it); the least, "
             "1600B, makes it a wire, on which short messages take their time, too"},
    RC_OPTION_LAB(struct up_options,
                  "its name; nodes are named LAB1, LAB2, ... (default: " RC_NODES_DEFAULT_NAME ")"),
    {RC_OPTION_OF(struct up_options, QUANTITY, grain), .name = "grain", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "how finely the cores are shared out (default: 250us); finer costs more of them"},
    RC_OPTION_JSON(struct up_options),
    RC_OPTIONS_END,
};

static int run_up(struct rc_invocation *invocation)
{
    const struct up_options *options = invocation->options;
    struct rc_nodes_request request = {options->name, options->nodes, options->cpu,
                                       INFINITY,      options->grain, options->burst};
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status;

    if (rc_cmd_lab_link(options->link, &request.link, &error)) {
        free(testbed);
        return rc_cmd_usage(invocation, &error);
    }
    if (!testbed) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "setting up a lab");
    }
    rc_cmd_work_begin(&work, "setting up a lab");
    status = rc_nodes_up(&request, testbed, &work.monitor, &error);
    rc_cmd_work_end(&work);
    if (status)
        status = rc_cmd_fail(&error, "setting up the lab '%.40s'", options->name);
    else
        status = rc_cmd_lab_show(testbed, 1, options->json);
    if (status == RC_EXIT_OK && !options->json && testbed->nodes[0].cpu < 1)
        rc_cmd_note("shares hold for programs that compute for " RC_NODES_TRUE_FOR
                    " or more between messages (docs/lab.md)");
    free(testbed);
    return status;
}

const struct rc_command rc_command_lab_up = {
    .name = "up",
    .summary = "Make virtual nodes on this machine (needs root)",
    .details =
        "Each node has a network of its own with one link to the lab's switch, its own host "
        "name, a core that it is pinned to, and a share of that core for all that runs in it. "
        "The share does not grow while its neighbours on the core are idle.\n\n"
        "While anything runs in a lab, its cores are busy: what the nodes do not use is used "
        "up, and the rest of the machine gets little of these cores. Core 0 is used last.",
    .examples =
        "  runcast lab up --nodes 4 --cpu 0.4 --link 100Mbit # lab1 to lab4\n"
        "  runcast lab up --nodes 2 --cpu 1 --name big # big1 and big2, a whole core each\n",
    .options = up_options,
    .options_size = sizeof(struct up_options),
    .defaults = &(const struct up_options){.name = RC_NODES_DEFAULT_NAME,
                                           .nodes = 4,
                                           .cpu = NAN,
                                           .link = "none",
                                           .grain = RC_NODES_GRAIN,
                                           .burst = NAN},
    .run = run_up,
};
