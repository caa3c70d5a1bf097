// SPDX-License-Identifier: GPL-3.0-or-later
/* open_model.c - reads a model and all that the options of an evaluation ask for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "cmd/model/model.h"
#include "model/structural/measured_inputs.h"
#include "platform/platform.h"

/* ---- the model ---- */

int rc_cmd_model_begin(struct rc_cmd_model_work *work, const char *verb, const char *path,
                       const struct rc_option_list *with)
{
    const char *paths[RC_MODEL_FILES_MAX];
    struct rc_error error = {.text = ""};
    char *text = NULL;
    int status;

    *work = (struct rc_cmd_model_work){.model = NULL};
    snprintf(work->doing_text, sizeof work->doing_text, "%s %s", verb, path);
    rc_text_mend_cut(work->doing_text, sizeof work->doing_text);
    work->doing = work->doing_text;
    rc_structural_model_setting_init(&work->setting);
    if (with->n >= RC_MODEL_FILES_MAX) {
        rc_error_set(&error, "more than %d files", RC_MODEL_FILES_MAX);
        return rc_cmd_fail(&error, "%s", work->doing);
    }
    paths[0] = path;
    for (size_t i = 0; i < with->n; i++)
        paths[i + 1] = with->items[i];
    work->model = rc_structural_model_load(paths, with->n + 1, &text, &error);
    if (work->model)
        return RC_EXIT_OK;
    status = rc_cmd_fail(&error, "%s", verb);
    if (text)
        rc_cmd_show_caret(text, &error);
    free(text);
    return status;
}

/* ---- the setting ---- */

static bool wants_measured(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].measure.kind != RC_MEASURE_NOTHING)
            return true;
    return false;
}

static bool wants_series(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].source == RC_FROM_SERIES || model->items[i].source == RC_FROM_FORECAST)
            return true;
    return false;
}

int rc_cmd_model_section(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                         const char *on, bool the_only_one)
{
    const struct rc_model *model = work->model;
    const char *names[64];
    struct rc_error error = {.text = ""};
    const char *nearest;
    size_t n = 0;

    work->setting.section = on ? rc_structural_model_find_section(model, on)
                            : work->platform
                                ? rc_structural_model_find_section(model, work->platform->name)
                                : -1;
    if (!on && work->setting.section < 0 && model->n_sections == 1 && the_only_one)
        work->setting.section = 0;
    if (!on || work->setting.section >= 0)
        return RC_EXIT_OK;
    for (; n < model->n_sections && n < 64; n++)
        names[n] = model->sections[n].name;
    nearest = rc_nearest_word(on, names, n, sizeof *names);
    rc_error_set(&error, "the model has no section 'on %s'", on);
    if (n)
        rc_error_hint(&error, "it has 'on %s'%s", nearest ? nearest : names[0],
                      n > 1 ? "; 'runcast model check' lists all" : "");
    return rc_cmd_usage(invocation, &error);
}

/* A missing database is an error only if it was named and is needed. */
static int open_db(struct rc_cmd_model_work *work, const struct rc_cmd_model_choice *choice)
{
    char path[4096];
    struct rc_error error = {.text = ""};

    if (!wants_series(work->model) && (choice->no_measured || !wants_measured(work->model)))
        return RC_EXIT_OK;
    if ((!choice->db || choice->makes_db) &&
        rc_cmd_db_path(choice->db, path, sizeof path, &error) == 0 && access(path, F_OK) != 0)
        return RC_EXIT_OK;
    work->db = rc_cmd_open_db(choice->db, RC_DB_READ, NULL);
    return work->db ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const char *rc_cmd_model_platform(const struct rc_cmd_model_work *work)
{
    return work->platform               ? work->platform->name
           : work->setting.section >= 0 ? work->model->sections[work->setting.section].name
                                        : NULL;
}

static int add_measured(struct rc_cmd_model_work *work, bool one_platform)
{
    const char *platform = rc_cmd_model_platform(work);
    struct rc_error error = {.text = ""};
    int section = work->setting.section, taken = 0;
    size_t n_left = 0;

    if (!work->db || !wants_measured(work->model))
        return RC_EXIT_OK;
    if (platform || one_platform)
        taken = rc_structural_benchmarks_add(work->db, platform, &work->model, &section, &error);
    else
        taken = rc_structural_benchmarks_add_all(work->db, &work->model, &n_left, &error);
    if (one_platform || work->setting.section >= 0) /* else each run finds its own */
        work->setting.section = section;
    if (work->model->measured)
        n_left = work->model->measured->n_left;
    rc_cmd_model_note_left(n_left);
    if (work->model->measured)
        work->model->measured->noted = true;
    if (taken >= 0)
        return RC_EXIT_OK;
    if ((!error.hint[0] && !error.code) ||
        (error.code && strcmp(error.code, "structural.benchmarks-damaged") == 0))
        rc_error_hint(&error, "use --no-measured, or remove them with 'runcast model measure "
                              "FILE.rcm --forget all'");
    return rc_cmd_fail(&error, "reading measured inputs");
}

/* Reads --hosts and checks the names against the platform. */
static int read_hosts(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                      const char *hosts)
{
    struct rc_error error = {.text = ""};

    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &work->hosts, &error))
        return rc_cmd_usage_text(invocation, "--hosts: %s", error.text);
    for (size_t i = 0; i < work->hosts.count && work->platform; i++)
        if (!rc_platform_find_host(work->platform, work->hosts.names[i], NULL))
            return rc_cmd_usage_text(invocation, "--hosts: the platform has no host '%s'",
                                     work->hosts.names[i]);
    return RC_EXIT_OK;
}

/* A model for several platforms, of which none was chosen. */
static int choose_section(const struct rc_invocation *invocation, const struct rc_model *model)
{
    char sections[120] = "";

    for (size_t i = 0; i < model->n_sections; i++)
        rc_text_append(sections, sizeof sections, "%s%s", i ? ", " : "", model->sections[i].name);
    rc_text_mend_cut(sections, sizeof sections);
    return rc_cmd_usage_text(invocation,
                             "the model is for several platforms; use --on with one of: %s",
                             sections);
}

static int ask(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
               const struct rc_cmd_model_choice *choice, bool needs_platform)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_model_setting *setting = &work->setting;
    struct rc_error error = {.text = ""};
    int status;

    if (choice->omit > 1 || choice->omit < 0)
        return rc_cmd_usage_text(invocation, "--omit: must be from 0 to 100%%");
    if (choice->platform_file) {
        work->platform = rc_platform_load(choice->platform_file, &error);
        if (!work->platform)
            return rc_cmd_fail(&error, "reading the platform file");
    }
    status = rc_cmd_model_section(work, invocation, choice->on, needs_platform);
    if (status != RC_EXIT_OK)
        return status;
    if (needs_platform && work->model->n_sections && setting->section < 0 && !choice->hosts &&
        !choice->platform_file)
        return choose_section(invocation, work->model);
    status = choice->hosts ? read_hosts(work, invocation, choice->hosts) : RC_EXIT_OK;
    if (status != RC_EXIT_OK)
        return status;
    setting->hosts = (const char *const *)work->hosts.names;
    setting->n_hosts = work->hosts.count;
    setting->platform = work->platform;
    setting->now = isnan(choice->at) ? clock->wall(clock) : choice->at;
    setting->assignments = choice->set.items;
    setting->n_assignments = choice->set.n;
    setting->uses = choice->alternatives.items;
    setting->n_uses = choice->alternatives.n;
    setting->omit = choice->omit;
    status = open_db(work, choice);
    setting->db = work->db;
    return status == RC_EXIT_OK && !choice->no_measured ? add_measured(work, needs_platform)
                                                        : status;
}

int rc_cmd_model_open(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                      const char *verb, const struct rc_cmd_model_choice *choice,
                      bool needs_platform)
{
    int status = rc_cmd_model_begin(work, verb, invocation->arguments[0], &choice->with);

    return status == RC_EXIT_OK ? ask(work, invocation, choice, needs_platform) : status;
}

void rc_cmd_model_end(struct rc_cmd_model_work *work)
{
    rc_db_close(work->db);
    rc_platform_destroy(work->platform);
    rc_platform_hostlist_free(&work->hosts);
    rc_structural_model_destroy(work->model);
}

/* ---- what must not be written to ---- */

int rc_cmd_model_check_output(const struct rc_invocation *invocation, const char *output,
                              const struct rc_cmd_model_choice *choice)
{
    const char *what = NULL;
    char path[4096];

    if (!output)
        return RC_EXIT_OK;
    if (rc_file_is_same(output, invocation->arguments[0]))
        what = "the model";
    for (size_t i = 0; i < choice->with.n; i++)
        if (rc_file_is_same(output, choice->with.items[i]))
            what = "a file of --with";
    if (rc_file_is_same(output, choice->platform_file))
        what = "the platform file";
    if (rc_cmd_db_path(choice->db, path, sizeof path, NULL) == 0 && rc_file_is_same(output, path))
        what = "the database";
    return what ? rc_cmd_usage_text(invocation, "--output: %s is %s; name another file", output,
                                    what)
                : RC_EXIT_OK;
}
