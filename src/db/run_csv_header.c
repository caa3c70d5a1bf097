// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv_header.c - the header of a table of runs. */
#include "db/run_csv_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "db/phase_time_columns.h"
#include "db/run.h"
#include "db/run_column_names.h"

/* A column that the user leaves out. */
static const struct rc_known_column ignored_column = {.name = "ignored", .holds = RC_HOLDS_NOTHING};

/* Spreadsheets like to leave a comma at the end of every line. */
static const struct rc_known_column unnamed_column = {.name = "", .holds = RC_HOLDS_BLANK};

static int read_part_name(const struct rc_run_table *table, struct rc_table_column *column,
                          const struct rc_csv_field *field, const char *name,
                          struct rc_error *error)
{
    char phase[RC_PHASE_MAX + 1];
    struct rc_error inner = {0};

    if (rc_db_time_column_read(name, phase, &column->process, &inner)) {
        rc_error_at(error, table->name, field->line, field->column, "column '%s': %.200s",
                    field->text, inner.text);
        return rc_error_hint_of(error, &inner);
    }
    column->phase = strdup(phase);
    return column->phase ? 0 : rc_error_no_memory(error);
}

static bool is_listed(const char *const *list, size_t n, const char *heading, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(list[i], heading) == 0 || strcasecmp(list[i], name) == 0)
            return true;
    return false;
}

/* Columns that are declared or named as metadata or parameters. */
static int read_role(struct rc_run_table *table, struct rc_table_column *column,
                     const struct rc_csv_field *field, const char **name, struct rc_error *error)
{
    const struct rc_run_table_options *options = &table->options;
    bool param = is_listed(options->params, options->n_params, field->text, *name);
    bool meta = is_listed(options->meta, options->n_meta, field->text, *name);

    if (param && (meta || column->known))
        return rc_error_at(error, table->name, field->line, field->column,
                           meta ? "column '%s' cannot be both a parameter and metadata"
                                : "column '%s' cannot be a parameter",
                           field->text);
    if (column->known == &rc_db_meta_column)
        *name += strlen(RC_META_PREFIX);
    if (!**name)
        return rc_error_at(error, table->name, field->line, field->column,
                           "column '%s' has no name of metadata", field->text);
    if (param)
        column->role = RC_ROLE_PARAM;
    else if (meta || (column->known && column->known->holds == RC_HOLDS_NOTHING))
        column->role = table->asked ? RC_ROLE_IGNORED : RC_ROLE_META;
    column->declared = column->role != RC_ROLE_OPEN;
    if (options->key && is_listed(&options->key, 1, field->text, *name)) {
        if (column->known && !column->declared)
            return rc_error_at(error, table->name, field->line, field->column,
                               "column '%s' cannot be the key: it is no metadata and no parameter",
                               field->text);
        column->is_key = true;
    }
    if (column->declared)
        column->known = NULL;
    return 0;
}

static bool mean_the_same(const struct rc_table_column *one, const struct rc_table_column *other)
{
    if (one->known != other->known || one->known == &ignored_column)
        return false;
    if (!one->known) /* a parameter and metadata may have the same name */
        return one->role == other->role && strcmp(one->name, other->name) == 0;
    return one->known != &rc_db_phase_time_column ||
           (one->process == other->process && strcmp(one->phase, other->phase) == 0);
}

/* The name that the column of this heading is read as. */
static const char *renamed(const struct rc_run_table *table, const char *heading)
{
    const struct rc_run_table_options *options = &table->options;

    for (size_t i = 0; i < options->n_renames; i++)
        if (strcasecmp(options->renames[i].heading, heading) == 0)
            return options->renames[i].name;
    return heading;
}

static bool is_ignored(const struct rc_run_table *table, const char *heading)
{
    const struct rc_run_table_options *options = &table->options;

    for (size_t i = 0; i < options->n_ignored; i++)
        if (strcasecmp(options->ignored[i], heading) == 0)
            return true;
    return false;
}

static int read_column(struct rc_run_table *table, const struct rc_csv_field *field,
                       struct rc_error *error)
{
    struct rc_table_column *column = &table->columns[table->n_columns];
    const char *name = renamed(table, field->text);

    if (field->length > RC_RUN_NAME_MAX || !rc_text_is_printable(field->text, field->length))
        return rc_error_at(error, table->name, field->line, field->column,
                           "column %zu: the name is too long or not plain UTF-8 text",
                           table->n_columns + 1);
    column->known = is_ignored(table, field->text) ? &ignored_column
                    : field->length                ? rc_db_known_column_find(name)
                                                   : &unnamed_column;
    if (field->length && column->known != &ignored_column &&
        read_role(table, column, field, &name, error))
        return -1;
    column->line = field->line;
    column->position = field->column;
    column->name = strdup(column->known ? field->text : name);
    if (!column->name)
        return rc_error_no_memory(error);
    table->n_columns++; /* freed with the others from here on */
    if (column->known == &rc_db_phase_time_column &&
        read_part_name(table, column, field, name, error))
        return -1;
    for (const struct rc_table_column *other = table->columns; other < column && field->length;
         other++)
        if (mean_the_same(column, other))
            return rc_error_at(error, table->name, field->line, field->column,
                               "columns '%s' and '%s' have the same meaning", other->name,
                               field->text);
    return 0;
}

/* A run with all parameters of the table must fit into the database. */
static int check_params(const struct rc_run_table *table, struct rc_error *error)
{
    size_t bytes = 0, count = 0;

    for (size_t i = 0; i < table->n_columns; i++) {
        const struct rc_table_column *column = &table->columns[i];

        if (column->known || column->role == RC_ROLE_META)
            continue;
        bytes += RC_RUN_PARAM_BYTES(strlen(column->name));
        if (++count > RC_RUN_PARAMS_COUNT || bytes > RC_RUN_PARAMS_MAX)
            return rc_error_at(error, table->name, column->line, column->position,
                               "too many columns of parameters");
    }
    return 0;
}

/* ---- other headings ---- */

/* The only open column whose heading `means` this column; NULL: none, or with `second`, several. */
static struct rc_table_column *find_synonym(const struct rc_run_table *table,
                                            const struct rc_known_column *known,
                                            bool means(const char *heading, const char *name),
                                            const struct rc_table_column **second)
{
    struct rc_table_column *found = NULL;

    *second = NULL;
    for (size_t i = 0; i < table->n_columns && !*second; i++) {
        struct rc_table_column *column = &table->columns[i];

        if (column->known || column->role != RC_ROLE_OPEN || !means(column->name, known->name))
            continue;
        if (found)
            *second = column;
        else
            found = column;
    }
    return found;
}

/* A required column may have another heading, if just one column has it. */
static int adopt_required(struct rc_run_table *table, const struct rc_known_column *known,
                          bool means(const char *heading, const char *name), struct rc_error *error)
{
    const struct rc_table_column *second;
    struct rc_table_column *found = find_synonym(table, known, means, &second);

    if (second) {
        rc_error_at(error, table->name, second->line, second->position,
                    "columns '%s' and '%s' can both be '%s'", found->name, second->name,
                    known->name);
        return rc_error_code(error, "db.ambiguous-column", "%s=%s", known->name, found->name);
    }
    if (found) {
        found->known = known;
        found->is_synonym = true;
    }
    return 0;
}

/* An optional column may have another heading, too, if its values fit: see
 * rc_db_run_table_settle(). */
static void note_optional(struct rc_run_table *table, const struct rc_known_column *known)
{
    const struct rc_table_column *second;
    struct rc_table_column *found = find_synonym(table, known, rc_db_column_is_alias, &second);

    if (!found)
        found = find_synonym(table, known, rc_db_column_resembles, &second);
    if (found && !second)
        found->alias = known;
}

/* Whether the option for the app takes the place of this column. */
static bool is_given(const struct rc_run_table *table, const struct rc_known_column *known)
{
    return table->options.app && strcmp(known->name, "app") == 0;
}

static int adopt_synonyms(struct rc_run_table *table, struct rc_error *error)
{
    for (const struct rc_known_column *known = rc_db_known_columns; known->name; known++) {
        if (rc_db_run_table_has(table, known))
            continue;
        if (!known->required)
            note_optional(table, known);
        else if (adopt_required(table, known, rc_db_column_is_alias, error))
            return -1;
        if (rc_db_run_table_requires(table, known) && !rc_db_run_table_has(table, known) &&
            !is_given(table, known) && adopt_required(table, known, rc_db_column_resembles, error))
            return -1;
    }
    return 0;
}

/* ---- missing columns ---- */

/* Required columns that are missing, and a map of the headings that would provide them. */
struct missing {
    char names[100];
    char map[200]; /* NAME=HEADING, separated by commas */
    size_t count;
    bool app;
};

static void find_missing(const struct rc_run_table *table, struct missing *missing)
{
    *missing = (struct missing){.count = 0};
    for (const struct rc_known_column *known = rc_db_known_columns; known->name; known++) {
        if (!rc_db_run_table_requires(table, known) || rc_db_run_table_has(table, known) ||
            is_given(table, known))
            continue;
        rc_text_append(missing->names, sizeof missing->names, "%s'%s'",
                       missing->count++ ? ", " : "", known->name);
        if (strcmp(known->name, "app") == 0)
            missing->app = true;
        else
            rc_text_append(missing->map, sizeof missing->map, "%s%s=HEADING",
                           *missing->map ? "," : "", known->name);
    }
}

/* As many as fit. */
static void list_headings(const struct rc_run_table *table, char *list, size_t size)
{
    list[0] = '\0';
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;

        if (strlen(list) + strlen(name) + 6 > size) {
            rc_text_append(list, size, ", ...");
            return;
        }
        rc_text_append(list, size, "%s%s", i ? ", " : "", name);
    }
}

static int check_required(const struct rc_run_table *table, const struct rc_csv_row *header,
                          struct rc_error *error)
{
    struct missing missing;
    char headings[300];

    find_missing(table, &missing);
    if (!missing.count && !table->asked && table->options.app &&
        rc_db_run_table_has(table, rc_db_known_column_find("app"))) {
        rc_error_at(error, table->name, header->line, 1, "the table has a column 'app'");
        return rc_error_code(error, "db.app-twice", NULL);
    }
    if (!missing.count)
        return 0;
    list_headings(table, headings, sizeof headings);
    rc_error_at(error, table->name, header->line, 1, "missing column%s %s; the table has: %s",
                missing.count == 1 ? "" : "s", missing.names, headings);
    if (table->asked)
        return rc_error_hint(error, "name the columns in the first line; n and p are required");
    if (header->n_fields == 1)
        return rc_error_hint(error, "name the columns in the first line, such as app,n,p,seconds");
    return rc_error_code(error, missing.app ? "db.no-app-column" : "db.no-column", "%s",
                         missing.map);
}

/* Every option must concern a column: a mistyped one would go unnoticed. */
static int check_heading(const struct rc_run_table *table, const struct rc_csv_row *header,
                         const char *heading, bool renamed_too, const char *what,
                         struct rc_error *error)
{
    char headings[300];

    for (size_t field = 0; field < header->n_fields; field++)
        if (strcasecmp(header->fields[field].text, heading) == 0 ||
            (renamed_too && strcasecmp(table->columns[field].name, heading) == 0))
            return 0;
    list_headings(table, headings, sizeof headings);
    return rc_error_at(error, table->name, header->line, 1,
                       "no column '%.60s' to %s; the table has: %s", heading, what, headings);
}

static int check_headings(const struct rc_run_table *table, const struct rc_csv_row *header,
                          struct rc_error *error)
{
    const struct rc_run_table_options *options = &table->options;

    for (size_t i = 0; i < options->n_renames; i++)
        if (check_heading(table, header, options->renames[i].heading, false, "map", error))
            return -1;
    for (size_t i = 0; i < options->n_ignored; i++)
        if (check_heading(table, header, options->ignored[i], false, "ignore", error))
            return -1;
    for (size_t i = 0; i < options->n_params; i++)
        if (check_heading(table, header, options->params[i], true, "use as a parameter", error))
            return -1;
    for (size_t i = 0; i < options->n_meta; i++)
        if (check_heading(table, header, options->meta[i], true, "store as metadata", error))
            return -1;
    return options->key ? check_heading(table, header, options->key, true, "use as the key", error)
                        : 0;
}

static struct rc_run_table *create(const struct rc_csv_row *header, const char *name,
                                   const struct rc_run_table_options *options, bool asked,
                                   struct rc_error *error)
{
    struct rc_run_table *table = calloc(1, sizeof *table);

    if (table) {
        table->asked = asked;
        table->name = name;
        table->options = *options;
        table->columns = calloc(header->n_fields, sizeof *table->columns);
        table->params = calloc(header->n_fields, sizeof *table->params);
        table->meta = calloc(header->n_fields, sizeof *table->meta);
        table->times = calloc(header->n_fields, sizeof *table->times);
    }
    if (!table || !table->columns || !table->params || !table->meta || !table->times) {
        rc_db_run_table_destroy(table);
        rc_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < header->n_fields; i++)
        if (read_column(table, &header->fields[i], error)) {
            rc_db_run_table_destroy(table);
            return NULL;
        }
    if (check_headings(table, header, error) || adopt_synonyms(table, error) ||
        check_required(table, header, error) || check_params(table, error)) {
        rc_db_run_table_destroy(table);
        return NULL;
    }
    return table;
}

const char *rc_db_run_table_key(const struct rc_run_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].is_key)
            return table->columns[i].name;
    return NULL;
}

bool rc_db_run_table_knows(const struct rc_run_table_options *options, const char *heading)
{
    const struct rc_run_table as = {.options = *options};
    const char *name = renamed(&as, heading);

    if (name != heading || is_ignored(&as, heading) || rc_db_known_column_find(heading))
        return true;
    for (const struct rc_known_column *known = rc_db_known_columns; known->name; known++)
        if (rc_db_column_is_alias(heading, known->name) ||
            (known->required && rc_db_column_resembles(heading, known->name)))
            return true;
    return false;
}

struct rc_run_table *rc_db_run_table_create(const struct rc_csv_row *header, const char *name,
                                            const struct rc_run_table_options *options,
                                            struct rc_error *error)
{
    return create(header, name, options, false, error);
}

struct rc_run_table *rc_db_run_table_create_asked(const struct rc_csv_row *header, const char *name,
                                                  const char *app, struct rc_error *error)
{
    return create(header, name, &(struct rc_run_table_options){.app = app}, true, error);
}

void rc_db_run_table_destroy(struct rc_run_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n_columns; i++) {
        free(table->columns[i].name);
        free(table->columns[i].phase);
        rc_db_column_ids_free(&table->columns[i].ids);
    }
    free(table->columns);
    free(table->params);
    free(table->meta);
    free(table->times);
    free(table);
}
