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
    {.name = "nodes",                                                                              \
     .letter = 'n',                                                                                \
     .kind = RC_OPTION_FILE,                                                                       \
     .argument = "FILE",                                                                           \
     .help = "the hosts of the program, its parts of the work and its competitors there (YAML)",   \
     .offset = offsetof(type, member.file)},                                                       \
        {.name = "policy",                                                                         \
         .kind = RC_OPTION_CHOICE,                                                                 \
         .argument = "POLICY",                                                                     \
         .choices = rc_cmd_slowdown_policies,                                                      \
         .help = "how the work is split: load, by what hosts can do at the time; constraint, by "  \
                 "anything else",                                                                  \
         .offset = offsetof(type, member.policy)},                                                 \
    {                                                                                              \
        .name = "dedicated-uniform", .kind = RC_OPTION_FLAG,                                       \
        .help = "the dedicated run had equal parts of the work on all hosts (Eq. 12); with "       \
                "--policy constraint",                                                             \
        .offset = offsetof(type, member.uniform)                                                   \
    }
#define RC_OPTION_PLATFORM_NODES(type, member)                                                     \
    {                                                                                              \
        .name = "platform", .kind = RC_OPTION_TEXT, .argument = "NAME",                            \
        .help = "weights, cores and delays that the file does not say: as 'runcast slowdown "      \
                "calibrate' measured them on this platform",                                       \
        .offset = offsetof(type, member)                                                           \
    }
#define RC_OPTIONS_NETWORK(type)                                                                   \
    {.name = "communicating",                                                                      \
     .kind = RC_OPTION_QUANTITY,                                                                   \
     .argument = "PART",                                                                           \
     .dimension = RC_FRACTION,                                                                     \
     .help = "the part of its dedicated time that the program communicates (default: 0)",          \
     .offset = offsetof(type, communicating)},                                                     \
    {                                                                                              \
        .name = "link-slowdown", .kind = RC_OPTION_QUANTITY, .argument = "X",                      \
        .dimension = RC_COUNT,                                                                     \
        .help = "how much longer its messages take, 1 or more, by 'runcast slowdown comm'",        \
        .offset = offsetof(type, link)                                                             \
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
/* The list of that equation, for --explain. */
json_t *rc_cmd_nodes_equations_json(const struct rc_cmd_nodes *all);

/* Whether both are given, or neither, and make sense; an exit status. */
int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating, double link);

#endif
