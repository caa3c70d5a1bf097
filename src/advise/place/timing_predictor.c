// SPDX-License-Identifier: GPL-3.0-or-later
/* timing_predictor.c - the time of candidates by the predictor. */
#include "advise/place/timing_predictor.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* A number of processes that was asked about. */
struct guessed {
    int64_t procs;
    double seconds;
};

struct asking {
    struct rc_timing_predictor_setup setup;
    const char **names;
    size_t *members;
    struct guessed *guessed;
    size_t n_guessed, room;
    struct rc_error why;
    bool silent; /* a candidate had no answer: `why` has the reason */
};

struct rc_question rc_place_question(const struct rc_place_asking *asking,
                                     const struct rc_candidate *candidate, const char **names)
{
    struct rc_question question = *asking->question;

    for (size_t i = 0; i < candidate->n_hosts; i++)
        names[i] = asking->names[candidate->hosts[i]];
    question.procs = candidate->procs;
    question.hosts = names;
    question.n_hosts = candidate->n_hosts;
    return question;
}

int rc_place_timing_predictor_ask(struct rc_timing *timing, const struct rc_candidate *candidate,
                                  struct rc_predict_answer *answer, struct rc_error *error)
{
    struct asking *asking = timing->data;
    const struct rc_question question =
        rc_place_question(asking->setup.asking, candidate, asking->names);

    if (rc_predict_ask(asking->setup.asking->predictor, &question, answer, error))
        return -1;
    if (answer->answered > 0)
        return 0;
    asking->silent = true;
    asking->why = answer->methods[answer->nearest].why;
    if (error)
        *error = asking->why;
    return -1;
}

const struct rc_error *rc_place_timing_predictor_why(const struct rc_timing *timing)
{
    const struct asking *asking = timing->data;

    return asking->silent ? &asking->why : NULL;
}

/* ---- about how long ---- */

/* Adds the hosts of a cluster with the highest scores for so many processes. */
static int add_best(const struct asking *asking, size_t cluster, int64_t procs,
                    struct rc_candidates *candidates)
{
    const struct rc_search_question *question = asking->setup.question;
    const struct rc_candidate_counts counts = {&procs, 1, question->clusters[cluster].filling};
    size_t n = 0;

    for (size_t i = 0; i < question->n_hosts; i++)
        if (question->hosts[i].cluster == cluster && !question->hosts[i].out)
            asking->members[n++] = i;
    return n ? rc_place_candidates_add_further(candidates, question->hosts, asking->members, n,
                                               &counts, 1, NULL)
             : 0;
}

/* Of all clusters, the set whose worst host is best; NULL: it fits nowhere. */
static const struct rc_candidate *find_best(const struct asking *asking,
                                            const struct rc_candidates *candidates)
{
    const struct rc_candidate *best = NULL;
    double most = -INFINITY;

    for (size_t i = 0; i < candidates->n; i++) {
        const struct rc_candidate *one = &candidates->items[i];
        /* They are by falling score. */
        double worst = asking->setup.question->hosts[one->hosts[one->n_hosts - 1]].score;

        if (worst > most) {
            most = worst;
            best = one;
        }
    }
    return best;
}

/* The share does not count: the methods know of the load by themselves. */
static double guess(void *data, int64_t procs, double share)
{
    struct asking *asking = data;
    struct rc_timing timing = {.data = data};
    struct rc_candidates candidates = {0};
    const struct rc_candidate *best;
    struct rc_predict_answer answer;
    double seconds = INFINITY;
    int status = 0;

    (void)share;
    for (size_t i = 0; i < asking->n_guessed; i++)
        if (asking->guessed[i].procs == procs)
            return asking->guessed[i].seconds;
    for (size_t c = 0; c < asking->setup.question->n_clusters && status == 0; c++)
        status = add_best(asking, c, procs, &candidates);
    best = status == 0 ? find_best(asking, &candidates) : NULL;
    if (best && rc_place_timing_predictor_ask(&timing, best, &answer, NULL) == 0)
        seconds = answer.summary.mean;
    rc_place_candidates_free(&candidates);
    if (rc_array_room(&asking->guessed, asking->n_guessed + 1, &asking->room,
                      sizeof *asking->guessed, NULL) == 0)
        asking->guessed[asking->n_guessed++] = (struct guessed){procs, seconds};
    return seconds;
}

static int forecast_shares(void *data, const size_t *hosts, size_t n, double seconds,
                           double *shares, struct rc_error *error)
{
    const struct rc_timing *ranking = ((struct asking *)data)->setup.ranking;

    return ranking->forecast_shares(ranking->data, hosts, n, seconds, shares, error);
}

/* ---- samples ---- */

static int sample(void *data, const struct rc_candidate *const *candidates, size_t n,
                  size_t n_samples, double *samples, struct rc_error *error)
{
    struct asking *asking = data;
    struct rc_timing timing = {.data = data};
    struct rc_predict_answer answer;

    for (size_t c = 0; c < n; c++) {
        bool answered;

        asking->silent = false;
        answered = rc_place_timing_predictor_ask(&timing, candidates[c], &answer, error) == 0;
        if (!answered && !asking->silent)
            return -1;
        for (size_t i = 0; i < n_samples; i++)
            samples[c * n_samples + i] =
                answered ? answer.samples[(2 * i + 1) * answer.n_samples / (2 * n_samples)]
                         : (double)INFINITY;
    }
    return 0;
}

/* ---- making it ---- */

static void destroy(struct asking *asking)
{
    if (asking) {
        free(asking->names);
        free(asking->members);
        free(asking->guessed);
    }
    free(asking);
}

void rc_place_timing_predictor_destroy(struct rc_timing *timing)
{
    if (timing)
        destroy(timing->data);
    free(timing);
}

struct rc_timing *rc_place_timing_predictor_create(const struct rc_timing_predictor_setup *setup,
                                                   struct rc_error *error)
{
    struct rc_timing *timing = calloc(1, sizeof *timing);
    struct asking *asking = calloc(1, sizeof *asking);

    if (asking) {
        asking->setup = *setup;
        asking->names = calloc(setup->question->n_hosts + 1, sizeof *asking->names);
        asking->members = calloc(setup->question->n_hosts + 1, sizeof *asking->members);
    }
    if (timing && asking && asking->names && asking->members) {
        *timing = (struct rc_timing){asking, guess, forecast_shares, sample};
        return timing;
    }
    rc_error_no_memory(error);
    destroy(asking);
    free(timing);
    return NULL;
}
