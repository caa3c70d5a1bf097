// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate_plan.c - the steps of a calibration. */
#include "model/slowdown/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* Upper bounds of bytes of a calibration's text: of a burst, and of a link or host without
 * names. */
enum { BURST_TEXT = 80, ITEM_TEXT = 120 };

enum { QUICK_SWEEPS = 20 };
#define LONGEST 2.0 /* seconds of a burst */

/* ---- whether it can be done ---- */

static size_t count_links(const struct rc_slowdown_calibrate *order)
{
    size_t n = order->n_hosts;

    if (!(order->parts & RC_CALIBRATION_BURSTS))
        return 0;
    return n == 1 ? order->loopback : order->all_links ? n * (n - 1) : 2 * (n - 1);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_hosts(const struct rc_slowdown_calibrate *order, struct rc_error *error)
{
    const char **sorted = calloc(order->n_hosts + 1, sizeof *sorted);
    int status = 0;

    if (!sorted)
        return rc_error_no_memory(error);
    memcpy(sorted, order->hosts, order->n_hosts * sizeof *sorted);
    qsort(sorted, order->n_hosts, sizeof *sorted, by_name);
    for (size_t i = 1; i < order->n_hosts && status == 0; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = rc_error_set(error, "duplicate host '%s'", sorted[i]);
    free(sorted);
    return status;
}

/* Refuses what could not be stored in the end, before measuring for hours. */
static int check_size(const struct rc_slowdown_calibrate *order, struct rc_error *error)
{
    size_t links = count_links(order), longest = 0, text;

    if (links > RC_CALIBRATION_LINKS_MAX) {
        rc_error_set(error, "%zu links between %zu hosts; at most %d can be stored", links,
                     order->n_hosts, RC_CALIBRATION_LINKS_MAX);
        return rc_error_hint(error, "use fewer hosts, or only links between neighbours");
    }
    for (size_t i = 0; i < order->n_hosts; i++)
        longest = strlen(order->hosts[i]) > longest ? strlen(order->hosts[i]) : longest;
    text = links * (order->n_bursts * BURST_TEXT + 2 * longest + ITEM_TEXT);
    if (text <= RC_CALIBRATION_TEXT_MAX)
        return 0;
    rc_error_set(error, "%zu bursts on %zu links are too many to store", order->n_bursts, links);
    return rc_error_hint(error, "use fewer hosts or bursts, or only links between neighbours");
}

/* ---- the steps ---- */

static int add(struct rc_slowdown_calibrate_plan *plan, struct rc_calibrate_step step,
               struct rc_error *error)
{
    if (rc_array_room(&plan->steps, plan->n + 1, &plan->room, sizeof *plan->steps, error))
        return -1;
    plan->steps[plan->n++] = step;
    plan->length += step.length;
    return 0;
}

static int add_hosts(const struct rc_slowdown_calibrate *order,
                     struct rc_slowdown_calibrate_plan *plan, struct rc_error *error)
{
    double length = (order->parts & RC_CALIBRATION_WEIGHTS ? RC_CALIBRATE_WEIGHT : 0) +
                    (order->parts & RC_CALIBRATION_MEMORY ? RC_CALIBRATE_MEMORY : 0);
    struct rc_calibrate_step step = {.kind = RC_CALIBRATE_HOST,
                                     .length = length > 0 ? length : RC_CALIBRATE_LOOK};
    int status = 0;

    for (size_t i = 0; i < order->n_hosts && status == 0; i++) {
        step.from = order->hosts[i];
        status = add(plan, step, error);
    }
    return status;
}

static int add_links(const struct rc_slowdown_calibrate *order,
                     struct rc_slowdown_calibrate_plan *plan, struct rc_error *error)
{
    struct rc_calibrate_step step = {.kind = RC_CALIBRATE_LINK, .length = RC_CALIBRATE_BURSTS};
    size_t n = count_links(order) > 0 ? order->n_hosts : 0;
    int status = 0;

    for (size_t i = 0; i < n && status == 0; i++)
        for (size_t j = 0; j < n && status == 0; j++) {
            bool neighbours = i + 1 == j || j + 1 == i;

            if (n > 1 && (i == j || !(order->all_links || neighbours)))
                continue;
            step.from = order->hosts[i];
            step.to = order->hosts[j];
            status = add(plan, step, error);
        }
    return status;
}

static int add_delays(const struct rc_slowdown_calibrate *order,
                      struct rc_slowdown_calibrate_plan *plan, struct rc_error *error)
{
    struct rc_calibrate_step step = {.kind = RC_CALIBRATE_DELAY,
                                     .from = order->hosts[0],
                                     .to = order->hosts[order->n_hosts > 1],
                                     .length = RC_CALIBRATE_CURVE};
    size_t n = order->parts & RC_CALIBRATION_DELAY ? order->communicating : 0;
    int status = 0;

    for (size_t i = 1; i <= n && status == 0; i++) {
        step.communicating = i;
        status = add(plan, step, error);
    }
    return status;
}

int rc_slowdown_calibrate_plan(const struct rc_slowdown_calibrate *order,
                               struct rc_slowdown_calibrate_plan *plan, struct rc_error *error)
{
    *plan = (struct rc_slowdown_calibrate_plan){NULL, 0, 0, 0};
    if (check_hosts(order, error) || check_size(order, error))
        return -1;
    if (order->parts == RC_CALIBRATION_BURSTS && count_links(order) == 0)
        return rc_error_set(error, "no bursts to measure: one host has no links");
    if (add_hosts(order, plan, error) == 0 && add_links(order, plan, error) == 0 &&
        add_delays(order, plan, error) == 0)
        return 0;
    rc_slowdown_calibrate_plan_free(plan);
    return -1;
}

void rc_slowdown_calibrate_plan_free(struct rc_slowdown_calibrate_plan *plan)
{
    free(plan->steps);
    *plan = (struct rc_slowdown_calibrate_plan){NULL, 0, 0, 0};
}

void rc_slowdown_calibrate_defaults(struct rc_slowdown_calibrate *order, bool quick)
{
    static const struct rc_burst quick_bursts[] = {{1, 100}, {100, 1024}, {100, 16384}};
    static const double messages[] = {1, 10, 100, 1000, 5000};
    static const double bytes[] = {100, 1024, 4096, 16384, 65536};
    static struct rc_burst grid[25];

    for (size_t i = 0; i < 25; i++)
        grid[i] = (struct rc_burst){messages[i / 5], bytes[i % 5]};
    order->communicating = quick ? 1 : 2;
    order->points = quick ? 3 : 10;
    order->rounds = quick ? 1 : 5;
    order->sweeps = quick ? QUICK_SWEEPS : RC_BENCH_SWEEPS;
    order->bursts = quick ? quick_bursts : grid;
    order->n_bursts = quick ? 3 : 25;
    order->longest = LONGEST;
    order->quick = quick;
}

/* ---- how long it takes ---- */

#define OPEN_SECONDS 0.5                       /* for a launcher to reach a host */
#define SWEEP_SECONDS (0.16 / RC_BENCH_SWEEPS) /* bench.h */
#define DELAY_WORK 0.25                        /* of computing at a time, at most */
#define DELAY_PAUSE 0.1                        /* until senders are active, or quiet */
#define MEMORY_SECONDS 0.4                     /* of a round, on a host with a few cores */
#define LINK_RATE 1e8                          /* bytes/s */
enum { BURST_LEAST = 3 };                      /* least number of repetitions of a burst */

static double host_seconds(const struct rc_slowdown_calibrate *order)
{
    double rounds = (double)order->rounds, seconds = OPEN_SECONDS;

    if (order->parts & RC_CALIBRATION_WEIGHTS && !order->benchmark)
        seconds += (rounds + 1) * order->sweeps * SWEEP_SECONDS;
    if (order->parts & RC_CALIBRATION_MEMORY)
        seconds += (rounds + 1) * MEMORY_SECONDS;
    return seconds;
}

static double link_seconds(const struct rc_slowdown_calibrate *order)
{
    double seconds = 2 * OPEN_SECONDS;

    for (size_t i = 0; i < order->n_bursts; i++) {
        double once = order->bursts[i].messages * order->bursts[i].bytes / LINK_RATE;

        seconds += once > order->longest ? order->longest
                                         : fmin((double)order->rounds * once,
                                                fmax(order->longest, BURST_LEAST * once));
    }
    return seconds;
}

static double curve_seconds(const struct rc_slowdown_calibrate *order, size_t communicating)
{
    double work = fmin(order->sweeps * SWEEP_SECONDS, DELAY_WORK);

    return 2 * OPEN_SECONDS + (double)(order->points * order->rounds) *
                                  (work * (2 + (double)communicating / 2) + DELAY_PAUSE);
}

double rc_slowdown_calibrate_seconds(const struct rc_slowdown_calibrate *order,
                                     const struct rc_slowdown_calibrate_plan *plan)
{
    double seconds = 0;

    for (size_t i = 0; i < plan->n; i++)
        seconds += plan->steps[i].kind == RC_CALIBRATE_HOST ? host_seconds(order)
                   : plan->steps[i].kind == RC_CALIBRATE_LINK
                       ? link_seconds(order)
                       : curve_seconds(order, plan->steps[i].communicating);
    return seconds;
}
