// SPDX-License-Identifier: BSD-2-Clause
/* table.c - text tables that align, fit the terminal, and stream.
 *
 * The widths follow from the first KEPT_ROWS rows. Each later row is written once it is complete. A
 * cell wider than its column shifts the rest of its row, unless the table has to fit a terminal,
 * where it is cut. */
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/text.h"

enum { KEPT_ROWS = 256, GAP = 2, LEAST_WIDTH = 6, CONTENT_MAX = 1 << 26 };

struct cell {
    size_t offset, length; /* in `content` */
    size_t width;
};

struct rc_table {
    FILE *out;
    const struct rc_column *columns;
    size_t n_columns;
    size_t limit;
    size_t *widths;
    struct rc_buffer content;
    struct cell *cells; /* KEPT_ROWS rows, or just one once the widths are known */
    size_t n_cells;
    bool laid_out;
    bool failed;
};

struct rc_table *rc_table_create(FILE *out, const struct rc_column *columns, size_t n_columns,
                                 size_t width)
{
    struct rc_table *table = calloc(1, sizeof *table);

    if (!table)
        return NULL;
    table->out = out;
    table->columns = columns;
    table->n_columns = n_columns;
    table->limit = width;
    table->content.maximum = CONTENT_MAX;
    table->widths = calloc(n_columns, sizeof *table->widths);
    table->cells = calloc(n_columns * KEPT_ROWS, sizeof *table->cells);
    if (!table->widths || !table->cells) {
        free(table->widths);
        free(table->cells);
        free(table);
        return NULL;
    }
    for (size_t i = 0; i < n_columns; i++)
        table->widths[i] = rc_text_width(columns[i].title, strlen(columns[i].title));
    return table;
}

static void spaces(FILE *out, size_t count)
{
    static const char blank[] = "                                ";

    for (; count >= sizeof blank - 1; count -= sizeof blank - 1)
        fwrite(blank, 1, sizeof blank - 1, out);
    fwrite(blank, 1, count, out);
}

/* Number of bytes of `text` that fit on a line of `width`, broken after a space if possible. */
static size_t line_length(const char *text, size_t length, size_t width)
{
    size_t fits = rc_text_prefix(text, length, width), at;

    if (fits == length || fits == 0)
        return length == 0 || fits ? fits : 1;
    for (at = fits; at > fits / 3 && text[at] != ' '; at--)
        ;
    return text[at] == ' ' ? at : fits;
}

/* One line of a cell; returns how much of the text it took. */
static size_t write_cell(struct rc_table *table, size_t column, const char *text, size_t length,
                         size_t width, bool last)
{
    const struct rc_column *c = &table->columns[column];
    size_t room = table->widths[column], taken = length;
    bool cut = false;

    if (table->limit && width > room && !c->right) {
        if (c->wrap) {
            taken = line_length(text, length, room);
        } else {
            taken = rc_text_prefix(text, length, room > 1 ? room - 1 : 0);
            cut = true;
        }
        width = rc_text_width(text, taken) + cut;
    }
    if (c->right && width < room)
        spaces(table->out, room - width);
    fwrite(text, 1, taken, table->out);
    if (cut)
        fputs(MB_CUR_MAX > 1 ? "\xe2\x80\xa6" : "~", table->out); /* … */
    if (!c->right && !last && width < room)
        spaces(table->out, room - width);
    return cut ? length : taken;
}

/* Writes a row, on as many lines as its longest wrapped cell needs. */
static void write_row(struct rc_table *table, struct cell *cells, const char *content)
{
    bool more;

    do {
        more = false;
        for (size_t i = 0; i < table->n_columns; i++) {
            struct cell *cell = &cells[i];
            const char *text = content + cell->offset;
            size_t taken;

            if (i)
                spaces(table->out, GAP);
            taken =
                write_cell(table, i, text, cell->length, cell->width, i + 1 == table->n_columns);
            while (taken < cell->length && text[taken] == ' ')
                taken++;
            cell->offset += taken;
            cell->length -= taken;
            cell->width = cell->length ? rc_text_width(text + taken, cell->length) : 0;
            more |= cell->length > 0;
        }
        fputc('\n', table->out);
    } while (more);
}

/* Narrows the widest text columns until a line fits, as far as possible. */
static void fit(struct rc_table *table)
{
    size_t total = GAP * (table->n_columns - 1), widest;

    for (size_t i = 0; i < table->n_columns; i++)
        total += table->widths[i];
    for (; total > table->limit; total--) {
        widest = table->n_columns;
        for (size_t i = 0; i < table->n_columns; i++)
            if (!table->columns[i].right && table->widths[i] > LEAST_WIDTH &&
                (widest == table->n_columns || table->widths[i] > table->widths[widest]))
                widest = i;
        if (widest == table->n_columns)
            break;
        table->widths[widest]--;
    }
}

static void write_titles(struct rc_table *table)
{
    bool any = false;

    for (size_t i = 0; i < table->n_columns; i++)
        any |= table->columns[i].title[0] != '\0';
    for (size_t i = 0; any && i < table->n_columns; i++) {
        const char *title = table->columns[i].title;
        size_t length = strlen(title);

        if (i)
            spaces(table->out, GAP);
        write_cell(table, i, title, length, rc_text_width(title, length),
                   i + 1 == table->n_columns);
    }
    if (any)
        fputc('\n', table->out);
}

static void lay_out(struct rc_table *table)
{
    size_t n_rows = table->n_cells / table->n_columns;

    table->laid_out = true;
    if (table->limit)
        fit(table);
    write_titles(table);
    for (size_t row = 0; row < n_rows; row++)
        write_row(table, table->cells + row * table->n_columns, table->content.data);
    table->n_cells = 0;
    rc_buffer_clear(&table->content);
}

void rc_table_cell(struct rc_table *table, const char *text, size_t length)
{
    size_t column = table->n_cells % table->n_columns;
    struct cell *cell = &table->cells[table->n_cells];
    char *copy;

    if (table->failed)
        return;
    cell->offset = table->content.length;
    cell->length = length;
    if (rc_buffer_add(&table->content, text, length)) {
        table->failed = true;
        return;
    }
    copy = table->content.data + cell->offset;
    rc_text_clean(copy, length);
    cell->width = rc_text_width(copy, length);
    if (!table->laid_out && cell->width > table->widths[column])
        table->widths[column] = cell->width;
    table->n_cells++;
    if (column + 1 < table->n_columns)
        return;
    if (table->laid_out) {
        write_row(table, table->cells, table->content.data);
        table->n_cells = 0;
        rc_buffer_clear(&table->content);
    } else if (table->n_cells == table->n_columns * KEPT_ROWS) {
        lay_out(table);
    }
}

void rc_table_text(struct rc_table *table, const char *text)
{
    rc_table_cell(table, text, strlen(text));
}

void rc_table_number(struct rc_table *table, double value)
{
    char text[RC_NUMBER_SIZE];

    if (isnan(value))
        rc_table_cell(table, "-", 1);
    else
        rc_table_cell(table, text, rc_number_format_short(value, 6, text));
}

void rc_table_integer(struct rc_table *table, long long value)
{
    char text[RC_NUMBER_SIZE];

    if (value > -1000000000000000 && value < 1000000000000000)
        rc_table_cell(table, text, rc_number_format((double)value, text));
    else
        rc_table_cell(table, text, (size_t)snprintf(text, sizeof text, "%lld", value));
}

int rc_table_finish(struct rc_table *table)
{
    int result;

    if (!table->failed && !table->laid_out)
        lay_out(table);
    result = table->failed ? -1 : 0;
    rc_buffer_free(&table->content);
    free(table->widths);
    free(table->cells);
    free(table);
    return result;
}
