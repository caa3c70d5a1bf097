// SPDX-License-Identifier: GPL-3.0-or-later
/* emit_program.c - the programs of the groups: nested loops of calls, or tables where they are
 * long.
 *
 * A compiler's time grows faster than the length of a function, and nobody reads thousands of
 * calls: straight pieces of more than STRAIGHT_MAX calls, and whole programs of more than CODE_MAX,
 * are tables that a loop goes through. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"

enum { STRAIGHT_MAX = 200, CODE_MAX = 3000, CODE_MAX_ALL = 20000 };

struct writer {
    struct emit *emit;
    struct emit_group *group;
    uint32_t number;                   /* of the group */
    const struct rc_plan_work **works; /* of the members, at one item */
    int64_t *row;                      /* one argument of the members */
    struct emit_call {
        unsigned function; /* kind, and what it starts */
        int64_t arguments[EMIT_ARGUMENTS];
    } * calls; /* of the members */
};

/* Adds to the functions of the groups. */
#define ADD(w, ...) rc_skeleton_emit_add((w)->emit, &(w)->emit->programs, __VA_ARGS__)

static const struct rc_plan_rank *first_of(const struct writer *w)
{
    return &w->emit->plan->rank[w->group->ranks[0]];
}

static const struct rc_plan_step *step_of(const struct writer *w, uint32_t member, size_t item)
{
    const struct rc_plan_rank *rank = &w->emit->plan->rank[w->group->ranks[member]];

    return &rank->steps[rank->items[item].value];
}

static const struct rc_skeleton_plan_op *op_of(const struct writer *w, uint32_t member, size_t item)
{
    return rc_skeleton_plan_op(w->emit->plan, step_of(w, member, item));
}

/* ---- computing ---- */

static int64_t place_work(struct writer *w, size_t item, uint64_t times, bool *differs,
                          double *mean)
{
    *mean = 0;
    for (uint32_t i = 0; i < w->group->n; i++) {
        w->works[i] = &w->emit->plan->works[step_of(w, i, item)->work];
        *mean += w->works[i]->seconds / w->group->n;
    }
    return rc_skeleton_emit_work(w->emit, w->group, w->works, times, differs);
}

static void add_time(struct writer *w, double seconds)
{
    static const struct {
        double least;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, "ns"}};
    int i = 0;

    while (seconds < units[i].least)
        i++;
    ADD(w, " /* %.3g %s */\n", seconds / (units[i].least > 0 ? units[i].least : 1e-9),
        units[i].unit);
}

static bool does_nothing(const struct writer *w)
{
    for (uint32_t i = 0; i < w->group->n; i++)
        if (w->works[i]->seconds > 0 || w->works[i]->read > 0 || w->works[i]->written > 0)
            return false;
    return true;
}

static int add_compute(struct writer *w, size_t item, uint64_t times, int indent)
{
    bool differs;
    double mean;
    int64_t place = place_work(w, item, times, &differs, &mean);

    if (place < 0)
        return -1;
    if (does_nothing(w))
        return 0;
    ADD(w, "%*scompute(%" PRId64 "%s);", indent, "", place, differs ? " + me" : "");
    add_time(w, mean);
    return 0;
}

/* ---- calls as code ---- */

/* The values of an argument for all members, in `row`; 1 where they differ. */
static int get_row(struct writer *w, size_t item, char letter)
{
    int differ = 0;

    for (uint32_t i = 0; i < w->group->n; i++) {
        if (rc_skeleton_emit_argument(w->emit, w->group->ranks[i], op_of(w, i, item), letter,
                                      &w->row[i]))
            return -1;
        differ = differ || w->row[i] != w->row[0];
    }
    return differ;
}

static const char *letter_name(char letter)
{
    static const char letters[] = "crnfpqtubdselmxh";
    static const char *const names[] = {"communicator", "root",   "slot",  "file",
                                        "to",           "from",   "tag",   "tag",
                                        "bytes",        "bytes",  "bytes", "bytes",
                                        "list",         "number", "unit",  "held"};

    return names[strchr(letters, letter) - letters];
}

/* Each row is kept once in a group, for each argument. */
static int add_row(struct writer *w, char letter)
{
    struct emit *emit = w->emit;
    uint32_t n = w->group->n;
    bool is_new;
    int64_t place;

    w->row[n] = (int64_t)w->number << 8 | letter;
    place =
        rc_skeleton_emit_place(emit, &emit->row_set, w->row, (n + 1) * sizeof *w->row, 1, &is_new);
    if (place < 0)
        return -1;
    if (is_new) {
        rc_skeleton_emit_add(emit, &emit->rows, "static const int64_t %s_%" PRId64 "[] = {",
                             letter_name(letter), place);
        for (uint32_t i = 0; i < n; i++) {
            rc_skeleton_emit_add(emit, &emit->rows, "%s", i == 0 ? "" : i % 16 ? ", " : ",\n    ");
            rc_skeleton_emit_value(emit, &emit->rows, letter, w->row[i]);
        }
        rc_skeleton_emit_add(emit, &emit->rows, "};\n");
    }
    rc_skeleton_emit_add(emit, &emit->programs, "%s_%" PRId64 "[me]", letter_name(letter), place);
    return 0;
}

static int add_call(struct writer *w, size_t item, int indent)
{
    const struct emit_pattern *pattern = rc_skeleton_emit_pattern(op_of(w, 0, item));

    ADD(w, "%*s%s(", indent, "", pattern->name);
    for (const char *letter = pattern->arguments; *letter; letter++) {
        int differ = get_row(w, item, *letter);

        ADD(w, "%s", letter > pattern->arguments ? ", " : "");
        if (differ < 0 || (differ > 0 && add_row(w, *letter)))
            return -1;
        if (differ == 0)
            rc_skeleton_emit_value(w->emit, &w->emit->programs, *letter, w->row[0]);
    }
    ADD(w, ");\n");
    return 0;
}

/* ---- calls in tables ---- */

static void print_call(struct writer *w, const struct emit_pattern *pattern,
                       const struct emit_call *call)
{
    struct rc_buffer *out = &w->emit->calls;

    rc_skeleton_emit_add(w->emit, out, "    {F_%s, {", pattern->name);
    for (size_t i = 0; pattern->arguments[i]; i++) {
        rc_skeleton_emit_add(w->emit, out, "%s", i ? ", " : "");
        rc_skeleton_emit_value(w->emit, out, pattern->arguments[i], call->arguments[i]);
    }
    rc_skeleton_emit_add(w->emit, out, "}},\n");
}

/* The place in `calls` of what the members call at an item. */
static int64_t place_call(struct writer *w, size_t item, bool *differs)
{
    const struct emit_pattern *pattern = rc_skeleton_emit_pattern(op_of(w, 0, item));
    uint32_t n = w->group->n;
    int64_t place;
    bool is_new;

    memset(w->calls, 0, n * sizeof *w->calls);
    *differs = false;
    for (size_t i = 0; pattern->arguments[i]; i++) {
        int differ = get_row(w, item, pattern->arguments[i]);

        if (differ < 0)
            return -1;
        *differs = *differs || differ;
        for (uint32_t j = 0; j < n; j++)
            w->calls[j].arguments[i] = w->row[j];
    }
    for (uint32_t j = 0; j < n; j++)
        w->calls[j].function = pattern->kind << 16 | pattern->started;
    n = *differs ? n : 1;
    place = rc_skeleton_emit_place(w->emit, &w->emit->call_set, w->calls, n * sizeof *w->calls, n,
                                   &is_new);
    for (uint32_t j = 0; place >= 0 && is_new && j < n; j++)
        print_call(w, pattern, &w->calls[j]);
    return place;
}

enum { NO_CALL = -2 }; /* for program/table.h: anything below 0 */

static int add_items(struct writer *w, size_t first, size_t end, uint64_t times)
{
    const struct rc_loops_item *items = first_of(w)->items;
    struct rc_buffer *out = &w->emit->items;

    for (size_t i = first; i < end; i++) {
        bool call_differs, work_differs;
        int64_t call, work;
        double mean;

        w->emit->n_items++;
        if (items[i].times) {
            rc_skeleton_emit_add(w->emit, out, "    {%" PRIu32 ", %" PRIu32 ", 0, 0, 0},\n",
                                 items[i].times, items[i].value);
            if (add_items(w, i + 1, i + 1 + items[i].value, times * items[i].times))
                return -1;
            i += items[i].value;
            continue;
        }
        call_differs = false;
        call = op_of(w, 0, i) ? place_call(w, i, &call_differs) : NO_CALL;
        work = place_work(w, i, times, &work_differs, &mean);
        if ((call < 0 && call != NO_CALL) || work < 0)
            return -1;
        rc_skeleton_emit_add(w->emit, out, "    {0, %" PRId64 ", %d, %" PRId64 ", %d},\n", call,
                             call_differs, work, work_differs);
    }
    return 0;
}

/* A piece of the program as a table. */
static int add_walk(struct writer *w, size_t first, size_t end, uint64_t times, int indent)
{
    ADD(w, "%*swalk(items + %zu, %zu);\n", indent, "", w->emit->n_items, end - first);
    w->emit->table = true;
    return add_items(w, first, end, times);
}

/* ---- programs ---- */

/* Where the calls from `first` on end: at a loop, or at the end of the body. */
static size_t straight_end(const struct rc_loops_item *items, size_t first, size_t end)
{
    while (first < end && items[first].times == 0)
        first++;
    return first;
}

static int add_body(struct writer *w, size_t first, size_t end, uint64_t times, int depth)
{
    const struct rc_loops_item *items = first_of(w)->items;
    int indent = 4 * depth;

    for (size_t i = first; i < end;) {
        size_t stop = straight_end(items, i, end);

        if (stop - i > STRAIGHT_MAX) {
            if (add_walk(w, i, stop, times, indent))
                return -1;
            i = stop;
        }
        for (; i < stop; i++)
            if (add_compute(w, i, times, indent) || (op_of(w, 0, i) && add_call(w, i, indent)))
                return -1;
        if (i == end)
            break;
        ADD(w, "%*sfor (int i%d = 0; i%d < %" PRIu32 "; i%d++) {\n", indent, "", depth, depth,
            items[i].times, depth);
        if (add_body(w, i + 1, i + 1 + items[i].value, times * items[i].times, depth + 1))
            return -1;
        ADD(w, "%*s}\n", indent, "");
        i += 1 + (size_t)items[i].value;
    }
    return 0;
}

static int add_tail(struct writer *w)
{
    struct rc_plan_work *tails = calloc(w->group->n, sizeof *tails);
    bool differs, any = false;
    double mean = 0;
    int64_t place;

    if (!tails)
        return rc_error_no_memory(w->emit->error);
    for (uint32_t i = 0; i < w->group->n; i++) {
        tails[i].seconds = w->emit->plan->rank[w->group->ranks[i]].tail;
        for (int j = 0; j < RC_PROGRAM_EIGHTHS; j++)
            tails[i].spread[j] = 1;
        w->works[i] = &tails[i];
        mean += tails[i].seconds / w->group->n;
        any = any || tails[i].seconds > 0;
    }
    place = any ? rc_skeleton_emit_work(w->emit, w->group, w->works, 1, &differs) : 0;
    if (place > 0) {
        ADD(w, "    compute(%" PRId64 "%s);", place, differs ? " + me" : "");
        add_time(w, mean);
    }
    free(tails);
    return place < 0 ? -1 : 0;
}

static void add_ranks(struct writer *w)
{

    ADD(w, "/* Of rank%s", w->group->n > 1 ? "s" : "");
    for (uint32_t i = 0; i < w->group->n; i++) {
        uint32_t first = w->group->ranks[i], last = first;

        while (i + 1 < w->group->n && w->group->ranks[i + 1] == last + 1) {
            last++;
            i++;
        }
        ADD(w, " %" PRIu32, first);
        if (last > first)
            ADD(w, "%s%" PRIu32, last == first + 1 ? " " : " to ", last);
    }
    ADD(w, ". */\n");
}

static int add_program(struct writer *w)
{
    const struct rc_plan_rank *first = first_of(w);
    int status;

    add_ranks(w);
    ADD(w, "static void program_%" PRIu32 "(void)\n{\n", w->number);
    if (w->group->whole_table)
        status = add_walk(w, 0, first->n_items, 1, 4);
    else
        status = add_body(w, 0, first->n_items, 1, 1);
    if (status || add_tail(w))
        return -1;
    ADD(w, "}\n\n");
    return 0;
}

/* How many calls a program has that would be written as code. */
static size_t code_length(const struct rc_plan_rank *rank)
{
    size_t length = 0;

    for (size_t i = 0; i < rank->n_items;) {
        size_t stop = straight_end(rank->items, i, rank->n_items);

        length += stop - i > STRAIGHT_MAX ? 1 : stop - i;
        i = stop + 1; /* bodies of loops are gone through as if they stood in a row: nearly right */
    }
    return length;
}

static void choose_tables(struct emit *emit)
{
    size_t all = 0;

    for (uint32_t i = 0; i < emit->n_groups; i++) {
        size_t length = code_length(&emit->plan->rank[emit->groups[i].ranks[0]]);

        emit->groups[i].whole_table = length > CODE_MAX || (all += length) > CODE_MAX_ALL;
    }
}

int rc_skeleton_emit_programs(struct emit *emit)
{
    uint32_t ranks = emit->plan->ranks;
    struct writer w = {.emit = emit};
    struct emit_work nothing = {.work = {.seconds = 1e-12}};
    int status = 0;

    w.works = malloc(ranks * sizeof *w.works);
    w.row = malloc((ranks + (size_t)1) * sizeof *w.row);
    w.calls = malloc(ranks * sizeof *w.calls);
    if (!w.works || !w.row || !w.calls || rc_buffer_add(&emit->works, &nothing, sizeof nothing))
        status = rc_error_no_memory(emit->error);
    choose_tables(emit);
    for (uint32_t i = 0; status == 0 && i < emit->n_groups; i++) {
        w.group = &emit->groups[i];
        w.number = i;
        status = add_program(&w);
    }
    free(w.works);
    free(w.row);
    free(w.calls);
    return status;
}
