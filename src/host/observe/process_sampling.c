// SPDX-License-Identifier: GPL-3.0-or-later
/* process_sampling.c - sampling the threads and connections of the observed processes.
 *
 * A thread without time on a core has done nothing, so one sample covers all the time since the
 * last one.  So only active threads are sampled each time. */
#include <math.h>
#include <stdlib.h>

#include "host/observe/process_table.h"

#define ALL_SECONDS 0.2  /* between two reads of all connections */
#define ALL_COST 0.01    /* their limit, of a core, */
#define OWNERS_COST 0.01 /* and that of finding owners */
enum { QUIET_LOOKS = 100 /* without time on a core, until a thread is sampled in turns */ };

/* ---- one look at one thread ---- */

static enum rc_thread_state state_of(enum rc_proc_call call)
{
    return call == RC_PROC_RUNS     ? RC_THREAD_AWAKE
           : call == RC_PROC_SLEEPS ? RC_THREAD_ASLEEP
                                    : RC_THREAD_BLOCKED;
}

void rc_observe_thread_take(struct rc_process_table *table,
                            const struct rc_observed_process *process,
                            struct rc_observed_thread *thread, double now, double part,
                            enum rc_thread_state state)
{
    const struct rc_thread_sample look = {.seconds = now - thread->at,
                                          .run = thread->fresh.run - thread->last.run,
                                          .wait = thread->fresh.wait - thread->last.wait,
                                          .bytes = part * process->bytes,
                                          .segments = part * process->segments,
                                          .under_way = part > 0 && process->under_way,
                                          .state = state};

    rc_observe_profile_add(&thread->profile, &look, &table->costs);
    thread->quiet = look.run > 0 ? 0 : thread->quiet + 1;
    thread->last = thread->fresh;
    thread->at = now;
}

/* Reads the states of its threads. */
static void glimpse(struct rc_process_table *table, struct rc_observed_process *process)
{
    process->at = rc_observe_now();
    for (size_t i = 0; i < process->n; i++) {
        struct rc_observed_thread *thread = &process->threads[i];

        if (thread->open && rc_sense_thread_read(&thread->files, &thread->fresh))
            rc_observe_thread_end(table, thread);
    }
}

/* Divides the bytes of a process among its threads by their time on a core. */
static void take_glimpse(struct rc_process_table *table, struct rc_observed_process *process)
{
    double run = 0;

    for (size_t i = 0; i < process->n; i++) {
        const struct rc_observed_thread *thread = &process->threads[i];

        if (thread->open)
            run += fmax(0, thread->fresh.run - thread->last.run);
    }
    for (size_t i = 0; i < process->n; i++) {
        struct rc_observed_thread *thread = &process->threads[i];
        double part = run > 0 ? fmax(0, thread->fresh.run - thread->last.run) / run : 1;

        if (!thread->open)
            continue;
        rc_observe_thread_take(table, process, thread, process->at, part,
                               state_of(thread->fresh.call));
        if (thread->quiet >= QUIET_LOOKS)
            rc_observe_thread_close(table, thread);
    }
    process->communicates = process->bytes > 0 || process->under_way;
    process->bytes = process->segments = 0;
    process->under_way = false;
}

/* ---- connections ---- */

static void find_owners(struct rc_process_table *table, double now)
{
    pid_t *pids;
    double begin = rc_observe_spent();
    size_t n = 0;

    if (now < table->owners_due || !rc_sense_sockets_unowned(&table->sockets))
        return;
    pids = malloc((table->n + 1) * sizeof *pids);
    for (size_t i = 0; pids && i < table->n; i++)
        if (!table->items[i].ended && !table->items[i].outside)
            pids[n++] = table->items[i].pid;
    if (pids)
        rc_sense_sockets_find_owners(&table->sockets, pids, n);
    free(pids);
    table->owners_due = now + (rc_observe_spent() - begin) / OWNERS_COST;
}

static int look_at_sockets(struct rc_process_table *table, double now, struct rc_error *error)
{
    double begin = rc_observe_spent();

    if (now < table->all_due)
        return rc_sense_sockets_look_again(&table->sockets, error);
    if (rc_sense_sockets_look(&table->sockets, error))
        return -1;
    table->all_due = now + fmax(ALL_SECONDS, (rc_observe_spent() - begin) / ALL_COST);
    return 0;
}

static int listen_to_sockets(struct rc_process_table *table, double now, struct rc_error *error)
{
    if (look_at_sockets(table, now, error))
        return -1;
    find_owners(table, now);
    for (size_t i = 0; i < table->sockets.n; i++) {
        const struct rc_socket *socket = &table->sockets.items[i];
        struct rc_observed_process *owner;

        if (!(socket->moved > 0 || socket->under_way) || !socket->owner ||
            !(owner = rc_observe_process_find(table, socket->owner)))
            continue;
        owner->under_way |= socket->under_way;
        owner->bytes += socket->moved;
        owner->segments += socket->pieces;
    }
    rc_sense_sockets_forget_moved(&table->sockets);
    return 0;
}

/* The observer uses a core, and may displace the other side of a connection, for which the process
 * then waits; it would be found waiting too often.  So communicating processes are read first, then
 * all others, and their connections last. */
int rc_observe_table_look(struct rc_process_table *table, double now, struct rc_error *error)
{
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < table->n; i++)
            if (!table->items[i].ended && table->items[i].communicates == (turn == 0))
                glimpse(table, &table->items[i]);
    if (table->listening && listen_to_sockets(table, now, error))
        return -1;
    for (size_t i = 0; i < table->n; i++)
        if (!table->items[i].ended)
            take_glimpse(table, &table->items[i]);
    return 0;
}
