// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs_outdated.c - whether measured values still hold for what a model is asked. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/unit.h"
#include "model/structural/measured_inputs_internal.h"
#include "model/structural/binding_internal.h"
#include "model/structural/measuring_internal.h"

/* ---- the platform ---- */

static const char *speed_of(double speed, char text[RC_BENCHMARKS_TEXT])
{
    char number[RC_UNIT_SIZE];

    rc_unit_format(speed, RC_FLOPS, number);
    snprintf(text, RC_BENCHMARKS_TEXT, "speed %s", number);
    return isnan(speed) ? NULL : text;
}

static const char *network_of(const struct rc_binding *binding, const char *from, const char *to,
                              char text[RC_BENCHMARKS_TEXT])
{
    double bandwidth = rc_structural_bound_field(binding, from, to, RC_FIELD_OF_BANDWIDTH);
    double latency = rc_structural_bound_field(binding, from, to, RC_FIELD_OF_LATENCY);
    char rate[RC_UNIT_SIZE], time[RC_UNIT_SIZE];

    rc_unit_format(bandwidth, RC_RATE, rate);
    rc_unit_format(latency, RC_SECONDS, time);
    snprintf(text, RC_BENCHMARKS_TEXT, "network %s and %s", rate, time);
    return isnan(bandwidth) && isnan(latency) ? NULL : text;
}

const char *rc_structural_benchmarks_machine(const struct rc_binding *binding,
                                             const struct rc_item *item, const char *row,
                                             const char *column, char text[RC_BENCHMARKS_TEXT])
{
    double all = 0;

    switch (item->measure.kind) {
    case RC_MEASURE_TOGETHER:
        for (size_t i = 0; i < binding->n_hosts; i++)
            all += rc_structural_bound_field(binding, binding->names[i], NULL, RC_FIELD_OF_SPEED);
        return speed_of(all, text);
    case RC_MEASURE_BANDWIDTH:
    case RC_MEASURE_MESSAGE:
    case RC_MEASURE_STARTUP:
    case RC_MEASURE_PACKING:
        /* From a host to itself is in its memory. */
        return strcmp(row, column) == 0 ? NULL
                                        : network_of(binding, row, *column ? column : NULL, text);
    default:
        return speed_of(rc_structural_bound_field(binding, row, NULL, RC_FIELD_OF_SPEED), text);
    }
}

/* ---- the model ---- */

static double number_of(struct rc_binding *binding, const struct rc_item *item,
                        const struct rc_expression *formula, const struct rc_benchmark_cell *cell)
{
    const char *members[2] = {cell->row, cell->column};
    double number;

    if (!formula ||
        rc_structural_binding_number(binding, formula, members, item->n_parameters, &number, NULL))
        return NAN;
    return round(number);
}

/* What the value would be measured with now, as far as that matters for its use. */
static struct rc_benchmark_how how_now(struct rc_binding *binding, const struct rc_item *item,
                                       const struct rc_benchmark_cell *cell,
                                       char machine[RC_BENCHMARKS_TEXT])
{
    struct rc_benchmark_how how = {.processes = NAN, .repeats = NAN};

    how.size = number_of(binding, item, item->measure.size, cell);
    how.bytes = number_of(binding, item, item->measure.bytes, cell);
    how.machine = rc_structural_benchmarks_machine(binding, item, cell->row, cell->column, machine);
    if (item->measure.kind == RC_MEASURE_TOGETHER)
        how.processes = isnan(binding->setting.processes) ? (double)binding->n_hosts
                                                          : binding->setting.processes;
    return how;
}

/* What is wrong with the values of one input. */
struct outdated {
    size_t n, n_old, of; /* differing, too old, and all that hold for these hosts */
    const struct rc_benchmark_cell *first, *oldest;
    char why[RC_BENCHMARKS_TEXT];
};

static struct outdated look_at(struct rc_binding *binding, const struct rc_item *item,
                               const struct rc_benchmarks *measured,
                               const struct rc_benchmark_input *input)
{
    struct outdated outdated = {0};
    char text[RC_BENCHMARKS_TEXT], machine[RC_BENCHMARKS_TEXT];

    for (size_t i = 0; i < input->n_cells; i++) {
        const struct rc_benchmark_cell *cell = &input->cells[i];
        struct rc_benchmark_how now;

        if ((*cell->row && !rc_structural_bound_host(binding, cell->row)) ||
            (*cell->column && !rc_structural_bound_host(binding, cell->column)))
            continue;
        outdated.of++;
        now = how_now(binding, item, cell, machine);
        if (rc_structural_benchmarks_differ(&measured->hows[cell->value.how], &now, text) &&
            outdated.n++ == 0) {
            outdated.first = cell;
            memcpy(outdated.why, text, sizeof text);
        }
        if (cell->value.when + item->meta.lifetime < binding->setting.now) {
            outdated.n_old++;
            if (!outdated.oldest || cell->value.when < outdated.oldest->value.when)
                outdated.oldest = cell;
        }
    }
    return outdated;
}

/* "BW[a1, a2] and 3 more" */
static void name_cells(const struct rc_item *item, const struct rc_benchmark_cell *cell, size_t n,
                       char text[RC_BENCHMARKS_TEXT])
{
    char more[40] = "";

    if (n > 1)
        snprintf(more, sizeof more, " and %zu more", n - 1);
    snprintf(text, RC_BENCHMARKS_TEXT, "%.50s%s%.40s%s%.40s%s%s", item->name, *cell->row ? "[" : "",
             cell->row, *cell->column ? ", " : "", cell->column, *cell->row ? "]" : "", more);
    rc_text_mend_cut(text, RC_BENCHMARKS_TEXT);
}

void rc_structural_benchmarks_outdated(struct rc_binding *binding,
                                       void (*tell)(void *data, const char *text), void *data)
{
    const struct rc_model_measured *measured = binding->model->measured;
    char name[RC_BENCHMARKS_TEXT], text[3 * RC_BENCHMARKS_TEXT], life[RC_UNIT_SIZE];

    for (size_t i = 0; measured && i < binding->n_items; i++) {
        const struct rc_item *item = binding->items[i].item;
        const struct rc_benchmark_input *input =
            rc_structural_benchmarks_is(binding->model, item) &&
                    !rc_structural_binding_is_set(binding, item->name)
                ? rc_structural_benchmarks_input(&measured->values, item)
                : NULL;
        struct outdated outdated = {0};

        if (input)
            outdated = look_at(binding, item, &measured->values, input);
        if (outdated.n) {
            name_cells(item, outdated.first, outdated.n, name);
            snprintf(text, sizeof text, "%s: measured with another setting: %s", name,
                     outdated.why);
            tell(data, text);
        }
        if (outdated.n_old) {
            name_cells(item, outdated.oldest, outdated.n_old, name);
            rc_unit_format(item->meta.lifetime, RC_SECONDS, life);
            snprintf(text, sizeof text, "%s: measured too long ago (lifetime %s)", name, life);
            tell(data, text);
        }
    }
}
