// SPDX-License-Identifier: GPL-3.0-or-later
/* cut_bytes.c - bytes between any two ranks.
 *
 * An act is done or dropped by what becomes of the number of calls, and equal acts make up for each
 * other's bytes.  Where all acts of a program are few, that is not enough: of many that differ some
 * are done and others are not, and so are their bytes.  Each act has one factor for all its
 * messages, each pair of ranks a sum of bytes that it should have: factors are multiplied by what
 * the sums of their messages lack until that settles (as in iterative proportional fitting). */
#include "model/skeleton/shrink/cut_bytes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/loops/memo.h"

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

/* Between which sizes an act may be. */
struct bounds {
    double least, most;
};

struct rc_cut_bytes {
    const struct rc_form *form;
    struct rc_cut *cut;
    bool may_lengthen;
    uint32_t *flow_of; /* by call of the form; RC_CUT_NONE: it sends nothing */
    struct flow *flows;
    uint32_t n_flows;
};

/* ---- who sends to whom ---- */

/* 0 where a call sends nothing. */
static uint64_t flow_key(const struct rc_form *form, const struct rc_form_call *call)
{
    const struct rc_match_link *link = form->match.links[call->rank] + call->event;
    const struct rc_match_message *message;

    if (call->out <= 0)
        return 0;
    if (link->collective != RC_PROGRAM_NONE)
        return UINT64_C(1) << 63 | form->match.collectives[link->collective].communicator;
    if (link->out == RC_PROGRAM_NONE)
        return 0;
    message = form->match.messages + link->out;
    return ((uint64_t)message->sender << 31 | message->receiver) + 1;
}

static int find_flows(struct rc_cut_bytes *bytes, struct rc_error *error)
{
    const struct rc_form *form = bytes->form;
    struct rc_memo *memo = rc_skeleton_memo_create(error);
    int result = memo ? 0 : -1;

    for (size_t i = 0; !result && i < form->n_calls; i++) {
        uint64_t key = flow_key(form, form->calls + i);

        bytes->flow_of[i] = RC_CUT_NONE;
        if (key && !rc_skeleton_memo_find(memo, key, &bytes->flow_of[i])) {
            bytes->flow_of[i] = bytes->n_flows++;
            result = rc_skeleton_memo_add(memo, key, bytes->flow_of[i], error);
        }
    }
    rc_skeleton_memo_destroy(memo);
    if (result)
        return -1;
    bytes->flows = calloc(bytes->n_flows + 1, sizeof *bytes->flows);
    return bytes->flows ? 0 : rc_error_no_memory(error);
}

struct rc_cut_bytes *rc_skeleton_cut_bytes_create(const struct rc_form *form, struct rc_cut *cut,
                                                  bool may_lengthen, struct rc_error *error)
{
    struct rc_cut_bytes *bytes = calloc(1, sizeof *bytes);

    if (!bytes) {
        rc_error_no_memory(error);
        return NULL;
    }
    bytes->form = form;
    bytes->cut = cut;
    bytes->may_lengthen = may_lengthen;
    bytes->flow_of = malloc((form->n_calls + 1) * sizeof *bytes->flow_of);
    if (!bytes->flow_of)
        rc_error_no_memory(error);
    if (!bytes->flow_of || find_flows(bytes, error)) {
        rc_skeleton_cut_bytes_destroy(bytes);
        return NULL;
    }
    return bytes;
}

void rc_skeleton_cut_bytes_destroy(struct rc_cut_bytes *bytes)
{
    if (!bytes)
        return;
    free(bytes->flow_of);
    free(bytes->flows);
    free(bytes);
}

/* ---- how much ---- */

static const struct rc_form_leaf *leaf_of(const struct rc_cut_bytes *bytes,
                                          const struct rc_cut_item *item)
{
    return bytes->form->leaves + item->value;
}

/* NULL where the call sends nothing. */
static struct flow *flow_of(const struct rc_cut_bytes *bytes, size_t call)
{
    return bytes->flow_of[call] == RC_CUT_NONE ? NULL : bytes->flows + bytes->flow_of[call];
}

/* Longer messages are sent ahead by no MPI, unless someone has changed its settings. */
static const double ahead_most = 65536;

bool rc_skeleton_cut_waits(const struct rc_form *form, const struct rc_form_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_form_call *call = form->calls + leaf->first + i;

        if (form->match.links[call->rank][call->event].out != RC_PROGRAM_NONE &&
            call->out <= ahead_most)
            return false;
    }
    return true;
}

/* What a call gives to whoever takes it. */
static double given(const struct rc_form *form, const struct rc_form_call *call)
{
    uint32_t collective = form->match.links[call->rank][call->event].collective;

    if (collective == RC_PROGRAM_NONE)
        return call->out;
    return call->out /
           form->match.communicators[form->match.collectives[collective].communicator].n;
}

static bool is_of_file(const struct rc_form *form, const struct rc_form_call *call)
{
    const struct rc_trace_call *recorded =
        rc_skeleton_program_call(form->program->rank + call->rank, call->event);

    return rc_trace_kind_info(recorded->kind)->class == RC_TRACE_FILES;
}

/* Files are written and read in the sizes that they were, so that what goes with that stays, too.
 */
static struct bounds bounds_of(const struct rc_cut_bytes *bytes, const struct rc_cut_item *item)
{
    const struct rc_form_leaf *leaf = leaf_of(bytes, item);
    double longest = 0, most;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct rc_form_call *call = bytes->form->calls + leaf->first + i;

        if (is_of_file(bytes->form, call))
            return (struct bounds){item->size, item->size};
        if (flow_of(bytes, leaf->first + i))
            longest = fmax(longest, given(bytes->form, call));
    }
    if (longest < shortest)
        return (struct bounds){item->size, item->size};
    most = fmax(longest_factor, fmin(latency_factor, RC_FORM_HALF_SPEED / longest));
    return (struct bounds){fmin(item->size, least_bytes / longest),
                           bytes->may_lengthen || rc_skeleton_cut_waits(bytes->form, leaf)
                               ? fmax(item->size, most)
                               : 1};
}

static void add_act(struct rc_cut_bytes *bytes, const struct rc_cut_item *item)
{
    const struct rc_form_leaf *leaf = leaf_of(bytes, item);
    struct bounds bounds = bounds_of(bytes, item);

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        double out = bytes->form->calls[leaf->first + i].out * item->repeats;
        struct flow *flow = flow_of(bytes, leaf->first + i);

        if (!flow)
            continue;
        flow->wanted += out * item->share;
        if (item->fate == RC_CUT_DROPPED)
            continue;
        if (bounds.least < bounds.most)
            flow->free += out * item->size;
        else
            flow->fixed += out * item->size;
        flow->least += out * bounds.least;
        flow->most += out * bounds.most;
    }
}

static void add_up(struct rc_cut_bytes *bytes)
{
    for (uint32_t i = 0; i < bytes->n_flows; i++)
        bytes->flows[i] = (struct flow){0};
    for (size_t i = 0; i < bytes->cut->n; i++)
        if (rc_skeleton_cut_is_act(bytes->cut->items + i))
            add_act(bytes, bytes->cut->items + i);
}

/* As close as can be to what is wanted. */
static double goal_of(const struct flow *flow)
{
    return fmin(fmax(flow->wanted, flow->least), flow->most);
}

double rc_skeleton_cut_bytes_off(struct rc_cut_bytes *bytes)
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

/* By what the size of an act should be multiplied: what its flows lack, by its part of them. */
static double factor_of(const struct rc_cut_bytes *bytes, const struct rc_form_leaf *leaf)
{
    double all = 0, wanted = 0;

    for (uint32_t i = 0; i < leaf->n_calls; i++) {
        const struct flow *flow = flow_of(bytes, leaf->first + i);
        double out = bytes->form->calls[leaf->first + i].out;

        if (!flow)
            continue;
        all += out;
        wanted += out * fmax(goal_of(flow) - flow->fixed, 0) / flow->free;
    }
    return all > 0 ? wanted / all : 1;
}

static void mend_act(const struct rc_cut_bytes *bytes, struct rc_cut_item *item)
{
    struct bounds bounds = bounds_of(bytes, item);

    if (item->fate != RC_CUT_DROPPED && bounds.least < bounds.most)
        item->size = fmin(fmax(item->size * factor_of(bytes, leaf_of(bytes, item)), bounds.least),
                          bounds.most);
}

void rc_skeleton_cut_bytes_mend(struct rc_cut_bytes *bytes)
{
    for (int round = 0; round < rounds_most && rc_skeleton_cut_bytes_off(bytes) > close_enough;
         round++)
        for (size_t i = 0; i < bytes->cut->n; i++)
            if (rc_skeleton_cut_is_act(bytes->cut->items + i))
                mend_act(bytes, bytes->cut->items + i);
}
