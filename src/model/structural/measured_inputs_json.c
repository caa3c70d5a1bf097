// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs_json.c - measured values in the database.  As a text, they are
 *
 *     {"made": [{"size": 50, "command": "mpirun -np {p} …", …}],
 *      "inputs": [{"name": "point", "parameters": ["h"], "way": "    measure run\n    at 200\n",
 *                  "values": [["a1", "", 1e-8, 0.01, 0.02, 1767225600, 0]]}]}
 *
 * A value has its hosts, mean, accuracy, spread and date, and the number of its place in "made".
 * Members that do not apply are left out. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "db/fitted_models.h"
#include "model/structural/measured_inputs_internal.h"

#define METHOD "measured"
enum { FIRST_FORMAT = 1, MEMBERS = 7 };

/* ---- writing ---- */

static void set_number(json_t *object, const char *name, double number)
{
    if (!isnan(number))
        rc_json_set(object, name, rc_json_number(number));
}

static void set_text(json_t *object, const char *name, const char *text)
{
    if (text)
        rc_json_set(object, name, rc_json_text(text));
}

static json_t *how_to_json(const struct rc_benchmark_how *how)
{
    json_t *object = json_object();

    set_number(object, "size", how->size);
    set_number(object, "bytes", how->bytes);
    set_number(object, "processes", how->processes);
    set_number(object, "repeats", how->repeats);
    set_text(object, "hosts", how->hosts);
    set_text(object, "inputs", how->inputs);
    set_text(object, "command", how->command);
    set_text(object, "machine", how->machine);
    set_text(object, "source", how->source);
    if (how->timed)
        rc_json_set(object, "timed", json_true());
    return object;
}

static json_t *cell_to_json(const struct rc_benchmark_cell *cell)
{
    const struct rc_benchmark_value *value = &cell->value;
    json_t *list = json_array();

    json_array_append_new(list, rc_json_text(cell->row));
    json_array_append_new(list, rc_json_text(cell->column));
    json_array_append_new(list, rc_json_number(value->mean));
    json_array_append_new(list, rc_json_number(value->accuracy));
    json_array_append_new(list, rc_json_number(value->spread));
    json_array_append_new(list, rc_json_number(value->when));
    json_array_append_new(list, json_integer((json_int_t)value->how));
    return list;
}

static json_t *input_to_json(const struct rc_benchmark_input *input)
{
    json_t *object = json_object(), *parameters = json_array(), *values = json_array();

    for (size_t i = 0; i < input->n_parameters; i++)
        json_array_append_new(parameters, rc_json_text(input->parameters[i]));
    for (size_t i = 0; i < input->n_cells; i++)
        json_array_append_new(values, cell_to_json(&input->cells[i]));
    set_text(object, "name", input->name);
    set_text(object, "description", input->description);
    rc_json_set(object, "parameters", parameters);
    set_text(object, "way", input->clauses);
    set_number(object, "lifetime", input->lifetime);
    rc_json_set(object, "values", values);
    return object;
}

/* To be freed; NULL where memory runs out. */
static char *to_text(const struct rc_benchmarks *measured)
{
    json_t *object = json_object(), *made = json_array(), *inputs = json_array();
    char *text;

    for (size_t i = 0; i < measured->n_hows; i++)
        json_array_append_new(made, how_to_json(&measured->hows[i]));
    for (size_t i = 0; i < measured->n_inputs; i++)
        if (measured->inputs[i].n_cells)
            json_array_append_new(inputs, input_to_json(&measured->inputs[i]));
    rc_json_set(object, "made", made);
    rc_json_set(object, "inputs", inputs);
    text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

/* ---- reading ---- */

static int damaged(struct rc_error *error)
{
    rc_error_set(error, "the stored values are damaged");
    return rc_error_code(error, "structural.benchmarks-damaged", NULL);
}

static double number_in(const json_t *object, const char *name)
{
    const json_t *number = json_object_get(object, name);

    return json_is_number(number) ? json_number_value(number) : NAN;
}

static const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static double number_at(const json_t *list, size_t index)
{
    const json_t *number = json_array_get(list, index);

    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* The reading of one text. */
struct reading {
    struct rc_benchmarks *measured;
    const json_t *made;
    size_t *places; /* where each of "made" is in measured->hows; NOWHERE: not yet asked for, so
                       that those are forgotten that no value has any more */
    struct rc_error *error;
};
#define NOWHERE SIZE_MAX

static int find_how(const struct reading *reading, const json_t *place, size_t *how)
{
    json_int_t at = json_is_integer(place) ? json_integer_value(place) : -1;
    const json_t *object = at >= 0 ? json_array_get(reading->made, (size_t)at) : NULL;
    const struct rc_benchmark_how read = {.size = number_in(object, "size"),
                                          .bytes = number_in(object, "bytes"),
                                          .processes = number_in(object, "processes"),
                                          .repeats = number_in(object, "repeats"),
                                          .hosts = text_in(object, "hosts"),
                                          .inputs = text_in(object, "inputs"),
                                          .command = text_in(object, "command"),
                                          .machine = text_in(object, "machine"),
                                          .source = text_in(object, "source"),
                                          .timed = json_is_true(json_object_get(object, "timed"))};

    if (!json_is_object(object))
        return damaged(reading->error);
    if (reading->places[at] == NOWHERE &&
        rc_structural_benchmarks_how(reading->measured, &read, &reading->places[at],
                                     reading->error))
        return -1;
    *how = reading->places[at];
    return 0;
}

static int read_cell(const struct reading *reading, const json_t *list,
                     struct rc_benchmark_input *input)
{
    const char *row = json_string_value(json_array_get(list, 0));
    const char *column = json_string_value(json_array_get(list, 1));
    struct rc_benchmark_value value = {number_at(list, 2), number_at(list, 3), number_at(list, 4),
                                       number_at(list, 5), 0};

    if (json_array_size(list) != MEMBERS || !row || !column || !isfinite(value.mean) ||
        !isfinite(value.when) || value.accuracy < 0 || value.spread < 0 ||
        (*row != '\0') != (input->n_parameters > 0) ||
        (*column != '\0') != (input->n_parameters > 1))
        return damaged(reading->error);
    return find_how(reading, json_array_get(list, MEMBERS - 1), &value.how) ||
                   rc_structural_benchmarks_put_cell(input, row, column, &value, reading->error)
               ? -1
               : 0;
}

static int read_input(const struct reading *reading, const json_t *object)
{
    const json_t *parameters = json_object_get(object, "parameters");
    const json_t *values = json_object_get(object, "values");
    struct rc_benchmark_about like = {.name = text_in(object, "name"),
                                      .description = text_in(object, "description"),
                                      .clauses = text_in(object, "way"),
                                      .n_parameters = json_array_size(parameters),
                                      .lifetime = number_in(object, "lifetime")};
    struct rc_benchmark_input *input;
    int status = 0;

    if (!like.name || !like.clauses || like.n_parameters > RC_MODEL_PARAMETERS_MAX)
        return damaged(reading->error);
    for (size_t i = 0; i < like.n_parameters; i++) {
        like.parameters[i] = json_string_value(json_array_get(parameters, i));
        if (!like.parameters[i])
            return damaged(reading->error);
    }
    input = rc_structural_benchmarks_place(reading->measured, &like, reading->error);
    for (size_t i = 0; input && i < json_array_size(values) && status == 0; i++)
        status = read_cell(reading, json_array_get(values, i), input);
    return input ? status : -1;
}

/* On failure `measured` is {0}. */
static int from_text(const char *text, struct rc_benchmarks *measured, struct rc_error *error)
{
    json_t *object = json_loads(text, 0, NULL);
    const json_t *inputs = json_object_get(object, "inputs");
    struct reading reading = {measured, json_object_get(object, "made"), NULL, error};
    size_t n = json_array_size(reading.made);
    int status = json_is_array(reading.made) && json_is_array(inputs) ? 0 : damaged(error);

    reading.places = calloc(n + 1, sizeof *reading.places);
    if (status == 0 && !reading.places)
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < n && status == 0; i++)
        reading.places[i] = NOWHERE;
    for (size_t i = 0; i < json_array_size(inputs) && status == 0; i++)
        status = read_input(&reading, json_array_get(inputs, i));
    free(reading.places);
    json_decref(object);
    if (status)
        rc_structural_benchmarks_free(measured);
    return status;
}

static int from_stored(const struct rc_stored_model *stored, const char *app,
                       struct rc_benchmarks *measured, struct rc_error *error)
{
    *measured = (struct rc_benchmarks){0};
    if (stored->format == FIRST_FORMAT)
        return rc_structural_benchmarks_read(stored->body, strlen(stored->body), measured, error);
    if (stored->format == RC_BENCHMARKS_FORMAT)
        return from_text(stored->body, measured, error);
    rc_error_set(error, "the measured inputs of '%s' have format %d; this version reads up to %d",
                 app, stored->format, RC_BENCHMARKS_FORMAT);
    return rc_error_hint(error, "use a newer runcast");
}

int rc_structural_benchmarks_load(struct rc_db *db, const char *app, const char *platform,
                                  struct rc_benchmarks *measured, struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_db_model_find(db, app, platform, METHOD, &stored, error);

    *measured = (struct rc_benchmarks){0};
    if (found <= 0)
        return found;
    if (from_stored(&stored, app, measured, error))
        found = -1;
    rc_db_stored_model_free(&stored);
    return found;
}

/* ---- changing ---- */

/* What is to be done to what the database has. */
struct changing {
    const char *app;
    const struct rc_benchmarks *fresh;  /* to be added; or */
    const struct rc_item *const *items; /* to be removed: inputs of these ways (0: all), */
    size_t n_items;
    const char *const *hosts; /* of these hosts (0: all) */
    size_t n_hosts, removed;
    struct rc_benchmarks all; /* what comes of it */
};

static int write_changed(struct changing *changing, char **body, struct rc_error *error)
{
    size_t n = 0;

    for (size_t i = 0; i < changing->all.n_inputs; i++)
        n += changing->all.inputs[i].n_cells;
    *body = n ? to_text(&changing->all) : NULL;
    return n && !*body ? rc_error_no_memory(error) : 0;
}

static int add_fresh(void *data, const struct rc_stored_model *now, char **body,
                     struct rc_error *error)
{
    struct changing *changing = data;

    if ((now && from_stored(now, changing->app, &changing->all, error)) ||
        rc_structural_benchmarks_merge(&changing->all, changing->fresh, error))
        return -1;
    return write_changed(changing, body, error);
}

static bool is_asked(const struct changing *changing, const struct rc_benchmark_input *input)
{
    for (size_t i = 0; i < changing->n_items; i++)
        if (rc_structural_benchmarks_fits(input, changing->items[i]))
            return true;
    return changing->n_items == 0;
}

static int remove_some(void *data, const struct rc_stored_model *now, char **body,
                       struct rc_error *error)
{
    struct changing *changing = data;
    bool everything = changing->n_items == 0 && changing->n_hosts == 0;

    if (now && from_stored(now, changing->app, &changing->all, everything ? NULL : error)) {
        changing->removed = 1;
        return everything ? 0 : -1; /* damaged, or of a newer format */
    }
    for (size_t i = 0; i < changing->all.n_inputs; i++)
        if (is_asked(changing, &changing->all.inputs[i]))
            changing->removed += rc_structural_benchmarks_drop(&changing->all.inputs[i],
                                                               changing->hosts, changing->n_hosts);
    return write_changed(changing, body, error);
}

int rc_structural_benchmarks_keep(struct rc_db *db, const char *app, const char *platform,
                                  const struct rc_benchmarks *fresh, struct rc_benchmarks *all,
                                  struct rc_error *error)
{
    struct changing changing = {.app = app, .fresh = fresh};
    int status = rc_db_model_change(db, app, platform, METHOD, RC_BENCHMARKS_FORMAT, add_fresh,
                                    &changing, error);

    if (status == 0 && all) {
        rc_structural_benchmarks_free(all);
        *all = changing.all;
    } else {
        rc_structural_benchmarks_free(&changing.all);
    }
    return status;
}

int rc_structural_benchmarks_forget(struct rc_db *db, const char *app, const char *platform,
                                    const struct rc_item *const *items, size_t n_items,
                                    const char *const *hosts, size_t n_hosts, size_t *removed,
                                    struct rc_error *error)
{
    struct changing changing = {
        .app = app, .items = items, .n_items = n_items, .hosts = hosts, .n_hosts = n_hosts};
    int status = rc_db_model_change(db, app, platform, METHOD, RC_BENCHMARKS_FORMAT, remove_some,
                                    &changing, error);

    *removed = changing.removed;
    rc_structural_benchmarks_free(&changing.all);
    return status;
}

/* ---- where ---- */

/* Names up to a NULL. */
struct names {
    char **items;
    size_t n, room;
    struct rc_error *error;
};

static int add_platform(void *data, const struct rc_model_row *row)
{
    struct names *names = data;

    if (rc_array_room(&names->items, names->n + 2, &names->room, sizeof *names->items,
                      names->error))
        return -1;
    names->items[names->n] = strdup(row->platform);
    if (!names->items[names->n])
        return rc_error_no_memory(names->error);
    names->items[++names->n] = NULL;
    return 0;
}

char **rc_structural_benchmarks_platforms(struct rc_db *db, const char *app, struct rc_error *error)
{
    struct names names = {.items = calloc(1, sizeof *names.items), .room = 1, .error = error};
    int status = names.items ? rc_db_model_list(db, app, METHOD, add_platform, &names, error)
                             : rc_error_no_memory(error);

    if (status == 0)
        return names.items;
    for (size_t i = 0; i < names.n; i++)
        free(names.items[i]);
    free(names.items);
    return NULL;
}

bool rc_structural_benchmarks_any(struct rc_db *db, const char *app)
{
    char **platforms = rc_structural_benchmarks_platforms(db, app, NULL);
    bool some = platforms && platforms[0];

    for (size_t i = 0; platforms && platforms[i]; i++)
        free(platforms[i]);
    free(platforms);
    return some;
}
