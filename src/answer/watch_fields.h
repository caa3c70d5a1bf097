// SPDX-License-Identifier: GPL-3.0-or-later
/* watch_fields.h - hosts and links that were watched. */
#ifndef RC_ANSWER_WATCH_FIELDS_H
#define RC_ANSWER_WATCH_FIELDS_H

#include "host/watch/sample_db.h"
#include "host/watch/watch.h"
#include "report/field.h"

struct rc_answer_watch_host {
    struct rc_watch_host info;
    double age; /* whole seconds since the last sample; NAN: there was none */
};

struct rc_answer_watch_link {
    struct rc_watch_link_info info;
    const char *from, *to;
};

struct rc_answer_watch {
    double seconds;
    bool interrupted;
    struct rc_watch_db_info stored;
    struct rc_answer_watch_host *hosts;
    size_t n_hosts;
    struct rc_answer_watch_link *links;
    size_t n_links;
};

/* One row each, of the structs above; and all of it. */
extern const struct rc_field rc_answer_watch_host[], rc_answer_watch_link[], rc_answer_watch[];

/* What is known of a host at `now`, on the watcher's time base. */
struct rc_answer_watch_host rc_answer_watch_host_make(const struct rc_watch_host *host, double now);

/* Fills in hosts and links.  Free with rc_answer_watch_free() in any case; -1 where memory ran
 * out. */
int rc_answer_watch_make(struct rc_answer_watch *answer, struct rc_watch *watch);
void rc_answer_watch_free(struct rc_answer_watch *answer);

#endif
