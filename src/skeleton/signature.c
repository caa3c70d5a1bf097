// SPDX-License-Identifier: GPL-3.0-or-later
/* signature.c - as much likeness among calls as the loops need, and no more.
 *
 * Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", Table 2: cluster, fold, and raise
 * the threshold until the compression is what is wanted (half the scaling factor K) or the
 * threshold has reached its maximum.  Two things differ.  A threshold that merges no more calls
 * than the last is not folded again.  And where the maximum does not suffice, what is kept is not
 * what was found last but what compressed most, with the least threshold: likeness that gains
 * nothing only blurs the calls. */
#include "skeleton/cluster.h"

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

int rc_signature_find(const struct rc_cluster_call *calls, size_t n, double wanted,
                      struct rc_signature *signature, struct rc_error *error)
{
    struct rc_clusters clusters;
    struct rc_signature next;
    uint32_t n_symbols;

    *signature = (struct rc_signature){0};
    if (rc_clusters_find(calls, n, 0, &clusters, error) || fold(&clusters, 0, signature, error))
        return -1;
    n_symbols = clusters.n_symbols;
    for (int step = 1; step <= STEPS && rc_loops_compression(&signature->loops) < wanted; step++) {
        double threshold = RC_SIGNATURE_THRESHOLD_MAX * step / STEPS;

        if (rc_clusters_find(calls, n, threshold, &clusters, error))
            goto failed;
        if (clusters.n_symbols == n_symbols) {
            rc_clusters_free(&clusters);
            continue;
        }
        n_symbols = clusters.n_symbols;
        if (fold(&clusters, threshold, &next, error))
            goto failed;
        keep_better(signature, &next);
    }
    return 0;
failed:
    rc_signature_free(signature);
    return -1;
}
