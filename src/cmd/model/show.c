// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - 'runcast model show': the texts of a model that the database has kept. */
#include <string.h>

#include "answer/model.h"
#include "base/error.h"
#include "cmd/model/model.h"
#include "model/structural/registry.h"

struct show_options {
    const char *app, *on, *db;
    bool json;
};

static const struct rc_option show_options[] = {
    RC_CMD_OPTION(struct show_options, app, TEXT, "app", "NAME",
                  "the program whose model is shown (required)"),
    RC_CMD_OPTION(
        struct show_options, on, TEXT, "on", "PLATFORM",
        "the one that 'runcast predict' takes for this platform (default: the one for any)"),
    RC_OPTION_JSON(struct show_options),
    RC_OPTION_DB(struct show_options),
    RC_OPTIONS_END,
};

/* How many of the files were kept: what was measured since stands behind them. */
struct count {
    int64_t id;
    size_t n_files;
};

static int find_count(void *data, const struct rc_structural_entry *entry)
{
    struct count *count = data;

    if (entry->id == count->id)
        count->n_files = entry->n_files;
    return 0;
}

static void show_text(const struct rc_model *model, size_t n_files)
{
    for (size_t i = 0; i < n_files; i++) {
        const char *text = model->files[i].text;
        size_t length = strlen(text);

        if (n_files > 1)
            printf("%s# ---- %s ----\n", i ? "\n" : "", model->files[i].name);
        printf("%s%s", text, n_files > 1 && length && text[length - 1] != '\n' ? "\n" : "");
    }
}

static void show_json(const struct show_options *options, const struct rc_structural *structure,
                      size_t n_files)
{
    const struct rc_answer_model_texts texts = {.app = options->app,
                                                .platform = *structure->platform
                                                                ? structure->platform
                                                                : NULL,
                                                .model = structure->model->name,
                                                .made = structure->made,
                                                .id = structure->id,
                                                .files = structure->model->files,
                                                .n_files = n_files};

    rc_cmd_model_write(rc_answer_model_texts, &texts);
}

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct rc_structural structure = {.section = -1};
    struct rc_error error = {.text = ""};
    struct count count = {0};
    struct rc_db *db;
    int status;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say of which program: --app NAME");
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    status = rc_structural_load(db, options->app, options->on, &structure, &error);
    count.id = structure.id;
    if (status == 0)
        status = rc_structural_list(db, options->app, find_count, &count, &error);
    rc_db_close(db);
    if (status)
        rc_cmd_fail(&error, "showing the model of %s", options->app);
    else if (options->json)
        show_json(options, &structure, count.n_files);
    else
        show_text(structure.model, count.n_files);
    rc_structural_free(&structure);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_model_show = {
    .name = "show",
    .summary = "Show the texts of a model that the store has",
    .details = "What 'runcast model add' has kept, as it was then. Of a model with several files, "
               "each begins with a comment that names it, so that all together can be read as one "
               "file but for what a later one says anew; --json has them apart.",
    .examples = "  runcast model show --app ga > ga.rcm\n",
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .run = run_show,
};
