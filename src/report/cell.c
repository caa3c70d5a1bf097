// SPDX-License-Identifier: BSD-2-Clause
/* cell.c - quantities in cells of tables and in sentences. */
#include "report/cell.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"

void rc_cell_quantity(struct rc_table *table, double value, enum rc_dimension dimension)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(value, dimension, text);
    rc_table_text(table, isnan(value) ? "-" : text);
}

void rc_cell_short(struct rc_table *table, double value, int digits)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format_short(value, digits, text);
    rc_table_text(table, isnan(value) ? "-" : text);
}

const char *rc_cell_percent_text(double fraction, int digits, char text[RC_CELL_SIZE])
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(100 * fraction, digits, number);
    snprintf(text, RC_CELL_SIZE, isnan(fraction) ? "-" : "%s %%", number);
    return text;
}

void rc_cell_percent(struct rc_table *table, double fraction, int digits)
{
    char text[RC_CELL_SIZE];

    rc_table_text(table, rc_cell_percent_text(fraction, digits, text));
}

const char *rc_cell_plural(long long n, const char *ending)
{
    return n == 1 ? "" : ending;
}
