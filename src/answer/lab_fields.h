// SPDX-License-Identifier: GPL-3.0-or-later
/* lab_fields.h - virtual nodes. */
#ifndef RC_ANSWER_LAB_FIELDS_H
#define RC_ANSWER_LAB_FIELDS_H

#include "report/field.h"
#include "testbed/nodes/testbed.h"

struct rc_answer_lab_node {
    struct rc_nodes_node node;
    int64_t processes;  /* -1: not known */
    double cpu_seconds; /* NAN: not known */
};

struct rc_answer_lab {
    const char *name, *state;
    double grain;
    struct rc_answer_lab_node nodes[RC_NODES_NODES_MAX];
    size_t n_nodes;
    bool broken; /* of no use any more: to be removed */
};

/* All labs; both lists are the caller's. */
struct rc_answer_labs {
    json_t *labs, *notes;
};

/* Of the structs above. */
extern const struct rc_field rc_answer_lab_node[], rc_answer_lab[], rc_answer_labs[];

/* What can be seen of a testbed now; the testbed must outlive it. */
void rc_answer_lab_make(struct rc_answer_lab *answer, const struct rc_testbed *testbed);

#endif
