// SPDX-License-Identifier: GPL-3.0-or-later
/* door_slowdown.c - slowdown at the door: how long the run takes on idle hosts, and how much longer
 * beside those who are busy there.
 *
 * The dedicated time is that of runs of this size and number of processes that had their hosts to
 * themselves or, where there are none, what the regression model says of a dedicated machine.  Who
 * competes is not known by name: so many that compute as make each host as busy as it was seen to
 * be in the last 7 days (usual_load.h), in shares that vary as much as that did. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "predict/door_internal.h"
#include "model/slowdown/slowdown_value.h"
#include "model/slowdown/usual_load.h"

enum {
    COMPETITORS_MAX = 32, /* where it takes more to make a host that busy, each counts more */
    ALONE_MAX = 1000,
    PLAYED_MAX = 200 /* runs that are played out: that takes long, and more tell little more */
};
static const double alone_least = 0.95;  /* CPU that a run had which had its hosts to itself */
static const double spread_least = 0.02; /* of the times of such runs: few tell little of it */
static const double speed_alike = 0.02;  /* by which speeds may differ */
static const double method_error = 0.05; /* as 'runcast slowdown predict' has it */

static int open_family(struct rc_door *door, struct rc_error *error)
{
    const char *platform = door->options.file ? door->options.file->name : door->options.platform;
    int found = 0;

    if (rc_predict_door_open_run_model(door, error))
        return -1;
    if (platform)
        found = rc_slowdown_calibration_find(door->store, platform, &door->calibration, error);
    door->calibrated = found > 0;
    door->open[RC_DOOR_SLOWDOWN] = found >= 0;
    return found < 0 ? -1 : 0;
}

/* ---- how fast hosts are ---- */

static const struct rc_regression_speeds *speeds_of(const struct rc_door *door)
{
    const struct rc_regression_speeds *learnt = &door->run_model.source.hosts.speeds;

    return learnt->n ? learnt : &door->speeds;
}

static double least_weight(const struct rc_door *door, const struct rc_door_question *question)
{
    double least = INFINITY;

    for (size_t i = 0; i < question->n_hosts; i++)
        least = fmin(least, rc_regression_speeds_weight(speeds_of(door), question->hosts[i]));
    return least;
}

/* ---- the dedicated time ---- */

struct alone {
    double sum, squares; /* of logarithms */
    size_t n;
};

static bool has_param(const struct rc_run *run, const struct rc_param *param)
{
    for (size_t i = 0; i < run->n_params; i++)
        if (strcmp(run->params[i].name, param->name) == 0)
            return run->params[i].value == param->value;
    return false;
}

static bool is_alone(const struct rc_run *run, const struct rc_door_question *question)
{
    double cpu = isnan(run->cpu_avgmin) ? run->cpu_minavg : run->cpu_avgmin;

    for (size_t i = 0; i < question->n_params; i++)
        if (!has_param(run, &question->params[i]))
            return false;
    return cpu >= alone_least && !(run->start + run->seconds > question->start);
}

/* Whether a run was on hosts as fast as these, as far as is known. */
static bool is_as_fast(const struct rc_regression_speeds *speeds, const char *hosts, double weight)
{
    double had = rc_regression_speeds_least(speeds, hosts);

    return isnan(had) || fabs(had / weight - 1) <= speed_alike;
}

static int find_alone(const struct rc_door *door, const struct rc_door_question *question,
                      struct alone *alone, struct rc_error *error)
{
    double weight = least_weight(door, question);
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got = 0;

    rc_db_run_filter_init(&filter);
    filter.app = door->options.app;
    filter.platform = door->options.platform;
    filter.procs = (struct rc_range){(double)question->p, (double)question->p};
    filter.size = (struct rc_range){question->n, question->n};
    filter.status = RC_RUN_OK;
    filter.last = ALONE_MAX;
    cursor = rc_db_run_find(door->store, &filter,
                            RC_FIELD_SECONDS | RC_FIELD_START | RC_FIELD_CPU_AVGMIN |
                                RC_FIELD_CPU_MINAVG | RC_FIELD_PARAMS | RC_FIELD_HOSTS,
                            error);
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0)
        if (is_alone(&run, question) && is_as_fast(speeds_of(door), run.hosts, weight)) {
            double log_seconds = log(run.seconds);

            alone->sum += log_seconds;
            alone->squares += log_seconds * log_seconds;
            alone->n++;
        }
    rc_db_run_cursor_close(cursor);
    return cursor && got == 0 ? 0 : -1;
}

/* Log-normal, as wide as the runs differ. */
static void draw_alone(const struct alone *alone, struct rc_random *random, double *times, size_t n)
{
    double count = (double)alone->n, mean = alone->sum / count;
    double variance = alone->n > 1 ? (alone->squares - count * mean * mean) / (count - 1) : 0;
    double sd = fmax(sqrt(fmax(variance, 0)) * sqrt(1 + 1 / count), spread_least);

    for (size_t i = 0; i < n; i++)
        times[i] = exp(rc_random_normal(random, mean, sd));
}

/* Fills `times`, in no order; 1, 0 with what is lacking, or -1. */
static int draw_dedicated(struct rc_door *door, const struct rc_door_question *question,
                          struct rc_random *random, double *times, size_t n, struct rc_error *error)
{
    const struct rc_run_model_place idle = {.store = door->store,
                                            .hosts = question->hosts,
                                            .n_hosts = question->n_hosts,
                                            .start = question->start,
                                            .idle = true};
    struct rc_predict_summary summary;
    struct alone alone = {0};
    struct rc_run_model asked;
    struct rc_run run;
    int got;

    if (find_alone(door, question, &alone, error))
        return -1;
    door->slowed_regression = alone.n == 0;
    if (alone.n > 0) {
        draw_alone(&alone, random, times, n);
        return 1;
    }
    if (!door->has_runs) {
        rc_error_set(error, "no dedicated time is known: there is no run on idle hosts, and no "
                            "model of runs");
        rc_error_hint(error, "record a run of this size on idle hosts: 'runcast record'");
        return 0;
    }
    rc_predict_door_run(question, &run);
    asked = (struct rc_run_model){.criterion = door->run_model.criterion,
                                  .by_parts = door->run_model.by_parts,
                                  .source = door->run_model.source};
    got = rc_predict_run_model_ask(&asked, &run, &idle, random, times, n, &summary, error);
    asked.source = (struct rc_predict_source){0}; /* it is the door's */
    rc_predict_run_model_free(&asked);
    for (size_t i = n; got > 0 && i > 1; i--) { /* no longer by rising time */
        size_t other = rc_random_below(random, i);
        double time = times[i - 1];

        times[i - 1] = times[other];
        times[other] = time;
    }
    return got;
}

/* ---- the competitors ---- */

/* Hosts with their competitors. */
struct field {
    struct rc_contention_host *hosts;
    struct rc_competitor (*competitors)[COMPETITORS_MAX];
};

/* 0: not known. */
static int cores_of(const struct rc_door *door, const char *host)
{
    const struct rc_slowdown_calibration_host *known =
        door->calibrated ? rc_slowdown_calibration_host(&door->calibration, host) : NULL;
    const struct rc_host *found =
        door->options.file ? rc_platform_find_host(door->options.file, host, NULL) : NULL;

    if (known && known->cores > 0)
        return known->cores;
    return found ? found->cores : 0;
}

/* As many that compute as it takes to make the host as busy as it was. */
static size_t fill_competitors(const struct rc_usual_load *usual, int cores,
                               struct rc_competitor competitors[COMPETITORS_MAX])
{
    double missing;
    size_t n = 0;

    do {
        competitors[n] = (struct rc_competitor)RC_COMPETITOR_INIT;
        competitors[n].unknown = true;
        n++;
    } while (n < COMPETITORS_MAX &&
             rc_observe_competitors_missing(competitors, n, cores, usual) > 0);
    missing = rc_observe_competitors_missing(competitors, n, cores, usual);
    rc_observe_competitors_fill(competitors, n, cores, usual);
    for (size_t i = 0; i < n && missing > 0; i++)
        competitors[i].weight = 1 + missing / (double)n;
    return n;
}

/* 1, 0 with what is lacking, or -1. */
static int fill_host(const struct rc_door *door, const struct rc_door_question *question, size_t i,
                     const struct field *field, struct rc_error *error)
{
    const char *name = question->hosts[i];
    struct rc_local_host *local = &field->hosts[i].local;
    int processes =
        (int)((question->p + (int64_t)question->n_hosts - 1) / (int64_t)question->n_hosts);
    int cores = cores_of(door, name);
    struct rc_usual_load usual;

    if (rc_slowdown_usual_load_find(door->store, name, question->start, cores, processes, &usual,
                                    error))
        return -1;
    if (usual.samples == 0) {
        rc_error_set(error,
                     "nobody has seen who else is busy on %s: there are no CPU samples of "
                     "the last 7 days",
                     name);
        rc_error_hint(error, "'runcast watch' and 'runcast sense' keep them");
        return 0;
    }
    if (cores == 0 && processes > 1) {
        rc_error_set(error, "how many cores %s has is not known, and %d processes share them", name,
                     processes);
        rc_error_hint(error, "a platform file tells: --platform FILE.yaml");
        return 0;
    }
    *local = (struct rc_local_host){.cores = cores > 0 ? cores : 1,
                                    .processes = processes,
                                    .bandwidth = NAN,
                                    .competitors = field->competitors[i]};
    local->n_competitors = fill_competitors(&usual, local->cores, field->competitors[i]);
    /* A host that is faster than the slowest is done sooner, and waits. */
    field->hosts[i].work =
        least_weight(door, question) / rc_regression_speeds_weight(speeds_of(door), name);
    return 1;
}

/* Draws of the slowdown, into `draws`. */
static int play(const struct field *field, const struct rc_door_question *question, double *draws,
                size_t n_draws, struct rc_error *error)
{
    const struct rc_slowdown_question asked = {.sim = {.hosts = field->hosts,
                                                       .n_hosts = question->n_hosts,
                                                       .dedicated = 1,
                                                       .tight = true,
                                                       .draws = n_draws < PLAYED_MAX ? n_draws
                                                                                     : PLAYED_MAX,
                                                       .seed = question->seed},
                                               .dedicated = 1,
                                               .link = 1,
                                               .model_error = method_error};
    struct rc_slowdown_answer answer;
    const double *drawn;
    size_t n;

    if (rc_slowdown_ask(&asked, NULL, &answer, error))
        return -1;
    drawn = rc_value_draws(answer.seconds, &n);
    for (size_t i = 0; i < n_draws; i++)
        draws[i] = drawn ? drawn[i % n]
                         : rc_value_quantile(answer.seconds, ((double)i + 0.5) / (double)n_draws);
    rc_slowdown_answer_drop(&answer);
    return 0;
}

/* ---- both ---- */

static int slow_down(struct rc_door *door, const struct rc_door_question *question, double *draws,
                     size_t n_draws, struct rc_error *error)
{
    struct field field = {calloc(question->n_hosts, sizeof *field.hosts),
                          calloc(question->n_hosts, sizeof *field.competitors)};
    int got = field.hosts && field.competitors ? 1 : rc_error_no_memory(error);

    for (size_t i = 0; i < question->n_hosts && got > 0; i++)
        got = fill_host(door, question, i, &field, error);
    if (got > 0 && play(&field, question, draws, n_draws, error))
        got = -1;
    free(field.hosts);
    free(field.competitors);
    return got;
}

static int ask(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error)
{
    size_t n = *n_draws;
    int got;

    if (question->n_hosts == 0) {
        rc_error_set(error, "it wants to know the hosts");
        rc_error_hint(error, "--hosts names them");
        return 0;
    }
    got = slow_down(door, question, draws, n, error);
    if (got > 0)
        got = draw_dedicated(door, question, random, door->spare, n, error);
    if (got <= 0)
        return got;
    for (size_t i = 0; i < n; i++)
        draws[i] = rc_predict_as_time(draws[i] * door->spare[i]);
    rc_predict_summarise(draws, n, summary);
    return 1;
}

static void close_family(struct rc_door *door)
{
    rc_slowdown_calibration_free(&door->calibration);
}

/* Without its factor it errs by 22 % on average (21 % with another seed) where the best of the
 * other families errs by 8 %: nearly 3 times as much. */
const struct rc_predict_door_way rc_door_slowdown = {.name = "slowdown",
                                                     .stored = "slowdown",
                                                     .prior = 3,
                                                     .open = open_family,
                                                     .ask = ask,
                                                     .close = close_family};
