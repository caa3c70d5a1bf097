// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration_text.c - a calibration as JSON, and back.
 *
 * Written by this program, but read with care: a store may have been copied, cut or edited, and
 * users may hand in a file of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "platform/hostlist.h"
#include "model/slowdown/calibration.h"

enum { CORES_MAX = 1 << 20 };

/* ---- writing ---- */

static json_t *host_json(const struct rc_slowdown_calibration_host *host)
{
    json_t *object = json_object(), *memory = json_array();

    for (size_t i = 0; i < host->memory.n; i++)
        json_array_append_new(memory, rc_json_number(host->memory.slowdown[i]));
    rc_json_set(object, "name", rc_json_text(host->name));
    rc_json_set(object, "cores", json_integer(host->cores));
    rc_json_set(object, "seconds", rc_json_number(host->seconds));
    rc_json_set(object, "weight", rc_json_number(host->weight));
    rc_json_set(object, "spread", rc_json_number(host->spread));
    rc_json_set(object, "memory", memory);
    return object;
}

static json_t *link_json(const struct rc_slowdown_calibration_link *link)
{
    json_t *object = json_object(), *bursts = json_array();

    for (size_t i = 0; i < link->bursts.n; i++) {
        const struct rc_slowdown_burst_rate *item = &link->bursts.items[i];
        json_t *one = json_object();

        rc_json_set(one, "messages", rc_json_number(item->burst.messages));
        rc_json_set(one, "bytes", rc_json_number(item->burst.bytes));
        rc_json_set(one, "rate", rc_json_number(item->rate));
        json_array_append_new(bursts, one);
    }
    rc_json_set(object, "from", rc_json_text(link->from));
    rc_json_set(object, "to", rc_json_text(link->to));
    rc_json_set(object, "bursts", bursts);
    return object;
}

static json_t *point_json(const struct rc_calibration_point *point)
{
    json_t *object = json_object();

    rc_json_set(object, "communicating", json_integer((json_int_t)point->communicating));
    rc_json_set(object, "bandwidth", rc_json_number(point->point.k));
    rc_json_set(object, "delay", rc_json_number(point->point.delay));
    return object;
}

static json_t *line_json(double intercept, double slope)
{
    json_t *object = json_object();

    rc_json_set(object, "intercept", rc_json_number(intercept));
    rc_json_set(object, "slope", rc_json_number(slope));
    return object;
}

static json_t *delay_json(const struct rc_delay *delay)
{
    json_t *object = json_object(), *curves = json_array();

    for (size_t i = 0; i < delay->n; i++) {
        const struct rc_delay_curve *curve = &delay->curves[i];
        json_t *one = json_object();

        rc_json_set(one, "communicating", json_integer((json_int_t)i + 1));
        rc_json_set(one, "at", rc_json_number(curve->at));
        rc_json_set(one, "below", line_json(curve->intercept[0], curve->slope[0]));
        rc_json_set(one, "above", line_json(curve->intercept[1], curve->slope[1]));
        rc_json_set(one, "low", rc_json_number(curve->low));
        rc_json_set(one, "high", rc_json_number(curve->high));
        json_array_append_new(curves, one);
    }
    rc_json_set(object, "constant", rc_json_number(delay->constant));
    rc_json_set(object, "curves", curves);
    return object;
}

static json_t *parts_json(unsigned parts)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_CALIBRATION_PARTS; i++)
        if (parts & 1U << i)
            json_array_append_new(list, json_string(rc_calibration_parts[i]));
    return list;
}

json_t *rc_slowdown_calibration_json(const struct rc_calibration *calibration)
{
    json_t *object = json_object(), *hosts = json_array(), *links = json_array(),
           *points = json_array();

    for (size_t i = 0; i < calibration->n_hosts; i++)
        json_array_append_new(hosts, host_json(&calibration->hosts[i]));
    for (size_t i = 0; i < calibration->n_links; i++)
        json_array_append_new(links, link_json(&calibration->links[i]));
    for (size_t i = 0; i < calibration->n_points; i++)
        json_array_append_new(points, point_json(&calibration->points[i]));
    rc_json_set(object, "calibration", json_integer(RC_CALIBRATION_FORMAT));
    rc_json_set(object, "made", rc_json_number(calibration->made));
    rc_json_set(object, "quick", parts_json(calibration->quick));
    rc_json_set(object, "lacking", parts_json(calibration->lacking));
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "links", links);
    rc_json_set(object, "delay_from", rc_json_text(calibration->delay_from));
    rc_json_set(object, "delay_to", rc_json_text(calibration->delay_to));
    rc_json_set(object, "points", points);
    rc_json_set(object, "delay", delay_json(&calibration->delay));
    if (rc_json_set(object, "byte_seconds", rc_json_number(calibration->byte_seconds)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading: each function is -1 where what it reads is not as it must be ---- */

/* A finite number within the ends. */
static int number_in(const json_t *object, const char *name, double low, double high, double *value)
{
    const json_t *member = json_object_get(object, name);

    *value = json_is_number(member) ? json_number_value(member) : NAN;
    return *value >= low && *value <= high && isfinite(*value) ? 0 : -1;
}

/* The same, or null, which is `otherwise`. */
static int number_or(const json_t *object, const char *name, double low, double high,
                     double otherwise, double *value)
{
    if (json_is_null(json_object_get(object, name))) {
        *value = otherwise;
        return 0;
    }
    return number_in(object, name, low, high, value);
}

/* The same, or null or nothing at all, as in texts of format 1, which is NAN. */
static int number_if(const json_t *object, const char *name, double low, double high, double *value)
{
    *value = NAN;
    return json_object_get(object, name) ? number_or(object, name, low, high, NAN, value) : 0;
}

static int name_of(const json_t *object, const char *name, bool may_be_none,
                   char text[RC_CALIBRATION_NAME])
{
    const json_t *member = json_object_get(object, name);
    const char *value = json_string_value(member);
    size_t length = json_string_length(member);

    if (!value || length >= RC_CALIBRATION_NAME || strlen(value) != length)
        return -1;
    memcpy(text, value, length + 1);
    return (may_be_none && length == 0) || rc_platform_hostlist_is_name(text) ? 0 : -1;
}

/* The array of that name with at most `most` elements; NULL where it is not that. */
static const json_t *list_of(const json_t *object, const char *name, size_t most)
{
    const json_t *list = json_object_get(object, name);

    return json_is_array(list) && json_array_size(list) <= most ? list : NULL;
}

static int read_memory(const json_t *object, struct rc_memory_curve *memory)
{
    const json_t *list = list_of(object, "memory", RC_MEMORY_OTHERS_MAX);

    if (!list)
        return -1;
    memory->n = json_array_size(list);
    for (size_t i = 0; i < memory->n; i++) {
        const json_t *value = json_array_get(list, i);

        memory->slowdown[i] = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(memory->slowdown[i] >= 1 && memory->slowdown[i] <= 1e9))
            return -1;
    }
    return 0;
}

static int read_host(const json_t *object, struct rc_slowdown_calibration_host *host)
{
    double cores;

    if (name_of(object, "name", false, host->name) ||
        number_in(object, "cores", 1, CORES_MAX, &cores) ||
        number_or(object, "seconds", 1e-12, 1e12, NAN, &host->seconds) ||
        number_or(object, "weight", 1e-12, 1e12, NAN, &host->weight) ||
        number_if(object, "spread", 0, 1e12, &host->spread) || read_memory(object, &host->memory))
        return -1;
    host->cores = (int)cores;
    return 0;
}

static int read_link(const json_t *object, struct rc_slowdown_calibration_link *link)
{
    const json_t *list = list_of(object, "bursts", RC_BURSTS_MAX);

    if (name_of(object, "from", false, link->from) || name_of(object, "to", false, link->to) ||
        !list)
        return -1;
    link->bursts.items = calloc(json_array_size(list) + 1, sizeof *link->bursts.items);
    if (!link->bursts.items)
        return -1;
    link->bursts.n = json_array_size(list);
    for (size_t i = 0; i < link->bursts.n; i++) {
        const json_t *one = json_array_get(list, i);
        struct rc_slowdown_burst_rate *item = &link->bursts.items[i];

        if (number_in(one, "messages", 1, 1e15, &item->burst.messages) ||
            number_in(one, "bytes", 1e-9, 1e15, &item->burst.bytes) ||
            number_in(one, "rate", 1e-9, 1e18, &item->rate))
            return -1;
    }
    return 0;
}

static int read_point(const json_t *object, struct rc_calibration_point *point)
{
    double communicating;

    if (number_in(object, "communicating", 1, RC_DELAY_CURVES_MAX, &communicating) ||
        number_in(object, "bandwidth", 1e-9, 1e18, &point->point.k) ||
        number_in(object, "delay", -1e9, 1e9, &point->point.delay))
        return -1;
    point->communicating = (size_t)communicating;
    return 0;
}

static int read_line(const json_t *object, double *intercept, double *slope)
{
    return number_in(object, "intercept", -1e18, 1e18, intercept) ||
                   number_in(object, "slope", -1e18, 1e18, slope)
               ? -1
               : 0;
}

static int read_curve(const json_t *object, struct rc_delay_curve *curve)
{
    return number_or(object, "at", 0, 1e18, INFINITY, &curve->at) ||
                   read_line(json_object_get(object, "below"), &curve->intercept[0],
                             &curve->slope[0]) ||
                   read_line(json_object_get(object, "above"), &curve->intercept[1],
                             &curve->slope[1]) ||
                   number_or(object, "low", 0, 1e18, NAN, &curve->low) ||
                   number_or(object, "high", 0, 1e18, NAN, &curve->high)
               ? -1
               : 0;
}

static int read_delay(const json_t *object, struct rc_delay *delay)
{
    const json_t *curves = list_of(object, "curves", RC_DELAY_CURVES_MAX);

    if (!curves || number_in(object, "constant", 0, 1e9, &delay->constant))
        return -1;
    delay->n = json_array_size(curves);
    for (size_t i = 0; i < delay->n; i++)
        if (read_curve(json_array_get(curves, i), &delay->curves[i]))
            return -1;
    return 0;
}

/* A set of parts, by their names; none where there is no such member, as in format 1. */
static int read_parts(const json_t *root, const char *name, unsigned *parts)
{
    const json_t *list = list_of(root, name, RC_CALIBRATION_PARTS);

    *parts = 0;
    if (!list)
        return json_object_get(root, name) ? -1 : 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *part = json_string_value(json_array_get(list, i));
        int k = 0;

        while (part && k < RC_CALIBRATION_PARTS && strcmp(rc_calibration_parts[k], part) != 0)
            k++;
        if (!part || k == RC_CALIBRATION_PARTS)
            return -1;
        *parts |= 1U << k;
    }
    return 0;
}

/* What is at fault, for people; NULL where nothing is. */

static const char *read_hosts(const json_t *root, struct rc_calibration *calibration)
{
    const json_t *list = list_of(root, "hosts", RC_CALIBRATION_HOSTS_MAX);

    if (!list)
        return "its hosts";
    calibration->hosts = calloc(json_array_size(list) + 1, sizeof *calibration->hosts);
    if (!calibration->hosts)
        return "its hosts, for which there is no memory";
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (read_host(json_array_get(list, i), &calibration->hosts[i]))
            return "one of its hosts";
        if (rc_slowdown_calibration_host(calibration, calibration->hosts[i].name))
            return "a host that comes twice";
        calibration->n_hosts++;
    }
    return NULL;
}

static const char *read_links(const json_t *root, struct rc_calibration *calibration)
{
    const json_t *list = list_of(root, "links", RC_CALIBRATION_LINKS_MAX);

    if (!list)
        return "its links";
    calibration->links = calloc(json_array_size(list) + 1, sizeof *calibration->links);
    if (!calibration->links)
        return "its links, for which there is no memory";
    for (size_t i = 0; i < json_array_size(list); i++) {
        calibration->n_links++; /* so that what was read of it is freed */
        if (read_link(json_array_get(list, i), &calibration->links[i]))
            return "one of its links";
    }
    return NULL;
}

static const char *read_points(const json_t *root, struct rc_calibration *calibration)
{
    const json_t *list = list_of(root, "points", RC_DELAY_POINTS_MAX);

    if (!list)
        return "its points";
    calibration->points = calloc(json_array_size(list) + 1, sizeof *calibration->points);
    if (!calibration->points)
        return "its points, for which there is no memory";
    calibration->n_points = json_array_size(list);
    for (size_t i = 0; i < calibration->n_points; i++)
        if (read_point(json_array_get(list, i), &calibration->points[i]))
            return "one of its points";
    return NULL;
}

static const char *read_all(const json_t *root, struct rc_calibration *calibration)
{
    const char *fault;

    if (number_in(root, "made", -1e12, 1e12, &calibration->made))
        return "when it was made";
    if (read_parts(root, "quick", &calibration->quick) ||
        read_parts(root, "lacking", &calibration->lacking))
        return "how well its parts were measured";
    if ((fault = read_hosts(root, calibration)) || (fault = read_links(root, calibration)) ||
        (fault = read_points(root, calibration)))
        return fault;
    if (name_of(root, "delay_from", true, calibration->delay_from) ||
        name_of(root, "delay_to", true, calibration->delay_to))
        return "where its delays were measured";
    if (read_delay(json_object_get(root, "delay"), &calibration->delay))
        return "its delay curves";
    if (number_or(root, "byte_seconds", 0, 1, NAN, &calibration->byte_seconds))
        return "what a byte costs";
    return NULL;
}

int rc_slowdown_calibration_read(const char *text, size_t length,
                                 struct rc_calibration *calibration, struct rc_error *error)
{
    json_error_t where;
    json_t *root;
    const char *fault;
    double format;

    *calibration = (struct rc_calibration){.byte_seconds = NAN};
    if (length > RC_CALIBRATION_TEXT_MAX)
        return rc_error_set(error, "a calibration has at most %d bytes", RC_CALIBRATION_TEXT_MAX);
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return rc_error_set(error, "this is no calibration: line %d: %s", where.line, where.text);
    if (number_in(root, "calibration", RC_CALIBRATION_OLDEST, RC_CALIBRATION_FORMAT, &format))
        fault = "the format that it says it is of";
    else
        fault = read_all(root, calibration);
    json_decref(root);
    if (!fault)
        return 0;
    rc_slowdown_calibration_free(calibration);
    return rc_error_set(error, "this calibration cannot be used: %s", fault);
}
