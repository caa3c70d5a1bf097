// SPDX-License-Identifier: GPL-3.0-or-later
/* template.c - the user's command with places in it, as words; and what programs say of themselves.
 */
#include "cmd/core/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

enum { WORDS_MAX = 4096, WORD_MAX = 1 << 20, LINE_MAX = 1 << 24 };

/* ---- places ---- */

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

size_t rc_cmd_template_name(const char *text, char name[RC_CMD_PLACE_SIZE])
{
    size_t length = *text == '{' ? strspn(text + 1, LETTERS "0123456789") : 0;

    if (length == 0 || length >= RC_CMD_PLACE_SIZE || !strchr(LETTERS, text[1]) ||
        text[length + 1] != '}')
        return 0;
    memcpy(name, text + 1, length);
    name[length] = '\0';
    return length + 2;
}

bool rc_cmd_template_has(const char *text, const char *name)
{
    char found[RC_CMD_PLACE_SIZE];

    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{'))
        if (rc_cmd_template_name(at, found) && strcmp(found, name) == 0)
            return true;
    return false;
}

/* Fills in what stands in the word. */
static int fill_word(const struct rc_cmd_template *template, const char *word,
                     struct rc_buffer *filled)
{
    char name[RC_CMD_PLACE_SIZE];
    int status = rc_buffer_add_text(filled, "");

    while (*word && status >= 0) {
        size_t length = rc_cmd_template_name(word, name);

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
    const struct rc_cmd_template *template;
    char **items; /* up to a NULL */
    size_t n;
};

/* The next word of `*text`, between blanks, with quotes as a shell has them and no more.  1; 0 at
 * the end; -1 where a quote does not end, or memory does. */
static int next_word(const char *option, const char **text, struct rc_buffer *word,
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
            return rc_error_set(error, "%s: it is too long", option);
    }
    if (quote)
        return rc_error_set(error, "%s: a quote %c does not end", option, quote);
    *text = at;
    return rc_buffer_add_text(word, "") ? rc_error_no_memory(error) : 1;
}

void rc_cmd_words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static int add_word(struct words *words, const char *word, bool fill, struct rc_error *error)
{
    struct rc_buffer filled = RC_BUFFER_INIT(WORD_MAX);

    if (words->n == WORDS_MAX)
        return rc_error_set(error, "%s: more than %d words", words->template->option, WORDS_MAX);
    if (fill ? fill_word(words->template, word, &filled) : rc_buffer_add_text(&filled, word)) {
        rc_buffer_free(&filled);
        return rc_error_no_memory(error);
    }
    words->items[words->n++] = filled.data;
    return 0;
}

/* Whether the word is a place that becomes several. */
static bool is_several(const struct rc_cmd_template *template, const char *word)
{
    char name[RC_CMD_PLACE_SIZE];
    size_t length = rc_cmd_template_name(word, name);

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
    while (got > 0 && (got = next_word(words->template->option, &text, &word, error)) > 0)
        if (add_word(words, word.data, false, error))
            got = -1;
    rc_buffer_free(&filled);
    rc_buffer_free(&word);
    return got;
}

char **rc_cmd_template_words(const struct rc_cmd_template *template, struct rc_error *error)
{
    struct words words = {.template = template, .items = calloc(WORDS_MAX + 1, sizeof(char *))};
    struct rc_buffer word = RC_BUFFER_INIT(WORD_MAX);
    const char *text = template->text;
    int got = words.items ? 1 : rc_error_no_memory(error);

    while (got > 0 && (got = next_word(template->option, &text, &word, error)) > 0)
        if (is_several(template, word.data) ? add_several(&words, word.data, error)
                                            : add_word(&words, word.data, true, error))
            got = -1;
    if (got == 0 && words.n == 0)
        got = rc_error_set(error, "%s: it is empty", template->option);
    rc_buffer_free(&word);
    if (got == 0)
        return words.items;
    rc_cmd_words_free(words.items);
    return NULL;
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of the words, each with its NUL. */
uint32_t rc_cmd_template_number(const char *text)
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

char *rc_cmd_template_line(const struct rc_cmd_template *template, struct rc_error *error)
{
    struct rc_buffer line = RC_BUFFER_INIT(LINE_MAX);
    char **words = rc_cmd_template_words(template, error);
    int status = words ? 0 : -1;

    for (size_t i = 0; !status && words[i]; i++)
        if ((i > 0 && rc_buffer_add_text(&line, " ")) || quote_word(words[i], &line))
            status = rc_error_set(error, "%s: it is too long", template->option);
    rc_cmd_words_free(words);
    if (status)
        rc_buffer_free(&line);
    return status ? NULL : line.data;
}

/* ---- what programs say ---- */

/* The object that begins at `text`, and how long it is. */
static json_t *object_at(const char *text, size_t length, size_t *taken)
{
    json_error_t where;
    json_t *object = json_loadb(text, length, JSON_DISABLE_EOF_CHECK, &where);

    *taken = object && where.position > 0 ? (size_t)where.position : 1;
    return object;
}

/* The last object that `fits`, which is then its keeper's. */
static json_t *last_object(const char *text, size_t length,
                           bool (*fits)(const json_t *object, const char *member),
                           const char *member)
{
    const char *at = text, *end = text + length;
    json_t *found = NULL;
    size_t taken;

    while ((at = memchr(at, '{', (size_t)(end - at)))) {
        json_t *object = object_at(at, (size_t)(end - at), &taken);

        if (fits(object, member)) {
            json_decref(found);
            found = object;
        } else {
            json_decref(object);
        }
        at += taken;
    }
    return found;
}

static bool has_member(const json_t *object, const char *member)
{
    return json_object_get(object, member) != NULL;
}

static bool has_number(const json_t *object, const char *member)
{
    return json_is_number(json_object_get(object, member));
}

static bool has_positive(const json_t *object, const char *member)
{
    const json_t *number = json_object_get(object, member);

    return json_is_number(number) && json_number_value(number) > 0;
}

json_t *rc_cmd_told_object(const char *text, size_t length, const char *member)
{
    return last_object(text, length, has_member, member);
}

int rc_cmd_told(const char *text, size_t length, double *seconds, double *memory,
                struct rc_error *error)
{
    json_t *object = last_object(text, length, has_positive, "seconds");
    json_t *wrong = object ? NULL : last_object(text, length, has_number, "seconds");

    if (object) {
        *seconds = json_number_value(json_object_get(object, "seconds"));
        *memory = has_positive(object, "memory")
                      ? json_number_value(json_object_get(object, "memory"))
                      : NAN;
        json_decref(object);
        return 0;
    }
    if (wrong) {
        rc_error_set(error, "the program says that it took %g seconds, which cannot be",
                     json_number_value(json_object_get(wrong, "seconds")));
        json_decref(wrong);
        return -1;
    }
    rc_error_set(error, "the program does not say how long it took");
    return rc_error_hint(error, "it is to write a JSON object with a member \"seconds\" to its "
                                "standard output");
}
