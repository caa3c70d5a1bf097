// SPDX-License-Identifier: GPL-3.0-or-later
/* observe_look.c - looking at the threads and connections of a host.
 *
 * A thread that has not been on a core for a while has done nothing, so that one reading, whenever
 * it comes, says all about the time since the last one.  So only those that do something are looked
 * at each time. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "host/observe/observe_internal.h"

#define ALL_SECONDS 0.2  /* between two questions for all connections */
#define ALL_COST 0.01    /* of a core, that these may take, ... */
#define OWNERS_COST 0.01 /* ... and looking for owners */
enum { QUIET_LOOKS = 100 /* without any time on a core until a thread is looked at in turns */ };

double rc_observe_seen_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double rc_observe_seen_spent(void)
{
    return rc_observe_seen_clock(CLOCK_THREAD_CPUTIME_ID);
}

double rc_observe_seen_now(void)
{
    return rc_observe_seen_clock(CLOCK_MONOTONIC);
}

/* ---- the table ---- */

struct rc_seen_process *rc_observe_seen_find(const struct rc_seen *seen, int pid)
{
    size_t low = 0, high = seen->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (seen->items[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < seen->n && seen->items[low].pid == pid ? &seen->items[low] : NULL;
}

double rc_observe_seen_run(const struct rc_seen_process *process)
{
    double run = 0;

    for (size_t i = 0; i < process->n; i++)
        run += process->threads[i].tally.run;
    return run;
}

void rc_observe_seen_close(struct rc_seen *seen, struct rc_seen_thread *thread)
{
    if (!thread->open)
        return;
    rc_sense_thread_close(&thread->files);
    thread->open = false;
    seen->open--;
}

void rc_observe_seen_end_thread(struct rc_seen *seen, struct rc_seen_thread *thread)
{
    rc_observe_seen_close(seen, thread);
    if (!thread->ended)
        rc_observe_tally_close(&thread->tally, &seen->costs);
    thread->ended = true;
}

void rc_observe_seen_end_process(struct rc_seen *seen, struct rc_seen_process *process)
{
    for (size_t i = 0; i < process->n; i++)
        rc_observe_seen_end_thread(seen, &process->threads[i]);
    process->ended = true;
}

void rc_observe_seen_open(struct rc_seen *seen, struct rc_seen_process *process,
                          struct rc_seen_thread *thread)
{
    if (thread->open || thread->ended || seen->open >= seen->open_most ||
        rc_sense_thread_open(&thread->files, process->pid, thread->tid))
        return;
    thread->open = true;
    thread->quiet = 0;
    process->hidden |= thread->files.hidden;
    seen->open++;
}

/* ---- one look at one thread ---- */

static enum rc_tally_state state_of(enum rc_proc_call call)
{
    return call == RC_PROC_RUNS     ? RC_TALLY_AWAKE
           : call == RC_PROC_SLEEPS ? RC_TALLY_ASLEEP
                                    : RC_TALLY_BLOCKED;
}

void rc_observe_seen_take(struct rc_seen *seen, const struct rc_seen_process *process,
                          struct rc_seen_thread *thread, double now, double part,
                          enum rc_tally_state state)
{
    const struct rc_tally_look look = {.seconds = now - thread->at,
                                       .run = thread->fresh.run - thread->last.run,
                                       .wait = thread->fresh.wait - thread->last.wait,
                                       .bytes = part * process->bytes,
                                       .segments = part * process->segments,
                                       .under_way = part > 0 && process->under_way,
                                       .state = state};

    rc_observe_tally_add(&thread->tally, &look, &seen->costs);
    thread->quiet = look.run > 0 ? 0 : thread->quiet + 1;
    thread->last = thread->fresh;
    thread->at = now;
}

/* Reads what its threads are at. */
static void glimpse(struct rc_seen *seen, struct rc_seen_process *process)
{
    process->at = rc_observe_seen_now();
    for (size_t i = 0; i < process->n; i++) {
        struct rc_seen_thread *thread = &process->threads[i];

        if (thread->open && rc_sense_thread_read(&thread->files, &thread->fresh))
            rc_observe_seen_end_thread(seen, thread);
    }
}

/* What a process moved is laid to its threads by the time that each was on a core. */
static void take_glimpse(struct rc_seen *seen, struct rc_seen_process *process)
{
    double run = 0;

    for (size_t i = 0; i < process->n; i++) {
        const struct rc_seen_thread *thread = &process->threads[i];

        if (thread->open)
            run += fmax(0, thread->fresh.run - thread->last.run);
    }
    for (size_t i = 0; i < process->n; i++) {
        struct rc_seen_thread *thread = &process->threads[i];
        double part = run > 0 ? fmax(0, thread->fresh.run - thread->last.run) / run : 1;

        if (!thread->open)
            continue;
        rc_observe_seen_take(seen, process, thread, process->at, part,
                             state_of(thread->fresh.call));
        if (thread->quiet >= QUIET_LOOKS)
            rc_observe_seen_close(seen, thread);
    }
    process->communicates = process->bytes > 0 || process->under_way;
    process->bytes = process->segments = 0;
    process->under_way = false;
}

/* ---- connections ---- */

static void find_owners(struct rc_seen *seen, double now)
{
    pid_t *pids;
    double begin = rc_observe_seen_spent();
    size_t n = 0;

    if (now < seen->owners_due || !rc_sense_sockets_unowned(&seen->sockets))
        return;
    pids = malloc((seen->n + 1) * sizeof *pids);
    for (size_t i = 0; pids && i < seen->n; i++)
        if (!seen->items[i].ended && !seen->items[i].outside)
            pids[n++] = seen->items[i].pid;
    if (pids)
        rc_sense_sockets_find_owners(&seen->sockets, pids, n);
    free(pids);
    seen->owners_due = now + (rc_observe_seen_spent() - begin) / OWNERS_COST;
}

static int look_at_sockets(struct rc_seen *seen, double now, struct rc_error *error)
{
    double begin = rc_observe_seen_spent();

    if (now < seen->all_due)
        return rc_sense_sockets_look_again(&seen->sockets, error);
    if (rc_sense_sockets_look(&seen->sockets, error))
        return -1;
    seen->all_due = now + fmax(ALL_SECONDS, (rc_observe_seen_spent() - begin) / ALL_COST);
    return 0;
}

static int listen_to_sockets(struct rc_seen *seen, double now, struct rc_error *error)
{
    if (look_at_sockets(seen, now, error))
        return -1;
    find_owners(seen, now);
    for (size_t i = 0; i < seen->sockets.n; i++) {
        const struct rc_socket *socket = &seen->sockets.items[i];
        struct rc_seen_process *owner;

        if (!(socket->moved > 0 || socket->under_way) || !socket->owner ||
            !(owner = rc_observe_seen_find(seen, socket->owner)))
            continue;
        owner->under_way |= socket->under_way;
        owner->bytes += socket->moved;
        owner->segments += socket->pieces;
    }
    rc_sense_sockets_forget_moved(&seen->sockets);
    return 0;
}

/* Who looks is on a core meanwhile, from which it may have driven the far end of a connection; soon
 * the near end waits for that, and would be found to do so more often than it does.  So those that
 * communicate are read first, then all others, and their connections last. */
int rc_observe_seen_look(struct rc_seen *seen, double now, struct rc_error *error)
{
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < seen->n; i++)
            if (!seen->items[i].ended && seen->items[i].communicates == (turn == 0))
                glimpse(seen, &seen->items[i]);
    if (seen->listening && listen_to_sockets(seen, now, error))
        return -1;
    for (size_t i = 0; i < seen->n; i++)
        if (!seen->items[i].ended)
            take_glimpse(seen, &seen->items[i]);
    return 0;
}
