// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_time_columns.c - columns of a table of runs with times of phases and ranks. */
#include "db/phase_time_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static const char prefix[] = "time:";
enum { PREFIX_LENGTH = sizeof prefix - 1, DIGITS_MAX = 9 };

bool rc_db_time_column_is(const char *name)
{
    return strncasecmp(name, prefix, PREFIX_LENGTH) == 0;
}

int rc_db_time_column_read(const char *name, char phase[RC_PHASE_MAX + 1], int *process,
                           struct rc_error *error)
{
    const char *rest = name + PREFIX_LENGTH, *colon = strrchr(rest, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    size_t length = strlen(rest);

    *process = -1;
    if (colon && colon[1 + digits] == '\0') { /* otherwise it is part of the phase's name */
        length = (size_t)(colon - rest);
        if (digits > DIGITS_MAX)
            return rc_error_set(error, "the rank is too large");
        if (digits > 0)
            *process = atoi(colon + 1);
    }
    if (length > RC_PHASE_MAX)
        return rc_error_set(error, "the name of the phase is longer than %d bytes", RC_PHASE_MAX);
    if (length == 0 && *process < 0) {
        rc_error_set(error, "no phase and no rank");
        return rc_error_hint(error, "use a name such as time:solve, time:solve:0 or time::0");
    }
    memcpy(phase, rest, length);
    phase[length] = '\0';
    return 0;
}

void rc_db_time_column_name(const struct rc_run_time *time, char name[RC_TIME_COLUMN_SIZE])
{
    if (time->process >= 0)
        snprintf(name, RC_TIME_COLUMN_SIZE, "%s%.*s:%d", prefix, RC_PHASE_MAX, time->phase,
                 time->process);
    else
        snprintf(name, RC_TIME_COLUMN_SIZE, "%s%.*s%s", prefix, RC_PHASE_MAX, time->phase,
                 strchr(time->phase, ':') ? ":" : "");
}
