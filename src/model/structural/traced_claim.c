// SPDX-License-Identifier: GPL-3.0-or-later
/* traced_claim.c - what of a trace is whose, by the `traced` clauses of a model. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "model/structural/traced_internal.h"
#include "mpi/trace/rank_outline.h"

/* ---- names of calls ---- */

static const char *bare(const char *name)
{
    return strncasecmp(name, "MPI_", 4) == 0 ? name + 4 : name;
}

static const char *nearest_call(const char *name)
{
    const char *names[RC_TRACE_KIND_COUNT];

    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT; i++)
        names[i] = bare(rc_trace_kind_info(i)->name);
    return rc_nearest_word(bare(name), names, RC_TRACE_KIND_COUNT, sizeof *names);
}

int rc_structural_traced_kind(const char *name, struct rc_error *error)
{
    const char *nearest;

    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (strcasecmp(bare(rc_trace_kind_info(i)->name), bare(name)) == 0)
            return (int)i;
    nearest = nearest_call(name);
    rc_error_set(error, "unknown MPI call '%.60s'", name);
    if (nearest)
        rc_error_hint(error, "did you mean '%s'?", nearest);
    return -1;
}

/* ---- what a claim is about ---- */

bool rc_structural_claim_has_rank(const struct rc_claim *claim, uint32_t rank)
{
    return claim->ranks == RC_TRACED_ALL || (claim->ranks == RC_TRACED_FIRST) == (rank == 0);
}

bool rc_structural_claim_has_call(const struct rc_claim *claim, unsigned kind)
{
    return !claim->computing && claim->kinds[kind];
}

bool rc_structural_claim_has_gap(const struct rc_claim *claim, unsigned before, unsigned after)
{
    if (!claim->computing)
        return false;
    if (claim->place == RC_TRACED_AFTER)
        return before != RC_TIMES_NOTHING && claim->kinds[before];
    return claim->place == RC_TRACED_ANYWHERE || claim->kinds[after];
}

static bool same(const struct rc_claim *a, const struct rc_claim *b)
{
    return a->computing == b->computing && a->place == b->place && a->ranks == b->ranks &&
           memcmp(a->kinds, b->kinds, sizeof a->kinds) == 0;
}

/* ---- clauses of components ---- */

static int at_item(const struct rc_model *model, const struct rc_item *item,
                   const struct rc_error *what, struct rc_error *error)
{
    rc_error_at(error, model->files[item->file].name, item->line, item->column, "'%s': %s",
                item->name, what->text);
    return what->hint[0] ? rc_error_hint(error, "%s", what->hint) : -1;
}

static int read_clause(const struct rc_model *model, const struct rc_item *item,
                       struct rc_claim *claim, struct rc_error *error)
{
    const struct rc_traced *traced = &item->traced;
    struct rc_error what = {.text = ""};

    *claim = (struct rc_claim){.computing = traced->what == RC_TRACED_COMPUTING,
                               .place = traced->place,
                               .ranks = traced->ranks,
                               .item = item,
                               .task = item->name};
    for (size_t i = 0; i < traced->n_calls; i++) {
        int kind = rc_structural_traced_kind(traced->calls[i], &what);

        if (kind < 0)
            return at_item(model, item, &what, error);
        if (!claim->computing && rc_structural_times_outside((unsigned)kind)) {
            rc_error_set(&what, "%s is not part of the profiled run",
                         rc_trace_kind_info((unsigned)kind)->name);
            return at_item(model, item, &what, error);
        }
        claim->kinds[kind] = true;
    }
    return 0;
}

static bool holds(const struct rc_item *item, int section)
{
    return item->kind == RC_ITEM_COMPONENT && rc_structural_model_holds(item->section, section);
}

/* The clause of a task: of any of its alternatives, those of the section first.  1, or 0 where
 * there is none; that several differ is an error. */
static int task_clause(const struct rc_model *model, int section, const char *task,
                       struct rc_claim *claim, struct rc_error *error)
{
    struct rc_claim other;
    int found = 0;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (!holds(item, section) || strcmp(item->name, task) != 0 ||
            item->traced.what == RC_TRACED_NOTHING ||
            (found && item->section < claim->item->section))
            continue;
        if (read_clause(model, item, &other, error))
            return -1;
        if (found && item->section == claim->item->section && !same(claim, &other)) {
            rc_error_at(error, model->files[item->file].name, item->line, item->column,
                        "'%s' by '%s' and by '%s' have different 'traced' clauses", task,
                        claim->item->alternative, item->alternative);
            return rc_error_hint(error,
                                 "use the same 'traced' clause for all alternatives of a task");
        }
        if (!found || item->section > claim->item->section)
            *claim = other;
        found = 1;
    }
    return found;
}

/* ---- without clauses ---- */

static const struct {
    enum rc_task_kind kind;
    bool computing;
    const char *write;
} by_kind[] = {
    {RC_TASK_COMPUTATION, true, "traced computing before Gather of rest"},
    {RC_TASK_COMMUNICATION, false, "traced calls Bcast, Scatter"},
    {RC_TASK_IO, false, "traced calls File_read, File_write"},
};

static bool of_kind(const struct rc_model *model, int section, const char *task,
                    enum rc_task_kind kind)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (holds(&model->items[i], section) && model->items[i].task_kind == kind &&
            strcmp(model->items[i].name, task) == 0)
            return true;
    return false;
}

static int several(const char *task, const char *other, const char *kind, const char *write,
                   struct rc_error *error)
{
    rc_error_set(error, "no component has a 'traced' clause, and '%s' and '%s' are both %s", task,
                 other, kind);
    return rc_error_hint(error, "write a line such as '%s' below 'component %s'", write, task);
}

/* The claim of the only task of a kind.  1, or 0 where there is none. */
static int default_claim(const struct rc_model *model, int section, const struct rc_claims *claims,
                         size_t which, struct rc_claim *claim, struct rc_error *error)
{
    const char *task = NULL;

    for (size_t i = 0; i < claims->n_tasks; i++)
        if (of_kind(model, section, claims->tasks[i], by_kind[which].kind)) {
            if (task)
                return several(task, claims->tasks[i],
                               rc_structural_task_kind_names[by_kind[which].kind],
                               by_kind[which].write, error);
            task = claims->tasks[i];
        }
    *claim = (struct rc_claim){.computing = by_kind[which].computing, .task = task};
    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT && !claim->computing; i++) {
        bool files = rc_trace_kind_info(i)->class == RC_TRACE_FILES;

        claim->kinds[i] = by_kind[which].kind == RC_TASK_IO
                              ? files
                              : !files && rc_trace_doing_of(i) == RC_DOING_COMMUNICATING;
    }
    return task != NULL;
}

static size_t find_task(const struct rc_claims *claims, const char *task)
{
    size_t i = 0;

    while (i < claims->n_tasks && strcmp(claims->tasks[i], task) != 0)
        i++;
    return i;
}

/* ---- all of them ---- */

/* A claim that is there already has one task more. */
static size_t add_claim(struct rc_claims *claims, const struct rc_claim *claim)
{
    size_t i = 0;

    while (i < claims->n && !same(&claims->items[i], claim))
        i++;
    if (i == claims->n)
        claims->items[claims->n++] = *claim;
    claims->items[i].n_tasks++;
    return i;
}

static int list_tasks(struct rc_claims *claims, const struct rc_model *model, int section,
                      struct rc_error *error)
{
    claims->tasks = calloc(model->n_items + 1, sizeof *claims->tasks);
    claims->of = calloc(model->n_items + 1, sizeof *claims->of);
    if (!claims->tasks || !claims->of)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < model->n_items; i++)
        if (holds(&model->items[i], section) &&
            find_task(claims, model->items[i].name) == claims->n_tasks)
            claims->tasks[claims->n_tasks++] = model->items[i].name;
    claims->items = calloc(claims->n_tasks + 1, sizeof *claims->items);
    return claims->items ? 0 : rc_error_no_memory(error);
}

static int claim_by_clauses(struct rc_claims *claims, const struct rc_model *model, int section,
                            struct rc_error *error)
{
    size_t n = 0;

    for (size_t i = 0; i < claims->n_tasks; i++) {
        struct rc_claim claim;
        int found = task_clause(model, section, claims->tasks[i], &claim, error);

        if (found < 0)
            return -1;
        if (found) {
            claims->of[n] = add_claim(claims, &claim);
            claims->tasks[n++] = claims->tasks[i];
        }
    }
    if (n)
        claims->n_tasks = n;
    return 0;
}

static int claim_by_kinds(struct rc_claims *claims, const struct rc_model *model, int section,
                          struct rc_error *error)
{
    enum { KINDS = sizeof by_kind / sizeof *by_kind };
    struct rc_claim found[KINDS];
    size_t n = 0;

    for (size_t i = 0; i < KINDS; i++) {
        int status = default_claim(model, section, claims, i, &found[n], error);

        if (status < 0)
            return -1;
        n += (size_t)status;
    }
    if (n == 0) {
        rc_error_set(error, "no component has a 'traced' or 'kind' clause");
        return rc_error_hint(error, "write a line such as 'traced computing' or 'traced calls "
                                    "Bcast' below each component");
    }
    claims->n_tasks = n;
    for (size_t i = 0; i < n; i++) {
        claims->tasks[i] = found[i].task;
        claims->of[i] = add_claim(claims, &found[i]);
    }
    return 0;
}

int rc_structural_claims_make(struct rc_claims *claims, const struct rc_model *model, int section,
                              struct rc_error *error)
{
    *claims = (struct rc_claims){0};
    if (list_tasks(claims, model, section, error) ||
        claim_by_clauses(claims, model, section, error))
        return -1;
    return claims->n ? 0 : claim_by_kinds(claims, model, section, error);
}

void rc_structural_claims_free(struct rc_claims *claims)
{
    free(claims->items);
    free(claims->of);
    free(claims->tasks);
    *claims = (struct rc_claims){0};
}
