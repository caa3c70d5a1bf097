// SPDX-License-Identifier: GPL-3.0-or-later
/* up.c - 'runcast lab up' and 'runcast lab set': making virtual nodes, and changing them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "cmd/lab/lab.h"
#include "platform/hostlist.h"

/* A rate, or "none"; NAN where `text` is NULL. */
static int read_link(const char *text, double *link, struct rc_error *error)
{
    *link = text ? INFINITY : NAN;
    if (!text || strcmp(text, "none") == 0)
        return 0;
    return rc_unit_parse(text, strlen(text), RC_RATE, link, error);
}

/* ---- up ---- */

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

    if (read_link(options->link, &request.link, &error)) {
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

/* ---- set ---- */

struct set_options {
    const char *link;
    double cpu;
    bool json;
};

static const struct rc_option set_options[] = {
    {RC_OPTION_OF(struct set_options, QUANTITY, cpu), .name = "cpu", .argument = "SHARE",
     .dimension = RC_FRACTION, .help = "what a node gets of its core from now on"},
    {RC_OPTION_OF(struct set_options, TEXT, link), .name = "link", .argument = "RATE",
     .help = "of its link, each way, from now on; none: no limit"},
    RC_OPTION_JSON(struct set_options),
    RC_OPTIONS_END,
};

/* Finds all nodes in one lab, and its name. */
static int find_nodes(const struct rc_hostlist *list, struct rc_testbed *testbed, size_t *nodes,
                      char name[RC_NODES_NAME_MAX + 1], struct rc_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i >= RC_NODES_NODES_MAX ||
            rc_nodes_find_node(list->names[i], NULL, testbed, &nodes[i], error))
            return -1;
        if (i > 0 && strcmp(name, testbed->name) != 0)
            return rc_error_set(error, "%s and %s are in different labs: change one lab at a time",
                                list->names[0], list->names[i]);
        memcpy(name, testbed->name, RC_NODES_NAME_MAX + 1);
    }
    return 0;
}

/* "lab1", "lab2" as the one list "lab1,lab2". */
static int join_lists(const struct rc_invocation *invocation, struct rc_buffer *text,
                      struct rc_error *error)
{
    for (int i = 0; i < invocation->n_arguments; i++)
        if (rc_buffer_printf(text, "%s%s", i ? "," : "", invocation->arguments[i]))
            return rc_error_set(error, "too many nodes");
    return 0;
}

static int change(const struct rc_invocation *invocation, double link, const char *text,
                  struct rc_testbed *testbed, struct rc_error *error)
{
    const struct set_options *options = invocation->options;
    char name[RC_NODES_NAME_MAX + 1] = "";
    size_t nodes[RC_NODES_NODES_MAX];
    struct rc_hostlist list = {0};
    int status;

    status = rc_platform_hostlist_expand(text, strlen(text), RC_NODES_NODES_MAX, &list, error) ||
                     rc_nodes_possible(error) || find_nodes(&list, testbed, nodes, name, error) ||
                     rc_nodes_set(name, nodes, list.count, options->cpu, link, testbed, error)
                 ? -1
                 : 0;
    rc_platform_hostlist_free(&list);
    return status;
}

static int run_set(struct rc_invocation *invocation)
{
    const struct set_options *options = invocation->options;
    struct rc_buffer text = RC_BUFFER_INIT(RC_NODES_NODES_MAX * RC_NODES_NODE_NAME);
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_error error = {0};
    double link = NAN;
    int status;

    if (isnan(options->cpu) && !options->link)
        status =
            rc_cmd_usage_text(invocation, "say what to change: --cpu SHARE, --link RATE or both");
    else if (read_link(options->link, &link, &error))
        status = rc_cmd_usage(invocation, &error);
    else if (!testbed || join_lists(invocation, &text, &error) ||
             change(invocation, link, text.data, testbed, &error))
        status = rc_cmd_fail(&error, "changing %.60s", testbed ? text.data : "nodes");
    else
        status = options->json ? rc_cmd_lab_show(testbed, 1, true) : RC_EXIT_OK;
    rc_buffer_free(&text);
    free(testbed);
    return status;
}

const struct rc_command rc_command_lab_set = {
    .name = "set",
    .summary = "Change the share or the link of nodes while things run in them",
    .arguments = "NODES...",
    .details = "NODES are of one lab: lab2, or lab[2-4]. What is not given stays as it is. The "
               "change is in force when the command ends.",
    .examples = "  runcast lab set lab2 --cpu 0.2 --link 10Mbit # slower in both\n"
                "  runcast lab set 'lab[1-4]' --cpu 0.5 # all of them\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = set_options,
    .options_size = sizeof(struct set_options),
    .defaults = &(const struct set_options){.cpu = NAN},
    .run = run_set,
};
