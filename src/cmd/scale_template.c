// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_template.c - the user's command with places for numbers of processes, meshes and hosts; and
 * what programs say of themselves. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cmd/scale.h"
#include "platform/hostlist.h"

enum { WORDS_MAX = 4096, WORD_MAX = 1 << 20, LINE_MAX = 1 << 24,
       NAME_SIZE = 32 };

/* ---- placeholders ---- */

static int put_procs(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->procs);
}

static int put_rows(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_ROWS]);
}

static int put_cols(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_COLS]);
}

static int put_layers(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_LAYERS]);
}

static int put_per_host(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%d", fill->per_host);
}

static int put_names(const struct rc_cmd_scale_fill *fill, bool slots, struct rc_buffer *word)
{
    struct rc_hostlist list = {0};
    int status =
        rc_hostlist_expand(fill->hosts, strlen(fill->hosts), RC_HOSTS_MAX, &list, NULL);

    for (size_t i = 0; i < list.count && !status; i++) {
        status = rc_buffer_printf(word, "%s%s", i ? "," : "", list.names[i]);
        if (!status && slots)
            status = rc_buffer_printf(word, ":%d", fill->per_host);
    }
    rc_hostlist_free(&list);
    return status;
}

static int put_hosts(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return put_names(fill, false, word);
}

static int put_slots(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return put_names(fill, true, word);
}

static const struct placeholder {
    const char *name;
    int (*put)(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word);
    int needed_from; /* the cut from which on a template must have it; 0: none */
} placeholders[] = {
    {"p", put_procs, 1},           {"rows", put_rows, 1},   {"cols", put_cols, 1},
    {"layers", put_layers, 3},     {"hosts", put_hosts, 0}, {"slots", put_slots, 0},
    {"per_host", put_per_host, 0},
};
enum { N_PLACEHOLDERS = sizeof placeholders / sizeof *placeholders };

/* The name in braces at `text`, such as "{rows}", and how long it is with them; 0 where there is
 * none: other braces are the command's own. */
static size_t scan_name(const char *text, char name[NAME_SIZE])
{
    size_t length = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_");

    if (length == 0 || length >= NAME_SIZE || text[length + 1] != '}')
        return 0;
    memcpy(name, text + 1, length);
    name[length] = '\0';
    return length + 2;
}

static const struct placeholder *find_placeholder(const char *name)
{
    for (size_t i = 0; i < N_PLACEHOLDERS; i++)
        if (strcmp(placeholders[i].name, name) == 0)
            return &placeholders[i];
    return NULL;
}

#define KNOWN "{p} {rows} {cols} {layers} {hosts} {slots} {per_host}"

int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error)
{
    bool found[N_PLACEHOLDERS] = {false};
    const struct placeholder *placeholder;
    char name[NAME_SIZE];
    char **words;

    for (const char *at = strchr(template, '{'); at; at = strchr(at + 1, '{')) {
        if (!scan_name(at, name))
            continue;
        placeholder = find_placeholder(name);
        if (!placeholder) {
            rc_error_set(error, "--command: {%s} is not known", name);
            return rc_error_hint(error, "there are " KNOWN);
        }
        found[placeholder - placeholders] = true;
    }
    for (size_t i = 0; i < N_PLACEHOLDERS; i++)
        if (!found[i] && placeholders[i].needed_from && placeholders[i].needed_from <= cut) {
            rc_error_set(error, "--command: there is no {%s} in it, so that all runs would be "
                                "alike",
                         placeholders[i].name);
            return rc_error_hint(error, "such as: mpirun -np {p} --host {hosts} ./app --rows "
                                        "{rows} --size {cols}%s",
                                 cut == RC_MESH_DIRECTIONS ? " --layers {layers}" : "");
        }
    words = rc_cmd_scale_template_words(
        template, &(struct rc_cmd_scale_fill){.procs = 1, .mesh = {{1, 1, 1}}, .hosts = "x",
                                              .per_host = 1}, error);
    rc_cmd_scale_words_free(words);
    return words ? 0 : -1;
}

bool rc_cmd_scale_template_places(const char *template)
{
    return strstr(template, "{hosts}") || strstr(template, "{slots}");
}

/* ---- words ---- */

/* Fills in what stands in the word. */
static int fill_word(const char *word, const struct rc_cmd_scale_fill *fill,
                     struct rc_buffer *filled)
{
    const struct placeholder *placeholder;
    char name[NAME_SIZE];
    int status = rc_buffer_add_text(filled, "");

    while (*word && !status) {
        size_t length = *word == '{' ? scan_name(word, name) : 0;

        placeholder = length ? find_placeholder(name) : NULL;
        status = placeholder ? placeholder->put(fill, filled) : rc_buffer_add(filled, word, 1);
        word += placeholder ? length : 1;
    }
    return status;
}

/* The next word of `*text`, between blanks, with quotes as a shell has them and no more.  1; 0 at
 * the end; -1 where a quote does not end, or memory does. */
static int next_word(const char **text, struct rc_buffer *word, struct rc_error *error)
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
            return rc_error_set(error, "--command: it is too long");
    }
    if (quote)
        return rc_error_set(error, "--command: a quote %c does not end", quote);
    *text = at;
    return rc_buffer_add_text(word, "") ? rc_error_no_memory(error) : 1;
}

void rc_cmd_scale_words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static int add_word(char ***words, size_t *n, const char *word,
                    const struct rc_cmd_scale_fill *fill, struct rc_error *error)
{
    struct rc_buffer filled = RC_BUFFER_INIT(WORD_MAX);

    if (*n == WORDS_MAX)
        return rc_error_set(error, "--command: more than %d words", WORDS_MAX);
    if (fill_word(word, fill, &filled)) {
        rc_buffer_free(&filled);
        return rc_error_no_memory(error);
    }
    (*words)[(*n)++] = filled.data;
    return 0;
}

char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error)
{
    struct rc_buffer word = RC_BUFFER_INIT(WORD_MAX);
    char **words = calloc(WORDS_MAX + 1, sizeof *words);
    size_t n = 0;
    int got = words ? 1 : rc_error_no_memory(error);

    while (got > 0 && (got = next_word(&template, &word, error)) > 0)
        if (add_word(&words, &n, word.data, fill, error))
            got = -1;
    if (got == 0 && n == 0)
        got = rc_error_set(error, "--command: it is empty");
    rc_buffer_free(&word);
    if (got == 0)
        return words;
    rc_cmd_scale_words_free(words);
    return NULL;
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of the words, each with its NUL. */
uint32_t rc_cmd_scale_template_number(const char *template)
{
    struct rc_buffer word = RC_BUFFER_INIT(WORD_MAX);
    uint32_t number = 2166136261u;

    while (next_word(&template, &word, NULL) > 0)
        for (size_t i = 0; i <= word.length; i++)
            number = (number ^ (unsigned char)word.data[i]) * 16777619u;
    rc_buffer_free(&word);
    return number;
}

/* Adds the word as a shell reads it back. */
static int quote_word(const char *word, struct rc_buffer *line)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    int status;

    if (*word && !word[strspn(word, plain)])
        return rc_buffer_add_text(line, word);
    status = rc_buffer_add_text(line, "'");
    for (; *word && !status; word++)
        status = *word == '\'' ? rc_buffer_add_text(line, "'\\''") : rc_buffer_add(line, word, 1);
    return status || rc_buffer_add_text(line, "'") ? -1 : 0;
}

char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error)
{
    struct rc_buffer line = RC_BUFFER_INIT(LINE_MAX);
    char **words = rc_cmd_scale_template_words(template, fill, error);
    int status = words ? 0 : -1;

    for (size_t i = 0; !status && words[i]; i++)
        if ((i > 0 && rc_buffer_add_text(&line, " ")) || quote_word(words[i], &line))
            status = rc_error_set(error, "--command: it is too long");
    rc_cmd_scale_words_free(words);
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

int rc_cmd_scale_told(const char *text, size_t length, double *seconds, double *memory,
                      struct rc_error *error)
{
    const char *at = text, *end = text + length;
    double wrong = NAN;
    bool found = false;
    size_t taken;

    while ((at = memchr(at, '{', (size_t)(end - at)))) {
        json_t *object = object_at(at, (size_t)(end - at), &taken);
        const json_t *told = json_object_get(object, "seconds");

        if (json_is_number(told) && json_number_value(told) > 0) {
            const json_t *bytes = json_object_get(object, "memory");

            *seconds = json_number_value(told);
            *memory = json_is_number(bytes) && json_number_value(bytes) > 0
                          ? json_number_value(bytes)
                          : NAN;
            found = true;
        } else if (json_is_number(told)) {
            wrong = json_number_value(told);
        }
        json_decref(object);
        at += taken;
    }
    if (found)
        return 0;
    if (!isnan(wrong))
        return rc_error_set(error, "the program says that it took %g seconds, which cannot be",
                            wrong);
    rc_error_set(error, "the program does not say how long it took");
    return rc_error_hint(error, "with --told it is to write a JSON object with a member "
                                "\"seconds\" to its standard output");
}
