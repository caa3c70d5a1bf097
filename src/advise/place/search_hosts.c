// SPDX-License-Identifier: GPL-3.0-or-later
/* search_hosts.c - the hosts of a search, and their forecast shares. */
#include <stdlib.h>

#include "advise/place/search_internal.h"
#include "base/error.h"

enum {
    POOL_TIMES = 2,
    POOL_MORE = 16 /* hosts that are compared for sets of so many */
};

/* The cores that a candidate pays for. */
static int64_t cores_of(const struct rc_search_question *question,
                        const struct rc_candidate *candidate)
{
    int64_t cores = 0;

    for (size_t i = 0; i < candidate->n_hosts && question->whole_hosts; i++)
        cores += question->hosts[candidate->hosts[i]].cores;
    return question->whole_hosts ? cores : candidate->procs;
}

int64_t rc_place_search_room(const struct rc_search_question *question)
{
    int64_t most = 0;

    for (size_t c = 0; c < question->n_clusters; c++) {
        int64_t room = 0;

        for (size_t i = 0; i < question->n_hosts; i++)
            if (question->hosts[i].cluster == c && !question->hosts[i].out)
                room += question->hosts[i].slots;
        most = room > most ? room : most;
    }
    return most;
}

void rc_place_search_judge(const struct rc_search_question *question, struct rc_advised *advised,
                           const double *samples, size_t n,
                           const struct rc_predict_summary *summary, double *scratch)
{
    rc_place_advised_judge(advised, samples, n, summary, &question->aim,
                           cores_of(question, &advised->candidate),
                           question->clusters[advised->candidate.cluster].cost, scratch);
}

size_t rc_place_search_members(const struct rc_searching *work, size_t cluster, const bool *in,
                               size_t *members)
{
    size_t n = 0;

    for (size_t i = 0; i < work->question->n_hosts; i++)
        if (work->hosts[i].cluster == cluster && !work->hosts[i].out && (!in || in[i]))
            members[n++] = i;
    return n;
}

/* Marks the best `wanted` of a cluster, by the present load or by the usual one. */
static int mark_best(const struct rc_searching *work, const size_t *members, size_t n,
                     size_t wanted, bool usual, bool *in)
{
    const struct rc_search_question *question = work->question;
    size_t *order = calloc(n + 1, sizeof *order);
    int status = order ? rc_place_candidates_rank(question->hosts, usual ? question->usual : NULL,
                                                  members, n, order, work->error)
                       : rc_error_no_memory(work->error);

    for (size_t i = 0; i < n && i < wanted && status == 0; i++)
        in[order[i]] = true;
    free(order);
    return status;
}

int rc_place_search_mark(const struct rc_searching *work, size_t cluster,
                         struct rc_candidate *const *some, size_t n_some, size_t *members, bool *in)
{
    size_t n = rc_place_search_members(work, cluster, NULL, members), largest = 0;

    for (size_t i = 0; i < n_some; i++)
        if (some[i]->cluster == cluster && some[i]->n_hosts > largest)
            largest = some[i]->n_hosts;
    if (largest == 0)
        return 0;
    largest = work->question->clusters[cluster].contiguous || work->question->further
                  ? n
                  : POOL_TIMES * largest + POOL_MORE;
    return mark_best(work, members, n, largest, false, in) ||
                   mark_best(work, members, n, largest, true, in)
               ? -1
               : 0;
}

int rc_place_search_foresee(struct rc_searching *work, const bool *in, size_t *members,
                            double seconds)
{
    size_t n = 0;
    double *shares;
    int status;

    for (size_t i = 0; i < work->question->n_hosts; i++)
        if (in[i])
            members[n++] = i;
    shares = calloc(n + 1, sizeof *shares);
    if (!shares)
        return rc_error_no_memory(work->error);
    status =
        work->timing->forecast_shares(work->timing->data, members, n, seconds, shares, work->error);
    for (size_t i = 0; i < n && status == 0; i++)
        work->hosts[members[i]].score = shares[i];
    free(shares);
    return status;
}
