// SPDX-License-Identifier: GPL-3.0-or-later
/* cluster.c - calls as symbols.
 *
 * After Sodhi, Subhlok and Xu, "Performance Prediction with Skeletons", section 4.2 and Table 2:
 * each call in turn takes the symbol of the most similar call that has one, if that is similar
 * enough, else a new one.  Table 2 asks for "less than the threshold", which would merge nothing at
 * 0; the text says that 0 merges identical events, so here it is "at most".
 *
 * Equal calls are found by a table first, so that only calls that differ are compared.  Those that
 * have a symbol of their own, the leaders, are kept sorted by what they are and by their first
 * size; the leaders within reach of a call are neighbours there.  They are few, since leaders
 * differ from one another by more than the threshold; at threshold 0 none are compared at all. */
#include "skeleton/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NONE UINT32_MAX

/* What was seen: an open table of calls that differ, of twice as many places as are used. */
struct seen {
    uint32_t *table; /* indexes of `first`, or NONE */
    size_t places;   /* a power of two */
    uint32_t *first; /* of each distinct call, where it came first */
    uint32_t *symbols;
    uint32_t n;
};

struct leaders {
    uint32_t *calls; /* where they came first, sorted */
    uint32_t *symbols;
    size_t n, capacity;
};

static int compare(const struct rc_cluster_call *a, const struct rc_cluster_call *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a->peers[i] != b->peers[i])
            return a->peers[i] < b->peers[i] ? -1 : 1;
    return 0;
}

static double difference(uint64_t a, uint64_t b)
{
    uint64_t larger = a > b ? a : b, smaller = a > b ? b : a;

    return larger ? (double)(larger - smaller) / (double)larger : 0;
}

double rc_cluster_dissimilarity(const struct rc_cluster_call *a, const struct rc_cluster_call *b)
{
    if (compare(a, b))
        return INFINITY;
    return fmax(difference(a->bytes[0], b->bytes[0]), difference(a->bytes[1], b->bytes[1]));
}

static int is_same(const struct rc_cluster_call *a, const struct rc_cluster_call *b)
{
    return !compare(a, b) && a->bytes[0] == b->bytes[0] && a->bytes[1] == b->bytes[1];
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct rc_cluster_call *call)
{
    uint64_t hash = mixed(1, (uint64_t)call->kind << 32 | call->group);

    hash = mixed(hash, (uint64_t)(uint32_t)call->peers[0] << 32 | (uint32_t)call->peers[1]);
    return mixed(mixed(hash, call->bytes[0]), call->bytes[1]);
}

/* ---- equal calls ---- */

static size_t place_of(const struct seen *seen, const struct rc_cluster_call *calls,
                       const struct rc_cluster_call *call)
{
    size_t place = hash_of(call) & (seen->places - 1);

    while (seen->table[place] != NONE && !is_same(calls + seen->first[seen->table[place]], call))
        place = (place + 1) & (seen->places - 1);
    return place;
}

static void seen_free(struct seen *seen)
{
    free(seen->table);
    free(seen->first);
    free(seen->symbols);
}

static int seen_grow(struct seen *seen, const struct rc_cluster_call *calls, struct rc_error *error)
{
    size_t places = seen->places ? 2 * seen->places : 64;
    uint32_t *table = malloc(places * sizeof *table);
    uint32_t *first = realloc(seen->first, places / 2 * sizeof *first), *symbols;

    if (first)
        seen->first = first;
    symbols = realloc(seen->symbols, places / 2 * sizeof *symbols);
    if (symbols)
        seen->symbols = symbols;
    if (!table || !first || !symbols) {
        free(table);
        return rc_error_no_memory(error);
    }
    free(seen->table);
    seen->table = table;
    seen->places = places;
    for (size_t i = 0; i < places; i++)
        table[i] = NONE;
    for (uint32_t i = 0; i < seen->n; i++)
        table[place_of(seen, calls, calls + first[i])] = i;
    return 0;
}

/* ---- similar calls ---- */

/* By what they are, then by the first size, then by the second. */
static int order(const struct rc_cluster_call *a, const struct rc_cluster_call *b)
{
    int result = compare(a, b);

    for (int i = 0; i < 2 && !result; i++)
        if (a->bytes[i] != b->bytes[i])
            result = a->bytes[i] < b->bytes[i] ? -1 : 1;
    return result;
}

static size_t leader_place(const struct leaders *leaders, const struct rc_cluster_call *calls,
                           const struct rc_cluster_call *call)
{
    size_t low = 0, high = leaders->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (order(calls + leaders->calls[middle], call) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks at one leader; tells whether those beyond it may be within reach too. */
static int consider(const struct leaders *leaders, const struct rc_cluster_call *calls,
                    const struct rc_cluster_call *call, size_t at, double *least, uint32_t *symbol)
{
    const struct rc_cluster_call *leader = calls + leaders->calls[at];
    double dissimilarity = rc_cluster_dissimilarity(leader, call);

    if (dissimilarity < *least || (dissimilarity == *least && leaders->symbols[at] < *symbol)) {
        *least = dissimilarity;
        *symbol = leaders->symbols[at];
    }
    return !compare(leader, call) && difference(leader->bytes[0], call->bytes[0]) <= *least;
}

static uint32_t most_similar(const struct leaders *leaders, const struct rc_cluster_call *calls,
                             const struct rc_cluster_call *call, double threshold)
{
    size_t place = leader_place(leaders, calls, call);
    double least = threshold;
    uint32_t symbol = NONE;

    for (size_t at = place; at < leaders->n; at++)
        if (!consider(leaders, calls, call, at, &least, &symbol))
            break;
    for (size_t at = place; at-- > 0;)
        if (!consider(leaders, calls, call, at, &least, &symbol))
            break;
    return symbol;
}

static int leaders_add(struct leaders *leaders, const struct rc_cluster_call *calls, uint32_t call,
                       uint32_t symbol, struct rc_error *error)
{
    size_t place = leader_place(leaders, calls, calls + call), behind = leaders->n - place;

    if (leaders->n == leaders->capacity) {
        size_t capacity = leaders->capacity ? 2 * leaders->capacity : 64;
        uint32_t *larger = realloc(leaders->calls, capacity * sizeof *larger);

        if (!larger)
            return rc_error_no_memory(error);
        leaders->calls = larger;
        larger = realloc(leaders->symbols, capacity * sizeof *larger);
        if (!larger)
            return rc_error_no_memory(error);
        leaders->symbols = larger;
        leaders->capacity = capacity;
    }
    memmove(leaders->calls + place + 1, leaders->calls + place, behind * sizeof *leaders->calls);
    memmove(leaders->symbols + place + 1, leaders->symbols + place,
            behind * sizeof *leaders->symbols);
    leaders->calls[place] = call;
    leaders->symbols[place] = symbol;
    leaders->n++;
    return 0;
}

/* ---- all calls ---- */

struct search {
    const struct rc_cluster_call *calls;
    double threshold;
    struct seen seen;
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
    return search->threshold > 0
               ? leaders_add(&search->leaders, search->calls, call, *symbol, error)
               : 0;
}

static int give_symbols(struct search *search, size_t n, struct rc_error *error)
{
    struct seen *seen = &search->seen;

    for (size_t i = 0; i < n; i++) {
        size_t place;

        if (2 * (size_t)seen->n >= seen->places && seen_grow(seen, search->calls, error))
            return -1;
        place = place_of(seen, search->calls, search->calls + i);
        if (seen->table[place] == NONE) {
            if (new_symbol(search, (uint32_t)i, seen->symbols + seen->n, error))
                return -1;
            seen->first[seen->n] = (uint32_t)i;
            seen->table[place] = seen->n++;
        }
        search->clusters->symbols[i] = seen->symbols[seen->table[place]];
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

int rc_clusters_find(const struct rc_cluster_call *calls, size_t n, double threshold,
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
    result = give_symbols(&search, n, error) || find_means(calls, clusters, error) ? -1 : 0;
    seen_free(&search.seen);
    free(search.leaders.calls);
    free(search.leaders.symbols);
    if (result)
        rc_clusters_free(clusters);
    return result;
}

void rc_clusters_free(struct rc_clusters *clusters)
{
    free(clusters->symbols);
    free(clusters->means);
    *clusters = (struct rc_clusters){0};
}
