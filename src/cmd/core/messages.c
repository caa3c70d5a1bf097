// SPDX-License-Identifier: GPL-3.0-or-later
/* messages.c - what the code of commands leans on. */
#include "cmd/core/command.h"
#include "cmd/core/hints.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/process.h"
#include "base/terminal.h"
#include "base/text.h"

/* Texts may quote a user's file: what could play tricks with the terminal is shown as '?'. */
static void put_clean(const char *text)
{
    char copy[1024];

    snprintf(copy, sizeof copy, "%s", text);
    rc_text_clean(copy, strlen(copy));
    fputs(copy, stderr);
}

static void put_place(const struct rc_error *error)
{
    if (!error->file[0])
        return;
    put_clean(error->file);
    if (error->line)
        fprintf(stderr, ":%u", error->line);
    if (error->line && error->column)
        fprintf(stderr, ":%u", error->column);
    fputs(": ", stderr);
}

static void put_error(const char *doing, const struct rc_error *error)
{
    char text[RC_HINT_SIZE], hint[RC_HINT_SIZE];

    rc_cmd_hint(error, hint);
    fflush(stdout);
    fputs("runcast: ", stderr);
    put_clean(doing);
    fputs(": ", stderr);
    put_place(error);
    put_clean(rc_cmd_error_text(error, text));
    fputc('\n', stderr);
    if (hint[0]) {
        fputs("hint: ", stderr);
        put_clean(hint);
        fputc('\n', stderr);
    }
}

int rc_cmd_fail(const struct rc_error *error, const char *doing, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, doing);
    vsnprintf(text, sizeof text, doing, arguments);
    va_end(arguments);
    put_error(text, error);
    return RC_EXIT_FAILED;
}

int rc_cmd_usage(const struct rc_invocation *invocation, const struct rc_error *error)
{
    struct rc_error with_hint = *error;
    char hint[RC_HINT_SIZE];

    if (!rc_cmd_hint(error, hint))
        rc_error_hint(&with_hint, "see 'runcast %s%s--help'", invocation->path,
                      invocation->path[0] ? " " : "");
    put_error(invocation->path[0] ? invocation->path : "command line", &with_hint);
    return RC_EXIT_USAGE;
}

int rc_cmd_usage_text(const struct rc_invocation *invocation, const char *format, ...)
{
    struct rc_error error = {0};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    return rc_cmd_usage(invocation, &error);
}

/* All that was noted so far.  A program is one command, and its notes are in one list. */
static json_t *noted;

static void keep_note(const char *text)
{
    if (!noted)
        noted = json_array();
    json_array_append_new(noted, rc_json_text(text));
}

void rc_cmd_note(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("note: ", stderr);
    put_clean(text);
    fputc('\n', stderr);
    keep_note(text);
}

void rc_cmd_note_error(const struct rc_error *error)
{
    char text[RC_HINT_SIZE];

    fputs("note: ", stderr);
    put_place(error);
    put_clean(rc_cmd_error_text(error, text));
    fputc('\n', stderr);
    keep_note(text);
}

void rc_cmd_print_json(json_t *answer)
{
    rc_json_write(stdout, answer, true);
    json_decref(answer);
}

json_t *rc_cmd_notes_json(void)
{
    return noted ? json_copy(noted) : json_array();
}

bool rc_cmd_confirm(const char *question, ...)
{
    char answer[16] = "";
    va_list arguments;

    if (!isatty(STDIN_FILENO))
        return true;
    va_start(arguments, question);
    vfprintf(stderr, question, arguments);
    va_end(arguments);
    fputs(" [y/N] ", stderr);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* ---- long work ---- */

static volatile sig_atomic_t caught;
static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signal(int number)
{
    caught = number;
}

int rc_cmd_interrupted(void)
{
    return caught;
}

void rc_cmd_take_interrupt(void)
{
    if (caught == SIGINT)
        caught = 0;
}

static void show_advance(void *data, uint64_t done, uint64_t total)
{
    rc_progress_update(data, done, total);
}

static void show_waiting(void *data, double seconds)
{
    rc_progress_say(data, "another process is writing to the store; waiting for %.0f s so far",
                    seconds);
}

static int is_cancelled(void *data)
{
    (void)data;
    return caught != 0;
}

void rc_cmd_work_begin(struct rc_cmd_work *work, const char *label)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    rc_progress_begin(&work->progress, stderr, rc_clock_system(), label);
    work->monitor = (struct rc_monitor){show_advance, show_waiting, is_cancelled, &work->progress};
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        /* What nohup or a script ignores stays ignored; a second Ctrl-C ends at once. */
        if (sigaction(stop_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stop_signals[i], &action, NULL);
}

void rc_cmd_work_end(struct rc_cmd_work *work)
{
    struct sigaction current;

    rc_progress_end(&work->progress);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++)
        if (sigaction(stop_signals[i], NULL, &current) == 0 && current.sa_handler == catch_signal)
            signal(stop_signals[i], SIG_DFL);
}

/* ---- the store ---- */

/* Makes the directories above `path`. */
static int make_parents(char *path, struct rc_error *error)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST) {
            rc_error_errno(error, errno, "cannot make the directory %s", path);
            *slash = '/';
            return rc_error_hint(error, "name another store with --db FILE or RUNCAST_DB");
        }
        *slash = '/';
    }
    return 0;
}

int rc_cmd_db_path(const char *db, char *path, size_t size, struct rc_error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length;

    if (!db)
        db = getenv("RUNCAST_DB");
    if (db && *db)
        length = snprintf(path, size, "%s", db);
    else if (data && *data == '/')
        length = snprintf(path, size, "%s/runcast/runcast.db", data);
    else if (home && *home)
        length = snprintf(path, size, "%s/.local/share/runcast/runcast.db", home);
    else {
        rc_error_set(error, "no HOME directory to keep the store in");
        return rc_error_hint(error, "name a store with --db FILE or RUNCAST_DB");
    }
    return length < 0 || (size_t)length >= size ? rc_error_set(error, "the path is too long") : 0;
}

struct rc_db *rc_cmd_try_db(const char *db, enum rc_db_mode mode, const struct rc_monitor *monitor,
                            char *path, size_t size, struct rc_error *error)
{
    const char *named = db ? db : getenv("RUNCAST_DB");

    if (size > 0)
        path[0] = '\0';
    if (rc_cmd_db_path(db, path, size, error) ||
        /* A path that the user typed may be mistyped: only the default's directories are made. */
        (mode == RC_DB_CREATE && !(named && *named) && make_parents(path, error)))
        return NULL;
    return rc_db_open(path, mode, monitor, error);
}

struct rc_db *rc_cmd_open_db(const char *db, enum rc_db_mode mode, struct rc_cmd_work *work)
{
    char path[4096] = "";
    struct rc_error error;
    struct rc_db *store =
        rc_cmd_try_db(db, mode, work ? &work->monitor : NULL, path, sizeof path, &error);

    if (!store)
        rc_cmd_fail(&error, "opening the store%s%s", *path ? " " : "", path);
    return store;
}

size_t rc_cmd_width(void)
{
    return rc_terminal_width(stdout);
}

/* ---- programs of the user's ---- */

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

int rc_cmd_end_by(int number)
{
    const struct rlimit none = {0, 0};
    sigset_t one;

    setrlimit(RLIMIT_CORE, &none); /* the program's core is the one of interest */
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    return 128 + number;
}

int rc_cmd_check_program(const char *name)
{
    char path[4096];
    struct rc_error error = {0};
    int number;

    if (rc_process_find(name, path, sizeof path) == 0)
        return 0;
    number = strchr(name, '/') && access(name, F_OK) == 0 ? EACCES : ENOENT;
    rc_error_errno(&error, number, "cannot start '%.200s'", name);
    rc_cmd_fail(&error, "running the program");
    return number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}
