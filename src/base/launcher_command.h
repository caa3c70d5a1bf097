// SPDX-License-Identifier: BSD-2-Clause
/* launcher_command.h - the words by which a user's launcher (ssh, srun, anything) is called. */
#ifndef RC_BASE_LAUNCHER_COMMAND_H
#define RC_BASE_LAUNCHER_COMMAND_H

#include <stddef.h>

#include "runcast.h"

enum { RC_LAUNCHER_WORDS_MAX = 64, RC_LAUNCHER_TEXT_MAX = 1024 };

/* Not to be copied: the words point into it. */
struct rc_launcher_words {
    char text[RC_LAUNCHER_TEXT_MAX];
    const char *argv[RC_LAUNCHER_WORDS_MAX + 1]; /* ends with a NULL */
    size_t n;
};

/* The words of `launcher` between blanks (there is no shell), then rest[0 .. n_rest), which must
 * outlive them.  NULL as `launcher`: the rest alone; one without any word is an error. */
int rc_launcher_words_make(struct rc_launcher_words *words, const char *launcher,
                           const char *const *rest, size_t n_rest, struct rc_error *error);

#endif
