// SPDX-License-Identifier: GPL-3.0-or-later
/* call_symbols.c - calls as symbols.
 *
 * After Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", section 4.2 and Table 2:
 * each call in turn takes the symbol of the most similar call that has one, if that is similar
 * enough, else a new one.  Table 2 asks for "less than the threshold", which would merge nothing at
 * 0; the text says that 0 merges identical events, so here it is "at most".  And equal calls always
 * have the same symbol, that of the first of them.  Table 2 to the letter would give a later one
 * another symbol where a more similar leader has come in between, so that the first time through a
 * loop would differ from all others.
 *
 * Equal calls are found by a table first, so that only calls that differ are compared.  Those with
 * a symbol of their own, the leaders, are in a second table, by what they are and by cells of their
 * sizes.  In the logarithm of the size a cell is as wide as the threshold, so that whatever is
 * within reach of a call is in its cell or in one beside it, and as leaders are out of each other's
 * reach, a cell hardly ever holds two.  Thus a call looks at nine cells at most, however many
 * leaders there are. */
#include "model/skeleton/shrink/call_symbols.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/loops/hash_map.h"

#define NONE UINT32_MAX

struct leaders {
    double width;    /* of a cell, in the logarithm of the size */
    uint32_t *table; /* the leader that came last of those that belong here, or NONE */
    size_t places;   /* a power of two, at least as many as leaders */
    uint32_t *calls; /* of each leader, by its symbol */
    uint32_t *next;  /* the one that came before it at its place in the table, or NONE */
    uint32_t n;
};

static double difference(uint64_t a, uint64_t b)
{
    uint64_t larger = a > b ? a : b, smaller = a > b ? b : a;

    return larger ? (double)(larger - smaller) / (double)larger : 0;
}

double rc_skeleton_cluster_dissimilarity(const struct rc_cluster_call *a,
                                         const struct rc_cluster_call *b)
{
    if (a->kind != b->kind || a->group != b->group || a->peers[0] != b->peers[0] ||
        a->peers[1] != b->peers[1])
        return INFINITY;
    return fmax(difference(a->bytes[0], b->bytes[0]), difference(a->bytes[1], b->bytes[1]));
}

/* Of what the call is, and of two numbers that stand for its sizes. */
static uint64_t hash_of(const struct rc_cluster_call *call, uint64_t first, uint64_t second)
{
    uint64_t hash = rc_skeleton_hash(1, (uint64_t)call->kind << 32 | call->group);

    hash =
        rc_skeleton_hash(hash, (uint64_t)(uint32_t)call->peers[0] << 32 | (uint32_t)call->peers[1]);
    hash = rc_skeleton_hash(rc_skeleton_hash(hash, first), second);
    return hash ^ hash >> 32;
}

/* ---- similar calls ---- */

/* A little wider than the threshold, so that rounding takes nothing out of reach; and no narrower
 * than what distinguishes doubles, so that cells can be counted. */
static double cell_width(double threshold)
{
    return fmax(-log1p(-threshold) * (1 + 1e-6), 0x1p-50);
}

/* Nothing but 0 is within reach of 0, which thus has a cell apart from all. */
static uint64_t cell_of(const struct leaders *leaders, uint64_t bytes)
{
    return bytes ? 2 + (uint64_t)(log((double)bytes) / leaders->width) : 0;
}

static uint32_t *chain_of(const struct leaders *leaders, const struct rc_cluster_call *call,
                          uint64_t first, uint64_t second)
{
    return leaders->table + (hash_of(call, first, second) & (leaders->places - 1));
}

/* Looks at the leaders in a cell, and at whatever else has come to the same place. */
static void consider(const struct leaders *leaders, const struct rc_cluster_call *calls,
                     const struct rc_cluster_call *call, uint32_t leader, double *least,
                     uint32_t *symbol)
{
    for (; leader != NONE; leader = leaders->next[leader]) {
        double dissimilarity =
            rc_skeleton_cluster_dissimilarity(calls + leaders->calls[leader], call);

        if (dissimilarity < *least || (dissimilarity == *least && leader < *symbol)) {
            *least = dissimilarity;
            *symbol = leader;
        }
    }
}

static uint32_t most_similar(const struct leaders *leaders, const struct rc_cluster_call *calls,
                             const struct rc_cluster_call *call, double threshold)
{
    uint64_t cells[2] = {cell_of(leaders, call->bytes[0]), cell_of(leaders, call->bytes[1])};
    uint64_t around[2] = {cells[0] ? 1 : 0, cells[1] ? 1 : 0};
    double least = threshold;
    uint32_t symbol = NONE;

    if (!leaders->n)
        return NONE;
    for (uint64_t first = cells[0] - around[0]; first <= cells[0] + around[0]; first++)
        for (uint64_t second = cells[1] - around[1]; second <= cells[1] + around[1]; second++)
            consider(leaders, calls, call, *chain_of(leaders, call, first, second), &least,
                     &symbol);
    return symbol;
}

static void leaders_link(struct leaders *leaders, const struct rc_cluster_call *calls,
                         uint32_t leader)
{
    const struct rc_cluster_call *call = calls + leaders->calls[leader];
    uint32_t *chain =
        chain_of(leaders, call, cell_of(leaders, call->bytes[0]), cell_of(leaders, call->bytes[1]));

    leaders->next[leader] = *chain;
    *chain = leader;
}

static int leaders_grow(struct leaders *leaders, const struct rc_cluster_call *calls,
                        struct rc_error *error)
{
    size_t places = leaders->places ? 2 * leaders->places : 64;
    uint32_t **arrays[] = {&leaders->table, &leaders->calls, &leaders->next};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        uint32_t *larger = realloc(*arrays[i], places * sizeof *larger);

        if (!larger)
            return rc_error_no_memory(error);
        *arrays[i] = larger;
    }
    leaders->places = places;
    for (size_t i = 0; i < places; i++)
        leaders->table[i] = NONE;
    for (uint32_t leader = 0; leader < leaders->n; leader++)
        leaders_link(leaders, calls, leader);
    return 0;
}

static int leaders_add(struct leaders *leaders, const struct rc_cluster_call *calls, uint32_t call,
                       struct rc_error *error)
{
    if (leaders->n == leaders->places && leaders_grow(leaders, calls, error))
        return -1;
    leaders->calls[leaders->n] = call;
    leaders_link(leaders, calls, leaders->n++);
    return 0;
}

static void leaders_free(struct leaders *leaders)
{
    free(leaders->table);
    free(leaders->calls);
    free(leaders->next);
}

/* ---- all calls ---- */

struct search {
    const struct rc_cluster_call *calls;
    double threshold;
    struct rc_hash_map *seen; /* symbols of calls, by all that they are */
    struct leaders leaders;
    struct rc_clusters *clusters;
};

/* The symbol of a call that was not seen before. */
static int new_symbol(struct search *search, uint32_t call, uint32_t *symbol,
                      struct rc_error *error)
{
    *symbol = NONE;
    if (search->threshold > 0)
        *symbol =
            most_similar(&search->leaders, search->calls, search->calls + call, search->threshold);
    if (*symbol != NONE)
        return 0;
    *symbol = search->clusters->n_symbols++;
    return search->threshold > 0 ? leaders_add(&search->leaders, search->calls, call, error) : 0;
}

/* Two calls that differ share a key once in 2^64. */
static int give_symbols(struct search *search, size_t n, struct rc_error *error)
{
    uint32_t *symbols = search->clusters->symbols;

    search->seen = rc_skeleton_map_create(error);
    if (!search->seen)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct rc_cluster_call *call = search->calls + i;
        uint64_t key = hash_of(call, call->bytes[0], call->bytes[1]);

        if (!rc_skeleton_map_find(search->seen, key, symbols + i) &&
            (new_symbol(search, (uint32_t)i, symbols + i, error) ||
             rc_skeleton_map_add(search->seen, key, symbols[i], error)))
            return -1;
    }
    return 0;
}

static int find_means(const struct rc_cluster_call *calls, struct rc_clusters *clusters,
                      struct rc_error *error)
{
    size_t room = (size_t)clusters->n_symbols + 1;
    double(*sums)[3] = calloc(room, sizeof *sums); /* of both sizes, and how many calls */

    clusters->means = malloc(room * sizeof *clusters->means);
    if (!sums || !clusters->means) {
        free(sums);
        return rc_error_no_memory(error);
    }
    for (size_t i = 0; i < clusters->n; i++) {
        uint32_t symbol = clusters->symbols[i];

        if (sums[symbol][2] == 0)
            clusters->means[symbol] = calls[i];
        sums[symbol][0] += (double)calls[i].bytes[0];
        sums[symbol][1] += (double)calls[i].bytes[1];
        sums[symbol][2]++;
    }
    for (uint32_t symbol = 0; symbol < clusters->n_symbols; symbol++)
        for (int side = 0; side < 2; side++)
            clusters->means[symbol].bytes[side] =
                (uint64_t)(sums[symbol][side] / sums[symbol][2] + 0.5);
    free(sums);
    return 0;
}

int rc_skeleton_clusters_find(const struct rc_cluster_call *calls, size_t n, double threshold,
                              struct rc_clusters *clusters, struct rc_error *error)
{
    struct search search = {.calls = calls, .threshold = threshold, .clusters = clusters};
    int result;

    *clusters = (struct rc_clusters){.n = n};
    if (!(threshold >= 0 && threshold < 1))
        return rc_error_set(error, "a similarity threshold of %g is not in 0 to below 1",
                            threshold);
    if (n > RC_LOOPS_LONGEST)
        return rc_error_set(error, "%zu calls are too many to compare", n);
    clusters->symbols = malloc((n + 1) * sizeof *clusters->symbols);
    if (!clusters->symbols)
        return rc_error_no_memory(error);
    search.leaders.width = cell_width(threshold);
    result = give_symbols(&search, n, error) || find_means(calls, clusters, error) ? -1 : 0;
    rc_skeleton_map_destroy(search.seen);
    leaders_free(&search.leaders);
    if (result)
        rc_skeleton_clusters_free(clusters);
    return result;
}

void rc_skeleton_clusters_free(struct rc_clusters *clusters)
{
    free(clusters->symbols);
    free(clusters->means);
    *clusters = (struct rc_clusters){0};
}
