/* Running a program under observation, and keeping what was seen. */
#include "unit.h"

#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/buffer.h"
#include "run/memory_footprint.h"
#include "run/record.h"
#include "host/sense/task_cpu_times.h"

static char directory[] = "/tmp/runcast-record-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return !mkdtemp(directory) || chdir(directory);
}

static int remove_directory(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return chdir("/") || system(command);
}

/* ---- running ---- */

/* Runs a script for /bin/sh with these sensors. */
static void run_script(const char *script, const struct rc_sensors *sensors,
                       struct rc_outcome *outcome)
{
    char program[] = "/bin/sh", option[] = "-c", *text = strdup(script);
    char *words[] = {program, option, text, NULL};
    struct rc_runner runner;
    struct rc_error error = {0};
    int unused;

    assert_int_equal(rc_run_runner_begin(&runner, &error), 0);
    assert_int_equal(rc_run_runner_await(&runner, sensors, 5), 0);
    if (rc_run_runner_run(&runner, words, sensors, outcome, &unused, &error))
        fail_msg("%s", error.text);
    rc_run_runner_end(&runner);
    free(text);
}

static const struct rc_sensors none = {NULL, NULL};

static void statuses_are_reported(void **state)
{
    static const struct {
        const char *script;
        int exit, number;
        enum rc_run_status status;
    } cases[] = {
        {"exit 0", 0, 0, RC_RUN_OK},
        {"exit 7", 7, 0, RC_RUN_FAILED},
        {"kill -SEGV $$", 0, SIGSEGV, RC_RUN_FAILED},
        {"kill -KILL $$", 0, SIGKILL, RC_RUN_FAILED},
        {"kill -TERM $$", 0, SIGTERM, RC_RUN_INTERRUPTED},
        {"exit 130", 130, 0, RC_RUN_INTERRUPTED},
        {"exit 143", 143, 0, RC_RUN_INTERRUPTED},
        {"exit 255", 255, 0, RC_RUN_FAILED},
    };
    struct rc_outcome outcome;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        run_script(cases[i].script, &none, &outcome);
        if (cases[i].number)
            assert_true(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == cases[i].number);
        else
            assert_true(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == cases[i].exit);
        assert_int_equal(rc_run_outcome_status(&outcome), cases[i].status);
        assert_true(outcome.seconds > 0);
        assert_true(outcome.memory > 0);
    }
}

static void a_stopped_program_is_no_measure(void **state)
{
    struct rc_outcome outcome;

    (void)state;
    /* It stops itself, and a child of it lets it go on: this process has to follow both. */
    run_script("(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 0", &none, &outcome);
    assert_true(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0);
    assert_true(outcome.stopped);
    assert_int_equal(rc_run_outcome_status(&outcome), RC_RUN_FAILED);
}

static void signals_to_the_recorder_alone_are_passed_on_once(void **state)
{
    struct rc_outcome outcome;
    char script[200];

    (void)state;
    snprintf(script, sizeof script,
             "n=0; trap 'n=$((n + 1))' USR1; kill -USR1 %ld; i=0;"
             " while [ $i -lt 20 ]; do sleep 0.02; i=$((i + 1)); done; exit $n",
             (long)getpid());
    run_script(script, &none, &outcome);
    assert_int_equal(WEXITSTATUS(outcome.status), 1);
    assert_int_equal(outcome.asked_to_end, 0);
}

/* In a group of its own, as the test's would end by the signal. */
static void signals_to_the_group_come_once(void **state)
{
    struct rc_outcome outcome;
    pid_t pid = fork();
    int status;

    (void)state;
    if (pid == 0) {
        setpgid(0, 0);
        run_script("n=0; trap 'n=$((n + 1))' INT; kill -INT 0; i=0;"
                   " while [ $i -lt 20 ]; do sleep 0.02; i=$((i + 1)); done; exit $((10 + n))",
                   &none, &outcome);
        _exit(outcome.asked_to_end ? WEXITSTATUS(outcome.status) : 99);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 11);
}

static void failed_starts_are_reported(void **state)
{
    char missing[] = "/nonexistent/program", directory_name[] = "/tmp";
    char *words[] = {missing, NULL};
    struct rc_outcome outcome;
    struct rc_runner runner;
    struct rc_error error = {0};
    int code;

    (void)state;
    assert_int_equal(rc_run_runner_begin(&runner, &error), 0);
    assert_int_equal(rc_run_runner_run(&runner, words, &none, &outcome, &code, &error), -1);
    assert_int_equal(code, 127);
    assert_non_null(strstr(error.text, "/nonexistent/program"));
    words[0] = directory_name;
    assert_int_equal(rc_run_runner_run(&runner, words, &none, &outcome, &code, &error), -1);
    assert_int_equal(code, 126);
    rc_run_runner_end(&runner);
}

/* Ignored signals and the mask are the program's as they were ours. */
static void the_program_inherits_what_there_was(void **state)
{
    struct rc_outcome outcome;
    sigset_t one, before;

    (void)state;
    signal(SIGHUP, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    sigprocmask(SIG_BLOCK, &one, &before);
    /* SIGHUP is bit 0, SIGUSR2 bit 11, SIGCHLD bit 16; sh itself may reset SIGCHLD */
    run_script("s=$(sed -n 's/^SigBlk:[[:space:]]*0*//p' /proc/self/status);"
               "i=$(sed -n 's/^SigIgn:[[:space:]]*.*\\(.\\)$/\\1/p' /proc/self/status);"
               "[ \"$s\" = 800 ] || exit 3; case $i in [13579bdf]) exit 0;; esac; exit 4",
               &none, &outcome);
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), 0);
}

/* ---- sensors that make their samples up ---- */

struct made_up {
    struct rc_tracks *tracks;
    double next; /* monotonic time of the next sample, from 0 */
    int steps, finished;
};

static size_t no_fds(void *data, struct pollfd *fds, size_t most)
{
    (void)data, (void)fds, (void)most;
    return 0;
}

static double soon(void *data)
{
    (void)data;
    return 0.02;
}

static int make_up(void *data, double timeout, struct rc_error *error)
{
    struct made_up *made = data;
    const struct rc_sample a = {made->steps, 0.5}, b = {made->steps, made->steps % 2 ? 0.25 : 1};

    (void)timeout, (void)error;
    made->steps++;
    return rc_run_tracks_add(made->tracks, &(struct rc_series_key){"a", "", "cpu"}, &a) ||
           rc_run_tracks_add(made->tracks, &(struct rc_series_key){"b", "", "cpu"}, &b);
}

static bool is_ready(void *data)
{
    return ((struct made_up *)data)->steps >= 2;
}

static void note_end(void *data, double seconds)
{
    (void)seconds;
    ((struct made_up *)data)->finished++;
}

static void sensors_step_while_it_runs(void **state)
{
    static const struct rc_sensors_kind kind = {
        .fds = no_fds, .patience = soon, .step = make_up, .finish = note_end, .ready = is_ready};
    struct rc_tracks tracks = {0};
    struct made_up made = {.tracks = &tracks};
    const struct rc_sensors sensors = {&kind, &made};
    struct rc_outcome outcome;
    struct rc_series_load load;
    struct rc_error error;
    int before;

    (void)state;
    run_script("exit 0", &sensors, &outcome);
    before = made.steps;
    assert_true(before >= 2);
    run_script("sleep 0.3", &sensors, &outcome);
    assert_true(made.steps > before + 2);
    /* One host is always at 0.5, the other at 0.25 and 1 by turns, for a second each. */
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 0, 4, 1, &load, &error), 0);
    assert_near(load.minavg, 0.5, 1e-12);
    assert_near(load.avgmin, 0.375, 1e-12);
    assert_int_equal(rc_run_tracks_load(&tracks, "bandwidth", 0, 4, 1, &load, &error), 0);
    assert_true(isnan(load.minavg) && isnan(load.avgmin));
    rc_run_tracks_free(&tracks);
}

static bool is_never_ready(void *data)
{
    (void)data;
    return false;
}

static int do_nothing(void *data, double timeout, struct rc_error *error)
{
    (void)data, (void)timeout, (void)error;
    return 0;
}

/* In a group of its own, as the test's would stop, too. */
static void waiting_for_sensors_can_be_stopped_and_ended(void **state)
{
    static const struct rc_sensors_kind kind = {
        .fds = no_fds, .patience = soon, .step = do_nothing, .ready = is_never_ready};
    const struct rc_sensors sensors = {&kind, NULL};
    int ends[2], status;
    char byte = 0;
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        struct rc_runner runner;

        setpgid(0, 0);
        if (rc_run_runner_begin(&runner, NULL) || write(ends[1], &byte, 1) != 1)
            _exit(1);
        status = rc_run_runner_await(&runner, &sensors, 60);
        rc_run_runner_end(&runner);
        _exit(status);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    kill(pid, SIGTSTP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP);
    kill(pid, SIGCONT);
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == SIGTERM);
    close(ends[0]);
    close(ends[1]);
}

static void late_samples_do_not_cover_the_beginning(void **state)
{
    const struct rc_series_key a = {"a", "", "cpu"}, b = {"b", "", "cpu"};
    struct rc_tracks tracks = {0};
    struct rc_series_load load;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_run_tracks_add(&tracks, &a, &(struct rc_sample){0, 0.5}), 0);
    assert_int_equal(rc_run_tracks_add(&tracks, &b, &(struct rc_sample){4, 0.25}), 0);
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 0, 10, 10, &load, &error), 0);
    assert_near(load.avgmin, 0.25, 1e-12);
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 0, 6, 10, &load, &error), 0);
    assert_true(isnan(load.avgmin));
    /* out of order */
    assert_int_equal(rc_run_tracks_add(&tracks, &b, &(struct rc_sample){4, 0.3}), 0);
    assert_int_equal(rc_run_tracks_add(&tracks, &b, &(struct rc_sample){NAN, 0.3}), 0);
    assert_int_equal(tracks.dropped, 2);
    rc_run_tracks_free(&tracks);
}

static void early_samples_do_not_cover_the_end(void **state)
{
    const struct rc_series_key a = {"a", "", "cpu"};
    struct rc_tracks tracks = {0};
    struct rc_series_load load;
    struct rc_error error;

    (void)state;
    for (int t = 0; t <= 3; t++)
        assert_int_equal(rc_run_tracks_add(&tracks, &a, &(struct rc_sample){t, 0.5}), 0);
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 1, 20, 3, &load, &error), 0);
    assert_true(isnan(load.avgmin) && isnan(load.minavg)); /* it was lost early */
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 1, 5, 0.1, &load, &error), 0);
    assert_near(load.avgmin, 0.5, 1e-12); /* of the second half */
    assert_int_equal(rc_run_tracks_load(&tracks, "cpu", 3.2, 4, 3, &load, &error), 0);
    assert_near(load.avgmin, 0.5, 1e-12); /* shorter than the time between two samples */
    rc_run_tracks_free(&tracks);
}

/* ---- memory ---- */

static void proc_files_are_read(void **state)
{
    (void)state;
    assert_int_equal(rc_run_footprint_parent("12 (a) b) c) S 7 12 12 0"), 7);
    assert_int_equal(rc_run_footprint_parent("12 (sh) S"), -1);
    assert_int_equal(rc_run_footprint_parent("nonsense"), -1);
    assert_same(rc_run_footprint_bytes("Name:\tx\nVmHWM:\t    12 kB\nVmRSS:\t 8 kB\n", "VmHWM"),
                12288);
    assert_same(rc_run_footprint_bytes("Name:\tVmHWM: 3\n", "VmHWM"), NAN);
    assert_same(rc_run_footprint_bytes("", "VmHWM"), NAN);
}

static void memory_is_that_of_the_largest_process(void **state)
{
    const double wanted = 64 << 20;
    struct rc_outcome outcome;

    (void)state;
    /* A grandchild: what it has at its highest is 64 MiB and a little. */
    run_script("sh -c 'head -c 64M /dev/zero | tail -c 64M > /dev/null'; exit 0", &none, &outcome);
    assert_true(outcome.memory > wanted && outcome.memory < 3 * wanted);
}

static void written_bytes_are_counted(void **state)
{
    struct rc_outcome outcome;

    (void)state;
    run_script("dd if=/dev/zero of=file bs=64k count=16 conv=fsync 2> /dev/null", &none, &outcome);
    if (outcome.bytes_written == 0)
        skip(); /* a file system in memory */
    assert_true(outcome.bytes_written >= 1 << 20);
    assert_true(outcome.bytes_written < 4 << 20);
}

/* ---- the load without the run itself ---- */

/* A child of this name that waits until it is killed. */
static pid_t start_named(const char *name)
{
    int ends[2];
    char byte = 0;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_NAME, name);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (write(ends[1], &byte, 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static bool is_excluded(const struct rc_sense_tasks *tasks, pid_t pid)
{
    for (size_t i = 0; i < tasks->n; i++)
        if (tasks->items[i].pid == pid)
            return tasks->items[i].left_out;
    fail_msg("process %ld was not seen", (long)pid);
    return false;
}

static void sensors_ignore_the_run(void **state)
{
    struct rc_sense_tasks tasks;
    struct rc_error error = {0};
    pid_t older = start_named("observed"), newer, other, cut, numbered;
    char names[100];

    (void)state;
    numbered = start_named("numbered");
    usleep(30000); /* the kernel counts in ticks */
    assert_int_equal(rc_sense_tasks_begin(&tasks, NULL, &error), 0);
    snprintf(names, sizeof names, "x,observed,a-very-long-name-of-a-program,%ld", (long)numbered);
    tasks.exclude = names;
    newer = start_named("observed");
    other = start_named("observe");
    cut = start_named("a-very-long-nam");
    assert_int_equal(rc_sense_tasks_look(&tasks, 1, -1, NAN, NULL, 0, &error), 0);
    assert_true(is_excluded(&tasks, newer));
    assert_true(is_excluded(&tasks, cut));
    assert_true(is_excluded(&tasks, numbered));
    assert_false(is_excluded(&tasks, other));
    assert_false(is_excluded(&tasks, older)); /* somebody else's, of the same name */
    rc_sense_tasks_end(&tasks);
    for (size_t i = 0; i < 5; i++) {
        pid_t pid = (pid_t[]){older, newer, other, cut, numbered}[i];

        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

/* ---- records ---- */

static const struct rc_param two_params[] = {{"steps", 100}, {"eps", 1e-9}};

static void make_record(struct rc_record *record)
{
    const struct rc_outcome outcome = {.status = 0,
                                       .start = 1000,
                                       .seconds = 10,
                                       .memory = 4096,
                                       .bytes_read = 512,
                                       .bytes_written = 1024};
    struct rc_error error = {0};

    rc_run_record_init(record);
    record->run.app = "an \"app\"";
    record->run.platform = "alpha";
    record->run.hosts = "a[1-2]";
    record->run.n = 0.1;
    record->run.p = 4;
    record->run.params = two_params;
    record->run.n_params = 2;
    for (int i = 0; i < 12; i++) {
        const struct rc_sample a = {999 + i, 1.0 / 3}, b = {999.5 + i, i % 2};

        rc_run_tracks_add(&record->tracks, &(struct rc_series_key){"a1", "", "cpu"}, &a);
        rc_run_tracks_add(&record->tracks, &(struct rc_series_key){"a2", "", "cpu"}, &b);
        rc_run_tracks_add(&record->tracks, &(struct rc_series_key){"a1", "a2", "bandwidth"}, &a);
    }
    assert_int_equal(rc_run_record_fill(record, &outcome, true,
                                        &(struct rc_record_sources){2, 1, 1, 60}, &error),
                     0);
}

static void a_record_has_the_load_of_all_hosts_or_none(void **state)
{
    const struct rc_outcome outcome = {.status = 0, .start = 1000, .seconds = 10, .memory = 4096};
    struct rc_error error = {0};
    struct rc_record record;

    (void)state;
    make_record(&record);
    assert_near(record.run.cpu_minavg, 1.0 / 3, 1e-12);
    assert_near(record.run.cpu_avgmin, 1.0 / 6, 1e-12);
    assert_near(record.run.bw_minavg, 1.0 / 3, 1e-12);
    /* A third host said nothing; and nothing ran here. */
    record.run.memory = NAN;
    assert_int_equal(rc_run_record_fill(&record, &outcome, false,
                                        &(struct rc_record_sources){3, 2, 1, 60}, &error),
                     0);
    assert_true(isnan(record.run.cpu_minavg) && isnan(record.run.bw_avgmin));
    assert_true(isnan(record.run.memory));
    rc_run_record_free(&record);
}

static void a_record_survives_as_a_file(void **state)
{
    struct rc_buffer text = RC_BUFFER_INIT(1 << 20);
    struct rc_record record, back;
    struct rc_error error = {0};
    glob_t left;

    (void)state;
    make_record(&record);
    assert_int_equal(rc_run_record_write(&record, "one.json", &error), 0);
    assert_int_equal(rc_run_record_write(&record, "one.json", &error),
                     -1); /* nothing is overwritten */
    assert_int_equal(glob("*.part", 0, NULL, &left), GLOB_NOMATCH);
    assert_true(rc_run_record_is_file("one.json"));
    assert_int_equal(rc_buffer_read_file(&text, "one.json", &error), 0);
    if (rc_run_record_parse(&back, text.data, text.length, "one.json", &error))
        fail_msg("%s", error.text);
    assert_string_equal(back.run.app, record.run.app);
    assert_string_equal(back.run.hosts, "a[1-2]");
    assert_same(back.run.n, 0.1);
    assert_same(back.run.cpu_avgmin, record.run.cpu_avgmin);
    assert_int_equal(back.run.n_params, 2);
    assert_same(back.run.params[1].value, 1e-9);
    assert_int_equal(back.tracks.n, 3);
    assert_int_equal(back.tracks.samples, record.tracks.samples);
    assert_same(back.tracks.items[0].samples[3].value, 1.0 / 3);
    rc_buffer_free(&text);
    rc_run_record_free(&back);
    rc_run_record_free(&record);
}

static void bad_files_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"runcast_record\": 2}",
        "{\"runcast_record\": 1}",
        "{\"runcast_record\": 1, \"run\": {\"app\": \"x\", \"n\": 1, \"seconds\": 1}}",
        "{\"runcast_record\": 1, \"run\": {\"app\": \"x\", \"n\": 1, \"p\": 1, \"seconds\": 1,"
        " \"status\": \"fine\"}}",
        "{\"runcast_record\": 1, \"run\": {\"app\": \"x\", \"n\": 1, \"p\": 1, \"seconds\": 1,"
        " \"status\": \"ok\"}, \"series\": [{\"host\": \"a\", \"metric\": \"cpu\","
        " \"samples\": [[2, 1], [1, 1]]}]}",
        "{\"runcast_record\": 1, \"run\": {\"app\": \"x\", \"n\": 1, \"p\": 1, \"seconds\": 1,"
        " \"status\": \"ok\"}, \"series\": [{\"host\": \"a\", \"metric\": \"cpu\","
        " \"samples\": [[2, 1, 3]]}]}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rc_record record;
        struct rc_error error = {0};

        if (rc_run_record_parse(&record, texts[i], strlen(texts[i]), "f", &error) == 0 ||
            !error.text[0])
            fail_msg("%s was taken", texts[i]);
        rc_run_record_free(&record);
    }
}

static void a_record_is_stored_and_imported_once(void **state)
{
    struct rc_db_run_import import = {0};
    struct rc_db_info info;
    struct rc_record record;
    struct rc_error error = {0};
    struct rc_db *store = rc_db_open("store.db", RC_DB_CREATE, NULL, &error);
    int64_t id;

    (void)state;
    assert_non_null(store);
    make_record(&record);
    assert_int_equal(rc_run_record_store(store, &record, &id, &error), 0);
    assert_int_equal(id, 1);
    assert_int_equal(rc_db_info(store, &info, &error), 0);
    assert_int_equal(info.runs, 1);
    assert_int_equal(info.samples, 36);
    assert_int_equal(rc_run_record_write(&record, "two.json", &error), 0);
    if (rc_run_record_import(store, "two.json", &import, &error))
        fail_msg("%s", error.text);
    assert_int_equal(import.added, 1);
    assert_int_equal(rc_run_record_import(store, "two.json", &import, &error), 0);
    assert_int_equal(import.known, 1);
    assert_int_equal(import.added, 0);
    assert_int_equal(rc_db_info(store, &info, &error), 0);
    assert_int_equal(info.runs, 2);
    assert_int_equal(info.samples, 36);
    /* All or nothing. */
    record.run.p = 0;
    assert_int_equal(rc_run_record_store(store, &record, &id, &error), -1);
    rc_run_record_free(&record);
    rc_db_close(store);
}

static void a_record_is_saved_where_there_is_room(void **state)
{
    const char *const directories[] = {"/nonexistent", "/proc", ".", NULL};
    const char *const nowhere[] = {"/proc", NULL};
    struct rc_record record;
    struct rc_error error = {0};
    char path[300];

    (void)state;
    make_record(&record);
    record.run.app = "../an app";
    assert_int_equal(rc_run_record_save(&record, directories, path, sizeof path, &error), 0);
    assert_int_equal(strncmp(path, "./runcast-record-_._an_app-19700101T001640Z-", 44), 0);
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(rc_run_record_save(&record, nowhere, path, sizeof path, &error), -1);
    assert_true(error.text[0]);
    rc_run_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_are_reported),
        cmocka_unit_test(a_stopped_program_is_no_measure),
        cmocka_unit_test(signals_to_the_recorder_alone_are_passed_on_once),
        cmocka_unit_test(signals_to_the_group_come_once),
        cmocka_unit_test(failed_starts_are_reported),
        cmocka_unit_test(the_program_inherits_what_there_was),
        cmocka_unit_test(sensors_step_while_it_runs),
        cmocka_unit_test(waiting_for_sensors_can_be_stopped_and_ended),
        cmocka_unit_test(late_samples_do_not_cover_the_beginning),
        cmocka_unit_test(early_samples_do_not_cover_the_end),
        cmocka_unit_test(proc_files_are_read),
        cmocka_unit_test(memory_is_that_of_the_largest_process),
        cmocka_unit_test(written_bytes_are_counted),
        cmocka_unit_test(sensors_ignore_the_run),
        cmocka_unit_test(a_record_has_the_load_of_all_hosts_or_none),
        cmocka_unit_test(a_record_survives_as_a_file),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_record_is_stored_and_imported_once),
        cmocka_unit_test(a_record_is_saved_where_there_is_room),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
