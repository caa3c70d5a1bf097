// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration_db.c - the calibrations of platforms in the database. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "db/model.h"
#include "model/slowdown/calibration.h"

#define METHOD "slowdown"
#define APP "slowdown" /* models have one; a calibration is of machines, whatever runs on them */

int rc_slowdown_calibration_save(struct rc_db *db, const char *platform,
                                 const struct rc_calibration *calibration, struct rc_error *error)
{
    json_t *object = rc_slowdown_calibration_json(calibration);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int status;

    if (!text)
        status = rc_error_no_memory(error);
    else if (strlen(text) > RC_CALIBRATION_TEXT_MAX) /* which nobody would read again */
        status = rc_error_set(error, "a calibration has at most %d bytes, and this one %zu",
                              RC_CALIBRATION_TEXT_MAX, strlen(text));
    else
        status =
            rc_db_model_add(db, APP, platform, METHOD, RC_CALIBRATION_FORMAT, text, NULL, error);
    free(text);
    json_decref(object);
    return status;
}

int rc_slowdown_calibration_find(struct rc_db *db, const char *platform,
                                 struct rc_calibration *calibration, struct rc_error *error)
{
    struct rc_stored_model model;
    int found = rc_db_model_find(db, APP, platform, METHOD, &model, error);

    if (found <= 0)
        return found;
    if (model.format < RC_CALIBRATION_OLDEST || model.format > RC_CALIBRATION_FORMAT)
        found = rc_error_set(
            error, "the calibration of '%s' has format %d, and this runcast reads formats %d to %d",
            platform, model.format, RC_CALIBRATION_OLDEST, RC_CALIBRATION_FORMAT);
    else if (rc_slowdown_calibration_read(model.body, strlen(model.body), calibration, error))
        found = -1;
    rc_db_stored_model_free(&model);
    return found;
}
