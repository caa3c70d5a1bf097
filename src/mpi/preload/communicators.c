// SPDX-License-Identifier: BSD-2-Clause
/* communicators.c - numbers for communicators, and their members. */
#include <stdlib.h>

#include "mpi/preload/recorder_internal.h"

enum { WORLD, SELF, UNKNOWN, FIRST, COMMUNICATORS_MAX = 1 << 16 };
enum { RANK, OTHERS, SOURCES, DESTINATIONS }; /* values of an entry */

static struct rc_preload_table table;
static MPI_Group world;

int rc_preload_communicators_init(void)
{
    return PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS
               ? rc_preload_table_init(&table, COMMUNICATORS_MAX)
               : -1;
}

static int32_t find(MPI_Comm comm)
{
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(&table, RC_PRELOAD_KEY(comm), NULL);
    rc_preload_unlock();
    return number;
}

int32_t rc_preload_communicator(MPI_Comm comm)
{
    int32_t number;

    if (comm == MPI_COMM_WORLD)
        return WORLD;
    if (comm == MPI_COMM_SELF)
        return SELF;
    number = find(comm);
    return number < 0 ? UNKNOWN : number + FIRST;
}

/* ---- members of a communicator ---- */

/* A list that grows in the thread's scratch memory. */
struct list {
    struct rc_preload_thread *thread;
    int32_t *items;
    uint32_t length;
};

static void append(struct list *list, int32_t item)
{
    int32_t *items;

    if (list->length >= RC_TRACE_LIST_MAX)
        return;
    items = rc_preload_scratch(list->thread, RC_PRELOAD_LIST, (list->length + 1) * sizeof *items);
    if (!items)
        return;
    items[list->length++] = item;
    list->items = items;
}

/* The world ranks of a group's members; frees the group. */
static void append_group(struct list *list, MPI_Group group)
{
    int size = 0, *ranks = NULL, *theirs = NULL;

    PMPI_Group_size(group, &size);
    if (size > 0)
        ranks = malloc((size_t)size * 2 * sizeof *ranks);
    if (ranks) {
        theirs = ranks + size;
        for (int i = 0; i < size; i++)
            ranks[i] = i;
        if (PMPI_Group_translate_ranks(group, size, ranks, world, theirs) == MPI_SUCCESS)
            for (int i = 0; i < size; i++)
                append(list, theirs[i] >= 0 ? theirs[i] : RC_TRACE_NULL);
        free(ranks);
    }
    PMPI_Group_free(&group);
}

static void append_members(struct list *list, MPI_Comm comm)
{
    MPI_Group group;
    int inter = 0;

    if (PMPI_Comm_group(comm, &group) == MPI_SUCCESS)
        append_group(list, group);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter && PMPI_Comm_remote_group(comm, &group) == MPI_SUCCESS) {
        append(list, RC_TRACE_NONE);
        append_group(list, group);
    }
}

/* ---- neighbours ---- */

/* `row` has `sources` ranks and then the destinations; NULL where there are none. */
struct neighbours {
    int sources, destinations;
    int *row;
};

#ifdef RC_PRELOAD_SIMULATED
/* SMPI has no calls among neighbours, and ends the program when it is asked for them. */
static bool find_neighbours(MPI_Comm comm, int rank, struct neighbours *neighbours)
{
    (void)comm;
    (void)rank;
    *neighbours = (struct neighbours){0};
    return false;
}
#else
static int make_row(struct neighbours *neighbours, int sources, int destinations)
{
    neighbours->row =
        malloc(((size_t)sources + (size_t)destinations + 1) * sizeof *neighbours->row);
    if (!neighbours->row)
        return -1;
    neighbours->sources = sources;
    neighbours->destinations = destinations;
    return 0;
}

/* In each dimension the one before, and the one behind. */
static void cart_neighbours(MPI_Comm comm, struct neighbours *neighbours)
{
    int dimensions = 0;

    PMPI_Cartdim_get(comm, &dimensions);
    if (make_row(neighbours, 2 * dimensions, 2 * dimensions) != 0)
        return;
    for (int i = 0; i < dimensions; i++) {
        int *pair = neighbours->row + 2 * i;

        PMPI_Cart_shift(comm, i, 1, &pair[0], &pair[1]);
        pair[2 * dimensions] = pair[0];
        pair[2 * dimensions + 1] = pair[1];
    }
}

static void graph_neighbours(MPI_Comm comm, int rank, struct neighbours *neighbours)
{
    int count = 0;

    PMPI_Graph_neighbors_count(comm, rank, &count);
    if (make_row(neighbours, count, count) != 0)
        return;
    PMPI_Graph_neighbors(comm, rank, count, neighbours->row);
    PMPI_Graph_neighbors(comm, rank, count, neighbours->row + count);
}

static void dist_graph_neighbours(MPI_Comm comm, struct neighbours *neighbours)
{
    int sources = 0, destinations = 0, weighted = 0, *weights;

    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
    weights = malloc(((size_t)sources + (size_t)destinations + 1) * sizeof *weights);
    if (weights && make_row(neighbours, sources, destinations) == 0)
        PMPI_Dist_graph_neighbors(comm, sources, neighbours->row, weights, destinations,
                                  neighbours->row + sources, weights + sources);
    free(weights);
}

static bool find_neighbours(MPI_Comm comm, int rank, struct neighbours *neighbours)
{
    int topology = MPI_UNDEFINED, inter = 0;

    *neighbours = (struct neighbours){0};
    PMPI_Comm_test_inter(comm, &inter);
    if (inter || PMPI_Topo_test(comm, &topology) != MPI_SUCCESS)
        return false;
    if (topology == MPI_CART)
        cart_neighbours(comm, neighbours);
    else if (topology == MPI_GRAPH)
        graph_neighbours(comm, rank, neighbours);
    else if (topology == MPI_DIST_GRAPH)
        dist_graph_neighbours(comm, neighbours);
    return neighbours->row != NULL;
}
#endif

static void append_neighbours(struct list *list, const struct neighbours *neighbours)
{
    append(list, RC_TRACE_ANY);
    append(list, neighbours->sources);
    for (int i = 0; i < neighbours->sources + neighbours->destinations; i++)
        append(list, rc_preload_peer(neighbours->row[i]));
}

/* ---- made and gone ---- */

static void query_sizes(MPI_Comm comm, struct rc_preload_sizes *sizes)
{
    int inter = 0;

    *sizes = (struct rc_preload_sizes){0};
    PMPI_Comm_rank(comm, &sizes->rank);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &sizes->others);
    else
        PMPI_Comm_size(comm, &sizes->others);
}

static int32_t add(uint64_t handle, const struct rc_preload_sizes *sizes)
{
    int32_t number, *values;

    rc_preload_lock();
    number = rc_preload_table_add(&table, handle, NULL);
    if (number >= 0) {
        values = table.entries[number].values;
        values[RANK] = sizes->rank;
        values[OTHERS] = sizes->others;
        values[SOURCES] = sizes->sources;
        values[DESTINATIONS] = sizes->destinations;
    }
    rc_preload_unlock();
    return number < 0 ? UNKNOWN : number + FIRST;
}

static void set_list(struct rc_trace_call *call, const struct list *list)
{
    call->list = list->items;
    call->list_length = list->items ? list->length : 0;
}

int32_t rc_preload_communicator_add(struct rc_preload_thread *thread, MPI_Comm comm,
                                    struct rc_trace_call *call)
{
    struct list list = {.thread = thread};
    struct neighbours neighbours;
    struct rc_preload_sizes sizes;

    if (comm == MPI_COMM_NULL)
        return RC_TRACE_NONE;
    append_members(&list, comm);
    query_sizes(comm, &sizes);
    if (find_neighbours(comm, sizes.rank, &neighbours)) {
        append_neighbours(&list, &neighbours);
        sizes.sources = neighbours.sources;
        sizes.destinations = neighbours.destinations;
    }
    free(neighbours.row);
    set_list(call, &list);
    return add(RC_PRELOAD_KEY(comm), &sizes);
}

/* The new communicator is not there yet, but will be as its parent is. */
int32_t rc_preload_communicator_idup(struct rc_preload_thread *thread, MPI_Comm parent,
                                     struct rc_trace_call *call)
{
    struct list list = {.thread = thread};
    struct neighbours neighbours;
    struct rc_preload_sizes sizes;

    append_members(&list, parent);
    rc_preload_communicator_sizes(parent, &sizes);
    if (find_neighbours(parent, sizes.rank, &neighbours))
        append_neighbours(&list, &neighbours);
    free(neighbours.row);
    set_list(call, &list);
    return add(RC_PRELOAD_KEY(MPI_COMM_NULL), &sizes);
}

void rc_preload_communicator_name(int32_t number, MPI_Comm comm)
{
    rc_preload_lock();
    if (number >= FIRST)
        rc_preload_table_rename(&table, number - FIRST, RC_PRELOAD_KEY(comm));
    rc_preload_unlock();
}

int32_t rc_preload_communicator_leaving(MPI_Comm comm)
{
    int32_t number = rc_preload_communicator(comm);

    rc_preload_lock();
    if (number >= FIRST)
        rc_preload_table_leave(&table, number - FIRST);
    rc_preload_unlock();
    return number;
}

void rc_preload_communicator_left(int32_t number, bool gone)
{
    rc_preload_lock();
    if (number >= FIRST)
        (gone ? rc_preload_table_remove : rc_preload_table_stay)(&table, number - FIRST);
    rc_preload_unlock();
}

void rc_preload_communicator_sizes(MPI_Comm comm, struct rc_preload_sizes *sizes)
{
    struct neighbours neighbours;
    const int32_t *values;
    int32_t number;

    rc_preload_lock();
    number = rc_preload_table_find(&table, RC_PRELOAD_KEY(comm), NULL);
    if (number >= 0) {
        values = table.entries[number].values;
        *sizes = (struct rc_preload_sizes){.rank = values[RANK],
                                           .others = values[OTHERS],
                                           .sources = values[SOURCES],
                                           .destinations = values[DESTINATIONS]};
    }
    rc_preload_unlock();
    if (number >= 0)
        return;
    query_sizes(comm, sizes);
    if (find_neighbours(comm, sizes->rank, &neighbours)) {
        sizes->sources = neighbours.sources;
        sizes->destinations = neighbours.destinations;
    }
    free(neighbours.row);
}
