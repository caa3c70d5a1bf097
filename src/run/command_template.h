// SPDX-License-Identifier: GPL-3.0-or-later
/* command_template.h - a command of the user with placeholders, such as {p} and {hosts}, that are
 * filled in for each run. */
#ifndef RC_RUN_COMMAND_TEMPLATE_H
#define RC_RUN_COMMAND_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "runcast.h"

enum { RC_TEMPLATE_NAME_SIZE = 128 }; /* bytes of a name in braces, with the NUL */

struct rc_template {
    const char *source; /* where the text comes from; begins the errors */
    const char *text;
    /* Appends the value of {name}: 1; 0 where the name is unknown, so that the text stays as it is;
     * -1 where memory runs out. */
    int (*put)(const void *data, const char *name, struct rc_buffer *out);
    const void *data;
    const char *const *several; /* names, up to a NULL, whose value becomes several words where the
                                   placeholder is a word of its own; NULL: none */
};

/* Copies the name of the placeholder that `text` begins with, such as "{rows}", and returns its
 * length with the braces; 0 where there is none: other braces are the command's own. */
size_t rc_run_template_name(const char *text, char name[RC_TEMPLATE_NAME_SIZE]);
/* Whether the text has the placeholder {name}. */
bool rc_run_template_has(const char *text, const char *name);

/* The words of the command, up to a NULL, with quotes as a shell has them; to be freed with
 * rc_run_words_free().  NULL, with the error, where a quote does not end or there is no word. */
char **rc_run_template_words(const struct rc_template *template, struct rc_error *error);
void rc_run_words_free(char **words);
/* A hash of the words of a template, which does not depend on the blanks between them. */
uint32_t rc_run_template_number(const char *text);
/* The command as one line, quoted for a shell; to be freed.  NULL, with the error, as above. */
char *rc_run_template_line(const struct rc_template *template, struct rc_error *error);

#endif
