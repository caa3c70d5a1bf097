// SPDX-License-Identifier: GPL-3.0-or-later
/* host_times.h - what the same share of a run takes on each host, by a structural model of
 * the program.
 *
 * Such a model (model/structural/model.h) may depend on the CPU availability of each host.  With
 * next to none on one host and all of it on the others, the run waits for that host, and the model
 * gives W / c + C: c is its availability, W what its share takes alone, and C the rest.  Two such
 * questions give W and C. */
#ifndef RC_ADVISE_SPLIT_HOST_TIMES_H
#define RC_ADVISE_SPLIT_HOST_TIMES_H

#include <stdbool.h>

#include "advise/split/split_error.h"
#include "runcast.h"

enum { RC_HOST_TIMES_MOST = 256 }; /* hosts that a model is asked of, one by one */

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

/* What is found out besides. */
struct rc_host_facts {
    bool there;                  /* the database has a structural model of the app */
    bool apart;                  /* the model has more than their load to distinguish hosts by */
    struct rc_split_error error; /* of its time on idle hosts: by what its inputs are known to, and
                                    by what it errs, as rc_structural_binding_error() has it */
};

/* Asks the app's structural model.  Puts what an even share takes, alone, into `work`, and the
 * rest into `beside`.  1: done; 0: there is no such model, or it has no answer, as where it has
 * no input for a parameter, for which `why` has the reason; -1 where a parameter has an option of
 * its own, the database fails, or memory runs out. */
int rc_split_host_times_of_model(struct rc_db *db, const struct rc_host_times *asked, double *work,
                                 double *beside, struct rc_host_facts *facts, struct rc_error *why,
                                 struct rc_error *error);

#endif
