// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.h - the parts of 'runcast accuracy'. */
#ifndef RC_CMD_ACCURACY_ACCURACY_H
#define RC_CMD_ACCURACY_ACCURACY_H

#include "answer/accuracy_fields.h"
#include "cmd/core/command.h"

/* In show.c; -1 where memory runs out. */
int rc_cmd_accuracy_print(const struct rc_predict_accuracy *accuracy, struct rc_error *error);
void rc_cmd_accuracy_json(const struct rc_predict_accuracy *accuracy);

/* In plot.c: draws past predictions, and the replay, into a file. */
int rc_cmd_accuracy_draw(const char *path, const struct rc_predict_accuracy *accuracy,
                         const struct rc_monitor *monitor, struct rc_error *error);

#endif
