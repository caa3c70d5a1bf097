// SPDX-License-Identifier: BSD-2-Clause
/* compute_notes.c - notes about the computing between calls, and the speed of cores, as bytes. */
#include "mpi/trace/compute_notes.h"

#include <stdlib.h>

static void put_message(struct rc_bytes_out *out, const struct rc_trace_message *message)
{
    rc_trace_put_signed(out, message->peer);
    rc_trace_put_signed(out, message->tag);
    rc_trace_put_small(out, message->count);
    rc_trace_put_small(out, message->size);
}

static void put_call(struct rc_bytes_out *out, const struct rc_trace_call *call)
{
    rc_trace_put_small(out, call->kind);
    rc_trace_put_small(out, call->flags);
    rc_trace_put_signed(out, call->communicator);
    rc_trace_put_signed(out, call->root);
    rc_trace_put_signed(out, call->request);
    put_message(out, &call->message);
    put_message(out, &call->from);
}

void rc_trace_notes_put(struct rc_bytes_out *out, const struct rc_trace_note *notes, size_t n)
{
    if (n > RC_TRACE_NOTES_MAX)
        n = RC_TRACE_NOTES_MAX;
    rc_trace_put_small(out, n);
    for (size_t i = 0; i < n; i++) {
        put_call(out, &notes[i].before);
        put_call(out, &notes[i].after);
        rc_trace_put_small(out, notes[i].footprints);
        rc_trace_put_small(out, notes[i].footprint);
        rc_trace_put_small(out, notes[i].files);
        rc_trace_put_small(out, notes[i].read);
        rc_trace_put_small(out, notes[i].written);
    }
}

static void get_message(struct rc_bytes_in *in, struct rc_trace_message *message)
{
    message->peer = rc_trace_get_signed(in);
    message->tag = rc_trace_get_signed(in);
    message->count = rc_trace_get_small(in);
    message->size = (uint32_t)rc_trace_get_up_to(in, UINT32_MAX);
}

static void get_call(struct rc_bytes_in *in, struct rc_trace_call *call)
{
    *call = (struct rc_trace_call)RC_TRACE_CALL_INIT(
        (unsigned)rc_trace_get_up_to(in, RC_TRACE_KIND_MAX));
    call->flags = (unsigned)rc_trace_get_up_to(in, RC_TRACE_FLAGS);
    call->communicator = rc_trace_get_signed(in);
    call->root = rc_trace_get_signed(in);
    call->request = rc_trace_get_signed(in);
    get_message(in, &call->message);
    get_message(in, &call->from);
}

int rc_trace_notes_get(const uint8_t *bytes, size_t length, struct rc_trace_note **notes, size_t *n)
{
    struct rc_bytes_in in = {.at = bytes, .end = bytes + length};
    size_t count = (size_t)rc_trace_get_up_to(&in, RC_TRACE_NOTES_MAX);

    *n = 0;
    *notes = in.bad ? NULL : calloc(count + 1, sizeof **notes);
    if (!*notes)
        return -1;
    for (; *n < count && !in.bad; (*n)++) {
        struct rc_trace_note *note = &(*notes)[*n];

        get_call(&in, &note->before);
        get_call(&in, &note->after);
        note->footprints = rc_trace_get_small(&in);
        note->footprint = rc_trace_get_small(&in);
        note->files = rc_trace_get_small(&in);
        note->read = rc_trace_get_small(&in);
        note->written = rc_trace_get_small(&in);
    }
    if (!in.bad)
        return 0;
    free(*notes);
    *notes = NULL;
    *n = 0;
    return -1;
}

static bool same_message(const struct rc_trace_message *a, const struct rc_trace_message *b)
{
    return a->count == b->count && a->size == b->size && a->peer == b->peer && a->tag == b->tag;
}

bool rc_trace_same_but_list(const struct rc_trace_call *a, const struct rc_trace_call *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->communicator == b->communicator &&
           a->root == b->root && a->request == b->request &&
           same_message(&a->message, &b->message) && same_message(&a->from, &b->from);
}

/* ---- the speed of cores ---- */

void rc_trace_speed_put(struct rc_bytes_out *out, const struct rc_trace_speed *speed)
{
    rc_trace_put_small(out, speed->samples);
    rc_trace_put_double(out, speed->units);
    rc_trace_put_small(out, RC_TRACE_SPEED_SIZES);
    for (int i = 0; i < RC_TRACE_SPEED_SIZES; i++)
        rc_trace_put_double(out, speed->lines[i]);
}

/* A speed of any machine there is or will be. */
static bool is_speed(double speed)
{
    return speed > 1 && speed < 1e15;
}

int rc_trace_speed_get(const uint8_t *bytes, size_t length, struct rc_trace_speed *speed)
{
    struct rc_bytes_in in = {.at = bytes, .end = bytes + length};
    uint64_t sizes;

    speed->samples = rc_trace_get_small(&in);
    speed->units = rc_trace_get_double(&in);
    sizes = rc_trace_get_up_to(&in, RC_TRACE_SPEED_SIZES);
    for (uint64_t i = 0; i < RC_TRACE_SPEED_SIZES; i++) {
        speed->lines[i] = i < sizes ? rc_trace_get_double(&in) : 0;
        in.bad |= speed->lines[i] != 0 && !is_speed(speed->lines[i]);
    }
    if (!in.bad && is_speed(speed->units))
        return 0;
    *speed = (struct rc_trace_speed){0};
    return -1;
}
