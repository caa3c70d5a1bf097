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
#include "db/run.h"
#include "db/phase_time_columns.h"

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
    HOLDS_NOTHING, /* passed over */
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
    const struct known *known; /* NULL: a parameter */
    char *name;
    char *phase;             /* of a time of a part */
    int process;             /* ... or -1 */
    unsigned line, position; /* in the header */
    uint64_t numbers, texts; /* of a parameter: in how many good rows each was seen */
    struct rc_error first_text;
    enum { SAW_NOTHING, SAW_NUMBER, SAW_TEXT } saw; /* in the row at hand */
    bool left_out;
};

struct rc_run_table {
    const char *name, *app, *platform;
    struct column *columns;
    size_t n_columns;
    struct rc_param *params;
    struct rc_run_time *times;
    bool settled;
    bool asked; /* the runs may be still to come */
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
                          const struct rc_csv_field *field, struct rc_error *error)
{
    char phase[RC_PHASE_MAX + 1];
    struct rc_error inner = {0};

    if (rc_db_time_column_read(field->text, phase, &column->process, &inner)) {
        rc_error_at(error, table->name, field->line, field->column, "column '%s': %.200s",
                    field->text, inner.text);
        return rc_error_hint_of(error, &inner);
    }
    column->phase = strdup(phase);
    return column->phase ? 0 : rc_error_no_memory(error);
}

static bool mean_the_same(const struct column *one, const struct column *other)
{
    if (one->known != other->known)
        return false;
    if (!one->known)
        return strcmp(one->name, other->name) == 0;
    return one->known != &part_column ||
           (one->process == other->process && strcmp(one->phase, other->phase) == 0);
}

static int read_column(struct rc_run_table *table, const struct rc_csv_field *field,
                       struct rc_error *error)
{
    struct column *column = &table->columns[table->n_columns];

    if (strchr(field->text, '\t'))
        return rc_error_at(error, table->name, field->line, field->column,
                           "columns are separated by commas, not by tabs");
    if (field->length > NAME_MAX_BYTES || !rc_text_is_printable(field->text, field->length))
        return rc_error_at(error, table->name, field->line, field->column,
                           "column %zu: its name is too long, or not plain UTF-8 text",
                           table->n_columns + 1);
    column->known = field->length ? find_known(field->text) : &unnamed_column;
    column->line = field->line;
    column->position = field->column;
    column->name = strdup(field->text);
    if (!column->name)
        return rc_error_no_memory(error);
    table->n_columns++; /* it is freed with the others from here on */
    if (column->known == &part_column && read_part_name(table, column, field, error))
        return -1;
    for (const struct column *other = table->columns; other < column && field->length; other++)
        if (mean_the_same(column, other))
            return rc_error_at(error, table->name, field->line, field->column,
                               "column '%s' means the same as column '%s' before it", field->text,
                               other->name);
    return 0;
}

/* A run with all of the table's parameters must be one that the store takes. */
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

static int check_required(const struct rc_run_table *table, const struct rc_csv_row *header,
                          struct rc_error *error)
{
    char missing[100] = "";

    for (size_t i = 0; i < N_KNOWN; i++) {
        const struct known *known = &known_columns[i];
        size_t length = strlen(missing);

        if (is_required(table, known) && !has_column(table, known) &&
            !(strcmp(known->name, "app") == 0 && table->app))
            snprintf(missing + length, sizeof missing - length, "%s'%s'", length ? ", " : "",
                     known->name);
    }
    if (!*missing && !table->asked && table->app && has_column(table, &known_columns[0])) {
        rc_error_at(error, table->name, header->line, 1, "the table names its apps itself");
        return rc_error_code(error, "db.app-twice", NULL);
    }
    if (!*missing)
        return 0;
    rc_error_at(error, table->name, header->line, 1, "the header lacks %s", missing);
    if (header->n_fields == 1 && strpbrk(header->fields[0].text, ";|"))
        return rc_error_hint(error, "columns are separated by commas, not by '%c'",
                             *strpbrk(header->fields[0].text, ";|"));
    if (table->asked)
        return rc_error_hint(error, "the first line names the columns; n and p are required");
    return rc_error_code(error, strstr(missing, "'app'") ? "db.no-app-column" : "db.no-column",
                         NULL);
}

static struct rc_run_table *create(const struct rc_csv_row *header, const char *name,
                                   const char *app, const char *platform, bool asked,
                                   struct rc_error *error)
{
    struct rc_run_table *table = calloc(1, sizeof *table);

    if (table) {
        table->asked = asked;
        table->name = name;
        table->app = app;
        table->platform = platform;
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
    if (check_required(table, header, error) || check_params(table, error)) {
        rc_db_run_table_destroy(table);
        return NULL;
    }
    return table;
}

struct rc_run_table *rc_db_run_table_create(const struct rc_csv_row *header, const char *name,
                                            const char *app, const char *platform,
                                            struct rc_error *error)
{
    return create(header, name, app, platform, false, error);
}

struct rc_run_table *rc_db_run_table_create_asked(const struct rc_csv_row *header, const char *name,
                                                  const char *app, struct rc_error *error)
{
    return create(header, name, app, NULL, true, error);
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

/* What a cell says of a field that may be unknown. */
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
    inner.text[400] = '\0'; /* leaves room for the column's name */
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
        return fault(table, column, field, error, "it is not a whole number");
    *value = (int64_t)number;
    return 0;
}

static int read_text(const struct rc_run_table *table, const struct column *column,
                     const struct rc_csv_field *field, const char **value, struct rc_error *error)
{
    size_t most = column->known->holds == HOLDS_HOSTS ? HOSTS_MAX_BYTES : NAME_MAX_BYTES;

    if (field->length > most)
        return fault(table, column, field, error, "the text is too long");
    if (!rc_text_is_printable(field->text, field->length))
        return fault(table, column, field, error,
                     "the text has control characters in it, or is not UTF-8");
    *value = field->text;
    return 0;
}

/* How Slurm says it. */
static const struct {
    const char *word;
    enum rc_run_status status;
} slurm_states[] = {
    {"COMPLETED", RC_RUN_OK},         {"OUT_OF_MEMORY", RC_RUN_FAILED},
    {"NODE_FAIL", RC_RUN_FAILED},     {"BOOT_FAIL", RC_RUN_FAILED},
    {"TIMEOUT", RC_RUN_INTERRUPTED},  {"CANCELLED", RC_RUN_INTERRUPTED},
    {"DEADLINE", RC_RUN_INTERRUPTED}, {"PREEMPTED", RC_RUN_INTERRUPTED},
};

static int read_status(const struct rc_run_table *table, const struct column *column,
                       const struct rc_csv_field *field, enum rc_run_status *value,
                       struct rc_error *error)
{
    for (int status = RC_RUN_OK; status <= RC_RUN_INTERRUPTED; status++)
        if (strcasecmp(field->text, rc_db_run_status_name((enum rc_run_status)status)) == 0) {
            *value = (enum rc_run_status)status;
            return 0;
        }
    for (size_t i = 0; i < sizeof slurm_states / sizeof *slurm_states; i++) {
        size_t length = strlen(slurm_states[i].word);

        /* What follows a blank says by whom: "CANCELLED by 1000". */
        if (strncasecmp(field->text, slurm_states[i].word, length) == 0 &&
            (field->text[length] == '\0' || field->text[length] == ' ')) {
            *value = slurm_states[i].status;
            return 0;
        }
    }
    return fault(table, column, field, error,
                 "it is none of: ok, failed, interrupted (nor a final state of Slurm's)");
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

/* Only once all of the row is read is it known how many processes the run had. */
static int check_parts(const struct rc_run_table *table, const struct rc_csv_row *row,
                       const struct rc_run *run, struct rc_error *error)
{
    for (size_t i = 0; i < table->n_columns && run->n_times > 0; i++) {
        const struct column *column = &table->columns[i];

        if (column->known == &part_column && column->process >= run->p &&
            !is_blank(&row->fields[i]))
            return fault(table, column, &row->fields[i], error,
                         "the run has no process of that number (they count from 0)");
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
                           field->length ? "it is required, not to be left open" : "it is empty")
                   : 0;
    switch (column->known->holds) {
    case HOLDS_NAME:
    case HOLDS_HOSTS:
        if (read_text(table, column, field, member, error))
            return -1;
        return table->asked && strcmp(run->app, table->app) != 0
                   ? fault(table, column, field, error, "it is another app than is asked for")
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
                           "it is beyond the year 9999; seconds are expected, not milliseconds");
    case HOLDS_STATUS:
        return read_status(table, column, field, member, error);
    case HOLDS_PART:
        return read_part(table, column, field, run, error);
    case HOLDS_BLANK:
        return fault(table, column, field, error, "the column has no name in the header");
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
        return 0;
    }
    column->saw = SAW_TEXT;
    if (!table->settled)
        return 0;
    return rc_error_at(error, table->name, field->line, field->column,
                       "column '%s': '%.200s' is not a number", column->name, field->text);
}

/* Only rows that are good otherwise tell what kind of column it is. */
static void learn_kinds(struct rc_run_table *table, const struct rc_csv_row *row)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->columns[i];
        const struct rc_csv_field *field = &row->fields[i];

        if (column->known)
            continue;
        column->numbers += column->saw == SAW_NUMBER;
        if (column->saw == SAW_TEXT && column->texts++ == 0)
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
                           "%zu field%s, where the header has %zu columns", row->n_fields,
                           row->n_fields == 1 ? "" : "s", table->n_columns);
    }
    if (table->app)
        run->app = table->app;
    if (table->platform)
        run->platform = table->platform;
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
        learn_kinds(table, row);
    return 0;
}

int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error)
{
    const struct rc_error *first = NULL;

    table->settled = true;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->columns[i];

        column->left_out = column->texts > 0 && column->numbers == 0;
        if (column->texts == 0 || column->left_out)
            continue;
        if (!first || column->first_text.line < first->line ||
            (column->first_text.line == first->line && column->first_text.column < first->column))
            first = &column->first_text;
    }
    if (first && error)
        *error = *first;
    return first ? -1 : 0;
}

void rc_db_run_table_left_out(const struct rc_run_table *table,
                              void (*note)(void *data, const struct rc_error *what), void *data)
{
    struct rc_error what;

    for (size_t i = 0; note && i < table->n_columns; i++) {
        const struct column *column = &table->columns[i];

        if (!column->left_out)
            continue;
        rc_error_at(&what, table->name, column->line, column->position,
                    "column '%s' holds text, not numbers: it is left out", column->name);
        note(data, &what);
    }
}
