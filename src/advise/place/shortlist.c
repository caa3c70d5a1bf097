// SPDX-License-Identifier: GPL-3.0-or-later
/* shortlist.c - the candidates that are worth many scenarios, and exchanging single hosts of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/place/search_internal.h"
#include "base/error.h"

enum {
    SWAP_HOSTS = 32, /* sets of more are left as they are */
    SWAP_REACH = 4,
    SWAP_PASSES = 3,
    SWAP_ENTRIES = 4,
    SWAP_SAMPLES = 256
};

/* ---- the shortlist ---- */

/* In the order of preference, for a sort of places. */
struct placed {
    const struct rc_advised *advised;
    const struct rc_aim *aim;
};

static int by_preference(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = rc_place_advised_compare(x->advised, y->advised, x->aim);

    return order ? order : (x->advised > y->advised) - (x->advised < y->advised);
}

static bool is_alike(const struct rc_advised *a, const struct rc_advised *b, bool further)
{
    return rc_place_advised_alike(a, b) && (!further || a->candidate.procs != b->candidate.procs);
}

static int by_score(const void *a, const void *b)
{
    const struct rc_candidate_host *x = *(const struct rc_candidate_host *const *)a;
    const struct rc_candidate_host *y = *(const struct rc_candidate_host *const *)b;

    return (x->score > y->score) - (x->score < y->score);
}

/* The hosts of a candidate by rising score. */
static void sort_hosts(const struct rc_searching *work, const struct rc_candidate *candidate,
                       const struct rc_candidate_host **sorted)
{
    for (size_t i = 0; i < candidate->n_hosts; i++)
        sorted[i] = &work->hosts[candidate->hosts[i]];
    qsort(sorted, candidate->n_hosts, sizeof *sorted, by_score);
}

/* Whether two candidates differ only in which of several equal hosts they have. */
static bool is_copy(struct rc_searching *work, const struct rc_advised *a,
                    const struct rc_advised *b)
{
    const struct rc_candidate *x = &a->candidate, *y = &b->candidate;
    const struct rc_candidate_host **first = work->sorted, **second = first + x->n_hosts;

    if (x->cluster != y->cluster || x->procs != y->procs || x->n_hosts != y->n_hosts ||
        a->mean != b->mean || a->lo90 != b->lo90 || a->hi90 != b->hi90)
        return false;
    sort_hosts(work, x, first);
    sort_hosts(work, y, second);
    for (size_t i = 0; i < x->n_hosts; i++)
        if (first[i]->score != second[i]->score || first[i]->slots != second[i]->slots)
            return false;
    return true;
}

static int add_to_list(struct rc_searching *work, const struct rc_advised *advised)
{
    struct rc_search *search = work->search;
    struct rc_advised *one = &search->list[search->n_list];

    *one = *advised;
    one->samples = calloc(work->question->samples + 1, sizeof *one->samples);
    if (!one->samples)
        return rc_error_no_memory(work->error);
    search->n_list++;
    return 0;
}

/* First those that are not like a better one, then, where there are places left, the others;
 * without copies, unless a caller tries the hosts. */
static int fill_list(struct rc_searching *work, struct placed *placed, size_t n)
{
    struct rc_search *search = work->search;
    int status = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n && status == 0; i++) {
            bool skip = search->n_list >= work->question->shortlist || !placed[i].advised ||
                        !isfinite(placed[i].advised->mean);

            for (size_t k = 0; k < search->n_list && !skip; k++)
                skip = pass == 0
                           ? is_alike(placed[i].advised, &search->list[k], work->question->further)
                           : !work->question->further &&
                                 is_copy(work, placed[i].advised, &search->list[k]);
            if (skip)
                continue;
            status = add_to_list(work, placed[i].advised);
            placed[i].advised = NULL;
        }
    return status;
}

/* The best one of those that tie with the first one. */
static size_t best_tied(const struct placed *placed, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (rc_place_advised_tie(placed[0].advised, placed[i].advised, placed[0].aim, 0) &&
            rc_place_advised_compare_tied(placed[i].advised, placed[best].advised) < 0)
            best = i;
    return best;
}

/* Few samples cannot show small probabilities: candidates that nearly meet the limits may be on the
 * list, and the nearest one always is; so is the best one of a tie. */
int rc_place_search_make_list(struct rc_searching *work)
{
    struct rc_search *search = work->search;
    struct rc_aim loose = work->question->aim, safest = loose;
    struct placed *placed = calloc(search->n_all + 1, sizeof *placed);
    size_t best = 0;
    int status = 0;

    search->list = calloc(work->question->shortlist + 1, sizeof *search->list);
    work->sorted = calloc(2 * work->question->n_hosts + 1, sizeof *work->sorted);
    if (!placed || !search->list || !work->sorted) {
        free(placed);
        return rc_error_no_memory(work->error);
    }
    safest.objective = RC_OBJECTIVE_RISK;
    for (size_t i = 0; i < search->n_all; i++) {
        struct rc_advised *one = &search->all[i];

        if (!one->in_time)
            one->in_time = one->miss <= 2 * (1 - loose.confidence) + 2 / (double)work->n_quick;
        placed[i] = (struct placed){one, &loose};
        if (rc_place_advised_compare(one, &search->all[best], &safest) < 0)
            best = i;
    }
    if (!isnan(loose.deadline) && isfinite(search->all[best].mean)) {
        status = add_to_list(work, &search->all[best]);
        placed[best].advised = NULL;
        /* A sort has no use for holes. */
        placed[best] = placed[search->n_all - 1];
    }
    if (status == 0) {
        size_t n = search->n_all - (search->n_list > 0);

        qsort(placed, n, sizeof *placed, by_preference);
        if (n > 0 && search->n_list < work->question->shortlist) {
            size_t first = best_tied(placed, n);

            if (isfinite(placed[first].advised->mean))
                status = add_to_list(work, placed[first].advised);
            placed[first].advised = NULL;
        }
        if (status == 0)
            status = fill_list(work, placed, n);
    }
    free(placed);
    if (status == 0 && search->n_list == 0)
        status = rc_error_set(work->error, "the run would not end under the forecast load");
    return status;
}

/* ---- exchanging hosts ---- */

static bool same_set(const struct rc_candidate *a, const struct rc_candidate *b)
{
    if (a->procs != b->procs || a->n_hosts != b->n_hosts)
        return false;
    for (size_t i = 0; i < a->n_hosts; i++) {
        size_t k = 0;

        while (k < b->n_hosts && b->hosts[k] != a->hosts[i])
            k++;
        if (k == b->n_hosts)
            return false;
    }
    return true;
}

/* Whether another member of the list is that set. */
static bool on_list(const struct rc_search *search, const struct rc_advised *entry,
                    const struct rc_candidate *candidate)
{
    for (size_t i = 0; i < search->n_list; i++)
        if (&search->list[i] != entry && same_set(&search->list[i].candidate, candidate))
            return true;
    return false;
}

/* Tries all sets that differ in one host, and takes the best; 1 where there is a better one. */
static int swap_once(struct rc_searching *work, struct rc_advised *entry, const size_t *members,
                     size_t n)
{
    struct rc_candidates *candidates = &work->search->candidates;
    size_t first = candidates->n, found;
    const struct rc_candidate **some = NULL;
    double *samples = NULL, scratch[SWAP_SAMPLES];
    struct rc_advised best = {.candidate = entry->candidate};
    int status =
        rc_place_candidates_add_swaps(candidates, work->hosts, &entry->candidate, members, n,
                                      work->question->clusters[entry->candidate.cluster].filling,
                                      SWAP_REACH, work->error);

    found = candidates->n - first;
    if (status || found == 0)
        return status;
    some = calloc(found + 1, sizeof *some);
    samples = calloc((found + 1) * SWAP_SAMPLES, sizeof *samples);
    if (!some || !samples)
        status = rc_error_no_memory(work->error);
    for (size_t i = 0; i < found && status == 0; i++) {
        candidates->items[first + i].seconds = entry->candidate.seconds;
        some[i + 1] = &candidates->items[first + i];
    }
    if (status == 0) {
        some[0] = &entry->candidate;
        status = work->timing->sample(work->timing->data, some, found + 1, SWAP_SAMPLES, samples,
                                      work->error);
    }
    for (size_t i = 0; i <= found && status >= 0; i++) {
        struct rc_advised one = {.candidate = *some[i]};

        rc_place_search_judge(work->question, &one, samples + i * SWAP_SAMPLES, SWAP_SAMPLES, NULL,
                              scratch);
        if (i == 0 || (rc_place_advised_compare(&one, &best, &work->question->aim) < 0 &&
                       !on_list(work->search, entry, some[i]))) {
            best = one;
            status = i > 0;
        }
    }
    if (status > 0)
        entry->candidate = best.candidate;
    free(some);
    free(samples);
    return status;
}

int rc_place_search_swap(struct rc_searching *work, size_t *members, bool *in)
{
    struct rc_search *search = work->search;

    for (size_t i = 0; i < search->n_list && i < SWAP_ENTRIES; i++) {
        struct rc_candidate *own = &search->list[i].candidate;
        size_t cluster = own->cluster, n;
        int better = 1;

        if (work->question->clusters[cluster].contiguous || own->n_hosts > SWAP_HOSTS)
            continue;
        memset(in, 0, work->question->n_hosts * sizeof *in);
        if (rc_place_search_mark(work, cluster, &own, 1, members, in) ||
            rc_place_search_foresee(work, in, members, own->seconds))
            return -1;
        n = rc_place_search_members(work, cluster, in, members);
        for (int pass = 0; pass < SWAP_PASSES && better > 0; pass++)
            better = swap_once(work, &search->list[i], members, n);
        if (better < 0)
            return -1;
    }
    return 0;
}
