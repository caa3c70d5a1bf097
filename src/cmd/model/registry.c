// SPDX-License-Identifier: GPL-3.0-or-later
/* model_registry.c - 'runcast model add', 'list' and 'remove': models that are kept in the database. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/timestamp.h"
#include "cmd/model/model.h"
#include "model/structural/benchmarks.h"
#include "model/structural/registry.h"

struct registry_options {
    const char *app, *on, *db;
    struct rc_option_list with;
    bool json;
};

/* ---- add ---- */

static const struct rc_option add_options[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the program that it is a model of (default: as the model says)",
     .offset = offsetof(struct registry_options, app)},
    {.name = "on",
     .kind = RC_OPTION_TEXT,
     .argument = "PLATFORM",
     .help = "keep it for this platform, of which it has a part 'on PLATFORM' (default: for any)",
     .offset = offsetof(struct registry_options, on)},
    RC_MODEL_OPTION_WITH(struct registry_options, with),
    RC_OPTION_JSON(struct registry_options),
    RC_OPTION_DB(struct registry_options),
    RC_OPTIONS_END,
};

/* The model that a new one takes the place of. */
struct replaced {
    const char *platform; /* "": any */
    bool found;
    char model[RC_MODEL_NAME_MAX + 1];
    double made;
};

static int find_replaced(void *data, const struct rc_structural_entry *entry)
{
    struct replaced *replaced = data;

    if (strcmp(entry->platform, replaced->platform) != 0)
        return 0;
    replaced->found = true;
    replaced->made = entry->made;
    snprintf(replaced->model, sizeof replaced->model, "%s", entry->model ? entry->model : "?");
    return 1;
}

static void show_added(const struct rc_cmd_model_work *work, const char *app, int64_t id,
                       const struct replaced *replaced, bool as_json)
{
    int section = work->setting.section;
    const char *platform = section < 0 ? NULL : work->model->sections[section].name;
    char made[RC_TIME_SIZE];
    json_t *object;

    if (!as_json) {
        rc_timestamp_format(floor(replaced->made), made);
        printf("%s is the structural model of %s%s%s%s%s%s%s\n", work->model->name, app,
               platform ? " on " : "", platform ? platform : "",
               replaced->found ? ", in place of " : "", replaced->found ? replaced->model : "",
               replaced->found ? ", added " : "", replaced->found ? made : "");
        return;
    }
    object = json_object();
    rc_json_set(object, "app", rc_json_text(app));
    rc_json_set(object, "platform", platform ? rc_json_text(platform) : json_null());
    rc_json_set(object, "model", rc_json_text(work->model->name));
    rc_json_set(object, "files", json_integer((json_int_t)work->model->n_files));
    rc_json_set(object, "replaced", replaced->found ? rc_json_text(replaced->model) : json_null());
    rc_json_set(object, "id", json_integer(id));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static int add(struct rc_cmd_model_work *work, const struct registry_options *options)
{
    const char *app = options->app ? options->app : work->model->app;
    int section = work->setting.section;
    struct replaced replaced = {.platform = section < 0 ? "" : work->model->sections[section].name};
    struct rc_error error = {.text = ""};
    struct rc_cmd_work waiting;
    struct rc_db *db;
    int64_t id = 0;
    int status = -1;

    if (rc_structural_check(work->model, &error)) /* before a database is made */
        return rc_cmd_model_fail(work, &error);
    rc_cmd_work_begin(&waiting, "storing");
    db = rc_cmd_open_db(options->db, RC_DB_CREATE, &waiting);
    if (db)
        rc_structural_list(db, app, find_replaced, &replaced, NULL);
    if (db &&
        (status = rc_structural_save(db, app, work->model, work->setting.section, &id, &error)))
        rc_cmd_model_fail(work, &error);
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    if (status == 0)
        show_added(work, app, id, &replaced, options->json);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int run_add(struct rc_invocation *invocation)
{
    const struct registry_options *options = invocation->options;
    struct rc_cmd_model_work work;
    int status = rc_cmd_model_begin(&work, "adding", invocation->arguments[0], &options->with);

    if (status == RC_EXIT_OK && options->app && !*options->app)
        status = rc_cmd_usage_text(invocation, "--app: a name");
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_section(&work, invocation, options->on, false);
    if (status == RC_EXIT_OK)
        status = add(&work, options);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_add = {
    .name = "add",
    .summary = "Keep a model in the store, to be asked by the name of its app",
    .arguments = "FILE.rcm",
    .details =
        "'runcast predict --family structure --app NAME' then answers from it, and keeps its "
        "answers, so that 'runcast accuracy' can tell how good they were. The texts of all files "
        "are kept: changing a file changes nothing until it is added again. A model with errors "
        "is refused.\n\n"
        "An app has one model for any platform and one for each that --on names; a new one takes "
        "the place of the one before.",
    .examples = "  runcast model add models/apps/ga.rcm --with measured.rcm\n"
                "  runcast model add --app ga mine.rcm --on linux\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = add_options,
    .options_size = sizeof(struct registry_options),
    .run = run_add,
};

/* ---- list ---- */

static const struct rc_option list_options[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "only those of this program",
     .offset = offsetof(struct registry_options, app)},
    RC_OPTION_JSON(struct registry_options),
    RC_OPTION_DB(struct registry_options),
    RC_OPTIONS_END,
};

static int list_text(void *data, const struct rc_structural_entry *entry)
{
    struct rc_table *table = data;
    char made[RC_TIME_SIZE], more[80];

    rc_timestamp_format(floor(entry->made), made);
    snprintf(more, sizeof more, "%.50s%s", entry->file ? entry->file : "-",
             entry->n_files > 1 ? ", ..." : "");
    rc_table_text(table, entry->app);
    rc_table_text(table, *entry->platform ? entry->platform : "any");
    rc_table_text(table, entry->model ? entry->model : "(damaged)");
    rc_table_text(table, more);
    rc_table_text(table, made);
    return 0;
}

static int list_json(void *data, const struct rc_structural_entry *entry)
{
    json_t *list = data, *object = json_object();

    rc_json_set(object, "app", rc_json_text(entry->app));
    rc_json_set(object, "platform", *entry->platform ? rc_json_text(entry->platform) : json_null());
    rc_json_set(object, "model", entry->model ? rc_json_text(entry->model) : json_null());
    rc_json_set(object, "file", entry->file ? rc_json_text(entry->file) : json_null());
    rc_json_set(object, "files", json_integer((json_int_t)entry->n_files));
    rc_json_set(object, "made", rc_json_number(entry->made));
    rc_json_set(object, "id", json_integer(entry->id));
    json_array_append_new(list, object);
    return 0;
}

static int list_models(const struct registry_options *options, struct rc_db *db,
                       struct rc_error *error)
{
    static const struct rc_column columns[] = {{.title = "app"},
                                               {.title = "platform"},
                                               {.title = "model"},
                                               {.title = "file"},
                                               {.title = "added"}};
    json_t *object = json_object(), *list = json_array();
    struct rc_table *table =
        options->json ? NULL : rc_table_create(stdout, columns, 5, rc_cmd_width());
    int status = -1;

    if (!options->json && !table)
        rc_error_no_memory(error);
    else
        status = rc_structural_list(db, options->app, options->json ? list_json : list_text,
                                    options->json ? (void *)list : (void *)table, error);
    if (table && rc_table_finish(table) && status == 0)
        status = rc_error_no_memory(error);
    rc_json_set(object, "models", list);
    if (options->json && status == 0)
        rc_json_write(stdout, object, true);
    json_decref(object);
    return status;
}

static int run_list(struct rc_invocation *invocation)
{
    const struct registry_options *options = invocation->options;
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    struct rc_error error = {.text = ""};
    int status = RC_EXIT_OK;

    if (!db)
        return RC_EXIT_FAILED;
    if (list_models(options, db, &error))
        status = rc_cmd_fail(&error, "listing models");
    rc_db_close(db);
    return status;
}

const struct rc_command rc_command_model_list = {
    .name = "list",
    .summary = "Show which models the store has",
    .examples = "  runcast model list\n",
    .options = list_options,
    .options_size = sizeof(struct registry_options),
    .run = run_list,
};

/* ---- remove ---- */

static const struct rc_option remove_options[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the program whose models are removed (required)",
     .offset = offsetof(struct registry_options, app)},
    {.name = "on",
     .kind = RC_OPTION_TEXT,
     .argument = "PLATFORM",
     .help = "only the one for this platform (default: all of them)",
     .offset = offsetof(struct registry_options, on)},
    RC_OPTION_JSON(struct registry_options),
    RC_OPTION_DB(struct registry_options),
    RC_OPTIONS_END,
};

static bool has_measured(struct rc_db *db, const char *app)
{
    char **platforms = rc_structural_benchmarks_platforms(db, app, NULL);
    bool some = platforms && platforms[0];

    for (size_t i = 0; platforms && platforms[i]; i++)
        free(platforms[i]);
    free(platforms);
    return some;
}

static int run_remove(struct rc_invocation *invocation)
{
    const struct registry_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work waiting;
    struct rc_db *db;
    uint64_t removed = 0;
    bool measured = false;
    int status = -1;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say of which program: --app NAME");
    rc_cmd_work_begin(&waiting, "removing");
    db = rc_cmd_open_db(options->db, RC_DB_WRITE, &waiting);
    if (db) {
        status = rc_structural_remove(db, options->app, options->on, &removed, &error);
        if (status == 0 && removed == 0)
            status = rc_error_set(&error, "the store has none of that app%s",
                                  options->on ? " for that platform" : "");
        if (status)
            rc_cmd_fail(&error, "removing models of %s", options->app);
        else
            measured = has_measured(db, options->app);
    }
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    if (status == 0 && options->json)
        printf("{\"removed\": %" PRIu64 "}\n", removed);
    else if (status == 0)
        printf("removed %" PRIu64 " model%s of %s\n", removed, removed == 1 ? "" : "s",
               options->app);
    if (status == 0 && measured)
        rc_cmd_note("what was measured of the inputs of %s stays in the store: 'runcast model "
                    "measure FILE.rcm --forget all' removes it",
                    options->app);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_model_remove = {
    .name = "remove",
    .summary = "Remove models from the store",
    .details = "Predictions that were made with them stay, and so does what 'runcast model "
               "measure' has measured of their inputs. Files are not touched.",
    .examples = "  runcast model remove --app ga\n",
    .options = remove_options,
    .options_size = sizeof(struct registry_options),
    .run = run_remove,
};
