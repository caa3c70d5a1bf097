// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_protocol.c - requests to the hosts of a calibration, and their answers. */
#include "model/slowdown/calibrate/bench_protocol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "testbed/load/protocol.h"

static const char *const kinds[RC_BENCH_KINDS] = {"compute", "memory", "listen", "bursts", "delay"};

void rc_slowdown_bench_order_free(struct rc_bench_order *order)
{
    free(order->command);
    free(order->own_bursts);
    *order = (struct rc_bench_order){.kind = RC_BENCH_COMPUTE};
}

/* ---- writing ---- */

static void put_peer(json_t *object, const struct rc_peer *peer)
{
    rc_json_set(object, "host", rc_json_text(peer->host));
    rc_json_set(object, "port", json_integer(peer->port));
    rc_json_set(object, "key", rc_json_text(peer->key));
}

static void put_bursts(json_t *object, const struct rc_slowdown_bench_bursts *order)
{
    json_t *list = json_array();

    for (size_t i = 0; i < order->n; i++) {
        json_t *pair = json_array();

        json_array_append_new(pair, rc_json_number(order->bursts[i].messages));
        json_array_append_new(pair, rc_json_number(order->bursts[i].bytes));
        json_array_append_new(list, pair);
    }
    put_peer(object, &order->peer);
    rc_json_set(object, "bursts", list);
    rc_json_set(object, "repeat", json_integer((json_int_t)order->repeat));
    rc_json_set(object, "longest", rc_json_number(order->longest));
}

static void put_delay(json_t *object, const struct rc_slowdown_bench_delay *order)
{
    put_peer(object, &order->peer);
    rc_json_set(object, "communicating", json_integer((json_int_t)order->communicating));
    rc_json_set(object, "points", json_integer((json_int_t)order->points));
    rc_json_set(object, "rounds", json_integer((json_int_t)order->rounds));
    rc_json_set(object, "sweeps", json_integer(order->sweeps));
    rc_json_set(object, "message", rc_json_number(order->message));
}

json_t *rc_slowdown_bench_order_json(const struct rc_bench_order *order)
{
    json_t *object = json_object();

    if (order->kind == RC_BENCH_COMPUTE) {
        rc_json_set(object, "repeat", json_integer((json_int_t)order->compute.repeat));
        rc_json_set(object, "sweeps", json_integer(order->compute.sweeps));
        if (order->compute.command)
            rc_json_set(object, "command", rc_json_text(order->compute.command));
    } else if (order->kind == RC_BENCH_MEMORY) {
        rc_json_set(object, "rounds", json_integer((json_int_t)order->memory.rounds));
        rc_json_set(object, "bytes", rc_json_number(order->memory.bytes));
    } else if (order->kind == RC_BENCH_BURSTS) {
        put_bursts(object, &order->bursts);
    } else if (order->kind == RC_BENCH_DELAY) {
        put_delay(object, &order->delay);
    }
    if (rc_json_set(object, "do", json_string(kinds[order->kind])) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading ---- */

/* `fault` names an invalid member. */
struct reading {
    const json_t *object;
    const char *fault;
};

static double number_of(struct reading *reading, const char *name, double low, double high)
{
    const json_t *member = json_object_get(reading->object, name);
    double value = json_is_number(member) ? json_number_value(member) : NAN;

    if (!(value >= low && value <= high)) {
        reading->fault = name;
        return low;
    }
    return value;
}

static size_t count_of(struct reading *reading, const char *name, size_t low, size_t high)
{
    return (size_t)number_of(reading, name, (double)low, (double)high);
}

/* The text of that name, shorter than `size`; "" if it is invalid. */
static const char *text_of(struct reading *reading, const char *name, size_t size)
{
    const json_t *member = json_object_get(reading->object, name);
    const char *text = json_string_value(member);

    if (!text || json_string_length(member) >= size || strlen(text) != json_string_length(member)) {
        reading->fault = name;
        return "";
    }
    return text;
}

static void read_peer(struct reading *reading, struct rc_peer *peer)
{
    snprintf(peer->host, sizeof peer->host, "%s", text_of(reading, "host", sizeof peer->host));
    snprintf(peer->key, sizeof peer->key, "%s", text_of(reading, "key", sizeof peer->key));
    peer->port = (int)number_of(reading, "port", 1, 65535);
    if (!peer->host[0] || peer->host[0] == '-')
        reading->fault = "host";
    if (!rc_socket_is_key(peer->key))
        reading->fault = "key";
}

static void read_compute(struct reading *reading, struct rc_bench_order *order)
{
    order->compute.repeat = count_of(reading, "repeat", 1, RC_BENCH_ROUNDS_MAX);
    order->compute.sweeps = (unsigned)count_of(reading, "sweeps", 1, RC_BENCH_SWEEPS_MAX);
    if (!json_object_get(reading->object, "command"))
        return;
    order->command = strdup(text_of(reading, "command", RC_BENCH_COMMAND_MAX));
    if (!order->command || !*order->command)
        reading->fault = "command";
    order->compute.command = order->command;
}

static void read_burst(struct reading *reading, const json_t *pair, struct rc_burst *burst)
{
    burst->messages = json_number_value(json_array_get(pair, 0));
    burst->bytes = json_number_value(json_array_get(pair, 1));
    if (json_array_size(pair) != 2 || rc_slowdown_bench_burst_check(burst, NULL))
        reading->fault = "bursts";
}

static void read_bursts(struct reading *reading, struct rc_bench_order *order)
{
    const json_t *list = json_object_get(reading->object, "bursts");
    size_t n = json_array_size(list);

    read_peer(reading, &order->bursts.peer);
    order->bursts.repeat = count_of(reading, "repeat", 1, RC_BENCH_ROUNDS_MAX);
    order->bursts.longest = json_is_null(json_object_get(reading->object, "longest"))
                                ? INFINITY
                                : number_of(reading, "longest", 0, 1e9);
    order->own_bursts = n >= 1 && n <= RC_BURSTS_MAX ? calloc(n, sizeof *order->own_bursts) : NULL;
    if (!order->own_bursts) {
        reading->fault = "bursts";
        return;
    }
    for (size_t i = 0; i < n; i++)
        read_burst(reading, json_array_get(list, i), &order->own_bursts[i]);
    order->bursts.bursts = order->own_bursts;
    order->bursts.n = n;
}

static void read_delay(struct reading *reading, struct rc_slowdown_bench_delay *order)
{
    read_peer(reading, &order->peer);
    order->communicating = count_of(reading, "communicating", 1, RC_DELAY_CURVES_MAX);
    order->points = count_of(reading, "points", 1, RC_BENCH_POINTS_MAX);
    order->rounds = count_of(reading, "rounds", 1, RC_BENCH_ROUNDS_MAX);
    order->sweeps = (unsigned)count_of(reading, "sweeps", 1, RC_BENCH_SWEEPS_MAX);
    order->message =
        floor(number_of(reading, "message", RC_LOAD_REQUEST_SIZE, RC_LOAD_MESSAGE_MAX));
}

static int kind_of(const json_t *root)
{
    const char *name = json_string_value(json_object_get(root, "do"));

    for (int i = 0; name && i < RC_BENCH_KINDS; i++)
        if (strcmp(kinds[i], name) == 0)
            return i;
    return -1;
}

int rc_slowdown_bench_order_read(const char *line, size_t length, struct rc_bench_order *order,
                                 struct rc_error *error)
{
    json_error_t where;
    json_t *root = length <= RC_BENCH_LINE_MAX
                       ? json_loadb(line, length, JSON_REJECT_DUPLICATES, &where)
                       : NULL;
    struct reading reading = {root, NULL};
    int kind = kind_of(root);

    *order = (struct rc_bench_order){.kind = RC_BENCH_LISTEN};
    if (kind < 0) {
        json_decref(root);
        return rc_error_set(error, "unknown request");
    }
    order->kind = (enum rc_bench_kind)kind;
    if (kind == RC_BENCH_COMPUTE) {
        read_compute(&reading, order);
    } else if (kind == RC_BENCH_MEMORY) {
        order->memory.rounds = count_of(&reading, "rounds", 1, RC_BENCH_ROUNDS_MAX);
        order->memory.bytes = number_of(&reading, "bytes", 0, 1e12);
    } else if (kind == RC_BENCH_BURSTS) {
        read_bursts(&reading, order);
    } else if (kind == RC_BENCH_DELAY) {
        read_delay(&reading, &order->delay);
    }
    json_decref(root);
    if (!reading.fault)
        return 0;
    rc_slowdown_bench_order_free(order);
    return rc_error_set(error, "invalid request: '%s'", reading.fault);
}

/* ---- answers ---- */

json_t *rc_slowdown_bench_numbers_json(const char *name, const double *values, size_t n)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, rc_json_number(values[i]));
    rc_json_set(object, name, list);
    return object;
}

int rc_slowdown_bench_numbers_read(const json_t *answer, const char *name, double low, double high,
                                   size_t n, double *values)
{
    const json_t *list = json_object_get(answer, name);

    if (!json_is_array(list) || json_array_size(list) != n)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);

        values[i] = json_is_number(item) ? json_number_value(item) : NAN;
        if (!json_is_null(item) && !(values[i] >= low && values[i] <= high))
            return -1;
    }
    return 0;
}

json_t *rc_slowdown_bench_points_json(const struct rc_delay_point *points, size_t n,
                                      double byte_seconds)
{
    json_t *object = json_object(), *k = json_array(), *delay = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(k, rc_json_number(points[i].k));
        json_array_append_new(delay, rc_json_number(points[i].delay));
    }
    rc_json_set(object, "bandwidth", k);
    rc_json_set(object, "delay", delay);
    rc_json_set(object, "byte_seconds", rc_json_number(byte_seconds));
    return object;
}

int rc_slowdown_bench_points_read(const json_t *answer, size_t n, struct rc_delay_point *points,
                                  double *byte_seconds)
{
    double k[RC_BENCH_POINTS_MAX], delay[RC_BENCH_POINTS_MAX];
    const json_t *cost = json_object_get(answer, "byte_seconds");

    if (n > RC_BENCH_POINTS_MAX ||
        rc_slowdown_bench_numbers_read(answer, "bandwidth", 1e-9, 1e18, n, k) ||
        rc_slowdown_bench_numbers_read(answer, "delay", -1, 1e9, n, delay))
        return -1;
    for (size_t i = 0; i < n; i++) {
        points[i] = (struct rc_delay_point){k[i], delay[i]};
        if (isnan(k[i]) || isnan(delay[i]))
            return -1;
    }
    *byte_seconds = json_is_number(cost) ? json_number_value(cost) : NAN;
    return isnan(*byte_seconds) || (*byte_seconds >= 0 && *byte_seconds <= 1) ? 0 : -1;
}

json_t *rc_slowdown_bench_listening_json(const struct rc_peer *peer)
{
    json_t *object = json_object();

    rc_json_set(object, "port", json_integer(peer->port));
    rc_json_set(object, "key", rc_json_text(peer->key));
    return object;
}

int rc_slowdown_bench_listening_read(const json_t *answer, struct rc_peer *peer)
{
    struct reading reading = {answer, NULL};
    const char *key = text_of(&reading, "key", sizeof peer->key);

    peer->port = (int)number_of(&reading, "port", 1, 65535);
    snprintf(peer->key, sizeof peer->key, "%s", key);
    return reading.fault || !rc_socket_is_key(peer->key) ? -1 : 0;
}
