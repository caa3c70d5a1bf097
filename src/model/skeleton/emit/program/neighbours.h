// SPDX-License-Identifier: BSD-2-Clause
/* ---- calls to neighbours ----
 *
 * `list` is where `numbers` has the bytes to each destination and then from each source; of an
 * allgatherv those from each source alone. */

//? neighbours
static int rank_in[COMMUNICATORS];

/* This rank's destinations, or sources, in a communicator. */
static const int *destinations(int c, int *n)
{
    const int *first = neighbour_first + neighbour_place[c] + 2 * rank_in[c];

    *n = first[1] - first[0];
    return neighbours + first[0];
}

static const int *sources(int c, int *n)
{
    const int *first = neighbour_first + neighbour_place[c] + 2 * rank_in[c] + 1;

    *n = first[1] - first[0];
    return neighbours + first[0];
}

#ifdef SMPI_H
/* SimGrid has no such calls: all ranks exchange what only neighbours have anything of.  What it
 * counts with is kept until the next one of that slot; -1 is none. */
static void exchange(int c, const int *bytes, int each, const int *its_bytes, int its_each, int slot)
{
    static int *kept[SLOTS + 1];
    const int ranks = member_first[c + 1] - member_first[c];
    int n, *counts = calloc((size_t)(4 * ranks), sizeof *counts), *got_counts = counts + 2 * ranks;
    const int *others = destinations(c, &n);

    if (!counts)
        fail("out of memory");
    for (int i = 0; i < n; i++)
        if (others[i] >= 0)
            counts[others[i]] += bytes ? bytes[i] : each;
    others = sources(c, &n);
    for (int i = 0; i < n; i++)
        if (others[i] >= 0)
            got_counts[others[i]] += its_bytes ? its_bytes[i] : its_each;
    for (int i = 1; i < ranks; i++) {
        counts[ranks + i] = counts[ranks + i - 1] + counts[i - 1];
        got_counts[ranks + i] = got_counts[ranks + i - 1] + got_counts[i - 1];
    }
    free(kept[slot + 1]);
    kept[slot + 1] = counts;
    if (slot < 0)
        MPI_Alltoallv(given, counts, counts + ranks, MPI_BYTE, got, got_counts,
                      got_counts + ranks, MPI_BYTE, communicators[c]);
    else
        MPI_Ialltoallv(given, counts, counts + ranks, MPI_BYTE, slot_memory[slot], got_counts,
                       got_counts + ranks, MPI_BYTE, communicators[c], &requests[slot]);
}
#endif

//? Neighbor_alltoallv Ineighbor_alltoallv
static int64_t sum_to_neighbours(int list, int c)
{
    int64_t bytes = 0;
    int n;

    destinations(c, &n);
    for (int i = 0; i < n; i++)
        bytes += numbers[list + i];
    return bytes;
}

//.
//+ Neighbor_allgather Ineighbor_allgather Neighbor_alltoall Ineighbor_alltoall
static void @(int c, int64_t bytes, int64_t its_bytes$slot)
{
    enter();
#ifdef SMPI_H
    exchange(c, NULL, (int)bytes, NULL, (int)its_bytes, $number);
#else
    MPI_@(given, (int)bytes, MPI_BYTE, $got, (int)its_bytes,
        MPI_BYTE, communicators[c]$request);
#endif
    leave(K_@, bytes);
}

//+ Neighbor_allgatherv Ineighbor_allgatherv
static void @(int c, int64_t bytes, int list$slot)
{
    enter();
#ifdef SMPI_H
    exchange(c, NULL, (int)bytes, numbers + list, 0, $number);
    (void)places;
#else
    MPI_@(given, (int)bytes, MPI_BYTE, $got, numbers + list,
        places + list, MPI_BYTE, communicators[c]$request);
#endif
    leave(K_@, bytes);
}

//+ Neighbor_alltoallv Ineighbor_alltoallv
static void @(int c, int list$slot)
{
    int n;

    destinations(c, &n);
    enter();
#ifdef SMPI_H
    exchange(c, numbers + list, 0, numbers + list + n, 0, $number);
    (void)places;
#else
    MPI_@(given, numbers + list, places + list, MPI_BYTE, $got,
        numbers + list + n, places + list + n, MPI_BYTE, communicators[c]$request);
#endif
    leave(K_@, sum_to_neighbours(list, c));
}

//.
