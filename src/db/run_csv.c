// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv.c - rows of a table as runs. */
#include "db/run_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "db/column_values.h"
#include "db/phase_time_columns.h"
#include "db/run.h"
#include "db/run_column_names.h"

/* Bytes of a name: of an app, a platform, a parameter. */
enum { NAME_MAX_BYTES = 200, HOSTS_MAX_BYTES = 65536 };

static const double YEAR_10000 = 253402300800.0; /* when it begins */

/* What a column holds. */
enum holds {
    HOLDS_NAME,
    HOLDS_HOSTS,
    HOLDS_NUMBER, /* with a suffix of `dimension`, within `least` and `most` */
    HOLDS_COUNT,  /* a whole number */
    HOLDS_TIME,
    HOLDS_STATUS,
    HOLDS_NOTHING, /* ignored */
    HOLDS_BLANK,   /* may hold nothing */
    HOLDS_PART,    /* the time of a phase or a process */
    HOLDS_PARAM
};

static const struct known {
    const char *name;
    enum holds holds;
    size_t offset; /* of the member of struct rc_run */
    enum rc_dimension dimension;
    double least, most;
    bool above; /* `least` itself is too little */
    bool required;
} known_columns[] = {
#define OF(member, holds_)                                                                         \
    .name = #member, .holds = HOLDS_##holds_, .offset = offsetof(struct rc_run, member)
    {OF(app, NAME), .required = true},
    {OF(n, NUMBER), .dimension = RC_COUNT, .most = INFINITY, .above = true, .required = true},
    {OF(p, COUNT), .dimension = RC_COUNT, .least = 1, .most = 1e9, .required = true},
    {OF(seconds, NUMBER), .dimension = RC_SECONDS, .most = INFINITY, .above = true,
     .required = true},
    {OF(platform, NAME)},
    {OF(hosts, HOSTS)},
    {OF(start, TIME)},
    {OF(memory, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(cpu_minavg, NUMBER), .dimension = RC_FRACTION, .most = 1},
    {OF(cpu_avgmin, NUMBER), .dimension = RC_FRACTION, .most = 1},
    {OF(bw_minavg, NUMBER), .dimension = RC_RATE, .most = INFINITY},
    {OF(bw_avgmin, NUMBER), .dimension = RC_RATE, .most = INFINITY},
    {OF(bytes_read, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(bytes_written, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(status, STATUS)},
#undef OF
    {.name = "id", .holds = HOLDS_NOTHING}, /* the database gives ids itself */
};

static const struct known ignored_column = {.name = "ignored", .holds = HOLDS_NOTHING};

/* Spreadsheets like to leave a comma at the end of every line. */
static const struct known unnamed_column = {.name = "", .holds = HOLDS_BLANK};
/* All columns of times of phases and processes. */
static const struct known part_column = {
    .name = "time:", .holds = HOLDS_PART, .dimension = RC_SECONDS, .most = INFINITY};

enum { N_KNOWN = sizeof known_columns / sizeof *known_columns };

/* Names that mean another column. */
static const struct {
    const char *name, *means;
} other_names[] = {{"cpu", "cpu_minavg"}, {"bw", "bw_minavg"}};

struct column {
    const struct known *known;      /* NULL: a parameter */
    char *name;                     /* of a parameter; of others, the heading */
    char *phase;                    /* of a time of a part */
    int process;                    /* ... or -1 */
    unsigned line, position;        /* in the header */
    const struct known *alias;      /* what a parameter is if its values are such; NULL: none */
    struct rc_column_values values; /* of a parameter, in the good rows */
    struct rc_column_pattern pattern;
    struct rc_error first_text;
    struct rc_error first_strange;                  /* the first value that `alias` cannot have */
    enum { SAW_NOTHING, SAW_NUMBER, SAW_TEXT } saw; /* in the row at hand */
    double number;                                  /* if it was one */
    bool left_out;
};

struct rc_run_table {
    const char *name;
    struct rc_run_table_options options;
    struct column *columns;
    size_t n_columns;
    struct rc_param *params;
    struct rc_run_time *times;
    unsigned line; /* of the header */
    uint64_t rows; /* good ones, in the first reading */
    bool settled;
    bool asked; /* the runs may be planned ones, without a time */
};

static const struct known *find_known(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(name, other_names[i].name) == 0)
            name = other_names[i].means;
    for (size_t i = 0; i < N_KNOWN; i++)
        if (strcasecmp(name, known_columns[i].name) == 0)
            return &known_columns[i];
    return rc_db_time_column_is(name) ? &part_column : NULL;
}

const char *rc_db_run_table_column(const char *name)
{
    const struct known *known = find_known(name);

    return known ? known->name : NULL;
}

static bool is_required(const struct rc_run_table *table, const struct known *known)
{
    return known->required && !(table->asked && strcmp(known->name, "seconds") == 0);
}

/* ---- the header ---- */

static int read_part_name(const struct rc_run_table *table, struct column *column,
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

static bool mean_the_same(const struct column *one, const struct column *other)
{
    if (one->known != other->known || one->known == &ignored_column)
        return false;
    if (!one->known)
        return strcmp(one->name, other->name) == 0;
    return one->known != &part_column ||
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
    struct column *column = &table->columns[table->n_columns];
    const char *name = renamed(table, field->text);

    if (strchr(field->text, '\t'))
        return rc_error_at(error, table->name, field->line, field->column,
                           "separate columns by commas, not by tabs");
    if (field->length > NAME_MAX_BYTES || !rc_text_is_printable(field->text, field->length))
        return rc_error_at(error, table->name, field->line, field->column,
                           "column %zu: the name is too long or not plain UTF-8 text",
                           table->n_columns + 1);
    column->known = is_ignored(table, field->text) ? &ignored_column
                    : field->length                ? find_known(name)
                                                   : &unnamed_column;
    column->line = field->line;
    column->position = field->column;
    column->name = strdup(column->known ? field->text : name);
    if (!column->name)
        return rc_error_no_memory(error);
    table->n_columns++; /* freed with the others from here on */
    if (column->known == &part_column && read_part_name(table, column, field, name, error))
        return -1;
    for (const struct column *other = table->columns; other < column && field->length; other++)
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
        const struct column *column = &table->columns[i];

        if (column->known)
            continue;
        bytes += RC_RUN_PARAM_BYTES(strlen(column->name));
        if (++count > RC_RUN_PARAMS_COUNT || bytes > RC_RUN_PARAMS_MAX)
            return rc_error_at(error, table->name, column->line, column->position,
                               "too many columns of parameters");
    }
    return 0;
}

static bool has_column(const struct rc_run_table *table, const struct known *known)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].known == known)
            return true;
    return false;
}

/* A required column may have another heading, if just one column has it. */
static int adopt_alias(struct rc_run_table *table, const struct known *known,
                       struct rc_error *error)
{
    struct column *found = NULL;

    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->columns[i];

        if (column->known || !rc_db_column_is_alias(column->name, known->name))
            continue;
        if (found) {
            rc_error_at(error, table->name, column->line, column->position,
                        "columns '%s' and '%s' can both be '%s'", found->name, column->name,
                        known->name);
            return rc_error_code(error, "db.ambiguous-column", "%s=%s", found->name, known->name);
        }
        found = column;
    }
    if (found)
        found->known = known;
    return 0;
}

/* An optional column may have another heading, too, if its values fit: see
 * rc_db_run_table_settle(). */
static void note_alias(struct rc_run_table *table, const struct known *known)
{
    struct column *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->columns[i].known &&
            rc_db_column_is_alias(table->columns[i].name, known->name)) {
            found = &table->columns[i];
            count++;
        }
    if (count == 1)
        found->alias = known;
}

static int adopt_aliases(struct rc_run_table *table, struct rc_error *error)
{
    for (size_t i = 0; i < N_KNOWN; i++) {
        if (has_column(table, &known_columns[i]))
            continue;
        if (!known_columns[i].required)
            note_alias(table, &known_columns[i]);
        else if (adopt_alias(table, &known_columns[i], error))
            return -1;
    }
    return 0;
}

/* ---- missing columns ---- */

/* Required columns that are missing, and renames that would provide them and likely other ones. */
struct missing {
    char names[100];
    char renames[200]; /* HEADING=NAME, one on a line */
    size_t count;
    bool app;
};

static const struct column *find_likely(const struct rc_run_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->columns[i].known && rc_db_column_resembles(table->columns[i].name, name))
            return &table->columns[i];
    return NULL;
}

/* Optional columns whose headings are known only if the user renames them. */
static void add_optional(const struct rc_run_table *table, struct missing *missing)
{
    static const char *const names[] = {"status", "start"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct column *likely = find_likely(table, names[i]);

        if (likely && !likely->alias && !has_column(table, find_known(names[i])))
            rc_text_append(missing->renames, sizeof missing->renames, "%s%s=%s",
                           *missing->renames ? "\n" : "", likely->name, names[i]);
    }
}

static void find_missing(const struct rc_run_table *table, struct missing *missing)
{
    *missing = (struct missing){.count = 0};
    for (size_t i = 0; i < N_KNOWN; i++) {
        const struct known *known = &known_columns[i];
        bool is_app = strcmp(known->name, "app") == 0;
        const struct column *likely;

        if (!is_required(table, known) || has_column(table, known) ||
            (is_app && table->options.app))
            continue;
        likely = find_likely(table, known->name);
        rc_text_append(missing->names, sizeof missing->names, "%s'%s'",
                       missing->count++ ? ", " : "", known->name);
        if (is_app && !likely)
            missing->app = true;
        else
            rc_text_append(missing->renames, sizeof missing->renames, "%s%s=%s",
                           *missing->renames ? "\n" : "", likely ? likely->name : "HEADING",
                           known->name);
    }
    if (missing->count)
        add_optional(table, missing);
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
        has_column(table, &known_columns[0])) {
        rc_error_at(error, table->name, header->line, 1, "the table has a column 'app'");
        return rc_error_code(error, "db.app-twice", NULL);
    }
    if (!missing.count)
        return 0;
    list_headings(table, headings, sizeof headings);
    rc_error_at(error, table->name, header->line, 1, "missing column%s %s; the table has: %s",
                missing.count == 1 ? "" : "s", missing.names, headings);
    if (header->n_fields == 1 && strpbrk(header->fields[0].text, ";|"))
        return rc_error_hint(error, "separate columns by commas, not by '%c'",
                             *strpbrk(header->fields[0].text, ";|"));
    if (table->asked)
        return rc_error_hint(error, "name the columns in the first line; n and p are required");
    if (header->n_fields == 1)
        return rc_error_hint(error, "name the columns in the first line, such as app,n,p,seconds");
    return rc_error_code(error, missing.app ? "db.no-app-column" : "db.no-column", "%s",
                         missing.renames);
}

/* Every rename must concern a column: a mistyped one would go unnoticed. */
static int check_heading(const struct rc_run_table *table, const struct rc_csv_row *header,
                         const char *heading, const char *what, struct rc_error *error)
{
    char headings[300];

    for (size_t field = 0; field < header->n_fields; field++)
        if (strcasecmp(header->fields[field].text, heading) == 0)
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
        if (check_heading(table, header, options->renames[i].heading, "rename", error))
            return -1;
    for (size_t i = 0; i < options->n_ignored; i++)
        if (check_heading(table, header, options->ignored[i], "ignore", error))
            return -1;
    return 0;
}

static struct rc_run_table *create(const struct rc_csv_row *header, const char *name,
                                   const struct rc_run_table_options *options, bool asked,
                                   struct rc_error *error)
{
    struct rc_run_table *table = calloc(1, sizeof *table);

    if (table) {
        table->asked = asked;
        table->name = name;
        table->line = header->line;
        table->options = *options;
        table->columns = calloc(header->n_fields, sizeof *table->columns);
        table->params = calloc(header->n_fields, sizeof *table->params);
        table->times = calloc(header->n_fields, sizeof *table->times);
    }
    if (!table || !table->columns || !table->params || !table->times) {
        rc_db_run_table_destroy(table);
        rc_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < header->n_fields; i++)
        if (read_column(table, &header->fields[i], error)) {
            rc_db_run_table_destroy(table);
            return NULL;
        }
    if (check_headings(table, header, error) || adopt_aliases(table, error) ||
        check_required(table, header, error) || check_params(table, error)) {
        rc_db_run_table_destroy(table);
        return NULL;
    }
    return table;
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
    }
    free(table->columns);
    free(table->params);
    free(table->times);
    free(table);
}

/* ---- a row ---- */

/* Whether the cell has no value. */
static bool is_blank(const struct rc_csv_field *field)
{
    if (field->length == 0)
        return true;
    if (field->length > 3 || field->quoted || (field->text[0] | 0x20) != 'n')
        return false;
    return strcasecmp(field->text, "NA") == 0 || strcasecmp(field->text, "nan") == 0;
}

/* An error at `field`, with the name of its column in front. */
static int fault(const struct rc_run_table *table, const struct column *column,
                 const struct rc_csv_field *field, struct rc_error *error, const char *what)
{
    return rc_error_at(error, table->name, field->line, field->column, "column '%s': %s",
                       column->name, what);
}

/* The same for what a lower function has put into `error`. */
static int fault_from(const struct rc_run_table *table, const struct column *column,
                      const struct rc_csv_field *field, struct rc_error *error)
{
    struct rc_error inner = {0};

    if (!error)
        return -1;
    inner = *error;
    inner.text[400] = '\0'; /* leaves room for the name of the column */
    fault(table, column, field, error, inner.text);
    return rc_error_hint_of(error, &inner);
}

static int read_number(const struct rc_run_table *table, const struct column *column,
                       const struct rc_csv_field *field, double *value, struct rc_error *error)
{
    const struct known *known = column->known;
    char text[160], most[RC_NUMBER_SIZE];

    if (rc_number_parse(field->text, field->length, value) &&
        rc_unit_parse(field->text, field->length, known->dimension, value, error))
        return fault_from(table, column, field, error);
    if (*value < known->least || *value > known->most || (known->above && *value <= known->least)) {
        rc_number_format(known->most, most);
        snprintf(text, sizeof text, "%.60s is not %s %g%s%s", field->text,
                 known->above ? "greater than" : "at least", known->least,
                 isinf(known->most) ? "" : " and at most ", isinf(known->most) ? "" : most);
        return fault(table, column, field, error, text);
    }
    return 0;
}

static int read_count(const struct rc_run_table *table, const struct column *column,
                      const struct rc_csv_field *field, int64_t *value, struct rc_error *error)
{
    double number;

    if (read_number(table, column, field, &number, error))
        return -1;
    if (number != floor(number))
        return fault(table, column, field, error, "not a whole number");
    *value = (int64_t)number;
    return 0;
}

static int read_text(const struct rc_run_table *table, const struct column *column,
                     const struct rc_csv_field *field, const char **value, struct rc_error *error)
{
    size_t most = column->known->holds == HOLDS_HOSTS ? HOSTS_MAX_BYTES : NAME_MAX_BYTES;

    if (field->length > most)
        return fault(table, column, field, error, "text too long");
    if (!rc_text_is_printable(field->text, field->length))
        return fault(table, column, field, error, "text with control characters, or not UTF-8");
    *value = field->text;
    return 0;
}

static int read_status(const struct rc_run_table *table, const struct column *column,
                       const struct rc_csv_field *field, enum rc_run_status *value,
                       struct rc_error *error)
{
    if (rc_db_run_status_parse(field->text, value) == 0)
        return 0;
    return fault(table, column, field, error,
                 "not one of ok, failed, interrupted, or a final state of a Slurm job");
}

static int read_part(const struct rc_run_table *table, const struct column *column,
                     const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    double seconds;

    if (read_number(table, column, field, &seconds, error))
        return -1;
    table->times[run->n_times++] = (struct rc_run_time){column->phase, column->process, seconds};
    return 0;
}

/* The number of processes is known once the whole row is read. */
static int check_parts(const struct rc_run_table *table, const struct rc_csv_row *row,
                       const struct rc_run *run, struct rc_error *error)
{
    for (size_t i = 0; i < table->n_columns && run->n_times > 0; i++) {
        const struct column *column = &table->columns[i];

        if (column->known == &part_column && column->process >= run->p &&
            !is_blank(&row->fields[i]))
            return fault(table, column, &row->fields[i], error,
                         "the run has no such rank (ranks count from 0)");
    }
    return 0;
}

static int read_known(const struct rc_run_table *table, const struct column *column,
                      const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    void *member = (char *)run + column->known->offset;

    if (is_blank(field))
        return is_required(table, column->known)
                   ? fault(table, column, field, error,
                           field->length ? "a value is required" : "empty")
                   : 0;
    switch (column->known->holds) {
    case HOLDS_NAME:
    case HOLDS_HOSTS:
        if (read_text(table, column, field, member, error))
            return -1;
        return table->asked && strcmp(run->app, table->options.app) != 0
                   ? fault(table, column, field, error, "not the app that was asked for")
                   : 0;
    case HOLDS_NUMBER:
        return read_number(table, column, field, member, error);
    case HOLDS_COUNT:
        return read_count(table, column, field, member, error);
    case HOLDS_TIME:
        if (rc_timestamp_parse(field->text, field->length, member, error))
            return fault_from(table, column, field, error);
        return *(double *)member < YEAR_10000
                   ? 0
                   : fault(table, column, field, error,
                           "after the year 9999; the unit is seconds, not milliseconds");
    case HOLDS_STATUS:
        return read_status(table, column, field, member, error);
    case HOLDS_PART:
        return read_part(table, column, field, run, error);
    case HOLDS_BLANK:
        return fault(table, column, field, error, "the column has no name");
    default:
        return 0;
    }
}

static int read_param(struct rc_run_table *table, struct column *column,
                      const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    double value;

    column->saw = SAW_NOTHING;
    if (is_blank(field) || column->left_out)
        return 0;
    if (rc_number_parse(field->text, field->length, &value) == 0) {
        table->params[run->n_params++] = (struct rc_param){column->name, value};
        column->saw = SAW_NUMBER;
        column->number = value;
        return 0;
    }
    column->saw = SAW_TEXT;
    if (!table->settled)
        return 0;
    return rc_error_at(error, table->name, field->line, field->column,
                       "column '%s': '%.200s' is not a number", column->name, field->text);
}

/* What the value would be in the column that the heading is an alias of. */
static void learn_alias(struct rc_run_table *table, struct column *column,
                        const struct rc_csv_field *field)
{
    const struct column known = {.known = column->alias, .name = column->name};
    struct rc_error strange = {0};
    struct rc_run run;

    rc_db_run_init(&run);
    if (column->first_strange.line == 0 && read_known(table, &known, field, &run, &strange))
        column->first_strange = strange;
}

/* Only rows without another fault count. */
static void learn_kinds(struct rc_run_table *table, const struct rc_csv_row *row,
                        const struct rc_run *run)
{
    table->rows++;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->columns[i];
        const struct rc_csv_field *field = &row->fields[i];

        if (column->known || column->saw == SAW_NOTHING)
            continue;
        if (column->alias)
            learn_alias(table, column, field);
        if (column->saw == SAW_NUMBER) {
            rc_db_column_values_number(&column->values, column->number);
            rc_db_column_pattern_add(&column->pattern, run->p, column->number);
            continue;
        }
        rc_db_column_values_text(&column->values, field->text, field->length);
        if (column->values.texts == 1)
            rc_error_at(&column->first_text, table->name, field->line, field->column,
                        "column '%s': '%.200s' is not a number", column->name, field->text);
    }
}

int rc_db_run_table_row(struct rc_run_table *table, const struct rc_csv_row *row,
                        struct rc_run *run, struct rc_error *error)
{
    rc_db_run_init(run);
    if (row->n_fields != table->n_columns) {
        const struct rc_csv_field *last =
            &row->fields[row->n_fields < table->n_columns ? row->n_fields - 1 : table->n_columns];

        return rc_error_at(error, table->name, last->line, last->column,
                           "%zu field%s, but the header has %zu columns", row->n_fields,
                           row->n_fields == 1 ? "" : "s", table->n_columns);
    }
    if (table->options.app)
        run->app = table->options.app;
    if (table->options.platform)
        run->platform = table->options.platform;
    for (size_t i = 0; i < row->n_fields; i++) {
        struct column *column = &table->columns[i];

        if (column->known ? read_known(table, column, &row->fields[i], run, error)
                          : read_param(table, column, &row->fields[i], run, error))
            return -1;
    }
    run->params = table->params;
    run->times = table->times;
    if (check_parts(table, row, run, error))
        return -1;
    if (!table->settled)
        learn_kinds(table, row, run);
    return 0;
}

static void keep_first(const struct rc_error **first, const struct rc_error *fault)
{
    if (!*first || fault->line < (*first)->line ||
        (fault->line == (*first)->line && fault->column < (*first)->column))
        *first = fault;
}

int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error)
{
    const struct rc_error *first = NULL;

    table->settled = true;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->columns[i];
        const struct rc_column_values *values = &column->values;

        if (column->alias && rc_db_column_values_are(values, column->alias->name, false)) {
            column->known = column->alias;
            if (column->first_strange.line)
                keep_first(&first, &column->first_strange);
            continue;
        }
        column->left_out = values->texts > 0 && values->numbers == 0;
        if (values->texts > 0 && !column->left_out)
            keep_first(&first, &column->first_text);
    }
    if (first && error)
        *error = *first;
    return first ? -1 : 0;
}

/* ---- notes on columns ---- */

/* What a column of text is, if the table has no other column of that kind; NULL: unknown. */
static const char *text_is(const struct rc_run_table *table, const struct column *column)
{
    static const char *const names[] = {"status", "start"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rc_db_column_values_are(&column->values, names[i], true) &&
            !has_column(table, find_known(names[i])))
            return names[i];
    return NULL;
}

static void describe_text(const struct rc_run_table *table, const struct column *column,
                          struct rc_error *what)
{
    const char *name = text_is(table, column);

    if (!name) {
        rc_error_at(what, table->name, column->line, column->position,
                    "column '%s' has text, not numbers; ignored", column->name);
        return;
    }
    rc_error_at(what, table->name, column->line, column->position, "column '%s' has %s; ignored",
                column->name, strcmp(name, "status") == 0 ? "job states" : "dates");
    rc_error_code(what, strcmp(name, "status") == 0 ? "db.column-of-states" : "db.column-of-dates",
                  "%s", column->name);
}

/* Whether a parameter says nothing that the other columns do not say. */
static bool describe_needless(const struct rc_run_table *table, const struct column *column,
                              struct rc_error *what)
{
    const struct rc_column_pattern *pattern = &column->pattern;
    bool constant = pattern->n > 1 && !pattern->varies;

    if (pattern->n < table->rows || (!constant && !rc_db_column_pattern_of_procs(pattern)))
        return false;
    rc_error_at(what, table->name, column->line, column->position, "column '%s' %s", column->name,
                constant ? "has the same number in all rows" : "depends only on p");
    rc_error_code(what, constant ? "db.constant-column" : "db.column-of-procs", "%s", column->name);
    return true;
}

void rc_db_run_table_describe(const struct rc_run_table *table,
                              void (*note)(void *data, const struct rc_error *what), void *data)
{
    struct rc_error what, params = {0};
    char list[400] = "";

    for (size_t i = 0; note && i < table->n_columns; i++) {
        const struct column *column = &table->columns[i];

        if (column->left_out) {
            describe_text(table, column, &what);
            note(data, &what);
        }
        if (!column->known && column->values.numbers)
            rc_text_append(list, sizeof list, "%s%s", *list ? ", " : "", column->name);
    }
    if (!*list)
        return;
    rc_error_set(&params, "parameters: %s", list);
    note(data, &params);
    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->columns[i].known && describe_needless(table, &table->columns[i], &what))
            note(data, &what);
}
