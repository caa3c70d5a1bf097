// SPDX-License-Identifier: GPL-3.0-or-later
/* shrink_bytes.c - bytes between any two ranks.
 *
 * An event group is done or dropped by what becomes of the number of calls, and equal event groups
 * make up for each other's bytes.  Where all event groups of a program are few, that is not enough:
 * of many that differ some are done and others are not, and so are their bytes.  Each event group
 * has one factor for all its messages, each pair of ranks a sum of bytes that it should have:
 * factors are multiplied by what the sums of their messages lack until that settles (as in
 * iterative proportional fitting). */
#include "model/skeleton/shrink/shrink_bytes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/loops/hash_map.h"

/* Messages become twice as long as they were at most, but those that are sent in the latency four
 * times; and as short as `least_bytes`. */
static const double longest_factor = 2, latency_factor = 4, least_bytes = 64;
/* Shorter ones stay as they are: rounding to whole numbers would be most of the change. */
static const double shortest = 512;
/* More rounds than this change nothing to speak of. */
enum { rounds_most = 20 };
static const double close_enough = 1e-3;

/* What goes from one rank to another, or between the members of a communicator. */
struct flow {
    double wanted;
    double fixed;       /* bytes of messages that stay as they are */
    double free;        /* of those whose size may change */
    double least, most; /* what can be reached */
};

/* Between which sizes an event group may be. */
struct bounds {
    double least, most;
};

struct rc_shrunk_bytes {
    const struct rc_loop_tree *tree;
    struct rc_shrunk *shrunk;
    bool may_lengthen;
    uint32_t *flow_of; /* by call of the loop tree; RC_SHRUNK_NONE: it sends nothing */
    struct flow *flows;
    uint32_t n_flows;
};

/* ---- who sends to whom ---- */

/* 0 where a call sends nothing. */
static uint64_t flow_key(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call)
{
    const struct rc_match_link *link = tree->match.links[call->rank] + call->event;
    const struct rc_match_message *message;

    if (call->out <= 0)
        return 0;
    if (link->collective != RC_PROGRAM_NONE)
        return UINT64_C(1) << 63 | tree->match.collectives[link->collective].communicator;
    if (link->out == RC_PROGRAM_NONE)
        return 0;
    message = tree->match.messages + link->out;
    return ((uint64_t)message->sender << 31 | message->receiver) + 1;
}

static int find_flows(struct rc_shrunk_bytes *bytes, struct rc_error *error)
{
    const struct rc_loop_tree *tree = bytes->tree;
    struct rc_hash_map *map = rc_skeleton_map_create(error);
    int result = map ? 0 : -1;

    for (size_t i = 0; !result && i < tree->n_calls; i++) {
        uint64_t key = flow_key(tree, tree->calls + i);

        bytes->flow_of[i] = RC_SHRUNK_NONE;
        if (key && !rc_skeleton_map_find(map, key, &bytes->flow_of[i])) {
            bytes->flow_of[i] = bytes->n_flows++;
            result = rc_skeleton_map_add(map, key, bytes->flow_of[i], error);
        }
    }
    rc_skeleton_map_destroy(map);
    if (result)
        return -1;
    bytes->flows = calloc(bytes->n_flows + 1, sizeof *bytes->flows);
    return bytes->flows ? 0 : rc_error_no_memory(error);
}

struct rc_shrunk_bytes *rc_skeleton_shrink_bytes_create(const struct rc_loop_tree *tree,
                                                        struct rc_shrunk *shrunk, bool may_lengthen,
                                                        struct rc_error *error)
{
    struct rc_shrunk_bytes *bytes = calloc(1, sizeof *bytes);

    if (!bytes) {
        rc_error_no_memory(error);
        return NULL;
    }
    bytes->tree = tree;
    bytes->shrunk = shrunk;
    bytes->may_lengthen = may_lengthen;
    bytes->flow_of = malloc((tree->n_calls + 1) * sizeof *bytes->flow_of);
    if (!bytes->flow_of)
        rc_error_no_memory(error);
    if (!bytes->flow_of || find_flows(bytes, error)) {
        rc_skeleton_shrink_bytes_destroy(bytes);
        return NULL;
    }
    return bytes;
}

void rc_skeleton_shrink_bytes_destroy(struct rc_shrunk_bytes *bytes)
{
    if (!bytes)
        return;
    free(bytes->flow_of);
    free(bytes->flows);
    free(bytes);
}

/* ---- how much ---- */

static const struct rc_loop_tree_leaf *leaf_of(const struct rc_shrunk_bytes *bytes,
                                               const struct rc_shrunk_item *item)
{
    return bytes->tree->leaves + item->value;
}

/* NULL where the call sends nothing. */
static struct flow *flow_of(const struct rc_shrunk_bytes *bytes, size_t call)
{
    return bytes->flow_of[call] == RC_SHRUNK_NONE ? NULL : bytes->flows + bytes->flow_of[call];
}

/* Longer messages are sent ahead by no MPI, unless someone has changed its settings. */
static const double ahead_most = 65536;

bool rc_skeleton_shrink_waits(const struct rc_loop_tree *tree, const struct rc_loop_tree_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_loop_tree_call *call = tree->calls + leaf->first + i;

        if (tree->match.links[call->rank][call->event].out != RC_PROGRAM_NONE &&
            call->out <= ahead_most)
            return false;
    }
    return true;
}

/* What a call gives to whoever takes it. */
static double given(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call)
{
    uint32_t collective = tree->match.links[call->rank][call->event].collective;

    if (collective == RC_PROGRAM_NONE)
        return call->out;
    return call->out /
           tree->match.communicators[tree->match.collectives[collective].communicator].n;
}

static bool is_of_file(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(tree->program->rank + call->rank, call->event);

    return rc_trace_kind_info(recorded->kind)->class == RC_TRACE_FILES;
}

/* Files are written and read in the sizes that they were, so that what goes with that stays. */
static struct bounds bounds_of(const struct rc_shrunk_bytes *bytes,
                               const struct rc_shrunk_item *item)
{
    const struct rc_loop_tree_leaf *leaf = leaf_of(bytes, item);
    double longest = 0, most;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_loop_tree_call *call = bytes->tree->calls + leaf->first + i;

        if (is_of_file(bytes->tree, call))
            return (struct bounds){item->size, item->size};
        if (flow_of(bytes, leaf->first + i))
            longest = fmax(longest, given(bytes->tree, call));
    }
    if (longest < shortest)
        return (struct bounds){item->size, item->size};
    most = fmax(longest_factor, fmin(latency_factor, RC_LOOP_TREE_HALF_SPEED / longest));
    return (struct bounds){fmin(item->size, least_bytes / longest),
                           bytes->may_lengthen || rc_skeleton_shrink_waits(bytes->tree, leaf)
                               ? fmax(item->size, most)
                               : 1};
}

static void add_group(struct rc_shrunk_bytes *bytes, const struct rc_shrunk_item *item)
{
    const struct rc_loop_tree_leaf *leaf = leaf_of(bytes, item);
    struct bounds bounds = bounds_of(bytes, item);

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        double out = bytes->tree->calls[leaf->first + i].out * item->repeats;
        struct flow *flow = flow_of(bytes, leaf->first + i);

        if (!flow)
            continue;
        flow->wanted += out * item->share;
        if (item->fate == RC_SHRUNK_DROPPED)
            continue;
        if (bounds.least < bounds.most)
            flow->free += out * item->size;
        else
            flow->fixed += out * item->size;
        flow->least += out * bounds.least;
        flow->most += out * bounds.most;
    }
}

static void add_up(struct rc_shrunk_bytes *bytes)
{
    for (uint32_t i = 0; i < bytes->n_flows; i++)
        bytes->flows[i] = (struct flow){0};
    for (size_t i = 0; i < bytes->shrunk->n; i++)
        if (rc_skeleton_shrunk_is_group(bytes->shrunk->items + i))
            add_group(bytes, bytes->shrunk->items + i);
}

/* As close as can be to what is wanted. */
static double goal_of(const struct flow *flow)
{
    return fmin(fmax(flow->wanted, flow->least), flow->most);
}

double rc_skeleton_shrink_bytes_off(struct rc_shrunk_bytes *bytes)
{
    double most = 0;

    add_up(bytes);
    for (uint32_t i = 0; i < bytes->n_flows; i++) {
        const struct flow *flow = bytes->flows + i;

        if (flow->wanted > 0)
            most = fmax(most, fabs(flow->fixed + flow->free - goal_of(flow)) / flow->wanted);
    }
    return most;
}

/* ---- mending ---- */

/* By what the size of an event group should be multiplied: what its flows lack, by its part of
 * them. */
static double factor_of(const struct rc_shrunk_bytes *bytes, const struct rc_loop_tree_leaf *leaf)
{
    double all = 0, wanted = 0;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct flow *flow = flow_of(bytes, leaf->first + i);
        double out = bytes->tree->calls[leaf->first + i].out;

        if (!flow)
            continue;
        all += out;
        wanted += out * fmax(goal_of(flow) - flow->fixed, 0) / flow->free;
    }
    return all > 0 ? wanted / all : 1;
}

static void mend_group(const struct rc_shrunk_bytes *bytes, struct rc_shrunk_item *item)
{
    struct bounds bounds = bounds_of(bytes, item);

    if (item->fate != RC_SHRUNK_DROPPED && bounds.least < bounds.most)
        item->size = fmin(fmax(item->size * factor_of(bytes, leaf_of(bytes, item)), bounds.least),
                          bounds.most);
}

void rc_skeleton_shrink_bytes_mend(struct rc_shrunk_bytes *bytes)
{
    for (int round = 0; round < rounds_most && rc_skeleton_shrink_bytes_off(bytes) > close_enough;
         round++)
        for (size_t i = 0; i < bytes->shrunk->n; i++)
            if (rc_skeleton_shrunk_is_group(bytes->shrunk->items + i))
                mend_group(bytes, bytes->shrunk->items + i);
}
