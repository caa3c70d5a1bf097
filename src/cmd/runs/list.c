// SPDX-License-Identifier: GPL-3.0-or-later
/* list.c - 'runcast runs list': a table of runs, with the columns that the user chooses. */
#include "cmd/runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer/runs_fields.h"
#include "base/error.h"
#include "db/run_csv.h"
#include "db/run_param.h"
#include "report/table.h"

enum { CHOSEN_MAX = 64 };

static const char default_columns[] = "id,app,platform,size,procs,time_s,start,status";

struct list_options {
    struct rc_runs_choice choice;
    const char *db, *columns;
    int64_t last;
    bool json;
};

static const struct list_options list_defaults = {.choice = RC_RUNS_CHOICE_DEFAULT,
                                                  .columns = default_columns};

static const struct rc_option list_options[] = {
    RC_RUNS_CHOICE_OPTIONS(struct list_options),
    {RC_OPTION_OF(struct list_options, INTEGER, last), .name = "last", .argument = "N", .least = 1,
     .help = "show only the last N"},
    {RC_OPTION_OF(struct list_options, TEXT, columns), .name = "columns", .argument = "LIST",
     .help =
         "columns to show, separated by commas: id, app, platform, size, procs, time_s, start, "
         "hosts, memory_bytes, cpu_minavg, cpu_avgmin, bw_minavg, bw_avgmin, bytes_read, "
         "bytes_written, status, import, or names of parameters and metadata; 'all': all of these "
         "except parameters and metadata (default: "
         "id,app,platform,size,procs,time_s,start,status)"},
    RC_OPTION_JSON(struct list_options),
    RC_OPTION_DB(struct list_options),
    RC_OPTIONS_END,
};

/* The columns that the user chose; an unknown name is that of a parameter or of metadata. */
struct chosen {
    struct rc_column heads[CHOSEN_MAX];
    struct rc_field columns[CHOSEN_MAX]; /* RC_AS_END: named by the head */
    size_t count;
    unsigned parts;
    char *names; /* owns the texts */
};

const struct rc_field *rc_cmd_runs_column(const char *name)
{
    /* The headings of a table of runs are accepted, too. */
    static const struct {
        const char *heading, *key;
    } keys[] = {{"n", "size"}, {"p", "procs"}, {"seconds", "time_s"}, {"memory", "memory_bytes"}};
    const char *known = rc_db_run_table_column(name);

    name = known ? known : name;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(keys[i].heading, name) == 0)
            name = keys[i].key;

    for (const struct rc_field *field = rc_answer_run; field->kind != RC_AS_END; field++)
        if (field->title && strcasecmp(field->key, name) == 0)
            return field;
    return NULL;
}

static void choose_column(struct chosen *chosen, const char *name)
{
    const struct rc_field *found = rc_cmd_runs_column(name);
    struct rc_field *column = &chosen->columns[chosen->count];

    *column = (struct rc_field){.kind = RC_AS_END};
    if (found)
        *column = *found;
    chosen->heads[chosen->count] = (struct rc_column){.title = name, .right = true};
    if (found)
        rc_field_columns((const struct rc_field[]){*column, RC_FIELDS_END},
                         &chosen->heads[chosen->count], 1);
    chosen->parts |= found ? rc_answer_run_part(found) : RC_FIELD_PARAMS | RC_FIELD_META;
    chosen->count++;
}

static int choose_columns(const struct rc_invocation *invocation, const char *list,
                          struct chosen *chosen)
{
    char *rest, *name;

    chosen->names = rest = strdup(strcasecmp(list, "all") == 0 ? RC_RUNS_ALL_COLUMNS : list);
    while (rest && (name = strsep(&rest, ","))) {
        if (!*name)
            return rc_cmd_usage_text(invocation, "--columns: empty name");
        if (chosen->count == CHOSEN_MAX)
            return rc_cmd_usage_text(invocation, "--columns: more than %d columns", CHOSEN_MAX);
        choose_column(chosen, name);
    }
    return RC_EXIT_OK;
}

static const char *meta_of(const struct rc_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_meta; i++)
        if (strcmp(run->meta[i].name, name) == 0)
            return run->meta[i].text;
    return NULL;
}

/* Whether the run has a parameter or metadata of this name. */
static bool put_named(struct rc_table *table, const struct rc_run *run, const char *name)
{
    const char *text = meta_of(run, name);
    double value = rc_db_run_param(run, name);

    if (isnan(value) && text)
        rc_table_text(table, text);
    else
        rc_table_number(table, value);
    return !isnan(value) || text;
}

/* A mistyped column looks like a parameter that no run has. */
static void note_unknown(const struct chosen *chosen, const bool *seen, uint64_t shown)
{
    for (size_t i = 0; i < chosen->count && shown > 0; i++)
        if (chosen->columns[i].kind == RC_AS_END && !seen[i])
            rc_cmd_note("no column, parameter or metadata '%s' in these runs; see 'runcast runs "
                        "list --help'",
                        chosen->heads[i].title);
}

static int list_table(struct rc_run_cursor *cursor, const struct chosen *chosen,
                      struct rc_runs_pace *pace, struct rc_error *error)
{
    struct rc_table *table = rc_table_create(stdout, chosen->heads, chosen->count, rc_cmd_width());
    bool seen[CHOSEN_MAX] = {false};
    struct rc_run run;
    int got;

    if (!table)
        return rc_error_no_memory(error);
    while ((got = rc_db_run_next(cursor, &run, error)) > 0 && !ferror(stdout)) {
        rc_cmd_runs_step(pace);
        for (size_t i = 0; i < chosen->count; i++) {
            if (chosen->columns[i].kind != RC_AS_END) {
                rc_field_cell(table, &chosen->columns[i], &run);
                continue;
            }
            seen[i] |= put_named(table, &run, chosen->heads[i].title);
        }
    }
    if (rc_table_finish(table) && got >= 0)
        return rc_error_no_memory(error);
    rc_progress_end(&pace->progress);
    note_unknown(chosen, seen, pace->done);
    return got < 0 ? -1 : 0;
}

static int list_chosen(const struct list_options *options, const struct rc_run_filter *filter,
                       const struct chosen *chosen)
{
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    struct rc_run_cursor *cursor;
    struct rc_runs_pace pace;
    struct rc_error error;
    int status = -1;

    if (!db)
        return RC_EXIT_FAILED;
    rc_cmd_runs_pace_begin(&pace, db, filter, "listing");
    cursor = rc_db_run_find(db, filter, chosen->parts, &error);
    if (cursor)
        status = options->json ? rc_cmd_runs_write_json(cursor, chosen->parts, &pace, &error)
                               : list_table(cursor, chosen, &pace, &error);
    rc_progress_end(&pace.progress);
    rc_db_run_cursor_close(cursor);
    rc_db_close(db);
    return status ? rc_cmd_fail(&error, "listing the runs") : RC_EXIT_OK;
}

static int run_list(struct rc_invocation *invocation)
{
    const struct list_options *options = invocation->options;
    struct rc_run_filter filter;
    struct chosen chosen = {.count = 0};
    int64_t *ids;
    int status = rc_cmd_runs_filter(invocation, &options->choice, &filter, &ids);

    filter.last = (uint64_t)options->last;
    if (status == RC_EXIT_OK)
        status = choose_columns(invocation, options->columns, &chosen);
    if (status == RC_EXIT_OK)
        status = list_chosen(options, &filter, &chosen);
    free(chosen.names);
    free(ids);
    return status;
}

const struct rc_command rc_command_runs_list = {
    .name = "list",
    .summary = "List runs",
    .arguments = "[ID...]",
    .details = "Lists all runs, or the runs that pass all filters, by number. Bandwidths of "
               "imported runs are in the unit of the table.",
    .examples = "  runcast runs list --app lulesh --procs 27..\n"
                "  runcast runs list --since 7d --columns id,app,procs,time_s,iterations\n",
    .most_arguments = -1,
    .options = list_options,
    .options_size = sizeof(struct list_options),
    .defaults = &list_defaults,
    .rows = rc_answer_run,
    .rows_key = "runs",
    .run = run_list,
};
