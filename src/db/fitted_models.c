// SPDX-License-Identifier: GPL-3.0-or-later
/* fitted_models.c - fitted models in the database. */
#include "db/fitted_models.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void rc_db_stored_model_free(struct rc_stored_model *model)
{
    free(model->body);
    *model = (struct rc_stored_model){0};
}

/* Inside a transaction: the ids of the two names; new names are added. */
static int find_names(struct rc_db *store, const char *app, const char *platform, int64_t *app_id,
                      int64_t *platform_id, struct rc_error *error)
{
    struct rc_names apps = {0}, platforms = {0};
    int status = rc_db_names_begin(&apps, store, "app", error) ||
                         rc_db_names_begin(&platforms, store, "platform", error) ||
                         rc_db_names_id(&apps, app, app_id, error) ||
                         rc_db_names_id(&platforms, platform, platform_id, error)
                     ? -1
                     : 0;

    rc_db_names_end(&apps);
    rc_db_names_end(&platforms);
    return status;
}

static int replace(struct rc_db *store, int64_t app, int64_t platform, const char *method,
                   int format, const char *body, struct rc_error *error)
{
    return rc_db_execute(store, error,
                         "DELETE FROM model WHERE app_id = ? AND platform_id = ? AND family = ?",
                         "IIs", app, platform, method) ||
                   rc_db_execute(store, error,
                                 "INSERT INTO model (app_id, platform_id, family, made, format,"
                                 " body) VALUES (?, ?, ?, ?, ?, ?)",
                                 "IIsfis", app, platform, method, store->clock->wall(store->clock),
                                 format, body)
               ? -1
               : 0;
}

int rc_db_model_add(struct rc_db *store, const char *app, const char *platform, const char *method,
                    int format, const char *body, int64_t *id, struct rc_error *error)
{
    int64_t app_id = 0, platform_id = 0;
    int status;

    if (strlen(body) > RC_MODEL_BODY_MAX)
        return rc_error_set(error, "the model is too large to store");
    if (rc_db_begin(store, error))
        return -1;
    status = find_names(store, app, platform, &app_id, &platform_id, error);
    if (status == 0)
        status = replace(store, app_id, platform_id, method, format, body, error);
    if (status == 0 && id)
        *id = sqlite3_last_insert_rowid(store->db);
    return rc_db_end(store, status, error);
}

static int read_model(sqlite3_stmt *row, struct rc_stored_model *model, struct rc_error *error)
{
    *model = (struct rc_stored_model){
        .id = sqlite3_column_int64(row, 0),
        .made = sqlite3_column_double(row, 1),
        .format = sqlite3_column_int(row, 2),
    };
    if (sqlite3_column_bytes(row, 3) > RC_MODEL_BODY_MAX)
        return rc_error_set(error, "the stored model is too large");
    model->body = strdup(rc_db_column_text(row, 3));
    return model->body ? 1 : rc_error_no_memory(error);
}

int rc_db_model_find(struct rc_db *store, const char *app, const char *platform, const char *method,
                     struct rc_stored_model *model, struct rc_error *error)
{
    sqlite3_stmt *find = rc_db_query(store, error,
                                     "SELECT id, made, format, body FROM model WHERE family = ?3"
                                     " AND app_id = (SELECT id FROM app WHERE name = ?1)"
                                     " AND platform_id = (SELECT id FROM platform WHERE name = ?2)"
                                     " ORDER BY made DESC, id DESC LIMIT 1",
                                     "sss", app, platform, method);
    int found = find ? rc_db_step(store, find, error) : -1;

    if (found > 0)
        found = read_model(find, model, error);
    sqlite3_finalize(find);
    return found;
}

/* ---- all of a method ---- */

int rc_db_model_list(struct rc_db *store, const char *app, const char *method,
                     int (*each)(void *data, const struct rc_model_row *row), void *data,
                     struct rc_error *error)
{
    sqlite3_stmt *select =
        rc_db_query(store, error,
                    "SELECT model.id, made, format, body, app.name, platform.name FROM model"
                    " JOIN app ON app.id = app_id JOIN platform ON platform.id = platform_id"
                    " WHERE family = ?1 AND (?2 IS NULL OR app.name = ?2)"
                    " ORDER BY app.name, platform.name, model.id",
                    "ss", method, app);
    int got = -1, status = select ? 0 : -1;

    while (status == 0 && (got = rc_db_step(store, select, error)) > 0) {
        struct rc_model_row row = {0};

        status = read_model(select, &row.model, error) < 0 ? -1 : 0;
        row.app = rc_db_column_text(select, 4);
        row.platform = rc_db_column_text(select, 5);
        if (status == 0)
            status = each(data, &row);
        rc_db_stored_model_free(&row.model);
    }
    sqlite3_finalize(select);
    if (status == 0)
        status = got;
    return status ? status : rc_db_stood_still(store, error);
}

/* Inside a transaction. */
static int delete_models(struct rc_db *store, const char *app, const char *platform,
                         const char *method, struct rc_error *error)
{
    return rc_db_execute(
        store, error,
        "DELETE FROM model WHERE family = ?3 AND app_id = (SELECT id FROM app WHERE name = ?1)"
        " AND (?2 IS NULL OR platform_id = (SELECT id FROM platform WHERE name = ?2))",
        "sss", app, platform, method);
}

int rc_db_model_remove(struct rc_db *store, const char *app, const char *platform,
                       const char *method, uint64_t *removed, struct rc_error *error)
{
    int status;

    if (rc_db_begin(store, error))
        return -1;
    status = delete_models(store, app, platform, method, error);
    *removed = status == 0 ? (uint64_t)sqlite3_changes64(store->db) : 0;
    return rc_db_end(store, status, error);
}

/* ---- changing one ---- */

/* Replaces the stored text, or removes it. */
static int put_changed(struct rc_db *store, const char *app, const char *platform,
                       const char *method, int format, const char *body, struct rc_error *error)
{
    int64_t app_id, platform_id;

    if (!body)
        return delete_models(store, app, platform, method, error);
    if (strlen(body) > RC_MODEL_BODY_MAX)
        return rc_error_set(error, "the model is too large to store");
    return find_names(store, app, platform, &app_id, &platform_id, error) ||
                   replace(store, app_id, platform_id, method, format, body, error)
               ? -1
               : 0;
}

int rc_db_model_change(struct rc_db *store, const char *app, const char *platform,
                       const char *method, int format, rc_db_model_changer *change, void *data,
                       struct rc_error *error)
{
    struct rc_stored_model now = {0};
    char *body = NULL;
    int found, status = -1;

    if (rc_db_begin(store, error))
        return -1;
    found = rc_db_model_find(store, app, platform, method, &now, error);
    if (found >= 0)
        status = change(data, found ? &now : NULL, &body, error);
    if (status == 0 && (found || body))
        status = put_changed(store, app, platform, method, format, body, error);
    free(body);
    rc_db_stored_model_free(&now);
    return rc_db_end(store, status, error);
}
