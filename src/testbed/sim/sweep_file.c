// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_file.c - from a sweep file to a struct rc_sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/unit.h"
#include "testbed/sim/sweep.h"
#include "platform/yaml.h"

/* ---- the shape of the file ---- */

/* The file as it was written; what is optional and was not there is NULL. */
struct raw_sweep_app {
    char *app, *cluster, *hosts, *network;
    char **sizes, **procs, **arguments;
    uint32_t sizes_count, procs_count, arguments_count;
};

struct raw_sweep {
    char *platform, *db, *over, *from, *repeat, *every, *history, *speed;
    char **loads, **seeds, **starts;
    struct raw_sweep_app *apps;
    uint32_t loads_count, seeds_count, starts_count, apps_count;
};

static const struct cyaml_schema_field app_fields[] = {
    RC_YAML_TEXT("app", RC_YAML_REQUIRED, struct raw_sweep_app, app),
    RC_YAML_TEXTS("sizes", RC_YAML_REQUIRED, struct raw_sweep_app, sizes, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXTS("procs", RC_YAML_OPTIONAL, struct raw_sweep_app, procs, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXTS("arguments", RC_YAML_OPTIONAL, struct raw_sweep_app, arguments,
                  RC_SWEEP_LIST_MAX),
    RC_YAML_TEXT("cluster", RC_YAML_OPTIONAL, struct raw_sweep_app, cluster),
    RC_YAML_TEXT("hosts", RC_YAML_OPTIONAL, struct raw_sweep_app, hosts),
    RC_YAML_TEXT("network", RC_YAML_OPTIONAL, struct raw_sweep_app, network),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value app_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_sweep_app, app_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_TEXT("platform", RC_YAML_REQUIRED, struct raw_sweep, platform),
    RC_YAML_TEXT("db", RC_YAML_OPTIONAL, struct raw_sweep, db),
    RC_YAML_TEXTS("loads", RC_YAML_OPTIONAL, struct raw_sweep, loads, RC_SWEEP_LOADS_MAX),
    RC_YAML_TEXTS("seeds", RC_YAML_OPTIONAL, struct raw_sweep, seeds, RC_SWEEP_SEEDS_MAX),
    RC_YAML_TEXTS("starts", RC_YAML_OPTIONAL, struct raw_sweep, starts, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXT("over", RC_YAML_OPTIONAL, struct raw_sweep, over),
    RC_YAML_TEXT("from", RC_YAML_OPTIONAL, struct raw_sweep, from),
    RC_YAML_TEXT("repeat", RC_YAML_OPTIONAL, struct raw_sweep, repeat),
    RC_YAML_TEXT("every", RC_YAML_OPTIONAL, struct raw_sweep, every),
    RC_YAML_TEXT("history", RC_YAML_OPTIONAL, struct raw_sweep, history),
    RC_YAML_TEXT("speed", RC_YAML_OPTIONAL, struct raw_sweep, speed),
    RC_YAML_LIST("apps", RC_YAML_REQUIRED, struct raw_sweep, apps, &app_entry, 1,
                 RC_SWEEP_LIST_MAX),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value sweep_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_sweep, fields),
};

static const struct rc_yaml_expected sweep_expected[] = {
    {"platform", "the name of a platform file"},
    {"db", "the name of a database file"},
    {"loads", "a list of loads such as [none, random]"},
    {"seeds", "a list of whole numbers such as [1, 2]"},
    {"starts", "a list of times such as [1d, 36h]"},
    {"over", "a time such as 7d"},
    {"from", "a time such as 2d"},
    {"repeat", "a whole number such as 10"},
    {"every", "a time such as 10s"},
    {"history", "a time such as 1h"},
    {"speed", "a speed such as 2.2Gf"},
    {"apps", "a list of apps, each after '- '"},
    {"app", "the name of a program"},
    {"sizes", "a list of numbers such as [1000, 2000]"},
    {"procs", "a list of whole numbers such as [1, 2, 4]"},
    {"arguments", "a list of texts such as [--iterations, 200]"},
    {"cluster", "the name of a cluster"},
    {"hosts", "host names in one string, such as a[001-064] or a1,b1"},
    {"network", "the name of a network"},
    {NULL, NULL},
};

/* ---- reading ---- */

enum { PATH_SIZE = 4096, PLACE_SIZE = 128 };
#define SEED_MAX (INT64_C(1) << 53)
/* A start leaves time in the calendar for what comes before and after. */
#define START_MAX (365 * 86400.0)

struct reading {
    const struct rc_yaml *yaml;
    int files;
    struct rc_sweep *sweep;
};

static int read_seeds(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;
    char path[PLACE_SIZE];
    int64_t seed = 1;

    sweep->n_seeds = raw->seeds_count ? raw->seeds_count : 1;
    sweep->seeds = calloc(sweep->n_seeds, sizeof *sweep->seeds);
    if (!sweep->seeds)
        return rc_error_no_memory(reading->yaml->error);
    sweep->seeds[0] = 1;
    for (size_t i = 0; i < raw->seeds_count; i++) {
        snprintf(path, sizeof path, "seeds[%zu]", i);
        if (rc_platform_yaml_whole(reading->yaml, path, "", raw->seeds[i], 0, SEED_MAX, &seed))
            return -1;
        for (size_t j = 0; j < i; j++)
            if (sweep->seeds[j] == (uint64_t)seed)
                return rc_platform_yaml_fail(reading->yaml, path, "", "duplicate seed");
        sweep->seeds[i] = (uint64_t)seed;
    }
    return 0;
}

static int read_starts(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;
    char path[PLACE_SIZE];
    int64_t repeat = 1;

    if (raw->starts && raw->over)
        return rc_platform_yaml_fail(reading->yaml, "over", "",
                                     "'starts' and 'over' are mutually exclusive");
    if (raw->repeat && !raw->over)
        return rc_platform_yaml_fail(reading->yaml, "repeat", "",
                                     "'repeat' needs 'over' (such as 'over: 7d'), because a "
                                     "run with the same start gives the same result");
    if (raw->repeat && rc_platform_yaml_whole(reading->yaml, "repeat", "", raw->repeat, 1,
                                              RC_SWEEP_LIST_MAX, &repeat))
        return -1;
    sweep->repeat = (size_t)repeat;
    if (raw->from && !raw->over)
        return rc_platform_yaml_fail(reading->yaml, "from", "",
                                     "'repeat' and 'from' need 'over', such as 'over: 7d'");
    if (rc_platform_yaml_number(reading->yaml, "from", "", raw->from, RC_SECONDS, 0, START_MAX - 1,
                                &sweep->from) ||
        rc_platform_yaml_number(reading->yaml, "over", "", raw->over, RC_SECONDS, 1,
                                START_MAX - sweep->from, &sweep->over))
        return -1;
    sweep->n_starts = raw->starts_count ? raw->starts_count : 1;
    sweep->starts = calloc(sweep->n_starts, sizeof *sweep->starts);
    if (!sweep->starts)
        return rc_error_no_memory(reading->yaml->error);
    sweep->starts[0] = NAN;
    for (size_t i = 0; i < raw->starts_count; i++) {
        snprintf(path, sizeof path, "starts[%zu]", i);
        if (rc_platform_yaml_number(reading->yaml, path, "", raw->starts[i], RC_SECONDS, 0,
                                    START_MAX, &sweep->starts[i]))
            return -1;
    }
    return 0;
}

/* ---- apps ---- */

static int read_lists(const struct reading *reading, size_t index, const struct raw_sweep_app *raw,
                      struct rc_sweep_app *app)
{
    char path[PLACE_SIZE];

    for (size_t i = 0; i < raw->sizes_count; i++) {
        snprintf(path, sizeof path, "apps[%zu].sizes[%zu]", index, i);
        if (rc_platform_yaml_number(reading->yaml, path, "", raw->sizes[i], RC_COUNT, 1, 1e15,
                                    &app->sizes[i]))
            return -1;
    }
    for (size_t i = 0; i < raw->procs_count; i++) {
        snprintf(path, sizeof path, "apps[%zu].procs[%zu]", index, i);
        if (rc_platform_yaml_whole(reading->yaml, path, "", raw->procs[i], 1, RC_SIM_PROCESSES_MAX,
                                   &app->procs[i]))
            return -1;
    }
    for (size_t i = 0; i < raw->arguments_count; i++)
        if (rc_platform_yaml_copy(reading->yaml, raw->arguments[i], &app->arguments[i]))
            return -1;
    return 0;
}

static int read_app(const struct reading *reading, size_t index, const struct raw_sweep_app *raw,
                    struct rc_sweep_app *app)
{
    char path[PLACE_SIZE];

    if (raw->cluster && raw->hosts) {
        snprintf(path, sizeof path, "apps[%zu].hosts", index);
        return rc_platform_yaml_fail(reading->yaml, path, "",
                                     "'hosts' and 'cluster' are mutually exclusive");
    }
    app->n_sizes = raw->sizes_count;
    app->n_procs = raw->procs_count ? raw->procs_count : 1;
    app->n_arguments = raw->arguments_count;
    app->sizes = calloc(app->n_sizes, sizeof *app->sizes);
    app->procs = calloc(app->n_procs, sizeof *app->procs);
    app->arguments = calloc(app->n_arguments + 1, sizeof *app->arguments);
    if (!app->sizes || !app->procs || !app->arguments)
        return rc_error_no_memory(reading->yaml->error);
    return rc_platform_yaml_copy(reading->yaml, raw->app, &app->name) ||
                   rc_platform_yaml_copy(reading->yaml, raw->cluster, &app->cluster) ||
                   rc_platform_yaml_copy(reading->yaml, raw->hosts, &app->hosts) ||
                   rc_platform_yaml_copy(reading->yaml, raw->network, &app->network) ||
                   read_lists(reading, index, raw, app)
               ? -1
               : 0;
}

static int read_apps(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;

    sweep->apps = calloc(raw->apps_count, sizeof *sweep->apps);
    if (!sweep->apps)
        return rc_error_no_memory(reading->yaml->error);
    sweep->n_apps = raw->apps_count;
    for (size_t i = 0; i < sweep->n_apps; i++)
        if (read_app(reading, i, &raw->apps[i], &sweep->apps[i]))
            return -1;
    return 0;
}

/* ---- other files ---- */

/* Where a file is that the sweep file names. */
static int find_file(const struct reading *reading, const char *path, const char *file,
                     char whole[PATH_SIZE])
{
    return rc_file_beside(reading->yaml->name, file, whole, PATH_SIZE)
               ? rc_platform_yaml_fail(reading->yaml, path, "", "the path is too long")
               : 0;
}

static int read_platform(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;
    struct rc_buffer text = RC_BUFFER_INIT(RC_YAML_SIZE_MAX + 1);
    struct rc_digest digest;
    char path[PATH_SIZE];

    if (find_file(reading, "platform", raw->platform, path))
        return -1;
    if (rc_buffer_read_file(&text, path, reading->yaml->error) == 0)
        sweep->platform =
            rc_platform_parse(text.data ? text.data : "", text.length, path, reading->yaml->error);
    rc_digest_begin(&digest);
    rc_digest_add(&digest, text.data, text.length);
    rc_digest_end(&digest, sweep->digest);
    rc_buffer_free(&text);
    return sweep->platform ? 0 : -1;
}

static int read_one_load(const struct reading *reading, const char *path, const char *text,
                         struct rc_load **load)
{
    char whole[PATH_SIZE], named[PATH_SIZE + 16];
    bool table = strncmp(text, "replay:", 7) == 0;

    if (rc_load_kind_find(text) >= 0) {
        *load = rc_load_open(text, reading->yaml->error);
    } else {
        if (find_file(reading, path, table ? text + 7 : text, whole))
            return -1;
        snprintf(named, sizeof named, "%s%s", table ? "replay:" : "", whole);
        *load = rc_load_open(named, reading->yaml->error);
    }
    return *load ? 0 : -1;
}

static int read_loads(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;
    char path[PLACE_SIZE];

    sweep->n_loads = raw->loads_count ? raw->loads_count : 1;
    sweep->loads = calloc(sweep->n_loads, sizeof(struct rc_load *));
    sweep->load_names = calloc(sweep->n_loads, sizeof *sweep->load_names);
    if (!sweep->loads || !sweep->load_names)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < sweep->n_loads; i++) {
        const char *text = raw->loads_count ? raw->loads[i] : "none";

        snprintf(path, sizeof path, "loads[%zu]", i);
        if (rc_platform_yaml_copy(reading->yaml, text, &sweep->load_names[i]) ||
            (reading->files && read_one_load(reading, path, text, &sweep->loads[i])))
            return -1;
    }
    return 0;
}

static int read_db(const struct reading *reading, const struct raw_sweep *raw)
{
    char path[PATH_SIZE];

    return raw->db && (find_file(reading, "db", raw->db, path) ||
                       rc_platform_yaml_copy(reading->yaml, path, &reading->sweep->db))
               ? -1
               : 0;
}

/* ---- the whole ---- */

static int read_sweep(const struct reading *reading, const struct raw_sweep *raw)
{
    struct rc_sweep *sweep = reading->sweep;

    if (read_seeds(reading, raw) || read_starts(reading, raw) ||
        rc_platform_yaml_number(reading->yaml, "every", "", raw->every, RC_SECONDS, 1e-3, 1e9,
                                &sweep->every) ||
        rc_platform_yaml_number(reading->yaml, "history", "", raw->history, RC_SECONDS, 0, 1e9,
                                &sweep->history) ||
        rc_platform_yaml_number(reading->yaml, "speed", "", raw->speed, RC_FLOPS, 1e-3, 1e30,
                                &sweep->speed) ||
        read_apps(reading, raw) || read_db(reading, raw) || read_loads(reading, raw))
        return -1;
    return reading->files ? read_platform(reading, raw) : 0;
}

struct rc_sweep *rc_sim_sweep_parse(const char *text, size_t length, const char *name, int files,
                                    struct rc_error *error)
{
    struct rc_yaml yaml;
    struct reading reading = {.yaml = &yaml, .files = files};

    if (rc_platform_yaml_open(&yaml, text, length, name, &sweep_schema, sweep_expected, error) ==
        0) {
        reading.sweep = calloc(1, sizeof *reading.sweep);
        if (!reading.sweep)
            rc_error_no_memory(error);
    }
    if (reading.sweep) {
        reading.sweep->every = RC_SIM_EVERY;
        reading.sweep->history = RC_SIM_HISTORY;
        reading.sweep->from = RC_SIM_START;
        reading.sweep->speed = reading.sweep->over = NAN;
        if (read_sweep(&reading, yaml.content)) {
            rc_sim_sweep_destroy(reading.sweep);
            reading.sweep = NULL;
        }
    }
    rc_platform_yaml_close(&yaml);
    return reading.sweep;
}

struct rc_sweep *rc_sim_sweep_load(const char *path, struct rc_error *error)
{
    return rc_sim_sweep_parse(NULL, 0, path, 1, error);
}

static void destroy_app(struct rc_sweep_app *app)
{
    for (size_t i = 0; i < app->n_arguments && app->arguments; i++)
        free(app->arguments[i]);
    free(app->arguments);
    free(app->name);
    free(app->cluster);
    free(app->hosts);
    free(app->network);
    free(app->sizes);
    free(app->procs);
}

void rc_sim_sweep_destroy(struct rc_sweep *sweep)
{
    if (!sweep)
        return;
    for (size_t i = 0; i < sweep->n_loads && sweep->loads; i++)
        rc_load_destroy(sweep->loads[i]);
    for (size_t i = 0; i < sweep->n_loads && sweep->load_names; i++)
        free(sweep->load_names[i]);
    for (size_t i = 0; i < sweep->n_apps; i++)
        destroy_app(&sweep->apps[i]);
    rc_platform_destroy(sweep->platform);
    free(sweep->apps);
    free(sweep->loads);
    free(sweep->load_names);
    free(sweep->seeds);
    free(sweep->starts);
    free(sweep->db);
    free(sweep);
}
