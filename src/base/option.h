// SPDX-License-Identifier: BSD-2-Clause
/* option.h - options as tables, which feed the parser, --help, the completion and the man pages. */
#ifndef RC_BASE_OPTION_H
#define RC_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/unit.h"
#include "runcast.h"

/* What an option takes, and the type of the member at its offset. */
enum rc_option_kind {
    RC_OPTION_FLAG,     /* nothing; bool */
    RC_OPTION_TEXT,     /* any text; const char * */
    RC_OPTION_FILE,     /* the same, completed as a file name */
    RC_OPTION_LIST,     /* any text, given as often as wanted; struct rc_option_list */
    RC_OPTION_CHOICE,   /* one of `choices`; const char *, one of them */
    RC_OPTION_INTEGER,  /* a whole number >= `least`, and <= `most` unless that is 0; int64_t */
    RC_OPTION_QUANTITY, /* a quantity of `dimension`; double */
    RC_OPTION_RANGE,    /* A, A..B, A.. or ..B of `dimension`; struct rc_range */
    RC_OPTION_TIME,     /* a point in time; double */
    RC_OPTION_SINCE     /* a point in time, or how long ago; double */
};

/* Texts of an option that may be given several times, in their order. */
enum { RC_OPTION_LIST_MAX = 200 };
struct rc_option_list {
    const char *items[RC_OPTION_LIST_MAX];
    size_t n;
};

struct rc_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* the short form; 0: none */
    enum rc_option_kind kind;
    const char *argument; /* as help names it; NULL for a flag */
    const char *help;     /* one sentence, without a full stop */
    size_t offset;        /* of the member in the struct that is filled in */
    const char *const *choices;
    enum rc_dimension dimension;
    int64_t least, most;
};

/* Kind and place of an option, to begin its entry in a table with. */
#define RC_OPTION_OF(type, kind_, member)                                                          \
    .kind = RC_OPTION_##kind_, .offset = offsetof(type, member)

/* Reads options and arguments in any order ("--" ends the options, "-" is an argument; one dash is
 * enough before the whole name of an option) into `values`, which has the defaults. The arguments
 * are moved to the front of `argv`, in order, followed by a NULL, and counted in `*n_arguments`.
 * "7d" means that long before `now`. `command_at`: the argument of that number, from 1, begins a
 * command with its own options. Options are then not read after the argument before it, unless "--"
 * separates them from the command. 0: no command. */
int rc_option_parse(const struct rc_option *table, void *values, int argc, char **argv,
                    int command_at, int *n_arguments, double now, struct rc_error *error);

/* Writes the table as help text, within `width` columns. */
void rc_option_help(const struct rc_option *table, FILE *out, size_t width);

/* Writes `text` between `indent` and `width`, broken at spaces. Blank lines and line ends in it
 * stay, and so do lines that start with a space. The first line starts at the cursor. */
void rc_option_wrap(FILE *out, const char *text, size_t indent, size_t width);

#endif
