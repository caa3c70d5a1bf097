// SPDX-License-Identifier: BSD-2-Clause
/* about.c - trace.json, which tells of the run that was recorded. */
#include "mpi/trace/about.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/text.h"
#include "base/timestamp.h"

enum { ABOUT_MAX = 1 << 24, COMMAND_MAX = 1 << 20 };

/* A text, or the words of a list with blanks between them. */
static char *join(const json_t *words)
{
    struct rc_buffer text = RC_BUFFER_INIT(COMMAND_MAX);
    const json_t *word;
    size_t i;

    if (json_is_string(words))
        rc_buffer_add_text(&text, json_string_value(words));
    json_array_foreach(words, i, word)
    {
        rc_buffer_add_text(&text, i > 0 ? " " : "");
        rc_buffer_add_text(&text, json_is_string(word) ? json_string_value(word) : "?");
    }
    if (text.data)
        rc_text_clean(text.data, text.length);
    return text.data;
}

static double read_time(const json_t *value)
{
    double seconds = NAN;

    if (json_is_number(value))
        return json_number_value(value);
    if (!json_is_string(value) ||
        rc_timestamp_parse(json_string_value(value), json_string_length(value), &seconds, NULL) !=
            0)
        return NAN;
    return seconds;
}

static void about_init(struct rc_trace_about *about)
{
    *about = (struct rc_trace_about){.began = NAN, .seconds = NAN, .status = -1};
}

void rc_trace_about_parse(struct rc_trace_about *about, const char *text, size_t length,
                          struct rc_faults *faults)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *value;

    about_init(about);
    if (!json_is_object(root)) {
        rc_trace_faults_add(faults, "trace.json is damaged");
        json_decref(root);
        return;
    }
    about->there = true;
    about->command = join(json_object_get(root, "command"));
    about->began = read_time(json_object_get(root, "began"));
    value = json_object_get(root, "seconds");
    if (json_is_number(value) && json_number_value(value) >= 0)
        about->seconds = json_number_value(value);
    value = json_object_get(root, "status");
    if (json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < 256)
        about->status = (int)json_integer_value(value);
    json_decref(root);
}

void rc_trace_about_read(struct rc_trace_about *about, const char *directory,
                         struct rc_faults *faults)
{
    struct rc_buffer text = RC_BUFFER_INIT(ABOUT_MAX);
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/trace.json", directory);

    about_init(about);
    if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0)
        return;
    if (rc_buffer_read_file(&text, path, NULL) != 0 || text.length == ABOUT_MAX)
        rc_trace_faults_add(faults, "trace.json cannot be read");
    else
        rc_trace_about_parse(about, text.data ? text.data : "", text.length, faults);
    rc_buffer_free(&text);
}

void rc_trace_about_free(struct rc_trace_about *about)
{
    free(about->command);
    about->command = NULL;
}
