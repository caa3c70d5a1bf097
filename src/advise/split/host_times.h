// SPDX-License-Identifier: GPL-3.0-or-later
/* host_times.h - the time of the same share of a run on each host, by a structural model.
 *
 * Such a model (model/structural/model.h) may depend on the CPU availability of each host.  With
 * almost none on one host and all of it on the others, the run waits for that host, and the model
 * gives W / c + C: c is its availability, W the time of its share alone, and C the rest.  Two such
 * evaluations give W and C. */
#ifndef RC_ADVISE_SPLIT_HOST_TIMES_H
#define RC_ADVISE_SPLIT_HOST_TIMES_H

#include <stdbool.h>

#include "advise/split/split_error.h"
#include "runcast.h"

enum { RC_HOST_TIMES_MOST = 256 }; /* hosts that a model can be evaluated for */

struct rc_host_times {
    const char *app;
    const struct rc_platform *platform; /* NULL: none */
    const char *const *hosts;
    size_t n_hosts;
    double size, processes;
    const struct rc_param *params; /* inputs of the model, which are set to this; none may be of an
                                      input from the size or the processes */
    size_t n_params;
    double at; /* when the run starts */
};

/* Further results. */
struct rc_host_facts {
    bool there;                  /* the database has a structural model of the app */
    bool apart;                  /* the model has more than their load to distinguish hosts by */
    struct rc_split_error error; /* of its time on idle hosts: by the spread of its inputs, and by
                                    rc_structural_binding_error() */
};

/* Evaluates the app's structural model.  Puts the time of an even share, alone, into `work`, and
 * the rest into `fixed`.  1: done; 0: there is no such model, or it has no answer, as where it has
 * no input for a parameter, for which `why` has the reason; -1 where a parameter has an option of
 * its own, the database fails, or memory runs out. */
int rc_split_host_times_of_model(struct rc_db *db, const struct rc_host_times *asked, double *work,
                                 double *fixed, struct rc_host_facts *facts, struct rc_error *why,
                                 struct rc_error *error);

#endif
