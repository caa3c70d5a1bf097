// SPDX-License-Identifier: GPL-3.0-or-later
/* advice.c - recommends hosts, processes and a time limit. */
#include "advise/place/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search_internal.h"
#include "advise/place/timing_regress.h"
#include "base/error.h"
#include "base/sort.h"

static bool runs_skeleton(const struct rc_place_advice *advice)
{
    return !isnan(advice->original);
}

/* ---- hosts ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes in a host, where there is room on it. */
static void add_host(struct rc_place_advice *advice, size_t cluster, size_t place, double memory)
{
    const struct rc_cluster *from = &advice->question.platform_file->clusters[cluster];
    const struct rc_host *host = &from->hosts[place];
    int slots = rc_platform_cluster_slots(from, place);

    if (!isnan(memory) && !isnan(host->memory))
        slots = (int)fmin(slots, floor(host->memory / memory));
    if (slots < 1)
        return;
    advice->hosts[advice->n_hosts] = (struct rc_candidate_host){
        .cluster = cluster, .place = place, .slots = slots, .cores = host->cores, .score = 1};
    advice->names[advice->n_hosts++] = host->name;
}

int rc_place_advice_hosts(struct rc_place_advice *advice, const struct rc_hostlist *named,
                          double memory, struct rc_error *error)
{
    const struct rc_platform *platform = advice->question.platform_file;
    size_t all = rc_platform_host_count(platform);

    advice->names = calloc(all + 1, sizeof *advice->names);
    advice->hosts = calloc(all + 1, sizeof *advice->hosts);
    advice->usual = calloc(all + 1, sizeof *advice->usual);
    advice->weights = calloc(all + 1, sizeof *advice->weights);
    advice->clusters = calloc(platform->n_clusters + 1, sizeof *advice->clusters);
    if (!advice->names || !advice->hosts || !advice->usual || !advice->weights || !advice->clusters)
        return rc_error_no_memory(error);
    for (size_t c = 0; c < platform->n_clusters; c++) {
        const struct rc_cluster *cluster = &platform->clusters[c];

        advice->clusters[c] =
            (struct rc_search_cluster){cluster->core_hour_cost, cluster->contiguous != 0,
                                       cluster->order == RC_PLACE_SPREAD ? RC_FILL_SPREAD
                                                                         : RC_FILL_PACKED};
        for (size_t i = 0; i < cluster->n_hosts; i++)
            if (named->count == 0 || bsearch(&cluster->hosts[i].name, named->names, named->count,
                                             sizeof *named->names, by_text))
                add_host(advice, c, i, memory);
    }
    if (advice->n_hosts == 0) {
        rc_error_set(error, "no host has enough memory for a process");
        return rc_error_code(error, "place.too-little-memory", NULL);
    }
    if (advice->n_hosts > RC_ADVICE_HOSTS_MAX) {
        rc_error_set(error, "the platform has more than %d hosts", RC_ADVICE_HOSTS_MAX);
        return rc_error_code(error, "place.too-many-hosts", NULL);
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

const char **rc_place_advice_hosts_of(const struct rc_place_advice *advice,
                                      const struct rc_candidate *candidate, struct rc_error *error)
{
    size_t n = candidate->n_hosts, *order = calloc(n + 1, sizeof *order);
    const char **names = calloc(n + 1, sizeof *names);

    if (order && names) {
        memcpy(order, candidate->hosts, n * sizeof *order);
        qsort(order, n, sizeof *order, by_number);
        for (size_t i = 0; i < n; i++)
            names[i] = advice->names[order[i]];
        free(order);
        return names;
    }
    rc_error_no_memory(error);
    free(order);
    free(names);
    return NULL;
}

char *rc_place_advice_name(const struct rc_place_advice *advice,
                           const struct rc_candidate *candidate, struct rc_error *error)
{
    const char **names = rc_place_advice_hosts_of(advice, candidate, error);
    char *text = names ? rc_platform_hostlist_compress(names, candidate->n_hosts, error) : NULL;

    free(names);
    return text;
}

/* ---- the model ---- */

/* The model by which candidates are ranked: of runs on this platform or, where there are none, on
 * any.  Without runs, other models have all times, or the time of the trace stands for one. */
static int open_model(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    const char *platform = advice->question.platform;
    struct rc_predict_options options;

    rc_predict_options_init(&options);
    options.samples = advice->samples;
    if (runs_skeleton(advice)) /* which has the times */
        options.methods = 1U << RC_METHOD_REGRESSION;
    advice->predictor = rc_predict_open(db, &advice->question, &options, error);
    if (!advice->predictor)
        return -1;
    advice->asking = (struct rc_place_asking){advice->predictor, &advice->question, advice->names};
    advice->runs = rc_predict_runs(advice->predictor);
    if (advice->runs) {
        advice->model = advice->runs->model;
        advice->learnt_from = rc_predict_source_platform(advice->runs, platform);
        return 0;
    }
    advice->by_trace = runs_skeleton(advice);
    advice->by_model = !advice->by_trace && rc_predict_open_models(advice->predictor) != 0;
    if (!advice->by_trace && !advice->by_model) {
        *error = *rc_predict_unavailable(advice->predictor, RC_METHOD_REGRESSION);
        return -1;
    }
    advice->learnt_from = platform;
    advice->model = advice->plain =
        rc_place_timing_plain_model(advice->by_model ? 1 : advice->original, error);
    return advice->plain ? 0 : -1;
}

static int ask_model(const struct rc_place_advice *advice, struct rc_timing_regress_setup *setup,
                     struct rc_error *error)
{
    struct rc_question question = advice->question;
    struct rc_predict_load load;

    question.procs = 1;
    rc_predict_ask_model(advice->model, &question, &setup->question, &load);
    return rc_regression_question_check(advice->model, &setup->question, error);
}

/* ---- the load ---- */

/* Hosts without samples may be down: they are left out, unless that is all of them. */
static void set_scores(struct rc_place_advice *advice)
{
    size_t known = rc_predict_host_forecast_many_cpus(advice->forecast);

    for (size_t i = 0; i < advice->n_hosts; i++) {
        struct rc_host_forecast_host facts;

        rc_predict_host_forecast_many_host(advice->forecast, i, &facts);
        advice->hosts[i].score = advice->weights[i] * facts.lately;
        advice->usual[i] = advice->weights[i] * facts.mean;
        advice->hosts[i].out = known > 0 && !facts.known;
        if (!facts.known && advice->n_unknown++ == 0)
            advice->unknown = advice->names[i];
    }
}

/* The weights are those of the model or, where that knows nothing of speeds, of the platform. */
static int read_load(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = advice->runs ? &advice->runs->hosts.speeds : NULL;
    const struct rc_question *question = &advice->question;

    advice->forecast =
        rc_predict_host_forecast_many_create(advice->n_hosts, question->start, error);
    if (!advice->forecast ||
        rc_predict_host_forecast_many_read(advice->forecast, db, advice->names, error) ||
        rc_forecast_freshness_find(db, advice->names, advice->n_hosts, question->start,
                                   &advice->freshness, error))
        return -1;
    if (speeds && speeds->n > 0)
        rc_predict_weights_by(speeds, advice->names, advice->n_hosts, advice->weights,
                              &advice->weights_from);
    else if (rc_predict_weights_of(db, question->app, advice->learnt_from, question->platform_file,
                                   advice->names, advice->n_hosts, advice->weights,
                                   &advice->weights_from, error))
        return -1;
    set_scores(advice);
    return 0;
}

/* ---- the search ---- */

enum { FEW = 24 }; /* numbers of processes that the predictor is asked about where none are given */

/* By equal factors, as asking takes long. */
static int choose_few(struct rc_place_advice *advice, struct rc_error *error)
{
    int64_t room = rc_place_search_room(&advice->wanted), last = 0;

    advice->procs = calloc(FEW + 1, sizeof *advice->procs);
    if (!advice->procs)
        return rc_error_no_memory(error);
    for (int i = 0; i < FEW && room > 0; i++) {
        int64_t p = room <= FEW ? i + 1 : (int64_t)round(pow((double)room, (double)i / (FEW - 1)));

        if (p > last && p <= room)
            advice->procs[advice->n_procs++] = last = p;
    }
    advice->wanted.procs = advice->procs;
    advice->wanted.n_procs = advice->n_procs;
    return 0;
}

int rc_place_advice_open(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    struct rc_timing_regress_setup setup = {.n_hosts = advice->n_hosts,
                                            .weights = advice->weights,
                                            .seed = advice->question.seed};
    bool skeleton = runs_skeleton(advice);

    if (open_model(advice, db, error) || ask_model(advice, &setup, error) ||
        read_load(advice, db, error))
        return -1;
    setup.model = advice->model;
    setup.forecast = advice->forecast;
    advice->wanted =
        (struct rc_search_question){.hosts = advice->hosts,
                                    .usual = advice->usual,
                                    .n_hosts = advice->n_hosts,
                                    .clusters = advice->clusters,
                                    .n_clusters = advice->question.platform_file->n_clusters,
                                    .procs = skeleton ? &advice->ranks : advice->procs,
                                    .n_procs = skeleton ? 1 : advice->n_procs,
                                    .further = skeleton,
                                    .as_ranked = advice->by_model,
                                    .apart = skeleton || advice->by_model,
                                    .whole_hosts = advice->whole_hosts,
                                    .aim = advice->aim,
                                    .shortlist = advice->shortlist,
                                    .samples = advice->samples};
    advice->timing = advice->ranking = rc_place_timing_regress_create(&setup, error);
    if (!advice->ranking)
        return -1;
    if (!advice->by_model)
        return 0;
    advice->timing = rc_place_timing_predictor_create(
        &(struct rc_timing_predictor_setup){&advice->asking, &advice->wanted, advice->ranking},
        error);
    return advice->timing && (advice->procs || choose_few(advice, error) == 0) ? 0 : -1;
}

/* ---- the shortlist ---- */

/* A sample, and where it was. */
struct placed {
    double seconds;
    size_t place;
};

struct work {
    const struct rc_place_asking *asking;
    struct placed *placed; /* of one candidate; they rise */
    double *scratch;
    const char **names;
};

static int by_seconds(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int ask(const struct work *work, const struct rc_candidate *candidate,
               struct rc_predict_answer *answer, struct rc_error *error)
{
    const struct rc_question question = rc_place_question(work->asking, candidate, work->names);

    return rc_predict_ask(work->asking->predictor, &question, answer, error);
}

static int predict_one(struct work *work, const struct rc_search_question *question,
                       struct rc_advised *one, size_t n, struct rc_error *error)
{
    struct rc_predict_answer answer;

    for (size_t i = 0; i < n; i++)
        work->placed[i] = (struct placed){one->samples[i], i};
    qsort(work->placed, n, sizeof *work->placed, by_seconds);
    if (!isfinite(work->placed[n - 1].seconds))
        return 0;
    if (ask(work, &one->candidate, &answer, error))
        return -1;
    if (answer.answered == 0)
        return 0;
    for (size_t k = 0; k < n; k++)
        one->samples[work->placed[k].place] = answer.samples[k * answer.n_samples / n];
    rc_place_search_judge(question, one, one->samples, n, &answer.summary, work->scratch);
    return 0;
}

static int predict_all(struct work *work, const struct rc_search_question *question,
                       struct rc_search *search, struct rc_predict_answer *choice,
                       struct rc_error *error)
{
    for (size_t i = 0; i < search->n_list; i++)
        if (predict_one(work, question, &search->list[i], search->n_samples, error))
            return -1;
    rc_place_search_conclude(question, search);
    return ask(work, &search->list[0].candidate, choice, error);
}

/* Replaces the quick times of the shortlist by the predictor's answers, and sorts it again.
 * Samples keep their ranks, and so stay comparable.  A candidate that may not end, or that has no
 * prediction, stays as it is. */
static int predict_list(struct rc_place_advice *advice, struct rc_error *error)
{
    const struct rc_search_question *question = &advice->wanted;
    struct rc_search *search = &advice->search;
    struct work work = {.asking = &advice->asking,
                        .placed = calloc(search->n_samples + 1, sizeof *work.placed),
                        .scratch = calloc(search->n_samples + 1, sizeof *work.scratch),
                        .names = calloc(question->n_hosts + 1, sizeof *work.names)};
    int status;

    status = work.placed && work.scratch && work.names
                 ? predict_all(&work, question, search, &advice->answer, error)
                 : rc_error_no_memory(error);
    free(work.placed);
    free(work.scratch);
    free(work.names);
    return status;
}

int rc_place_advice_search(struct rc_place_advice *advice, struct rc_error *error)
{
    struct rc_search *search = &advice->search;
    const struct rc_error *why;

    if (rc_place_search_make(&advice->wanted, advice->timing, search, error)) {
        why = advice->by_model ? rc_place_timing_predictor_why(advice->timing) : NULL;
        if (why)
            *error = *why;
        return -1;
    }
    if (runs_skeleton(advice))
        return 0;
    if (advice->by_model)
        return rc_place_timing_predictor_ask(advice->timing, &search->list[0].candidate,
                                             &advice->answer, error);
    return predict_list(advice, error);
}

int rc_place_advice_take(struct rc_place_advice *advice, size_t member, double seconds,
                         const struct rc_value *value, struct rc_error *error)
{
    struct rc_advised *one = &advice->search.list[member];
    size_t n = advice->search.n_samples;
    double *scratch = calloc(n + 1, sizeof *scratch);

    if (!scratch)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        one->samples[i] = rc_value_quantile(value, ((double)i + 0.5) / (double)n);
    rc_place_search_judge(&advice->wanted, one, one->samples, n, NULL, scratch);
    one->skeleton = seconds;
    free(scratch);
    return 0;
}

/* ---- the time limit ---- */

int rc_place_advice_time_limit(struct rc_place_advice *advice, double risk, struct rc_error *error)
{
    size_t n = advice->search.n_samples;
    double *samples = calloc(n + 1, sizeof *samples);
    int status;

    if (!samples)
        return rc_error_no_memory(error);
    memcpy(samples, advice->search.list[0].samples, n * sizeof *samples);
    rc_sort_doubles(samples, n);
    /* The past accuracy of models does not apply to skeletons. */
    status = runs_skeleton(advice)
                 ? rc_predict_time_limit_find(samples, n, risk, NULL, 0, &advice->time_limit, error)
                 : rc_predict_time_limit(advice->predictor, RC_METHODS, samples, n, risk,
                                         &advice->time_limit, error);
    free(samples);
    return status;
}

/* ---- storing ---- */

int rc_place_advice_store(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    const struct rc_candidate *choice = &advice->search.list[0].candidate;
    const char **names = calloc(choice->n_hosts + 1, sizeof *names);
    struct rc_question question;
    int status;

    if (!names)
        return rc_error_no_memory(error);
    question = rc_place_question(&advice->asking, choice, names);
    status = rc_predict_store_models(advice->predictor, db, error);
    if (status == 0)
        status = rc_predict_store(advice->predictor, db, &question, &advice->answer, true, error);
    free(names);
    return status;
}

void rc_place_advice_free(struct rc_place_advice *advice)
{
    rc_predict_close(advice->predictor);
    rc_place_search_free(&advice->search);
    if (advice->by_model)
        rc_place_timing_predictor_destroy(advice->timing);
    rc_place_timing_regress_destroy(advice->ranking);
    rc_predict_host_forecast_many_destroy(advice->forecast);
    rc_regression_model_destroy(advice->plain);
    free(advice->names);
    free(advice->hosts);
    free(advice->usual);
    free(advice->weights);
    free(advice->clusters);
    free(advice->procs);
}
