// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_protocol.c - the lines that a sensor writes to its watcher.
 *
 * A sensor may be of another version, or may not be one at all: what a launcher, a shell or a
 * broken host prints arrives here too.  So every member is asked for by name, type and range,
 * members that are not known are passed over, and what goes back into a command (the key) or onto a
 * screen (the text of an error) is made of harmless characters. */
#include "host/watch/sensor_protocol.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define TIME_MAX 1e11     /* seconds since 1970: the year 5138 */
#define QUANTITY_MAX 1e18 /* bytes, bytes/s */
#define ID_MAX (INT64_C(1) << 53)

enum { CORES_MAX = 1 << 20, PORT_MAX = 65535 };

static const struct {
    const char *name;
    double most;
} metrics[RC_WATCH_METRICS] = {
    [RC_WATCH_CPU] = {"cpu", 1},
    [RC_WATCH_MEMORY] = {"memory", QUANTITY_MAX},
    [RC_WATCH_LOAD1] = {"load1", 1e9},
    [RC_WATCH_LOAD5] = {"load5", 1e9},
    [RC_WATCH_LOAD15] = {"load15", 1e9},
    [RC_WATCH_IN] = {"in", QUANTITY_MAX},
    [RC_WATCH_OUT] = {"out", QUANTITY_MAX},
};

const char *rc_watch_metric_name(enum rc_watch_metric metric)
{
    return metrics[metric].name;
}

/* ---- members ---- */

/* A number from 0 to `most`; NAN where there is none and none is `wanted`. */
static int get_number(const json_t *object, const char *name, double most, bool wanted,
                      double *value, struct rc_error *error)
{
    const json_t *member = json_object_get(object, name);

    *value = NAN;
    if (!member || json_is_null(member))
        return wanted ? rc_error_set(error, "'%s' is missing", name) : 0;
    if (!json_is_number(member))
        return rc_error_set(error, "'%s' is not a number", name);
    *value = json_number_value(member);
    if (!(*value >= 0 && *value <= most))
        return rc_error_set(error, "'%s' is not from 0 to %g", name, most);
    return 0;
}

static int get_integer(const json_t *object, const char *name, int64_t least, int64_t most,
                       bool wanted, int64_t *value, struct rc_error *error)
{
    const json_t *member = json_object_get(object, name);

    *value = 0;
    if (!member && !wanted)
        return 0;
    if (!json_is_integer(member))
        return rc_error_set(error, "'%s' is not an integer", name);
    *value = json_integer_value(member);
    if (*value < least || *value > most)
        return rc_error_set(error, "'%s' is not from %lld to %lld", name, (long long)least,
                            (long long)most);
    return 0;
}

static int get_id(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    return get_integer(object, "id", 0, ID_MAX, true, &line->id, error);
}

static int get_time(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    return get_number(object, "time", TIME_MAX, true, &line->time, error);
}

static int get_key(const json_t *object, char *key, struct rc_error *error)
{
    const char *text = json_string_value(json_object_get(object, "key"));
    size_t length = text ? strlen(text) : 0;

    if (length < 1 || length > RC_WATCH_KEY_MAX)
        return rc_error_set(error, "'key' is not a text of 1 to %d bytes", RC_WATCH_KEY_MAX);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return rc_error_set(error, "invalid character in 'key'");
    memcpy(key, text, length + 1);
    return 0;
}

/* ---- kinds ---- */

/* Unlike the others, its member is a number, and what belongs to it stands beside it. */
static int read_hello(const json_t *root, struct rc_watch_line *line, struct rc_error *error)
{
    int64_t protocol, cores;

    if (get_integer(root, "hello", 1, 1 << 20, true, &protocol, error) ||
        get_integer(root, "cores", 0, CORES_MAX, false, &cores, error))
        return -1;
    line->protocol = (int)protocol;
    line->cores = (int)cores;
    return 0;
}

static int read_sample(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    if (get_time(object, line, error))
        return -1;
    for (size_t i = 0; i < RC_WATCH_METRICS; i++)
        if (get_number(object, metrics[i].name, metrics[i].most, false, &line->values[i], error))
            return -1;
    return 0;
}

static int read_clock(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    return get_id(object, line, error) || get_time(object, line, error) ? -1 : 0;
}

static int read_listening(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    int64_t port;

    if (get_id(object, line, error) ||
        get_integer(object, "port", 1, PORT_MAX, true, &port, error) ||
        get_key(object, line->key, error))
        return -1;
    line->port = (int)port;
    return 0;
}

static int read_link(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    return get_id(object, line, error) || get_time(object, line, error) ||
                   get_number(object, "bandwidth", QUANTITY_MAX, false, &line->bandwidth, error) ||
                   get_number(object, "latency", TIME_MAX, false, &line->latency, error) ||
                   get_number(object, "bytes", QUANTITY_MAX, false, &line->bytes, error) ||
                   get_number(object, "wants", QUANTITY_MAX, false, &line->wants, error) ||
                   get_number(object, "seconds", TIME_MAX, false, &line->seconds, error)
               ? -1
               : 0;
}

static int read_error(const json_t *object, struct rc_watch_line *line, struct rc_error *error)
{
    const char *text = json_string_value(json_object_get(object, "text"));

    if (get_integer(object, "id", 0, ID_MAX, false, &line->id, error))
        return -1;
    snprintf(line->text, sizeof line->text, "%s", text && *text ? text : "no reason given");
    rc_text_mend_cut(line->text, sizeof line->text);
    rc_text_clean(line->text, strlen(line->text));
    return 0;
}

static const struct {
    const char *name;
    enum rc_watch_line_kind kind;
    int (*read)(const json_t *object, struct rc_watch_line *line, struct rc_error *error);
} kinds[] = {
    {"sample", RC_WATCH_LINE_SAMPLE, read_sample},
    {"clock", RC_WATCH_LINE_CLOCK, read_clock},
    {"listening", RC_WATCH_LINE_LISTENING, read_listening},
    {"link", RC_WATCH_LINE_LINK, read_link},
    {"error", RC_WATCH_LINE_ERROR, read_error},
};

static int read_root(const json_t *root, struct rc_watch_line *line, struct rc_error *error)
{
    if (!json_is_object(root))
        return rc_error_set(error, "not a JSON object");
    if (json_object_get(root, "hello")) {
        line->kind = RC_WATCH_LINE_HELLO;
        return read_hello(root, line, error);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *object = json_object_get(root, kinds[i].name);

        if (!object)
            continue;
        line->kind = kinds[i].kind;
        return json_is_object(object) ? kinds[i].read(object, line, error)
                                      : rc_error_set(error, "'%s' is not an object", kinds[i].name);
    }
    return 0;
}

int rc_watch_line_read(const char *text, size_t length, struct rc_watch_line *line,
                       struct rc_error *error)
{
    json_error_t fault;
    json_t *root;
    int status;

    *line = (struct rc_watch_line){.kind = RC_WATCH_LINE_OTHER,
                                   .time = NAN,
                                   .bandwidth = NAN,
                                   .latency = NAN,
                                   .bytes = NAN,
                                   .wants = NAN,
                                   .seconds = NAN};
    for (size_t i = 0; i < RC_WATCH_METRICS; i++)
        line->values[i] = NAN;
    if (length > RC_WATCH_LINE_MAX)
        return rc_error_set(error, "longer than %d bytes", RC_WATCH_LINE_MAX);
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    if (!root)
        return rc_error_set(error, "not JSON: %s", fault.text);
    status = read_root(root, line, error);
    json_decref(root);
    return status;
}
