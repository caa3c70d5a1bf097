// SPDX-License-Identifier: BSD-2-Clause
/* cell.h - quantities in cells of tables and in sentences. */
#ifndef RC_REPORT_CELL_H
#define RC_REPORT_CELL_H

#include "base/unit.h"
#include "report/table.h"

enum { RC_CELL_SIZE = 64 };

/* All of these write "-" for NAN. */

/* With its unit: "1.5 s", "64 KiB". */
void rc_cell_quantity(struct rc_table *table, double value, enum rc_dimension dimension);
/* With so many digits. */
void rc_cell_short(struct rc_table *table, double value, int digits);
/* A fraction of 1 as a percentage: "12 %". */
void rc_cell_percent(struct rc_table *table, double fraction, int digits);

/* The text of such a cell, which is returned. */
const char *rc_cell_percent_text(double fraction, int digits, char text[RC_CELL_SIZE]);

/* The ending of a noun that takes it for any number but 1: "s", "es". */
const char *rc_cell_plural(long long n, const char *ending);

#endif
