// SPDX-License-Identifier: BSD-2-Clause
/* launcher_command.c - the words by which a user's launcher is called. */
#include "base/launcher_command.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static int add_word(struct rc_launcher_words *words, const char *word, struct rc_error *error)
{
    if (words->n == RC_LAUNCHER_WORDS_MAX)
        return rc_error_set(error, "the launcher has more than %d words", RC_LAUNCHER_WORDS_MAX);
    words->argv[words->n++] = word;
    words->argv[words->n] = NULL;
    return 0;
}

int rc_launcher_words_make(struct rc_launcher_words *words, const char *launcher,
                           const char *const *rest, size_t n_rest, struct rc_error *error)
{
    char *save;

    words->n = 0;
    if (snprintf(words->text, sizeof words->text, "%s", launcher ? launcher : "") >=
        (int)sizeof words->text)
        return rc_error_set(error, "the launcher is longer than %d bytes",
                            RC_LAUNCHER_TEXT_MAX - 1);
    for (char *word = strtok_r(words->text, " \t", &save); word;
         word = strtok_r(NULL, " \t", &save))
        if (add_word(words, word, error))
            return -1;
    if (launcher && words->n == 0)
        return rc_error_set(error, "the launcher is empty");
    for (size_t i = 0; i < n_rest; i++)
        if (add_word(words, rest[i], error))
            return -1;
    return 0;
}
