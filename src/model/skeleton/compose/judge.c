// SPDX-License-Identifier: GPL-3.0-or-later
/* judge.c - what a skeleton of a program can reproduce, and what it cannot. */
#include "model/skeleton/compose/judge.h"

#include <math.h>
#include <stdbool.h>

#include "model/skeleton/compose/compose_op.h"
#include "model/skeleton/shrink/cut.h"

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

static void add_up(const struct rc_form *form, struct account *account)
{
    const struct rc_program *program = form->program;

    for (uint32_t r = 0; r < program->ranks; r++) {
        double all = account->all, away = account->away;

        for (size_t e = 0; e < program->rank[r].n_events; e++) {
            const struct rc_program_position *position = rc_program_position(program->rank + r, e);
            unsigned kind = program->rank[r].calls[position->call].kind;
            uint32_t done = form->match.links[r][e].done;

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

static void judge_calls(const struct account *account, struct rc_judgement *judgement)
{
    for (unsigned kind = 0; kind < RC_TRACE_KIND_COUNT; kind++) {
        double share = account->all > 0 ? account->unknown[kind] / account->all : 0;

        if (!account->calls[kind])
            continue;
        rc_trace_faults_add(share > much ? &judgement->refusals : &judgement->notes,
                            "%.0f calls of %s, %.2g %% of the time, cannot be reproduced",
                            account->calls[kind], rc_trace_kind_info(kind)->name, 100 * share);
    }
}

/* One rank that works where it cannot be seen has all the others wait for it. */
static void judge_cpu(const struct account *account, struct rc_judgement *judgement)
{
    double share = account->all > 0 ? account->away / account->all : 0;

    if (account->most_away > 0.9)
        rc_trace_faults_add(
            &judgement->refusals,
            "for %.1f %% of its time a rank neither made MPI calls nor was on a CPU: work of an "
            "accelerator cannot be seen; if it uses none, record it while its cores are free",
            100 * account->most_away);
    else if (share > 0.1)
        rc_trace_faults_add(
            &judgement->notes,
            "for %.0f %% of the time the program neither made MPI calls nor was on a CPU: "
            "its cores were shared, or it waited for files or an accelerator; the skeleton "
            "computes as long as it was on a CPU, and waits for nothing else; record the program "
            "again while its cores are free, unless they always are shared so",
            100 * share);
}

/* What did not go as it should when it was recorded. */
static void judge_run(const struct rc_program *program, struct rc_judgement *judgement)
{
    if (program->status > 0)
        rc_trace_faults_add(&judgement->notes,
                            "the program ended with status %d: this is what it did until then",
                            program->status);
    if (program->failed)
        rc_trace_faults_add(&judgement->notes, "%llu calls failed, and are left out",
                            (unsigned long long)program->failed);
}

/* Who does which part of the work is settled while the program runs where much of what is sent is
 * asked for by whoever comes first; and what is sent at all, where most of it is taken as it comes
 * and nothing repeats. */
static void judge_messages(const struct rc_form *form, struct rc_judgement *judgement)
{
    const struct rc_first_come *found = &form->first_come;
    double messages = fmax((double)form->match.n_messages, 1);
    /* A request and its answer are two messages. */
    double handed_out = 2 * (double)found->requests / messages;
    double taken = (double)found->taken / messages;
    struct rc_skeleton_cut_dominant dominant;

    if (form->match.unmatched)
        rc_trace_faults_add(
            &judgement->notes,
            "%llu messages were not both sent and received to the end, and are left out",
            (unsigned long long)form->match.unmatched);
    if (handed_out > 0.1)
        rc_trace_faults_add(
            &judgement->refusals,
            "%.0f %% of the messages are requests of whichever rank comes first, and their "
            "answers: who does which part of the work depends on timing",
            100 * fmin(handed_out, 1));
    else if (taken > 0.5 && !rc_skeleton_cut_dominant(form, &dominant))
        rc_trace_faults_add(
            &judgement->refusals,
            "%.0f %% of the messages are taken from whichever rank comes first, in an "
            "order that does not repeat: what is sent depends on timing",
            100 * taken);
    else if (found->taken)
        rc_trace_faults_add(
            &judgement->notes,
            "%llu messages were taken from whichever rank came first; the skeleton takes "
            "them in the order of the recording",
            (unsigned long long)found->taken);
}

static void judge_ratio(const struct rc_form *form, double ratio, struct rc_judgement *judgement)
{
    double shortest = rc_skeleton_cut_shortest(form), seconds = form->program->seconds / ratio;

    if (shortest <= 0)
        rc_trace_faults_add(&judgement->notes,
                            "no loop takes half of the time: a skeleton is made of "
                            "pieces of the program, and may be less like it");
    else if (rc_skeleton_cut_is_short(seconds, shortest))
        rc_trace_faults_add(
            &judgement->notes,
            "the shortest good skeleton takes %.3g s, and this one %.3g s: it has fewer "
            "than %d iterations of the main loop",
            shortest, seconds, RC_CUT_GOOD);
    if (form->compression < ratio / 2 && form->threshold > 0)
        rc_trace_faults_add(
            &judgement->notes,
            "calls are alike only in part: %.3g calls for each that differs, where %.3g "
            "are wanted",
            form->compression, ratio / 2);
}

void rc_skeleton_judge(const struct rc_form *form, double ratio, struct rc_judgement *judgement)
{
    struct account account = {0};

    *judgement = (struct rc_judgement){0};
    add_up(form, &account);
    judge_run(form->program, judgement);
    judge_calls(&account, judgement);
    judge_cpu(&account, judgement);
    judge_messages(form, judgement);
    if (ratio > 0)
        judge_ratio(form, ratio, judgement);
}

void rc_skeleton_judgement_free(struct rc_judgement *judgement)
{
    rc_trace_faults_free(&judgement->refusals);
    rc_trace_faults_free(&judgement->notes);
}
