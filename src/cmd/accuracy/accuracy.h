// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.h - the parts of 'runcast accuracy'. */
#ifndef RC_CMD_ACCURACY_ACCURACY_H
#define RC_CMD_ACCURACY_ACCURACY_H

#include "cmd/core/command.h"
#include "predict/history.h"
#include "predict/replay.h"

/* How one family did with the runs that it and the door have foretold; below the door's own
 * record. */
struct rc_cmd_accuracy_family {
    const char *name;
    uint64_t waiting; /* predictions of which the run is not in the store */
    size_t alone;     /* runs that it has foretold, and the door has not */
    struct rc_predict_score_report report, door;
};
enum { RC_CMD_ACCURACY_FAMILIES = 8 };

/* What was found; either part may be empty. */
struct rc_cmd_accuracy {
    const char *app, *platform;                                       /* platform NULL: any */
    const char *family;                                               /* as --family names it */
    struct rc_cmd_accuracy_family families[RC_CMD_ACCURACY_FAMILIES]; /* of the door */
    size_t n_families;
    struct rc_history history;
    struct rc_predict_replay replay;
    struct rc_error no_replay; /* why there is none, where there is none */
};

/* In accuracy_show.c; -1 where memory runs out. */
int rc_cmd_accuracy_print(const struct rc_cmd_accuracy *accuracy, struct rc_error *error);
int rc_cmd_accuracy_json(const struct rc_cmd_accuracy *accuracy, struct rc_error *error);

#endif
