// SPDX-License-Identifier: GPL-3.0-or-later
/* template.h - a command of the user with places in it, such as {p} and {hosts}, that are filled in
 * for each run; and what programs say of themselves. */
#ifndef RC_CMD_CORE_TEMPLATE_H
#define RC_CMD_CORE_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "runcast.h"

enum { RC_CMD_PLACE_SIZE = 128 }; /* bytes of a name in braces, with the NUL */

struct rc_cmd_template {
    const char *option; /* that it comes from, for errors: "--command" */
    const char *text;
    /* Adds what {name} stands for: 1; 0 where it is none of ours, and stays as it is; -1 where
     * memory runs out. */
    int (*put)(const void *data, const char *name, struct rc_buffer *out);
    const void *data;
    const char *const *several; /* names, up to a NULL, that become several words where they stand
                                   alone; NULL: none */
};

/* The name in braces that begins at `text`, such as "{rows}", and how long it is with them; 0 where
 * there is none: other braces are the command's own. */
size_t rc_cmd_template_name(const char *text, char name[RC_CMD_PLACE_SIZE]);
/* Whether there is a {name}. */
bool rc_cmd_template_has(const char *text, const char *name);

/* The words of the command, up to a NULL, with quotes as a shell has them; to be freed with
 * rc_cmd_words_free().  NULL, with the error, where a quote does not end or there is no word. */
char **rc_cmd_template_words(const struct rc_cmd_template *template, struct rc_error *error);
void rc_cmd_words_free(char **words);
/* A number by which the words of a template are known again, whatever blanks are between them. */
uint32_t rc_cmd_template_number(const char *text);
/* The command as one line that a shell reads back, to be freed; NULL on failure. */
char *rc_cmd_template_line(const struct rc_cmd_template *template, struct rc_error *error);

/* The last JSON object in `text` with a member of that name, to be released; NULL where there is
 * none. */
json_t *rc_cmd_told_object(const char *text, size_t length, const char *member);
/* What a program says of itself: the last JSON object in `text` with a member "seconds" that is a
 * number above 0; `*memory` is NAN where that has none.  -1 where there is no such object. */
int rc_cmd_told(const char *text, size_t length, double *seconds, double *memory,
                struct rc_error *error);

#endif
