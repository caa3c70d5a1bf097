// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_measure.c - clauses that say how an input is measured, what of a trace is a task's, and
 * how often hosts wait for one another. */
#include <stdlib.h>

#include "base/error.h"
#include "model/structural/parse.h"

/* ---- inputs ---- */

static int read_formula(struct rc_cursor *cursor, const struct rc_item *item,
                        struct rc_expression **formula)
{
    *formula = rc_structural_cursor_formula(cursor, item);
    return *formula ? 0 : -1;
}

static int read_operation(struct rc_cursor *cursor, struct rc_item *item)
{
    int which = rc_structural_cursor_choose(
        cursor, rc_structural_operation_names, RC_OPERATIONS,
        "real-add, real-multiply, real-divide, integer-add or integer-multiply");

    item->measure.operation = (enum rc_operation)(which < 0 ? 0 : which);
    return which < 0 ? -1 : 0;
}

int rc_structural_measure_read(struct rc_cursor *cursor, struct rc_item *item)
{
    int which =
        rc_structural_cursor_choose(cursor, rc_structural_measure_kind_names + 1, RC_MEASURES - 1,
                                    "operation, bandwidth, message, startup, packing, run or "
                                    "together");

    if (which < 0)
        return -1;
    item->measure.kind = (enum rc_measure_kind)(which + 1);
    if (item->measure.kind == RC_MEASURE_OPERATION)
        return read_operation(cursor, item);
    if (item->measure.kind == RC_MEASURE_MESSAGE ||
        (item->measure.kind == RC_MEASURE_BANDWIDTH && rc_structural_cursor_peek(cursor)))
        return read_formula(cursor, item, &item->measure.bytes);
    return 0;
}

int rc_structural_measure_size_read(struct rc_cursor *cursor, struct rc_item *item)
{
    return read_formula(cursor, item, &item->measure.size);
}

int rc_structural_measure_per_read(struct rc_cursor *cursor, struct rc_item *item)
{
    return read_formula(cursor, item, &item->measure.per);
}

int rc_structural_measure_less_read(struct rc_cursor *cursor, struct rc_item *item)
{
    return read_formula(cursor, item, &item->measure.less);
}

int rc_structural_measure_arguments_read(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_text(cursor, &item->measure.arguments);
}

/* How many parameters an input has that is measured so. */
static bool fits(const struct rc_item *item)
{
    static const struct {
        size_t least, most;
    } parameters[] = {
        [RC_MEASURE_OPERATION] = {1, 1}, [RC_MEASURE_BANDWIDTH] = {2, 2},
        [RC_MEASURE_MESSAGE] = {2, 2},   [RC_MEASURE_STARTUP] = {1, 2},
        [RC_MEASURE_PACKING] = {1, 2},   [RC_MEASURE_RUN] = {1, 1},
        [RC_MEASURE_TOGETHER] = {0, 1},
    };

    return item->n_parameters >= parameters[item->measure.kind].least &&
           item->n_parameters <= parameters[item->measure.kind].most;
}

int rc_structural_measure_check(struct rc_model_parser *parser, size_t at,
                                const struct rc_item *item)
{
    const struct rc_measure *measure = &item->measure;
    bool run = measure->kind == RC_MEASURE_RUN || measure->kind == RC_MEASURE_TOGETHER;
    const char *alone = measure->size        ? "at"
                        : measure->per       ? "per"
                        : measure->less      ? "less"
                        : measure->arguments ? "arguments"
                                             : NULL;

    if (alone && !run) {
        rc_structural_fail(parser, at, "'%s' has '%s', but no 'measure run'", item->name, alone);
        return rc_error_hint(parser->error, "write 'measure run' or 'measure together' above it");
    }
    if (run && !measure->size) {
        rc_structural_fail(parser, at, "'%s' is measured by a run, but has no problem size",
                           item->name);
        return rc_error_hint(parser->error, "write at FORMULA in a line below 'measure'");
    }
    if (measure->kind != RC_MEASURE_NOTHING && !fits(item))
        return rc_structural_fail(parser, at,
                                  "'measure %s' does not fit the %zu parameter%s of '%s'",
                                  rc_structural_measure_kind_names[measure->kind],
                                  item->n_parameters, item->n_parameters == 1 ? "" : "s",
                                  item->name);
    return 0;
}

/* ---- traces ---- */

static int read_calls(struct rc_cursor *cursor, struct rc_traced *traced)
{
    struct rc_model_parser *parser = cursor->parser;

    do {
        char *call;

        rc_structural_cursor_peek(cursor);
        if (traced->n_calls == RC_MODEL_CALLS_MAX)
            return rc_structural_fail(parser, cursor->at, "more than %d calls", RC_MODEL_CALLS_MAX);
        if (rc_structural_cursor_name(cursor, RC_NAME_WIDE, "an MPI call", &call))
            return -1;
        if (rc_structural_model_push(&traced->calls, &traced->n_calls, &call, sizeof call,
                                     parser->error)) {
            free(call);
            return -1;
        }
    } while (rc_structural_cursor_accept(cursor, ','));
    return 0;
}

static int read_ranks(struct rc_cursor *cursor, struct rc_traced *traced)
{
    static const char *const words[] = {"all", "first", "rest"};
    int which;

    if (!rc_structural_cursor_accept_word(cursor, "of"))
        return 0;
    which = rc_structural_cursor_choose(cursor, words, 3, "all, first or rest");
    traced->ranks = (enum rc_traced_ranks)(which < 0 ? 0 : which);
    return which < 0 ? -1 : 0;
}

int rc_structural_traced_read(struct rc_cursor *cursor, struct rc_item *item)
{
    static const char *const words[] = {"calls", "computing"};
    struct rc_traced *traced = &item->traced;
    int which = rc_structural_cursor_choose(cursor, words, 2, "calls or computing");

    if (which < 0)
        return -1;
    traced->what = which == 0 ? RC_TRACED_CALLS : RC_TRACED_COMPUTING;
    if (traced->what == RC_TRACED_COMPUTING) {
        traced->place = rc_structural_cursor_accept_word(cursor, "before")  ? RC_TRACED_BEFORE
                        : rc_structural_cursor_accept_word(cursor, "after") ? RC_TRACED_AFTER
                                                                            : RC_TRACED_ANYWHERE;
    }
    if ((traced->what == RC_TRACED_CALLS || traced->place != RC_TRACED_ANYWHERE) &&
        read_calls(cursor, traced))
        return -1;
    return read_ranks(cursor, traced);
}

/* ---- totals ---- */

int rc_structural_waits_read(struct rc_cursor *cursor, struct rc_item *item)
{
    item->waits = rc_structural_cursor_accept_word(cursor, "often")  ? RC_WAITS_OFTEN
                  : rc_structural_cursor_accept_word(cursor, "once") ? RC_WAITS_ONCE
                                                                     : RC_WAITS_TIMES;
    return item->waits == RC_WAITS_TIMES ? read_formula(cursor, item, &item->times) : 0;
}
