// SPDX-License-Identifier: BSD-2-Clause
/* run_description.c - trace.json, which describes the run that was recorded. */
#include "mpi/trace/trace_set.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/timestamp.h"

enum { ABOUT_MAX = 1 << 24, COMMAND_MAX = 1 << 20, VERSION = 1 };

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

/* ---- writing ---- */

static json_t *about_json(const struct rc_trace_set *set, const struct rc_trace_run *run)
{
    json_t *about = json_object(), *words = json_array(), *hosts = json_array();
    const struct rc_trace_set_file *file;
    char began[RC_TIME_SIZE];
    size_t at = 0;
    bool known;

    rc_timestamp_format(run->began, began);
    rc_json_set(about, "version", json_integer(VERSION));
    rc_json_set(about, "runcast", rc_json_text(run->runcast));
    for (char *const *word = run->command; *word; word++)
        json_array_append_new(words, rc_json_text(*word));
    rc_json_set(about, "command", words);
    rc_json_set(about, "began", rc_json_text(began));
    if (!isnan(run->seconds))
        rc_json_set(about, "seconds", rc_json_number(run->seconds));
    rc_json_set(about, "status", json_integer(run->status));
    rc_json_set(about, "mpi", rc_json_text(run->mpi));
    rc_json_set(about, "ranks", json_integer(set->ranks));
    for (uint32_t rank = 0; rank < set->ranks; rank++) {
        while (at < set->n_files && set->files[at].rank < rank)
            at++;
        file = set->files + at;
        known = at < set->n_files && file->rank == rank && file->thread == 0 && file->has_header;
        json_array_append_new(hosts, known ? rc_json_text(file->header.host) : json_null());
    }
    rc_json_set(about, "hosts", hosts);
    return about;
}

int rc_trace_about_write(const struct rc_trace_set *set, const struct rc_trace_run *run,
                         struct rc_error *error)
{
    char path[PATH_MAX + 32], part[PATH_MAX + 32];
    json_t *about;
    FILE *out;
    int status = 0;

    snprintf(path, sizeof path, "%s/trace.json", set->directory);
    snprintf(part, sizeof part, "%s/trace.json.part", set->directory);
    out = fopen(part, "we");
    if (!out)
        return rc_error_errno(error, errno, "cannot make %.300s", part);
    about = about_json(set, run);
    rc_json_write(out, about, true);
    json_decref(about);
    if (fflush(out) != 0 || ferror(out))
        status = rc_error_errno(error, errno, "cannot write it");
    if (fclose(out) != 0 && status == 0)
        status = rc_error_errno(error, errno, "cannot write it");
    if (status == 0 && rename(part, path) != 0)
        status = rc_error_errno(error, errno, "cannot make %.300s", path);
    if (status != 0)
        unlink(part);
    return status;
}
