// SPDX-License-Identifier: GPL-3.0-or-later
/* interruptible_work.c - long work that shows its progress and that a signal stops. */
#include "cmd/core/command.h"

#include <signal.h>

static volatile sig_atomic_t caught;
static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signal(int number)
{
    caught = number;
}

int rc_cmd_interrupted(void)
{
    return caught;
}

void rc_cmd_take_interrupt(void)
{
    if (caught == SIGINT)
        caught = 0;
}

static void show_advance(void *data, uint64_t done, uint64_t total)
{
    rc_progress_update(data, done, total);
}

static void show_waiting(void *data, double seconds)
{
    rc_progress_say(data, "another process is writing to the database; waited %.0f s so far",
                    seconds);
}

static int is_cancelled(void *data)
{
    (void)data;
    return caught != 0;
}

void rc_cmd_work_begin(struct rc_cmd_work *work, const char *label)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    rc_progress_begin(&work->progress, stderr, rc_clock_system(), label);
    work->monitor = (struct rc_monitor){show_advance, show_waiting, is_cancelled, &work->progress};
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        /* A signal that nohup or a script ignores stays ignored; a second Ctrl-C ends at once. */
        if (sigaction(stop_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stop_signals[i], &action, NULL);
}

void rc_cmd_work_end(struct rc_cmd_work *work)
{
    struct sigaction current;

    rc_progress_end(&work->progress);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        if (sigaction(stop_signals[i], NULL, &current) == 0 && current.sa_handler == catch_signal)
            signal(stop_signals[i], SIG_DFL);
}
