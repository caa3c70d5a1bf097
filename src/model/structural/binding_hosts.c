// SPDX-License-Identifier: GPL-3.0-or-later
/* binding_hosts.c - the hosts of a binding, their place in the platform, and sets of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/binding_internal.h"

/* ---- which hosts ---- */

static size_t platform_hosts(const struct rc_platform *platform)
{
    size_t n = 0;

    for (size_t c = 0; platform && c < platform->n_clusters; c++)
        n += platform->clusters[c].n_hosts;
    return n;
}

/* Those that the model names here; a section's own go before those for everywhere. */
static const struct rc_model_hosts *model_hosts(const struct rc_binding *binding)
{
    const struct rc_model *model = binding->model;
    const struct rc_model_hosts *found = NULL;

    for (size_t i = 0; i < model->n_hosts; i++)
        if (rc_structural_bound_holds(binding, model->hosts[i].section) &&
            (!found || model->hosts[i].section >= found->section))
            found = &model->hosts[i];
    return found;
}

/* As asked for, or as the model says, or all of the platform. */
static int collect_names(struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_model_setting *setting = &binding->setting;
    const struct rc_model_hosts *named = model_hosts(binding);
    const struct rc_platform *platform = setting->platform;
    size_t n = setting->n_hosts ? setting->n_hosts
               : named          ? named->n_names
                                : platform_hosts(platform);

    binding->names = calloc(n + 1, sizeof *binding->names);
    if (!binding->names)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n && (setting->n_hosts || named); i++)
        binding->names[i] = setting->n_hosts ? setting->hosts[i] : named->names[i];
    if (!setting->n_hosts && !named) {
        n = 0;
        for (size_t c = 0; platform && c < platform->n_clusters; c++)
            for (size_t h = 0; h < platform->clusters[c].n_hosts; h++)
                binding->names[n++] = platform->clusters[c].hosts[h].name;
    }
    binding->n_hosts = n;
    return 0;
}

static int index_names(struct rc_binding *binding, struct rc_error *error)
{
    struct rc_bound_host *found;

    binding->hosts = calloc(binding->n_hosts + 1, sizeof *binding->hosts);
    binding->pairs = calloc(2 * binding->n_hosts + 1, sizeof *binding->pairs);
    if (!binding->hosts || !binding->pairs)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < binding->n_hosts; i++) {
        struct rc_bound_host *host = &binding->hosts[i];

        *host = (struct rc_bound_host){.name = binding->names[i], .index = i};
        HASH_FIND_STR(binding->by_name, host->name, found);
        if (found)
            return rc_error_set(error, "duplicate host '%s'", host->name);
        HASH_ADD_KEYPTR(hh, binding->by_name, host->name, strlen(host->name), host);
        HASH_FIND_STR(binding->by_name, host->name, found);
        if (!found)
            return rc_error_no_memory(error);
        if (i > 0) {
            binding->pairs[2 * i] = binding->names[i - 1];
            binding->pairs[2 * (i - 1) + 1] = binding->names[i];
        }
    }
    return 0;
}

const struct rc_bound_host *rc_structural_bound_host(const struct rc_binding *binding,
                                                     const char *name)
{
    struct rc_bound_host *found;

    HASH_FIND_STR(binding->by_name, name, found);
    return found;
}

/* ---- the platform ---- */

static void find_in_platform(struct rc_binding *binding)
{
    const struct rc_platform *platform = binding->setting.platform;
    struct rc_bound_host *host;

    for (size_t c = 0; platform && c < platform->n_clusters; c++)
        for (size_t h = 0; h < platform->clusters[c].n_hosts; h++) {
            HASH_FIND_STR(binding->by_name, platform->clusters[c].hosts[h].name, host);
            if (host) {
                host->cluster = &platform->clusters[c];
                host->host = h;
            }
        }
}

static double slots(const struct rc_bound_host *host)
{
    return host->cluster ? rc_platform_cluster_slots(host->cluster, host->host) : 1;
}

/* Without a word on their number, each host has one.  Otherwise they go to the hosts in their
 * order, as each one's cluster says: a host is filled before the next, or each gets one in turn. */
int rc_structural_bound_place(struct rc_binding *binding, struct rc_error *error)
{
    double left = binding->setting.processes;
    bool placed = true, known = binding->n_hosts > 0;

    for (size_t i = 0; i < binding->n_hosts; i++) {
        struct rc_bound_host *host = &binding->hosts[i];

        known = known && host->cluster;
        if (isnan(left)) {
            host->processes = 1;
        } else if (host->cluster && host->cluster->order == RC_PLACE_PACKED) {
            host->processes = (int)fmin(slots(host), left);
            left -= host->processes;
        }
    }
    while (left >= 1 && placed) {
        placed = false;
        for (size_t i = 0; i < binding->n_hosts && left >= 1; i++)
            if (binding->hosts[i].processes < slots(&binding->hosts[i])) {
                binding->hosts[i].processes++;
                left--;
                placed = true;
            }
    }
    binding->left_over = left >= 1 ? left : 0;
    if (!known || binding->left_over == 0)
        return 0;
    rc_error_set(error, "%g processes are %g too many for the %zu host%s",
                 binding->setting.processes, left, binding->n_hosts,
                 binding->n_hosts == 1 ? "" : "s");
    return rc_error_hint(error,
                         "check the cores and processes of these hosts in the platform file");
}

/* ---- sets ---- */

int rc_structural_bound_set(const struct rc_binding *binding, const char *name)
{
    const struct rc_model *model = binding->model;
    int found = -1;

    for (size_t i = 0; i < model->n_sets; i++)
        if (strcmp(model->sets[i].name, name) == 0 &&
            rc_structural_bound_holds(binding, model->sets[i].section) &&
            (found < 0 || model->sets[i].section >= model->sets[found].section))
            found = (int)i;
    return found;
}

bool rc_structural_bound_is_member(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->model->n_sets; i++)
        for (size_t k = 0; binding->sets[i] && k < binding->n_members[i]; k++)
            if (strcmp(binding->sets[i][k], name) == 0)
                return true;
    return false;
}

static int set_fault(const struct rc_binding *binding, const struct rc_model_set *set,
                     struct rc_error *error, const char *text)
{
    return rc_error_at(error, binding->model->files[set->file].name, set->line, set->column, "%s",
                       text);
}

static int fill_set(struct rc_binding *binding, size_t index, size_t depth, struct rc_error *error);

/* The members of the set that another one is made of. */
static int find_base(struct rc_binding *binding, const struct rc_model_set *set, size_t depth,
                     const char *const **members, size_t *n_members, struct rc_error *error)
{
    int base = rc_structural_bound_set(binding, set->of);

    if (strcmp(set->of, "hosts") == 0) {
        *members = binding->names;
        *n_members = binding->n_hosts;
        return 0;
    }
    if (base < 0)
        return set_fault(binding, set, error, "it is made from an unknown set");
    if (fill_set(binding, (size_t)base, depth + 1, error))
        return -1;
    *members = binding->sets[base];
    *n_members = binding->n_members[base];
    return 0;
}

static int copy_members(struct rc_binding *binding, size_t index, const char *const *from,
                        size_t count, struct rc_error *error)
{
    binding->sets[index] = calloc(count + 1, sizeof **binding->sets);
    if (!binding->sets[index])
        return rc_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        binding->sets[index][i] = from[i];
    binding->n_members[index] = count;
    return 0;
}

static int fill_set(struct rc_binding *binding, size_t index, size_t depth, struct rc_error *error)
{
    const struct rc_model_set *set = &binding->model->sets[index];
    const char *const *members = NULL;
    size_t n = 0, skip, count;

    if (binding->sets[index])
        return 0;
    if (depth > binding->model->n_sets)
        return set_fault(binding, set, error, "the set is made from itself");
    if (set->kind == RC_SET_LIST)
        return copy_members(binding, index, (const char *const *)set->hosts, set->n_hosts, error);
    if (find_base(binding, set, depth, &members, &n, error))
        return -1;
    if (n == 0 && set->kind != RC_SET_SAME) {
        set_fault(binding, set, error, "it is made from an empty set");
        return rc_error_code(error, "structural.name-hosts", NULL);
    }
    skip = set->kind == RC_SET_REST ? 1 : set->kind == RC_SET_LAST ? n - 1 : 0;
    count = set->kind == RC_SET_SAME ? n : set->kind == RC_SET_REST ? n - 1 : 1;
    return copy_members(binding, index, members + skip, count, error);
}

static int fill_sets(struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_model *model = binding->model;

    binding->sets = calloc(model->n_sets + 1, sizeof *binding->sets);
    binding->n_members = calloc(model->n_sets + 1, sizeof *binding->n_members);
    if (!binding->sets || !binding->n_members)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < model->n_sets; i++)
        if (rc_structural_bound_holds(binding, model->sets[i].section) &&
            fill_set(binding, i, 0, error))
            return -1;
    return 0;
}

int rc_structural_bound_hosts(struct rc_binding *binding, struct rc_error *error)
{
    if (collect_names(binding, error) || index_names(binding, error))
        return -1;
    find_in_platform(binding);
    return fill_sets(binding, error);
}

void rc_structural_bound_hosts_free(struct rc_binding *binding)
{
    HASH_CLEAR(hh, binding->by_name);
    for (size_t i = 0; binding->hosts && i < binding->n_hosts; i++)
        free(binding->hosts[i].others);
    for (size_t i = 0; binding->sets && i < binding->model->n_sets; i++)
        free(binding->sets[i]);
    free(binding->hosts);
    free(binding->names);
    free(binding->pairs);
    free(binding->sets);
    free(binding->n_members);
}

/* ---- members ---- */

static int others_of(struct rc_binding *binding, struct rc_bound_host *host,
                     const char *const **members, struct rc_error *error)
{
    size_t n = 0;

    if (!host->others) {
        host->others = calloc(binding->n_hosts, sizeof *host->others);
        if (!host->others)
            return rc_error_no_memory(error);
        for (size_t i = 0; i < binding->n_hosts; i++)
            if (i != host->index)
                host->others[n++] = binding->names[i];
    }
    *members = host->others;
    return 0;
}

/* others[h], left[h], right[h], neighbours[h] */
static int around_host(struct rc_binding *binding, const char *set, const char *name,
                       const char *const **members, size_t *n_members, struct rc_error *error)
{
    struct rc_bound_host *host;
    bool has_left, has_right, left = strcmp(set, "left") == 0, right = strcmp(set, "right") == 0;

    HASH_FIND_STR(binding->by_name, name, host);
    if (!host)
        return rc_error_set(error, "'%s' is not one of the hosts, so it has no %s", name, set);
    if (strcmp(set, "others") == 0) {
        *n_members = binding->n_hosts - 1;
        return others_of(binding, host, members, error);
    }
    has_left = host->index > 0 && !right;
    has_right = host->index + 1 < binding->n_hosts && !left;
    *members = (const char *const *)binding->pairs + 2 * host->index + (has_left ? 0 : 1);
    *n_members = (size_t)has_left + (size_t)has_right;
    return 0;
}

static const char *const around[] = {"others", "left", "right", "neighbours"};
enum { N_AROUND = sizeof around / sizeof *around };

int rc_structural_bound_members(void *data, const char *set, const char *const *indices,
                                size_t n_indices, const char *const **members, size_t *n_members,
                                struct rc_error *error)
{
    struct rc_binding *binding = ((struct rc_bound_context *)data)->binding;
    int index = rc_structural_bound_set(binding, set);
    bool of_host = false;

    for (size_t i = 0; i < N_AROUND; i++)
        of_host |= strcmp(set, around[i]) == 0;
    if (n_indices != (of_host ? 1 : 0) && (of_host || index >= 0 || strcmp(set, "hosts") == 0))
        return rc_error_set(error, of_host ? "%s[h] needs one host" : "the set '%s' takes no index",
                            set);
    binding->over_hosts = true;
    if (of_host)
        return around_host(binding, set, indices[0], members, n_members, error);
    if (strcmp(set, "hosts") == 0) {
        *members = binding->names;
        *n_members = binding->n_hosts;
        if (binding->n_hosts == 0) {
            rc_error_set(error, "no hosts given");
            return rc_error_code(error, "structural.no-hosts", NULL);
        }
        return 0;
    }
    if (index < 0)
        return rc_error_set(error, "no set '%s'", set);
    *members = binding->sets[index];
    *n_members = binding->n_members[index];
    return 0;
}
