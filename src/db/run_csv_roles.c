// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv_roles.c - which columns of a table are parameters, and which are metadata.
 *
 * A number of a job that became a parameter would become a predictor of the run time. So a column
 * is metadata if it has text, a usual name of metadata, or numbers that look like IDs. Columns that
 * the user has declared, or that earlier runs of the app have, keep their role. */
#include "db/run_csv_internal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "db/run_column_names.h"
#include "db/run_param.h"

bool rc_db_run_table_is_open(const struct rc_run_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->columns[i].known && table->columns[i].role == RC_ROLE_OPEN)
            return true;
    return false;
}

static bool has_meta(const struct rc_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_meta; i++)
        if (strcmp(run->meta[i].name, name) == 0)
            return true;
    return false;
}

void rc_db_run_table_follow(struct rc_run_table *table, const struct rc_run *earlier)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        struct rc_table_column *column = &table->columns[i];

        if (column->known || column->role != RC_ROLE_OPEN)
            continue;
        if (!isnan(rc_db_run_param(earlier, column->name)))
            column->earlier = RC_ROLE_PARAM;
        else if (has_meta(earlier, column->name))
            column->earlier = RC_ROLE_META;
    }
}

/* ---- deciding ---- */

/* An export has all columns, and marks metadata: the others are parameters. */
static bool is_export(const struct rc_run_table *table)
{
    for (const struct rc_known_column *known = rc_db_known_columns; known->name; known++)
        if (known->holds != RC_HOLDS_NOTHING && !rc_db_run_table_has(table, known))
            return false;
    return true;
}

static bool is_text(const struct rc_table_column *column)
{
    return column->values.texts > 0 && column->values.numbers == 0;
}

static bool looks_like_ids(const struct rc_run_table *table, const struct rc_table_column *column)
{
    return column->values.numbers == table->rows && rc_db_column_ids_are(&column->ids);
}

static bool is_declared_meta(const struct rc_run_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->columns[i].known && table->columns[i].role == RC_ROLE_META &&
            strcmp(table->columns[i].name, name) == 0)
            return true;
    return false;
}

/* Planned runs have no metadata, and may have any numbers. */
static enum rc_column_role role_of_asked(const struct rc_table_column *column)
{
    return is_text(column) || (column->values.texts > 0 && rc_db_column_is_metadata(column->name))
               ? RC_ROLE_IGNORED
               : RC_ROLE_PARAM;
}

static enum rc_column_role role_of(const struct rc_run_table *table,
                                   const struct rc_table_column *column)
{
    if (table->asked)
        return role_of_asked(column);
    if (is_declared_meta(table, column->name))
        return RC_ROLE_PARAM;
    if (is_text(column) || table->options.n_params > 0)
        return RC_ROLE_META;
    if (is_export(table))
        return RC_ROLE_PARAM;
    if (column->earlier == RC_ROLE_META ||
        (column->earlier == RC_ROLE_PARAM && column->values.texts == 0))
        return column->earlier;
    return column->is_key || rc_db_column_is_metadata(column->name) || looks_like_ids(table, column)
               ? RC_ROLE_META
               : RC_ROLE_PARAM;
}

static void keep_first(const struct rc_error **first, const struct rc_error *fault)
{
    if (!*first || fault->line < (*first)->line ||
        (fault->line == (*first)->line && fault->column < (*first)->column))
        *first = fault;
}

/* Numbers that would become texts unnoticed. */
static bool is_decimal_comma(const struct rc_run_table *table, const struct rc_table_column *column)
{
    return column->decimal_comma && is_text(column) && column->earlier != RC_ROLE_META &&
           table->options.n_params == 0 && !rc_db_column_is_metadata(column->name);
}

/* NULL: the values fit the role. */
static const struct rc_error *settle_column(const struct rc_run_table *table,
                                            struct rc_table_column *column)
{
    bool open = column->role == RC_ROLE_OPEN;

    if (open && column->alias &&
        rc_db_column_values_are(&column->values, column->alias->name, false)) {
        column->known = column->alias;
        column->is_synonym = true;
        return column->first_strange.line ? &column->first_strange : NULL;
    }
    if (open)
        column->role = role_of(table, column);
    if (column->role == RC_ROLE_PARAM && column->values.texts > 0) {
        if (open && !table->asked)
            rc_error_code(&column->first_text, "db.mixed-column", "%s", column->name);
        return &column->first_text;
    }
    if (open && is_decimal_comma(table, column)) {
        if (!table->asked)
            rc_error_code(&column->first_text, "db.decimal-comma", "%s", column->name);
        return &column->first_text;
    }
    if (column->role == RC_ROLE_META && column->first_unfit.line) {
        if (!open)
            return &column->first_unfit;
        column->role = RC_ROLE_IGNORED;
    }
    return NULL;
}

int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error)
{
    const struct rc_error *first = NULL;

    table->settled = true;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct rc_table_column *column = &table->columns[i];
        const struct rc_error *fault = column->known ? NULL : settle_column(table, column);

        if (fault)
            keep_first(&first, fault);
    }
    if (first && error)
        *error = *first;
    return first ? -1 : 0;
}

/* ---- notes ---- */

typedef void take_note(void *data, const struct rc_error *what);

static bool is_role(const struct rc_table_column *column, enum rc_column_role role)
{
    return !column->known && column->role == role && column->values.numbers + column->values.texts;
}

/* The names of the columns of this role, as many as fit; false if some do not. */
static bool list_columns(const struct rc_run_table *table, enum rc_column_role role,
                         const char *between, char *list, size_t size)
{
    bool fits = true;

    list[0] = '\0';
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;

        if (!is_role(&table->columns[i], role))
            continue;
        fits = fits && strlen(list) + strlen(between) + strlen(name) < size;
        rc_text_append(list, size, "%s%s", *list ? between : "", name);
    }
    return fits;
}

static void note_columns(const struct rc_run_table *table, enum rc_column_role role,
                         const char *what, take_note *note, void *data)
{
    struct rc_error said = {0};
    char list[400];

    list_columns(table, role, ", ", list, sizeof list);
    if (!*list)
        return;
    rc_error_set(&said, "%s: %s", what, list);
    note(data, &said);
}

void rc_db_run_table_describe_synonyms(const struct rc_run_table *table, take_note *note,
                                       void *data)
{
    struct rc_error said = {0};
    char list[400] = "";

    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].is_synonym)
            rc_text_append(list, sizeof list, "%s%s is '%s'", *list ? ", " : "",
                           table->columns[i].known->name, table->columns[i].name);
    if (!*list)
        return;
    rc_error_set(&said, "columns recognized: %s", list);
    note(data, &said);
}

/* What a column of text is, if the table has no other column of that kind; NULL: unknown. */
static const char *text_is(const struct rc_run_table *table, const struct rc_table_column *column)
{
    static const char *const names[] = {"status", "start"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rc_db_column_values_are(&column->values, names[i], true) &&
            !rc_db_column_is_metadata(column->name) &&
            !rc_db_run_table_has(table, rc_db_known_column_find(names[i])))
            return names[i];
    return NULL;
}

static bool describe_text(const struct rc_run_table *table, const struct rc_table_column *column,
                          struct rc_error *what)
{
    const char *name = is_text(column) ? text_is(table, column) : NULL;
    bool states = name && strcmp(name, "status") == 0;

    if (!name)
        return false;
    rc_error_at(what, table->name, column->line, column->position,
                "column '%s' has %s; stored as metadata", column->name,
                states ? "job states" : "dates");
    rc_error_code(what, states ? "db.column-of-states" : "db.column-of-dates", "%s", column->name);
    return true;
}

/* Why a column of numbers is metadata. */
static bool describe_ids(const struct rc_run_table *table, const struct rc_table_column *column,
                         struct rc_error *what)
{
    const char *why =
        column->ids.falls ? "another number in each row" : "increasing from row to row";
    char params[120];

    if (column->ids.n == 0 || column->earlier == RC_ROLE_META || table->options.n_params > 0 ||
        rc_db_column_is_metadata(column->name))
        return false;
    rc_error_at(what, table->name, column->line, column->position,
                "column '%s' looks like an ID (%s); stored as metadata", column->name, why);
    if (list_columns(table, RC_ROLE_PARAM, ",", params, sizeof params) && strlen(column->name) < 50)
        rc_error_code(what, "db.column-of-ids", "%s\n%s\n%s%s%s", column->name, why, params,
                      *params ? "," : "", column->name);
    return true;
}

/* Whether a parameter says nothing that the other columns do not say, or looks like metadata. */
static bool describe_param(const struct rc_run_table *table, const struct rc_table_column *column,
                           struct rc_error *what)
{
    const struct rc_column_pattern *pattern = &column->pattern;
    bool constant = pattern->n > 1 && !pattern->varies;

    if (column->earlier == RC_ROLE_PARAM &&
        (rc_db_column_is_metadata(column->name) || looks_like_ids(table, column))) {
        rc_error_at(what, table->name, column->line, column->position,
                    "column '%s' is a parameter, as in earlier runs", column->name);
        rc_error_code(what, "db.earlier-param", "%s", column->name);
        return true;
    }
    if (pattern->n < table->rows || (!constant && !rc_db_column_pattern_of_procs(pattern)))
        return false;
    rc_error_at(what, table->name, column->line, column->position, "column '%s' %s", column->name,
                constant ? "has the same number in all rows" : "depends only on p");
    rc_error_code(what, constant ? "db.constant-column" : "db.column-of-procs", "%s", column->name);
    return true;
}

static bool describe_column(const struct rc_run_table *table, const struct rc_table_column *column,
                            struct rc_error *what)
{
    if (is_role(column, RC_ROLE_PARAM))
        return describe_param(table, column, what);
    if (is_role(column, RC_ROLE_META) && !column->declared)
        return describe_text(table, column, what) || describe_ids(table, column, what);
    return false;
}

void rc_db_run_table_describe(const struct rc_run_table *table, take_note *note, void *data)
{
    struct rc_error what;

    for (size_t i = 0; note && i < table->n_columns; i++)
        if (is_role(&table->columns[i], RC_ROLE_IGNORED) && table->columns[i].first_unfit.line) {
            what = table->columns[i].first_unfit;
            rc_text_append(what.text, sizeof what.text, "; column ignored");
            note(data, &what);
        }
    if (!note)
        return;
    if (table->minutes.line)
        note(data, &table->minutes);
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].known && table->columns[i].first_odd_time.line)
            note(data, &table->columns[i].first_odd_time);
    rc_db_run_table_describe_synonyms(table, note, data);
    note_columns(table, RC_ROLE_PARAM, "parameters", note, data);
    note_columns(table, RC_ROLE_META, "metadata", note, data);
    for (size_t i = 0; i < table->n_columns; i++)
        if (describe_column(table, &table->columns[i], &what))
            note(data, &what);
}
