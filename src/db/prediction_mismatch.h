// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_mismatch.h - why the newest run of an app was compared with no prediction. */
#ifndef RC_DB_PREDICTION_MISMATCH_H
#define RC_DB_PREDICTION_MISMATCH_H

#include "runcast.h"

enum { RC_MISMATCH_SIZE = 400 };

/* Writes the reason, by the rules of prediction.h, such as "run 46 has no start"; "" if that run
 * was compared with a prediction of `method`, or all of these have their run.  Platform NULL: any.
 */
int rc_db_prediction_mismatch(struct rc_db *store, const char *app, const char *platform,
                              const char *method, char text[RC_MISMATCH_SIZE],
                              struct rc_error *error);

#endif
