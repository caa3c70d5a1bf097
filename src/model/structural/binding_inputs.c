// SPDX-License-Identifier: GPL-3.0-or-later
/* binding_inputs.c - what the inputs of a binding are: in a table of the model, or from the
 * platform.  Those from series are in input_windows.c, those that are set in binding_settings.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/structural/binding_internal.h"

/* ---- tables ---- */

const struct rc_cell *rc_structural_bound_cell(const struct rc_item *item,
                                               const char *const *indices, size_t n_indices)
{
    size_t low = 0, high = item->n_cells;

    while (low < high && n_indices == item->n_parameters) {
        size_t middle = low + (high - low) / 2;
        const struct rc_cell *cell = &item->cells[middle];
        int order = strcmp(indices[0], cell->row);

        if (order == 0 && n_indices > 1)
            order = strcmp(indices[1], cell->column);
        if (order == 0)
            return cell;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---- the platform ---- */

/* The network between two hosts, or of one. */
static double network_field(const struct rc_binding *binding, const struct rc_bound_host *from,
                            const struct rc_bound_host *to, enum rc_platform_field field)
{
    const struct rc_platform *platform = binding->setting.platform;
    size_t a = (size_t)(from->cluster - platform->clusters);
    size_t b = to ? (size_t)(to->cluster - platform->clusters) : a;

    if (a == b)
        return from->cluster->n_networks == 0   ? NAN
               : field == RC_FIELD_OF_BANDWIDTH ? from->cluster->networks[0].bandwidth
                                                : from->cluster->networks[0].latency;
    for (size_t i = 0; i < platform->n_links; i++) {
        const struct rc_cluster_link *link = &platform->links[i];

        if ((link->cluster[0] == a && link->cluster[1] == b) ||
            (link->cluster[0] == b && link->cluster[1] == a))
            return field == RC_FIELD_OF_BANDWIDTH ? link->bandwidth : link->latency;
    }
    return NAN;
}

static double platform_field(const struct rc_binding *binding, const struct rc_bound_host *from,
                             const struct rc_bound_host *to, enum rc_platform_field field)
{
    const struct rc_host *host = &from->cluster->hosts[from->host];

    switch (field) {
    case RC_FIELD_OF_SPEED:
        return host->speed;
    case RC_FIELD_OF_CORES:
        return host->cores;
    case RC_FIELD_OF_MEMORY:
        return host->memory;
    case RC_FIELD_OF_PROCESSES:
        return from->processes;
    case RC_FIELD_OF_COST:
        return from->cluster->core_hour_cost;
    default:
        return network_field(binding, from, to, field);
    }
}

double rc_structural_bound_field(const struct rc_binding *binding, const char *from, const char *to,
                                 enum rc_platform_field field)
{
    const struct rc_bound_host *one = rc_structural_bound_host(binding, from);
    const struct rc_bound_host *other = to ? rc_structural_bound_host(binding, to) : NULL;

    return one && one->cluster && (!to || (other && other->cluster))
               ? platform_field(binding, one, other, field)
               : NAN;
}

/* NAN, with what is missing, where the platform does not tell. */
static double from_platform(struct rc_binding *binding, const struct rc_item *item,
                            const char *const *indices, size_t n_indices,
                            char missing[RC_REASON_SIZE])
{
    const struct rc_bound_host *ends[2] = {NULL, NULL};
    double x;

    for (size_t i = 0; i < n_indices && i < 2; i++) {
        ends[i] = rc_structural_bound_host(binding, indices[i]);
        if (!ends[i] || !ends[i]->cluster) {
            snprintf(missing, RC_REASON_SIZE, "%s: the platform has no host '%.80s'", item->name,
                     indices[i]);
            return NAN;
        }
    }
    x = platform_field(binding, ends[0], ends[1], item->field);
    binding->by_processes |= item->field == RC_FIELD_OF_PROCESSES;
    if (item->field == RC_FIELD_OF_PROCESSES && binding->left_over > 0) {
        snprintf(missing, RC_REASON_SIZE, "%s: %g processes too many for the hosts", item->name,
                 binding->left_over);
        return NAN;
    }
    if (isnan(x))
        snprintf(missing, RC_REASON_SIZE, "%s: the platform has no %s %s '%.40s'%s%.40s%s",
                 item->name, rc_structural_platform_field_names[item->field],
                 ends[1] ? "between" : "of", indices[0], ends[1] ? " and '" : "",
                 ends[1] ? indices[1] : "", ends[1] ? "'" : "");
    return x;
}

/* ---- all of them ---- */

void rc_structural_bound_check(const struct rc_binding *binding, const struct rc_item *item,
                               char missing[RC_REASON_SIZE])
{
    const struct rc_model_setting *setting = &binding->setting;
    const char *why = NULL;

    if (item->source == RC_FROM_USER)
        why = " is not set";
    else if (item->source == RC_FROM_SIZE && isnan(setting->size))
        why = ", the problem size, is not set";
    else if (item->source == RC_FROM_PROCESSES && isnan(setting->processes) &&
             binding->n_hosts == 0)
        why = ", the number of processes, is not set, and no hosts are given";
    else if (item->source == RC_FROM_PLATFORM && !setting->platform)
        why = " comes from a platform file, but none is given";
    else if ((item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST) && !setting->db &&
             !item->otherwise)
        why = " comes from the database, but there is none";
    missing[0] = '\0';
    if (why && !rc_structural_binding_is_set(binding, item->name))
        snprintf(missing, RC_REASON_SIZE, "%s%s", item->name, why);
}

/* Reports a missing value and the remedy. */
static struct rc_value *not_there(struct rc_binding *binding, const struct rc_item *item,
                                  const char *const *indices, size_t n_indices,
                                  struct rc_error *error)
{
    char name[RC_REASON_SIZE];
    const char *quote = n_indices > 0 ? "'" : ""; /* for shells */

    binding->missing = item;
    snprintf(binding->why, sizeof binding->why, "%.150s", error ? error->text : item->name);
    rc_text_mend_cut(binding->why, sizeof binding->why);
    rc_structural_bound_name(item, indices, n_indices, name);
    if (error && !error->hint[0] && !error->code)
        rc_error_code(error,
                      item->measure.kind != RC_MEASURE_NOTHING ? "structural.measure-or-set"
                                                               : "structural.set",
                      "%s%s=VALUE%s", quote, name, quote);
    if (error)
        rc_error_hint_of(&binding->advice, error);
    return NULL;
}

/* The number that an input is; NAN, with the error, where there is none. */
static double find_number(struct rc_binding *binding, const struct rc_item *item,
                          const char *const *indices, size_t n_indices, struct rc_error *error)
{
    const struct rc_model_setting *setting = &binding->setting;
    const char *what = item->source == RC_FROM_TABLE ? n_indices > 1 ? "has no value" : "has no row"
                                                     : "is not set";
    char missing[RC_REASON_SIZE];
    double x = NAN;

    rc_structural_bound_check(binding, item, missing);
    if (item->source == RC_FROM_SIZE)
        x = setting->size;
    if (item->source == RC_FROM_PROCESSES)
        x = !isnan(setting->processes) ? setting->processes
            : binding->n_hosts         ? (double)binding->n_hosts
                                       : NAN;
    if (item->source == RC_FROM_PLATFORM && setting->platform)
        x = from_platform(binding, item, indices, n_indices, missing);
    if (!isnan(x))
        return x;
    for (size_t i = 0; i < n_indices && !missing[0]; i++) {
        int set = rc_structural_bound_set(binding, indices[i]);

        if (set >= 0)
            snprintf(missing, sizeof missing, "'%.100s' is a set of %zu hosts, not one", indices[i],
                     binding->n_members[set]);
    }
    if (missing[0])
        rc_error_set(error, "%s", missing);
    else if (n_indices > 1)
        rc_error_set(error, "%s %s from '%s' to '%s'", item->name, what, indices[0], indices[1]);
    else
        rc_error_set(error, "%s %s for '%s'", item->name, what, n_indices ? indices[0] : "");
    return NAN;
}

static bool is_unknown(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_unknown; i++)
        if (strcmp(binding->unknown[i], name) == 0)
            return true;
    return false;
}

/* Notes an input that there is no series of. */
static void note_unknown(struct rc_binding *binding, const char *name)
{
    char **more = realloc(binding->unknown, (binding->n_unknown + 1) * sizeof *more);

    if (!more)
        return; /* it is only a note */
    binding->unknown = more;
    more[binding->n_unknown] = strdup(name);
    binding->n_unknown += more[binding->n_unknown] != NULL;
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    (void)info;
    *(bool *)data = true;
    return 1;
}

/* Whether the database has series, but none of that name, of any host. */
static bool missing_metric(struct rc_db *db, const char *metric)
{
    const struct rc_series_key only = {.metric = metric};
    bool any = false, found = false;

    return rc_db_series_list(db, &only, meet_series, &found, NULL) == 0 && !found &&
           rc_db_series_list(db, NULL, meet_series, &any, NULL) >= 0 && any;
}

const struct rc_expression *rc_structural_bound_otherwise(struct rc_binding *binding,
                                                          const struct rc_item *item,
                                                          const char *const *indices,
                                                          size_t n_indices)
{
    bool series = item->source == RC_FROM_SERIES || !isnan(binding->setting.until);
    char name[RC_REASON_SIZE];

    rc_structural_bound_name(item, indices, n_indices, name);
    if (is_unknown(binding, name))
        return item->otherwise; /* nobody looks twice */
    if (series ? rc_structural_bound_has_series(binding, item, indices, n_indices)
               : rc_structural_bound_has_forecast(binding, item, indices, n_indices))
        return NULL;
    note_unknown(binding, name);
    if (binding->setting.db && missing_metric(binding->setting.db, item->metric))
        rc_structural_bound_note(binding, RC_NOTE_NO_METRIC, item, name, 0, 0);
    return item->otherwise;
}

struct rc_value *rc_structural_bound_input(struct rc_bound_context *context,
                                           const struct rc_item *item, const char *const *indices,
                                           size_t n_indices, struct rc_error *error)
{
    struct rc_binding *binding = context->binding;
    struct rc_value *value;
    double x;

    if (item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST) {
        /* In hindsight, what a forecast was of is known. */
        value = item->source == RC_FROM_SERIES || !isnan(binding->setting.until)
                    ? rc_structural_bound_series(context, item, indices, n_indices, error)
                    : rc_structural_bound_forecast(context, item, indices, n_indices, error);
        return value ? value : not_there(binding, item, indices, n_indices, error);
    }
    x = find_number(binding, item, indices, n_indices, error);
    return isnan(x) ? not_there(binding, item, indices, n_indices, error)
                    : rc_value_point(x, error);
}

void rc_structural_bound_inputs_free(struct rc_binding *binding)
{
    for (size_t i = 0; i < binding->n_unknown; i++)
        free(binding->unknown[i]);
    free(binding->unknown);
    rc_structural_bound_windows_free(binding);
    rc_structural_bound_notes_free(binding);
}
