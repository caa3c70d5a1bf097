// SPDX-License-Identifier: GPL-3.0-or-later
/* search.c - where to run a program, and on how many processes. */
#include "advise/place/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search_internal.h"
#include "base/error.h"

enum {
    MANY = 256,       /* candidates */
    FURTHER_EACH = 16 /* sets for each number of processes, where several are wanted */
};
static const double rung = 4; /* between the longest and the shortest of those ranked together */

void rc_place_search_free(struct rc_search *search)
{
    for (size_t i = 0; i < search->n_list; i++)
        free(search->list[i].samples);
    free(search->list);
    free(search->all);
    rc_place_candidates_free(&search->candidates);
    *search = (struct rc_search){0};
}

/* ---- what is worked with ---- */

static double worst_score(const struct rc_searching *work, const struct rc_candidate *candidate)
{
    double worst = INFINITY;

    for (size_t i = 0; i < candidate->n_hosts; i++)
        worst = fmin(worst, work->hosts[candidate->hosts[i]].score);
    return worst;
}

/* ---- candidates ---- */

static int add_sets(struct rc_searching *work, struct rc_candidates *candidates, size_t cluster,
                    const size_t *members, size_t n, const struct rc_candidate_counts *counts,
                    bool further)
{
    int status = 0;

    if (work->question->clusters[cluster].contiguous) {
        for (size_t first = 0, end; first < n && status == 0; first = end) {
            for (end = first + 1; end < n && work->hosts[members[end]].place ==
                                                 work->hosts[members[end - 1]].place + 1;
                 end++)
                ;
            status = rc_place_candidates_add_windows(candidates, work->hosts, members + first,
                                                     end - first, counts,
                                                     further ? FURTHER_EACH : 1, work->error);
        }
        return status;
    }
    return rc_place_candidates_add_further(candidates, work->hosts, members, n, counts,
                                           further ? FURTHER_EACH : 1, work->error);
}

static int add_first(struct rc_searching *work, size_t cluster, size_t *members)
{
    const struct rc_search_question *question = work->question;
    size_t n = rc_place_search_members(work, cluster, NULL, members), n_counts = question->n_procs;
    int64_t *counts = NULL, room = 0;
    struct rc_candidate_counts asked = {.filling = question->clusters[cluster].filling};
    int slots = 1, status;

    for (size_t i = 0; i < n; i++) {
        room += work->hosts[members[i]].slots;
        slots = work->hosts[members[i]].slots > slots ? work->hosts[members[i]].slots : slots;
    }
    if (!question->procs) {
        counts = rc_place_candidates_counts(room, slots, &n_counts, work->error);
        if (!counts)
            return -1;
    }
    asked.procs = counts ? counts : question->procs;
    asked.n = n_counts;
    status = n > 0 ? add_sets(work, &work->first, cluster, members, n, &asked, false) : 0;
    free(counts);
    return status;
}

/* The sets by the present load, with about how long they take. */
static int look_first(struct rc_searching *work, size_t *members)
{
    int64_t room;
    int status = 0;

    for (size_t c = 0; c < work->question->n_clusters && status == 0; c++)
        status = add_first(work, c, members);
    for (size_t i = 0; i < work->first.n && status == 0; i++) {
        struct rc_candidate *one = &work->first.items[i];

        one->seconds = work->timing->guess(work->timing->data, one->procs, worst_score(work, one));
    }
    work->n_quick = work->first.n > MANY ? RC_SEARCH_QUICK / 2 : RC_SEARCH_QUICK;
    if (status || work->first.n > 0)
        return status;
    room = rc_place_search_room(work->question);
    rc_error_set(work->error, "too many processes for the hosts; at most %lld fit%s%s",
                 (long long)room, room == 1 ? "s" : "",
                 work->question->n_clusters > 1 ? " in one cluster" : "");
    return rc_error_code(work->error, "place.too-many-processes", NULL);
}

/* ---- ranking by forecast ---- */

/* Adds the sets of one cluster for the numbers of processes of these. */
static int rank_anew(struct rc_searching *work, size_t cluster, struct rc_candidate *const *some,
                     size_t n_some, const bool *in, size_t *members)
{
    size_t n = rc_place_search_members(work, cluster, in, members);
    /* Where there is little to choose from, a runner-up is one with other hosts. */
    bool further = work->question->further || work->first.n < work->question->shortlist;
    int64_t *procs = calloc(n_some + 1, sizeof *procs);
    struct rc_candidate_counts counts = {procs, 0, work->question->clusters[cluster].filling};
    int status;

    if (!procs)
        return rc_error_no_memory(work->error);
    for (size_t i = 0; i < n_some; i++)
        if (some[i]->cluster == cluster)
            procs[counts.n++] = some[i]->procs;
    status = counts.n == 0
                 ? 0
                 : add_sets(work, &work->search->candidates, cluster, members, n, &counts, further);
    free(procs);
    return status;
}

/* ---- a few scenarios ---- */

static int grow_all(struct rc_searching *work, size_t more)
{
    struct rc_search *search = work->search;
    size_t room = search->n_all + more + 1;
    struct rc_advised *all = realloc(search->all, room * sizeof *all);
    double *quick;

    if (!all)
        return rc_error_no_memory(work->error);
    search->all = all;
    quick = realloc(work->quick, room * work->n_quick * sizeof *quick);
    if (!quick)
        return rc_error_no_memory(work->error);
    work->quick = quick;
    return 0;
}

/* Tries the candidates from `first` on. */
static int try_quick(struct rc_searching *work, size_t first)
{
    struct rc_search *search = work->search;
    struct rc_candidate *items = search->candidates.items + first;
    size_t n = search->candidates.n - first;
    const struct rc_candidate **some = calloc(n + 1, sizeof *some);
    double scratch[RC_SEARCH_QUICK], *samples;
    int status = some ? grow_all(work, n) : rc_error_no_memory(work->error);

    for (size_t i = 0; i < n && status == 0; i++) {
        items[i].seconds =
            work->timing->guess(work->timing->data, items[i].procs, worst_score(work, &items[i]));
        some[i] = &items[i];
    }
    samples = work->quick + search->n_all * work->n_quick;
    if (status == 0)
        status =
            work->timing->sample(work->timing->data, some, n, work->n_quick, samples, work->error);
    for (size_t i = 0; i < n && status == 0; i++) {
        struct rc_advised *one = &search->all[search->n_all++];

        *one = (struct rc_advised){.candidate = items[i]};
        rc_place_search_judge(work->question, one, samples + i * work->n_quick, work->n_quick, NULL,
                              scratch);
        one->candidate.seconds = isfinite(one->mean) ? one->mean : items[i].seconds;
    }
    free(some);
    return status;
}

/* Those of the first look that take about as long. */
static int try_rung(struct rc_searching *work, struct rc_candidate *const *some, size_t n,
                    size_t *members, bool *in)
{
    size_t first = work->search->candidates.n;
    int status = 0;

    memset(in, 0, work->question->n_hosts * sizeof *in);
    for (size_t c = 0; c < work->question->n_clusters && status == 0; c++)
        status = rc_place_search_mark(work, c, some, n, members, in);
    if (status == 0)
        status = rc_place_search_foresee(work, in, members, some[n - 1]->seconds);
    for (size_t c = 0; c < work->question->n_clusters && status == 0; c++)
        status = rank_anew(work, c, some, n, in, members);
    return status ? status : try_quick(work, first);
}

static int by_seconds(const void *a, const void *b)
{
    const struct rc_candidate *x = *(struct rc_candidate *const *)a;
    const struct rc_candidate *y = *(struct rc_candidate *const *)b;

    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x > y) - (x < y);
}

static int try_rungs(struct rc_searching *work, size_t *members, bool *in)
{
    struct rc_candidate **some = calloc(work->first.n + 1, sizeof *some);
    size_t n = 0;
    int status = some ? 0 : rc_error_no_memory(work->error);

    for (size_t i = 0; i < work->first.n && status == 0; i++)
        if (isfinite(work->first.items[i].seconds))
            some[n++] = &work->first.items[i];
    if (status == 0 && n == 0)
        status =
            rc_error_set(work->error, "the model predicts no run time for any number of processes");
    if (status == 0)
        qsort(some, n, sizeof *some, by_seconds);
    for (size_t first = 0, end; first < n && status == 0; first = end) {
        for (end = first + 1; end < n && some[end]->seconds <= rung * some[first]->seconds; end++)
            ;
        status = try_rung(work, some + first, end - first, members, in);
    }
    free(some);
    return status;
}

/* ---- many scenarios ---- */

static int try_list(struct rc_searching *work)
{
    struct rc_search *search = work->search;
    size_t n_samples = work->question->samples;
    const struct rc_candidate **some = calloc(search->n_list + 1, sizeof *some);
    double *samples = calloc(search->n_list * n_samples + 1, sizeof *samples);
    double *scratch = calloc(n_samples + 1, sizeof *scratch);
    int status = some && samples && scratch ? 0 : rc_error_no_memory(work->error);

    for (size_t i = 0; i < search->n_list && status == 0; i++)
        some[i] = &search->list[i].candidate;
    if (status == 0)
        status = work->timing->sample(work->timing->data, some, search->n_list, n_samples, samples,
                                      work->error);
    for (size_t i = 0; i < search->n_list && status == 0; i++) {
        struct rc_advised *one = &search->list[i];

        memcpy(one->samples, samples + i * n_samples, n_samples * sizeof *samples);
        rc_place_search_judge(work->question, one, one->samples, n_samples, NULL, scratch);
    }
    search->n_samples = n_samples;
    free(some);
    free(samples);
    free(scratch);
    return status;
}

/* Moves those that tie with the best one before the others, the cheapest first.  Returns how many
 * tie with it. */
static size_t sort_ties(const struct rc_search_question *question, struct rc_search *search)
{
    struct rc_advised best = search->list[0];
    size_t n_samples = question->apart ? 0 : search->n_samples, n_tied = 0;

    for (size_t i = 1; i < search->n_list; i++) {
        struct rc_advised one = search->list[i];
        size_t k = i;

        if (!rc_place_advised_tie(&best, &one, &question->aim, n_samples))
            continue;
        n_tied++;
        for (;
             k > 0 && (k > n_tied || rc_place_advised_compare_tied(&one, &search->list[k - 1]) < 0);
             k--)
            search->list[k] = search->list[k - 1];
        search->list[k] = one;
    }
    return n_tied;
}

/* Few: an insertion sort keeps the order of equal ones. */
void rc_place_search_conclude(const struct rc_search_question *question, struct rc_search *search)
{
    size_t n_tied;

    for (size_t i = 1; i < search->n_list; i++) {
        struct rc_advised one = search->list[i];
        size_t k = i;

        for (; k > 0 && rc_place_advised_compare(&one, &search->list[k - 1], &question->aim) < 0;
             k--)
            search->list[k] = search->list[k - 1];
        search->list[k] = one;
    }
    search->none = search->n_list == 0 || !rc_place_advised_fits(&search->list[0], &question->aim);
    search->why[0] = '\0';
    if (search->none)
        return;
    n_tied = sort_ties(question, search);
    rc_place_advised_why(
        &(struct rc_advised_choice){.best = &search->list[0],
                                    .second = search->n_list > 1 ? &search->list[1] : NULL,
                                    .n_tied = n_tied,
                                    .n_samples = question->apart ? 0 : search->n_samples,
                                    .n_candidates = search->n_all},
        &question->aim, search->why);
}

static int by_procs(const void *a, const void *b)
{
    const struct rc_candidate *x = &((const struct rc_advised *)a)->candidate;
    const struct rc_candidate *y = &((const struct rc_advised *)b)->candidate;

    if (x->cluster != y->cluster)
        return x->cluster < y->cluster ? -1 : 1;
    return (x->procs > y->procs) - (x->procs < y->procs);
}

static int make(struct rc_searching *work, size_t *members, bool *in)
{
    if (look_first(work, members) || try_rungs(work, members, in) ||
        rc_place_search_make_list(work) ||
        (!work->question->further && !work->question->as_ranked &&
         rc_place_search_swap(work, members, in)) ||
        try_list(work))
        return -1;
    qsort(work->search->all, work->search->n_all, sizeof *work->search->all, by_procs);
    rc_place_search_conclude(work->question, work->search);
    return 0;
}

int rc_place_search_make(const struct rc_search_question *question, const struct rc_timing *timing,
                         struct rc_search *search, struct rc_error *error)
{
    struct rc_searching work = {
        .question = question, .timing = timing, .search = search, .error = error};
    size_t n = question->n_hosts, *members = calloc(n + 1, sizeof *members);
    bool *in = calloc(n + 1, sizeof *in);
    int status;

    *search = (struct rc_search){0};
    work.hosts = calloc(n + 1, sizeof *work.hosts);
    if (!members || !in || !work.hosts)
        status = rc_error_no_memory(error);
    else {
        memcpy(work.hosts, question->hosts, n * sizeof *work.hosts);
        status = make(&work, members, in);
    }
    rc_place_candidates_free(&work.first);
    free(work.hosts);
    free(work.quick);
    free(work.sorted);
    free(members);
    free(in);
    if (status)
        rc_place_search_free(search);
    return status;
}
