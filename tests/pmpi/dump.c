// SPDX-License-Identifier: GPL-3.0-or-later
/* dump.c - the calls of a trace file as text, one a line, without their times: what tests compare.
 *
 * usage: pmpi-dump FILE.rct [times] */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "mpi/trace/reader.h"

static const struct {
    unsigned flag;
    const char *name;
} flags[] = {{RC_TRACE_DONE, "done"},
             {RC_TRACE_IN_PLACE, "in-place"},
             {RC_TRACE_ANY_SOURCE, "any-source"},
             {RC_TRACE_ANY_TAG, "any-tag"},
             {RC_TRACE_FAILED, "failed"}};

static void print_number(const char *name, int32_t number)
{
    if (number == RC_TRACE_ANY)
        printf(" %s=any", name);
    else if (number == RC_TRACE_NULL)
        printf(" %s=null", name);
    else if (number != RC_TRACE_NONE)
        printf(" %s=%" PRId32, name, number);
}

static void print_message(const char *name, const struct rc_trace_message *message)
{
    if (message->count != 0 || message->size != 0)
        printf(" %s=%" PRIu64 "x%" PRIu32, name, message->count, message->size);
    print_number(name[0] == 'm' ? "peer" : "from-peer", message->peer);
    print_number(name[0] == 'm' ? "tag" : "from-tag", message->tag);
}

static int print_call(void *data, const struct rc_trace_event *event)
{
    const struct rc_trace_call *call = event->call;

    printf("%s comm=%" PRId32, rc_trace_kind_info(call->kind)->name + strlen("MPI_"),
           call->communicator);
    print_number("root", call->root);
    print_number("request", call->request);
    print_message("message", &call->message);
    print_message("from", &call->from);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (call->flags & flags[i].flag)
            printf(" %s", flags[i].name);
    for (uint32_t i = 0; i < call->list_length; i++)
        printf("%s%" PRId32, i ? "," : " list=", call->list[i]);
    if (data)
        printf(" before=%" PRIu64 " inside=%" PRIu64 " cpu=%" PRId64, event->before,
               event->end - event->start, event->cpu);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    struct rc_error error = {0};
    struct rc_trace *trace;
    int status;

    if (argc < 2)
        return 2;
    trace = rc_trace_open(argv[1], &error);
    status = trace ? rc_trace_expand(trace, print_call, argc > 2 ? argv : NULL, &error) : -1;
    if (status == 0 && argc > 2) {
        size_t n;
        const struct rc_trace_note *notes = rc_trace_notes(trace, &n);

        for (size_t i = 0; i < n; i++)
            printf("note: %s to %s: footprint %" PRIu64 " in %" PRIu64 ", read %" PRIu64
                   " written %" PRIu64 " in %" PRIu64 "\n",
                   rc_trace_kind_info(notes[i].before.kind)->name,
                   rc_trace_kind_info(notes[i].after.kind)->name, notes[i].footprint,
                   notes[i].footprints, notes[i].read, notes[i].written, notes[i].files);
    }
    if (status != 0)
        fprintf(stderr, "pmpi-dump: %s\n", error.text);
    rc_trace_close(trace);
    return status != 0;
}
