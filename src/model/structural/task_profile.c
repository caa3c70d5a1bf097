// SPDX-License-Identifier: GPL-3.0-or-later
/* task_profile.c - the share of a run's time that each task of a model takes, from a trace. */
#include "model/structural/task_profile.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/text.h"
#include "model/structural/traced_internal.h"

/* Time that no claim is about, over all ranks, by the same rules. */
struct unclaimed {
    double calls[RC_TIMES_KINDS];                 /* the least; NAN: there are none */
    double gaps[RC_TIMES_PLACES][RC_TIMES_KINDS]; /* the most */
};

struct sums {
    struct rc_claims claims;
    struct rc_rank_times times; /* of one rank */
    struct unclaimed unclaimed;
    double seconds;
};

/* ---- one rank ---- */

static const char *call_name(unsigned kind)
{
    return kind < RC_TRACE_KIND_COUNT ? rc_trace_kind_info(kind)->name : "unknown calls";
}

/* "computing between MPI_Init and MPI_Bcast" */
static const char *gap_name(unsigned before, unsigned after, char text[RC_SHARE_TEXT])
{
    if (before == RC_TIMES_NOTHING)
        snprintf(text, RC_SHARE_TEXT, "computing before %s", call_name(after));
    else
        snprintf(text, RC_SHARE_TEXT, "computing between %s and %s", call_name(before),
                 call_name(after));
    return text;
}

static int claimed_twice(const struct rc_claim *a, const struct rc_claim *b, uint32_t rank,
                         const char *what, struct rc_error *error)
{
    rc_error_set(error, "%s, on rank %u, belongs to both '%s' and '%s'", what, rank, a->task,
                 b->task);
    return rc_error_hint(error, "change one of their 'traced' clauses");
}

/* Adds seconds to the claim that has them; 1 where there is one, 0 where there is none. */
static int give(struct sums *sums, uint32_t rank, unsigned before, unsigned kind, bool call,
                double *sum, struct rc_error *error)
{
    const struct rc_claim *owner = NULL;
    char text[RC_SHARE_TEXT];

    for (size_t i = 0; i < sums->claims.n; i++) {
        const struct rc_claim *claim = &sums->claims.items[i];

        if (!rc_structural_claim_has_rank(claim, rank) ||
            !(call ? rc_structural_claim_has_call(claim, kind)
                   : rc_structural_claim_has_gap(claim, before, kind)))
            continue;
        if (owner)
            return claimed_twice(owner, claim, rank,
                                 call ? call_name(kind) : gap_name(before, kind, text), error);
        owner = claim;
        sum[i] += call ? sums->times.inside[kind] : sums->times.gaps[before][kind];
    }
    return owner != NULL;
}

static int give_calls(struct sums *sums, uint32_t rank, double *sum, struct rc_error *error)
{
    for (unsigned kind = 0; kind < RC_TIMES_KINDS; kind++) {
        double seconds = sums->times.inside[kind];
        int given = seconds > 0 ? give(sums, rank, 0, kind, true, sum, error) : 1;

        if (given < 0)
            return -1;
        if (given == 0)
            sums->unclaimed.calls[kind] = fmin(sums->unclaimed.calls[kind], seconds);
    }
    return 0;
}

static int give_gaps(struct sums *sums, uint32_t rank, double *sum, struct rc_error *error)
{
    for (unsigned before = 0; before < RC_TIMES_PLACES; before++)
        for (unsigned after = 0; after < RC_TIMES_KINDS; after++) {
            double seconds = sums->times.gaps[before][after];
            int given = seconds > 0 ? give(sums, rank, before, after, false, sum, error) : 1;

            if (given < 0)
                return -1;
            if (given == 0)
                sums->unclaimed.gaps[before][after] =
                    fmax(sums->unclaimed.gaps[before][after], seconds);
        }
    return 0;
}

/* Rules 1 and 2. */
static void settle_rank(struct rc_claim *claim, uint32_t rank, double seconds)
{
    if (!(seconds > 0) || (claim->there && claim->computing == (seconds <= claim->seconds)))
        return;
    claim->there = true;
    claim->rank = rank;
    claim->seconds = seconds;
}

static int take_rank(struct sums *sums, const struct rc_trace_set_file *file, double *sum,
                     struct rc_error *error)
{
    memset(sum, 0, sums->claims.n * sizeof *sum);
    if (rc_structural_rank_times_read(&sums->times, file, error) ||
        give_calls(sums, file->rank, sum, error) || give_gaps(sums, file->rank, sum, error))
        return -1;
    for (size_t i = 0; i < sums->claims.n; i++)
        settle_rank(&sums->claims.items[i], file->rank, sum[i]);
    sums->seconds = fmax(sums->seconds, sums->times.seconds);
    return 0;
}

/* ---- all ranks ---- */

static int take_ranks(struct sums *sums, const struct rc_trace_set *recording,
                      const struct rc_monitor *monitor, struct rc_error *error)
{
    double *sum = calloc(sums->claims.n + 1, sizeof *sum);
    int status = sum ? 0 : rc_error_no_memory(error);

    for (unsigned i = 0; i < RC_TIMES_KINDS; i++)
        sums->unclaimed.calls[i] = NAN; /* fmin() and fmax() pass over it */
    for (size_t i = 0; i < recording->n_files && status == 0; i++) {
        rc_progress_monitor_advance(monitor, i, recording->n_files);
        status = rc_progress_monitor_check(monitor, error);
        if (status == 0 && recording->files[i].thread == 0)
            status = take_rank(sums, &recording->files[i], sum, error);
    }
    free(sum);
    if (status == 0 && !(sums->seconds > 0))
        status = rc_error_set(error, "the trace has no time between MPI_Init and MPI_Finalize");
    return status;
}

/* Rules 3 and 4. */
static void fit_into_run(struct sums *sums, bool *overlap)
{
    double computing = 0, calls = 0, all;

    for (size_t i = 0; i < sums->claims.n; i++)
        *(sums->claims.items[i].computing ? &computing : &calls) += sums->claims.items[i].seconds;
    all = computing + calls;
    *overlap = computing > sums->seconds * (1 + 1e-9);
    for (size_t i = 0; i < sums->claims.n && all > sums->seconds; i++) {
        struct rc_claim *claim = &sums->claims.items[i];

        if (*overlap)
            claim->seconds *= sums->seconds / all;
        else if (!claim->computing)
            claim->seconds *= fmax(sums->seconds - computing, 0) / calls;
    }
}

/* ---- what is left ---- */

static void note_left(struct rc_shares *shares, const char *what, double share)
{
    size_t at = shares->n_parts < RC_SHARES_LEFT ? shares->n_parts++ : RC_SHARES_LEFT - 1;

    if (at == RC_SHARES_LEFT - 1 && shares->parts[at].share >= share)
        return;
    for (; at > 0 && shares->parts[at - 1].share < share; at--)
        shares->parts[at] = shares->parts[at - 1];
    snprintf(shares->parts[at].what, sizeof shares->parts[at].what, "%s", what);
    shares->parts[at].share = share;
}

/* Parts of a thousandth of the run, and more. */
static void list_left(struct rc_shares *shares, const struct sums *sums)
{
    char text[RC_SHARE_TEXT];
    double share;

    for (unsigned kind = 0; kind < RC_TIMES_KINDS; kind++) {
        share = fmin(sums->unclaimed.calls[kind] / sums->seconds, shares->left);
        if (sums->unclaimed.calls[kind] > 0 && share >= 1e-3)
            note_left(shares, call_name(kind), share);
        for (unsigned before = 0; before < RC_TIMES_PLACES; before++) {
            share = fmin(sums->unclaimed.gaps[before][kind] / sums->seconds, shares->left);
            if (share >= 1e-3)
                note_left(shares, gap_name(before, kind, text), share);
        }
    }
}

/* ---- shares ---- */

static int list_shares(struct rc_shares *shares, const struct sums *sums,
                       const struct rc_model *model, int section, struct rc_error *error)
{
    const struct rc_claims *claims = &sums->claims;

    shares->items = calloc(claims->n_tasks, sizeof *shares->items);
    if (!shares->items)
        return rc_error_no_memory(error);
    shares->seconds = sums->seconds;
    shares->omit = rc_structural_model_omit(model, section);
    shares->left = 1;
    for (size_t i = 0; i < claims->n_tasks; i++) {
        const struct rc_claim *claim = &claims->items[claims->of[i]];
        double seconds = claim->seconds / (double)claim->n_tasks;

        shares->items[shares->n++] =
            (struct rc_share){.task = claims->tasks[i],
                              .calls = !claim->computing,
                              .there = claim->there,
                              .rank = claim->rank,
                              .alike = claim->n_tasks,
                              .seconds = seconds,
                              .share = seconds / sums->seconds,
                              .stated =
                                  rc_structural_model_share(model, section, claims->tasks[i])};
        shares->items[i].omitted = shares->items[i].share < shares->omit;
        shares->left -= seconds / sums->seconds;
    }
    assert(shares->left > -1e-6); /* rules 3 and 4 */
    shares->left = fmax(shares->left, 0);
    list_left(shares, sums);
    return 0;
}

int rc_structural_shares_find(struct rc_shares *shares, const struct rc_model *model, int section,
                              const struct rc_trace_set *recording,
                              const struct rc_monitor *monitor, struct rc_error *error)
{
    struct sums *sums = calloc(1, sizeof *sums);
    int status = -1;

    *shares = (struct rc_shares){.ranks = recording->ranks};
    if (!sums)
        return rc_error_no_memory(error);
    if (rc_structural_claims_make(&sums->claims, model, section, error) == 0 &&
        rc_trace_set_whole(recording, error) == 0 &&
        take_ranks(sums, recording, monitor, error) == 0) {
        fit_into_run(sums, &shares->overlap);
        status = list_shares(shares, sums, model, section, error);
    }
    rc_structural_claims_free(&sums->claims);
    free(sums);
    return status;
}

void rc_structural_shares_free(struct rc_shares *shares)
{
    free(shares->items);
    *shares = (struct rc_shares){0};
}

bool rc_structural_shares_are_of(const struct rc_trace_set *recording, const char *app)
{
    if (recording->about.command && strstr(recording->about.command, app))
        return true;
    for (size_t i = 0; i < recording->n_files; i++)
        if (recording->files[i].has_header && strstr(recording->files[i].header.program, app))
            return true;
    return false;
}

/* ---- as a statement ---- */

char *rc_structural_shares_statement(const struct rc_shares *shares, const struct rc_model *model,
                                     int section, const char *of)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    char comment[240];
    int failed, width = 0;

    snprintf(comment, sizeof comment, "%s", of);
    rc_text_mend_cut(comment, sizeof comment);
    rc_text_clean(comment, strlen(comment));
    failed = rc_buffer_printf(&text, "# From a trace of %s\n", comment);
    if (section >= 0)
        failed |= rc_buffer_printf(&text, "on %s\n\n", model->sections[section].name);
    failed |= rc_buffer_add_text(&text, "profile\n");
    for (size_t i = 0; i < shares->n; i++)
        if ((int)strlen(shares->items[i].task) > width)
            width = (int)strlen(shares->items[i].task);
    /* Rounded down, so that they never come to more than all of it. */
    for (size_t i = 0; i < shares->n; i++)
        failed |= rc_buffer_printf(&text, "    %-*s  %6.2f%%\n", width, shares->items[i].task,
                                   floor(1e4 * shares->items[i].share + 1e-6) / 100);
    if (failed)
        rc_buffer_free(&text);
    return failed ? NULL : text.data;
}
