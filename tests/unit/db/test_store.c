/* The store: what goes in comes out, what must not go in does not, and old stores open. */
#include "unit.h"

#include <sqlite3.h>

#include "db/run.h"
#include "db/schema.h"
#include "db/series.h"

static char directory[] = "/tmp/runcast-store-XXXXXX";
static char path[100];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/store.db", directory);
    return 0;
}

static int remove_directory(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static int remove_store(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -f %s*", path);
    return system(command);
}

static struct rc_db *store_open(enum rc_db_mode mode)
{
    struct rc_error error;
    struct rc_db *store = rc_db_open(path, mode, NULL, &error);

    if (!store)
        fail_msg("%s", error.text);
    return store;
}

static struct rc_run sample_run(const char *app, double n, int64_t p, double seconds)
{
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = app;
    run.n = n;
    run.p = p;
    run.seconds = seconds;
    return run;
}

static int64_t add(struct rc_db *store, const struct rc_run *run)
{
    struct rc_error error;
    int64_t id;

    if (rc_db_run_add(store, run, &id, &error))
        fail_msg("%s", error.text);
    return id;
}

static void sql(const char *text)
{
    sqlite3 *db;
    char *message = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message))
        fail_msg("%s", message);
    sqlite3_close(db);
}

/* ---- runs ---- */

static void a_run_comes_back_as_it_went_in(void **state)
{
    static const struct rc_param params[] = {{"iterations", 800}, {"a \"b\\c", 0.1}};
    static const struct rc_meta meta[] = {{"job", "1234_5"}, {"a \"b\\c", "x \"y\\z"}};
    static const struct rc_run_time times[] = {
        {"", 0, 1.5}, {"", 1, 2.5}, {"solve", -1, 2.25}, {"solve", 1, 2}};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run in = sample_run("lulesh", 30, 27, 47.231215), out;
    struct rc_run_cursor *cursor;

    (void)state;
    in.platform = "opal";
    in.hosts = "a[1-4]";
    in.start = 1794710841.25;
    in.memory = 1e9;
    in.cpu_minavg = 0.5;
    in.cpu_avgmin = 0.25;
    in.bw_minavg = 1e8;
    in.bw_avgmin = 1e7;
    in.bytes_read = 12345;
    in.bytes_written = 0;
    in.status = RC_RUN_FAILED;
    in.params = params;
    in.n_params = 2;
    in.meta = meta;
    in.n_meta = 2;
    in.times = times;
    in.n_times = 4;
    assert_int_equal(add(store, &in), 1);
    cursor = rc_db_run_find(store, NULL, RC_FIELD_ALL, NULL);
    assert_int_equal(rc_db_run_next(cursor, &out, NULL), 1);
    assert_string_equal(out.app, "lulesh");
    assert_string_equal(out.platform, "opal");
    assert_string_equal(out.hosts, "a[1-4]");
    assert_same(out.n, 30);
    assert_int_equal(out.p, 27);
    assert_same(out.seconds, 47.231215);
    assert_same(out.start, 1794710841.25);
    assert_same(out.memory, 1e9);
    assert_same(out.cpu_minavg, 0.5);
    assert_same(out.cpu_avgmin, 0.25);
    assert_same(out.bw_minavg, 1e8);
    assert_same(out.bw_avgmin, 1e7);
    assert_same(out.bytes_read, 12345);
    assert_same(out.bytes_written, 0);
    assert_int_equal(out.status, RC_RUN_FAILED);
    assert_int_equal(out.n_params, 2);
    assert_string_equal(out.params[1].name, "a \"b\\c");
    assert_same(out.params[1].value, 0.1);
    assert_int_equal(out.n_meta, 2);
    assert_string_equal(out.meta[0].text, "1234_5");
    assert_string_equal(out.meta[1].name, "a \"b\\c");
    assert_string_equal(out.meta[1].text, "x \"y\\z");
    assert_int_equal(out.n_times, 4);
    assert_string_equal(out.times[3].phase, "solve");
    assert_int_equal(out.times[2].process, -1);
    assert_same(out.times[2].seconds, 2.25);
    assert_int_equal(rc_db_run_next(cursor, &out, NULL), 0);
    rc_db_run_cursor_close(cursor);
    rc_db_close(store);
}

static void what_is_not_known_or_not_asked_for_stays_so(void **state)
{
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run in = sample_run("x", 1, 1, 1), out;
    struct rc_run_cursor *cursor;

    (void)state;
    add(store, &in);
    cursor = rc_db_run_find(store, NULL, RC_FIELD_ALL, NULL);
    rc_db_run_next(cursor, &out, NULL);
    assert_string_equal(out.platform, "");
    assert_string_equal(out.hosts, "");
    assert_true(isnan(out.start) && isnan(out.memory) && isnan(out.cpu_minavg));
    assert_int_equal(out.n_params, 0);
    assert_int_equal(out.n_meta, 0);
    assert_int_equal(out.n_times, 0);
    rc_db_run_cursor_close(cursor);
    cursor = rc_db_run_find(store, NULL, RC_FIELD_P, NULL);
    rc_db_run_next(cursor, &out, NULL);
    assert_int_equal(out.p, 1);
    assert_string_equal(out.app, "");
    assert_true(isnan(out.seconds));
    rc_db_run_cursor_close(cursor);
    rc_db_close(store);
}

static void bad_runs_are_refused(void **state)
{
    static const struct rc_param not_a_number = {"x", NAN}, nameless = {NULL, 1};
    static const struct rc_param reserved = {"Seconds", 1}, twice[] = {{"a", 1}, {"a", 2}};
    static const struct rc_meta empty = {"x", ""}, no_name = {"", "x"}, line = {"x", "a\nb"};
    static const struct rc_meta same[] = {{"a", "1"}, {"a", "2"}};
    static struct rc_param many[2000];
    static char long_text[RC_META_TEXT_MAX + 2];
    const struct rc_meta overlong = {"x", long_text};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run runs[18];
    uint64_t count;

    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++)
        runs[i] = sample_run("x", 1, 1, 1);
    runs[0].app = "";
    runs[1].n = 0;
    runs[2].p = 0;
    runs[3].seconds = -1;
    runs[4].seconds = NAN;
    runs[5].cpu_minavg = 1.5;
    runs[6].memory = INFINITY;
    runs[7].app = "tab\there";
    runs[8].params = &not_a_number;
    runs[8].n_params = 1;
    runs[9].params = &nameless;
    runs[9].n_params = 1;
    runs[10].params = &reserved;
    runs[10].n_params = 1;
    runs[11].params = twice;
    runs[11].n_params = 2;
    for (size_t i = 0; i < 2000; i++)
        many[i] = (struct rc_param){"b", 1};
    runs[12].params = many;
    runs[12].n_params = 2000;
    memset(long_text, 'x', sizeof long_text - 1);
    runs[13].meta = &empty;
    runs[14].meta = &no_name;
    runs[15].meta = &line;
    runs[16].meta = &overlong;
    runs[17].meta = same;
    for (size_t i = 13; i < COUNT(runs); i++)
        runs[i].n_meta = i == 17 ? 2 : 1;
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct rc_error error = {.text = ""};

        assert_int_equal(rc_db_run_add(store, &runs[i], NULL, &error), -1);
        assert_true(strlen(error.text) > 0);
    }
    assert_int_equal(rc_db_run_count(store, NULL, &count, NULL), 0);
    assert_int_equal(count, 0);
    rc_db_close(store);
}

/* The ids that a filter lets pass, such as "1 3 ". */
static const char *found(struct rc_db *store, const struct rc_run_filter *filter)
{
    static char ids[200];
    struct rc_run_cursor *cursor = rc_db_run_find(store, filter, 0, NULL);
    struct rc_run run;
    uint64_t count, walked = 0;

    *ids = '\0';
    while (rc_db_run_next(cursor, &run, NULL) > 0) {
        sprintf(ids + strlen(ids), "%d ", (int)run.id);
        walked++;
    }
    rc_db_run_cursor_close(cursor);
    rc_db_run_count(store, filter, &count, NULL);
    if (!filter->last)
        assert_int_equal(count, walked);
    return ids;
}

static void filters_choose(void **state)
{
    static const struct {
        const char *app, *platform;
        double n, start;
        int64_t p;
        enum rc_run_status status;
    } rows[] = {
        {"a", "x", 100, 1000, 1, RC_RUN_OK},     {"b", "x", 100, 2000, 2, RC_RUN_OK},
        {"a", "y", 200, 3000, 4, RC_RUN_FAILED}, {"a", "", 300, NAN, 8, RC_RUN_OK},
        {"a", "x", 400, 5000, 8, RC_RUN_OK},
    };
    static const int64_t ids[] = {2, 5, 99};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run_filter all, f;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rc_run run = sample_run(rows[i].app, rows[i].n, rows[i].p, 1);

        run.platform = rows[i].platform;
        run.start = rows[i].start;
        run.status = rows[i].status;
        add(store, &run);
    }
    rc_db_run_filter_init(&all);
    assert_string_equal(found(store, &all), "1 2 3 4 5 ");
    f = all, f.app = "a";
    assert_string_equal(found(store, &f), "1 3 4 5 ");
    f.platform = "x";
    assert_string_equal(found(store, &f), "1 5 ");
    f = all, f.platform = "";
    assert_string_equal(found(store, &f), "4 ");
    f = all, f.app = "none";
    assert_string_equal(found(store, &f), "");
    f = all, f.since = 2000;
    assert_string_equal(found(store, &f), "2 3 5 "); /* run 4 has no known start */
    f = all, f.procs = (struct rc_range){2, 4};
    assert_string_equal(found(store, &f), "2 3 ");
    f = all, f.size = (struct rc_range){200, INFINITY};
    assert_string_equal(found(store, &f), "3 4 5 ");
    f = all, f.status = RC_RUN_FAILED;
    assert_string_equal(found(store, &f), "3 ");
    f = all, f.ids = ids, f.n_ids = 3;
    assert_string_equal(found(store, &f), "2 5 ");
    f = all, f.last = 2;
    assert_string_equal(found(store, &f), "4 5 ");
    f.app = "a", f.last = 3;
    assert_string_equal(found(store, &f), "3 4 5 ");
    rc_db_close(store);
}

static void deleted_numbers_are_not_given_again(void **state)
{
    static const struct rc_run_time times[] = {{"", 0, 1.5}};
    static const int64_t last = 2;
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run run = sample_run("x", 1, 1, 1);
    struct rc_run_filter filter;
    uint64_t deleted, faults;

    (void)state;
    run.times = times;
    run.n_times = 1;
    add(store, &run);
    add(store, &run);
    rc_db_run_filter_init(&filter);
    filter.ids = &last;
    filter.n_ids = 1;
    assert_int_equal(rc_db_run_delete(store, &filter, &deleted, NULL), 0);
    assert_int_equal(deleted, 1);
    assert_int_equal(add(store, &run), 3);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, NULL), 0);
    assert_int_equal(faults, 0);
    rc_db_close(store);
}

/* ---- series ---- */

static int sum_samples(void *data, const struct rc_sample *sample)
{
    ((double *)data)[0] += sample->value;
    ((double *)data)[1]++;
    return 0;
}

static void series_take_samples_once(void **state)
{
    static const struct rc_series_key key = {"a1", "", "cpu"};
    static const struct rc_sample first[] = {{10, 1}, {20, 2}, {30, 3}};
    static const struct rc_sample again[] = {{20, 2}, {40, 4}};
    static const struct rc_sample other[] = {{50, 5}, {20, 7}};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_error error;
    uint64_t added, faults;
    double sums[2] = {0, 0};

    (void)state;
    assert_int_equal(rc_db_series_add(store, &key, first, 3, 0, &added, &error), 0);
    assert_int_equal(added, 3);
    assert_int_equal(rc_db_series_add(store, &key, again, 2, 0, &added, &error), 0);
    assert_int_equal(added, 1);
    assert_int_equal(rc_db_series_add(store, &key, other, 2, 0, &added, &error), -1);
    assert_string_equal(error.text, "t = 20 already has the value 2, not 7");
    assert_int_equal(rc_db_series_window(store, &key, NAN, NAN, sum_samples, sums, &error), 0);
    assert_same(sums[0], 10); /* nothing of `other` is there */
    assert_int_equal(rc_db_series_add(store, &key, other, 2, 1, &added, &error), 0);
    assert_int_equal(added, 2);
    sums[0] = sums[1] = 0;
    assert_int_equal(rc_db_series_window(store, &key, 20, 30, sum_samples, sums, &error), 0);
    assert_same(sums[0], 10);
    assert_same(sums[1], 2);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 0);
    rc_db_close(store);
}

static int keep_info(void *data, const struct rc_series_info *info)
{
    sprintf((char *)data + strlen(data), "%s:%s/%s=%d[%g..%g] ", info->key.host, info->key.peer,
            info->key.metric, (int)info->samples, info->first, info->last);
    return 0;
}

static void series_are_listed_and_deleted(void **state)
{
    static const struct rc_series_key cpu = {"b", "", "cpu"}, link = {"a", "b", "bandwidth"};
    static const struct rc_series_key of_b = {"b", NULL, NULL}, nothing = {"b", "", "bandwidth"};
    static const struct rc_sample samples[] = {{10, 1}, {20, 2}, {30, 3}};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_error error;
    char list[500] = "";
    uint64_t deleted;

    (void)state;
    rc_db_series_add(store, &cpu, samples, 3, 0, NULL, NULL);
    rc_db_series_add(store, &link, samples, 2, 0, NULL, NULL);
    rc_db_series_list(store, NULL, keep_info, list, NULL);
    assert_string_equal(list, "a:b/bandwidth=2[10..20] b:/cpu=3[10..30] ");
    assert_int_equal(rc_db_series_delete(store, &cpu, 15, NAN, &deleted, &error), 0);
    assert_int_equal(deleted, 2);
    *list = '\0';
    rc_db_series_list(store, &of_b, keep_info, list, NULL);
    assert_string_equal(list, "b:/cpu=1[10..10] ");
    assert_int_equal(rc_db_series_delete(store, &cpu, NAN, NAN, &deleted, &error), 0);
    *list = '\0';
    rc_db_series_list(store, NULL, keep_info, list, NULL);
    assert_string_equal(list, "a:b/bandwidth=2[10..20] ");
    assert_int_equal(rc_db_series_delete(store, &nothing, NAN, NAN, &deleted, &error), -1);
    assert_string_equal(error.text, "no series 'bandwidth' of b");
    rc_db_close(store);
}

/* ---- the file ---- */

static void files_that_are_no_store_are_refused(void **state)
{
    struct rc_error error;

    (void)state;
    assert_null(rc_db_open(path, RC_DB_READ, NULL, &error));
    assert_string_equal(error.text, "no database yet");
    assert_null(rc_db_open(path, RC_DB_WRITE, NULL, &error));
    sql("CREATE TABLE t (x)");
    assert_null(rc_db_open(path, RC_DB_CREATE, NULL, &error));
    assert_string_equal(error.text, "an SQLite file, but not a runcast database");
    assert_null(rc_db_open(directory, RC_DB_CREATE, NULL, &error));
    assert_string_equal(error.text, "not a file");
}

static void a_newer_store_is_refused(void **state)
{
    struct rc_error error;
    char newer[60];

    (void)state;
    rc_db_close(store_open(RC_DB_CREATE));
    sql("PRAGMA user_version = -3");
    assert_null(rc_db_open(path, RC_DB_CREATE, NULL, &error));
    assert_non_null(strstr(error.text, "unknown format"));
    snprintf(newer, sizeof newer, "PRAGMA user_version = %d", rc_db_schema_current()->version + 1);
    sql(newer);
    for (enum rc_db_mode mode = RC_DB_READ; mode <= RC_DB_CREATE; mode++) {
        assert_null(rc_db_open(path, mode, NULL, &error));
        assert_non_null(strstr(error.text, "newer runcast"));
    }
}

static void a_reader_cannot_write(void **state)
{
    struct rc_run run = sample_run("x", 1, 1, 1);
    struct rc_db *store;
    struct rc_error error;

    (void)state;
    rc_db_close(store_open(RC_DB_CREATE));
    store = store_open(RC_DB_READ);
    assert_int_equal(rc_db_run_add(store, &run, NULL, &error), -1);
    assert_non_null(strstr(error.text, "reading only"));
    rc_db_close(store);
}

/* Runs the program on the store, as another user of it would. */
static void other_process(const char *arguments)
{
    char command[4096];

    snprintf(command, sizeof command, "'%s' %s --db %s > /dev/null", getenv("RUNCAST"), arguments,
             path);
    assert_int_equal(system(command), 0);
}

static void import_elsewhere(void)
{
    FILE *table;
    char name[200], command[300];

    snprintf(name, sizeof name, "%s/other.csv", directory);
    table = fopen(name, "w");
    fputs("app,n,p,seconds\nother,1,1,1\n", table);
    fclose(table);
    snprintf(command, sizeof command, "import %s", name);
    other_process(command);
}

static uint64_t count_runs(void)
{
    struct rc_db *store = store_open(RC_DB_READ);
    uint64_t count;

    assert_int_equal(rc_db_run_count(store, NULL, &count, NULL), 0);
    rc_db_close(store);
    return count;
}

/* Whoever opens the file beside SQLite and closes it drops SQLite's locks on it; another process
 * would then take itself for the last one, and delete the log that is still in use. */
static void several_handles_keep_one_another_s_locks(void **state)
{
    struct rc_db *store = store_open(RC_DB_CREATE), *second;
    struct rc_run run = sample_run("x", 1, 1, 1);
    struct rc_db_info info;
    uint64_t faults;

    (void)state;
    add(store, &run);
    second = store_open(RC_DB_READ);
    assert_int_equal(rc_db_info(second, &info, NULL), 0);
    rc_db_close(second);
    assert_int_equal(rc_db_info(store, &info, NULL), 0);
    other_process("runs list");
    for (int i = 0; i < 300; i++)
        add(store, &run);
    import_elsewhere();
    other_process("runs list");
    add(store, &run);
    rc_db_close(store);
    assert_int_equal(count_runs(), 303);
    store = store_open(RC_DB_READ);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, NULL), 0);
    assert_int_equal(faults, 0);
    rc_db_close(store);
}

static void writing_during_a_walk_fails_rather_than_hangs(void **state)
{
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run run = sample_run("x", 1, 1, 1), read;
    struct rc_run_cursor *cursor;
    struct rc_error error;

    (void)state;
    add(store, &run);
    add(store, &run);
    cursor = rc_db_run_find(store, NULL, 0, NULL);
    assert_int_equal(rc_db_run_next(cursor, &read, NULL), 1);
    import_elsewhere();
    assert_int_equal(rc_db_run_add(store, &run, NULL, &error), -1);
    assert_non_null(strstr(error.text, "close the cursor before writing"));
    assert_int_equal(rc_db_run_next(cursor, &read, NULL), 1);
    assert_int_equal(rc_db_run_next(cursor, &read, NULL), 0);
    assert_int_equal(rc_db_run_next(cursor, &read, NULL), 0);
    rc_db_run_cursor_close(cursor);
    assert_int_equal(add(store, &run), 4);
    rc_db_close(store);
}

static void a_held_store_does_not_change(void **state)
{
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_run run = sample_run("x", 1, 1, 1);
    struct rc_db_info info;
    struct rc_error error;
    uint64_t count;

    (void)state;
    add(store, &run);
    assert_int_equal(rc_db_hold(store, &error), 0);
    import_elsewhere();
    assert_int_equal(rc_db_info(store, &info, &error), 0);
    assert_int_equal(info.runs, 1);
    rc_db_run_count(store, NULL, &count, NULL);
    assert_int_equal(count, 1);
    assert_int_equal(rc_db_run_add(store, &run, NULL, &error), -1);
    rc_db_release(store);
    rc_db_run_count(store, NULL, &count, NULL);
    assert_int_equal(count, 2);
    rc_db_close(store);
}

static int always(void *data)
{
    (void)data;
    return 1;
}

static void a_monitor_stops_a_check(void **state)
{
    static const struct rc_monitor stop = {.cancelled = always};
    struct rc_db *store = store_open(RC_DB_CREATE);
    struct rc_error error;
    uint64_t faults;

    (void)state;
    assert_int_equal(rc_db_check(store, &stop, NULL, NULL, &faults, &error), -1);
    assert_non_null(strstr(error.text, "interrupted"));
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, &error), 0);
    rc_db_close(store);
}

struct fault_list {
    char text[2000];
};

static void keep_fault(void *data, const char *text)
{
    strncat(((struct fault_list *)data)->text, text, 200);
}

/* Each way to damage a store behind runcast's back is found, and named. */
static void damage_is_found(void **state)
{
    static const struct {
        const char *damage, *fault;
    } cases[] = {
        {"DROP INDEX run_by_app_platform", "index run_by_app_platform is missing"},
        {"UPDATE run SET import_id = 9", "belongs to import 9, which is missing"},
        {"UPDATE import SET rows = 5", "added 5 runs and 0 were deleted, but the database has 1"},
        {"UPDATE sequence SET next = 1", "not assigned yet"},
        {"UPDATE run SET params = 'x'", "not a JSON object"},
        {"UPDATE run SET params = '{\"k\": \"v\"}'", "parameter k of run 1 is not a number"},
        {"UPDATE run SET meta = '5'", "the metadata of run 1 are not a JSON object"},
        {"UPDATE run SET meta = '{\"k\": 5}'", "metadata k of run 1 is not text"},
        {"UPDATE run SET app_id = 77", "refers to a missing row of app"},
        {"UPDATE run SET seconds = 9e999", "infinite"},
        {"UPDATE series SET samples = 9", "counts 9 samples, but has 1"},
        {"UPDATE sample SET value = 9e999", "an infinite sample"},
        {"PRAGMA ignore_check_constraints = ON; UPDATE run SET p = 0", "CHECK constraint"},
    };
    static const struct rc_series_key key = {"a", "", "cpu"};
    static const struct rc_sample one = {1, 1};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_db *store = store_open(RC_DB_CREATE);
        struct rc_run run = sample_run("x", 1, 1, 1);
        struct fault_list faults = {""};
        uint64_t count;

        add(store, &run);
        rc_db_series_add(store, &key, &one, 1, 0, NULL, NULL);
        rc_db_close(store);
        sql("INSERT INTO import (digest, source, at, rows, skipped) VALUES ('d', 's', 0, 1, 0);"
            "UPDATE run SET import_id = 1");
        sql(cases[i].damage);
        store = store_open(RC_DB_READ);
        assert_int_equal(rc_db_check(store, NULL, keep_fault, &faults, &count, NULL), 0);
        if (count == 0 || !strstr(faults.text, cases[i].fault))
            fail_msg("%s: %d faults: %s", cases[i].damage, (int)count, faults.text);
        rc_db_close(store);
        remove_store(state);
    }
}

/* ---- formats ---- */

static void migrations_go_step_by_step(void **state)
{
    static const char *const steps[] = {
        "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)",
        "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1",
        "CREATE TABLE b AS SELECT y * 10 AS z FROM a",
    };
    static const struct rc_schema one = {steps, 1}, three = {steps, 3};
    sqlite3 *db;
    sqlite3_stmt *select;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(rc_db_schema_migrate(db, &one, 0, NULL), 0);
    assert_int_equal(rc_db_schema_migrate(db, &three, 1, NULL), 0);
    sqlite3_prepare_v2(db, "SELECT z, user_version FROM b, pragma_user_version", -1, &select, NULL);
    assert_int_equal(sqlite3_step(select), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(select, 0), 20);
    assert_int_equal(sqlite3_column_int(select, 1), 3);
    sqlite3_finalize(select);
    sqlite3_close(db);
}

static void a_migration_that_fails_leaves_the_store_as_it_was(void **state)
{
    static const char *const steps[] = {"CREATE TABLE a (x INTEGER)",
                                        "INSERT INTO a VALUES (1); INSERT INTO nowhere VALUES (1)"};
    static const struct rc_schema one = {steps, 1}, two = {steps, 2};
    struct rc_error error;
    sqlite3 *db;
    sqlite3_stmt *select;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(rc_db_schema_migrate(db, &one, 0, NULL), 0);
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    assert_int_equal(rc_db_schema_migrate(db, &two, 1, &error), -1);
    assert_non_null(strstr(error.text, "from format 1 to 2"));
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_prepare_v2(db, "SELECT (SELECT count(*) FROM a), user_version FROM pragma_user_version",
                       -1, &select, NULL);
    assert_int_equal(sqlite3_step(select), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(select, 0), 0);
    assert_int_equal(sqlite3_column_int(select, 1), 1);
    sqlite3_finalize(select);
    sqlite3_close(db);
}

/* tests/data/store-v1.db was written by the first version; see tests/data/README.md. */
static void a_store_of_the_first_version_opens(void **state)
{
    struct rc_db_info info;
    struct rc_db *store;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    uint64_t faults;
    char command[400];

    (void)state;
    snprintf(command, sizeof command, "cp %s/tests/data/store-v1.db %s", getenv("SOURCE_ROOT"),
             path);
    assert_int_equal(system(command), 0);
    store = store_open(RC_DB_READ);
    assert_int_equal(rc_db_info(store, &info, NULL), 0);
    assert_int_equal(info.format, rc_db_schema_current()->version);
    assert_int_equal(info.runs, 55);
    assert_int_equal(info.samples, 3);
    cursor = rc_db_run_find(store, NULL, RC_FIELD_ALL, NULL);
    assert_int_equal(rc_db_run_next(cursor, &run, NULL), 1);
    assert_string_equal(run.app, "relearn");
    assert_same(run.seconds, 406.498);
    rc_db_run_cursor_close(cursor);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, NULL), 0);
    assert_int_equal(faults, 0);
    rc_db_close(store);
}

/* A series may be too long to be read as a whole. */
static void the_last_of_a_series_is_found(void **state)
{
    struct rc_db *store = store_open(RC_DB_CREATE);
    const struct rc_series_key key = {"a", "", "cpu"}, none = {"b", "", "cpu"};
    const struct rc_sample samples[] = {{10, 1}, {20, 2}, {30, 3}, {40, 4}};
    double from;

    (void)state;
    assert_int_equal(rc_db_series_add(store, &key, samples, COUNT(samples), 0, NULL, NULL), 0);
    assert_int_equal(rc_db_series_last_begin(store, &key, INFINITY, 2, &from, NULL), 0);
    assert_same(from, 30);
    assert_int_equal(rc_db_series_last_begin(store, &key, 39, 2, &from, NULL), 0);
    assert_same(from, 20);
    assert_int_equal(rc_db_series_last_begin(store, &key, INFINITY, 4, &from, NULL), 0);
    assert_same(from, 10);
    assert_int_equal(rc_db_series_last_begin(store, &key, INFINITY, 5, &from, NULL), 0);
    assert_same(from, -INFINITY);
    assert_int_equal(rc_db_series_last_begin(store, &none, INFINITY, 5, &from, NULL), -1);
    rc_db_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, remove_store)
    const struct CMUnitTest tests[] = {
        TEST(a_run_comes_back_as_it_went_in),
        TEST(what_is_not_known_or_not_asked_for_stays_so),
        TEST(bad_runs_are_refused),
        TEST(filters_choose),
        TEST(deleted_numbers_are_not_given_again),
        TEST(series_take_samples_once),
        TEST(series_are_listed_and_deleted),
        TEST(files_that_are_no_store_are_refused),
        TEST(a_newer_store_is_refused),
        TEST(a_reader_cannot_write),
        TEST(several_handles_keep_one_another_s_locks),
        TEST(writing_during_a_walk_fails_rather_than_hangs),
        TEST(a_held_store_does_not_change),
        TEST(a_monitor_stops_a_check),
        TEST(damage_is_found),
        TEST(migrations_go_step_by_step),
        TEST(a_migration_that_fails_leaves_the_store_as_it_was),
        TEST(a_store_of_the_first_version_opens),
        TEST(the_last_of_a_series_is_found),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
