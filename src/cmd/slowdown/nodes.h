// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes.h - what verbs of 'runcast slowdown' that take a nodes file share. */
#ifndef RC_CMD_SLOWDOWN_NODES_H
#define RC_CMD_SLOWDOWN_NODES_H

#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/nodes.h"

struct rc_cmd_nodes_options {
    const char *file, *policy;
    bool uniform;
    const char *platform, *model;
};
extern const char *const rc_cmd_slowdown_policies[];

#define RC_OPTIONS_NODES(type, member)                                                             \
    {RC_OPTION_OF(type, FILE, member.file), .name = "nodes", .letter = 'n', .argument = "FILE",    \
     .help = "the hosts of the program, its parts of the work and its competitors there (YAML)"},  \
        {RC_OPTION_OF(type, CHOICE, member.policy), .name = "policy", .argument = "POLICY",        \
         .choices = rc_cmd_slowdown_policies,                                                      \
         .help = "how the work is split: load, by what hosts can do at the time; constraint, by "  \
                 "anything else"},                                                                 \
    {                                                                                              \
        .name = "dedicated-uniform", RC_OPTION_OF(type, FLAG, member.uniform),                     \
        .help = "the dedicated run had equal parts of the work on all hosts (Eq. 12); with "       \
                "--policy constraint"                                                              \
    }
#define RC_OPTION_PLATFORM_NODES(type, member)                                                     \
    {                                                                                              \
        .name = "platform", RC_OPTION_OF(type, TEXT, member), .argument = "NAME",                  \
        .help = "weights, cores and delays that the file does not say: as 'runcast slowdown "      \
                "calibrate' measured them on this platform"                                        \
    }
#define RC_OPTIONS_NETWORK(type)                                                                   \
    {RC_OPTION_OF(type, QUANTITY, communicating), .name = "communicating", .argument = "PART",     \
     .dimension = RC_FRACTION,                                                                     \
     .help = "the part of its dedicated time that the program communicates (default: 0)"},         \
    {                                                                                              \
        .name = "link-slowdown", RC_OPTION_OF(type, QUANTITY, link), .argument = "X",              \
        .dimension = RC_COUNT,                                                                     \
        .help = "how much longer its messages take, 1 or more, by 'runcast slowdown comm'"         \
    }

/* Whether a file and a policy are given, and options go together; an exit status. */
int rc_cmd_nodes_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_nodes_options *options);

/* A nodes file, and what it comes to. */
struct rc_cmd_nodes {
    struct rc_slowdown_nodes nodes;
    struct rc_calibration calibration;
    struct rc_aggregate_node *terms;
    struct rc_aggregate aggregate;
    enum rc_split split;
    enum rc_local_model model;
    bool uniform;
    size_t coreless; /* nodes with competitors whose cores nobody has said: one was taken */
    size_t crowded;  /* nodes with more competitors than are played out */
};

/* Says what is wrong, and returns an exit status other than RC_EXIT_OK, where that fails; to be
 * freed either way. */
int rc_cmd_nodes_read(const struct rc_cmd_nodes_options *options, const char *db,
                      struct rc_cmd_nodes *all);
void rc_cmd_nodes_free(struct rc_cmd_nodes *all);

/* The table of the paper, with the row that decides, and the equation. */
int rc_cmd_nodes_explain(const struct rc_cmd_nodes *all, struct rc_error *error);
json_t *rc_cmd_nodes_json(const struct rc_cmd_nodes *all);
void rc_cmd_nodes_equation(const struct rc_cmd_nodes *all, struct rc_answer_equation *equation);

/* Whether both are given, or neither, and make sense; an exit status. */
int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating, double link);

#endif
