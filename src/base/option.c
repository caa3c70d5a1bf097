// SPDX-License-Identifier: BSD-2-Clause
/* option.c - options as tables. */
#include "base/option.h"

#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"

static size_t table_length(const struct rc_option *table)
{
    size_t length = 0;

    while (table[length].name)
        length++;
    return length;
}

static const struct rc_option *find_long(const struct rc_option *table, const char *name,
                                         size_t length)
{
    for (; table->name; table++)
        if (strlen(table->name) == length && memcmp(table->name, name, length) == 0)
            return table;
    return NULL;
}

static int unknown_long(const struct rc_option *table, const char *name, size_t length,
                        struct rc_error *error)
{
    char word[64];
    const char *nearest;

    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    nearest = rc_nearest_word(word, &table->name, table_length(table), sizeof *table);
    rc_error_set(error, "unknown option '--%s'", word);
    return nearest ? rc_error_hint(error, "did you mean --%s?", nearest) : -1;
}

static int set_choice(const struct rc_option *option, const char *text, const char **member,
                      struct rc_error *error)
{
    char list[200] = "";

    for (const char *const *choice = option->choices; *choice; choice++) {
        if (strcmp(text, *choice) == 0) {
            *member = *choice;
            return 0;
        }
        rc_text_append(list, sizeof list, "%s%s", *list ? ", " : "", *choice);
    }
    return rc_error_set(error, "'%s' is not one of: %s", text, list);
}

static int add_to_list(const char *text, struct rc_option_list *list, struct rc_error *error)
{
    if (!*text)
        return rc_error_set(error, "empty text");
    if (list->n == RC_OPTION_LIST_MAX)
        return rc_error_set(error, "given more than %d times", RC_OPTION_LIST_MAX);
    list->items[list->n++] = text;
    return 0;
}

/* Stores the value `text` in the member of the option. */
static int set_value(const struct rc_option *option, const char *text, void *values, double now,
                     struct rc_error *error)
{
    void *member = (char *)values + option->offset;
    size_t length = strlen(text);

    switch (option->kind) {
    case RC_OPTION_FLAG:
        *(bool *)member = true;
        return 0;
    case RC_OPTION_TEXT:
    case RC_OPTION_FILE:
        *(const char **)member = text;
        return length ? 0 : rc_error_set(error, "empty text");
    case RC_OPTION_LIST:
        return add_to_list(text, member, error);
    case RC_OPTION_CHOICE:
        return set_choice(option, text, member, error);
    case RC_OPTION_INTEGER:
        if (rc_number_parse_integer(text, length, member))
            return rc_error_set(error, "'%s' is not a whole number", text);
        if (*(int64_t *)member < option->least)
            return rc_error_set(error, "%s is less than %lld", text, (long long)option->least);
        if (option->most > 0 && *(int64_t *)member > option->most)
            return rc_error_set(error, "%s is more than %lld", text, (long long)option->most);
        return 0;
    case RC_OPTION_QUANTITY:
        return rc_unit_parse(text, length, option->dimension, member, error);
    case RC_OPTION_RANGE:
        return rc_unit_parse_range(text, option->dimension, member, error);
    case RC_OPTION_TIME:
        return rc_timestamp_parse(text, length, member, error);
    case RC_OPTION_SINCE:
        return rc_timestamp_parse_since(text, now, member, error);
    }
    return rc_error_set(error, "not an option of a known kind");
}

/* Prefixes the error with the name of the option. */
static int blame(const struct rc_option *option, struct rc_error *error)
{
    struct rc_error inner;

    if (!error)
        return -1;
    inner = *error;
    rc_error_set(error, "--%s: %.440s", option->name, inner.text);
    return rc_error_hint_of(error, &inner);
}

static int apply(const struct rc_option *option, const char *text, void *values, double now,
                 struct rc_error *error)
{
    return set_value(option, text, values, now, error) ? blame(option, error) : 0;
}

/* --name, --name VALUE or --name=VALUE; `*at` advances if the value is a separate word. */
static int take_long(const struct rc_option *table, void *values, int argc, char **argv, int *at,
                     double now, struct rc_error *error)
{
    const char *name = argv[*at] + strspn(argv[*at], "-"), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct rc_option *option = find_long(table, name, length);

    if (!option)
        return unknown_long(table, name, length, error);
    if (option->kind == RC_OPTION_FLAG) {
        if (equals)
            return rc_error_set(error, "--%s takes no value", option->name);
        return apply(option, "", values, now, error);
    }
    if (equals)
        return apply(option, equals + 1, values, now, error);
    if (*at + 1 >= argc)
        return rc_error_set(error, "--%s needs a value: --%s %s", option->name, option->name,
                            option->argument);
    (*at)++;
    return apply(option, argv[*at], values, now, error);
}

/* Whether a word with one dash is the whole name of an option, such as -np. */
static bool is_long(const struct rc_option *table, const char *word)
{
    return word[1] == '-' || (word[1] != '\0' && word[2] != '\0' &&
                              find_long(table, word + 1, strcspn(word + 1, "=")));
}

/* -x, -xVALUE or -x VALUE. */
static int take_short(const struct rc_option *table, void *values, int argc, char **argv, int *at,
                      double now, struct rc_error *error)
{
    const char *word = argv[*at];

    for (const char *letter = word + 1; *letter; letter++) {
        const struct rc_option *option = table;

        while (option->name && option->letter != *letter)
            option++;
        if (!option->name)
            return rc_error_set(error, "unknown option '%s'", word);
        if (option->kind == RC_OPTION_FLAG) {
            if (apply(option, "", values, now, error))
                return -1;
            continue;
        }
        if (letter[1])
            return apply(option, letter + 1, values, now, error);
        if (*at + 1 >= argc)
            return rc_error_set(error, "-%c needs a value: -%c %s", *letter, *letter,
                                option->argument);
        (*at)++;
        return apply(option, argv[*at], values, now, error);
    }
    return 0;
}

/* Before a command, options are ours if a "--" follows them. */
static bool options_follow(int argc, char *const *argv, int at)
{
    if (at >= argc || argv[at][0] != '-' || argv[at][1] == '\0')
        return false;
    for (; at < argc; at++)
        if (strcmp(argv[at], "--") == 0)
            return true;
    return false;
}

int rc_option_parse(const struct rc_option *table, void *values, int argc, char **argv,
                    int command_at, int *n_arguments, double now, struct rc_error *error)
{
    bool options_ended = false;
    int status;

    *n_arguments = 0;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];

        if (!options_ended && strcmp(word, "--") == 0) {
            if (*n_arguments < command_at - 1) /* the words of the command are not ours */
                return rc_error_set(error, "missing argument%s before '--'",
                                    command_at - 1 - *n_arguments > 1 ? "s" : "");
            options_ended = true;
            continue;
        }
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            argv[(*n_arguments)++] = argv[at];
            if (command_at > 0 && *n_arguments >= command_at - 1)
                options_ended |= *n_arguments >= command_at || !options_follow(argc, argv, at + 1);
            continue;
        }
        status = is_long(table, word) ? take_long(table, values, argc, argv, &at, now, error)
                                      : take_short(table, values, argc, argv, &at, now, error);
        if (status)
            return -1;
    }
    if (*n_arguments < argc)
        argv[*n_arguments] = NULL;
    return 0;
}

void rc_option_wrap(FILE *out, const char *text, size_t indent, size_t width)
{
    size_t room = width > indent + 20 ? width - indent : 20;

    while (*text) {
        const char *line_end = strchr(text, '\n');
        size_t length = line_end ? (size_t)(line_end - text) : strlen(text), fits = length;

        if (*text != ' ' && rc_text_width(text, length) > room) {
            fits = rc_text_prefix(text, length, room);
            while (fits > 0 && text[fits] != ' ')
                fits--;
            if (fits == 0) /* one long word */
                fits = strcspn(text, " \n");
        }
        fwrite(text, 1, fits, out);
        fputc('\n', out);
        text += fits;
        if (fits < length)
            while (*text == ' ')
                text++;
        else if (*text == '\n')
            text++;
        if (*text && *text != '\n')
            fprintf(out, "%*s", (int)indent, "");
    }
}

void rc_option_help(const struct rc_option *table, FILE *out, size_t width)
{
    enum { INDENT = 26 };
    char left[80];
    int length;

    for (; table->name; table++) {
        length =
            snprintf(left, sizeof left, "  %c%c%s--%s%s%s", table->letter ? '-' : ' ',
                     table->letter ? table->letter : ' ', table->letter ? ", " : "  ", table->name,
                     table->argument ? " " : "", table->argument ? table->argument : "");
        fputs(left, out);
        if (length < INDENT)
            fprintf(out, "%*s", INDENT - length, "");
        else
            fprintf(out, "\n%*s", INDENT, "");
        rc_option_wrap(out, table->help, INDENT, width);
    }
}
