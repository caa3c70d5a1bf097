// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_clause.c - the clauses of inputs, definitions, components, totals and of the model itself.
 *
 * One table tells the words, whose clause each is, and the function that reads it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

enum {
    OF_INPUT = 1 << RC_ITEM_INPUT,
    OF_DEFINE = 1 << RC_ITEM_DEFINE,
    OF_COMPONENT = 1 << RC_ITEM_COMPONENT,
    OF_TOTAL = 1 << RC_ITEM_TOTAL,
    OF_ITEM = OF_INPUT | OF_DEFINE | OF_COMPONENT | OF_TOTAL,
    OF_MODEL = 1 << (RC_ITEM_TOTAL + 1)
};

struct clause {
    const char *word;
    unsigned of;
    bool often;                                                  /* it may come more than once */
    int (*read)(struct rc_cursor *cursor, struct rc_item *item); /* item NULL: of the model */
};

void rc_structural_meta_init(struct rc_item_meta *meta)
{
    *meta = (struct rc_item_meta){.accuracy = NAN, .measured = NAN, .lifetime = NAN};
}

/* ---- where a value comes from ---- */

/* Notes that the value is given here; it may not have been given before. */
static int begin_value(struct rc_model_parser *parser, size_t at)
{
    unsigned column;

    if (parser->value_line > 0)
        return rc_structural_fail(parser, at, "duplicate '=' or 'from'; the first is in line %u",
                                  parser->value_line);
    rc_structural_source_place(&parser->source, at, &parser->value_line, &column);
    return 0;
}

/* Refuses the source at `at` unless the input has so many parameters. */
static int check_parameters(const struct rc_item *item, struct rc_model_parser *parser, size_t at,
                            const char *what, size_t least, size_t most)
{
    static const char *const numbers[] = {"no parameter", "one parameter", "two parameters"};

    if (item->n_parameters >= least && item->n_parameters <= most)
        return 0;
    return rc_structural_fail(parser, at, "%s needs an input with %s%s, but '%s' has %zu", what,
                              least == most ? numbers[least] : "one or ",
                              least == most ? "" : numbers[most], item->name, item->n_parameters);
}

static int read_table(struct rc_cursor *cursor, struct rc_item *item, size_t at)
{

    if (item->kind != RC_ITEM_INPUT)
        return rc_structural_fail(cursor->parser, at, "only an input has a table, not %s",
                                  rc_structural_item_kind_names[item->kind]);
    if (check_parameters(item, cursor->parser, at, "a table", 1, 2))
        return -1;
    item->source = RC_FROM_TABLE;
    return rc_structural_model_table_read(cursor, item);
}

static int read_value(struct rc_cursor *cursor, struct rc_item *item)
{
    size_t at;

    if (begin_value(cursor->parser, cursor->at - 1))
        return -1;
    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    if (rc_structural_cursor_accept_word(cursor, "table"))
        return read_table(cursor, item, at);
    item->source = RC_FROM_FORMULA;
    item->expression = rc_structural_cursor_formula(cursor, item);
    return item->expression ? 0 : -1;
}

static int read_platform(struct rc_cursor *cursor, struct rc_item *item)
{
    char what[40];
    bool between;
    size_t at;
    int field;

    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    field =
        rc_structural_cursor_choose(cursor, rc_structural_platform_field_names,
                                    RC_FIELDS_OF_PLATFORM,
                                    "speed, cores, memory, processes, cost, bandwidth or latency");
    if (field < 0)
        return -1;
    item->field = (enum rc_platform_field)field;
    between = field == RC_FIELD_OF_BANDWIDTH || field == RC_FIELD_OF_LATENCY;
    snprintf(what, sizeof what, "'from platform %s'", rc_structural_platform_field_names[field]);
    return check_parameters(item, cursor->parser, at, what, 1, between ? 2 : 1);
}

/* The kind that a series becomes, once. */
static int read_window_kind(struct rc_cursor *cursor, struct rc_item *item, size_t at)
{
    const char *words[RC_VALUE_KINDS];

    if (item->window_kind >= 0)
        return rc_structural_fail(cursor->parser, at, "duplicate 'as'");
    for (int i = 0; i < RC_VALUE_KINDS; i++)
        words[i] = rc_value_kind_name((enum rc_value_kind)i);
    item->window_kind =
        rc_structural_cursor_choose(cursor, words, RC_VALUE_KINDS,
                                    "point, normal, interval, modal, histogram or sample");
    return item->window_kind < 0 ? -1 : 0;
}

/* What counts where the database has no such series. */
static int read_otherwise(struct rc_cursor *cursor, struct rc_item *item)
{
    item->otherwise = rc_structural_cursor_formula(cursor, item);
    return item->otherwise ? 0 : -1;
}

static int read_series(struct rc_cursor *cursor, struct rc_item *item)
{
    bool windowed = false;
    size_t at;

    rc_structural_cursor_peek(cursor);
    if (check_parameters(item, cursor->parser, cursor->at, "'from series'", 1, 2) ||
        rc_structural_cursor_name(cursor, RC_NAME_WIDE, "a metric", &item->metric))
        return -1;
    while (rc_structural_cursor_peek(cursor)) {
        at = cursor->at;
        if (rc_structural_cursor_accept_word(cursor, "last")) {
            if (windowed)
                return rc_structural_fail(cursor->parser, at, "duplicate 'last'");
            windowed = true;
            if (rc_structural_cursor_duration(cursor, true, &item->window))
                return -1;
        } else if (rc_structural_cursor_accept_word(cursor, "as")) {
            if (read_window_kind(cursor, item, at))
                return -1;
        } else if (rc_structural_cursor_accept_word(cursor, "else")) {
            return read_otherwise(cursor, item);
        } else {
            return rc_structural_cursor_unexpected(cursor,
                                                   "'last', 'as', 'else' or the end of the line");
        }
    }
    return 0;
}

static int read_forecast(struct rc_cursor *cursor, struct rc_item *item)
{
    rc_structural_cursor_peek(cursor);
    if (check_parameters(item, cursor->parser, cursor->at, "'from forecast'", 1, 2) ||
        rc_structural_cursor_name(cursor, RC_NAME_WIDE, "a metric", &item->metric))
        return -1;
    return rc_structural_cursor_accept_word(cursor, "else") ? read_otherwise(cursor, item) : 0;
}

static int read_from(struct rc_cursor *cursor, struct rc_item *item)
{
    static const char *const words[] = {"size", "processes", "platform", "series", "forecast"};
    static const enum rc_db_input_source sources[] = {RC_FROM_SIZE, RC_FROM_PROCESSES,
                                                      RC_FROM_PLATFORM, RC_FROM_SERIES,
                                                      RC_FROM_FORECAST};
    size_t at;
    int which;

    if (begin_value(cursor->parser, cursor->at - strlen("from")))
        return -1;
    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    which = rc_structural_cursor_choose(cursor, words, 5,
                                        "size, processes, platform, series or forecast");
    if (which < 0)
        return -1;
    item->source = sources[which];
    switch (sources[which]) {
    case RC_FROM_PLATFORM:
        return read_platform(cursor, item);
    case RC_FROM_SERIES:
        return read_series(cursor, item);
    case RC_FROM_FORECAST:
        return read_forecast(cursor, item);
    default:
        return check_parameters(item, cursor->parser, at,
                                sources[which] == RC_FROM_SIZE ? "'from size'" : "'from processes'",
                                0, 0);
    }
}

/* ---- conditions ---- */

/* Formulas know neither relations nor "and", so it is enough to look for these outside of brackets;
 * what stands between is left to the parser of formulas. */

/* Where a comparison and its relation stand in the text. */
struct comparison {
    size_t end, next; /* of the comparison; behind the "and" after it */
    size_t relation, length;
};

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* Finds the relation outside of brackets, and the end: "and", or that of the clause. */
static int find_comparison(const struct rc_cursor *cursor, struct comparison *found)
{
    const char *text = cursor->parser->source.plain;
    size_t depth = 0, word;

    *found = (struct comparison){.end = cursor->end, .next = cursor->end};
    for (size_t i = cursor->at; i < cursor->end; i++) {
        if (strchr("([", text[i])) {
            depth++;
        } else if (strchr(")]", text[i])) {
            depth -= depth > 0;
        } else if (depth == 0 && strchr("<>=", text[i])) {
            if (found->length > 0) {
                rc_structural_fail(cursor->parser, i, "unexpected second comparison");
                return rc_error_hint(cursor->parser->error,
                                     "use <, <=, >, >= or =, and join comparisons with 'and'");
            }
            found->relation = i;
            found->length = text[i] != '=' && text[i + 1] == '=' ? 2 : 1;
            i += found->length - 1;
        } else if (in_word(text[i])) {
            for (word = i; i + 1 < cursor->end && in_word(text[i + 1]);)
                i++;
            if (depth == 0 && i - word == 2 && memcmp(text + word, "and", 3) == 0) {
                found->end = word;
                found->next = i + 1;
                return 0;
            }
        }
    }
    return 0;
}

/* The formula from where the cursor is up to `end`, without the blanks there. */
static struct rc_expression *read_side(struct rc_cursor *cursor, const struct rc_item *item,
                                       size_t end)
{
    struct rc_cursor side = {cursor->parser, cursor->at, end};
    const char *text = cursor->parser->source.plain;

    cursor->at = end;
    if (rc_structural_cursor_peek(&side) == '\0') {
        rc_structural_cursor_unexpected(cursor, "a formula");
        return NULL;
    }
    while (text[side.end - 1] == ' ' || text[side.end - 1] == '\n')
        side.end--;
    return rc_structural_cursor_formula(&side, item);
}

static enum rc_relation relation_at(const char *text, size_t length)
{
    if (text[0] == '=')
        return RC_EQUAL;
    if (text[0] == '<')
        return length > 1 ? RC_AT_MOST : RC_LESS;
    return length > 1 ? RC_AT_LEAST : RC_GREATER;
}

/* One comparison; `*more` tells whether there was an "and" behind it. */
static int read_condition(struct rc_cursor *cursor, struct rc_item *item, bool *more)
{
    struct rc_condition *condition = &item->conditions[item->n_conditions];
    struct rc_model_parser *parser = cursor->parser;
    struct comparison found;

    rc_structural_cursor_peek(cursor);
    if (item->n_conditions == RC_MODEL_CONDITIONS_MAX)
        return rc_structural_fail(parser, cursor->at, "more than %d conditions",
                                  RC_MODEL_CONDITIONS_MAX);
    if (find_comparison(cursor, &found))
        return -1;
    if (found.length == 0) {
        cursor->at = found.end;
        return rc_structural_cursor_unexpected(cursor, "a comparison (<, <=, >, >= or =)");
    }
    *condition = (struct rc_condition){
        .relation = relation_at(parser->source.plain + found.relation, found.length)};
    item->n_conditions++;
    condition->left = read_side(cursor, item, found.relation);
    cursor->at += found.length;
    if (condition->left)
        condition->right = read_side(cursor, item, found.end);
    cursor->at = found.next;
    *more = found.next > found.end;
    return condition->right ? 0 : -1;
}

static int read_conditions(struct rc_cursor *cursor, struct rc_item *item)
{
    bool more = true;

    while (more)
        if (read_condition(cursor, item, &more))
            return -1;
    return 0;
}

/* ---- what else is known ---- */

static int read_kind(struct rc_cursor *cursor, struct rc_item *item)
{
    int which = rc_structural_cursor_choose(cursor, rc_structural_task_kind_names + 1, 3,
                                            "computation, communication or io");

    item->task_kind = (enum rc_task_kind)(which + 1); /* the others are "other" */
    return which < 0 ? -1 : 0;
}

static int read_accuracy(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_share(cursor, INFINITY, &item->meta.accuracy);
}

static int read_measured(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_date(cursor, &item->meta.measured);
}

static int read_lifetime(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_duration(cursor, false, &item->meta.lifetime);
}

static int read_source(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_text(cursor, item ? &item->meta.source
                                                  : &cursor->parser->model->meta.source);
}

static int read_note(struct rc_cursor *cursor, struct rc_item *item)
{
    return rc_structural_cursor_text(cursor,
                                     item ? &item->meta.note : &cursor->parser->model->meta.note);
}

static int read_app(struct rc_cursor *cursor, struct rc_item *item)
{
    (void)item;
    return rc_structural_cursor_name(cursor, RC_NAME_WIDE, "an app", &cursor->parser->model->app);
}

/* ---- the table, and reading by it ---- */

static const struct clause clauses[] = {
    {"=", OF_ITEM, true, read_value}, /* it tells by itself that it comes twice, as does `from` */
    {"from", OF_INPUT, true, read_from},
    {"when", OF_COMPONENT | OF_TOTAL, true, read_conditions},
    {"kind", OF_COMPONENT, false, read_kind},
    {"accuracy", OF_ITEM, false, read_accuracy},
    {"measured", OF_INPUT, false, read_measured},
    {"lifetime", OF_INPUT, false, read_lifetime},
    {"source", OF_ITEM | OF_MODEL, false, read_source},
    {"note", OF_ITEM | OF_MODEL, false, read_note},
    {"app", OF_MODEL, false, read_app},
    {"measure", OF_INPUT, false, rc_structural_measure_read},
    {"at", OF_INPUT, false, rc_structural_measure_size_read},
    {"per", OF_INPUT, false, rc_structural_measure_per_read},
    {"less", OF_INPUT, false, rc_structural_measure_less_read},
    {"arguments", OF_INPUT, false, rc_structural_measure_arguments_read},
    {"traced", OF_COMPONENT, false, rc_structural_traced_read},
    {"waits", OF_TOTAL, false, rc_structural_waits_read},
};
enum { N_CLAUSES = sizeof clauses / sizeof *clauses };

/* The clause whose word stands at `at`, as a word of its own: "kind[h]" and "kind-3" are none.
 * Words of the other group mean nothing. */
static const struct clause *find_clause(const struct rc_source *source, size_t at, bool of_model)
{
    const char *text = source->plain + at;

    for (size_t i = 0; i < N_CLAUSES; i++) {
        size_t length = strlen(clauses[i].word);

        if ((clauses[i].of & (of_model ? OF_MODEL : OF_ITEM)) == 0 ||
            strncmp(text, clauses[i].word, length) != 0)
            continue;
        if (length == 1 || strchr(" \n\"(", text[length])) /* NUL, too, at the end of the file */
            return &clauses[i];
    }
    return NULL;
}

bool rc_structural_clause_starts(const struct rc_source *source, size_t at)
{
    return find_clause(source, at, false) || find_clause(source, at, true);
}

size_t rc_structural_clause_line(const struct rc_source *source, size_t line, size_t last,
                                 bool of_model)
{
    while (line < last && !find_clause(source, source->lines[line].start, of_model))
        line++;
    return line;
}

int rc_structural_clause_guess(struct rc_cursor *cursor, size_t at)
{
    const char *text = cursor->parser->source.plain, *words[N_CLAUSES];
    size_t start = at;

    while (start > 0 && text[start - 1] == ' ')
        start--;
    for (size_t i = 0; i < N_CLAUSES; i++)
        words[i] = clauses[i].word;
    if (start > 0 && text[start - 1] == '\n')
        return rc_structural_cursor_guess(cursor, at, words, N_CLAUSES);
    if (rc_structural_clause_starts(&cursor->parser->source, at))
        return rc_error_hint(cursor->parser->error, "begin a new line for each clause");
    return -1;
}

/* `lines` are those of the clauses so far, by their place in the table. */
static int read_clause(struct rc_cursor *cursor, struct rc_item *item, unsigned lines[N_CLAUSES])
{
    struct rc_model_parser *parser = cursor->parser;
    unsigned of = item ? 1u << item->kind : OF_MODEL, line, column, *before;
    size_t at = cursor->at;
    const struct clause *clause = find_clause(&parser->source, at, !item);

    if (!clause) {
        rc_structural_cursor_unexpected(cursor, item ? "'=' or another clause"
                                                     : "'app', 'source' or 'note'");
        return rc_structural_clause_guess(cursor, at);
    }
    before = &lines[clause - clauses];
    if ((clause->of & of) == 0)
        return rc_structural_fail(parser, at, "%s has no '%s'",
                                  item ? rc_structural_item_kind_names[item->kind] : "a model",
                                  clause->word);
    if (*before > 0 && !clause->often)
        return rc_structural_fail(parser, at, "duplicate '%s'; the first is in line %u",
                                  clause->word, *before);
    rc_structural_source_place(&parser->source, at, &line, &column);
    *before = line;
    cursor->at += strlen(clause->word);
    if (clause->read(cursor, item))
        return -1;
    return rc_structural_cursor_end(cursor) ? rc_structural_clause_guess(cursor, cursor->at) : 0;
}

int rc_structural_clauses_read(struct rc_model_parser *parser, struct rc_item *item,
                               struct rc_cursor *head, size_t line, size_t last)
{
    unsigned before[N_CLAUSES] = {0};
    size_t next;

    parser->value_line = 0;
    if (rc_structural_cursor_peek(head) && read_clause(head, item, before))
        return -1;
    for (; line < last; line = next) {
        const struct rc_source_line *lines = parser->source.lines;
        struct rc_cursor cursor = {parser, lines[line].start, 0};

        next = rc_structural_clause_line(&parser->source, line + 1, last, !item);
        cursor.end = lines[next - 1].end;
        if (read_clause(&cursor, item, before))
            return -1;
    }
    return 0;
}
