// SPDX-License-Identifier: GPL-3.0-or-later
/* place.c - where competitors stand in the tree of control groups. */
#include "host/sense/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

#define WEIGH_SECONDS 10.0
enum { MOUNTS_SIZE = 1 << 18, GROUPS_SIZE = 1 << 13, PATH_SIZE = 4096 + 16 };

/* ---- weights ---- */

/* The weight of the group whose directory is the first `length` characters; -1: it has none. */
static double weight_of(int version, const char *directory, size_t length)
{
    char path[PATH_SIZE], text[32];
    double value;

    snprintf(path, sizeof path, "%.*s/%s", (int)length, directory,
             version == 1 ? "cpu.shares" : "cpu.weight");
    if (rc_text_read(path, text, sizeof text) || rc_number_parse(text, strlen(text), &value) ||
        !(value > 0))
        return -1;
    return value / (version == 1 ? 1024 : 100);
}

/* Version 2 may not share the cores between the lower groups. */
static void cut_unweighed(struct rc_cgroup *place)
{
    while (place->version == 2 && strlen(place->directory) > place->top &&
           weight_of(2, place->directory, strlen(place->directory)) < 0 && rc_cgroup_up(place))
        ;
}

static double or_one(double weight)
{
    return weight > 0 ? weight : 1;
}

static void weigh_mine(struct rc_sense_places *places)
{
    const char *directory = places->mine.directory;

    places->depth = 0;
    for (const char *at = directory + places->mine.top; *at;) {
        at += 1 + strcspn(at + 1, "/");
        if (places->depth < RC_SENSE_DEPTH_MAX)
            places->weights[places->depth++] =
                or_one(weight_of(places->mine.version, directory, (size_t)(at - directory)));
    }
}

static void forget(struct rc_sense_places *places)
{
    for (size_t i = 0; i < places->n; i++)
        free(places->items[i].directory);
    places->n = 0;
}

bool rc_sense_places_weigh(struct rc_sense_places *places, double now)
{
    bool full = places->n == RC_SENSE_PLACES_MAX;

    if (full)
        forget(places);
    if (!places->there || now - places->weighed < WEIGH_SECONDS)
        return full;
    weigh_mine(places);
    for (size_t i = 0; i < places->n; i++)
        if (places->items[i].place.group)
            places->items[i].place.weight =
                or_one(weight_of(places->mine.version, places->items[i].directory,
                                 places->items[i].shared));
    places->weighed = now;
    return full;
}

/* ---- places ---- */

void rc_sense_places_begin(struct rc_sense_places *places, const struct rc_sense_group *group)
{
    *places = (struct rc_sense_places){.mine = group->cpu};
    if (!group->found)
        return;
    places->mounts = malloc(MOUNTS_SIZE);
    if (!places->mounts || rc_text_read("/proc/self/mountinfo", places->mounts, MOUNTS_SIZE))
        return;
    cut_unweighed(&places->mine);
    weigh_mine(places);
    places->there = true;
}

void rc_sense_places_end(struct rc_sense_places *places)
{
    forget(places);
    free(places->items);
    free(places->mounts);
    *places = (struct rc_sense_places){.n = 0};
}

size_t rc_sense_place_compare(const char *mine, const char *theirs, size_t top, size_t *level)
{
    size_t at = top;

    *level = 0;
    for (;;) {
        size_t part;

        if (!theirs[at])
            return 0;
        part = 1 + strcspn(theirs + at + 1, "/");
        if (strncmp(mine + at, theirs + at, part) != 0 ||
            (mine[at + part] && mine[at + part] != '/'))
            return at + part;
        at += part;
        (*level)++;
    }
}

static int group_number(const struct rc_sense_places *places, const char *directory, size_t length)
{
    for (size_t i = 0; i < places->n; i++)
        if (places->items[i].shared == length &&
            strncmp(places->items[i].directory, directory, length) == 0)
            return (int)i + 1;
    return (int)places->n + 1;
}

static int add_place(struct rc_sense_places *places, const struct rc_cgroup *theirs)
{
    struct rc_sense_known *more = realloc(places->items, (places->n + 1) * sizeof *more), *it;
    size_t top = places->mine.top;

    if (!more)
        return 0;
    places->items = more;
    it = &more[places->n];
    *it = (struct rc_sense_known){.directory = strdup(theirs->directory)};
    if (!it->directory)
        return 0;
    it->shared =
        rc_sense_place_compare(places->mine.directory, it->directory, top, &it->place.level);
    it->place.top = !it->directory[top];
    it->place.weight = 1;
    if (it->shared) {
        it->place.group = group_number(places, it->directory, it->shared);
        it->place.weight = or_one(weight_of(places->mine.version, it->directory, it->shared));
    }
    return (int)++places->n;
}

int rc_sense_places_find(struct rc_sense_places *places, pid_t pid)
{
    char path[64], text[GROUPS_SIZE];
    struct rc_cgroup theirs;

    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    if (!places->there || rc_text_read(path, text, sizeof text) ||
        rc_cgroup_find(places->mounts, text, "cpu", &theirs) ||
        theirs.version != places->mine.version || theirs.top != places->mine.top)
        return 0;
    cut_unweighed(&theirs);
    for (size_t i = 0; i < places->n; i++)
        if (strcmp(places->items[i].directory, theirs.directory) == 0)
            return (int)i + 1;
    return places->n < RC_SENSE_PLACES_MAX ? add_place(places, &theirs) : 0;
}

const struct rc_sense_place *rc_sense_places_get(const struct rc_sense_places *places, int number)
{
    return number > 0 && (size_t)number <= places->n ? &places->items[number - 1].place : NULL;
}
