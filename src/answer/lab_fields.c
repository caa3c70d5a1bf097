// SPDX-License-Identifier: GPL-3.0-or-later
/* lab_fields.c - the fields of virtual nodes. */
#include "answer/lab_fields.h"

#include <math.h>

#include "base/unit.h"

#define NODE struct rc_nodes_node
static void link_text(const void *node, char *text, size_t size)
{
    char rate[RC_UNIT_SIZE];

    rc_unit_format(((const NODE *)node)->link, RC_RATE, rate);
    snprintf(text, size, "%s", isinf(((const NODE *)node)->link) ? "none" : rate);
}

static const struct rc_field node_fields[] = {
    {RC_FIELD(NODE, CHARS, name), .key = "name", .title = "node"},
    {RC_FIELD(NODE, CHARS, address), .key = "address", .title = "address"},
    {RC_FIELD(NODE, INT, core), .key = "core", .title = "core"},
    {RC_FIELD(NODE, NUMBER, cpu), .key = "cpu_share", .title = "CPU share"},
    {RC_FIELD(NODE, NUMBER, link), .key = "link_bytes_per_s", .title = "link", .text = link_text},
    RC_FIELDS_END};

#define LAB_NODE struct rc_answer_lab_node
static void processes_text(const void *node, char *text, size_t size)
{
    int64_t processes = ((const LAB_NODE *)node)->processes;

    snprintf(text, size, processes < 0 ? "-" : "%lld", (long long)processes);
}

static json_t *processes_json(const void *node)
{
    int64_t processes = ((const LAB_NODE *)node)->processes;

    return processes < 0 ? json_null() : json_integer(processes);
}

const struct rc_field rc_answer_lab_node[] = {
    {RC_FIELD(LAB_NODE, INLINE, node), .fields = node_fields},
    {RC_FIELD(LAB_NODE, INT64, processes), .key = "procs", .title = "processes",
     .json = processes_json, .text = processes_text, .type = "integer"},
    {RC_FIELD(LAB_NODE, NUMBER, cpu_seconds), .key = "cpu_time_s"},
    RC_FIELDS_END};

#define LAB struct rc_answer_lab
const struct rc_field rc_answer_lab[] = {{RC_FIELD(LAB, TEXT, name), .key = "name"},
                                         {RC_FIELD(LAB, TEXT, state), .key = "state"},
                                         {RC_FIELD(LAB, NUMBER, grain), .key = "grain_s"},
                                         {RC_FIELD_ARRAY_OF(LAB, nodes, n_nodes), .key = "nodes",
                                          .fields = rc_answer_lab_node},
                                         RC_FIELDS_END};

#define LABS struct rc_answer_labs
const struct rc_field rc_answer_labs[] = {
    {RC_FIELD(LABS, JSON, labs), .key = "labs", .type = "list", .fields = rc_answer_lab},
    {RC_FIELD(LABS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

static const char *state_of(const struct rc_nodes_health *health)
{
    return health->rebooted      ? "stopped by a reboot"
           : !health->supervisor ? "broken: its supervisor has ended"
           : health->being_made  ? "being made"
           : health->nodes_gone  ? "broken: nodes have ended"
                                 : "up";
}

void rc_answer_lab_make(LAB *answer, const struct rc_testbed *testbed)
{
    struct rc_nodes_health health;

    rc_nodes_look(testbed, &health);
    answer->name = testbed->name;
    answer->state = state_of(&health);
    answer->broken = !health.supervisor || health.nodes_gone;
    answer->grain = testbed->grain;
    answer->n_nodes = testbed->n_nodes;
    for (size_t i = 0; i < testbed->n_nodes; i++)
        answer->nodes[i] = (LAB_NODE){testbed->nodes[i], rc_nodes_node_processes(testbed, i),
                                      rc_nodes_node_seconds(testbed, i)};
}
