// SPDX-License-Identifier: GPL-3.0-or-later
/* messages.c - errors, notes and questions on standard error, and answers as JSON. */
#include "cmd/core/command.h"
#include "cmd/core/hints.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/terminal.h"
#include "base/text.h"

/* Texts may quote a file: control characters are shown as '?'. */
static void put_clean(const char *text)
{
    char copy[1024];

    snprintf(copy, sizeof copy, "%s", text);
    rc_text_clean(copy, strlen(copy));
    fputs(copy, stderr);
}

static void put_place(const struct rc_error *error)
{
    if (!error->file[0])
        return;
    put_clean(error->file);
    if (error->line)
        fprintf(stderr, ":%u", error->line);
    if (error->line && error->column)
        fprintf(stderr, ":%u", error->column);
    fputs(": ", stderr);
}

static void put_error(const char *doing, const struct rc_error *error)
{
    char text[RC_HINT_SIZE], hint[RC_HINT_SIZE];

    rc_cmd_hint(error, hint);
    fflush(stdout);
    fputs("runcast: ", stderr);
    put_clean(doing);
    fputs(": ", stderr);
    put_place(error);
    put_clean(rc_cmd_error_text(error, text));
    fputc('\n', stderr);
    if (hint[0]) {
        fputs("hint: ", stderr);
        put_clean(hint);
        fputc('\n', stderr);
    }
}

int rc_cmd_fail(const struct rc_error *error, const char *doing, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, doing);
    vsnprintf(text, sizeof text, doing, arguments);
    va_end(arguments);
    put_error(text, error);
    return RC_EXIT_FAILED;
}

int rc_cmd_usage(const struct rc_invocation *invocation, const struct rc_error *error)
{
    struct rc_error with_hint = *error;
    char hint[RC_HINT_SIZE];

    if (!rc_cmd_hint(error, hint))
        rc_error_hint(&with_hint, "see 'runcast %s%s--help'", invocation->path,
                      invocation->path[0] ? " " : "");
    put_error(invocation->path[0] ? invocation->path : "command line", &with_hint);
    return RC_EXIT_USAGE;
}

int rc_cmd_usage_text(const struct rc_invocation *invocation, const char *format, ...)
{
    struct rc_error error = {0};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    return rc_cmd_usage(invocation, &error);
}

enum { CARET_WIDTH = 76 };

void rc_cmd_show_caret(const char *text, const struct rc_error *error)
{
    char shown[4 * CARET_WIDTH + 1];
    size_t length, start = 0, at = 0, column = 1;
    const char *line;

    if (error->line == 0 || error->column == 0)
        return;
    for (unsigned number = error->line; number > 1 && *text;)
        number -= *text++ == '\n';
    line = text;
    length = strcspn(line, "\n");
    while (column < error->column && at < length)
        if (((unsigned char)line[++at] & 0xc0) != 0x80)
            column++;
    while (rc_text_width(line + start, at - start) > CARET_WIDTH * 2 / 3)
        start += rc_text_prefix(line + start, at - start, 8);
    length = rc_text_prefix(line + start, length - start, CARET_WIDTH);
    length = length < sizeof shown ? length : sizeof shown - 1;
    at = at - start < length ? at - start : length;
    memcpy(shown, line + start, length);
    for (size_t i = 0; i < length; i++)
        if (shown[i] == '\t')
            shown[i] = ' ';
    rc_text_clean(shown, length);
    fprintf(stderr, "  %.*s\n", (int)length, shown);
    fprintf(stderr, "  %*s^\n", (int)rc_text_width(shown, at), "");
}

/* All notes so far.  A process runs one command, so one list is enough. */
static json_t *noted;

static void keep_note(const char *text)
{
    if (!noted)
        noted = json_array();
    json_array_append_new(noted, rc_json_text(text));
}

void rc_cmd_note(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("note: ", stderr);
    put_clean(text);
    fputc('\n', stderr);
    keep_note(text);
}

void rc_cmd_note_error(const struct rc_error *error)
{
    char text[RC_HINT_SIZE];

    fputs("note: ", stderr);
    put_place(error);
    put_clean(rc_cmd_error_text(error, text));
    fputc('\n', stderr);
    keep_note(text);
}

static char schema[80];

void rc_cmd_set_schema(const char *path)
{
    size_t length = (size_t)snprintf(schema, sizeof schema, "runcast.%s/1", path);

    for (size_t i = 0; i < length && i < sizeof schema; i++)
        if (schema[i] == ' ')
            schema[i] = '.';
}

const char *rc_cmd_schema(void)
{
    return schema;
}

json_t *rc_cmd_document(json_t *answer)
{
    json_t *document = json_object();

    rc_json_set(document, "schema", rc_json_text(schema));
    json_object_update(document, answer);
    json_decref(answer);
    return document;
}

void rc_cmd_print_json(json_t *answer)
{
    json_t *document = rc_cmd_document(answer);

    rc_json_write(stdout, document, true);
    json_decref(document);
}

json_t *rc_cmd_notes_json(void)
{
    return noted ? json_copy(noted) : json_array();
}

bool rc_cmd_confirm(const char *question, ...)
{
    char answer[16] = "";
    va_list arguments;

    if (!isatty(STDIN_FILENO))
        return true;
    va_start(arguments, question);
    vfprintf(stderr, question, arguments);
    va_end(arguments);
    fputs(" [y/N] ", stderr);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

size_t rc_cmd_width(void)
{
    return rc_terminal_width(stdout);
}
