// SPDX-License-Identifier: GPL-3.0-or-later
/* registry.c - 'runcast model add', 'list', 'show' and 'remove': models in the database. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/model_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/timestamp.h"
#include "cmd/model/model.h"
#include "model/structural/measured_inputs.h"
#include "model/structural/model_registry.h"

struct registry_options {
    const char *app, *on, *db;
    struct rc_option_list with;
    bool json;
};

#define OPTION(name_, member, argument_, help_)                                                    \
    RC_CMD_OPTION(struct registry_options, member, TEXT, name_, argument_, help_)
#define OPTION_APP(help_)                                                                          \
    RC_CMD_OPTION_WITH(struct registry_options, app, TEXT, "app", "NAME", help_, .letter = 'a')
#define END_OPTIONS                                                                                \
    RC_OPTION_JSON(struct registry_options), RC_OPTION_DB(struct registry_options), RC_OPTIONS_END

/* ---- add ---- */

static const struct rc_option add_options[] = {
    OPTION_APP("name of the app (default: the app of the model)"),
    OPTION("on", on, "NAME",
           "platform section of the model; the model is stored for this platform (default: for "
           "any)"),
    RC_MODEL_OPTION_WITH(struct registry_options, with),
    END_OPTIONS,
};

/* The model that a new one replaces. */
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

static void show_added(const struct rc_answer_model_added *added, double replaced)
{
    char made[RC_TIME_SIZE] = "";

    if (added->replaced)
        rc_timestamp_format(floor(replaced), made);
    printf("added %s as the structural model of %s%s%s%s%s%s%s%s\n", added->model, added->app,
           added->platform ? " on " : "", added->platform ? added->platform : "",
           added->replaced ? "; replaced " : "", added->replaced ? added->replaced : "",
           added->replaced ? " (added " : "", made, added->replaced ? ")" : "");
}

static int add(struct rc_cmd_model_work *work, const struct registry_options *options)
{
    int section = work->setting.section;
    struct rc_answer_model_added added = {.app = options->app ? options->app : work->model->app,
                                          .platform = section < 0
                                                          ? NULL
                                                          : work->model->sections[section].name,
                                          .model = work->model->name,
                                          .n_files = work->model->n_files};
    struct replaced replaced = {.platform = added.platform ? added.platform : ""};
    struct rc_error error = {.text = ""};
    struct rc_cmd_work waiting;
    struct rc_db *db;
    int status = -1;

    if (rc_structural_check(work->model, &error)) /* before a database is made */
        return rc_cmd_model_fail(work, &error);
    rc_cmd_work_begin(&waiting, "storing");
    db = rc_cmd_open_db(options->db, RC_DB_CREATE, &waiting);
    if (db)
        rc_structural_list(db, added.app, find_replaced, &replaced, NULL);
    if (db && (status = rc_structural_save(db, added.app, work->model, section, &added.id, &error)))
        rc_cmd_model_fail(work, &error);
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    added.replaced = replaced.found ? replaced.model : NULL;
    if (status == 0 && options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_model_added, &added));
    else if (status == 0)
        show_added(&added, replaced.made);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int run_add(struct rc_invocation *invocation)
{
    const struct registry_options *options = invocation->options;
    struct rc_cmd_model_work work;
    int status = rc_cmd_model_begin(&work, "adding", invocation->arguments[0], &options->with);

    if (status == RC_EXIT_OK && options->app && !*options->app)
        status = rc_cmd_usage_text(invocation, "--app: empty name");
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_section(&work, invocation, options->on, false);
    if (status == RC_EXIT_OK)
        status = add(&work, options);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_add = {
    .name = "add",
    .summary = "Add a model to the database",
    .arguments = "FILE.rcm",
    .details =
        "'runcast predict' uses the model for predictions of the app, and 'runcast accuracy' "
        "reports how accurate they were. The database has the texts of all files of the model; "
        "add it again after changes. Models with errors are rejected.\n\n"
        "An app has at most one model for each platform (--on), and one for any platform. A new "
        "model replaces the old one.",
    .examples = "  runcast model add models/apps/ga.rcm --with measured.rcm\n"
                "  runcast model add --app ga mine.rcm --on linux\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = add_options,
    .options_size = sizeof(struct registry_options),
    .answers = {rc_answer_model_added},
    .run = run_add,
};

/* ---- list ---- */

static const struct rc_option list_options[] = {
    OPTION_APP("name of the app (default: all apps)"),
    END_OPTIONS,
};

/* Output of entries. */
struct listing {
    struct rc_table *table; /* NULL: add to the list */
    json_t *list;
};

static int list_entry(void *data, const struct rc_structural_entry *entry)
{
    const struct listing *listing = data;

    if (listing->table)
        rc_field_row(listing->table, rc_answer_stored_model, entry);
    else
        json_array_append_new(listing->list, rc_field_json(rc_answer_stored_model, entry));
    return 0;
}

static int list_models(const struct registry_options *options, struct rc_db *db,
                       struct rc_error *error)
{
    struct rc_column columns[8];
    size_t n = rc_field_columns(rc_answer_stored_model, columns, 8);
    json_t *object = json_object();
    struct listing listing = {.list = json_array()};
    int status = -1;

    if (!options->json)
        listing.table = rc_table_create(stdout, columns, n, rc_cmd_width());
    if (!options->json && !listing.table)
        rc_error_no_memory(error);
    else
        status = rc_structural_list(db, options->app, list_entry, &listing, error);
    if (listing.table && rc_table_finish(listing.table) && status == 0)
        status = rc_error_no_memory(error);
    rc_json_set(object, "models", listing.list);
    if (options->json && status == 0)
        rc_cmd_print_json(object);
    else
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
    .summary = "List the models in the database",
    .examples = "  runcast model list\n",
    .options = list_options,
    .options_size = sizeof(struct registry_options),
    .rows = rc_answer_stored_model,
    .rows_key = "models",
    .run = run_list,
};

/* ---- show ---- */

static const struct rc_option show_options[] = {
    OPTION_APP("name of the app (required)"),
    OPTION("on", on, "NAME",
           "platform section of the model; shows the model that 'runcast predict' uses for this "
           "platform (default: the model for any platform)"),
    END_OPTIONS,
};

static void show_texts(const struct rc_answer_model_texts *texts)
{
    for (size_t i = 0; i < texts->n_files; i++) {
        const char *text = texts->files[i].text;
        size_t length = strlen(text);

        if (texts->n_files > 1)
            printf("%s# ---- %s ----\n", i ? "\n" : "", texts->files[i].name);
        printf("%s%s", text, texts->n_files > 1 && length && text[length - 1] != '\n' ? "\n" : "");
    }
}

static int run_show(struct rc_invocation *invocation)
{
    const struct registry_options *options = invocation->options;
    struct rc_structural structure = {.section = -1};
    struct rc_error error = {.text = ""};
    struct rc_answer_model_texts texts;
    struct rc_db *db;
    int status;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "missing --app NAME");
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    status = rc_structural_load(db, options->app, options->on, &structure, &error);
    rc_db_close(db);
    if (status) {
        rc_structural_free(&structure);
        return rc_cmd_fail(&error, "showing the model of %s", options->app);
    }
    texts =
        (struct rc_answer_model_texts){.app = options->app,
                                       .platform = *structure.platform ? structure.platform : NULL,
                                       .model = structure.model->name,
                                       .made = structure.made,
                                       .id = structure.id,
                                       .files = structure.model->files,
                                       .n_files = structure.n_files};
    if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_model_texts, &texts));
    else
        show_texts(&texts);
    rc_structural_free(&structure);
    return RC_EXIT_OK;
}

const struct rc_command rc_command_model_show = {
    .name = "show",
    .summary = "Print a model from the database",
    .details = "Prints the text of the model as it was added. If a model has several files, each "
               "begins with a comment with its name; --json has them separately.",
    .examples = "  runcast model show --app ga > ga.rcm\n",
    .options = show_options,
    .options_size = sizeof(struct registry_options),
    .answers = {rc_answer_model_texts},
    .run = run_show,
};

/* ---- remove ---- */

static const struct rc_option remove_options[] = {
    OPTION_APP("name of the app (required)"),
    OPTION(
        "on", on, "NAME",
        "platform section of the model; removes only the model for this platform (default: all)"),
    END_OPTIONS,
};

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
        return rc_cmd_usage_text(invocation, "missing --app NAME");
    rc_cmd_work_begin(&waiting, "removing");
    db = rc_cmd_open_db(options->db, RC_DB_WRITE, &waiting);
    if (db) {
        status = rc_structural_remove(db, options->app, options->on, &removed, &error);
        if (status == 0 && removed == 0)
            status = rc_error_set(&error, "no model of that app%s",
                                  options->on ? " for that platform" : "");
        if (status)
            rc_cmd_fail(&error, "removing models of %s", options->app);
        else
            measured = rc_structural_benchmarks_any(db, options->app);
    }
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    if (status == 0 && !options->json)
        printf("removed %" PRIu64 " model%s of %s\n", removed, removed == 1 ? "" : "s",
               options->app);
    if (status == 0 && measured)
        rc_cmd_note("the measured inputs of %s remain in the database; remove them with 'runcast "
                    "model measure FILE.rcm --forget all'",
                    options->app);
    if (status == 0 && options->json)
        rc_cmd_model_print_removed(removed);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_model_remove = {
    .name = "remove",
    .summary = "Remove models from the database",
    .details = "Predictions and measured inputs of the models remain in the database.",
    .examples = "  runcast model remove --app ga\n",
    .options = remove_options,
    .options_size = sizeof(struct registry_options),
    .answers = {rc_answer_model_removed},
    .run = run_remove,
};
