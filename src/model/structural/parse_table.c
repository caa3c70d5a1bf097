// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_table.c - tables: a value for each host, or each pair of hosts.
 *
 *     a[1-4]   1.07us             a1       a2
 *     b1       normal(3us, 1us)   a1   11.9MB   6.8MB
 *                                 a2   7.2MB    -
 *
 * A line for several hosts has a formula of its own for each, so that a distribution in it is not
 * one quantity for all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

/* A host that names rows or columns, and where it was written. */
struct label {
    char *name;
    size_t at;
};
struct labels {
    struct label *list;
    size_t count;
};

struct table {
    struct rc_model_parser *parser;
    struct rc_item *item;
    struct labels rows, columns; /* of a table with one parameter, one column: "" */
    size_t cells_before;         /* of the other tables */
};

static void free_labels(struct labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        free(labels->list[i].name);
    free(labels->list);
}

/* ---- words of a line ---- */

/* The next word of the line: blanks inside of brackets do not end it. */
static bool next_word(struct rc_cursor *line, struct rc_cursor *word)
{
    const char *text = line->parser->source.plain;
    size_t depth = 0;

    if (rc_structural_cursor_peek(line) == '\0')
        return false;
    *word = *line;
    while (line->at < line->end && (depth > 0 || text[line->at] != ' ')) {
        if (strchr("([", text[line->at]))
            depth++;
        else if (strchr(")]", text[line->at]))
            depth -= depth > 0;
        line->at++;
    }
    word->end = line->at;
    return true;
}

static bool is_dash(const struct rc_cursor *word)
{
    return word->end - word->at == 1 && word->parser->source.plain[word->at] == '-';
}

/* Adds the hosts that a word stands for. */
static int add_labels(struct table *table, struct labels *labels, struct rc_cursor word)
{
    struct rc_model_parser *parser = table->parser;
    size_t at = word.at, taken = 0;
    struct rc_hostlist list;
    int status = 0;

    if (rc_structural_cursor_hosts(&word, &list))
        return -1;
    if (list.count > RC_MODEL_CELLS_MAX - labels->count) {
        status =
            rc_structural_fail(parser, at, "the table has more than %d hosts", RC_MODEL_CELLS_MAX);
        goto done;
    }
    for (; taken < list.count; taken++) {
        const struct label label = {list.names[taken], at};

        status = rc_structural_model_push(&labels->list, &labels->count, &label, sizeof label,
                                          parser->error);
        if (status)
            goto done;
    }
done:
    for (size_t i = taken; i < list.count; i++)
        free(list.names[i]);
    free(list.names);
    return status;
}

static int by_name(const void *a, const void *b)
{
    const struct label *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* Refuses a host that is there twice, the first such; the labels are no more in order then. */
static int check_twice(struct table *table, struct labels *labels, const char *what)
{
    const struct label *twice = NULL;
    unsigned line, column;

    qsort(labels->list, labels->count, sizeof *labels->list, by_name);
    for (size_t i = 1; i < labels->count; i++)
        if (strcmp(labels->list[i - 1].name, labels->list[i].name) == 0 &&
            (!twice || labels->list[i].at < twice->at))
            twice = &labels->list[i];
    if (!twice)
        return 0;
    rc_structural_source_place(&table->parser->source, twice[-1].at, &line, &column);
    return rc_structural_fail(table->parser, twice->at,
                              "duplicate %s for host %s; the first is in line %u", what,
                              twice->name, line);
}

/* ---- cells ---- */

static int check_room(struct table *table, const struct rc_cursor *word)
{
    struct rc_model_parser *parser = table->parser;

    if (table->cells_before + table->item->n_cells >= RC_MODEL_CELLS_MAX)
        return rc_structural_fail(parser, word->at, "the model's tables have more than %d values",
                                  RC_MODEL_CELLS_MAX);
    parser->cell_bytes += word->end - word->at;
    if (parser->cell_bytes > RC_MODEL_CELL_BYTES_MAX)
        return rc_structural_fail(parser, word->at,
                                  "the formulas in the model's tables have more than "
                                  "%d characters, one for each host",
                                  RC_MODEL_CELL_BYTES_MAX);
    return 0;
}

static int add_cell(struct table *table, const char *row, const char *column, struct rc_cursor word)
{
    struct rc_item *item = table->item;
    struct rc_cell *cell;

    if (check_room(table, &word) ||
        rc_structural_model_push(&item->cells, &item->n_cells, &(struct rc_cell){0}, sizeof *cell,
                                 table->parser->error))
        return -1;
    cell = &item->cells[item->n_cells - 1];
    *cell = (struct rc_cell){.row = strdup(row), .column = strdup(column)};
    if (!cell->row || !cell->column)
        return rc_error_no_memory(table->parser->error);
    cell->expression = rc_structural_cursor_formula(&word, NULL);
    return cell->expression ? 0 : -1;
}

/* Says that the line has no value for a column. */
static int missing_value(struct rc_cursor *line, const char *column)
{
    char wanted[RC_HOST_NAME_MAX + 64];

    snprintf(wanted, sizeof wanted, "a value%s%s, or '-' for none,", column[0] ? " for " : "",
             column);
    return rc_structural_cursor_unexpected(line, wanted);
}

/* The values of a line for the rows from `first` on: one for each column. */
static int read_values(struct table *table, struct rc_cursor *line, size_t first)
{
    struct rc_cursor word;

    for (size_t j = 0; j < table->columns.count; j++) {
        const char *column = table->columns.list[j].name;

        if (!next_word(line, &word))
            return missing_value(line, column);
        for (size_t i = first; i < table->rows.count && !is_dash(&word); i++)
            if (add_cell(table, table->rows.list[i].name, column, word))
                return -1;
    }
    if (rc_structural_cursor_end(line) == 0)
        return 0;
    if (table->item->n_parameters == 2)
        return rc_error_hint(table->parser->error, "the table has %zu column%s",
                             table->columns.count, table->columns.count == 1 ? "" : "s");
    return rc_error_hint(table->parser->error, "write values without blanks, except in brackets");
}

static int read_columns(struct table *table, struct rc_cursor *lines)
{
    struct rc_cursor line, word;

    if (table->item->n_parameters == 1) {
        table->columns.list = calloc(1, sizeof *table->columns.list);
        if (!table->columns.list || !(table->columns.list[0].name = strdup("")))
            return rc_error_no_memory(table->parser->error);
        table->columns.count = 1;
        return 0;
    }
    if (!rc_structural_cursor_line(lines, &line))
        return rc_structural_cursor_unexpected(lines, "a line with the hosts of the columns");
    while (next_word(&line, &word))
        if (add_labels(table, &table->columns, word))
            return -1;
    return 0;
}

static int read_rows(struct table *table, struct rc_cursor *lines)
{
    struct rc_cursor line, word;

    if (rc_structural_cursor_peek(lines) == '\0')
        return rc_structural_cursor_unexpected(lines, "a line with a host and its value");
    while (rc_structural_cursor_line(lines, &line)) {
        size_t first = table->rows.count;

        if (!next_word(&line, &word) || add_labels(table, &table->rows, word) ||
            read_values(table, &line, first))
            return -1;
    }
    return 0;
}

/* The rest of the line with "table" must be empty: what stands there is lost, or was no table. */
static int check_alone(struct rc_cursor *cursor)
{
    const char *text = cursor->parser->source.plain;
    size_t at = cursor->at;

    while (at < cursor->end && text[at] == ' ')
        at++;
    if (at == cursor->end || text[at] == '\n')
        return 0;
    rc_structural_cursor_end(cursor);
    return rc_error_hint(cursor->parser->error, "write the table in the lines below");
}

static int by_row_and_column(const void *a, const void *b)
{
    const struct rc_cell *left = a, *right = b;
    int order = strcmp(left->row, right->row);

    return order ? order : strcmp(left->column, right->column);
}

int rc_structural_model_table_read(struct rc_cursor *cursor, struct rc_item *item)
{
    struct table table = {.parser = cursor->parser, .item = item};
    const struct rc_model *model = cursor->parser->model;
    int status = -1;

    for (size_t i = 0; i < model->n_items; i++)
        table.cells_before += model->items[i].n_cells;
    if (check_alone(cursor) == 0 && read_columns(&table, cursor) == 0 &&
        read_rows(&table, cursor) == 0 && check_twice(&table, &table.columns, "column") == 0 &&
        check_twice(&table, &table.rows, "line") == 0)
        status = 0;
    if (status == 0 && item->n_cells > 0)
        qsort(item->cells, item->n_cells, sizeof *item->cells, by_row_and_column);
    free_labels(&table.rows);
    free_labels(&table.columns);
    return status;
}
