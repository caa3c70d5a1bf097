// SPDX-License-Identifier: GPL-3.0-or-later
/* consult.c - what all families of models say of a short list. */
#include "advise/place/consult.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search_internal.h"
#include "base/error.h"

/* A draw, and where it was. */
struct placed {
    double seconds;
    size_t place;
};

struct consultation {
    const struct rc_consulting *consulting;
    struct placed *placed; /* of one candidate, by rising time */
    double *sorted, *own;  /* the same seconds; what is said of each candidate by regression */
    double *scratch;
    const char **names;
};

bool rc_place_consult_worth(const struct rc_door *door)
{
    return rc_predict_door_open_families(door) & ~(1U << RC_DOOR_REGRESSION);
}

void rc_place_consult_question(const struct rc_consulting *consulting,
                               const struct rc_candidate *candidate, const char **names,
                               struct rc_door_question *question)
{
    rc_predict_door_question_init(question);
    for (size_t i = 0; i < candidate->n_hosts; i++)
        names[i] = consulting->names[candidate->hosts[i]];
    question->n = consulting->n;
    question->p = candidate->procs;
    question->hosts = names;
    question->n_hosts = candidate->n_hosts;
    question->params = consulting->params;
    question->n_params = consulting->n_params;
    question->start = consulting->start;
    question->seed = consulting->seed;
}

static int by_seconds(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Asks the door about a candidate of which regression has these draws; false: some do not end, or
 * nobody can tell. */
static int ask(struct consultation *work, const struct rc_candidate *candidate, const double *draws,
               size_t n, struct rc_door_answer *answer, bool *told, struct rc_error *error)
{
    struct rc_door_question question;

    for (size_t i = 0; i < n; i++)
        work->placed[i] = (struct placed){draws[i], i};
    qsort(work->placed, n, sizeof *work->placed, by_seconds);
    for (size_t i = 0; i < n; i++)
        work->sorted[i] = work->placed[i].seconds;
    *told = isfinite(work->sorted[n - 1]);
    if (!*told)
        return 0;
    rc_place_consult_question(work->consulting, candidate, work->names, &question);
    question.run_model = work->sorted;
    if (rc_predict_door_ask(work->consulting->door, &question, answer, error))
        return -1;
    *told = answer->answered > 0;
    return 0;
}

static int consult_one(struct consultation *work, const struct rc_search_question *question,
                       struct rc_advised *one, size_t n, struct rc_error *error)
{
    struct rc_door_answer answer;
    bool told;

    if (ask(work, &one->candidate, one->draws, n, &answer, &told, error))
        return -1;
    for (size_t k = 0; told && k < n; k++)
        one->draws[work->placed[k].place] = answer.draws[k * answer.n_draws / n];
    if (told)
        rc_place_search_judge(question, one, one->draws, n, work->scratch);
    return 0;
}

/* What regression had said of the candidate that came to be first. */
static const double *own_of(const struct consultation *work, const struct rc_search *search,
                            const struct rc_candidate *before)
{
    const struct rc_candidate *choice = &search->list[0].candidate;

    for (size_t i = 0; i < search->n_list; i++)
        if (before[i].hosts == choice->hosts && before[i].n_hosts == choice->n_hosts &&
            before[i].procs == choice->procs)
            return work->own + i * search->n_draws;
    return NULL;
}

static int consult_all(struct consultation *work, const struct rc_search_question *question,
                       struct rc_search *search, struct rc_candidate *before,
                       struct rc_door_answer *choice, struct rc_error *error)
{
    size_t n = search->n_draws;
    const double *own;
    bool told = true;

    for (size_t i = 0; i < search->n_list; i++) {
        before[i] = search->list[i].candidate;
        memcpy(work->own + i * n, search->list[i].draws, n * sizeof *work->own);
        if (consult_one(work, question, &search->list[i], n, error))
            return -1;
    }
    rc_place_search_conclude(question, search);
    own = own_of(work, search, before);
    if (!own)
        return 0;
    if (ask(work, &search->list[0].candidate, own, n, choice, &told, error))
        return -1;
    if (!told)
        *choice = (struct rc_door_answer){0};
    return 0;
}

int rc_place_consult(const struct rc_consulting *consulting,
                     const struct rc_search_question *question, struct rc_search *search,
                     struct rc_door_answer *choice, struct rc_error *error)
{
    size_t n = search->n_draws, n_list = search->n_list;
    struct consultation work = {.consulting = consulting};
    struct rc_candidate *before = calloc(n_list + 1, sizeof *before);
    int status;

    *choice = (struct rc_door_answer){0};
    work.placed = calloc(n + 1, sizeof *work.placed);
    work.sorted = calloc(n + 1, sizeof *work.sorted);
    work.scratch = calloc(n + 1, sizeof *work.scratch);
    work.own = calloc(n_list * n + 1, sizeof *work.own);
    work.names = calloc(question->n_hosts + 1, sizeof *work.names);
    status = before && work.placed && work.sorted && work.scratch && work.own && work.names
                 ? consult_all(&work, question, search, before, choice, error)
                 : rc_error_no_memory(error);
    free(before);
    free(work.placed);
    free(work.sorted);
    free(work.scratch);
    free(work.own);
    free(work.names);
    return status;
}
