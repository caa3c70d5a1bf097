// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_add.c - putting what was read into the model: limits, what may not stand beside what, and
 * that a later file wins over an earlier one.
 *
 * Every kind of thing has a key.  The same key twice in one file is a fault, as nobody would see
 * which one counts; in a later file it takes the place of the earlier one.  What hangs on several
 * things at once (the parameters of the alternatives of a task) is looked at when all files are
 * read, as they may be replaced one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

/* Removes element `i` of a list, whose content is gone already. */
static void remove_at(void *list, size_t *count, size_t i, size_t size)
{
    char *at = (char *)list + i * size;

    --*count;
    memmove(at, at + size, (*count - i) * size);
}

/* "line 5", or "line 5 of FILE". */
enum { WHERE_SIZE = 320 };
static const char *where(const struct rc_model_parser *parser, unsigned file, unsigned line,
                         char text[WHERE_SIZE])
{
    if (file == parser->file)
        snprintf(text, WHERE_SIZE, "line %u", line);
    else
        snprintf(text, WHERE_SIZE, "line %u of %.255s", line, parser->model->files[file].name);
    return text;
}

/* ---- names ---- */

/* "a task", as of a component's name. */
static const char *named(enum rc_item_kind kind)
{
    return kind == RC_ITEM_COMPONENT ? "a task" : rc_structural_item_kind_names[kind];
}

static int taken(struct rc_model_parser *parser, size_t at, const char *name, const char *as,
                 unsigned file, unsigned line)
{
    char text[WHERE_SIZE];

    return rc_structural_fail(parser, at, "'%s' is already the name of %s, in %s", name, as,
                              where(parser, file, line, text));
}

/* A name stands for one kind of thing, in all sections. */
static int check_item_name(struct rc_model_parser *parser, size_t at, const struct rc_item *item)
{
    const struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *other = &model->items[i];

        if (other->kind != item->kind && strcmp(other->name, item->name) == 0)
            return taken(parser, at, item->name, named(other->kind), other->file, other->line);
    }
    for (size_t i = 0; i < model->n_sets; i++) {
        const struct rc_model_set *set = &model->sets[i];

        if (strcmp(set->name, item->name) == 0)
            return taken(parser, at, item->name, "a set", set->file, set->line);
    }
    return 0;
}

static int check_set_name(struct rc_model_parser *parser, size_t at, const char *name)
{
    const struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (strcmp(item->name, name) == 0)
            return taken(parser, at, name, named(item->kind), item->file, item->line);
    }
    return 0;
}

/* ---- items ---- */

static bool same_item(const struct rc_item *a, const struct rc_item *b)
{
    return a->section == b->section && a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
           (a->alternative ? strcmp(a->alternative, b->alternative) == 0 : true);
}

static int item_again(struct rc_model_parser *parser, size_t at, const struct rc_item *item,
                      unsigned line)
{
    if (item->kind == RC_ITEM_TOTAL)
        return rc_structural_fail(parser, at, "duplicate total '%s'; the first is in line %u",
                                  item->alternative, line);
    return rc_structural_fail(parser, at, "duplicate '%s'%s%s%s; the first is in line %u",
                              item->name, item->alternative ? " by '" : "",
                              item->alternative ? item->alternative : "",
                              item->alternative ? "'" : "", line);
}

int rc_structural_model_add_item(struct rc_model_parser *parser, size_t at, struct rc_item *item)
{
    struct rc_model *model = parser->model;

    if (check_item_name(parser, at, item))
        return -1;
    for (size_t i = 0; i < model->n_items; i++)
        if (same_item(&model->items[i], item)) {
            if (model->items[i].file == parser->file)
                return item_again(parser, at, item, model->items[i].line);
            rc_structural_item_clear(&model->items[i]);
            remove_at(model->items, &model->n_items, i, sizeof *model->items);
            break;
        }
    if (model->n_items == RC_MODEL_ITEMS_MAX)
        return rc_structural_fail(parser, at,
                                  "more than %d inputs, definitions, components and totals",
                                  RC_MODEL_ITEMS_MAX);
    return rc_structural_model_push(&model->items, &model->n_items, item, sizeof *item,
                                    parser->error);
}

/* ---- sets and hosts ---- */

/* Refuses `more` hosts where there would be too many in all lists. */
static int check_hosts(struct rc_model_parser *parser, size_t at, size_t more)
{
    const struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_sets; i++)
        more += model->sets[i].n_hosts;
    for (size_t i = 0; i < model->n_hosts; i++)
        more += model->hosts[i].n_names;
    return more <= RC_MODEL_HOSTS_MAX
               ? 0
               : rc_structural_fail(parser, at, "more than %d hosts in the lists of the model",
                                    RC_MODEL_HOSTS_MAX);
}

static int check_count(struct rc_model_parser *parser, size_t at, size_t count, const char *what)
{
    return count < RC_MODEL_OTHERS_MAX
               ? 0
               : rc_structural_fail(parser, at, "more than %d %s", RC_MODEL_OTHERS_MAX, what);
}

int rc_structural_model_add_set(struct rc_model_parser *parser, size_t at, struct rc_model_set *set)
{
    struct rc_model *model = parser->model;

    if (check_set_name(parser, at, set->name))
        return -1;
    for (size_t i = 0; i < model->n_sets; i++)
        if (model->sets[i].section == set->section && strcmp(model->sets[i].name, set->name) == 0) {
            if (model->sets[i].file == parser->file)
                return rc_structural_fail(parser, at, "duplicate set '%s'; the first is in line %u",
                                          set->name, model->sets[i].line);
            rc_structural_model_set_clear(&model->sets[i]);
            remove_at(model->sets, &model->n_sets, i, sizeof *model->sets);
            break;
        }
    if (check_count(parser, at, model->n_sets, "sets") || check_hosts(parser, at, set->n_hosts))
        return -1;
    return rc_structural_model_push(&model->sets, &model->n_sets, set, sizeof *set, parser->error);
}

int rc_structural_model_add_hosts(struct rc_model_parser *parser, size_t at,
                                  struct rc_model_hosts *hosts)
{
    struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_hosts; i++)
        if (model->hosts[i].section == hosts->section) {
            if (model->hosts[i].file == parser->file)
                return rc_structural_fail(parser, at, "duplicate 'hosts'; the first is in line %u",
                                          model->hosts[i].line);
            rc_structural_model_hosts_clear(&model->hosts[i]);
            remove_at(model->hosts, &model->n_hosts, i, sizeof *model->hosts);
            break;
        }
    if (check_hosts(parser, at, hosts->n_names))
        return -1;
    return rc_structural_model_push(&model->hosts, &model->n_hosts, hosts, sizeof *hosts,
                                    parser->error);
}

/* ---- which tasks, and which alternatives ---- */

int rc_structural_model_add_omit(struct rc_model_parser *parser, size_t at,
                                 struct rc_model_omit *omit)
{
    struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_omits; i++)
        if (model->omits[i].section == omit->section) {
            if (model->omits[i].file == parser->file)
                return rc_structural_fail(parser, at, "duplicate 'omit'; the first is in line %u",
                                          model->omits[i].line);
            remove_at(model->omits, &model->n_omits, i, sizeof *model->omits);
            break;
        }
    return rc_structural_model_push(&model->omits, &model->n_omits, omit, sizeof *omit,
                                    parser->error);
}

int rc_structural_model_add_use(struct rc_model_parser *parser, size_t at, struct rc_use *use)
{
    struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_uses; i++)
        if (model->uses[i].section == use->section && strcmp(model->uses[i].task, use->task) == 0) {
            if (model->uses[i].file == parser->file)
                return rc_structural_fail(parser, at,
                                          "duplicate 'use' of '%s'; the first is in line %u",
                                          use->task, model->uses[i].line);
            rc_structural_use_clear(&model->uses[i]);
            remove_at(model->uses, &model->n_uses, i, sizeof *model->uses);
            break;
        }
    if (check_count(parser, at, model->n_uses, "'use'"))
        return -1;
    return rc_structural_model_push(&model->uses, &model->n_uses, use, sizeof *use, parser->error);
}

int rc_structural_model_begin_profile(struct rc_model_parser *parser, size_t at)
{
    struct rc_model *model = parser->model;

    for (size_t i = model->n_profile; i-- > 0;) {
        if (model->profile[i].section != parser->section)
            continue;
        if (model->profile[i].file == parser->file)
            return rc_structural_fail(parser, at, "duplicate profile; the first ends in line %u",
                                      model->profile[i].line);
        free(model->profile[i].task);
        remove_at(model->profile, &model->n_profile, i, sizeof *model->profile);
    }
    return 0;
}

int rc_structural_model_add_profile(struct rc_model_parser *parser, size_t at,
                                    struct rc_profile_entry *entry)
{
    struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_profile; i++)
        if (model->profile[i].section == entry->section &&
            strcmp(model->profile[i].task, entry->task) == 0)
            return rc_structural_fail(parser, at,
                                      "duplicate share of '%s'; the first is in line %u",
                                      entry->task, model->profile[i].line);
    if (check_count(parser, at, model->n_profile, "lines of profiles"))
        return -1;
    return rc_structural_model_push(&model->profile, &model->n_profile, entry, sizeof *entry,
                                    parser->error);
}

/* ---- all files together ---- */

/* Alternatives of one task can only stand for one another with the same parameters. */
static int check_alternatives(struct rc_model_parser *parser, const struct rc_item *item)
{
    char text[WHERE_SIZE];

    for (const struct rc_item *other = parser->model->items; other < item; other++)
        if (other->kind == RC_ITEM_COMPONENT && strcmp(other->name, item->name) == 0 &&
            other->n_parameters != item->n_parameters) {
            parser->file = item->file;
            return rc_error_at(parser->error, parser->model->files[item->file].name, item->line,
                               item->column, "'%s' has %zu parameter%s here but %zu in %s",
                               item->name, item->n_parameters, item->n_parameters == 1 ? "" : "s",
                               other->n_parameters, where(parser, other->file, other->line, text));
        }
    return 0;
}

/* A set that was written as one name is another set if there is one of that name, or a host. */
static void settle_set(const struct rc_model *model, struct rc_model_set *set)
{
    bool found = strcmp(set->of, "hosts") == 0;

    for (size_t i = 0; i < model->n_sets && !found; i++)
        found = strcmp(model->sets[i].name, set->of) == 0;
    if (!found) {
        free(set->of);
        set->of = NULL;
        return;
    }
    set->kind = RC_SET_SAME;
    free(set->hosts[0]);
    free(set->hosts);
    set->hosts = NULL;
    set->n_hosts = 0;
}

/* Gives an alternative without a formula what it does not say itself, from the same alternative of
 * everywhere. */
static int inherit(struct rc_item *item, const struct rc_item *from)
{
    item->expression = rc_value_expression_copy(from->expression);
    if (!item->expression)
        return -1;
    if (item->task_kind == RC_TASK_OTHER)
        item->task_kind = from->task_kind;
    if (item->waits == RC_WAITS_NOT_STATED) {
        item->waits = from->waits;
        item->times = from->times ? rc_value_expression_copy(from->times) : NULL;
        if (from->times && !item->times)
            return -1;
    }
    if (item->traced.what == RC_TRACED_NOTHING &&
        rc_structural_traced_copy(&item->traced, &from->traced))
        return -1;
    if (!item->description && from->description && !(item->description = strdup(from->description)))
        return -1;
    for (size_t i = 0; item->n_conditions == i && i < from->n_conditions; i++) {
        struct rc_condition *condition = &item->conditions[item->n_conditions++];

        condition->relation = from->conditions[i].relation;
        condition->left = rc_value_expression_copy(from->conditions[i].left);
        condition->right = rc_value_expression_copy(from->conditions[i].right);
        if (!condition->left || !condition->right)
            return -1;
    }
    return 0;
}

/* An alternative that is there for everywhere, too, may leave its formula to that. */
static int settle_formula(struct rc_model_parser *parser, struct rc_item *item)
{
    const struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *other = &model->items[i];

        if (other->section < 0 && other->alternative && strcmp(other->name, item->name) == 0 &&
            strcmp(other->alternative, item->alternative) == 0)
            return inherit(item, other) ? rc_error_no_memory(parser->error) : 0;
    }
    parser->file = item->file;
    rc_error_at(parser->error, model->files[item->file].name, item->line, item->column,
                "'%s' by '%s' has no formula, neither here nor outside 'on'", item->name,
                item->alternative);
    return rc_error_hint(parser->error, "write = FORMULA, in the same line or the next");
}

int rc_structural_model_settle(struct rc_model_parser *parser)
{
    struct rc_model *model = parser->model;

    for (size_t i = 0; i < model->n_items; i++) {
        struct rc_item *item = &model->items[i];

        if ((item->kind == RC_ITEM_COMPONENT && check_alternatives(parser, item)) ||
            (item->alternative && !item->expression && settle_formula(parser, item)))
            return -1;
    }
    for (size_t i = 0; i < model->n_sets; i++)
        if (model->sets[i].kind == RC_SET_LIST && model->sets[i].of)
            settle_set(model, &model->sets[i]);
    return 0;
}
