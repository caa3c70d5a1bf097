// SPDX-License-Identifier: GPL-3.0-or-later
/* phases.c - the phases of a program, by its loops. */
#include "model/skeleton/shrink/phases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/shrink/loop_tree.h"

void rc_skeleton_phases_free(struct rc_phases *phases)
{
    for (size_t i = 0; i < phases->n; i++)
        free(phases->at[i].seconds);
    *phases = (struct rc_phases){0};
}

static struct rc_phases_one *add_phase(const struct rc_loop_tree *tree, struct rc_phases *phases)
{
    struct rc_phases_one *phase = phases->at + phases->n;

    phase->seconds = calloc(tree->program->ranks, sizeof *phase->seconds);
    if (!phase->seconds)
        return NULL;
    phases->n++;
    return phase;
}

/* Adds what the items take, with all their iterations. */
static void add_items(const struct rc_loop_tree *tree, size_t begin, size_t end,
                      struct rc_phases_one *to)
{
    for (size_t i = begin; i < end; i++)
        for (uint32_t c = 0; c < tree->leaves[i].n_calls; c++) {
            const struct rc_loop_tree_call *call = tree->calls + tree->leaves[i].first + c;

            to->seconds[call->rank] += call->n * (call->wall + call->inside);
        }
}

static void set_rest(const struct rc_loop_tree *tree, const double *whole, struct rc_phases *phases)
{
    for (uint32_t r = 0; r < tree->program->ranks; r++) {
        double rest = whole[r];

        for (size_t i = 1; i < phases->n; i++)
            rest -= phases->at[i].seconds[r];
        phases->at[0].seconds[r] = fmax(0, rest);
    }
}

static int find(const struct rc_loop_tree *tree, const double *whole, struct rc_phases *phases,
                struct rc_error *error)
{
    double all = rc_skeleton_loop_tree_seconds(tree, 0, tree->loops.n);
    struct rc_phases_one *rest;

    *phases = (struct rc_phases){0};
    rest = add_phase(tree, phases);
    if (!rest)
        return rc_error_no_memory(error);
    snprintf(rest->name, sizeof rest->name, "rest");
    for (size_t i = 0; i < tree->loops.n; i++) {
        const struct rc_loops_item *item = tree->loops.items + i;
        size_t end = item->times ? i + 1 + item->value : i + 1;
        struct rc_phases_one *phase;

        if (item->times && phases->n < RC_PHASES_MAX &&
            rc_skeleton_loop_tree_seconds(tree, i, end) >= RC_PHASES_LEAST * all) {
            phase = add_phase(tree, phases);
            if (!phase) {
                rc_skeleton_phases_free(phases);
                return rc_error_no_memory(error);
            }
            snprintf(phase->name, sizeof phase->name, "loop%zu", phases->n - 1);
            add_items(tree, i, end, phase);
        }
        i = end - 1;
    }
    set_rest(tree, whole, phases);
    return 0;
}

int rc_skeleton_phases_read(const char *directory, const double *whole, struct rc_phases *phases,
                            struct rc_error *error)
{
    struct rc_program *program = rc_skeleton_program_read(directory, error);
    struct rc_loop_tree tree;
    int result = -1;

    *phases = (struct rc_phases){0};
    if (program && !rc_skeleton_loop_tree_find(program, 1, &tree, error)) {
        result = find(&tree, whole, phases, error);
        rc_skeleton_loop_tree_free(&tree);
    }
    rc_skeleton_program_destroy(program);
    return result;
}
