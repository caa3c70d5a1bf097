// SPDX-License-Identifier: GPL-3.0-or-later
/* job_farm.c - a job farm: jobs handed out one at a time to whichever host asks for the next one.
 *
 * With fixed times the host that is free first gets the next job; a heap tells which that is.  For
 * thousands of jobs per host most of that is idle work: until time t host i has started about
 * t / time_i jobs, whatever the order.  So the farm is put forward to shortly before its end at
 * once, and only the rest is played through.
 *
 * Bounds for times that vary between l_i and h_i:
 *   by time t at most sum of floor(t / l_i) jobs are done, so the end is no sooner than the least t
 *   for which that reaches `jobs`;
 *   all hosts are busy until the last job starts, and by time t at least sum of floor(t / h_i) + 1
 *   have started, so the last one starts no later than the least t for which that reaches `jobs`,
 *   and ends no later than the longest job after that. */
#include "stats/value/job_farm.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/value/internal.h"

struct worker {
    double free;   /* when it asks for its next job */
    double time;   /* of one job */
    uint64_t done; /* jobs fetched so far */
    size_t host;
};

/* Who is free first; of two at once, the one that was named first. */
static bool sooner(const struct worker *a, const struct worker *b)
{
    return a->free < b->free || (a->free == b->free && a->host < b->host);
}

static void sift_down(struct worker *heap, size_t n, size_t at)
{
    struct worker moving = heap[at];

    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && sooner(&heap[child + 1], &heap[child]))
            child++;
        if (!sooner(&heap[child], &moving))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

/* Jobs started up to, but not at, time t. */
static double started_before(const struct worker *workers, size_t n, double t)
{
    double count = 0;

    for (size_t i = 0; i < n; i++)
        count += t > 0 ? ceil(t / workers[i].time) : 0;
    return count;
}

/* Puts the farm forward to a time at which a few jobs per host are still to be fetched. */
static uint64_t put_forward(struct worker *workers, size_t n, uint64_t jobs)
{
    double rate = 0, t;
    uint64_t fetched = 0;

    for (size_t i = 0; i < n; i++)
        rate += 1 / workers[i].time;
    t = ((double)jobs - 3 * (double)n) / rate;
    if (!(t > 0) || started_before(workers, n, t) > (double)jobs)
        return 0;
    for (size_t i = 0; i < n; i++) {
        /* Each time the sum that adding up job by job would give, within rounding. */
        workers[i].done = (uint64_t)ceil(t / workers[i].time);
        workers[i].free = (double)workers[i].done * workers[i].time;
        fetched += workers[i].done;
    }
    return fetched;
}

/* When all is done, for the times that are in `workers`. */
static double play(struct worker *workers, size_t n, uint64_t jobs, double *finish)
{
    double end = 0;
    uint64_t fetched = put_forward(workers, n, jobs);

    for (size_t i = n / 2; i-- > 0;)
        sift_down(workers, n, i);
    for (; fetched < jobs; fetched++) {
        workers[0].done++;
        workers[0].free = (double)workers[0].done * workers[0].time;
        sift_down(workers, n, 0);
    }
    for (size_t i = 0; i < n; i++) {
        if (finish)
            finish[workers[i].host] = workers[i].free;
        if (workers[i].free > end)
            end = workers[i].free;
    }
    return end;
}

static void set_worker(struct worker *worker, size_t host, double time)
{
    *worker = (struct worker){.time = time, .host = host};
}

/* The least t for which the sum over the hosts of floor(t / time) + plus reaches `jobs`. */
static double reach(const struct rc_value *const *times, size_t n, uint64_t jobs, bool upper,
                    double plus)
{
    double low = 0, high = 0, middle, count;

    for (size_t i = 0; i < n; i++)
        high = fmax(high, upper ? times[i]->high : times[i]->low);
    high *= (double)jobs;
    if ((double)n * plus >= (double)jobs)
        return 0;
    for (int step = 0; step < 200 && nextafter(low, high) < high; step++) {
        middle = low + (high - low) / 2;
        count = 0;
        for (size_t i = 0; i < n; i++)
            count += floor(middle / (upper ? times[i]->high : times[i]->low)) + plus;
        if (count >= (double)jobs)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static struct rc_value *interval_farm(const struct rc_value *const *times, size_t n, uint64_t jobs,
                                      struct rc_error *error)
{
    double longest = 0;

    if (jobs == 0)
        return rc_value_interval(0, 0, error);
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, times[i]->high);
    return rc_value_interval(reach(times, n, jobs, false, 0),
                             reach(times, n, jobs, true, 1) + longest, error);
}

static struct rc_value *sample_farm(const struct rc_value *const *times, size_t n, uint64_t jobs,
                                    struct worker *workers, struct rc_error *error)
{
    size_t n_draws = times[0]->n_draws;
    double *ends = malloc(n_draws * sizeof *ends);
    struct rc_value *result;

    if (!ends)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t k = 0; k < n_draws; k++) {
        for (size_t i = 0; i < n; i++)
            set_worker(&workers[i], i, times[i]->draws[k]);
        ends[k] = play(workers, n, jobs, NULL);
    }
    result = rc_value_sample(ends, n_draws, error);
    free(ends);
    return result;
}

/* ---- any kind ---- */

static int check(const struct rc_value *const *times, size_t n_hosts, uint64_t jobs,
                 struct rc_error *error)
{
    if (n_hosts == 0)
        return rc_error_set(error, "a farm needs at least one host");
    if (jobs > RC_FARM_JOBS_MAX)
        return rc_error_set(error, "more than %d jobs in a farm", RC_FARM_JOBS_MAX);
    for (size_t i = 0; i < n_hosts; i++)
        if (!(times[i]->mean > 0) ||
            (times[i]->kind != RC_NORMAL && times[i]->kind != RC_MODAL && !(times[i]->low > 0)))
            return rc_error_set(error, "the time of a job on host %zu is not always positive",
                                i + 1);
    return 0;
}

/* The kind in which it is calculated, and the times in that kind; NULL on failure. */
static const struct rc_value **bring_all(const struct rc_value *const *times, size_t n,
                                         enum rc_value_kind kind,
                                         const struct rc_value_rules *rules, struct rc_error *error)
{
    const struct rc_value **brought = calloc(n, sizeof *brought);
    struct rc_value_rules same = *rules;
    bool failed = !brought;

    for (size_t i = 0; i < n; i++)
        if (times[i]->kind == RC_SAMPLE)
            same.draws = times[i]->n_draws;
    if (!brought)
        rc_error_no_memory(error);
    for (size_t i = 0; i < n && !failed; i++) {
        brought[i] = rc_value_convert(times[i], kind, &same, error);
        failed = !brought[i];
        if (!failed && !(brought[i]->low > 0)) {
            rc_error_set(error, "a sample of the time of a job on host %zu is not positive", i + 1);
            failed = true;
        }
        if (!failed && kind == RC_SAMPLE && brought[i]->n_draws != same.draws) {
            rc_error_set(error, "the times of jobs have different numbers of samples");
            failed = true;
        }
    }
    if (!failed)
        return brought;
    for (size_t i = 0; brought && i < n; i++)
        rc_value_drop(brought[i]);
    free(brought);
    return NULL;
}

static struct rc_value *farm_of_kind(const struct rc_value *const *times, size_t n, uint64_t jobs,
                                     struct worker *workers, struct rc_error *error)
{
    if (times[0]->kind == RC_INTERVAL)
        return interval_farm(times, n, jobs, error);
    if (times[0]->kind == RC_SAMPLE)
        return sample_farm(times, n, jobs, workers, error);
    for (size_t i = 0; i < n; i++)
        set_worker(&workers[i], i, times[i]->mean);
    return rc_value_point(play(workers, n, jobs, NULL), error);
}

struct rc_value *rc_value_farm(const struct rc_value *const *times, size_t n_hosts, uint64_t jobs,
                               const struct rc_value_rules *rules, double *finish,
                               struct rc_error *error)
{
    enum rc_value_kind meet = RC_POINT, kind;
    const struct rc_value **brought;
    struct worker *workers;
    struct rc_value *result = NULL, *whole = NULL;

    if (check(times, n_hosts, jobs, error))
        return NULL;
    for (size_t i = 0; i < n_hosts; i++)
        meet = rc_value_meet(meet, times[i]->kind);
    kind = meet == RC_NORMAL || meet == RC_MODAL || meet == RC_HISTOGRAM ? RC_SAMPLE : meet;
    workers = malloc(n_hosts * sizeof *workers);
    brought = workers ? bring_all(times, n_hosts, kind, rules, error) : NULL;
    if (!workers)
        rc_error_no_memory(error);
    if (brought)
        result = farm_of_kind(brought, n_hosts, jobs, workers, error);
    if (result)
        whole = rc_value_convert(result, meet, rules, error);
    for (size_t i = 0; whole && finish && i < n_hosts; i++)
        set_worker(&workers[i], i, times[i]->mean);
    if (whole && finish)
        play(workers, n_hosts, jobs, finish);
    for (size_t i = 0; brought && i < n_hosts; i++)
        rc_value_drop(brought[i]);
    free(brought);
    free(workers);
    rc_value_drop(result);
    return whole;
}
