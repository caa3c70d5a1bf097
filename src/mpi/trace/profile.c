// SPDX-License-Identifier: BSD-2-Clause
/* profile.c - where a recorded program spent its time, and which ranks communicated. */
#include "mpi/trace/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "mpi/trace/rank_outline.h"
#include "mpi/trace/traffic_internal.h"

#define NS 1e-9
/* Beginnings further apart than this, in seconds, are clocks that differ. */
#define BEGINNINGS_APART 600.0

/* ---- one file ---- */

struct walk {
    struct rc_profile_rank *rank;
    struct rc_traffic *traffic;
    struct rc_outline *outline; /* NULL for all threads but the first */
    uint64_t threshold;         /* of the file: shorter computing had no CPU time measured */
    bool gap;
};

static unsigned kind_place(unsigned kind)
{
    return kind < RC_TRACE_KIND_COUNT ? kind : RC_TRACE_KIND_COUNT;
}

/* The wall-clock time of the computing whose CPU time was measured, ns.  Within loops of many
 * rounds it is not known which rounds that were, but only long computing is measured: they are
 * taken to be as long as all that is long. */
static double measured_time(const struct rc_trace_position *position, uint64_t threshold)
{
    const struct rc_trace_times *times = position->times;
    double sum = 0, above;

    if (times->cpu.n == position->n)
        return (double)times->before.sum;
    if (position->samples) {
        for (uint64_t i = 0; i < position->n; i++)
            sum += position->samples[i].cpu >= 0 ? (double)position->samples[i].before : 0;
        return sum;
    }
    above = rc_trace_statistic_above(&times->before, threshold, &sum);
    sum *= above > (double)times->cpu.n ? (double)times->cpu.n / above : 1;
    return fmin(fmax(sum, (double)times->cpu.sum), (double)times->before.sum);
}

static void add_times(struct rc_profile_rank *rank, const struct rc_trace_position *position,
                      uint64_t threshold)
{
    const struct rc_trace_times *times = position->times;
    double inside = (double)times->inside.sum * NS;

    rank->computing += (double)times->before.sum * NS;
    if (rc_trace_kind_info(position->call->kind)->class == RC_TRACE_FILES)
        rank->files += inside;
    else if (rc_trace_doing_of(position->call->kind) == RC_DOING_OTHER)
        rank->other += inside;
    else
        rank->communicating += inside;
    if (times->cpu.n > 0) {
        rank->cpu += (double)times->cpu.sum * NS;
        rank->measured += measured_time(position, threshold) * NS;
    }
}

static int take_call(void *data, const struct rc_trace_position *position)
{
    struct walk *walk = data;
    struct rc_profile_rank *rank = walk->rank;
    struct rc_profile_kind *kind = &rank->kinds[kind_place(position->call->kind)];

    kind->calls = rc_trace_traffic_sum(kind->calls, position->n);
    kind->seconds += (double)position->times->inside.sum * NS;
    kind->bytes += rc_trace_traffic_call(walk->traffic, position->call, position->n);
    rank->calls = rc_trace_traffic_sum(rank->calls, position->n);
    if (walk->outline) {
        add_times(rank, position, walk->threshold);
        rc_trace_outline_call(walk->outline, position,
                              rc_trace_traffic_waits(walk->traffic, position->call));
    }
    return 0;
}

static int take_loop(void *data, uint64_t count, uint32_t length)
{
    struct walk *walk = data;

    (void)length;
    if (walk->outline)
        rc_trace_outline_loop_begin(walk->outline, count);
    return 0;
}

static int take_loop_end(void *data)
{
    struct walk *walk = data;

    if (walk->outline)
        rc_trace_outline_loop_end(walk->outline);
    return 0;
}

static int take_gap(void *data, uint64_t calls)
{
    struct walk *walk = data;

    (void)calls;
    walk->gap = true;
    return 0;
}

static void walk_file(struct rc_profile_file *found, struct walk *walk)
{
    struct rc_trace_visitor visitor = {take_call, take_loop, take_loop_end, take_gap, walk};
    struct rc_error error = {0};
    struct rc_trace *trace = rc_trace_open(found->file->path, &error);

    walk->threshold = found->file->has_header ? found->file->header.cpu_threshold : 0;
    if (!trace || rc_trace_walk(trace, &visitor, &error) != 0) {
        found->problem = strdup(error.text);
        walk->gap = true;
    }
    if (trace)
        found->summary = *rc_trace_summary(trace);
    rc_trace_close(trace);
}

/* ---- one rank ---- */

/* What the outline knows, in bins of the rank's own: those of all ranks are made later. */
static int close_rank(struct rc_profile_rank *rank, const struct rc_outline *outline,
                      const struct rc_profile_file *first)
{
    struct rc_closing closing = rc_trace_outline_closing(outline);
    double known = rank->computing + rank->communicating + rank->files + rank->other;

    rank->there = rank->calls > 0 || first->summary.ended;
    rank->length = fmax((double)first->summary.end * NS, outline->end * NS);
    rank->other += fmax(rank->length - known, 0);
    rank->closing = closing.start * NS;
    rank->waited = closing.length * NS;
    rank->closing_call =
        closing.kind < RC_TRACE_KIND_COUNT ? rc_trace_profile_kind_name(closing.kind) : NULL;
    return outline->failed ? -1 : 0;
}

/* All files of one rank, of which `first` is one; how many there are. */
static size_t take_rank(struct rc_profile *profile, size_t first, struct rc_timeline *timeline,
                        struct rc_error *error)
{
    const struct rc_trace_set *set = profile->set;
    uint32_t number = set->files[first].rank;
    struct rc_outline *outline = malloc(sizeof *outline);
    struct walk walk = {.traffic = profile->traffic};
    size_t i = first, n = 0;

    if (!outline) {
        rc_error_no_memory(error);
        return 0;
    }
    rc_trace_outline_init(outline);
    walk.rank = &profile->ranks[number];
    if (rc_trace_traffic_begin(profile->traffic, number, walk.rank->sent, walk.rank->given) == 0)
        for (; i < set->n_files && set->files[i].rank == number; i++) {
            walk.outline = set->files[i].thread == 0 ? outline : NULL;
            walk_file(&profile->files[i], &walk);
        }
    if (walk.gap)
        rc_trace_traffic_lost(profile->traffic);
    rc_trace_traffic_end(profile->traffic);
    if (i > first && close_rank(walk.rank, outline, &profile->files[first]) == 0)
        n = i - first;
    if (n == 0)
        rc_error_no_memory(error);
    *timeline = outline->timeline;
    rc_trace_outline_free(outline);
    free(outline);
    return n;
}

/* ---- all ranks together ---- */

static void place_ranks(struct rc_profile *profile)
{
    for (uint32_t i = 0; i < profile->n_ranks; i++) {
        struct rc_profile_rank *rank = &profile->ranks[i];
        const struct rc_trace_set_file *file = rc_trace_set_rank(profile->set, i);

        if (!file)
            continue; /* memory that nothing is in stays untouched */
        rank->number = i;
        rank->host = file->has_header ? file->header.host : NULL;
        rank->begins = rc_trace_set_offset(profile->set, file);
        if (rank->begins > BEGINNINGS_APART)
            rank->begins = 0;
        if (rank->there)
            profile->length = fmax(profile->length, rank->begins + rank->length);
    }
}

static void fill_line(struct rc_profile *profile, struct rc_profile_rank *rank,
                      const struct rc_timeline *timeline)
{
    double width = profile->length / RC_PROFILE_BINS;

    for (int i = 0; rank->there && width > 0 && i < RC_PROFILE_BINS; i++) {
        double times[RC_DOINGS], from = (i * width - rank->begins) / NS;

        rc_trace_timeline_between(timeline, from, from + width / NS, times);
        for (int j = 0; j < RC_DOINGS; j++)
            rank->line[i][j] = (float)fmin(times[j] * NS / width, 1);
    }
}

static void add_sizes(struct rc_traffic_size *total, const struct rc_traffic_size *sizes)
{
    for (int i = 0; i < RC_TRAFFIC_SIZES; i++) {
        total[i].messages = rc_trace_traffic_sum(total[i].messages, sizes[i].messages);
        total[i].bytes += sizes[i].bytes;
    }
}

static void add_to_total(struct rc_profile_rank *total, const struct rc_profile_rank *rank)
{
    total->there |= rank->there;
    total->computing += rank->computing;
    total->communicating += rank->communicating;
    total->files += rank->files;
    total->other += rank->other;
    total->cpu += rank->cpu;
    total->measured += rank->measured;
    total->waited += rank->waited;
    total->length = fmax(total->length, rank->length);
    total->closing = fmax(total->closing, rank->closing);
    total->calls = rc_trace_traffic_sum(total->calls, rank->calls);
    for (int i = 0; i < RC_PROFILE_KINDS; i++) {
        total->kinds[i].calls = rc_trace_traffic_sum(total->kinds[i].calls, rank->kinds[i].calls);
        total->kinds[i].bytes += rank->kinds[i].bytes;
        total->kinds[i].seconds += rank->kinds[i].seconds;
    }
    add_sizes(total->sent, rank->sent);
    add_sizes(total->given, rank->given);
}

static void sum_up(struct rc_profile *profile)
{
    struct rc_profile_rank *total = &profile->total;
    double most = 0;
    uint32_t there = 0;

    for (uint32_t i = 0; i < profile->n_ranks; i++) {
        if (!profile->ranks[i].there)
            continue;
        add_to_total(total, &profile->ranks[i]);
        there += profile->ranks[i].there;
        most = fmax(most, profile->ranks[i].computing);
    }
    profile->imbalance = total->computing > 0 ? most * there / total->computing - 1 : 0;
}

/* Ranks of one program run at the same time; on one host, by the same clock. */
static void check_times(struct rc_profile *profile)
{
    const struct rc_trace_set *set = profile->set;
    const struct rc_trace_set_file *last = NULL, *first = NULL;
    double latest = -INFINITY, earliest = INFINITY;

    for (size_t i = 0; i < set->n_files; i++) {
        const struct rc_trace_set_file *file = &set->files[i];
        double begins = (double)file->header.began_wall * NS;
        double ends = begins + (double)profile->files[i].summary.end * NS;

        if (!file->has_header || file->thread != 0 || !profile->files[i].summary.ended)
            continue;
        if (begins > latest) {
            latest = begins;
            last = file;
        }
        if (ends < earliest) {
            earliest = ends;
            first = file;
        }
    }
    if (last && first &&
        earliest < latest - (strcmp(last->header.host, first->header.host) == 0 ? 1e-3 : 60))
        rc_trace_faults_add(&profile->faults,
                            "rank %" PRIu32 " had ended before rank %" PRIu32
                            " began: they are from different runs",
                            first->rank, last->rank);
}

/* Whether all of it is there, from one run, and fits together. */
static void check(struct rc_profile *profile)
{
    const struct rc_trace_set *set = profile->set;
    bool files_whole = true;

    for (size_t i = 0; i < set->faults.kept; i++)
        rc_trace_faults_add(&profile->faults, "%s", set->faults.texts[i]);
    profile->faults.n += set->faults.n - set->faults.kept;
    for (size_t i = 0; i < set->n_files; i++)
        files_whole &= profile->files[i].problem == NULL;
    check_times(profile);
    if (profile->faults.n == 0)
        rc_trace_traffic_compare(profile->traffic, &profile->faults, &profile->notes);
    else
        rc_trace_faults_add(
            &profile->notes,
            "the calls of the ranks were not compared: not all ranks of one run are "
            "present");
    profile->whole = files_whole && profile->faults.n == 0;
}

/* ---- the whole ---- */

static int read_files(struct rc_profile *profile, struct rc_timeline *timelines,
                      const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_trace_set *set = profile->set;
    size_t n;

    for (size_t i = 0; i < set->n_files; i++)
        profile->files[i].file = &set->files[i];
    for (size_t i = 0; i < set->n_files; i += n) {
        uint32_t rank = set->files[i].rank;

        rc_progress_monitor_advance(monitor, i, set->n_files);
        if (rc_progress_monitor_check(monitor, error) != 0)
            return -1;
        n = take_rank(profile, i, &timelines[rank], error);
        if (n == 0)
            return -1;
    }
    return 0;
}

/* Files may be of more ranks than the program had. */
static uint32_t count_ranks(const struct rc_trace_set *set)
{
    uint32_t highest = set->files[set->n_files - 1].rank + 1;

    return highest > set->ranks ? highest : set->ranks;
}

struct rc_profile *rc_trace_profile_create(const struct rc_trace_set *set,
                                           const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_profile *profile = calloc(1, sizeof *profile);
    struct rc_timeline *timelines = NULL;
    int status = -1;

    if (profile) {
        profile->set = set;
        profile->n_ranks = count_ranks(set);
        profile->ranks = calloc(profile->n_ranks, sizeof *profile->ranks);
        profile->files = calloc(set->n_files, sizeof *profile->files);
        profile->traffic = rc_trace_traffic_create(profile->n_ranks);
        timelines = calloc(profile->n_ranks, sizeof *timelines);
    }
    if (!profile || !profile->ranks || !profile->files || !profile->traffic || !timelines)
        rc_error_no_memory(error);
    else
        status = read_files(profile, timelines, monitor, error);
    if (status == 0) {
        place_ranks(profile);
        for (uint32_t i = 0; i < profile->n_ranks; i++)
            fill_line(profile, &profile->ranks[i], &timelines[i]);
        sum_up(profile);
        check(profile);
    } else {
        rc_trace_profile_destroy(profile);
        profile = NULL;
    }
    free(timelines);
    return profile;
}

void rc_trace_profile_destroy(struct rc_profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; profile->files && i < profile->set->n_files; i++)
        free(profile->files[i].problem);
    rc_trace_traffic_destroy(profile->traffic);
    rc_trace_faults_free(&profile->faults);
    rc_trace_faults_free(&profile->notes);
    free(profile->files);
    free(profile->ranks);
    free(profile);
}

double rc_trace_profile_share(const struct rc_profile_rank *rank)
{
    double known = rank->computing + rank->communicating + rank->files;

    return known > 0 ? rank->communicating / known : NAN;
}

size_t rc_trace_profile_kinds(const struct rc_profile_rank *rank, unsigned kinds[RC_PROFILE_KINDS])
{
    size_t n = 0, at;

    for (unsigned i = 0; i < RC_PROFILE_KINDS; i++) {
        if (rank->kinds[i].calls == 0)
            continue;
        for (at = n++; at > 0 && rank->kinds[kinds[at - 1]].seconds < rank->kinds[i].seconds; at--)
            kinds[at] = kinds[at - 1];
        kinds[at] = i;
    }
    return n;
}

const char *rc_trace_profile_kind_name(unsigned kind)
{
    return kind < RC_TRACE_KIND_COUNT ? rc_trace_kind_info(kind)->name : "unknown calls";
}

bool rc_trace_profile_line(const struct rc_profile_rank *rank, int from, int to,
                           double parts[RC_DOINGS])
{
    double known = 0;

    memset(parts, 0, RC_DOINGS * sizeof *parts);
    for (int i = from; i < to; i++)
        for (int j = 0; j < RC_DOINGS; j++)
            parts[j] += rank->line[i][j];
    for (int j = 0; j < RC_DOINGS; j++)
        known += parts[j];
    for (int j = 0; j < RC_DOINGS && known > 0; j++)
        parts[j] /= known;
    return known > 1e-6 * (to - from);
}

/* ---- which ranks communicate ---- */

static int by_ranks(const void *a, const void *b)
{
    const struct rc_profile_link *one = a, *other = b;

    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->to < other->to ? -1 : one->to > other->to;
}

struct rc_profile_link *rc_trace_profile_links(const struct rc_profile *profile, size_t *n)
{
    const double *collective = rc_trace_traffic_collective(profile->traffic);
    size_t n_dense = collective ? (size_t)profile->n_ranks * profile->n_ranks : 0;
    size_t n_pairs, n_all = 0;
    const struct rc_traffic_pair *pairs = rc_trace_traffic_pairs(profile->traffic, &n_pairs);
    struct rc_profile_link *links = calloc(n_pairs + n_dense + 1, sizeof *links);

    *n = 0;
    if (!links)
        return NULL;
    for (size_t i = 0; i < n_pairs; i++)
        if (pairs[i].sent > 0)
            links[n_all++] = (struct rc_profile_link){pairs[i].from, pairs[i].to, pairs[i].sent,
                                                      pairs[i].bytes, 0};
    for (size_t i = 0; i < n_dense; i++)
        if (collective[i] > 0)
            links[n_all++] =
                (struct rc_profile_link){(uint32_t)(i / profile->n_ranks),
                                         (uint32_t)(i % profile->n_ranks), 0, 0, collective[i]};
    qsort(links, n_all, sizeof *links, by_ranks);
    for (size_t i = 0; i < n_all; i++) {
        if (*n == 0 || by_ranks(&links[*n - 1], &links[i]) != 0) {
            links[(*n)++] = links[i];
            continue;
        }
        links[*n - 1].messages = rc_trace_traffic_sum(links[*n - 1].messages, links[i].messages);
        links[*n - 1].bytes += links[i].bytes;
        links[*n - 1].collective += links[i].collective;
    }
    return links;
}

static int by_bytes(const void *a, const void *b)
{
    const struct rc_profile_link *one = a, *other = b;
    double more = one->bytes + one->collective, less = other->bytes + other->collective;

    return more > less ? -1 : more < less ? 1 : by_ranks(a, b);
}

void rc_trace_profile_links_sort(struct rc_profile_link *links, size_t n)
{
    if (links)
        qsort(links, n, sizeof *links, by_bytes);
}
