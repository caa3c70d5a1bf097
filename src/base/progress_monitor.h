// SPDX-License-Identifier: BSD-2-Clause
/* progress_monitor.h - telling a struct rc_monitor (in runcast.h), any part of which may be NULL. */
#ifndef RC_BASE_PROGRESS_MONITOR_H
#define RC_BASE_PROGRESS_MONITOR_H

#include "base/error.h"
#include "runcast.h"

/* Reports that `done` of `total` (0: not known) is done. */
static inline void rc_progress_monitor_advance(const struct rc_monitor *monitor, uint64_t done,
                                               uint64_t total)
{
    if (monitor && monitor->advance)
        monitor->advance(monitor->data, done, total);
}

/* Whether the work should stop; 0 without a monitor. */
static inline int rc_progress_monitor_cancelled(const struct rc_monitor *monitor)
{
    return monitor && monitor->cancelled && monitor->cancelled(monitor->data);
}

/* -1, with the error set, if the work should stop. */
static inline int rc_progress_monitor_check(const struct rc_monitor *monitor,
                                            struct rc_error *error)
{
    return rc_progress_monitor_cancelled(monitor)
               ? rc_error_set(error, "interrupted; nothing changed")
               : 0;
}

#endif
