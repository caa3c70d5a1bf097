// SPDX-License-Identifier: GPL-3.0-or-later
/* signature.c - as much likeness among calls as the loops need, and no more.
 *
 * Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", Table 2: cluster, fold, and raise
 * the threshold until the compression is what is wanted (half the scaling factor K) or the
 * threshold has reached its maximum.  Two things differ.  Where a threshold gives the same symbols
 * as the best one so far, they are not folded again.  And where the maximum does not suffice, what
 * is kept is not what was found last but what compressed most, with the least threshold: likeness
 * that gains nothing only blurs the calls. */
#include "skeleton/cluster.h"

#include <string.h>

enum { STEPS = 10 }; /* from 0 to the maximum */

void rc_signature_free(struct rc_signature *signature)
{
    rc_clusters_free(&signature->clusters);
    rc_loops_free(&signature->loops);
}

/* Folds what the clusters make of the calls; they belong to the signature from then on, or are
 * freed. */
static int fold(struct rc_clusters *clusters, double threshold, struct rc_signature *signature,
                struct rc_error *error)
{
    *signature = (struct rc_signature){.clusters = *clusters, .threshold = threshold};
    if (!rc_loops_find(clusters->symbols, clusters->n, &signature->loops, error))
        return 0;
    rc_clusters_free(&signature->clusters);
    return -1;
}

/* Keeps the better of two, and frees the other. */
static void keep_better(struct rc_signature *best, struct rc_signature *other)
{
    struct rc_signature worse = *other;

    if (rc_loops_compression(&other->loops) > rc_loops_compression(&best->loops)) {
        worse = *best;
        *best = *other;
    }
    rc_signature_free(&worse);
}

static int is_same(const struct rc_clusters *a, const struct rc_clusters *b)
{
    return a->n_symbols == b->n_symbols &&
           !memcmp(a->symbols, b->symbols, a->n * sizeof *a->symbols);
}

/* Clusters with a threshold, and keeps what comes of it where that is better. */
static int try_threshold(const struct rc_cluster_call *calls, double threshold,
                         struct rc_signature *best, struct rc_error *error)
{
    struct rc_clusters clusters;
    struct rc_signature next;

    if (rc_clusters_find(calls, best->clusters.n, threshold, &clusters, error))
        return -1;
    if (is_same(&clusters, &best->clusters)) {
        rc_clusters_free(&clusters);
        return 0;
    }
    if (fold(&clusters, threshold, &next, error))
        return -1;
    keep_better(best, &next);
    return 0;
}

int rc_signature_find(const struct rc_cluster_call *calls, size_t n, double wanted,
                      struct rc_signature *signature, struct rc_error *error)
{
    struct rc_clusters clusters;

    *signature = (struct rc_signature){0};
    if (rc_clusters_find(calls, n, 0, &clusters, error) || fold(&clusters, 0, signature, error))
        return -1;
    for (int step = 1; step <= STEPS && rc_loops_compression(&signature->loops) < wanted; step++)
        if (try_threshold(calls, RC_SIGNATURE_THRESHOLD_MAX * step / STEPS, signature, error)) {
            rc_signature_free(signature);
            return -1;
        }
    return 0;
}
