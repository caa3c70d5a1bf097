// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_statement.c - the statements of a model file: model, on, set, hosts, omit, use and profile,
 * and those of items:
 *
 *     input NAME[PARAMETERS] ["text"]
 *     define NAME[PARAMETERS] ["text"]
 *     component TASK[PARAMETERS] by NAME ["text"]
 *     total NAME ["text"]
 *
 * Clauses of items follow, the first one perhaps in the same line. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

/* Lines first … last-1 of the source; `at` is behind the word that begins the statement. */
struct statement {
    size_t first, last, at;
    enum rc_item_kind kind; /* of a statement that is an item */
};

/* All of a statement behind its word. */
static struct rc_cursor whole(struct rc_model_parser *parser, const struct statement *statement)
{
    return (struct rc_cursor){parser, statement->at, parser->source.lines[statement->last - 1].end};
}

static size_t word_of(const struct rc_model_parser *parser, const struct statement *statement)
{
    return parser->source.lines[statement->first].start;
}

/* ---- the model and its sections ---- */

static int statement_model(struct rc_model_parser *parser, const struct statement *statement)
{
    size_t next =
        rc_structural_clause_line(&parser->source, statement->first + 1, statement->last, true);
    struct rc_cursor head = {parser, statement->at, parser->source.lines[next - 1].end};
    size_t at = word_of(parser, statement);
    struct rc_model *model = parser->model;
    unsigned column;

    if (parser->file > 0)
        return rc_structural_fail(parser, at, "unexpected 'model'; only the first file has one");
    if (parser->model_line > 0)
        return rc_structural_fail(parser, at, "duplicate 'model'; the first is in line %u",
                                  parser->model_line);
    rc_structural_source_place(&parser->source, at, &parser->model_line, &column);
    if (rc_structural_cursor_name(&head, RC_NAME_WIDE, "the model", &model->name) ||
        rc_structural_cursor_description(&head, &model->description) ||
        rc_structural_clauses_read(parser, NULL, &head, next, statement->last))
        return -1;
    if (!model->app && !(model->app = strdup(model->name)))
        return rc_error_no_memory(parser->error);
    return 0;
}

/* The index of the section of that name, which is made where there is none; -1 on failure. */
static int find_section(struct rc_model_parser *parser, size_t at, const char *name)
{
    struct rc_model *model = parser->model;
    struct rc_model_section section = {0};
    int found = rc_structural_model_find_section(model, name);

    if (found >= 0)
        return found;
    if (model->n_sections == RC_MODEL_SECTIONS_MAX)
        return rc_structural_fail(parser, at, "more than %d sections 'on'", RC_MODEL_SECTIONS_MAX);
    section.name = strdup(name);
    if (!section.name)
        return rc_error_no_memory(parser->error);
    if (rc_structural_model_push(&model->sections, &model->n_sections, &section, sizeof section,
                                 parser->error)) {
        free(section.name);
        return -1;
    }
    return (int)model->n_sections - 1;
}

static int statement_on(struct rc_model_parser *parser, const struct statement *statement)
{
    struct rc_cursor cursor = whole(parser, statement);
    char *name = NULL, *description = NULL;
    int status = -1;

    if (rc_structural_cursor_name(&cursor, RC_NAME_WIDE, "a platform", &name) == 0 &&
        rc_structural_cursor_description(&cursor, &description) == 0 &&
        rc_structural_cursor_end(&cursor) == 0) {
        parser->section = find_section(parser, word_of(parser, statement), name);
        status = parser->section < 0 ? -1 : 0;
    }
    if (status == 0 && description) {
        struct rc_model_section *section = &parser->model->sections[parser->section];

        free(section->description);
        section->description = description;
        description = NULL;
    }
    free(name);
    free(description);
    return status;
}

/* ---- hosts ---- */

/* Whether a word with a bracket comes next, as in "first(hosts)". */
static bool is_call(struct rc_cursor cursor)
{
    const char *text = cursor.parser->source.plain;

    rc_structural_cursor_peek(&cursor);
    while (cursor.at < cursor.end && !strchr(" \n(),[", text[cursor.at]))
        cursor.at++;
    return rc_structural_cursor_peek(&cursor) == '(';
}

/* "first(SET)" */
static int read_part(struct rc_cursor *cursor, struct rc_model_set *set)
{
    static const char *const words[] = {"first", "last", "rest"};
    static const enum rc_set_kind kinds[] = {RC_SET_FIRST, RC_SET_LAST, RC_SET_REST};
    int which = rc_structural_cursor_choose(cursor, words, 3, "first, last or rest of a set");

    if (which < 0)
        return -1;
    set->kind = kinds[which];
    rc_structural_cursor_accept(cursor, '('); /* is_call() has seen it */
    if (rc_structural_cursor_name(cursor, RC_NAME_ANY, "a set", &set->of))
        return -1;
    if (!rc_structural_cursor_accept(cursor, ')'))
        return rc_structural_cursor_unexpected(cursor, "')'");
    return rc_structural_cursor_end(cursor);
}

/* What follows "set NAME =".  One name stays both a host and a set until all sets are known. */
static int read_members(struct rc_cursor *cursor, struct rc_model_set *set)
{
    struct rc_hostlist list;
    size_t start, length;

    rc_structural_cursor_peek(cursor);
    if (is_call(*cursor))
        return read_part(cursor, set);
    start = cursor->at;
    length = cursor->end - start;
    if (rc_structural_cursor_hosts(cursor, &list))
        return -1;
    set->hosts = list.names;
    set->n_hosts = list.count;
    if (set->n_hosts != 1 || strlen(set->hosts[0]) != length ||
        memcmp(cursor->parser->source.plain + start, set->hosts[0], length) != 0)
        return 0;
    set->of = strdup(set->hosts[0]);
    return set->of ? 0 : rc_error_no_memory(cursor->parser->error);
}

static int statement_set(struct rc_model_parser *parser, const struct statement *statement)
{
    struct rc_cursor cursor = whole(parser, statement);
    struct rc_model_set set = {.kind = RC_SET_LIST,
                               .section = parser->section,
                               .file = parser->file};
    int status;
    size_t at;

    rc_structural_cursor_peek(&cursor);
    at = cursor.at;
    rc_structural_source_place(&parser->source, at, &set.line, &set.column);
    status = rc_structural_cursor_name(&cursor, RC_NAME_FREE, "a set", &set.name);
    if (status == 0 && !rc_structural_cursor_accept(&cursor, '='))
        status = rc_structural_cursor_unexpected(&cursor, "'='");
    if (status || read_members(&cursor, &set) || rc_structural_model_add_set(parser, at, &set)) {
        rc_structural_model_set_clear(&set);
        return -1;
    }
    return 0;
}

static int statement_hosts(struct rc_model_parser *parser, const struct statement *statement)
{
    struct rc_cursor cursor = whole(parser, statement);
    struct rc_model_hosts hosts = {.section = parser->section, .file = parser->file};
    size_t at = word_of(parser, statement);
    struct rc_hostlist list;

    rc_structural_source_place(&parser->source, at, &hosts.line, &hosts.column);
    if (rc_structural_cursor_hosts(&cursor, &list))
        return -1;
    hosts.names = list.names;
    hosts.n_names = list.count;
    if (rc_structural_model_add_hosts(parser, at, &hosts)) {
        rc_structural_model_hosts_clear(&hosts);
        return -1;
    }
    return 0;
}

/* ---- which tasks, and which alternatives ---- */

static int statement_omit(struct rc_model_parser *parser, const struct statement *statement)
{
    static const char *const below[] = {"below"};
    struct rc_cursor cursor = whole(parser, statement);
    struct rc_model_omit omit = {.section = parser->section, .file = parser->file};
    size_t at = word_of(parser, statement);

    rc_structural_source_place(&parser->source, at, &omit.line, &omit.column);
    if (rc_structural_cursor_choose(&cursor, below, 1, "'below'") < 0 ||
        rc_structural_cursor_share(&cursor, 1, &omit.below) || rc_structural_cursor_end(&cursor))
        return -1;
    return rc_structural_model_add_omit(parser, at, &omit);
}

static int read_use(struct rc_cursor *cursor, struct rc_use *use)
{
    static const char *const by[] = {"by"};

    if (rc_structural_cursor_accept_word(cursor, "total")) {
        use->task = strdup("total");
        if (!use->task)
            return rc_error_no_memory(cursor->parser->error);
    } else if (rc_structural_cursor_name(cursor, RC_NAME_FREE, "a task", &use->task) ||
               rc_structural_cursor_choose(cursor, by, 1, "'by' and the name of an alternative") <
                   0) {
        return -1;
    }
    if (rc_structural_cursor_name(cursor, RC_NAME_ANY, "an alternative", &use->alternative))
        return -1;
    return rc_structural_cursor_end(cursor);
}

static int statement_use(struct rc_model_parser *parser, const struct statement *statement)
{
    struct rc_cursor cursor = whole(parser, statement);
    struct rc_use use = {.section = parser->section, .file = parser->file};
    size_t at;

    rc_structural_cursor_peek(&cursor);
    at = cursor.at;
    rc_structural_source_place(&parser->source, at, &use.line, &use.column);
    if (read_use(&cursor, &use) || rc_structural_model_add_use(parser, at, &use)) {
        rc_structural_use_clear(&use);
        return -1;
    }
    return 0;
}

/* One line of a profile; `*sum` is that of the shares so far. */
static int read_share(struct rc_cursor *line, double *sum)
{
    struct rc_model_parser *parser = line->parser;
    struct rc_profile_entry entry = {.section = parser->section, .file = parser->file};
    size_t at = line->at;
    int status;

    rc_structural_source_place(&parser->source, at, &entry.line, &entry.column);
    status = rc_structural_cursor_name(line, RC_NAME_FREE, "a task", &entry.task);
    if (status == 0)
        status = rc_structural_cursor_share(line, 1, &entry.share);
    if (status == 0) {
        *sum += entry.share;
        /* A little more may come of rounding each share. */
        status = *sum <= 1.0001
                     ? rc_structural_model_add_profile(parser, at, &entry)
                     : rc_structural_fail(parser, at, "the shares sum to %.6g%%, more than 100%%",
                                          100 * *sum);
    }
    if (status)
        free(entry.task);
    return status;
}

static int statement_profile(struct rc_model_parser *parser, const struct statement *statement)
{
    struct rc_cursor cursor = whole(parser, statement), line;
    struct rc_cursor first = {parser, statement->at, parser->source.lines[statement->first].end};
    double sum = 0;

    if (rc_structural_model_begin_profile(parser, word_of(parser, statement)) ||
        rc_structural_cursor_end(&first))
        return -1;
    if (rc_structural_cursor_peek(&cursor) == '\0')
        return rc_structural_cursor_unexpected(&cursor, "a line with a task and its share");
    while (rc_structural_cursor_line(&cursor, &line))
        if (read_share(&line, &sum))
            return -1;
    return 0;
}

/* ---- items ---- */

static int read_parameter(struct rc_cursor *cursor, struct rc_item *item)
{
    char **parameter = &item->parameters[item->n_parameters];
    size_t at;

    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    if (item->n_parameters == RC_MODEL_PARAMETERS_MAX)
        return rc_structural_fail(cursor->parser, at, "more than %d parameters",
                                  RC_MODEL_PARAMETERS_MAX);
    if (rc_structural_cursor_name(cursor, RC_NAME_FREE, "a parameter", parameter))
        return -1;
    item->n_parameters++;
    for (size_t i = 0; i + 1 < item->n_parameters; i++)
        if (strcmp(item->parameters[i], *parameter) == 0)
            return rc_structural_fail(cursor->parser, at, "duplicate parameter '%s'", *parameter);
    return 0;
}

static int read_parameters(struct rc_cursor *cursor, struct rc_item *item)
{
    size_t at;

    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    if (!rc_structural_cursor_accept(cursor, '['))
        return 0;
    if (item->kind == RC_ITEM_TOTAL)
        return rc_structural_fail(cursor->parser, at, "a total has no parameters");
    do
        if (read_parameter(cursor, item))
            return -1;
    while (rc_structural_cursor_accept(cursor, ','));
    return rc_structural_cursor_accept(cursor, ']')
               ? 0
               : rc_structural_cursor_unexpected(cursor, "',' or ']'");
}

static int read_alternative(struct rc_cursor *cursor, struct rc_item *item)
{
    static const char *const by[] = {"by"};

    if (rc_structural_cursor_choose(cursor, by, 1, "'by' and the name of the alternative") < 0)
        return -1;
    return rc_structural_cursor_name(cursor, RC_NAME_ANY, "an alternative", &item->alternative);
}

static int read_head(struct rc_cursor *cursor, struct rc_item *item, size_t *at)
{
    struct rc_model_parser *parser = cursor->parser;
    bool total = item->kind == RC_ITEM_TOTAL;

    rc_structural_cursor_peek(cursor);
    *at = cursor->at;
    rc_structural_source_place(&parser->source, *at, &item->line, &item->column);
    if (rc_structural_cursor_name(cursor, total ? RC_NAME_ANY : RC_NAME_FREE,
                                  rc_structural_item_kind_names[item->kind],
                                  total ? &item->alternative : &item->name) ||
        read_parameters(cursor, item))
        return -1;
    if (total && !(item->name = strdup("total")))
        return rc_error_no_memory(parser->error);
    if (item->kind == RC_ITEM_COMPONENT && read_alternative(cursor, item))
        return -1;
    return rc_structural_cursor_description(cursor, &item->description);
}

/* An input can do without a formula, and so can an alternative that is said to differ on a
 * platform: it has that of everywhere. */
static int check_value(struct rc_model_parser *parser, size_t at, const struct rc_item *item)
{
    bool component = item->kind == RC_ITEM_COMPONENT, total = item->kind == RC_ITEM_TOTAL;

    if (item->kind == RC_ITEM_INPUT || item->expression ||
        (item->alternative && item->section >= 0))
        return 0;
    rc_structural_fail(parser, at, "'%s%s%s' has no formula",
                       total ? item->alternative : item->name, component ? "' by '" : "",
                       component ? item->alternative : "");
    return rc_error_hint(parser->error, "write = FORMULA, in the same line or the next");
}

static int statement_item(struct rc_model_parser *parser, const struct statement *statement)
{
    size_t next =
        rc_structural_clause_line(&parser->source, statement->first + 1, statement->last, false);
    struct rc_cursor head = {parser, statement->at, parser->source.lines[next - 1].end};
    struct rc_item item = {.kind = statement->kind,
                           .section = parser->section,
                           .file = parser->file,
                           .window = 300,
                           .window_kind = -1};
    size_t at;

    item.source = item.kind == RC_ITEM_INPUT ? RC_FROM_USER : RC_FROM_FORMULA;
    rc_structural_meta_init(&item.meta);
    if (read_head(&head, &item, &at) ||
        rc_structural_clauses_read(parser, &item, &head, next, statement->last) ||
        check_value(parser, at, &item) || rc_structural_measure_check(parser, at, &item) ||
        rc_structural_model_add_item(parser, at, &item)) {
        rc_structural_item_clear(&item);
        return -1;
    }
    return 0;
}

/* ---- all of them ---- */

static const struct kind {
    const char *word;
    int (*read)(struct rc_model_parser *parser, const struct statement *statement);
    enum rc_item_kind kind; /* of items */
} kinds[] = {
    {"model", statement_model, 0},
    {"set", statement_set, 0},
    {"input", statement_item, RC_ITEM_INPUT},
    {"define", statement_item, RC_ITEM_DEFINE},
    {"component", statement_item, RC_ITEM_COMPONENT},
    {"total", statement_item, RC_ITEM_TOTAL},
    {"profile", statement_profile, 0},
    {"omit", statement_omit, 0},
    {"use", statement_use, 0},
    {"hosts", statement_hosts, 0},
    {"on", statement_on, 0},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

int rc_structural_statement_read(struct rc_model_parser *parser, size_t first, size_t last)
{
    const struct rc_source_line *line = &parser->source.lines[first];
    struct statement statement = {.first = first, .last = last};
    struct rc_cursor cursor = {parser, line->start, line->end};
    const char *words[N_KINDS];
    int which;

    for (size_t i = 0; i < N_KINDS; i++)
        words[i] = kinds[i].word;
    if (line->indented)
        return rc_structural_fail(parser, line->start, "indented line without a statement above");
    which = rc_structural_cursor_choose(
        &cursor, words, N_KINDS,
        "a statement (model, set, input, define, component, total, profile, omit, use, hosts, on)");
    if (which < 0)
        return rc_structural_clause_starts(&parser->source, line->start)
                   ? rc_error_hint(parser->error, "indent the lines of a statement")
                   : -1;
    if (parser->file == 0 && parser->model_line == 0 && which != 0) {
        rc_structural_fail(parser, line->start, "unexpected '%s'; expected the statement 'model'",
                           words[which]);
        return rc_error_hint(parser->error, "begin the model with: model NAME \"text\"");
    }
    statement.at = cursor.at;
    statement.kind = kinds[which].kind;
    return kinds[which].read(parser, &statement);
}
