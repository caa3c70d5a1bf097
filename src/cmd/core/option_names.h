// SPDX-License-Identifier: GPL-3.0-or-later
/* option_names.h - the names of all options: one name has one meaning in every command.
 *
 * The table of a command (struct rc_option) may add text after the meaning, such as the default,
 * and alternatives after the argument, such as "P|A..B" for "P". tests/cli/options.sh compares all
 * tables with this list. */
#ifndef RC_CMD_CORE_OPTION_NAMES_H
#define RC_CMD_CORE_OPTION_NAMES_H

#include <jansson.h>

struct rc_cmd_option_name {
    const char *name;
    char letter;          /* the short form; 0: none */
    const char *argument; /* NULL: a flag */
    const char *meaning;  /* a phrase with which each help text of the option begins */
};

/* Sorted by name; ends with a NULL name. */
extern const struct rc_cmd_option_name rc_cmd_option_names[];

/* The list, for checks of the tables of options.  The caller owns it. */
json_t *rc_cmd_option_names_json(void);

#endif
