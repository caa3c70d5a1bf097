// SPDX-License-Identifier: GPL-3.0-or-later
/* observed_competitors.c - competitors from the observed processes. */
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "host/sense/fair_share.h"
#include "host/observe/process_table.h"

#define REALTIME_WEIGHT 1e3 /* of a process with real-time priority */
#define EVEN 0.01           /* weights that differ by less are equal */
#define WEIGHT_LEAST 1e-4   /* bounds of rc_observe_competitor_parse() */
#define WEIGHT_MOST 1e4
#define PASSING_LEAST 0.03 /* cores: the least use by short-lived processes that is reported */

/* ---- weights ---- */

/* Processes that share one weight: a control group or, with autogroups, a session.  `number` 0:
 * each has its own weight. */
struct company {
    size_t level;
    int number;
    double weight; /* relative to that of our company at that level */
};

static bool sessions_share(void)
{
    char text[8];

    return rc_file_read("/proc/sys/kernel/sched_autogroup_enabled", text, sizeof text) == 0 &&
           text[0] == '1';
}

static int own_session(const struct rc_process_table *table)
{
    const struct rc_observed_process *own = rc_observe_process_find(table, getpid());

    return own ? own->about.session : 0;
}

static struct company company_of(struct rc_process_table *table,
                                 const struct rc_observed_process *process, bool sessions)
{
    const struct rc_sense_position *place =
        rc_sense_group_tree_get(&table->tree, rc_sense_group_tree_find(&table->tree, process->pid));
    size_t depth = table->tree.depth;
    bool top = place ? place->top : depth == 0;

    if (place && place->group) {
        double ours = place->level < depth ? table->tree.weights[place->level] : 1;

        return (struct company){place->level, place->group, place->weight / ours};
    }
    /* A process without a group competes with our group. */
    if (sessions && top && process->about.session != own_session(table))
        return (struct company){place ? place->level : depth, -process->about.session,
                                depth > 0 ? 1 / table->tree.weights[0] : 1};
    return (struct company){place ? place->level : depth, 0, 1};
}

static double own_weight(const struct rc_observed_process *process)
{
    return process->about.class == RC_PROC_REALTIME ? REALTIME_WEIGHT
                                                    : rc_sense_weight(process->about.nice);
}

double rc_observe_weight(double group, double own, double others)
{
    return group * own / (own + others);
}

/* ---- one process ---- */

struct found {
    const struct rc_observed_process *process;
    struct company company;
    struct rc_observed report;
};

static void name_user(unsigned user, char name[RC_OBSERVE_USER])
{
    const struct passwd *entry = getpwuid(user);

    if (entry)
        snprintf(name, RC_OBSERVE_USER, "%.32s", entry->pw_name);
    else
        snprintf(name, RC_OBSERVE_USER, "%u", user);
}

/* Shares of its threads.  The time in the kernel is only known for the process; it is divided among
 * threads by their bounds of moving bytes. */
static int thread_shares(const struct rc_observed_process *process, double core_share,
                         struct rc_observe_profile_shares *shares, size_t *count)
{
    struct rc_observe_profile_shares *each = malloc((process->n + 1) * sizeof *each);
    double moving = 0, system = process->about.system - process->system;
    size_t n = 0;

    if (!each)
        return -1;
    for (size_t i = 0; i < process->n; i++)
        moving += process->threads[i].profile.moving;
    for (size_t i = 0; i < process->n; i++) {
        const struct rc_observed_thread *thread = &process->threads[i];
        double part = moving > 0 ? thread->profile.moving / moving : 0;

        each[n] = rc_observe_profile_shares(&thread->profile, part * system, core_share);
        n += !thread->ended && !isnan(each[n].compute);
    }
    *shares = rc_observe_profile_process(each, n, count);
    free(each);
    return 0;
}

/* 1: a competitor; 0: too little activity. */
static int describe(const struct rc_observed_process *process,
                    const struct rc_observation *observation, struct rc_observed *report,
                    struct rc_error *error)
{
    struct rc_observe_profile_shares shares;
    double bytes = 0;

    *report = (struct rc_observed){.pid = process->pid, .competitor = RC_COMPETITOR_INIT};
    if (thread_shares(process, observation->core_share, &shares, &report->count))
        return rc_error_no_memory(error);
    if (shares.compute < RC_OBSERVE_SMALL && shares.communicate < RC_OBSERVE_SMALL)
        return 0;
    for (size_t i = 0; i < process->n; i++) {
        const struct rc_thread_profile *profile = &process->threads[i].profile;

        bytes += profile->bytes;
        if (profile->seconds > 0)
            report->waited = fmax(report->waited, profile->wait / profile->seconds);
    }
    snprintf(report->competitor.name, sizeof report->competitor.name, "%s", process->about.name);
    report->competitor.compute = (struct rc_share){shares.compute, shares.compute};
    report->competitor.communicate = (struct rc_share){shares.communicate, shares.communicate};
    report->competitor.cycle = shares.cycle;
    report->rate = bytes / observation->seconds;
    report->hidden = process->hidden;
    name_user(process->user, report->user);
    return 1;
}

/* ---- all ---- */

static void weigh(struct found *found, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct company *company = &found[i].company;
        double own = own_weight(found[i].process), others = 0;

        found[i].report.competitor.weight = own;
        if (company->number == 0)
            continue;
        for (size_t k = 0; k < n; k++) {
            const struct rc_observed *it = &found[k].report;

            if (found[k].company.number == company->number)
                others += ((double)it->count - (k == i)) * own_weight(found[k].process) *
                          it->competitor.compute.low;
        }
        found[i].report.competitor.weight = rc_observe_weight(company->weight, own, others);
    }
    for (size_t i = 0; i < n; i++) {
        double *weight = &found[i].report.competitor.weight;

        *weight = fabs(*weight - 1) < EVEN ? 1 : fmin(fmax(*weight, WEIGHT_LEAST), WEIGHT_MOST);
    }
}

/* The CPU time of ended and invisible processes. */
static double passing_cores(const struct rc_process_table *table, double busy, double seconds)
{
    double run = table->ended_run, ended = table->ended_run;

    for (size_t i = 0; i < table->n; i++) {
        double used = rc_observe_process_run(&table->items[i]);

        run += used;
        ended += table->items[i].ended && !table->items[i].left_out ? used : 0;
    }
    if (!isnan(busy) && !table->options->only)
        ended += fmax(0, busy - run);
    return ended / seconds;
}

static void describe_passing(double cores, struct rc_observed *report)
{
    double count = fmax(1, ceil(cores - 1e-9));

    *report = (struct rc_observed){.competitor = RC_COMPETITOR_INIT, .count = (size_t)count};
    snprintf(report->competitor.name, sizeof report->competitor.name, "others");
    report->competitor.compute = (struct rc_share){fmin(1, cores / count), fmin(1, cores / count)};
}

static int by_activity(const void *a, const void *b)
{
    const struct rc_observed *x = a, *y = b;
    double p = (double)x->count * (x->competitor.compute.low + x->competitor.communicate.low);
    double q = (double)y->count * (y->competitor.compute.low + y->competitor.communicate.low);

    if (p != q)
        return p < q ? 1 : -1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Adds competitors with their companies, and counts the others. */
static int gather(struct rc_process_table *table, struct found *found, size_t *n,
                  struct rc_observation *observation, struct rc_error *error)
{
    bool sessions = sessions_share();

    for (size_t i = 0; i < table->n; i++) {
        const struct rc_observed_process *process = &table->items[i];
        int status;

        observation->ended += process->ended && !process->left_out;
        observation->meant += !process->outside && !process->left_out;
        if (process->outside || process->ended)
            continue;
        if (process->left_out || process->about.class == RC_PROC_IDLE) {
            observation->excluded += process->left_out && process->pid != getpid();
            observation->yielding += !process->left_out;
            continue;
        }
        status = describe(process, observation, &found[*n].report, error);
        if (status < 0)
            return -1;
        observation->small += status == 0;
        if (status == 0)
            continue;
        found[*n].process = process;
        found[*n].company = company_of(table, process, sessions);
        observation->hidden += found[(*n)++].report.hidden;
    }
    return 0;
}

/* ---- names without a process ---- */

static bool is_there(const struct rc_process_table *table, const char *item)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct rc_observed_process *process = &table->items[i];

        if (!process->outside && process->pid != getpid() &&
            rc_observe_listed(item, process->pid, process->about.name))
            return true;
    }
    return false;
}

/* Adds to a list separated by commas, with "..." if it does not fit. */
static void add_missing(char missing[RC_OBSERVE_MISSING], const char *item)
{
    static const char rest[] = "...";
    size_t used = strlen(missing), comma = used > 0;

    if (used >= strlen(rest) && strcmp(missing + used - strlen(rest), rest) == 0)
        return;
    if (used + comma + strlen(item) + 1 + sizeof rest > RC_OBSERVE_MISSING)
        item = rest;
    snprintf(missing + used, RC_OBSERVE_MISSING - used, "%s%s", comma ? "," : "", item);
}

static int find_missing(const struct rc_process_table *table, const char *list,
                        char missing[RC_OBSERVE_MISSING], struct rc_error *error)
{
    for (const char *at = list ? list : "", *end; *at; at = end + (*end == ',')) {
        char *item;

        end = strchrnul(at, ',');
        if (end == at)
            continue;
        item = strndup(at, (size_t)(end - at));
        if (!item)
            return rc_error_no_memory(error);
        if (!is_there(table, item))
            add_missing(missing, item);
        free(item);
    }
    return 0;
}

/* ---- the whole ---- */

int rc_observe_report(struct rc_process_table *table, double busy,
                      struct rc_observation *observation, struct rc_error *error)
{
    struct found *found = malloc((table->n + 1) * sizeof *found);
    double passing = passing_cores(table, busy, observation->seconds);
    size_t n = 0;
    int status = found ? gather(table, found, &n, observation, error) : rc_error_no_memory(error);

    if (status == 0 &&
        (find_missing(table, table->options->exclude, observation->exclude_missing, error) ||
         find_missing(table, table->options->only, observation->only_missing, error)))
        status = -1;
    observation->group = table->group;
    observation->blind = table->listening && table->sockets.blind;
    if (status == 0) {
        weigh(found, n);
        observation->items = malloc((n + 1) * sizeof *observation->items);
        status = observation->items ? 0 : rc_error_no_memory(error);
    }
    for (size_t i = 0; status == 0 && i < n; i++)
        observation->items[observation->n++] = found[i].report;
    if (status == 0 && passing >= PASSING_LEAST)
        describe_passing(passing, &observation->items[observation->n++]);
    if (status == 0)
        qsort(observation->items, observation->n, sizeof *observation->items, by_activity);
    free(found);
    return status;
}

/* ---- as an option ---- */

/* A name without commas, quotes and blanks. */
static void plain_name(const char *name, char plain[RC_COMPETITOR_NAME])
{
    size_t n = 0;

    for (; name[n] && n < RC_COMPETITOR_NAME - 1; n++)
        plain[n] =
            strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+:@/", name[n])
                ? name[n]
                : '_';
    plain[n] = '\0';
}

size_t rc_observe_observed_format(const struct rc_observed *observed, char *text, size_t size)
{
    const struct rc_competitor *competitor = &observed->competitor;
    char name[RC_COMPETITOR_NAME], weight[40] = "", cycle[40] = "", count[40] = "", called[60] = "";
    int length;

    plain_name(competitor->name, name);
    if (name[0])
        snprintf(called, sizeof called, ",name=%s", name);
    if (competitor->weight != 1)
        snprintf(weight, sizeof weight, ",weight=%.3g", competitor->weight);
    if (competitor->cycle > 0)
        snprintf(cycle, sizeof cycle, ",cycle=%.3gs", competitor->cycle);
    if (observed->count != 1)
        snprintf(count, sizeof count, ",count=%zu", observed->count);
    /* Rounded down, so that both together stay at most 1. */
    length =
        snprintf(text, size, "%.3f:%.3f%s%s%s%s", floor(1e3 * competitor->compute.low + 1e-6) / 1e3,
                 floor(1e3 * competitor->communicate.low + 1e-6) / 1e3, called, weight, cycle,
                 count);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}
