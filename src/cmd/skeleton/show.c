// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_show.c - 'runcast skeleton show': what a program does, as nested loops. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/unit.h"
#include "cmd/skeleton/skeleton.h"
#include "cmd/trace/trace.h"
#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/compose/suitability.h"

struct show_options {
    struct rc_cmd_skeleton_length length;
    int64_t rank;
    bool json;
};

static const struct show_options show_defaults = {.length = {NAN, NAN}};

static const struct rc_option show_options[] = {
    {.name = "rank",
     .letter = 'r',
     .kind = RC_OPTION_INTEGER,
     .argument = "R",
     .help = "the rank whose calls are shown (default: 0); loops are those of all ranks",
     .offset = offsetof(struct show_options, rank)},
    RC_OPTIONS_LENGTH(struct show_options),
    RC_OPTION_JSON(struct show_options),
    RC_OPTIONS_END,
};

/* ---- a call ---- */

static const char *short_name(unsigned kind)
{
    const char *name = rc_trace_kind_info(kind)->name;

    return strncmp(name, "MPI_", 4) ? name : name + 4;
}

static const struct rc_trace_call *call_of(const struct rc_loop_tree *tree,
                                           const struct rc_loop_tree_call *call)
{
    return rc_skeleton_program_call(tree->program->rank + call->rank, call->event);
}

/* "to 1", "from 3", "root 0"; ranks are those of the world. */
static void describe_peers(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call,
                           char *text, size_t size)
{
    const struct rc_match_link *link = tree->match.links[call->rank] + call->event;
    const struct rc_match_message *messages = tree->match.messages;
    const struct rc_trace_call *recorded = call_of(tree, call);

    *text = 0;
    if (link->out != RC_PROGRAM_NONE && link->in != RC_PROGRAM_NONE)
        snprintf(text, size, "to %" PRIu32 ", from %" PRIu32, messages[link->out].receiver,
                 messages[link->in].sender);
    else if (link->out != RC_PROGRAM_NONE)
        snprintf(text, size, "to %" PRIu32, messages[link->out].receiver);
    else if (link->in != RC_PROGRAM_NONE)
        snprintf(text, size, "from %" PRIu32, messages[link->in].sender);
    else if (recorded->root >= 0 && link->collective != RC_PROGRAM_NONE)
        snprintf(text, size, "root %" PRId32, recorded->root);
}

static double bytes_of(const struct rc_loop_tree_call *call)
{
    return call->out > 0 ? call->out : call->in;
}

/* ---- for people ---- */

static void print_call(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call,
                       unsigned depth)
{
    char peers[64], bytes[RC_UNIT_SIZE] = "", name[64];

    describe_peers(tree, call, peers, sizeof peers);
    if (bytes_of(call) > 0)
        rc_unit_format(round(bytes_of(call)), RC_BYTES, bytes);
    snprintf(name, sizeof name, "%*s%s", (int)(3 * depth), "",
             short_name(call_of(tree, call)->kind));
    printf("%-32s %-14s %10s %11.3f %11.3f\n", name, peers, bytes, 1e3 * call->work,
           1e3 * call->inside);
}

static bool has_rank(const struct rc_loop_tree *tree, size_t begin, size_t end, uint32_t rank)
{
    for (size_t i = begin; i < end; i++)
        for (uint32_t c = 0; c < tree->leaves[i].n_calls; c++)
            if (tree->calls[tree->leaves[i].first + c].rank == rank)
                return true;
    return false;
}

/* What a rank computes before a loop, in seconds. */
static double before_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank)
{
    for (size_t i = rc_skeleton_loop_tree_prologues_of(tree, loop);
         i < tree->n_prologues && tree->prologues[i].loop == loop; i++)
        if (tree->prologues[i].rank == rank)
            return tree->prologues[i].work;
    return 0;
}

static void print_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank, unsigned depth)
{
    const struct rc_loops_item *item = tree->loops.items + loop;
    double before = before_loop(tree, loop, rank);
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
                if (tree->calls[leaf->first + c].rank == rank)
                    print_call(tree, tree->calls + leaf->first + c, depth);
            continue;
        }
        if (has_rank(tree, i + 1, body, rank)) {
            print_loop(tree, i, rank, depth);
            print_items(tree, i + 1, body, rank, depth + 1);
        }
        i += item->value;
    }
}

static void print_notes(const struct rc_faults *faults, const char *what)
{
    for (size_t i = 0; i < faults->kept; i++)
        printf("%s: %s.\n", what, faults->texts[i]);
}

static void print(const struct rc_cmd_skeleton *skeleton, uint32_t rank)
{
    const struct rc_loop_tree *tree = &skeleton->tree;
    struct rc_suitability suitability;

    rc_skeleton_suitability_check(tree, 0, &suitability);
    print_notes(&suitability.refusals, "No skeleton");
    printf("%s, %" PRIu32 " ranks, %.4g s, %zu calls; rank %" PRIu32 " is shown\n",
           tree->program->name, tree->program->ranks, tree->program->seconds,
           rc_skeleton_program_calls_made(tree->program), rank);
    if (tree->threshold > 0)
        printf("sizes%s that differ by up to %.0f %% count as alike",
               tree->by_time ? RC_CMD_SKELETON_BY_TIME : "", 100 * tree->threshold);
    else
        printf("calls of the same sizes count as alike");
    printf("; a line stands for %.4g calls on average\n\n", tree->compression);
    printf("%-32s %-14s %10s %11s %11s\n", "call", "", "bytes", "computing", "call");
    printf("%-32s %-14s %10s %11s %11s\n", "", "", "", "before, ms", "itself, ms");
    print_items(tree, 0, tree->loops.n, rank, 0);
    printf("\nComputing is CPU time; bytes of collective calls are those of all ranks together.\n");
    if (rc_skeleton_shrink_shortest(tree) > 0)
        printf("The shortest good skeleton takes about %.3g s.\n",
               rc_skeleton_shrink_shortest(tree));
    print_notes(&suitability.notes, "Note");
    rc_skeleton_suitability_free(&suitability);
}

/* ---- for programs ---- */

static json_t *call_json(const struct rc_loop_tree *tree, const struct rc_loop_tree_call *call)
{
    const struct rc_match_link *link = tree->match.links[call->rank] + call->event;
    json_t *object = json_object();

    rc_json_set(object, "call", rc_json_text(rc_trace_kind_info(call_of(tree, call)->kind)->name));
    if (link->out != RC_PROGRAM_NONE)
        rc_json_set(object, "to", json_integer(tree->match.messages[link->out].receiver));
    if (link->in != RC_PROGRAM_NONE)
        rc_json_set(object, "from", json_integer(tree->match.messages[link->in].sender));
    if (link->collective != RC_PROGRAM_NONE && call_of(tree, call)->root >= 0)
        rc_json_set(object, "root", json_integer(call_of(tree, call)->root));
    rc_json_set(object, "bytes", rc_json_number(bytes_of(call)));
    rc_json_set(object, "computing", rc_json_number(call->work));
    rc_json_set(object, "seconds", rc_json_number(call->inside));
    return object;
}

static json_t *items_json(const struct rc_loop_tree *tree, size_t begin, size_t end, uint32_t rank)
{
    json_t *list = json_array();

    for (size_t i = begin; i < end; i++) {
        const struct rc_loops_item *item = tree->loops.items + i;
        const struct rc_loop_tree_leaf *leaf = tree->leaves + i;
        size_t body = i + 1 + item->value;

        for (uint32_t c = 0; c < leaf->n_calls; c++)
            if (tree->calls[leaf->first + c].rank == rank)
                json_array_append_new(list, call_json(tree, tree->calls + leaf->first + c));
        if (!item->times)
            continue;
        if (has_rank(tree, i + 1, body, rank)) {
            json_t *loop = json_object();

            rc_json_set(loop, "times", json_integer(item->times));
            rc_json_set(loop, "seconds",
                        rc_json_number(rc_skeleton_loop_tree_seconds(tree, i + 1, body)));
            rc_json_set(loop, "computing", rc_json_number(before_loop(tree, i, rank)));
            rc_json_set(loop, "body", items_json(tree, i + 1, body, rank));
            json_array_append_new(list, loop);
        }
        i += item->value;
    }
    return list;
}

static void print_json(const struct rc_cmd_skeleton *skeleton, uint32_t rank)
{
    const struct rc_loop_tree *tree = &skeleton->tree;
    struct rc_suitability suitability;
    json_t *object = json_object();

    rc_json_set(object, "program", rc_json_text(tree->program->name));
    rc_json_set(object, "ranks", json_integer(tree->program->ranks));
    rc_json_set(object, "seconds", rc_json_number(tree->program->seconds));
    rc_json_set(object, "calls",
                json_integer((json_int_t)rc_skeleton_program_calls_made(tree->program)));
    rc_json_set(object, "threshold", rc_json_number(tree->threshold));
    rc_json_set(object, "by_time", json_boolean(tree->by_time));
    rc_json_set(object, "compression", rc_json_number(tree->compression));
    rc_json_set(object, "shortest", rc_json_number(rc_skeleton_shrink_shortest(tree)));
    rc_json_set(object, "rank", json_integer(rank));
    rc_json_set(object, "signature", items_json(tree, 0, tree->loops.n, rank));
    rc_skeleton_suitability_check(tree, 0, &suitability);
    rc_json_set(object, "refusals", rc_cmd_trace_faults_json(&suitability.refusals));
    rc_json_set(object, "notes", rc_cmd_trace_faults_json(&suitability.notes));
    rc_skeleton_suitability_free(&suitability);
    rc_json_write(stdout, object, true);
    json_decref(object);
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
        status = rc_cmd_usage_text(invocation, "the program has ranks 0 to %" PRIu32,
                                   skeleton.program->ranks - 1);
    else
        (options->json ? print_json : print)(&skeleton, (uint32_t)options->rank);
    rc_cmd_skeleton_free(&skeleton);
    return status;
}

const struct rc_command rc_command_skeleton_show = {
    .name = "show",
    .summary = "Show what a recorded program does, as nested loops",
    .arguments = "DIR",
    .details =
        "Calls that repeat are shown once, with their times on average: the computing before the "
        "call, and the call itself. Sizes of collective calls are those of all ranks together.\n\n"
        "With --ratio or --seconds, calls whose sizes differ count as alike as far as a skeleton "
        "of that length needs.",
    .examples = "  runcast skeleton show DIR            # the loops of rank 0\n"
                "  runcast skeleton show DIR --rank 3   # and of rank 3\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .defaults = &show_defaults,
    .run = run_show,
};
