// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration_json.c - a calibration as JSON, as in the database, and back, by one table of its
 * members.
 *
 * Every member is checked: a database may have been copied, cut or edited, and users may write
 * files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "db/fitted_models.h"
#include "platform/hostlist.h"
#include "model/slowdown/calibration.h"

enum { CORES_MAX = 1 << 20 };

enum kind {
    NUMBER,       /* double, from `low` to `high` */
    MAYBE_NUMBER, /* the same, or null, which is `otherwise` */
    NEW_NUMBER,   /* the same, or missing, as in texts of format 1 */
    INT,
    SIZE,
    NAME,       /* char[RC_CALIBRATION_NAME] */
    MAYBE_NAME, /* the same, or "" */
    PARTS,      /* unsigned; missing is 0, as in texts of format 1 */
    LIST,       /* a pointer to elements, at most `high` */
    ARRAY,      /* elements within the struct */
    OBJECT,     /* members of the same struct, or of one within it */
    POSITION    /* of an element in its list, from 1; only written */
};

struct member {
    const char *name;
    enum kind kind;
    size_t offset;
    double low, high, otherwise;
    const struct member *members; /* of OBJECT, and of elements; NULL: these are numbers */
    size_t size, n_offset;        /* of elements, and of their number */
    const char *fault;            /* name of the member in error messages */
};

#define MEMBER(type, kind_, member) .kind = kind_, .offset = offsetof(type, member)
#define ELEMENTS(type, member, n) sizeof *((type *)0)->member, offsetof(type, n)

#define HOST struct rc_slowdown_calibration_host
static const struct member memory_number[] = {{.low = 1, .high = 1e9}};
static const struct member host_members[] = {
    {"name", MEMBER(HOST, NAME, name)},
    {"cores", MEMBER(HOST, INT, cores), 1, CORES_MAX},
    {"seconds", MEMBER(HOST, MAYBE_NUMBER, seconds), 1e-12, 1e12, NAN},
    {"weight", MEMBER(HOST, MAYBE_NUMBER, weight), 1e-12, 1e12, NAN},
    {"spread", MEMBER(HOST, NEW_NUMBER, spread), 0, 1e12, NAN},
    {"memory", MEMBER(HOST, ARRAY, memory.slowdown), 1, RC_MEMORY_OTHERS_MAX, 0, NULL,
     ELEMENTS(HOST, memory.slowdown, memory.n)},
    {.name = NULL}};

#define RATE struct rc_slowdown_burst_rate
static const struct member burst_members[] = {
    {"messages", MEMBER(RATE, NUMBER, burst.messages), 1, 1e15},
    {"bytes", MEMBER(RATE, NUMBER, burst.bytes), 1e-9, 1e15},
    {"rate", MEMBER(RATE, NUMBER, rate), 1e-9, 1e18},
    {.name = NULL}};

#define LINK struct rc_slowdown_calibration_link
static const struct member link_members[] = {{"from", MEMBER(LINK, NAME, from)},
                                             {"to", MEMBER(LINK, NAME, to)},
                                             {"bursts", MEMBER(LINK, LIST, bursts.items), 0,
                                              RC_BURSTS_MAX, 0, burst_members,
                                              ELEMENTS(LINK, bursts.items, bursts.n)},
                                             {.name = NULL}};

#define POINT struct rc_calibration_point
static const struct member point_members[] = {
    {"communicating", MEMBER(POINT, SIZE, communicating), 1, RC_DELAY_CURVES_MAX},
    {"bandwidth", MEMBER(POINT, NUMBER, point.k), 1e-9, 1e18},
    {"delay", MEMBER(POINT, NUMBER, point.delay), -1e9, 1e9},
    {.name = NULL}};

#define CURVE struct rc_delay_curve
static const struct member below_members[] = {
    {"intercept", MEMBER(CURVE, NUMBER, intercept[0]), -1e18, 1e18},
    {"slope", MEMBER(CURVE, NUMBER, slope[0]), -1e18, 1e18},
    {.name = NULL}};
static const struct member above_members[] = {
    {"intercept", MEMBER(CURVE, NUMBER, intercept[1]), -1e18, 1e18},
    {"slope", MEMBER(CURVE, NUMBER, slope[1]), -1e18, 1e18},
    {.name = NULL}};
static const struct member curve_members[] = {
    {.name = "communicating", .kind = POSITION},
    {"at", MEMBER(CURVE, MAYBE_NUMBER, at), 0, 1e18, INFINITY},
    {"below", OBJECT, .members = below_members},
    {"above", OBJECT, .members = above_members},
    {"low", MEMBER(CURVE, MAYBE_NUMBER, low), 0, 1e18, NAN},
    {"high", MEMBER(CURVE, MAYBE_NUMBER, high), 0, 1e18, NAN},
    {.name = NULL}};

static const struct member delay_members[] = {
    {"constant", MEMBER(struct rc_delay, NUMBER, constant), 0, 1e9},
    {"curves", MEMBER(struct rc_delay, ARRAY, curves), 0, RC_DELAY_CURVES_MAX, 0, curve_members,
     ELEMENTS(struct rc_delay, curves, n)},
    {.name = NULL}};

#define ALL struct rc_calibration
static const struct member all_members[] = {
    {"made", MEMBER(ALL, NUMBER, made), -1e12, 1e12, .fault = "its date"},
    {"quick", MEMBER(ALL, PARTS, quick), .fault = "its list of parts"},
    {"lacking", MEMBER(ALL, PARTS, missing), .fault = "its list of parts"},
    {"hosts", MEMBER(ALL, LIST, hosts), 0, RC_CALIBRATION_HOSTS_MAX, 0, host_members,
     ELEMENTS(ALL, hosts, n_hosts), "its hosts"},
    {"links", MEMBER(ALL, LIST, links), 0, RC_CALIBRATION_LINKS_MAX, 0, link_members,
     ELEMENTS(ALL, links, n_links), "its links"},
    {"delay_from", MEMBER(ALL, MAYBE_NAME, delay_from),
     .fault = "the hosts of its delay measurement"},
    {"delay_to", MEMBER(ALL, MAYBE_NAME, delay_to), .fault = "the hosts of its delay measurement"},
    {"points", MEMBER(ALL, LIST, points), 0, RC_DELAY_POINTS_MAX, 0, point_members,
     ELEMENTS(ALL, points, n_points), "its points"},
    {"delay", MEMBER(ALL, OBJECT, delay), .members = delay_members, .fault = "its delay curves"},
    {"byte_seconds", MEMBER(ALL, MAYBE_NUMBER, byte_seconds), 0, 1, NAN,
     .fault = "its cost of a byte"},
    {.name = NULL}};

/* ---- writing ---- */

static int write_members(json_t *object, const struct member *members, const void *record,
                         size_t position);

static json_t *write_parts(unsigned parts)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_CALIBRATION_PARTS; i++)
        if (parts & 1U << i)
            json_array_append_new(list, json_string(rc_calibration_parts[i]));
    return list;
}

static json_t *write_list(const struct member *member, const void *record)
{
    const char *items = (const char *)record + member->offset;
    json_t *list = json_array(), *one;
    size_t n;

    memcpy(&n, (const char *)record + member->n_offset, sizeof n);
    if (member->kind == LIST)
        memcpy(&items, (const void *)items, sizeof items);
    for (size_t i = 0; i < n; i++) {
        const void *item = items + i * member->size;

        one = member->members ? json_object() : rc_json_number(*(const double *)item);
        if (member->members)
            write_members(one, member->members, item, i + 1);
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *write_member(const struct member *member, const void *record, size_t position)
{
    const void *at = (const char *)record + member->offset;
    json_t *object;

    switch (member->kind) {
    case INT:
        return json_integer(*(const int *)at);
    case SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case NAME:
    case MAYBE_NAME:
        return rc_json_text(at);
    case PARTS:
        return write_parts(*(const unsigned *)at);
    case LIST:
    case ARRAY:
        return write_list(member, record);
    case OBJECT:
        object = json_object();
        write_members(object, member->members, at, 0);
        return object;
    case POSITION:
        return json_integer((json_int_t)position);
    case NUMBER:
    case MAYBE_NUMBER:
    case NEW_NUMBER:
        break;
    }
    return rc_json_number(*(const double *)at);
}

static int write_members(json_t *object, const struct member *members, const void *record,
                         size_t position)
{
    int status = 0;

    for (const struct member *member = members; member->name && status == 0; member++)
        status = rc_json_set(object, member->name, write_member(member, record, position));
    return status;
}

json_t *rc_slowdown_calibration_json(const struct rc_calibration *calibration)
{
    json_t *object = json_object();

    if (rc_json_set(object, "calibration", json_integer(RC_CALIBRATION_FORMAT)) == 0 &&
        write_members(object, all_members, calibration, 0) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading: functions return -1 for invalid values ---- */

static int read_member(const json_t *object, const struct member *member, void *record);

/* A finite number in the range. */
static int read_number(const json_t *value, const struct member *member, double *number)
{
    *number = json_is_number(value) ? json_number_value(value) : NAN;
    return *number >= member->low && *number <= member->high && isfinite(*number) ? 0 : -1;
}

static int read_name(const json_t *value, bool may_be_none, char text[RC_CALIBRATION_NAME])
{
    const char *name = json_string_value(value);
    size_t length = json_string_length(value);

    if (!name || length >= RC_CALIBRATION_NAME || strlen(name) != length)
        return -1;
    memcpy(text, name, length + 1);
    return (may_be_none && length == 0) || rc_platform_hostlist_is_name(text) ? 0 : -1;
}

/* A set of parts, by their names. */
static int read_parts(const json_t *list, unsigned *parts)
{
    *parts = 0;
    if (list && (!json_is_array(list) || json_array_size(list) > RC_CALIBRATION_PARTS))
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *name = json_array_get(list, i);
        unsigned part =
            rc_slowdown_calibration_part(json_string_value(name), json_string_length(name));

        if (!part)
            return -1;
        *parts |= part;
    }
    return 0;
}

static int read_members(const json_t *object, const struct member *members, void *record)
{
    int status = 0;

    for (; members->name && status == 0; members++)
        status = read_member(object, members, record) ? -1 : 0;
    return status;
}

/* 1: an element is invalid; 2: out of memory. */
static int read_list(const json_t *list, const struct member *member, void *record)
{
    char *items = (char *)record + member->offset;
    size_t n = json_array_size(list);

    if (!json_is_array(list) || n > (size_t)member->high)
        return -1;
    if (member->kind == LIST) {
        items = calloc(n + 1, member->size);
        memcpy((char *)record + member->offset, &items, sizeof items);
        if (!items)
            return 2;
    }
    memcpy((char *)record + member->n_offset, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        void *item = items + i * member->size;

        if (member->members ? read_members(one, member->members, item)
                            : read_number(one, memory_number, item))
            return 1;
    }
    return 0;
}

static int read_member(const json_t *object, const struct member *member, void *record)
{
    const json_t *value = json_object_get(object, member->name);
    void *at = (char *)record + member->offset;
    double number;

    switch (member->kind) {
    case NUMBER:
        return read_number(value, member, at);
    case MAYBE_NUMBER:
    case NEW_NUMBER:
        *(double *)at = member->otherwise;
        if (json_is_null(value) || (member->kind == NEW_NUMBER && !value))
            return 0;
        return read_number(value, member, at);
    case INT:
    case SIZE:
        if (read_number(value, member, &number))
            return -1;
        if (member->kind == INT)
            *(int *)at = (int)number;
        else
            *(size_t *)at = (size_t)number;
        return 0;
    case NAME:
    case MAYBE_NAME:
        return read_name(value, member->kind == MAYBE_NAME, at);
    case PARTS:
        return read_parts(value, at);
    case LIST:
    case ARRAY:
        return read_list(value, member, record);
    case OBJECT:
        return read_members(value, member->members, at);
    case POSITION:
        break;
    }
    return 0;
}

/* Sets `fault` to the invalid member, or "". */
static void read_all(const json_t *root, struct rc_calibration *calibration, char fault[80])
{
    const struct member *member = all_members;
    int status = 0;

    while (member->name && (status = read_member(root, member, calibration)) == 0)
        member++;
    fault[0] = '\0';
    if (status)
        snprintf(fault, 80, "%s%s%s", status == 1 ? "one of " : "", member->fault,
                 status == 2 ? " (out of memory)" : "");
    for (size_t i = 0; status == 0 && i < calibration->n_hosts; i++)
        if (rc_slowdown_calibration_host(calibration, calibration->hosts[i].name) !=
            &calibration->hosts[i])
            snprintf(fault, 80, "duplicate host");
}

int rc_slowdown_calibration_read(const char *text, size_t length,
                                 struct rc_calibration *calibration, struct rc_error *error)
{
    static const struct member format = {.low = RC_CALIBRATION_OLDEST,
                                         .high = RC_CALIBRATION_FORMAT};
    json_error_t where;
    json_t *root;
    char fault[80] = "its format";
    double number;

    *calibration = (struct rc_calibration){.byte_seconds = NAN};
    if (length > RC_CALIBRATION_TEXT_MAX)
        return rc_error_set(error, "a calibration has at most %d bytes", RC_CALIBRATION_TEXT_MAX);
    root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return rc_error_set(error, "not a calibration: line %d: %s", where.line, where.text);
    if (!json_object_get(root, "calibration"))
        root = rc_slowdown_calibration_of_document(root);
    if (read_number(json_object_get(root, "calibration"), &format, &number) == 0)
        read_all(root, calibration, fault);
    json_decref(root);
    if (!fault[0])
        return 0;
    rc_slowdown_calibration_free(calibration);
    return rc_error_set(error, "invalid calibration: %s", fault);
}

int rc_slowdown_calibration_open(const char *path, struct rc_calibration *calibration,
                                 struct rc_error *error)
{
    struct rc_buffer content = RC_BUFFER_INIT(RC_CALIBRATION_TEXT_MAX);
    struct rc_error inner = {0};
    int status = rc_buffer_read_file(&content, path, error);

    if (status) {
        rc_error_code(error, "slowdown.no-delay", NULL);
    } else if (rc_slowdown_calibration_read(content.data ? content.data : "", content.length,
                                            calibration, &inner)) {
        status = rc_error_at(error, path, 0, 0, "%s", inner.text);
        rc_error_hint_of(error, &inner);
    }
    rc_buffer_free(&content);
    return status;
}

/* ---- in the database ---- */

#define METHOD "slowdown"
#define APP "slowdown" /* models need one, but a calibration describes machines */

int rc_slowdown_calibration_save(struct rc_db *db, const char *platform,
                                 const struct rc_calibration *calibration, struct rc_error *error)
{
    json_t *object = rc_slowdown_calibration_json(calibration);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    int status;

    if (!text)
        status = rc_error_no_memory(error);
    else if (strlen(text) > RC_CALIBRATION_TEXT_MAX) /* it could not be read again */
        status = rc_error_set(error, "a calibration has at most %d bytes, and this one has %zu",
                              RC_CALIBRATION_TEXT_MAX, strlen(text));
    else
        status =
            rc_db_model_add(db, APP, platform, METHOD, RC_CALIBRATION_FORMAT, text, NULL, error);
    free(text);
    json_decref(object);
    return status;
}

int rc_slowdown_calibration_find(struct rc_db *db, const char *platform,
                                 struct rc_calibration *calibration, struct rc_error *error)
{
    struct rc_stored_model model;
    int found = rc_db_model_find(db, APP, platform, METHOD, &model, error);

    if (found <= 0)
        return found;
    if (model.format < RC_CALIBRATION_OLDEST || model.format > RC_CALIBRATION_FORMAT)
        found = rc_error_set(
            error, "the calibration of '%s' has format %d; this runcast reads formats %d to %d",
            platform, model.format, RC_CALIBRATION_OLDEST, RC_CALIBRATION_FORMAT);
    else if (rc_slowdown_calibration_read(model.body, strlen(model.body), calibration, error))
        found = -1;
    rc_db_stored_model_free(&model);
    return found;
}
