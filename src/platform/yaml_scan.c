// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_scan.c - what a YAML text must be before anything is made of it. */
#include "platform/yaml_scan.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "platform/yaml.h"

struct scan {
    const char *name;
    struct rc_error *error;
    size_t nodes, documents;
    int depth;
};

/* The place of a byte, in lines and characters from 1. */
static void place_of(const char *text, size_t offset, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            *column += ((unsigned char)text[i] & 0xc0) != 0x80;
        }
    }
}

int rc_platform_yaml_parser_fail(const yaml_parser_t *parser, const char *text, size_t length,
                                 const char *name, struct rc_error *error)
{
    const char *problem = parser->problem ? parser->problem : "unreadable";
    unsigned line, column;
    size_t index;

    if (parser->error == YAML_MEMORY_ERROR)
        return rc_error_no_memory(error);
    if (parser->error == YAML_READER_ERROR) {
        index = parser->problem_offset < length ? parser->problem_offset : length;
        place_of(text, index, &line, &column);
        return rc_error_at(error, name, line, column, "not a YAML text: %s", problem);
    }
    line = (unsigned)parser->problem_mark.line + 1;
    column = (unsigned)parser->problem_mark.column + 1;
    rc_error_at(error, name, line, column, "not valid YAML: %s%s%s",
                parser->context ? parser->context : "", parser->context ? ", " : "", problem);
    if (strstr(problem, "cannot start any token"))
        rc_error_hint(error, "indent with spaces, not tabs, and put quotes around a value that "
                             "begins with a sign");
    else if (strstr(problem, "mapping values are not allowed"))
        rc_error_hint(error, "look for a key that is indented too far, or put quotes around a "
                             "value with ': ' in it");
    return -1;
}

static int refuse(const struct scan *scan, const yaml_event_t *event, const char *what)
{
    return rc_error_at(scan->error, scan->name, (unsigned)event->start_mark.line + 1,
                       (unsigned)event->start_mark.column + 1, "%s", what);
}

/* `inside`: a list or a mapping begins. */
static int check_node(struct scan *scan, const yaml_event_t *event, const void *anchor,
                      const void *tag, bool inside)
{
    scan->depth += inside;
    return anchor ? refuse(scan, event, "anchors (&) cannot be used here; write the value out")
           : tag  ? refuse(scan, event,
                           "tags (!) cannot be used here; put quotes around a text that begins "
                            "with '!'")
           : ++scan->nodes > RC_YAML_NODES_MAX
               ? refuse(scan, event, "more than 100000 keys and values")
           : scan->depth > RC_YAML_DEPTH_MAX
               ? refuse(scan, event, "lists and mappings nested more than 16 deep")
               : 0;
}

static int check_event(struct scan *scan, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++scan->documents > 1)
            return refuse(scan, event,
                          "a second document ('---') begins here; a file may have one");
        return 0;
    case YAML_ALIAS_EVENT:
        return refuse(scan, event, "aliases (*) cannot be used here; write the value out");
    case YAML_SCALAR_EVENT:
        return check_node(scan, event, event->data.scalar.anchor, event->data.scalar.tag, false);
    case YAML_SEQUENCE_START_EVENT:
        return check_node(scan, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag, true);
    case YAML_MAPPING_START_EVENT:
        return check_node(scan, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag, true);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        scan->depth--;
        return 0;
    default:
        return 0;
    }
}

int rc_platform_yaml_scan(const char *text, size_t length, const char *name, struct rc_error *error)
{
    struct scan scan = {.name = name, .error = error};
    yaml_parser_t parser;
    yaml_event_t event;
    bool more = true;
    int status = 0;

    if (length > RC_YAML_SIZE_MAX)
        return rc_error_at(error, name, 0, 0, "larger than 1 MiB");
    /* libyaml would read UTF-16, and then columns and limits would mean something else. */
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return rc_error_at(error, name, 1, 1, "not a YAML text: UTF-16, not UTF-8");
    if (!yaml_parser_initialize(&parser))
        return rc_error_no_memory(error);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (more && status == 0) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = rc_platform_yaml_parser_fail(&parser, text, length, name, error);
            break;
        }
        status = check_event(&scan, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == 0 && scan.documents == 0)
        return rc_error_at(error, name, 1, 1, "the file is empty");
    return status;
}
