// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_time_columns.h - columns of a table of runs with times of phases and ranks.
 *
 * "time:PHASE" is that of a phase, "time:PHASE:RANK" that of a rank (from 0) in a phase,
 * "time::RANK" that of a rank. "time:PHASE:" is a phase too, for names with colons. */
#ifndef RC_DB_PHASE_TIME_COLUMNS_H
#define RC_DB_PHASE_TIME_COLUMNS_H

#include <stdbool.h>

#include "runcast.h"

/* Bytes of the name of a phase, and of a column with its NUL. */
enum { RC_PHASE_MAX = 180, RC_TIME_COLUMN_SIZE = RC_PHASE_MAX + 20 };

/* Whether a column has such a name, be it a good one or not. */
bool rc_db_time_column_is(const char *name);

/* Reads such a name: `phase` gets the phase. -1 without phase and rank, or if they are too large.
 */
int rc_db_time_column_read(const char *name, char phase[RC_PHASE_MAX + 1], int *process,
                           struct rc_error *error);

/* The name of the column that a time belongs to. */
void rc_db_time_column_name(const struct rc_run_time *time, char name[RC_TIME_COLUMN_SIZE]);

#endif
