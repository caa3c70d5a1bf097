// SPDX-License-Identifier: GPL-3.0-or-later
/* command.h - commands, and functions for their code.
 *
 * Only src/cmd talks to the user. A command reads its options, calls the library, and shows the
 * result; it does no mathematics. */
#ifndef RC_CMD_CORE_COMMAND_H
#define RC_CMD_CORE_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/option.h"
#include "base/progress.h"
#include "runcast.h"

enum { RC_EXIT_OK = 0, RC_EXIT_FAILED = 1, RC_EXIT_USAGE = 2 };

struct rc_invocation;
struct rc_field;

enum { RC_ANSWERS_MAX = 3, RC_VARIANTS_MAX = 2 };

/* Another document of a command, and the option with which it writes it: with "phases" of fit, the
 * schema runcast.fit.phases/1. */
struct rc_command_variant {
    const char *option; /* NULL: none */
    const struct rc_field *answer;
};

/* A verb, or a verb of a verb.  One const struct each. */
struct rc_command {
    const char *name;
    const char *summary;                 /* one line, without a full stop */
    const char *arguments;               /* as usage shows them: "FILE.csv|-"; NULL: none */
    const char *details;                 /* paragraphs for --help and the man page; NULL: none */
    const char *examples;                /* lines "command # purpose"; NULL: none */
    int least_arguments, most_arguments; /* most < 0: any number */
    int command_at;                      /* the argument, from 1, with which a command of the
                                            user's begins, with its own options; 0: none does */
    const struct rc_option *options;     /* --help is added to every command */
    size_t options_size;                 /* of the struct that `options` fill in */
    const void *defaults;                /* of that size; NULL: all zero */
    const struct rc_field *answers[RC_ANSWERS_MAX]; /* what a document of --json can be, for its
                                                       JSON Schema; up to a NULL */
    const struct rc_field *rows; /* of documents that are one list: the objects of `rows_key` */
    const char *rows_key;
    struct rc_command_variant variants[RC_VARIANTS_MAX];
    int (*run)(struct rc_invocation *invocation); /* returns the exit status */
    /* Verbs of this verb, up to a NULL.  If it also has `run`, that is called if an option or "--"
     * comes first; otherwise, nothing from `arguments` on is used. */
    const struct rc_command *const *children;
};

/* One call of a command. */
struct rc_invocation {
    const struct rc_command *command;
    char path[64];       /* "import" */
    const void *options; /* the struct that the command's options fill in */
    char **arguments;
    int n_arguments;
};

/* What the user can call, in groups by purpose; ends with a NULL title.  In main.c. */
struct rc_command_group {
    const char *title;
    const struct rc_command *const *commands; /* up to a NULL */
};
extern const struct rc_command_group rc_command_groups[];

/* Help texts; in help.c.  Of the program: the core commands with an example, or all commands.  Shell
 * completion is in completion.c. */
void rc_cmd_help_core(FILE *out);
void rc_cmd_help_program(FILE *out);
void rc_cmd_help_command(FILE *out, const struct rc_command *command, const char *path);
extern const struct rc_command rc_command_help;
extern const struct rc_command rc_command_completion;

/* Finds a verb at the top level, or NULL. */
const struct rc_command *rc_cmd_command_find(const char *name);

/* ---- for the code of commands ---- */

/* Options that many commands share; `type` is the command's options struct. */
#define RC_OPTION_DB(type)                                                                         \
    {                                                                                              \
        .name = "db", .kind = RC_OPTION_FILE, .argument = "FILE",                                  \
        .help = "database file (default: $RUNCAST_DB, then "                                       \
                "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)",      \
        .offset = offsetof(type, db)                                                               \
    }
/* An option in the member of that name of an options struct `type`; `argument` is NULL for a flag.
 * The second one has a further member of struct rc_option: `.dimension = RC_SECONDS`. */
#define RC_CMD_OPTION_WITH(type, member, kind_, name_, argument_, help_, further)                  \
    {                                                                                              \
        .name = name_, .kind = RC_OPTION_##kind_, .argument = argument_, .help = help_,            \
        .offset = offsetof(type, member), further                                                  \
    }
#define RC_CMD_OPTION(type, member, kind_, name_, argument_, help_)                                \
    RC_CMD_OPTION_WITH(type, member, kind_, name_, argument_, help_, .least = 0)
#define RC_OPTION_JSON(type)                                                                       \
    {                                                                                              \
        .name = "json", .letter = 'j', .kind = RC_OPTION_FLAG, .help = "write JSON",               \
        .offset = offsetof(type, json)                                                             \
    }
#define RC_OPTIONS_END                                                                             \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* ---- in messages.c ---- */

/* Reports on standard error that `doing` failed, the reason and a hint; returns RC_EXIT_FAILED. */
int rc_cmd_fail(const struct rc_error *error, const char *doing, ...) RC_PRINTF(2, 3);
/* The same for a wrong call; returns RC_EXIT_USAGE. */
int rc_cmd_usage(const struct rc_invocation *invocation, const struct rc_error *error);
/* A wrong call that only this text describes. */
int rc_cmd_usage_text(const struct rc_invocation *invocation, const char *format, ...)
    RC_PRINTF(2, 3);
/* If `error` has a place in `text`, shows that line on standard error, or a part of it, with a
 * caret under the place. */
void rc_cmd_show_caret(const char *text, const struct rc_error *error);
/* A note on standard error. */
void rc_cmd_note(const char *format, ...) RC_PRINTF(1, 2);
/* The same for an error in an input that the work could skip. */
void rc_cmd_note_error(const struct rc_error *error);
/* All notes so far, as a list of texts for JSON: call it after the last one. */
json_t *rc_cmd_notes_json(void);
/* An answer, a JSON object, with the command's schema as its first member; takes over `answer`. */
json_t *rc_cmd_document(json_t *answer);
/* Writes such a document to standard output, indented, and frees it. */
void rc_cmd_print_json(json_t *answer);
/* The name of the schema of the command's JSON documents: "runcast.scale.predict/1". */
const char *rc_cmd_schema(void);
/* Sets it; `path` is that of the command: "scale predict". */
void rc_cmd_set_schema(const char *path);

/* Asks on a terminal; without one, returns true. */
bool rc_cmd_confirm(const char *question, ...) RC_PRINTF(1, 2);
/* Width for text on standard output: the terminal's, or 0. */
size_t rc_cmd_width(void);

/* ---- in interruptible_work.c ---- */

/* Long work: a progress bar, and Ctrl-C. Between begin and end, SIGINT, SIGTERM and SIGHUP stop the
 * work at the next safe point. rc_cmd_work_end() removes the bar; the program then ends by the
 * signal, if there was one, once the caller has cleaned up and returned to main(). */
struct rc_cmd_work {
    struct rc_progress progress;
    struct rc_monitor monitor; /* hand this to the library */
};
void rc_cmd_work_begin(struct rc_cmd_work *work, const char *label);
void rc_cmd_work_end(struct rc_cmd_work *work);
/* The signal that stopped the work; 0: none. */
int rc_cmd_interrupted(void);
/* After the work: if Ctrl-C is a normal end of it, a SIGINT is dropped, and the program ends with
 * its own status. Other signals still end it. */
void rc_cmd_take_interrupt(void);

/* ---- in open_db.c ---- */

/* Opens the database of --db, $RUNCAST_DB or the default; reports a failure and returns NULL.
 * `work` may be NULL. */
struct rc_db *rc_cmd_open_db(const char *db, enum rc_db_mode mode, struct rc_cmd_work *work);
/* The same without a message: the reason is in `error`, and the path in `path`, as far as it is
 * known. `monitor` may be NULL, and must outlive the database. */
struct rc_db *rc_cmd_try_db(const char *db, enum rc_db_mode mode, const struct rc_monitor *monitor,
                            char *path, size_t size, struct rc_error *error);
/* Its path, in `path`; -1 with `error` if there is none. */
int rc_cmd_db_path(const char *db, char *path, size_t size, struct rc_error *error);

/* ---- in user_program.c ---- */

/* Whether the program exists; otherwise reports that, and returns the exit status that a shell
 * would. */
int rc_cmd_check_program(const char *name);
/* Ends by a signal, as the program that this one ran, so that the parent sees the same end. If it
 * returns, the result is the exit status. */
int rc_cmd_end_by(int number);

#endif
