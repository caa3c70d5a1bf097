// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_list.c - what the predictor answers for a short list. */
#include "advise/place/predict_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search_internal.h"
#include "base/error.h"

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
        work->placed[i] = (struct placed){one->draws[i], i};
    qsort(work->placed, n, sizeof *work->placed, by_seconds);
    if (!isfinite(work->placed[n - 1].seconds))
        return 0;
    if (ask(work, &one->candidate, &answer, error))
        return -1;
    if (answer.answered == 0)
        return 0;
    for (size_t k = 0; k < n; k++)
        one->draws[work->placed[k].place] = answer.samples[k * answer.n_samples / n];
    rc_place_search_judge(question, one, one->draws, n, &answer.summary, work->scratch);
    return 0;
}

static int predict_all(struct work *work, const struct rc_search_question *question,
                       struct rc_search *search, struct rc_predict_answer *choice,
                       struct rc_error *error)
{
    for (size_t i = 0; i < search->n_list; i++)
        if (predict_one(work, question, &search->list[i], search->n_draws, error))
            return -1;
    rc_place_search_conclude(question, search);
    return ask(work, &search->list[0].candidate, choice, error);
}

int rc_place_predict_list(const struct rc_place_asking *asking,
                          const struct rc_search_question *question, struct rc_search *search,
                          struct rc_predict_answer *choice, struct rc_error *error)
{
    struct work work = {.asking = asking,
                        .placed = calloc(search->n_draws + 1, sizeof *work.placed),
                        .scratch = calloc(search->n_draws + 1, sizeof *work.scratch),
                        .names = calloc(question->n_hosts + 1, sizeof *work.names)};
    int status;

    *choice = (struct rc_predict_answer){0};
    status = work.placed && work.scratch && work.names
                 ? predict_all(&work, question, search, choice, error)
                 : rc_error_no_memory(error);
    free(work.placed);
    free(work.scratch);
    free(work.names);
    return status;
}
