// SPDX-License-Identifier: GPL-3.0-or-later
/* load_file.c - what a user calls a load: a kind, a recorded table, or a load file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/nearest_word.h"
#include "base/unit.h"
#include "testbed/load/platform_load.h"
#include "platform/yaml.h"

/* ---- the shape of the file ---- */

/* The file as it was written; what is optional and was not there is NULL. */
struct raw_shape {
    char **levels;
    char *dwell, *rest, *again, *spread;
    uint32_t levels_count;
};

struct raw_track {
    enum rc_load_what what;
    enum rc_load_means means;
    enum rc_load_beyond beyond;
    char *hosts, *file, *column, *full, *least, *shift;
};

struct raw_load {
    enum rc_load_kind kind;
    struct raw_shape *cpu, *link;
    struct raw_track *replay;
    uint32_t replay_count;
};

static const struct cyaml_schema_field shape_fields[] = {
    RC_YAML_TEXTS("levels", RC_YAML_OPTIONAL, struct raw_shape, levels, RC_LOAD_LEVELS_MAX),
    RC_YAML_TEXT("dwell", RC_YAML_OPTIONAL, struct raw_shape, dwell),
    RC_YAML_TEXT("rest", RC_YAML_OPTIONAL, struct raw_shape, rest),
    RC_YAML_TEXT("again", RC_YAML_OPTIONAL, struct raw_shape, again),
    RC_YAML_TEXT("spread", RC_YAML_OPTIONAL, struct raw_shape, spread),
    CYAML_FIELD_END,
};

static const struct cyaml_strval whats[] = {{"cpu", RC_LOAD_CPU}, {"link", RC_LOAD_LINK}};
static const struct cyaml_strval meanings[] = {{"available", RC_LOAD_AVAILABLE},
                                               {"used", RC_LOAD_USED},
                                               {"queue", RC_LOAD_QUEUE}};
static const struct cyaml_strval beyonds[] = {{"stop", RC_LOAD_STOP},
                                              {"hold", RC_LOAD_HOLD},
                                              {"repeat", RC_LOAD_REPEAT}};
static const struct cyaml_strval kinds[] = {
    {"none", RC_LOAD_NONE},     {"random", RC_LOAD_RANDOM}, {"modal", RC_LOAD_MODAL},
    {"bursty", RC_LOAD_BURSTY}, {"replay", RC_LOAD_REPLAY},
};

static const struct cyaml_schema_field track_fields[] = {
    RC_YAML_TEXT("file", RC_YAML_REQUIRED, struct raw_track, file),
    RC_YAML_TEXT("column", RC_YAML_OPTIONAL, struct raw_track, column),
    RC_YAML_CHOICE("what", RC_YAML_OPTIONAL, struct raw_track, what, whats),
    RC_YAML_TEXT("hosts", RC_YAML_OPTIONAL, struct raw_track, hosts),
    RC_YAML_CHOICE("means", RC_YAML_OPTIONAL, struct raw_track, means, meanings),
    RC_YAML_TEXT("full", RC_YAML_OPTIONAL, struct raw_track, full),
    RC_YAML_TEXT("least", RC_YAML_OPTIONAL, struct raw_track, least),
    RC_YAML_TEXT("shift", RC_YAML_OPTIONAL, struct raw_track, shift),
    RC_YAML_CHOICE("beyond", RC_YAML_OPTIONAL, struct raw_track, beyond, beyonds),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value track_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_track, track_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_CHOICE("kind", RC_YAML_REQUIRED, struct raw_load, kind, kinds),
    CYAML_FIELD_MAPPING_PTR("cpu", RC_YAML_OPTIONAL, struct raw_load, cpu, shape_fields),
    CYAML_FIELD_MAPPING_PTR("link", RC_YAML_OPTIONAL, struct raw_load, link, shape_fields),
    RC_YAML_LIST("replay", RC_YAML_OPTIONAL, struct raw_load, replay, &track_entry, 1,
                 RC_LOAD_TRACKS_MAX),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value load_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_load, fields),
};

static const struct rc_yaml_expected load_expected[] = {
    {"kind", "none, random, modal, bursty or replay"},
    {"levels", "a list of fractions such as [1, 0.5]"},
    {"dwell", "times such as 60s..600s"},
    {"rest", "times such as 20s..120s"},
    {"again", "a probability from 0 to 1"},
    {"spread", "a fraction from 0 to 1"},
    {"replay", "a list of series, each after '- '"},
    {"file", "the name of a CSV file"},
    {"column", "the name of a column"},
    {"what", "cpu or link"},
    {"hosts", "host names in one string, such as a[001-064] or a1,b1"},
    {"means", "available, used or queue"},
    {"full", "a number above 0, such as 100"},
    {"least", "a fraction from 0 to 1"},
    {"shift", "a time such as 10min"},
    {"beyond", "stop, hold or repeat"},
    {NULL, NULL},
};

enum { PATH_SIZE = 4096 };

struct reading {
    const struct rc_yaml *yaml;
    int tables;
    struct rc_load *load;
};

/* ---- values ---- */

static int read_range(const struct reading *reading, const char *path, const char *key,
                      const char *text, struct rc_range *range)
{
    struct rc_error inner;

    if (text && rc_unit_parse_range(text, RC_SECONDS, range, &inner))
        return rc_platform_yaml_fail(reading->yaml, path, key, "%s", inner.text);
    return 0;
}

/* ---- drawn loads ---- */

static int read_shape(const struct reading *reading, const char *path, const struct raw_shape *raw,
                      struct rc_load_shape *shape)
{
    struct rc_error inner;
    char key[32];

    if (!raw)
        return 0;
    if (reading->load->kind == RC_LOAD_REPLAY || reading->load->kind == RC_LOAD_NONE)
        return rc_platform_yaml_fail(reading->yaml, path, "",
                                     "loads of kind %s have no levels and times",
                                     rc_load_kind_name(reading->load->kind));
    for (size_t i = 0; i < raw->levels_count; i++) {
        snprintf(key, sizeof key, "levels[%zu]", i);
        if (rc_platform_yaml_number(reading->yaml, path, key, raw->levels[i], RC_FRACTION, 0, 1,
                                    &shape->levels[i]))
            return -1;
    }
    if (raw->levels_count)
        shape->n_levels = raw->levels_count;
    if (read_range(reading, path, "dwell", raw->dwell, &shape->dwell) ||
        read_range(reading, path, "rest", raw->rest, &shape->rest) ||
        rc_platform_yaml_number(reading->yaml, path, "again", raw->again, RC_FRACTION, 0, 1,
                                &shape->again) ||
        rc_platform_yaml_number(reading->yaml, path, "spread", raw->spread, RC_FRACTION, 0, 1,
                                &shape->spread))
        return -1;
    if (rc_load_shape_check(shape, &inner))
        return rc_platform_yaml_fail(reading->yaml, path, "", "%s", inner.text);
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

/* In a load, a key of the file selects the column. */
static int hint_column(struct rc_error *error)
{
    if (error && error->code && strcmp(error->code, "db.no-value-column") == 0)
        rc_error_hint(error, "a load file can name the column that has the values, with "
                             "'column: NAME' (see docs/reference/load-files.md)");
    return -1;
}

static int read_track(const struct reading *reading, const char *path, const struct raw_track *raw,
                      struct rc_load_track *track)
{
    struct rc_load_table table = {.column = raw->column, .means = raw->means, .full = 1};
    struct rc_error inner;
    char whole[PATH_SIZE];

    track->what = raw->what;
    track->beyond = raw->beyond;
    if (rc_platform_yaml_number(reading->yaml, path, "full", raw->full, RC_COUNT, 1e-300, 1e300,
                                &table.full) ||
        rc_platform_yaml_number(reading->yaml, path, "least", raw->least, RC_FRACTION, 0, 1,
                                &table.least) ||
        rc_platform_yaml_number(reading->yaml, path, "shift", raw->shift, RC_SECONDS,
                                -RC_LOAD_TIME_MAX, RC_LOAD_TIME_MAX, &track->shift))
        return -1;
    if (raw->hosts && rc_platform_hostlist_expand(raw->hosts, strlen(raw->hosts), RC_HOSTS_MAX,
                                                  &track->hosts, &inner))
        return rc_platform_yaml_fail(reading->yaml, path, "hosts", "%s", inner.text);
    if (raw->shift && !raw->hosts)
        return rc_platform_yaml_fail(reading->yaml, path, "shift", "'shift' needs 'hosts'");
    if (!reading->tables)
        return no_table(track, reading->yaml->error);
    if (rc_file_beside(reading->yaml->name, raw->file, whole, PATH_SIZE))
        return rc_platform_yaml_fail(reading->yaml, path, "file", "the path is too long");
    if (rc_load_read_table(whole, &table, &track->steps, reading->yaml->error))
        return hint_column(reading->yaml->error);
    settle(track);
    return 0;
}

static int read_tracks(const struct reading *reading, const struct raw_load *raw)
{
    struct rc_load *load = reading->load;
    char path[32];

    if (load->kind != RC_LOAD_REPLAY)
        return raw->replay_count == 0
                   ? 0
                   : rc_platform_yaml_fail(reading->yaml, "replay", "",
                                           "only loads of kind replay have the list 'replay'");
    if (raw->replay_count == 0)
        return rc_platform_yaml_fail(reading->yaml, "kind", "",
                                     "loads of kind replay need the list 'replay'");
    load->tracks = calloc(raw->replay_count, sizeof *load->tracks);
    if (!load->tracks)
        return rc_error_no_memory(reading->yaml->error);
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

    if (!load)
        return rc_error_null(rc_error_no_memory(error));
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

static int read_load(struct reading *reading, const struct raw_load *raw)
{
    const struct rc_yaml *yaml = reading->yaml;

    if (!(reading->load = create(raw->kind, yaml->error)) ||
        read_shape(reading, "cpu", raw->cpu, &reading->load->shapes[RC_LOAD_CPU]) ||
        read_shape(reading, "link", raw->link, &reading->load->shapes[RC_LOAD_LINK]) ||
        read_tracks(reading, raw))
        return -1;
    sign(reading->load, yaml->text, yaml->length);
    return 0;
}

struct rc_load *rc_load_parse(const char *text, size_t length, const char *name, int tables,
                              struct rc_error *error)
{
    struct rc_yaml yaml;
    struct reading reading = {.yaml = &yaml, .tables = tables};

    if (rc_platform_yaml_open(&yaml, text, length, name, &load_schema, load_expected, error) == 0 &&
        read_load(&reading, yaml.content)) {
        rc_load_destroy(reading.load);
        reading.load = NULL;
    }
    rc_platform_yaml_close(&yaml);
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
        hint_column(error);
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
    const char *near = rc_nearest_word(text, names, sizeof names / sizeof *names, sizeof *names);

    if (strncmp(text, "replay:", 7) == 0)
        return open_table(text + 7, error);
    if (kind == RC_LOAD_REPLAY) {
        rc_error_set(error, "missing series to replay");
        rc_error_hint(error,
                      "use replay:FILE.csv, or a load file (see docs/reference/load-files.md)");
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
        rc_error_hint(error, "use none, random, modal, bursty, replay:FILE.csv or a load file");
    rc_buffer_free(&content);
    return load;
}
