// SPDX-License-Identifier: GPL-3.0-or-later
/* import.c - 'runcast import'. */
#include "cmd/core/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answer/runs_fields.h"
#include "base/csv.h"
#include "base/timestamp.h"
#include "run/record.h"

enum { NOTES_MAX = 20 };

struct import_options {
    const char *db, *app, *platform, *key, *tz;
    struct rc_option_list map, ignore, param_columns, meta_columns;
    bool skip_bad, json;
};

static const struct rc_option import_options[] = {
    {RC_OPTION_OF(struct import_options, TEXT, app), .name = "app", .letter = 'a',
     .argument = "NAME", .help = "name of the app, for a table without a column 'app'"},
    {RC_OPTION_OF(struct import_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "name of the platform, for rows without one"},
    {RC_OPTION_OF(struct import_options, LIST, map), .name = "map", .argument = "NAME=HEADING",
     .help = "read the column HEADING of the table as NAME; several are separated by commas (may "
             "be repeated)"},
    {RC_OPTION_OF(struct import_options, LIST, ignore), .name = "ignore", .argument = "HEADING",
     .help = "ignore the column HEADING of the table (may be repeated)"},
    {RC_OPTION_OF(struct import_options, LIST, param_columns), .name = "param-columns",
     .argument = "LIST",
     .help = "columns that are parameters, separated by commas; other columns that runcast does "
             "not know are metadata (may be repeated)"},
    {RC_OPTION_OF(struct import_options, LIST, meta_columns), .name = "meta-columns",
     .argument = "LIST",
     .help = "columns to store as metadata, separated by commas (may be repeated)"},
    {RC_OPTION_OF(struct import_options, TEXT, key), .name = "key", .argument = "HEADING",
     .help = "column that identifies a run of an app, such as the number of its job; rows of known "
             "runs are not added"},
    {RC_OPTION_OF(struct import_options, TEXT, tz), .name = "tz", .argument = "ZONE",
     .help = "time zone of dates without an offset: Europe/Berlin, UTC or +02:00 (default: UTC)"},
    {RC_OPTION_OF(struct import_options, FLAG, skip_bad), .name = "skip-bad",
     .help = "import the valid rows and list the others"},
    RC_OPTION_JSON(struct import_options),
    RC_OPTION_DB(struct import_options),
    RC_OPTIONS_END,
};

/* The columns of all --map options; `texts` has their names and headings. */
struct map {
    struct rc_db_column_rename list[RC_CSV_FIELDS_MAX];
    char *texts[RC_OPTION_LIST_MAX];
    size_t n_texts, n;
};

static void free_map(struct map *map)
{
    for (size_t i = 0; i < map->n_texts; i++)
        free(map->texts[i]);
}

/* The comma before the next pair; NULL: this is the last one. A heading may have commas, too. */
static char *find_next_pair(char *pair)
{
    for (char *comma = strchr(pair, ','), *next; comma; comma = next) {
        size_t length = strcspn(comma + 1, ",=");

        if (comma[1 + length] == '=')
            return comma;
        next = strchr(comma + 1, ',');
    }
    return NULL;
}

static int add_pair(const struct rc_invocation *invocation, char *pair, struct map *map)
{
    char *equals = strchr(pair, '=');

    if (!equals || equals == pair || !equals[1])
        return rc_cmd_usage_text(invocation, "--map: '%s' is not NAME=HEADING", pair);
    if (map->n == RC_CSV_FIELDS_MAX)
        return rc_cmd_usage_text(invocation, "--map: too many columns");
    *equals = '\0';
    for (size_t i = 0; i < map->n; i++)
        if (strcmp(map->list[i].heading, equals + 1) == 0)
            return rc_cmd_usage_text(invocation, "--map: '%s' is given twice", equals + 1);
    map->list[map->n++] = (struct rc_db_column_rename){equals + 1, pair};
    return RC_EXIT_OK;
}

static int read_map(const struct rc_invocation *invocation, struct map *map)
{
    const struct import_options *options = invocation->options;
    int status = RC_EXIT_OK;

    for (size_t i = 0; i < options->map.n && status == RC_EXIT_OK; i++) {
        char *pair = map->texts[i] = strdup(options->map.items[i]), *next;

        map->n_texts = i + 1;
        for (; pair && status == RC_EXIT_OK; pair = next) {
            if ((next = find_next_pair(pair)))
                *next++ = '\0';
            status = add_pair(invocation, pair + strspn(pair, " "), map);
        }
    }
    return status;
}

/* ---- lists of columns ---- */

/* The headings of all lists of an option. */
struct headings {
    char *texts[RC_OPTION_LIST_MAX]; /* with NULs in place of the commas */
    const char *list[RC_CSV_FIELDS_MAX];
    size_t n_texts, n;
};

static void free_headings(struct headings *headings)
{
    for (size_t i = 0; i < headings->n_texts; i++)
        free(headings->texts[i]);
}

static int read_headings(const struct rc_invocation *invocation, const char *option,
                         const struct rc_option_list *lists, struct headings *headings)
{
    for (size_t i = 0; i < lists->n; i++) {
        char *rest = headings->texts[i] = strdup(lists->items[i]), *heading;

        headings->n_texts = i + 1;
        while (rest && (heading = strsep(&rest, ","))) {
            if (!*heading)
                return rc_cmd_usage_text(invocation, "--%s: empty name", option);
            if (headings->n == RC_CSV_FIELDS_MAX)
                return rc_cmd_usage_text(invocation, "--%s: too many names", option);
            headings->list[headings->n++] = heading;
        }
    }
    return RC_EXIT_OK;
}

enum { WARNINGS_MAX = 1000 };

/* Warnings about one file: printed at once as notes for people, collected for JSON. */
struct notes {
    struct rc_cmd_work *work;
    json_t *list; /* NULL: for people */
    uint64_t count;
};

static void take_note(void *data, const struct rc_error *what)
{
    struct notes *notes = data;

    if (notes->list && json_array_size(notes->list) < WARNINGS_MAX) {
        json_array_append_new(notes->list, rc_field_json(rc_answer_import_warning, what));
    } else if (!notes->list && notes->count < NOTES_MAX) {
        rc_progress_end(&notes->work->progress);
        rc_cmd_note_error(what);
    }
    notes->count++;
}

static void print_result(const char *file, const struct rc_db_run_import *import, uint64_t notes)
{
    char when[RC_TIME_SIZE];

    if (notes > NOTES_MAX)
        rc_cmd_note("%" PRIu64 " more notes of this kind", notes - NOTES_MAX);
    if (!import->known) {
        printf("%s: %" PRIu64 " run%s added", file, import->added, import->added == 1 ? "" : "s");
        if (import->skipped)
            printf(", %" PRIu64 " bad row%s skipped", import->skipped,
                   import->skipped == 1 ? "" : "s");
        if (import->known_rows)
            printf(", %" PRIu64 " already known", import->known_rows);
        if (import->differing_rows)
            printf(", %" PRIu64 " not changed", import->differing_rows);
        if (import->added)
            printf(" (import %" PRId64 ")", import->id);
        putchar('\n');
        fflush(stdout); /* the next file may take long */
        if (import->skipped && import->added)
            rc_cmd_note("before you import the corrected file, run 'runcast runs delete --import "
                        "%" PRId64 "'",
                        import->id);
        if (import->repeated)
            rc_cmd_note("%" PRIu64 " of %" PRIu64 " runs equal earlier runs in the database; "
                        "'runcast runs delete --import %" PRId64 "' removes this import",
                        import->repeated, import->added, import->id);
        return;
    }
    rc_timestamp_format((double)(int64_t)import->known_since, when);
    printf("%s: nothing added; imported before (import %" PRId64 ", %s)\n", file, import->id, when);
    if (import->deleted)
        rc_cmd_note("%" PRIu64 " of its runs %s deleted; to import it again, delete the others "
                    "with 'runcast runs delete --import %" PRId64 "'",
                    import->deleted, import->deleted == 1 ? "was" : "were", import->id);
}

/* What the options say about columns. */
struct columns {
    struct map map;
    struct headings params, meta;
};

static int import_file(struct rc_db *db, struct rc_cmd_work *work, const char *file,
                       const struct import_options *options, const struct columns *columns,
                       json_t *results)
{
    struct notes notes = {work, options->json ? json_array() : NULL, 0};
    struct rc_db_run_import import = {
        .app = options->app,
        .platform = options->platform,
        .renames = columns->map.list,
        .n_renames = columns->map.n,
        .ignored = options->ignore.items,
        .n_ignored = options->ignore.n,
        .params = columns->params.list,
        .n_params = columns->params.n,
        .meta = columns->meta.list,
        .n_meta = columns->meta.n,
        .key = options->key,
        .tz = options->tz,
        .skip_bad = options->skip_bad,
        .note = take_note,
        .note_data = &notes,
    };
    struct rc_answer_import result = {.file = file, .warnings = notes.list};
    struct rc_error error = {0};
    int status = rc_run_record_is_file(file)
                     ? rc_run_record_import(db, file, &import, &error)
                     : rc_db_run_import(db, file, &import, &work->monitor, &error);

    rc_progress_end(&work->progress);
    result.import = import.added || import.known ? import.id : 0;
    result.added = import.added;
    result.skipped = import.skipped;
    result.repeated = import.repeated;
    result.known_rows = import.known_rows;
    result.differing_rows = import.differing_rows;
    result.known = import.known;
    result.error = status ? &error : NULL;
    if (options->json)
        json_array_append_new(results, rc_field_json(rc_answer_import, &result));
    json_decref(notes.list);
    if (status)
        return rc_cmd_fail(&error, "importing %s", file);
    if (!options->json)
        print_result(file, &import, notes.count);
    return RC_EXIT_OK;
}

static int read_columns(const struct rc_invocation *invocation, struct columns *columns)
{
    const struct import_options *options = invocation->options;
    int status = read_map(invocation, &columns->map);

    if (status == RC_EXIT_OK)
        status =
            read_headings(invocation, "param-columns", &options->param_columns, &columns->params);
    if (status == RC_EXIT_OK)
        status = read_headings(invocation, "meta-columns", &options->meta_columns, &columns->meta);
    return status;
}

static int import_files(struct rc_invocation *invocation, const struct columns *columns)
{
    const struct import_options *options = invocation->options;
    json_t *results;
    struct rc_cmd_work work;
    struct rc_db *db;
    char label[60];
    int status = RC_EXIT_OK;

    results = json_array();
    rc_cmd_work_begin(&work, "importing");
    db = rc_cmd_open_db(options->db, RC_DB_CREATE, &work);
    if (!db)
        status = RC_EXIT_FAILED;
    for (int i = 0; db && i < invocation->n_arguments && !rc_cmd_interrupted(); i++) {
        snprintf(label, sizeof label, "importing %s", invocation->arguments[i]);
        rc_progress_begin(&work.progress, stderr, rc_clock_system(), label);
        if (import_file(db, &work, invocation->arguments[i], options, columns, results))
            status = RC_EXIT_FAILED;
    }
    rc_db_close(db);
    rc_cmd_work_end(&work);
    if (options->json && db) {
        rc_cmd_print_json(json_pack("{s:o}", "files", results));
    } else {
        json_decref(results);
    }
    return status;
}

static int run_import(struct rc_invocation *invocation)
{
    static struct columns columns;
    int status = read_columns(invocation, &columns);

    if (status == RC_EXIT_OK)
        status = import_files(invocation, &columns);
    free_map(&columns.map);
    free_headings(&columns.params);
    free_headings(&columns.meta);
    return status;
}

const struct rc_command rc_command_import = {
    .name = "import",
    .summary = "Import tables of runs",
    .arguments = "FILE.csv|RECORD.json|-...",
    .details =
        "The first line of a table names the columns, in any order:\n"
        "  app      name of the program (or --app)\n"
        "  n        problem size; alias: size\n"
        "  p        number of processes; aliases: procs, processes, ranks, ntasks\n"
        "  seconds  run time (93, 93s, 1.5h, 01:02:03); aliases: time_s, time, runtime\n"
        "These are required. Other usual headings, such as elapsed or cores, are recognized, and "
        "a "
        "note lists them. --map reads any column as one of these.\n\n"
        "Optional: platform, hosts, start, memory, cpu_minavg, cpu_avgmin, bw_minavg, bw_avgmin, "
        "bytes_read, bytes_written, status, and times of phases and processes (time:PHASE, "
        "time:PHASE:RANK). A column 'state' with job states is read as status; a column 'date', "
        "'start_time' or 'started' with dates as start.\n\n"
        "Other columns are parameters, which models use as predictors, or metadata, which they do "
        "not use. Metadata are: columns of text; columns with a usual name, such as job, user, "
        "partition, submit or exit_code; columns with IDs, which are at least 5 whole numbers, one "
        "in each row, all different or increasing from row to row; columns named meta:NAME. Other "
        "numeric columns are parameters. A column that is a parameter of earlier runs of the app "
        "remains one. --param-columns, --meta-columns and --ignore override this.\n\n"
        "Empty cells and NA are unknown values. Lines that begin with # are comments.\n\n"
        "A table is imported completely or not at all. If a row is bad, runcast reports its line "
        "and column; --skip-bad skips it. A file with the same content as an earlier import adds "
        "nothing.\n\n"
        "A RECORD.json is a file that 'runcast record' wrote when it could not write to the "
        "database.",
    .examples = "  runcast import runs.csv\n"
                "  runcast import -a heat --map n=Grid,p=Tasks,seconds=Elapsed jobs.csv\n"
                "  runcast import --tz Europe/Berlin jobs.csv\n"
                "  runcast import --param-columns iterations,nodes jobs.csv\n"
                "  zcat old.csv.gz | runcast import --platform opal -\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = import_options,
    .options_size = sizeof(struct import_options),
    .rows = rc_answer_import,
    .rows_key = "files",
    .run = run_import,
};
