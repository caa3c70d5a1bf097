// SPDX-License-Identifier: GPL-3.0-or-later
/* models_db.c - the scaling models of an app on a platform in the database. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "db/model.h"
#include "model/scaling/models.h"

#define METHOD "scaling"

/* 1, -1 or -2, as rc_scaling_models_load(). */
static int read_stored(const struct rc_stored_model *stored, const char *app,
                       struct rc_scaling_models *models, struct rc_error *error)
{
    if (stored->format > RC_SCALING_FORMAT) {
        rc_error_set(error,
                     "the scaling models of '%s' are of format %d, and this program reads "
                     "format %d",
                     app, stored->format, RC_SCALING_FORMAT);
        rc_error_hint(error, "a newer runcast made them, and can read them");
        return -1;
    }
    if (stored->format < RC_SCALING_FORMAT) {
        rc_error_set(error, "the scaling models of '%s' are of format %d, which there never was",
                     app, stored->format);
        rc_error_code(error, "scaling.fit-again", NULL);
        return -2;
    }
    errno = 0;
    if (rc_scaling_models_read(stored->body, strlen(stored->body), models, error) == 0)
        return 1;
    return errno == ENOMEM ? -1 : -2; /* a good text may need more memory than there is */
}

int rc_scaling_models_load(struct rc_db *db, const char *app, const char *platform,
                           struct rc_scaling_models *models, struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_db_model_find(db, app, platform, METHOD, &stored, error);

    *models = (struct rc_scaling_models){0};
    if (found <= 0)
        return found;
    found = read_stored(&stored, app, models, error);
    if (found > 0)
        models->made = stored.made;
    rc_db_stored_model_free(&stored);
    return found;
}

int rc_scaling_models_save(struct rc_db *db, const char *app, const char *platform,
                           const struct rc_scaling_models *models, int64_t *id,
                           struct rc_error *error)
{
    json_t *object = rc_scaling_models_json(models);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int status;

    json_decref(object);
    if (!text)
        return rc_error_no_memory(error);
    if (strlen(text) > RC_SCALING_TEXT_MAX)
        status = rc_error_set(error, "the scaling models of '%s' are too many to be kept", app);
    else
        status = rc_db_model_add(db, app, platform, METHOD, RC_SCALING_FORMAT, text, id, error);
    free(text);
    return status;
}
