// SPDX-License-Identifier: GPL-3.0-or-later
/* set.c - 'runcast lab set': changing virtual nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/lab_fields.h"
#include "base/buffer.h"
#include "base/error.h"
#include "cmd/lab/lab.h"
#include "platform/hostlist.h"

struct set_options {
    const char *link_rate;
    double cpu_share;
    bool json;
};

static const struct rc_option set_options[] = {
    {RC_OPTION_OF(struct set_options, QUANTITY, cpu_share), .name = "cpu-share",
     .argument = "SHARE", .dimension = RC_FRACTION, .help = "share of a core that a node gets"},
    {RC_OPTION_OF(struct set_options, TEXT, link_rate), .name = "link-rate", .argument = "RATE",
     .help = "rate of the link, in each direction; none: no limit"},
    RC_OPTION_JSON(struct set_options),
    RC_OPTIONS_END,
};

/* Finds the nodes and the name of their lab. */
static int find_nodes(const struct rc_hostlist *list, struct rc_testbed *testbed, size_t *nodes,
                      char name[RC_NODES_NAME_MAX + 1], struct rc_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i >= RC_NODES_NODES_MAX ||
            rc_nodes_find_node(list->names[i], NULL, testbed, &nodes[i], error))
            return -1;
        if (i > 0 && strcmp(name, testbed->name) != 0)
            return rc_error_set(error, "%s and %s are in different labs; change one lab at a time",
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
                     rc_nodes_set(name, nodes, list.count, options->cpu_share, link, testbed, error)
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

    if (isnan(options->cpu_share) && !options->link_rate)
        status = rc_cmd_usage_text(invocation, "missing --cpu-share SHARE or --link-rate RATE");
    else if (rc_cmd_lab_link_rate(options->link_rate, &link, &error))
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
    .summary = "Change the CPU share or the link rate of nodes while programs run",
    .arguments = "NODES...",
    .details =
        "NODES are of one lab: lab2, or lab[2-4]. The change takes effect before the command "
        "ends.",
    .examples = "  runcast lab set lab2 --cpu-share 0.2 --link-rate 10Mbit\n"
                "  runcast lab set 'lab[1-4]' --cpu-share 0.5\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = set_options,
    .options_size = sizeof(struct set_options),
    .defaults = &(const struct set_options){.cpu_share = NAN},
    .answers = {rc_answer_labs},
    .run = run_set,
};
