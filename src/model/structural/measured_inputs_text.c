// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs_text.c - measured values as a part of a model file, and back. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "model/structural/measured_inputs_internal.h"
#include "model/structural/binding.h"

/* Before the share of the note that tells the spread. */
#define SPREAD "standard deviation of single measurements: at most "

/* ---- writing ---- */

/* The worst, or the oldest, of the values.  What a host sends to itself is copied in memory, which
 * takes now this time and now that: it is looked at only where there is nothing else. */
static void judge(const struct rc_benchmark_input *input, double *accuracy, double *spread,
                  double *when)
{
    bool to_others = false;

    for (size_t i = 0; i < input->n_cells && input->n_parameters > 1; i++)
        to_others |= strcmp(input->cells[i].row, input->cells[i].column) != 0;
    *accuracy = *spread = 0; /* one that is not known stays so: nothing is larger than NAN */
    *when = INFINITY;
    for (size_t i = 0; i < input->n_cells; i++) {
        const struct rc_benchmark_value *value = &input->cells[i].value;

        *when = fmin(*when, value->when);
        if (to_others && strcmp(input->cells[i].row, input->cells[i].column) == 0)
            continue;
        *accuracy =
            value->accuracy > *accuracy || isnan(value->accuracy) ? value->accuracy : *accuracy;
        *spread = value->spread > *spread || isnan(value->spread) ? value->spread : *spread;
    }
}

/* A text in the making; once something could not be added, it stays bad. */
struct writing {
    struct rc_buffer *text;
    int status;
};
#define PUT(writing, ...) ((writing)->status |= rc_buffer_printf((writing)->text, __VA_ARGS__))

static void put_value(struct writing *writing, double value)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, RC_BENCHMARKS_DIGITS, number);
    PUT(writing, "%s", number);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The different columns, in their order; to be freed. */
static const char **list_columns(const struct rc_benchmark_input *input, size_t *n)
{
    const char **columns = calloc(input->n_cells + 1, sizeof *columns);
    size_t kept = 0;

    for (size_t i = 0; columns && i < input->n_cells; i++)
        columns[i] = input->cells[i].column;
    if (columns)
        qsort(columns, input->n_cells, sizeof *columns, by_text);
    for (size_t i = 0; columns && i < input->n_cells; i++)
        if (kept == 0 || strcmp(columns[kept - 1], columns[i]) != 0)
            columns[kept++] = columns[i];
    *n = kept;
    return columns;
}

/* A line for each row, with a value or a dash for each column. */
static void put_table(const struct rc_benchmark_input *input, struct writing *writing)
{
    size_t n, at = 0;
    const char **columns = list_columns(input, &n);

    if (!columns) {
        writing->status = -1;
        return;
    }
    PUT(writing, " = table\n");
    for (size_t j = 0; j < n && input->n_parameters > 1; j++)
        PUT(writing, "%s  %s%s", j ? "" : "      ", columns[j], j + 1 < n ? "" : "\n");
    while (at < input->n_cells) {
        const char *row = input->cells[at].row;

        PUT(writing, "    %s", row);
        for (size_t j = 0; j < n; j++) {
            PUT(writing, "  ");
            if (at < input->n_cells && strcmp(input->cells[at].row, row) == 0 &&
                strcmp(input->cells[at].column, columns[j]) == 0)
                put_value(writing, input->cells[at++].value.mean);
            else
                PUT(writing, "-");
        }
        PUT(writing, "\n");
    }
    free(columns);
}

/* Where the values come from: that of the first, and whether others come from elsewhere. */
static void put_source(const struct rc_benchmarks *measured, const struct rc_benchmark_input *input,
                       struct writing *writing)
{
    const char *source = measured->hows[input->cells[0].value.how].source;
    bool others = false;

    for (size_t i = 1; i < input->n_cells && source; i++) {
        const char *other = measured->hows[input->cells[i].value.how].source;

        others |= !other || strcmp(source, other) != 0;
    }
    if (source)
        PUT(writing, "    source \"%s%s\"\n", source, others ? "; and others" : "");
}

static void put_about(const struct rc_benchmarks *measured, const struct rc_benchmark_input *input,
                      double lifetime, struct writing *writing)
{
    double accuracy, spread, when;
    char time[RC_TIME_SIZE], number[RC_NUMBER_SIZE];

    judge(input, &accuracy, &spread, &when);
    rc_number_format_short(100 * accuracy, 3, number);
    if (!isnan(accuracy))
        PUT(writing, "    accuracy %s%%\n", number);
    rc_timestamp_format(when, time);
    if (isfinite(when))
        PUT(writing, "    measured %s\n", time);
    rc_number_format(lifetime, number);
    if (!isnan(lifetime))
        PUT(writing, "    lifetime %ss\n", number);
    put_source(measured, input, writing);
    rc_number_format_short(100 * spread, 3, number);
    if (!isnan(spread))
        PUT(writing, "    note \"" SPREAD "%s %%\"\n", number);
    PUT(writing, "%s", input->clauses);
}

int rc_structural_benchmarks_write_input(const struct rc_benchmarks *measured,
                                         const struct rc_benchmark_input *input,
                                         const struct rc_item *item, struct rc_buffer *text)
{
    const char *description = item ? item->description : input->description;
    char *const *parameters = item ? item->parameters : input->parameters;
    struct writing writing = {.text = text};

    if (input->n_cells == 0)
        return 0;
    PUT(&writing, "\ninput %s", input->name);
    for (size_t i = 0; i < input->n_parameters; i++)
        PUT(&writing, "%s%s%s", i ? ", " : "[", parameters[i],
            i + 1 < input->n_parameters ? "" : "]");
    if (description)
        PUT(&writing, " \"%s\"", description);
    if (input->n_parameters > 0) {
        put_table(input, &writing);
    } else {
        PUT(&writing, " = ");
        put_value(&writing, input->cells[0].value.mean);
        PUT(&writing, "\n");
    }
    put_about(measured, input, item ? item->meta.lifetime : input->lifetime, &writing);
    return writing.status;
}

bool rc_structural_benchmarks_can_name(const char *platform)
{
    size_t length = strlen(platform);
    bool good =
        length > 0 && length <= RC_MODEL_NAME_MAX && platform[0] != '-' && platform[0] != '.';

    for (size_t i = 0; i < length; i++)
        good = good && (isalnum((unsigned char)platform[i]) || strchr("_-.", platform[i]));
    return good;
}

int rc_structural_benchmarks_write_platform(const char *platform, struct rc_buffer *text)
{
    if (platform && rc_structural_benchmarks_can_name(platform))
        return rc_buffer_printf(text, "on %s\n", platform);
    return rc_buffer_add_text(text, "");
}

int rc_structural_benchmarks_write(const struct rc_benchmarks *measured,
                                   const struct rc_binding *binding, const char *platform,
                                   struct rc_buffer *text, struct rc_error *error)
{
    int status = rc_structural_benchmarks_write_platform(platform, text);

    for (size_t i = 0; i < measured->n_inputs && status == 0; i++) {
        const struct rc_benchmark_input *input = &measured->inputs[i];
        const struct rc_item *item =
            binding ? rc_structural_binding_find_item(binding, input->name) : NULL;

        if (!binding || (item && rc_structural_benchmarks_fits(input, item)))
            status = rc_structural_benchmarks_write_input(measured, input, item, text);
    }
    return status ? rc_error_set(error, "too many measured inputs for a model") : 0;
}

/* ---- reading ---- */

static double read_spread(const char *note)
{
    size_t length = strlen(SPREAD);
    double share;

    if (!note || strncmp(note, SPREAD, length) != 0 ||
        rc_number_scan(note + length, strlen(note + length), &share) == 0)
        return NAN;
    return share / 100;
}

static int read_value(struct rc_benchmarks *measured, const struct rc_item *item, const char *row,
                      const char *column, const struct rc_expression *expression,
                      struct rc_error *error)
{
    struct rc_benchmark_value value = {.accuracy = item->meta.accuracy,
                                       .spread = read_spread(item->meta.note),
                                       .when = item->meta.measured};
    const struct rc_benchmark_how how = {
        .size = NAN, .bytes = NAN, .processes = NAN, .repeats = NAN, .source = item->meta.source};

    return rc_structural_model_number(expression, &value.mean, error) ||
                   rc_structural_benchmarks_put(measured, item, row, column, &value, &how, error)
               ? -1
               : 0;
}

static int read_item(struct rc_benchmarks *measured, const struct rc_item *item,
                     struct rc_error *error)
{
    int status = 0;

    if (item->kind != RC_ITEM_INPUT || (!item->expression && item->n_cells == 0))
        return rc_error_set(error, "'%s' is not an input with a value", item->name);
    if (item->expression)
        return read_value(measured, item, "", "", item->expression, error);
    for (size_t i = 0; i < item->n_cells && status == 0; i++)
        status = read_value(measured, item, item->cells[i].row, item->cells[i].column,
                            item->cells[i].expression, error);
    return status;
}

int rc_structural_benchmarks_read(const char *text, size_t length, struct rc_benchmarks *measured,
                                  struct rc_error *error)
{
    static const char head[] = "model measured\n";
    const struct rc_model_text texts[] = {{"measured", head, sizeof head - 1},
                                          {RC_BENCHMARKS_FILE, text, length}};
    struct rc_model *model = rc_structural_model_parse_all(texts, 2, error);
    int status = model ? 0 : -1;

    *measured = (struct rc_benchmarks){0};
    for (size_t i = 0; model && i < model->n_items && status == 0; i++)
        status = read_item(measured, &model->items[i], error);
    rc_structural_model_destroy(model);
    if (status)
        rc_structural_benchmarks_free(measured);
    return status;
}
