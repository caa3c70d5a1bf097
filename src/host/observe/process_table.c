// SPDX-License-Identifier: GPL-3.0-or-later
/* process_table.c - the table of observed processes and threads. */
#include <time.h>

#include "host/observe/process_table.h"

double rc_observe_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double rc_observe_spent(void)
{
    return rc_observe_clock(CLOCK_THREAD_CPUTIME_ID);
}

double rc_observe_now(void)
{
    return rc_observe_clock(CLOCK_MONOTONIC);
}

/* ---- the table ---- */

struct rc_observed_process *rc_observe_process_find(const struct rc_process_table *table, int pid)
{
    size_t low = 0, high = table->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table->items[middle].pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->n && table->items[low].pid == pid ? &table->items[low] : NULL;
}

double rc_observe_process_run(const struct rc_observed_process *process)
{
    double run = 0;

    for (size_t i = 0; i < process->n; i++)
        run += process->threads[i].profile.run;
    return run;
}

void rc_observe_thread_close(struct rc_process_table *table, struct rc_observed_thread *thread)
{
    if (!thread->open)
        return;
    rc_sense_thread_close(&thread->files);
    thread->open = false;
    table->open--;
}

void rc_observe_thread_end(struct rc_process_table *table, struct rc_observed_thread *thread)
{
    rc_observe_thread_close(table, thread);
    if (!thread->ended)
        rc_observe_profile_close(&thread->profile, &table->costs);
    thread->ended = true;
}

void rc_observe_process_end(struct rc_process_table *table, struct rc_observed_process *process)
{
    for (size_t i = 0; i < process->n; i++)
        rc_observe_thread_end(table, &process->threads[i]);
    process->ended = true;
}

void rc_observe_thread_open(struct rc_process_table *table, struct rc_observed_process *process,
                            struct rc_observed_thread *thread)
{
    if (thread->open || thread->ended || table->open >= table->open_most ||
        rc_sense_thread_open(&thread->files, process->pid, thread->tid))
        return;
    thread->open = true;
    thread->quiet = 0;
    process->hidden |= thread->files.hidden;
    table->open++;
}
