// SPDX-License-Identifier: GPL-3.0-or-later
/* suitability.c - what a skeleton of a program can reproduce, and what it cannot. */
#include "model/skeleton/compose/compose.h"

#include <math.h>

#include "model/skeleton/compose/compose_internal.h"
#include "model/skeleton/shrink/shrink.h"

static const double much = 0.01; /* part of the time that must not be missing */

/* All seconds of all ranks. */
struct account {
    double all;                          /* computing and calls */
    double away;                         /* computing during which the rank was not on a CPU */
    double most_away;                    /* share of that in a rank's own time, where it is most */
    double unknown[RC_TRACE_KIND_COUNT]; /* calls that plans do not have */
    double calls[RC_TRACE_KIND_COUNT];
};

/* The part that one of the requests has which a call completes. */
static double part_of_wait(const struct rc_program_rank *rank, uint32_t event)
{
    const struct rc_trace_call *call = rc_skeleton_program_call(rank, event);
    uint32_t n = 0;

    while (call->request < 0 && n < call->list_length && call->list[n] >= 0)
        n++;
    return rc_program_position(rank, event)->inside / (n > 0 ? n : 1);
}

static void add_up(const struct rc_loop_tree *tree, struct account *account)
{
    const struct rc_program *program = tree->program;

    for (uint32_t r = 0; r < program->ranks; r++) {
        double all = account->all, away = account->away;

        for (size_t e = 0; e < program->rank[r].n_events; e++) {
            const struct rc_program_position *position = rc_program_position(program->rank + r, e);
            unsigned kind = program->rank[r].calls[position->call].kind;
            uint32_t done = tree->match.links[r][e].done;

            account->all += position->wall + position->inside;
            account->away += position->wall - position->work;
            if (kind < RC_TRACE_KIND_COUNT &&
                rc_skeleton_compose_kind(kind) == RC_COMPOSE_UNKNOWN) {
                account->unknown[kind] += position->inside;
                if (done != RC_PROGRAM_NONE)
                    account->unknown[kind] += part_of_wait(program->rank + r, done);
                account->calls[kind]++;
            }
        }
        if (account->all > all)
            account->most_away =
                fmax(account->most_away, (account->away - away) / (account->all - all));
    }
}

static void check_calls(const struct account *account, struct rc_suitability *suitability)
{
    for (unsigned kind = 0; kind < RC_TRACE_KIND_COUNT; kind++) {
        double share = account->all > 0 ? account->unknown[kind] / account->all : 0;

        if (!account->calls[kind])
            continue;
        rc_trace_faults_add(share > much ? &suitability->refusals : &suitability->notes,
                            "%.0f calls of %s, %.2g %% of the time, cannot be reproduced",
                            account->calls[kind], rc_trace_kind_info(kind)->name, 100 * share);
    }
}

/* One rank that works where it cannot be seen has all the others wait for it. */
static void check_cpu(const struct account *account, struct rc_suitability *suitability)
{
    double share = account->all > 0 ? account->away / account->all : 0;

    if (account->most_away > 0.9)
        rc_trace_faults_add(
            &suitability->refusals,
            "a rank was neither in MPI calls nor on a CPU for %.1f %% of its time: work of an "
            "accelerator cannot be traced; without an accelerator, trace it on idle cores",
            100 * account->most_away);
    else if (share > 0.1)
        rc_trace_faults_add(
            &suitability->notes,
            "the program was neither in MPI calls nor on a CPU for %.0f %% of the time: it shared "
            "its cores, or waited for files or an accelerator. The skeleton does not reproduce "
            "this time; trace the program on idle cores unless they are always shared",
            100 * share);
}

/* Faults of the traced run. */
static void check_run(const struct rc_program *program, struct rc_suitability *suitability)
{
    if (program->status > 0)
        rc_trace_faults_add(&suitability->notes,
                            "the program ended with status %d; the trace ends there",
                            program->status);
    if (program->failed)
        rc_trace_faults_add(&suitability->notes, "%llu failed calls are left out",
                            (unsigned long long)program->failed);
}

/* Who does which part of the work is settled while the program runs where much of what is sent is
 * asked for by whoever comes first; and what is sent at all, where most of it is taken as it comes
 * and nothing repeats. */
static void check_messages(const struct rc_loop_tree *tree, struct rc_suitability *suitability)
{
    const struct rc_nondeterminism *found = &tree->nondeterminism;
    double messages = fmax((double)tree->match.n_messages, 1);
    /* A request and its answer are two messages. */
    double handed_out = 2 * (double)found->requests / messages;
    double taken = (double)found->taken / messages;
    struct rc_skeleton_shrink_dominant dominant;

    if (tree->match.unmatched)
        rc_trace_faults_add(&suitability->notes,
                            "%llu messages that were not both sent and received are left out",
                            (unsigned long long)tree->match.unmatched);
    if (handed_out > 0.1)
        rc_trace_faults_add(
            &suitability->refusals,
            "%.0f %% of the messages are requests to MPI_ANY_SOURCE and their answers: the "
            "division of the work depends on timing",
            100 * fmin(handed_out, 1));
    else if (taken > 0.5 && !rc_skeleton_shrink_dominant(tree, &dominant))
        rc_trace_faults_add(
            &suitability->refusals,
            "%.0f %% of the messages are received from MPI_ANY_SOURCE in an order that does not "
            "repeat: communication depends on timing",
            100 * taken);
    else if (found->taken)
        rc_trace_faults_add(
            &suitability->notes,
            "%llu messages were received from MPI_ANY_SOURCE; the skeleton receives them in the "
            "order of the trace",
            (unsigned long long)found->taken);
}

static void check_ratio(const struct rc_loop_tree *tree, double ratio,
                        struct rc_suitability *suitability)
{
    double shortest = rc_skeleton_shrink_shortest(tree), seconds = tree->program->seconds / ratio;

    if (shortest <= 0)
        rc_trace_faults_add(&suitability->notes,
                            "no loop takes half of the time: the skeleton has pieces of "
                            "the program, and may be less accurate");
    else if (rc_skeleton_shrink_is_short(seconds, shortest))
        rc_trace_faults_add(
            &suitability->notes,
            "the shortest good skeleton takes %.3g s, and this one %.3g s; it has fewer than %d "
            "iterations of the main loop",
            shortest, seconds, RC_SHRINK_GOOD);
    if (tree->compression < ratio / 2 && tree->threshold > 0)
        rc_trace_faults_add(
            &suitability->notes,
            "calls are alike only in part: %.3g calls for each that differs, where %.3g "
            "are wanted",
            tree->compression, ratio / 2);
}

void rc_skeleton_suitability_check(const struct rc_loop_tree *tree, double ratio,
                                   struct rc_suitability *suitability)
{
    struct account account = {0};

    *suitability = (struct rc_suitability){0};
    add_up(tree, &account);
    check_run(tree->program, suitability);
    check_calls(&account, suitability);
    check_cpu(&account, suitability);
    check_messages(tree, suitability);
    if (ratio > 0)
        check_ratio(tree, ratio, suitability);
}

void rc_skeleton_suitability_free(struct rc_suitability *suitability)
{
    rc_trace_faults_free(&suitability->refusals);
    rc_trace_faults_free(&suitability->notes);
}
