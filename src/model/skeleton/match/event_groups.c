// SPDX-License-Identifier: GPL-3.0-or-later
/* event_groups.c - finds the event groups of a program, in time that grows with the number of
 * calls.
 *
 * Take calls as the points of a graph, with an arrow from each call to the next one of its rank,
 * and arrows both ways between calls that belong together: the two ends of a message, the members
 * of a collective call, a request's beginning and its completion.  The event groups are the
 * strongly connected components of this graph: were two event groups to need each other, they would
 * be one.
 *
 * Why they matter: if any set of event groups is left out of a program, the rest still runs to its
 * end. Every call that is left has all the others that it waits for, and whatever made the whole
 * program free of deadlocks, that each call can be done once those before it are, still holds.
 *
 * The search goes depth first, like that of Gabow ("Path-based depth-first search for strong and
 * biconnected components", 2000), but over ranks instead of calls: only the first call of a rank
 * that is in no event group yet can be looked at, so a rank is in at most one unfinished group, and
 * the path of groups is no longer than there are ranks.
 *
 * Event groups are then put in an order that does not depend on the search: by level.  Levels
 * repeat where the program does, which a walk from rank to rank would not. */
#include "model/skeleton/match/event_groups.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

struct search {
    const struct rc_program *program;
    const struct rc_match *match;
    struct rc_event_groups *groups;
    struct rc_error *error;
    size_t group_room, part_room;
    /* By rank. */
    uint32_t *taken;   /* calls that are in event groups */
    uint32_t *looked;  /* calls that were looked at, from `taken` on */
    uint32_t *reach;   /* the group must go as far as this call */
    uint32_t *group;   /* place on the path of the group that the rank is in, or NONE */
    uint32_t *level;   /* of the last event group */
    bool *is_led;      /* only calls that stand alone were looked at so far */
    uint32_t *members; /* ranks that are in groups, in the order of the path */
    uint32_t n_members;
    uint32_t *path; /* for each group, where its members begin */
    uint32_t n_path;
    uint32_t hint; /* place in `members` */
};

static int search_init(struct search *search)
{
    uint32_t n = search->program->ranks;

    search->taken = calloc(n, sizeof *search->taken);
    search->looked = calloc(n, sizeof *search->looked);
    search->reach = calloc(n, sizeof *search->reach);
    search->group = malloc(n * sizeof *search->group);
    search->level = calloc(n, sizeof *search->level);
    search->is_led = calloc(n, sizeof *search->is_led);
    search->members = calloc(n, sizeof *search->members);
    search->path = calloc(n, sizeof *search->path);
    if (!search->taken || !search->looked || !search->reach || !search->group || !search->level ||
        !search->is_led || !search->members || !search->path)
        return rc_error_no_memory(search->error);
    for (uint32_t i = 0; i < n; i++)
        search->group[i] = RC_PROGRAM_NONE;
    return 0;
}

static void search_free(struct search *search)
{
    free(search->taken);
    free(search->looked);
    free(search->reach);
    free(search->group);
    free(search->level);
    free(search->is_led);
    free(search->members);
    free(search->path);
}

/* ---- groups ---- */

/* Puts a rank, with its next call, into the group at the end of the path. */
static void join(struct search *search, uint32_t rank)
{
    assert(search->group[rank] == RC_PROGRAM_NONE && search->n_members < search->program->ranks);
    search->members[search->n_members++] = rank;
    search->group[rank] = search->n_path - 1;
    search->looked[rank] = search->taken[rank];
    search->reach[rank] = search->taken[rank] + 1;
    search->is_led[rank] = true;
}

static void begin_group(struct search *search, uint32_t rank)
{
    search->path[search->n_path++] = search->n_members;
    join(search, rank);
}

/* Makes one group of all from `group` to the end of the path. */
static void merge_groups(struct search *search, uint32_t group)
{
    for (uint32_t i = search->path[group]; i < search->n_members; i++)
        search->group[search->members[i]] = group;
    search->n_path = group + 1;
}

/* The group at the end of the path needs a call of a rank.  False where that has calls before it
 * that must be in event groups first: then a group of these was begun. */
static bool need(struct search *search, uint32_t rank, uint32_t event)
{
    if (search->group[rank] == RC_PROGRAM_NONE) {
        if (search->taken[rank] < event) {
            begin_group(search, rank);
            return false;
        }
        join(search, rank);
    }
    if (search->group[rank] < search->n_path - 1)
        merge_groups(search, search->group[rank]);
    if (search->reach[rank] <= event)
        search->reach[rank] = event + 1;
    return true;
}

static bool need_collective(struct search *search, uint32_t number)
{
    const struct rc_match_collective *collective = search->match->collectives + number;
    const struct rc_match_communicator *group =
        search->match->communicators + collective->communicator;

    for (uint32_t m = 0; m < group->n; m++)
        if (!need(search, group->members[m], search->match->members[collective->first + m]))
            return false;
    return true;
}

/* Needs all that belongs to a call.  False as above: the call is to be looked at again. */
static bool look_at(struct search *search, uint32_t rank, uint32_t event)
{
    const struct rc_match_link *link = search->match->links[rank] + event;
    const struct rc_match_message *messages = search->match->messages;

    if (link->out != RC_PROGRAM_NONE &&
        !need(search, messages[link->out].receiver, messages[link->out].receive))
        return false;
    if (link->in != RC_PROGRAM_NONE &&
        !need(search, messages[link->in].sender, messages[link->in].send))
        return false;
    if (link->collective != RC_PROGRAM_NONE && !need_collective(search, link->collective))
        return false;
    if (link->done != RC_PROGRAM_NONE)
        need(search, rank, link->done);
    return true;
}

/* ---- event groups ---- */

static int compare_parts(const void *a, const void *b)
{
    const struct rc_event_group_part *x = a, *y = b;

    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int make_room(struct search *search, uint32_t parts)
{
    struct rc_event_groups *groups = search->groups;

    return rc_array_room(&groups->at, groups->n + 1, &search->group_room, sizeof *groups->at,
                         search->error) ||
                   rc_array_room(&groups->parts, groups->n_parts + parts, &search->part_room,
                                 sizeof *groups->parts, search->error)
               ? -1
               : 0;
}

/* The group at the end of the path is complete. */
static int end_group(struct search *search)
{
    uint32_t begin = search->path[--search->n_path], n = search->n_members - begin, level = 0;
    struct rc_event_groups *groups = search->groups;
    struct rc_event_group *group;

    if (make_room(search, n))
        return -1;
    group = groups->at + groups->n++;
    *group = (struct rc_event_group){.first = groups->n_parts, .n_parts = n};
    for (uint32_t i = begin; i < search->n_members; i++) {
        uint32_t rank = search->members[i];

        groups->parts[groups->n_parts++] = (struct rc_event_group_part){
            .rank = rank, .begin = search->taken[rank], .end = search->reach[rank]};
        search->taken[rank] = search->reach[rank];
        search->group[rank] = RC_PROGRAM_NONE;
        if (search->level[rank] > level)
            level = search->level[rank];
    }
    group->level = level + 1;
    for (uint32_t i = begin; i < search->n_members; i++)
        search->level[search->members[i]] = level + 1;
    search->n_members = begin;
    qsort(groups->parts + group->first, n, sizeof *groups->parts, compare_parts);
    return 0;
}

/* A member of the group at the end of the path that has calls to look at, or NONE.  Looks first at
 * the one that had some last time. */
static uint32_t unfinished(struct search *search)
{
    uint32_t begin = search->path[search->n_path - 1], n = search->n_members - begin;

    if (search->hint < begin || search->hint >= search->n_members)
        search->hint = begin;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = search->members[search->hint];

        if (search->looked[rank] < search->reach[rank])
            return rank;
        if (++search->hint == search->n_members)
            search->hint = begin;
    }
    return RC_PROGRAM_NONE;
}

/* Whether a call stands alone. */
static bool is_alone(const struct search *search, uint32_t rank, uint32_t event)
{
    const struct rc_match_link *link = search->match->links[rank] + event;

    return rc_skeleton_match_is_local(link) && link->done == RC_PROGRAM_NONE;
}

/* Calls that stand alone go with the next call of their rank that does not. */
static void pass(struct search *search, uint32_t rank)
{
    uint32_t event = search->looked[rank]++;

    if (!is_alone(search, rank, event))
        search->is_led[rank] = false;
    else if (search->is_led[rank] && search->reach[rank] == event + 1 &&
             event + 1 < search->program->rank[rank].n_events)
        search->reach[rank]++;
}

static int find_from(struct search *search, uint32_t rank)
{
    begin_group(search, rank);
    while (search->n_path > 0) {
        uint32_t at = unfinished(search);

        if (at == RC_PROGRAM_NONE) {
            if (end_group(search))
                return -1;
        } else if (look_at(search, at, search->looked[at])) {
            pass(search, at);
        }
    }
    return 0;
}

/* ---- order ---- */

static uint32_t first_rank(const struct rc_event_groups *groups, const struct rc_event_group *group)
{
    return groups->parts[group->first].rank;
}

/* Sorts by first rank and then by level, each with one pass of counting: that keeps the order of
 * equals. */
static int sort_by(struct rc_event_groups *groups, uint32_t keys, bool by_level,
                   struct rc_error *error)
{
    struct rc_event_group *sorted = malloc((groups->n + 1) * sizeof *sorted);
    size_t *begin = calloc((size_t)keys + 2, sizeof *begin);

    if (!sorted || !begin) {
        free(sorted);
        free(begin);
        return rc_error_no_memory(error);
    }
    for (size_t i = 0; i < groups->n; i++)
        begin[(by_level ? groups->at[i].level : first_rank(groups, groups->at + i)) + 1]++;
    for (uint32_t k = 0; k <= keys; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < groups->n; i++)
        sorted[begin[by_level ? groups->at[i].level : first_rank(groups, groups->at + i)]++] =
            groups->at[i];
    free(begin);
    free(groups->at);
    groups->at = sorted;
    return 0;
}

static int sort(struct rc_event_groups *groups, uint32_t ranks, struct rc_error *error)
{
    uint32_t levels = 0;

    for (size_t i = 0; i < groups->n; i++)
        if (groups->at[i].level > levels)
            levels = groups->at[i].level;
    return sort_by(groups, ranks, false, error) || sort_by(groups, levels, true, error) ? -1 : 0;
}

int rc_skeleton_event_groups_find(const struct rc_program *program, const struct rc_match *match,
                                  struct rc_event_groups *groups, struct rc_error *error)
{
    struct search search = {.program = program, .match = match, .groups = groups, .error = error};
    int result;

    *groups = (struct rc_event_groups){0};
    result = search_init(&search);
    for (uint32_t rank = 0; !result && rank < program->ranks; rank++)
        while (!result && search.taken[rank] < program->rank[rank].n_events)
            result = find_from(&search, rank);
    if (!result)
        result = sort(groups, program->ranks, error);
    search_free(&search);
    if (result)
        rc_skeleton_event_groups_free(groups);
    return result;
}

void rc_skeleton_event_groups_free(struct rc_event_groups *groups)
{
    free(groups->at);
    free(groups->parts);
    *groups = (struct rc_event_groups){0};
}
