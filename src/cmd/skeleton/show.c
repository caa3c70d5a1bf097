// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - 'runcast skeleton show': the nested loops of a traced program. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/skeleton_fields.h"
#include "base/unit.h"
#include "cmd/skeleton/skeleton.h"
#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/compose/compose.h"

struct show_options {
    struct rc_cmd_skeleton_length length;
    int64_t rank;
    bool json;
};

static const struct show_options show_defaults = {.length = RC_CMD_SKELETON_LENGTH};

static const struct rc_option show_options[] = {
    {RC_OPTION_OF(struct show_options, INTEGER, rank), .name = "rank", .argument = "R",
     .help = "rank to show (default: 0); loops are those of all ranks"},
    RC_OPTIONS_LENGTH(struct show_options),
    RC_OPTION_JSON(struct show_options),
    RC_OPTIONS_END,
};

/* "to 1", "from 3", "root 0"; ranks are those of the world. */
static void describe_peers(const struct rc_answer_skeleton_call *call, char *text, size_t size)
{
    *text = 0;
    if (call->to >= 0 && call->from >= 0)
        snprintf(text, size, "to %" PRId64 ", from %" PRId64, call->to, call->from);
    else if (call->to >= 0 || call->from >= 0)
        snprintf(text, size, call->to >= 0 ? "to %" PRId64 : "from %" PRId64,
                 call->to >= 0 ? call->to : call->from);
    else if (call->root >= 0)
        snprintf(text, size, "root %" PRId64, call->root);
}

static void print_call(const struct rc_answer_skeleton_call *call, unsigned depth)
{
    char peers[64], bytes[RC_UNIT_SIZE] = "", name[64];

    describe_peers(call, peers, sizeof peers);
    if (call->bytes > 0)
        rc_unit_format(round(call->bytes), RC_BYTES, bytes);
    snprintf(name, sizeof name, "%*s%s", (int)(3 * depth), "",
             strncmp(call->call, "MPI_", 4) ? call->call : call->call + 4);
    printf("%-32s %-14s %10s %11.3f %11.3f\n", name, peers, bytes, 1e3 * call->computing,
           1e3 * call->seconds);
}

static void print_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank, unsigned depth)
{
    const struct rc_loops_item *item = tree->loops.items + loop;
    double before = rc_answer_skeleton_before_loop(tree, loop, rank);
    char text[64];
    int length = snprintf(text, sizeof text, "%*s%" PRIu32 " times: %.3g s each", (int)(3 * depth),
                          "", item->times,
                          rc_skeleton_loop_tree_seconds(tree, loop + 1, loop + 1 + item->value));

    if (before >= 0.5e-6)
        printf("%-58s %11.3f\n", length > 0 ? text : "", 1e3 * before);
    else
        printf("%s\n", text);
}

static void print_items(const struct rc_loop_tree *tree, size_t begin, size_t end, uint32_t rank,
                        unsigned depth)
{
    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = tree->loops.items + i;
        const struct rc_loop_tree_leaf *leaf = tree->leaves + i;
        size_t body = i + 1 + item->value;

        if (!item->times) {
            for (uint32_t c = 0; c < leaf->n_calls; c++)
                if (tree->calls[leaf->first + c].rank == rank) {
                    struct rc_answer_skeleton_call call =
                        rc_answer_skeleton_call_of(tree, tree->calls + leaf->first + c);

                    print_call(&call, depth);
                }
            continue;
        }
        if (rc_answer_skeleton_has_rank(tree, i + 1, body, rank)) {
            print_loop(tree, i, rank, depth);
            print_items(tree, i + 1, body, rank, depth + 1);
        }
        i += item->value;
    }
}

static void print(const struct rc_cmd_skeleton *skeleton, uint32_t rank)
{
    const struct rc_loop_tree *tree = &skeleton->tree;
    struct rc_suitability suitability;

    rc_skeleton_suitability_check(tree, 0, &suitability);
    for (size_t i = 0; i < suitability.refusals.kept; i++)
        printf("no skeleton: %s\n", suitability.refusals.texts[i]);
    printf("%s, %" PRIu32 " processes, %.4g s, %zu calls; calls of rank %" PRIu32 "\n",
           tree->program->name, tree->program->ranks, tree->program->seconds,
           rc_skeleton_program_calls_made(tree->program), rank);
    if (tree->threshold > 0)
        printf("sizes%s that differ by up to %.0f %% are considered equal",
               tree->by_time ? RC_CMD_SKELETON_BY_TIME : "", 100 * tree->threshold);
    else
        printf("only equal sizes are considered equal");
    printf("; a line represents %.4g calls on average\n\n", tree->compression);
    printf("%-32s %-14s %10s %11s %11s\n", "call", "", "bytes", "computing", "in call");
    printf("%-32s %-14s %10s %11s %11s\n", "", "", "", "before, ms", "ms");
    print_items(tree, 0, tree->loops.n, rank, 0);
    printf("\nComputing is CPU time. Bytes of collective calls are sums over all ranks.\n");
    if (rc_skeleton_shrink_shortest(tree) > 0)
        printf("Shortest good skeleton: about %.3g s\n", rc_skeleton_shrink_shortest(tree));
    for (size_t i = 0; i < suitability.notes.kept; i++)
        rc_cmd_note("%s", suitability.notes.texts[i]);
    rc_skeleton_suitability_free(&suitability);
}

static void print_json(const struct rc_cmd_skeleton *skeleton, uint32_t rank)
{
    struct rc_suitability suitability;
    struct rc_answer_skeleton_shown shown;

    rc_skeleton_suitability_check(&skeleton->tree, 0, &suitability);
    shown = rc_answer_skeleton_shown_of(&skeleton->tree, rank, &suitability);
    rc_cmd_print_json(rc_field_json(rc_answer_skeleton_shown, &shown));
    rc_skeleton_suitability_free(&suitability);
}

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct rc_cmd_skeleton skeleton;
    int status =
        rc_cmd_skeleton_read(invocation, invocation->arguments[0], &options->length, &skeleton);

    if (status != RC_EXIT_OK)
        return status;
    if (options->rank >= skeleton.program->ranks)
        status = rc_cmd_usage_text(invocation, "--rank: the program has ranks 0 to %" PRIu32,
                                   skeleton.program->ranks - 1);
    else if (options->json)
        print_json(&skeleton, (uint32_t)options->rank);
    else
        print(&skeleton, (uint32_t)options->rank);
    rc_cmd_skeleton_free(&skeleton);
    return status;
}

const struct rc_command rc_command_skeleton_show = {
    .name = "show",
    .summary = "Show the nested loops of a traced program",
    .arguments = "DIR",
    .details =
        "A call in a loop is shown once, with its mean times: the computing before the call, and "
        "the time in it. Sizes of collective calls are sums over all ranks.\n\n"
        "With --ratio or --target-time, calls of different sizes are considered equal as far as a "
        "skeleton of that run time requires.",
    .examples = "  runcast skeleton show heat.trace            # the loops of rank 0\n"
                "  runcast skeleton show heat.trace --rank 3\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .defaults = &show_defaults,
    .answers = {rc_answer_skeleton_shown},
    .run = run_show,
};
