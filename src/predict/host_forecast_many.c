// SPDX-License-Identifier: GPL-3.0-or-later
/* host_forecast_many.c - the forecast load of many hosts.
 *
 * CPU and bandwidth are two scenarios, as in forecast.c; a bundle is drawn from a part of each. */
#include "predict/host_forecast_many.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/random.h"
#include "forecast/series_scenarios.h"
#include "db/series_last.h"

enum {
    SAMPLES = 1 << 20,   /* that are read in all */
    SAMPLES_LEAST = 256, /* ... but so many of each series */
    SAMPLES_MOST = 1 << 17,
    CELLS = 1 << 23, /* values of a bundle */
    SCENARIOS_LEAST = 16
};

struct ends {
    size_t a, b;
};

struct rc_host_forecast_many {
    size_t n_hosts;
    double at;
    struct rc_series_scenarios *cpu, *bw;
    size_t *cpu_of;    /* of each host the series, or n_hosts */
    struct ends *ends; /* of the series of bandwidth */
    size_t n_ends, room;
};

struct rc_host_forecast_many *rc_predict_host_forecast_many_create(size_t n_hosts, double at,
                                                                   struct rc_error *error)
{
    struct rc_host_forecast_many *many = calloc(1, sizeof *many);

    if (!many) {
        rc_error_no_memory(error);
        return NULL;
    }
    *many = (struct rc_host_forecast_many){.n_hosts = n_hosts, .at = at};
    many->cpu = rc_forecast_series_scenarios_create(at, error);
    many->bw = rc_forecast_series_scenarios_create(at, error);
    many->cpu_of = calloc(n_hosts + 1, sizeof *many->cpu_of);
    if (many->cpu && many->bw && many->cpu_of) {
        for (size_t i = 0; i < n_hosts; i++)
            many->cpu_of[i] = n_hosts;
        return many;
    }
    rc_error_no_memory(error);
    rc_predict_host_forecast_many_destroy(many);
    return NULL;
}

void rc_predict_host_forecast_many_destroy(struct rc_host_forecast_many *many)
{
    if (!many)
        return;
    rc_forecast_series_scenarios_destroy(many->cpu);
    rc_forecast_series_scenarios_destroy(many->bw);
    free(many->cpu_of);
    free(many->ends);
    free(many);
}

/* ---- reading ---- */

/* Takes the samples.  A host has one CPU series; a second one is ignored. */
static int take(struct rc_host_forecast_many *many, size_t a, int64_t b, struct rc_sample *samples,
                size_t n, struct rc_error *error)
{
    bool cpu = b == RC_HOST_FORECAST_CPU;
    int taken;

    if ((cpu && many->cpu_of[a] < many->n_hosts) ||
        (!cpu &&
         rc_array_room(&many->ends, many->n_ends + 1, &many->room, sizeof *many->ends, error))) {
        free(samples);
        return cpu ? 0 : -1;
    }
    taken = rc_forecast_series_scenarios_take(cpu ? many->cpu : many->bw, samples, n, error);
    if (taken > 0 && cpu)
        many->cpu_of[a] = rc_forecast_series_scenarios_series(many->cpu) - 1;
    else if (taken > 0)
        many->ends[many->n_ends++] = (struct ends){a, (size_t)b};
    return taken;
}

int rc_predict_host_forecast_many_add(struct rc_host_forecast_many *many, size_t a, int64_t b,
                                      const struct rc_sample *samples, size_t n,
                                      struct rc_error *error)
{
    struct rc_sample *own = malloc((n + 1) * sizeof *own);

    if (!own)
        return rc_error_no_memory(error);
    while (n > 0 && samples[n - 1].t > many->at)
        n--;
    memcpy(own, samples, n * sizeof *own);
    return take(many, a, b, own, n, error);
}

struct name {
    const char *name;
    size_t host;
};

struct found {
    int64_t id, b;
    size_t a;
};

struct finding {
    const struct rc_host_forecast_many *many;
    struct name *names; /* sorted */
    struct found *found;
    size_t n, room;
    struct rc_error *error;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->name, ((const struct name *)b)->name);
}

static const struct name *find_name(const struct finding *finding, const char *name)
{
    const struct name key = {name, 0};

    return bsearch(&key, finding->names, finding->many->n_hosts, sizeof key, by_name);
}

/* Notes a series of the hosts. */
static int meet_series(void *data, const struct rc_series_info *info)
{
    struct finding *finding = data;
    const struct rc_host_forecast_many *many = finding->many;
    bool cpu = strcmp(info->key.metric, "cpu") == 0 && !*info->key.peer;
    const struct name *host, *peer = NULL;

    if ((!cpu && strcmp(info->key.metric, "bandwidth") != 0) || !(info->first <= many->at) ||
        !(info->last >= many->at - RC_SERIES_SCENARIOS_OLD) ||
        !(host = find_name(finding, info->key.host)) ||
        (*info->key.peer && !(peer = find_name(finding, info->key.peer))))
        return 0;
    if (rc_array_room(&finding->found, finding->n + 1, &finding->room, sizeof *finding->found,
                      finding->error))
        return -1;
    finding->found[finding->n++] =
        (struct found){info->id,
                       cpu ? RC_HOST_FORECAST_CPU : (int64_t)(peer ? peer->host : host->host),
                       host->host};
    return 0;
}

static int read_found(struct rc_host_forecast_many *many, struct rc_db *store,
                      const struct finding *finding, struct rc_error *error)
{
    size_t each = finding->n ? SAMPLES / finding->n : 0;
    struct rc_series_last last = {0};
    int status = rc_db_series_last_start(&last, store, error);

    each = each < SAMPLES_LEAST ? SAMPLES_LEAST : each > SAMPLES_MOST ? SAMPLES_MOST : each;
    for (size_t i = 0; i < finding->n && status == 0; i++) {
        const struct found *found = &finding->found[i];
        struct rc_sample *samples;
        size_t n;

        status = rc_db_series_last_read(&last, found->id, many->at - RC_SERIES_SCENARIOS_PAST,
                                        many->at, each, &samples, &n, error);
        if (status == 0)
            status = take(many, found->a, found->b, samples, n, error) < 0 ? -1 : 0;
    }
    rc_db_series_last_end(&last);
    return status;
}

int rc_predict_host_forecast_many_read(struct rc_host_forecast_many *many, struct rc_db *store,
                                       const char *const *hosts, struct rc_error *error)
{
    struct finding finding = {.many = many, .error = error};
    int status;

    finding.names = calloc(many->n_hosts + 1, sizeof *finding.names);
    if (!finding.names)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < many->n_hosts; i++)
        finding.names[i] = (struct name){hosts[i], i};
    qsort(finding.names, many->n_hosts, sizeof *finding.names, by_name);
    status = rc_db_series_list(store, NULL, meet_series, &finding, error);
    if (status == 0)
        status = read_found(many, store, &finding, error);
    free(finding.names);
    free(finding.found);
    return status;
}

/* ---- what is known ---- */

void rc_predict_host_forecast_many_host(const struct rc_host_forecast_many *many, size_t host,
                                        struct rc_host_forecast_host *facts)
{
    size_t series = many->cpu_of[host];

    *facts = (struct rc_host_forecast_host){series < many->n_hosts, 1, 1};
    if (!facts->known)
        return;
    facts->lately = rc_forecast_series_scenarios_lately(many->cpu, series);
    facts->mean = rc_forecast_series_scenarios_mean(many->cpu, series);
}

size_t rc_predict_host_forecast_many_cpus(const struct rc_host_forecast_many *many)
{
    return rc_forecast_series_scenarios_series(many->cpu);
}

size_t rc_predict_host_forecast_many_links(const struct rc_host_forecast_many *many)
{
    return rc_forecast_series_scenarios_series(many->bw);
}

/* ---- bundles ---- */

void rc_predict_host_forecast_bundle_free(struct rc_host_forecast_bundle *bundle)
{
    free(bundle->cpu.values);
    free(bundle->cpu.steady);
    free(bundle->bw.values);
    free(bundle->bw.steady);
    free(bundle->cpu_of);
    free(bundle->ends);
    *bundle = (struct rc_host_forecast_bundle){0};
}

/* Draws one scenario and puts it where it belongs. */
static void draw_one(struct rc_series_scenarios *part, struct rc_random *random, size_t scenario,
                     size_t n_scenarios, struct rc_host_forecast_scenarios *scenarios)
{
    struct rc_series_scenario_paths paths;

    rc_forecast_series_scenarios_draw(part, random, &paths);
    for (size_t s = 0; s < paths.n_series; s++) {
        const double *from = paths.values + s * paths.n;
        float *to = scenarios->values + (s * n_scenarios + scenario) * paths.n;

        for (size_t j = 0; j < paths.n; j++)
            to[j] = (float)from[j];
    }
}

static int make_room(const struct rc_series_scenario_paths *paths, size_t n_scenarios,
                     struct rc_host_forecast_scenarios *scenarios, struct rc_error *error)
{
    scenarios->n = paths->n;
    scenarios->step = paths->step;
    if (paths->n == 0)
        return 0;
    scenarios->values =
        malloc((paths->n_series * n_scenarios * paths->n + 1) * sizeof *scenarios->values);
    return scenarios->values ? 0 : rc_error_no_memory(error);
}

/* All scenarios of one kind.  `*seconds` is how far they go, as rc_forecast_series_scenarios_look()
 * has it. */
static int draw_kind(const struct rc_series_scenarios *whole, const size_t *series, size_t n,
                     struct rc_random *random, double *seconds,
                     struct rc_host_forecast_bundle *bundle,
                     struct rc_host_forecast_scenarios *scenarios, struct rc_error *error)
{
    struct rc_series_scenarios *part = rc_forecast_series_scenarios_part(whole, series, n, error);
    struct rc_series_scenario_paths paths = {0};
    int status =
        part ? rc_forecast_series_scenarios_look(part, seconds, &bundle->steady, error) : -1;

    scenarios->n_series = n;
    scenarios->steady = calloc(n + 1, sizeof *scenarios->steady);
    if (status == 0 && !scenarios->steady)
        status = rc_error_no_memory(error);
    for (size_t s = 0; s < n && status == 0; s++)
        scenarios->steady[s] = rc_forecast_series_scenarios_lately(part, s);
    if (status == 0 && n > 0) {
        size_t most;

        rc_forecast_series_scenarios_draw(part, random, &paths); /* for how many values there are */
        most = paths.n ? CELLS / (n * paths.n) : bundle->n_scenarios;
        most = most < SCENARIOS_LEAST ? SCENARIOS_LEAST : most;
        /* The first kind decides for both. */
        if (most < bundle->n_scenarios && !bundle->cpu.values)
            bundle->n_scenarios = most;
        status = make_room(&paths, bundle->n_scenarios, scenarios, error);
    }
    for (size_t f = 0; f < bundle->n_scenarios && status == 0 && paths.n > 0; f++)
        draw_one(part, random, f, bundle->n_scenarios, scenarios);
    rc_forecast_series_scenarios_destroy(part);
    return status;
}

/* The series of the hosts' CPUs into `series`. */
static size_t choose_cpus(const struct rc_host_forecast_many *many, const size_t *hosts,
                          struct rc_host_forecast_bundle *bundle, size_t *series)
{
    size_t n = 0;

    for (size_t i = 0; i < bundle->n_hosts; i++)
        if (many->cpu_of[hosts[i]] < many->n_hosts)
            series[n++] = many->cpu_of[hosts[i]];
    for (size_t i = 0, next = 0; i < bundle->n_hosts; i++)
        bundle->cpu_of[i] = many->cpu_of[hosts[i]] < many->n_hosts ? next++ : n;
    return n;
}

/* The links that are between the hosts; `place` has where each host is in the bundle, or
 * n_hosts. */
static size_t choose_links(const struct rc_host_forecast_many *many, const size_t *place,
                           struct rc_host_forecast_bundle *bundle, size_t *series)
{
    size_t n = 0;

    for (size_t i = 0; i < many->n_ends; i++) {
        size_t a = place[many->ends[i].a], b = place[many->ends[i].b];

        if (a == bundle->n_hosts || b == bundle->n_hosts)
            continue;
        bundle->ends[n][0] = a;
        bundle->ends[n][1] = b;
        series[n++] = i;
    }
    return n;
}

static int fill(const struct rc_host_forecast_many *many, const size_t *hosts, double seconds,
                size_t *scratch, struct rc_random *random, struct rc_host_forecast_bundle *bundle,
                struct rc_error *error)
{
    size_t *place = scratch, *series = scratch + many->n_hosts, n;
    double cpu = seconds, bw = seconds;

    n = choose_cpus(many, hosts, bundle, series);
    if (draw_kind(many->cpu, series, n, random, &cpu, bundle, &bundle->cpu, error))
        return -1;
    for (size_t i = 0; i < many->n_hosts; i++)
        place[i] = bundle->n_hosts;
    for (size_t i = 0; i < bundle->n_hosts; i++)
        place[hosts[i]] = i;
    n = choose_links(many, place, bundle, series);
    if (draw_kind(many->bw, series, n, random, &bw, bundle, &bundle->bw, error))
        return -1;
    bundle->seconds =
        fmin(bundle->cpu.n ? cpu : (double)INFINITY, bundle->bw.n ? bw : (double)INFINITY);
    return 0;
}

int rc_predict_host_forecast_many_draw(const struct rc_host_forecast_many *many,
                                       const size_t *hosts, size_t n_hosts, double seconds,
                                       size_t n_scenarios, uint64_t seed,
                                       struct rc_host_forecast_bundle *bundle,
                                       struct rc_error *error)
{
    size_t series = many->n_hosts > many->n_ends ? many->n_hosts : many->n_ends;
    size_t *scratch = calloc(many->n_hosts + series + 1, sizeof *scratch);
    struct rc_random *random = rc_random_create(seed, 0);
    int status = -1;

    *bundle = (struct rc_host_forecast_bundle){.n_hosts = n_hosts, .n_scenarios = n_scenarios};
    bundle->cpu_of = calloc(n_hosts + 1, sizeof *bundle->cpu_of);
    bundle->ends = calloc(many->n_ends + 1, sizeof *bundle->ends);
    if (!scratch || !random || !bundle->cpu_of || !bundle->ends)
        rc_error_no_memory(error);
    else
        status = fill(many, hosts, seconds, scratch, random, bundle, error);
    free(scratch);
    rc_random_destroy(random);
    if (status)
        rc_predict_host_forecast_bundle_free(bundle);
    return status;
}
