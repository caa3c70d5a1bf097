// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration.c - measurements of a platform for slowdown factors. */
#include "model/slowdown/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "model/slowdown/aggregate_slowdown.h"

/* The host was probably not idle if its times differ by more than this part of their median. */
#define SPREAD_MOST 0.2

const char *const rc_calibration_parts[RC_CALIBRATION_PARTS] = {"weights", "bursts", "delay",
                                                                "memory"};

void rc_slowdown_calibration_parts_text(unsigned parts, char text[RC_CALIBRATION_PARTS_SIZE])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < RC_CALIBRATION_PARTS; i++)
        if (parts & 1U << i)
            length += (size_t)snprintf(text + length, RC_CALIBRATION_PARTS_SIZE - length, "%s%s",
                                       length > 0 ? "," : "", rc_calibration_parts[i]);
}

unsigned rc_slowdown_calibration_part(const char *name, size_t length)
{
    for (int i = 0; i < RC_CALIBRATION_PARTS; i++)
        if (strlen(rc_calibration_parts[i]) == length &&
            strncmp(rc_calibration_parts[i], name, length) == 0)
            return 1U << i;
    return 0;
}

void rc_slowdown_calibration_free(struct rc_calibration *calibration)
{
    for (size_t i = 0; i < calibration->n_links; i++)
        free(calibration->links[i].bursts.items);
    free(calibration->hosts);
    free(calibration->links);
    free(calibration->points);
    *calibration = (struct rc_calibration){.byte_seconds = NAN};
}

const struct rc_slowdown_calibration_host *
rc_slowdown_calibration_host(const struct rc_calibration *calibration, const char *name)
{
    for (size_t i = 0; i < calibration->n_hosts; i++)
        if (strcmp(calibration->hosts[i].name, name) == 0)
            return &calibration->hosts[i];
    return NULL;
}

const struct rc_slowdown_calibration_link *
rc_slowdown_calibration_link(const struct rc_calibration *calibration, const char *from,
                             const char *to)
{
    for (size_t i = 0; i < calibration->n_links; i++)
        if (strcmp(calibration->links[i].from, from) == 0 &&
            strcmp(calibration->links[i].to, to) == 0)
            return &calibration->links[i];
    return NULL;
}

size_t rc_slowdown_calibration_counts(const struct rc_calibration *calibration, double *counts,
                                      size_t most)
{
    size_t n = 0, j;

    for (size_t i = 0; i < calibration->n_links; i++)
        for (size_t b = 0; b < calibration->links[i].bursts.n; b++) {
            double messages = calibration->links[i].bursts.items[b].burst.messages;

            for (j = 0; j < n && counts[j] != messages; j++)
                ;
            if (j == n && n < most)
                counts[n++] = messages;
        }
    return n;
}

const char *rc_slowdown_calibration_near(const struct rc_calibration *calibration, const char *name)
{
    for (size_t i = 0; i < calibration->n_hosts; i++) {
        const char *host = calibration->hosts[i].name;

        if (rc_nearest_word(name, &host, 1, sizeof host))
            return host;
    }
    return NULL;
}

unsigned rc_slowdown_calibration_has(const struct rc_calibration *calibration)
{
    unsigned parts = (calibration->n_links > 0 ? RC_CALIBRATION_BURSTS : 0) |
                     (calibration->n_points > 0 ? RC_CALIBRATION_DELAY : 0);

    for (size_t i = 0; i < calibration->n_hosts; i++)
        parts |= (calibration->hosts[i].seconds > 0 ? RC_CALIBRATION_WEIGHTS : 0) |
                 (calibration->hosts[i].memory.n > 0 ? RC_CALIBRATION_MEMORY : 0);
    return parts;
}

bool rc_slowdown_calibration_was_busy(const struct rc_slowdown_calibration_host *host)
{
    return host->spread > SPREAD_MOST;
}

/* ---- making one ---- */

/* Adds room for one more element to an array of `n`, at most `most`. */
static void *grow(void *items, size_t n, size_t most, size_t size, const char *what,
                  struct rc_error *error)
{
    void *grown = n < most ? realloc(items, (n + 1) * size) : NULL;

    if (n == most)
        rc_error_set(error, "more than %zu %s", most, what);
    else if (!grown)
        rc_error_no_memory(error);
    return grown;
}

static int check_name(const char *name, struct rc_error *error)
{
    return strlen(name) < RC_CALIBRATION_NAME
               ? 0
               : rc_error_set(error, "name of a host longer than %d bytes",
                              RC_CALIBRATION_NAME - 1);
}

struct rc_slowdown_calibration_host *
rc_slowdown_calibration_add_host(struct rc_calibration *calibration, const char *name,
                                 struct rc_error *error)
{
    const struct rc_slowdown_calibration_host *known =
        rc_slowdown_calibration_host(calibration, name);
    struct rc_slowdown_calibration_host *grown;

    if (known)
        return &calibration->hosts[known - calibration->hosts];
    if (check_name(name, error) ||
        !(grown = grow(calibration->hosts, calibration->n_hosts, RC_CALIBRATION_HOSTS_MAX,
                       sizeof *grown, "hosts", error)))
        return NULL;
    calibration->hosts = grown;
    grown += calibration->n_hosts++;
    *grown = (struct rc_slowdown_calibration_host){
        .cores = 1, .seconds = NAN, .weight = NAN, .spread = NAN};
    memcpy(grown->name, name, strlen(name) + 1);
    return grown;
}

struct rc_slowdown_calibration_link *
rc_slowdown_calibration_add_link(struct rc_calibration *calibration, const char *from,
                                 const char *to, struct rc_error *error)
{
    const struct rc_slowdown_calibration_link *known =
        rc_slowdown_calibration_link(calibration, from, to);
    struct rc_slowdown_calibration_link *grown;

    if (known)
        return &calibration->links[known - calibration->links];
    if (check_name(from, error) || check_name(to, error) ||
        !(grown = grow(calibration->links, calibration->n_links, RC_CALIBRATION_LINKS_MAX,
                       sizeof *grown, "links", error)))
        return NULL;
    calibration->links = grown;
    grown += calibration->n_links++;
    *grown = (struct rc_slowdown_calibration_link){.bursts = {NULL, 0}};
    memcpy(grown->from, from, strlen(from) + 1);
    memcpy(grown->to, to, strlen(to) + 1);
    return grown;
}

int rc_slowdown_calibration_weigh(struct rc_calibration *calibration, struct rc_error *error)
{
    double *seconds = calloc(calibration->n_hosts + 1, 2 * sizeof *seconds);
    double *weights = seconds ? seconds + calibration->n_hosts : NULL;
    size_t known = 0;

    if (!seconds)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < calibration->n_hosts; i++)
        if (calibration->hosts[i].seconds > 0)
            seconds[known++] = calibration->hosts[i].seconds;
    rc_slowdown_aggregate_weights(seconds, known, weights);
    known = 0;
    for (size_t i = 0; i < calibration->n_hosts; i++)
        calibration->hosts[i].weight = calibration->hosts[i].seconds > 0 ? weights[known++] : NAN;
    free(seconds);
    return 0;
}

int rc_slowdown_calibration_fit(struct rc_calibration *calibration, struct rc_error *error)
{
    struct rc_delay_point *points = calloc(calibration->n_points + 1, sizeof *points);
    int status = points ? 0 : rc_error_no_memory(error);

    calibration->delay = (struct rc_delay){.n = 0};
    for (size_t i = 1; i <= RC_DELAY_CURVES_MAX && status == 0; i++) {
        size_t n = 0;

        for (size_t j = 0; j < calibration->n_points; j++)
            if (calibration->points[j].communicating == i)
                points[n++] = calibration->points[j].point;
        if (n == 0)
            break;
        status = rc_slowdown_delay_fit(points, n, &calibration->delay.curves[i - 1], NULL, error);
        calibration->delay.n = i;
    }
    free(points);
    return status;
}

/* ---- together with an older one ---- */

/* Parts that are taken over are still unreliable if they were. */

static int complete_hosts(struct rc_calibration *calibration, const struct rc_calibration *before,
                          unsigned parts, struct rc_error *error)
{
    for (size_t i = 0; i < before->n_hosts; i++) {
        const struct rc_slowdown_calibration_host *old = &before->hosts[i];
        bool known = rc_slowdown_calibration_host(calibration, old->name) != NULL;
        struct rc_slowdown_calibration_host *host =
            rc_slowdown_calibration_add_host(calibration, old->name, error);

        if (!host)
            return -1;
        if (!known)
            host->cores = old->cores;
        if (!known || !(parts & RC_CALIBRATION_WEIGHTS) || isnan(host->seconds)) {
            host->seconds = old->seconds;
            host->spread = old->spread;
            calibration->quick |= old->seconds > 0 ? before->quick & RC_CALIBRATION_WEIGHTS : 0;
        }
        if (!known || !(parts & RC_CALIBRATION_MEMORY) ||
            (host->memory.n == 0 && host->cores > 1)) {
            host->memory = old->memory;
            calibration->quick |= old->memory.n > 0 ? before->quick & RC_CALIBRATION_MEMORY : 0;
        }
    }
    return 0;
}

static int complete_links(struct rc_calibration *calibration, const struct rc_calibration *before,
                          struct rc_error *error)
{
    for (size_t i = 0; i < before->n_links; i++) {
        const struct rc_slowdown_calibration_link *old = &before->links[i];
        struct rc_slowdown_calibration_link *link;
        struct rc_burst_table copy = {NULL, old->bursts.n};

        if (rc_slowdown_calibration_link(calibration, old->from, old->to))
            continue;
        link = rc_slowdown_calibration_add_link(calibration, old->from, old->to, error);
        if (!link)
            return -1;
        copy.items = calloc(copy.n + 1, sizeof *copy.items);
        if (!copy.items)
            return rc_error_no_memory(error);
        for (size_t j = 0; j < copy.n; j++)
            copy.items[j] = old->bursts.items[j];
        link->bursts = copy;
        calibration->quick |= before->quick & RC_CALIBRATION_BURSTS;
    }
    return 0;
}

static int take_delay(struct rc_calibration *calibration, const struct rc_calibration *before,
                      struct rc_error *error)
{
    struct rc_calibration_point *points = calloc(before->n_points + 1, sizeof *points);

    if (!points)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < before->n_points; i++)
        points[i] = before->points[i];
    free(calibration->points);
    calibration->points = points;
    calibration->n_points = before->n_points;
    calibration->quick |= before->quick & RC_CALIBRATION_DELAY;
    calibration->delay = before->delay;
    calibration->byte_seconds = before->byte_seconds;
    memcpy(calibration->delay_from, before->delay_from, sizeof before->delay_from);
    memcpy(calibration->delay_to, before->delay_to, sizeof before->delay_to);
    return 0;
}

int rc_slowdown_calibration_complete(struct rc_calibration *calibration,
                                     const struct rc_calibration *before, unsigned parts,
                                     struct rc_error *error)
{
    calibration->quick &= parts;
    calibration->missing |= before->missing & ~parts;
    if (complete_hosts(calibration, before, parts, error) ||
        complete_links(calibration, before, error))
        return -1;
    if (!(parts & RC_CALIBRATION_DELAY) && take_delay(calibration, before, error))
        return -1;
    return rc_slowdown_calibration_weigh(calibration, error);
}
