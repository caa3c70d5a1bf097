// SPDX-License-Identifier: GPL-3.0-or-later
/* proc_files.c - parsers of the kernel's files. */
#include "host/sense/proc_files.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/number.h"

double rc_sense_proc_tick(void)
{
    long hertz = sysconf(_SC_CLK_TCK);

    return 1.0 / (double)(hertz > 0 ? hertz : 100);
}

/* Reads `n` numbers that are separated by blanks; returns where the last one ends, or NULL. */
static const char *read_numbers(const char *at, double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length, took;

        at += strspn(at, " \t");
        length = strcspn(at, " \t\n/");
        took = rc_number_scan(at, length, &numbers[i]);
        if (took == 0 || took != length)
            return NULL;
        at += length;
    }
    return at;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : NULL;
}

/* ---- the machine ---- */

/* "user nice system idle iowait irq softirq steal ..."; what guests use is part of user. */
static int read_core(const char *at, double tick, struct rc_proc_core *core)
{
    double v[8];

    if (!read_numbers(at, v, 8))
        return -1;
    core->there = true;
    core->busy = tick * (v[0] + v[1] + v[2]);
    core->idle = tick * (v[3] + v[4]);
    core->lost = tick * (v[5] + v[6] + v[7]);
    return 0;
}

int rc_sense_proc_stat_read(const char *text, double tick, struct rc_proc_core *all,
                            struct rc_proc_core cores[RC_PROC_CORES_MAX])
{
    memset(cores, 0, RC_PROC_CORES_MAX * sizeof *cores);
    if (strncmp(text, "cpu ", 4) != 0 || read_core(text + 4, tick, all))
        return -1;
    for (const char *line = next_line(text); line && strncmp(line, "cpu", 3) == 0;
         line = next_line(line)) {
        size_t digits = strspn(line + 3, "0123456789");
        int64_t number;

        if (rc_number_parse_integer(line + 3, digits, &number) || line[3 + digits] != ' ')
            return -1;
        if (number < RC_PROC_CORES_MAX && read_core(line + 3 + digits, tick, &cores[number]))
            return -1;
    }
    return 0;
}

/* "0.29 2.47 3.01 1/93 31507" */
int rc_sense_proc_load_read(const char *text, struct rc_proc_load *load)
{
    double averages[3], running, total, last;
    const char *at = read_numbers(text, averages, 3);

    if (!at || !(at = read_numbers(at, &running, 1)) || *at != '/' ||
        !(at = read_numbers(at + 1, &total, 1)) || !read_numbers(at, &last, 1))
        return -1;
    if (!(running >= 0 && running < 1e15 && last >= 0 && last < 1e15))
        return -1;
    *load = (struct rc_proc_load){averages[0], averages[1], averages[2], (int64_t)running,
                                  (int64_t)last};
    return 0;
}

int rc_sense_proc_memory_read(const char *text, double *available)
{
    static const char name[] = "MemAvailable:";

    for (const char *line = text; line; line = next_line(line)) {
        double kibibytes;

        if (strncmp(line, name, strlen(name)) != 0)
            continue;
        if (!read_numbers(line + strlen(name), &kibibytes, 1) || !(kibibytes >= 0))
            return -1;
        *available = 1024 * kibibytes;
        return 0;
    }
    return -1;
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast bytes ...", after two lines of
 * titles. */
int rc_sense_proc_network_read(const char *text, double *in, double *out)
{
    bool any = false;

    *in = *out = 0;
    for (const char *line = text; line; line = next_line(line)) {
        const char *name = line + strspn(line, " "), *colon = name + strcspn(name, ":\n");
        double v[9];

        if (*colon != ':' || !read_numbers(colon + 1, v, 9))
            continue;
        any = true;
        if (colon - name == 2 && memcmp(name, "lo", 2) == 0)
            continue;
        *in += v[0];
        *out += v[8];
    }
    return any ? 0 : -1;
}

/* ---- processes ---- */

/* Fields of /proc/PID/stat, from the state on, which is the third. */
enum { FIRST = 4, LAST = 41 };
enum { SESSION = 6, UTIME = 14, STIME, NICE = 19, THREADS, START = 22, CORE = 39, POLICY = 41 };

/* Policies as <linux/sched.h> numbers them. */
static enum rc_proc_class class_of(double policy)
{
    return policy == 5                                 ? RC_PROC_IDLE
           : policy == 1 || policy == 2 || policy == 6 ? RC_PROC_REALTIME
                                                       : RC_PROC_NORMAL;
}

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most;
}

static void read_name(const char *text, const char *end, char name[RC_PROC_NAME_SIZE])
{
    const char *begin = strchr(text, '(');
    size_t length = begin && begin < end ? (size_t)(end - begin - 1) : 0;

    length = length < RC_PROC_NAME_SIZE ? length : RC_PROC_NAME_SIZE - 1;
    memcpy(name, length ? begin + 1 : "", length);
    name[length] = '\0';
}

int rc_sense_proc_task_read(const char *text, double tick, struct rc_proc_task *task)
{
    /* The name may have anything in it, parentheses too; after it there are only numbers. */
    const char *at = strrchr(text, ')');
    double v[LAST + 1];

    if (!at || at[1] != ' ' || !isalpha((unsigned char)at[2]) ||
        !read_numbers(at + 3, v + FIRST, LAST - FIRST + 1))
        return -1;
    if (!is_within(v[SESSION], -1, 1e9) || !is_within(v[THREADS], 0, 1e9) ||
        !is_within(v[NICE], -20, 19) || !is_within(v[CORE], 0, 1e6) ||
        !is_within(v[UTIME] + v[STIME], 0, 1e18) || !is_within(v[START], 0, 1e18))
        return -1;
    *task = (struct rc_proc_task){
        .state = at[2],
        .session = (int)v[SESSION],
        .threads = (int)v[THREADS],
        .nice = (int)v[NICE],
        .core = (int)v[CORE],
        .class = class_of(v[POLICY]),
        .used = tick * (v[UTIME] + v[STIME]),
        .system = tick * fmax(0, v[STIME]),
        .start = tick * v[START],
    };
    read_name(text, at, task->name);
    return 0;
}

int rc_sense_proc_schedule_read(const char *text, double *run, double *wait)
{
    double v[3];

    if (!read_numbers(text, v, 3) || !is_within(v[0], 0, 1e19) || !is_within(v[1], 0, 1e19))
        return -1;
    *run = 1e-9 * v[0];
    *wait = 1e-9 * v[1];
    return v[0] == 0 && v[1] == 0 && v[2] == 0 ? -1 : 0;
}

/* Calls in which a thread never waits for a message. */
static bool is_sleep(long call, const unsigned long arguments[2])
{
    static const long sleeps[] = {
#ifdef SYS_pause
        SYS_pause,
#endif
        SYS_nanosleep,       SYS_clock_nanosleep, SYS_futex, SYS_wait4,     SYS_waitid,
        SYS_rt_sigtimedwait, SYS_rt_sigsuspend,   SYS_fsync, SYS_fdatasync, SYS_sched_yield};

    for (size_t i = 0; i < sizeof sleeps / sizeof *sleeps; i++)
        if (call == sleeps[i])
            return true;
#ifdef SYS_poll
    if (call == SYS_poll)
        return arguments[1] == 0; /* no file at all: a sleep */
#endif
#ifdef SYS_select
    if (call == SYS_select)
        return arguments[0] == 0;
#endif
    return (call == SYS_ppoll && arguments[1] == 0) || (call == SYS_pselect6 && arguments[0] == 0);
}

/* "running"; "232 0x4 0x7ffd5c31c0b0 ...": the call and what it was given; or "-1 ..." where it is
 * in none, as when it waits for a page. */
int rc_sense_proc_call_read(const char *text, enum rc_proc_call *call)
{
    unsigned long arguments[2];
    const char *at = text;
    char *end;
    long number;

    if (strncmp(text, "running", 7) == 0) {
        *call = RC_PROC_RUNS;
        return 0;
    }
    number = strtol(text, &end, 10);
    if (end == text || *end != ' ')
        return -1;
    for (size_t i = 0; i < 2; i++) {
        at = end;
        arguments[i] = strtoul(at, &end, 16);
        if (end == at)
            return -1;
    }
    *call = number < 0 || is_sleep(number, arguments) ? RC_PROC_SLEEPS : RC_PROC_WAITS;
    return 0;
}

/* ---- control groups ---- */

int rc_sense_proc_group_usage_read(const char *text, double *used)
{
    static const char name[] = "usage_usec ";
    double microseconds;

    for (const char *line = text; line; line = next_line(line))
        if (strncmp(line, name, strlen(name)) == 0) {
            if (!read_numbers(line + strlen(name), &microseconds, 1))
                return -1;
            *used = 1e-6 * microseconds;
            return 0;
        }
    return -1;
}

int rc_sense_proc_group_max_read(const char *text, double *cores)
{
    double v[2];

    if (strncmp(text, "max", 3) == 0) {
        *cores = INFINITY;
        return 0;
    }
    if (!read_numbers(text, v, 2) || !is_within(v[0], 1, 1e15) || !is_within(v[1], 1, 1e15))
        return -1;
    *cores = v[0] / v[1];
    return 0;
}
