// SPDX-License-Identifier: GPL-3.0-or-later
/* measure.h - shared by the files of 'runcast model measure': measure.c has the command and its plan,
 * measure_make.c the measurements, measure_check.c checks of commands, measure_show.c the output. */
#ifndef RC_CMD_MODEL_MEASURE_H
#define RC_CMD_MODEL_MEASURE_H

#include "cmd/model/model.h"
#include "run/command_template.h"
#include "model/structural/measuring.h"

enum { RC_CMD_MICROBENCHMARK_PATH = 4096 };

struct rc_cmd_measure_options {
    struct rc_cmd_model_choice choice;
    const char *command, *microbenchmark, *inputs, *output, *forget, *time_source;
    int64_t repeat; /* 0: the default */
    bool again, dry_run, list, json;
};

/* What measurements need. */
struct rc_cmd_measuring {
    struct rc_measuring *plan;
    const char *command, *microbenchmark; /* with places; command NULL: none was given */
    bool only_shown;                      /* the command is an example, and is not run */
    int64_t repeats;
    bool timed; /* run times are those of the command, not what the program reports */
    struct rc_monitor monitor;
    char program[RC_CMD_MICROBENCHMARK_PATH]; /* the microbenchmark, for {program} */
};

/* All of one call. */
struct rc_cmd_measure {
    const struct rc_cmd_measure_options *options;
    struct rc_cmd_model_work *work;
    struct rc_cmd_work *progress;
    struct rc_measuring plan;
    struct rc_measuring_made made;
    struct rc_cmd_measuring making;
    const char *platform, *section; /* names in the database, and in the model */
    uint64_t runs, all_runs;        /* done, and planned */
};

/* ---- measure_check.c ---- */

/* Whether the commands have the places that they need, and no unknown ones; finds the microbenchmark
 * if a command has {program}. */
int rc_cmd_measuring_check(struct rc_cmd_measuring *measuring, struct rc_error *error);
/* Goes behind the bracket of the next place of a command, from `at` on, and gives its name; NULL where
 * there is none. */
const char *rc_cmd_measuring_next_place(const char *at, char name[RC_TEMPLATE_NAME_SIZE]);
/* The input without parameters of that name, whose number can stand in a command; or NULL. */
const struct rc_item *rc_cmd_measuring_find_input(const struct rc_cmd_measuring *measuring,
                                                  const char *name);
/* The names of the model's inputs that stand in a command (NULL: there is none), at most `room`. */
size_t rc_cmd_measuring_places(const struct rc_model *model, const char *command,
                               const char **names, size_t room);

/* ---- measure_make.c ---- */

/* The command of a job with its places filled in; `command` must outlive it. */
struct rc_template rc_cmd_measuring_template(const struct rc_cmd_measuring *measuring,
                                             const struct rc_measuring_command *command);

/* The command of a job as one line for a shell, to be freed; of a run of the program, it has been
 * prepared. */
char *rc_cmd_measuring_line(const struct rc_cmd_measuring *measuring, size_t job);

/* Makes the planned measurements, stores and shows the results. */
int rc_cmd_measure_make(struct rc_cmd_measure *measure);

/* ---- measure_show.c ---- */

enum { RC_CMD_MEASURE_TEXT = 160 };
/* Lists the jobs, without running them. */
int rc_cmd_measure_show_jobs(struct rc_cmd_measure *measure);
/* Shows what was measured, or what the database has. */
void rc_cmd_measure_show(const struct rc_cmd_measure *measure);
int rc_cmd_measure_list(const struct rc_cmd_measure *measure);
/* Notes on inputs that are measured again, and on repetitions that differ much. */
void rc_cmd_measure_note_again(const struct rc_cmd_measure *measure);
void rc_cmd_measure_note_spread(const struct rc_cmd_measure *measure);
int rc_cmd_measure_write_output(const struct rc_cmd_measure *measure);

#endif
