// SPDX-License-Identifier: GPL-3.0-or-later
/* command_template.c - fills in a command template and divides it into words. */
#include "run/command_template.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { WORDS_MAX = 4096, WORD_MAX = 1 << 20, LINE_MAX = 1 << 24 };

/* ---- placeholders ---- */

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

size_t rc_run_template_name(const char *text, char name[RC_TEMPLATE_NAME_SIZE])
{
    size_t length = *text == '{' ? strspn(text + 1, LETTERS "0123456789") : 0;

    if (length == 0 || length >= RC_TEMPLATE_NAME_SIZE || !strchr(LETTERS, text[1]) ||
        text[length + 1] != '}')
        return 0;
    memcpy(name, text + 1, length);
    name[length] = '\0';
    return length + 2;
}

bool rc_run_template_has(const char *text, const char *name)
{
    char found[RC_TEMPLATE_NAME_SIZE];

    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{'))
        if (rc_run_template_name(at, found) && strcmp(found, name) == 0)
            return true;
    return false;
}

/* Appends the word to `filled`, with its placeholders replaced. */
static int fill_word(const struct rc_template *template, const char *word, struct rc_buffer *filled)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    int status = rc_buffer_add_text(filled, "");

    while (*word && status >= 0) {
        size_t length = rc_run_template_name(word, name);

        status = length ? template->put(template->data, name, filled) : 0;
        if (status == 0)
            status = rc_buffer_add(filled, word, 1);
        else
            word += length - 1;
        word++;
    }
    return status < 0 ? -1 : 0;
}

/* ---- words ---- */

struct words {
    const struct rc_template *template;
    char **items; /* up to a NULL */
    size_t n;
};

/* The next word of `*text`, between blanks, with quotes as a shell has them and no more.  1; 0 at
 * the end; -1 where a quote does not end, or memory does. */
static int next_word(const char *source, const char **text, struct rc_buffer *word,
                     struct rc_error *error)
{
    const char *at = *text + strspn(*text, " \t\n");
    char quote = '\0';

    rc_buffer_clear(word);
    if (!*at)
        return 0;
    for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"') {
            quote = quote ? '\0' : *at;
            continue;
        }
        if (*at == '\\' && quote != '\'' && at[1])
            at++;
        if (rc_buffer_add(word, at, 1))
            return rc_error_set(error, "%s: too long", source);
    }
    if (quote)
        return rc_error_set(error, "%s: unterminated quote %c", source, quote);
    *text = at;
    return rc_buffer_add_text(word, "") ? rc_error_no_memory(error) : 1;
}

void rc_run_words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static int add_word(struct words *words, const char *word, bool fill, struct rc_error *error)
{
    struct rc_buffer filled = RC_BUFFER_INIT(WORD_MAX);

    if (words->n == WORDS_MAX)
        return rc_error_set(error, "%s: more than %d words", words->template->source, WORDS_MAX);
    if (fill ? fill_word(words->template, word, &filled) : rc_buffer_add_text(&filled, word)) {
        rc_buffer_free(&filled);
        return rc_error_no_memory(error);
    }
    words->items[words->n++] = filled.data;
    return 0;
}

/* Whether the word is a placeholder that becomes several words. */
static bool is_several(const struct rc_template *template, const char *word)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    size_t length = rc_run_template_name(word, name);

    for (size_t i = 0; template->several && template->several[i] && length; i++)
        if (word[length] == '\0' && strcmp(template->several[i], name) == 0)
            return true;
    return false;
}

static int add_several(struct words *words, const char *place, struct rc_error *error)
{
    struct rc_buffer filled = RC_BUFFER_INIT(WORD_MAX), word = RC_BUFFER_INIT(WORD_MAX);
    const char *text;
    int got = fill_word(words->template, place, &filled) ? rc_error_no_memory(error) : 1;

    text = filled.data;
    while (got > 0 && (got = next_word(words->template->source, &text, &word, error)) > 0)
        if (add_word(words, word.data, false, error))
            got = -1;
    rc_buffer_free(&filled);
    rc_buffer_free(&word);
    return got;
}

char **rc_run_template_words(const struct rc_template *template, struct rc_error *error)
{
    struct words words = {.template = template, .items = calloc(WORDS_MAX + 1, sizeof(char *))};
    struct rc_buffer word = RC_BUFFER_INIT(WORD_MAX);
    const char *text = template->text;
    int got = words.items ? 1 : rc_error_no_memory(error);

    while (got > 0 && (got = next_word(template->source, &text, &word, error)) > 0)
        if (is_several(template, word.data) ? add_several(&words, word.data, error)
                                            : add_word(&words, word.data, true, error))
            got = -1;
    if (got == 0 && words.n == 0)
        got = rc_error_set(error, "%s: empty", template->source);
    rc_buffer_free(&word);
    if (got == 0)
        return words.items;
    rc_run_words_free(words.items);
    return NULL;
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of the words, each with its NUL. */
uint32_t rc_run_template_number(const char *text)
{
    struct rc_buffer word = RC_BUFFER_INIT(WORD_MAX);
    uint32_t number = 2166136261u;

    while (next_word("", &text, &word, NULL) > 0)
        for (size_t i = 0; i <= word.length; i++)
            number = (number ^ (unsigned char)word.data[i]) * 16777619u;
    rc_buffer_free(&word);
    return number;
}

/* Adds the word as a shell reads it back. */
static int quote_word(const char *word, struct rc_buffer *line)
{
    static const char plain[] = LETTERS "0123456789@%+=:,./-";
    int status;

    if (*word && !word[strspn(word, plain)])
        return rc_buffer_add_text(line, word);
    status = rc_buffer_add_text(line, "'");
    for (; *word && !status; word++)
        status = *word == '\'' ? rc_buffer_add_text(line, "'\\''") : rc_buffer_add(line, word, 1);
    return status || rc_buffer_add_text(line, "'") ? -1 : 0;
}

char *rc_run_template_line(const struct rc_template *template, struct rc_error *error)
{
    struct rc_buffer line = RC_BUFFER_INIT(LINE_MAX);
    char **words = rc_run_template_words(template, error);
    int status = words ? 0 : -1;

    for (size_t i = 0; !status && words[i]; i++)
        if ((i > 0 && rc_buffer_add_text(&line, " ")) || quote_word(words[i], &line))
            status = rc_error_set(error, "%s: too long", template->source);
    rc_run_words_free(words);
    if (status)
        rc_buffer_free(&line);
    return status ? NULL : line.data;
}
