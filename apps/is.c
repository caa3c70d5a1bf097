// SPDX-License-Identifier: GPL-3.0-or-later
/* is.c - sorting of whole numbers, whose main communication is a large exchange of all with all.
 *
 * After the IS benchmark of the NAS Parallel Benchmarks, one of those that Sodhi, Subhlok and Xu
 * predict (section 5).  There are n keys, split over the ranks as evenly as can be or by --split;
 * each is the sum of four uniform random numbers, so that they are roughly normal, scaled to a
 * range of about n / 16.  Each iteration changes two keys and sorts all of them anew: the ranks
 * count their keys in 1024 buckets, add the counts up (all-reduce), give each rank a run of buckets
 * with about its share of the keys, tell each other how many come (all-to-all), send them
 * (all-to-all-v) and sort what they got by counting.
 *
 * The result is right if it is in order, within ranks and from rank to rank, and has the keys that
 * there were before: as many, in every iteration, and in the last one with the same sum and the
 * same exclusive-or of a hash of each, for which they are made again.
 *
 * Where it is only charged, there are no keys to count: the buckets' counts are the expected ones,
 * from the distribution that the keys have.  What ranks send each other then differs a little from
 * the real run, by about the square root of the number of keys in a message, and where counts are
 * close a bucket may go to the rank beside.  The operations of all ranks together are the same. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, BUCKET_BITS = 10, MOST_BITS = 27 };
enum { BUCKET_WORK = 2, PLACE_WORK = 3, COUNT_WORK = 2, WRITE_WORK = 1 }; /* for a key */
enum { RANGE_WORK = 2 };                                                  /* for a possible key */

struct sort {
    int bits;                    /* keys are less than 2^bits */
    long first, count, capacity; /* of the keys before sorting; how many there is room for after */
    int32_t *keys, *sorted;
    int *counts;             /* of each key */
    int32_t *send, *receive; /* keys */
    int64_t *buckets, *sums; /* counts of the keys in them: here, and of all ranks */
    int *tell, *told;        /* how many keys go to, and come from, each rank */
    int *send_count, *send_at, *receive_count, *receive_at;
    int *run; /* the first bucket of each rank, and one more */
    long received, received_ever, stray;
};

/* ---- keys and what is known of them ---- */

/* The key at a place of the unsorted ones, after some iterations: the k-th changes the k-th key
 * from the front and from the back. */
static int32_t key_at(const struct app *app, int bits, long place, long iterations)
{
    uint64_t a = app_random_bits(app, 2 * (uint64_t)place);
    uint64_t b = app_random_bits(app, 2 * (uint64_t)place + 1);
    long range = 1L << bits;

    if (place < iterations)
        return (int32_t)((place + 1) % range);
    if (place >= app->n - iterations)
        return (int32_t)(range - 1 - (app->n - place) % range);
    return (int32_t)(((a >> 32) + (a & UINT32_MAX) + (b >> 32) + (b & UINT32_MAX)) >> (34 - bits));
}

/* The part of the keys that is expected before a bucket: the distribution of the sum of four
 * uniform numbers (Irwin and Hall). */
static double expected_before(int bucket)
{
    static const double binomial[4] = {1, -4, 6, -4};
    double x = 4.0 * bucket / BUCKETS, sum = 0;

    for (int k = 0; k < 4 && k < x; k++)
        sum += binomial[k] * pow(x - k, 4);
    return sum / 24;
}

/* ---- one iteration ---- */

static void change_keys(const struct app *app, struct sort *sort, long iteration)
{
    long places[2] = {iteration - 1, app->n - iteration};

    for (int m = 0; m < 2; m++)
        if (places[m] >= sort->first && places[m] < sort->first + sort->count)
            sort->keys[places[m] - sort->first] = key_at(app, sort->bits, places[m], iteration);
}

static void count_buckets(struct sort *sort)
{
    memset(sort->buckets, 0, BUCKETS * sizeof *sort->buckets);
    for (long m = 0; m < sort->count; m++)
        sort->buckets[sort->keys[m] >> (sort->bits - BUCKET_BITS)]++;
}

/* A rank's run begins with the first bucket that has as many keys before it as the ranks before
 * should have: what it gets is at most one bucket more than its share. */
static void deal_out(const struct app *app, struct sort *sort)
{
    double before = 0;
    int bucket = 0;

    for (int rank = 0; rank < app->size; rank++) {
        long first, count;

        app_share(app, rank, app->n, &first, &count);
        while (bucket < BUCKETS && before < (double)first) {
            bucket++;
            before = app->charged ? expected_before(bucket) * (double)app->n
                                  : before + (double)sort->sums[bucket - 1];
        }
        sort->run[rank] = bucket;
    }
    sort->run[app->size] = BUCKETS;
}

/* Puts the keys in the order of their buckets. */
static void place_keys(struct sort *sort, int ranks)
{
    int64_t at[BUCKETS + 1] = {0};

    for (int b = 0; b < BUCKETS; b++)
        at[b + 1] = at[b] + sort->buckets[b];
    for (int r = 0; r < ranks; r++)
        sort->tell[r] = (int)(at[sort->run[r + 1]] - at[sort->run[r]]);
    for (long m = 0; m < sort->count; m++)
        sort->send[at[sort->keys[m] >> (sort->bits - BUCKET_BITS)]++] = sort->keys[m];
}

/* How many of `count` keys are expected to go to a rank; all ranks together get all. */
static int expected_for(const struct sort *sort, int rank, long count)
{
    return (int)(lround(expected_before(sort->run[rank + 1]) * (double)count) -
                 lround(expected_before(sort->run[rank]) * (double)count));
}

static void exchange_keys(const struct app *app, struct sort *sort)
{
    int sent = 0;

    MPI_Alltoall(sort->tell, 1, MPI_INT, sort->told, 1, MPI_INT, MPI_COMM_WORLD);
    sort->received = 0;
    for (int rank = 0; rank < app->size; rank++) {
        long first, count;

        app_share(app, rank, app->n, &first, &count);
        sort->send_count[rank] =
            app->charged ? expected_for(sort, rank, sort->count) : sort->tell[rank];
        sort->receive_count[rank] =
            app->charged ? expected_for(sort, app->rank, count) : sort->told[rank];
        sort->send_at[rank] = sent;
        sort->receive_at[rank] = (int)sort->received;
        sent += sort->send_count[rank];
        sort->received += sort->receive_count[rank];
        if (sort->received > sort->capacity)
            app_fail(app, "%ld keys or more came, but there is room for %ld", sort->received,
                     sort->capacity);
    }
    if (app->charged) /* what stays here takes no simulated time, and need not be copied */
        sort->send_count[app->rank] = sort->receive_count[app->rank] = 0;
    MPI_Alltoallv(sort->send, sort->send_count, sort->send_at, MPI_INT32_T, sort->receive,
                  sort->receive_count, sort->receive_at, MPI_INT32_T, MPI_COMM_WORLD);
    sort->received_ever += sort->received;
}

/* Sorts what came, all of it from `low` to before `high`, by counting. */
static void count_and_write(struct sort *sort, int32_t low, int32_t high)
{
    int32_t *to = sort->sorted;

    memset(sort->counts, 0, (size_t)(high - low) * sizeof *sort->counts);
    for (long m = 0; m < sort->received; m++) {
        int32_t key = sort->receive[m];

        if (key >= low && key < high)
            sort->counts[key - low]++;
        else
            sort->stray++;
    }
    for (int32_t key = low; key < high; key++)
        for (int left = sort->counts[key - low]; left > 0; left--)
            *to++ = key;
}

static void iterate(struct app *app, struct sort *sort, long iteration)
{
    int shift = sort->bits - BUCKET_BITS;
    int32_t low, high;

    if (!app->charged) {
        change_keys(app, sort, iteration);
        count_buckets(sort);
    }
    app_work(app, BUCKET_WORK * (double)sort->count);
    MPI_Allreduce(sort->buckets, sort->sums, BUCKETS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    deal_out(app, sort);
    if (!app->charged)
        place_keys(sort, app->size);
    app_work(app, BUCKETS + PLACE_WORK * (double)sort->count);
    exchange_keys(app, sort);
    low = (int32_t)(sort->run[app->rank] << shift);
    high = (int32_t)(sort->run[app->rank + 1] << shift);
    if (!app->charged)
        count_and_write(sort, low, high);
    app_work(app, (COUNT_WORK + WRITE_WORK) * (double)sort->received +
                      RANGE_WORK * (double)(high - low));
}

/* ---- set-up and check ---- */

static void set_up(struct app *app, struct sort *sort)
{
    double bucket =
        (expected_before(BUCKETS / 2) - expected_before(BUCKETS / 2 - 1)) * (double)app->n;
    long changed; /* keys in a bucket at most, after as many iterations as there may be */
    int **numbers[] = {&sort->send_count, &sort->send_at, &sort->receive_count, &sort->receive_at,
                       &sort->run};

    if (app->size > BUCKETS)
        app_fail(app, "%d ranks are more than %d buckets can be dealt out to", app->size, BUCKETS);
    if (app->iterations > app->n / 2)
        app_fail(app, "%ld keys are too few for two to change in each of %ld iterations", app->n,
                 app->iterations);
    *sort = (struct sort){.bits = BUCKET_BITS};
    while (sort->bits < MOST_BITS && app->n >> (sort->bits + 5) > 0)
        sort->bits++;
    app_share(app, app->rank, app->n, &sort->first, &sort->count);
    changed = ((app->n >> sort->bits) + 2) << (sort->bits - BUCKET_BITS);
    sort->capacity = sort->count + lround(bucket + 10 * sqrt(bucket) + 10) + changed;
    if (app_max((double)sort->capacity) > INT_MAX)
        app_fail(app, "%ld keys are too many for %d ranks", app->n, app->size);
    for (size_t m = 0; m < sizeof numbers / sizeof *numbers; m++) {
        *numbers[m] = calloc((size_t)app->size + 1, sizeof **numbers[m]);
        if (!*numbers[m])
            app_fail(app, "out of memory");
    }
}

static void allocate(struct app *app, struct sort *sort)
{
    sort->keys = app_data(app, (size_t)sort->count, sizeof *sort->keys);
    sort->sorted = app_data(app, (size_t)sort->capacity, sizeof *sort->sorted);
    sort->counts = app_data(app, (size_t)1 << sort->bits, sizeof *sort->counts);
    sort->send = app_buffer(app, (size_t)sort->count, sizeof *sort->send);
    sort->receive = app_buffer(app, (size_t)sort->capacity, sizeof *sort->receive);
    sort->buckets = app_buffer(app, BUCKETS, sizeof *sort->buckets);
    sort->sums = app_buffer(app, BUCKETS, sizeof *sort->sums);
    sort->tell = app_buffer(app, (size_t)app->size, sizeof *sort->tell);
    sort->told = app_buffer(app, (size_t)app->size, sizeof *sort->told);
    for (long m = 0; !app->charged && m < sort->count; m++)
        sort->keys[m] = key_at(app, sort->bits, sort->first + m, 0);
}

static void release(const struct app *app, struct sort *sort)
{
    void *data[] = {sort->keys,    sort->sorted, sort->counts, sort->send, sort->receive,
                    sort->buckets, sort->sums,   sort->tell,   sort->told};
    int *numbers[] = {sort->send_count, sort->send_at, sort->receive_count, sort->receive_at,
                      sort->run};

    for (size_t m = 0; m < sizeof data / sizeof *data; m++)
        app_free(app, data[m]);
    for (size_t m = 0; m < sizeof numbers / sizeof *numbers; m++)
        free(numbers[m]);
}

/* How many keys are out of order, from rank to rank too. */
static double disorder(const struct sort *sort, int rank)
{
    int32_t last = sort->received > 0 ? sort->sorted[sort->received - 1] : -1, before;
    long wrong = 0;

    MPI_Exscan(&last, &before, 1, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD);
    if (rank > 0 && sort->received > 0)
        wrong += before > sort->sorted[0];
    for (long m = 1; m < sort->received; m++)
        wrong += sort->sorted[m - 1] > sort->sorted[m];
    return app_sum((double)wrong);
}

/* Whether keys were lost, or are not the ones that there were at the start; 0 if all is well. */
static double difference(const struct app *app, const struct sort *sort)
{
    uint64_t sums[2] = {0}, mixed = 0, all_sums[2], all_mixed;

    for (long m = 0; m < sort->count; m++) {
        int32_t key = key_at(app, sort->bits, sort->first + m, app->iterations);

        sums[0] += app_random_bits(app, (uint64_t)key);
        mixed ^= app_random_bits(app, (uint64_t)key);
    }
    for (long m = 0; m < sort->received; m++) {
        sums[0] -= app_random_bits(app, (uint64_t)sort->sorted[m]);
        mixed ^= app_random_bits(app, (uint64_t)sort->sorted[m]);
    }
    sums[1] = (uint64_t)sort->count * (uint64_t)app->iterations - (uint64_t)sort->received_ever;
    MPI_Allreduce(sums, all_sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mixed, &all_mixed, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
    return (all_sums[0] != 0) + (all_sums[1] != 0) + (all_mixed != 0);
}

static struct app_state state(struct sort *sort)
{
    return (struct app_state){{{sort->keys, (size_t)sort->count * sizeof *sort->keys},
                               {sort->sorted, (size_t)sort->capacity * sizeof *sort->sorted},
                               {&sort->received, sizeof sort->received},
                               {&sort->received_ever, sizeof sort->received_ever},
                               {&sort->stray, sizeof sort->stray}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct sort sort;
    double error = 0;

    app_begin(&app, &argc, &argv, "is", 1L << 22, 10);
    set_up(&app, &sort);
    allocate(&app, &sort);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&sort)); k <= app.iterations; k++) {
        iterate(&app, &sort, k);
        app_checkpoint(&app, k, state(&sort));
    }
    app_stop(&app);
    if (!app.charged)
        error = disorder(&sort, app.rank) + difference(&app, &sort) + app_sum((double)sort.stray);
    release(&app, &sort);
    return app_end(&app, error, 0);
}
