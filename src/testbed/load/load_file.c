// SPDX-License-Identifier: GPL-3.0-or-later
/* load_file.c - what a user calls a load: a kind, a recorded table, or a load file. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unit.h"
#include "testbed/load/load.h"
#include "testbed/load/load_schema.h"

enum { PATH_SIZE = 4096, PLACE_SIZE = 128 };

struct reading {
    const struct rc_yaml *yaml;
    const char *name; /* of the load file */
    int tables;
    struct rc_load *load;
    struct rc_error *error;
};

/* ---- values ---- */

RC_PRINTF(4, 5)
static int fail_at(const struct reading *reading, const char *path, const char *key,
                   const char *format, ...)
{
    char place[PLACE_SIZE], text[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%s%s%s", path, *path && *key ? "." : "", key);
    return rc_platform_yaml_fail(reading->yaml, place, 0, reading->error, "%s", text);
}

/* A quantity within `low` and `high`; `*value` stays as it is where there is no text. */
static int read_number(const struct reading *reading, const char *path, const char *key,
                       const char *text, enum rc_dimension dimension, double low, double high,
                       double *value)
{
    struct rc_error inner;
    double number;

    if (!text)
        return 0;
    if (rc_unit_parse(text, strlen(text), dimension, &number, &inner))
        return fail_at(reading, path, key, "%s", inner.text);
    if (!(number >= low && number <= high))
        return fail_at(reading, path, key, "'%.100s' is not from %g to %g", text, low, high);
    *value = number;
    return 0;
}

static int read_range(const struct reading *reading, const char *path, const char *key,
                      const char *text, struct rc_range *range)
{
    struct rc_error inner;

    if (text && rc_unit_parse_range(text, RC_SECONDS, range, &inner))
        return fail_at(reading, path, key, "%s", inner.text);
    return 0;
}

/* ---- drawn loads ---- */

static int read_shape(const struct reading *reading, const char *path,
                      const struct rc_raw_shape *raw, struct rc_load_shape *shape)
{
    struct rc_error inner;
    char key[32];

    if (!raw)
        return 0;
    if (reading->load->kind == RC_LOAD_REPLAY || reading->load->kind == RC_LOAD_NONE)
        return fail_at(reading, path, "", "a load of kind %s has no levels and times",
                       rc_load_kind_name(reading->load->kind));
    for (size_t i = 0; i < raw->levels_count; i++) {
        snprintf(key, sizeof key, "levels[%zu]", i);
        if (read_number(reading, path, key, raw->levels[i], RC_FRACTION, 0, 1, &shape->levels[i]))
            return -1;
    }
    if (raw->levels_count)
        shape->n_levels = raw->levels_count;
    if (read_range(reading, path, "dwell", raw->dwell, &shape->dwell) ||
        read_range(reading, path, "rest", raw->rest, &shape->rest) ||
        read_number(reading, path, "again", raw->again, RC_FRACTION, 0, 1, &shape->again) ||
        read_number(reading, path, "spread", raw->spread, RC_FRACTION, 0, 1, &shape->spread))
        return -1;
    if (rc_load_shape_check(shape, &inner))
        return fail_at(reading, path, "", "%s", inner.text);
    return 0;
}

/* ---- recorded loads ---- */

/* Tables with dates belong to the calendar; the last value is taken to hold for as long as the one
 * before it did. */
static void settle(struct rc_load_track *track)
{
    struct rc_sample *items = track->steps.items;
    size_t n = track->steps.n;

    if (items[0].t >= RC_LOAD_EPOCH)
        for (size_t i = 0; i < n; i++)
            items[i].t -= RC_LOAD_EPOCH;
    track->end = items[n - 1].t + (n > 1 ? items[n - 1].t - items[n - 2].t : 0);
}

static int no_table(struct rc_load_track *track, struct rc_error *error)
{
    track->steps.items = calloc(1, sizeof *track->steps.items);
    if (!track->steps.items)
        return rc_error_no_memory(error);
    track->steps.items[0].value = 1;
    track->steps.n = 1;
    return 0;
}

static int read_track(const struct reading *reading, const char *path,
                      const struct rc_raw_track *raw, struct rc_load_track *track)
{
    struct rc_load_table table = {.column = raw->column, .means = raw->means, .full = 1};
    struct rc_error inner;
    char whole[PATH_SIZE];

    track->what = raw->what;
    track->beyond = raw->beyond;
    if (read_number(reading, path, "full", raw->full, RC_COUNT, 1e-300, 1e300, &table.full) ||
        read_number(reading, path, "least", raw->least, RC_FRACTION, 0, 1, &table.least) ||
        read_number(reading, path, "shift", raw->shift, RC_SECONDS, -RC_LOAD_TIME_MAX,
                    RC_LOAD_TIME_MAX, &track->shift))
        return -1;
    if (raw->hosts && rc_platform_hostlist_expand(raw->hosts, strlen(raw->hosts), RC_HOSTS_MAX,
                                                  &track->hosts, &inner))
        return fail_at(reading, path, "hosts", "%s", inner.text);
    if (raw->shift && !raw->hosts)
        return fail_at(reading, path, "shift",
                       "'shift' goes along the list of 'hosts', which is "
                       "not there");
    if (!reading->tables)
        return no_table(track, reading->error);
    if (rc_text_beside(reading->name, raw->file, whole, PATH_SIZE))
        return fail_at(reading, path, "file", "the path is too long");
    if (rc_load_read_table(whole, &table, &track->steps, reading->error))
        return -1;
    settle(track);
    return 0;
}

static int read_tracks(const struct reading *reading, const struct rc_raw_load *raw)
{
    struct rc_load *load = reading->load;
    char path[32];

    if (load->kind != RC_LOAD_REPLAY)
        return raw->replay_count == 0 ? 0
                                      : fail_at(reading, "replay", "",
                                                "only a load of kind replay has recorded series");
    if (raw->replay_count == 0)
        return fail_at(reading, "kind", "", "a load of kind replay needs the list 'replay'");
    load->tracks = calloc(raw->replay_count, sizeof *load->tracks);
    if (!load->tracks)
        return rc_error_no_memory(reading->error);
    load->n_tracks = raw->replay_count;
    for (size_t i = 0; i < load->n_tracks; i++) {
        snprintf(path, sizeof path, "replay[%zu]", i);
        if (read_track(reading, path, &raw->replay[i], &load->tracks[i]))
            return -1;
    }
    return 0;
}

/* ---- the whole ---- */

static struct rc_load *create(enum rc_load_kind kind, struct rc_error *error)
{
    struct rc_load *load = calloc(1, sizeof *load);

    if (!load) {
        rc_error_no_memory(error);
        return NULL;
    }
    load->kind = kind;
    for (int what = RC_LOAD_CPU; what <= RC_LOAD_LINK && kind != RC_LOAD_REPLAY; what++)
        load->shapes[what] = *rc_load_shape_of(kind, (enum rc_load_what)what);
    return load;
}

/* What was read of tables belongs to it, and not only their names. */
static void sign(struct rc_load *load, const char *text, size_t length)
{
    struct rc_digest digest;

    rc_digest_begin(&digest);
    rc_digest_add(&digest, text, length);
    for (size_t i = 0; i < load->n_tracks; i++)
        rc_digest_add(&digest, load->tracks[i].steps.items,
                      load->tracks[i].steps.n * sizeof *load->tracks[i].steps.items);
    rc_digest_end(&digest, load->digest);
}

static int read_load(struct reading *reading, const char *text, size_t length)
{
    struct rc_raw_load *raw =
        rc_platform_yaml_load(text, length, reading->name, &rc_load_schema, reading->error);
    int status = raw ? 0 : -1;

    if (status == 0 && !(reading->load = create(raw->kind, reading->error)))
        status = -1;
    if (status == 0 &&
        (read_shape(reading, "cpu", raw->cpu, &reading->load->shapes[RC_LOAD_CPU]) ||
         read_shape(reading, "link", raw->link, &reading->load->shapes[RC_LOAD_LINK]) ||
         read_tracks(reading, raw)))
        status = -1;
    rc_platform_yaml_unload(&rc_load_schema, raw);
    if (status == 0)
        sign(reading->load, text, length);
    return status;
}

struct rc_load *rc_load_parse(const char *text, size_t length, const char *name, int tables,
                              struct rc_error *error)
{
    struct reading reading = {.name = name, .tables = tables, .error = error};
    struct rc_yaml *yaml =
        rc_platform_yaml_check(text, length, name, &rc_load_schema, rc_load_notes, error);

    if (!yaml)
        return NULL;
    reading.yaml = yaml;
    if (read_load(&reading, text, length)) {
        rc_load_destroy(reading.load);
        reading.load = NULL;
    }
    rc_platform_yaml_destroy(yaml);
    return reading.load;
}

static struct rc_load *open_table(const char *path, struct rc_error *error)
{
    struct rc_load *load = create(RC_LOAD_REPLAY, error);

    if (!load)
        return NULL;
    load->tracks = calloc(1, sizeof *load->tracks);
    load->n_tracks = load->tracks ? 1 : 0;
    if (!load->tracks ? rc_error_no_memory(error)
                      : rc_load_read(path, NULL, &load->tracks[0].steps, error)) {
        rc_load_destroy(load);
        return NULL;
    }
    settle(&load->tracks[0]);
    sign(load, "replay:", strlen("replay:"));
    return load;
}

struct rc_load *rc_load_open(const char *text, struct rc_error *error)
{
    static const char *const names[] = {"none", "random", "modal", "bursty"};
    struct rc_buffer content = RC_BUFFER_INIT(RC_YAML_SIZE_MAX + 1);
    struct rc_load *load = NULL;
    int kind = rc_load_kind_find(text);
    const char *near = rc_text_nearest(text, names, sizeof names / sizeof *names, sizeof *names);

    if (strncmp(text, "replay:", 7) == 0)
        return open_table(text + 7, error);
    if (kind == RC_LOAD_REPLAY) {
        rc_error_set(error, "a load that was recorded needs to be named");
        rc_error_hint(error, "write replay:FILE.csv, or name a load file (docs/sim.md)");
        return NULL;
    }
    if (kind >= 0) {
        load = create((enum rc_load_kind)kind, error);
        if (load)
            sign(load, text, strlen(text));
        return load;
    }
    if (rc_buffer_read_file(&content, text, error) == 0)
        load = rc_load_parse(content.data ? content.data : "", content.length, text, 1, error);
    else if (near)
        rc_error_hint(error, "did you mean '%s'?", near);
    else
        rc_error_hint(error, "a load is none, random, modal, bursty, replay:FILE.csv, or a load "
                             "file");
    rc_buffer_free(&content);
    return load;
}
