// SPDX-License-Identifier: GPL-3.0-or-later
/* monitor_fields.h - the fields of samples, and of monitored hosts and links. */
#ifndef RC_ANSWER_MONITOR_FIELDS_H
#define RC_ANSWER_MONITOR_FIELDS_H

#include "host/sense/host_sensors.h"
#include "host/watch/sample_db.h"
#include "host/watch/watch.h"
#include "report/field.h"

struct rc_answer_monitor_host {
    struct rc_watch_host info;
    double age; /* whole seconds since the last sample; NAN: there was none */
};

struct rc_answer_monitor_link {
    struct rc_watch_link_info info;
    const char *from, *to;
};

struct rc_answer_monitor {
    double seconds;
    bool interrupted;
    struct rc_watch_db_info stored;
    struct rc_answer_monitor_host *hosts;
    size_t n_hosts;
    struct rc_answer_monitor_link *links;
    size_t n_links;
    json_t *notes; /* the caller's */
};

extern const struct rc_field rc_answer_monitor_sample[]; /* of struct rc_sense_sample */

/* Of the structs above. */
extern const struct rc_field rc_answer_monitor_host[], rc_answer_monitor_link[],
    rc_answer_monitor[];

/* The host at `now`, on the watcher's time base. */
struct rc_answer_monitor_host rc_answer_monitor_host_make(const struct rc_watch_host *host,
                                                          double now);

/* Fills in hosts and links.  -1: out of memory.  Free with rc_answer_monitor_free() in any case. */
int rc_answer_monitor_make(struct rc_answer_monitor *answer, struct rc_watch *watch);
void rc_answer_monitor_free(struct rc_answer_monitor *answer);

#endif
