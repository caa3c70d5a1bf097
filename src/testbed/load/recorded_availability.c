// SPDX-License-Identifier: GPL-3.0-or-later
/* recorded_availability.c - availability that was recorded, from a table. */
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "testbed/load/load_pattern.h"
#include "db/series.h"

static int to_availability(void *data, struct rc_sample *sample, struct rc_error *error)
{
    const struct rc_load_table *table = data;
    double part = sample->value / (table->full > 0 ? table->full : 1), value = part;

    if (table->means == RC_LOAD_USED)
        value = 1 - part;
    else if (table->means == RC_LOAD_QUEUE)
        value = part >= 0 ? 1 / (1 + part) : -1;
    if (!(value >= 0 && value <= 1)) {
        rc_error_set(error, "%g is not an availability from 0 to 1", value);
        return rc_error_hint(error,
                             "a load file can convert other numbers, with 'means' and 'full' (see "
                             "docs/reference/load-files.md)");
    }
    sample->value = value < table->least ? table->least : value;
    return 0;
}

int rc_load_read_table(const char *path, const struct rc_load_table *table,
                       struct rc_load_steps *steps, struct rc_error *error)
{
    struct rc_load_table copy = *table;
    struct rc_series_table reading = {.column = table->column,
                                      .convert = to_availability,
                                      .data = &copy};

    *steps = (struct rc_load_steps){NULL, 0};
    if (rc_db_series_read_table(path, &reading, error)) {
        if (error && !error->file[0])
            snprintf(error->file, sizeof error->file, "%s", path);
        return -1;
    }
    steps->items = reading.samples;
    steps->n = reading.n;
    return 0;
}

int rc_load_read(const char *path, const char *column, struct rc_load_steps *steps,
                 struct rc_error *error)
{
    return rc_load_read_table(path, &(struct rc_load_table){.column = column}, steps, error);
}
