// SPDX-License-Identifier: BSD-2-Clause
/* ---- collective calls ---- */

//? Alltoallv Ialltoallv
/* What this rank gives to all. */
static int64_t sum(int list, int c)
{
    int64_t bytes = 0;

    for (int i = 0; i < member_first[c + 1] - member_first[c]; i++)
        bytes += numbers[list + i];
    return bytes;
}

//? Reduce_scatter Ireduce_scatter
static int64_t reduced(int list, int c, int unit)
{
    int64_t units = 0;

    for (int i = 0; i < member_first[c + 1] - member_first[c]; i++)
        units += numbers[list + i];
    return units * unit;
}

//? Bcast Ibcast
static int is_root(int c, int root)
{
    return members[member_first[c] + root] == rank;
}

//.
//+ Barrier Ibarrier
static void @(int c$slot)
{
    enter();
    MPI_@(communicators[c]$request);
    leave(K_@, 0);
}

//+ Bcast Ibcast
static void @(int c, int root, int64_t bytes$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(is_root(c, root) ? given : $got, e.count, e.type, root,
        communicators[c]$request);
    leave(K_@, bytes);
}

//+ Gather Igather Scatter Iscatter
static void @(int c, int root, int64_t bytes$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, e.count, e.type, $got, e.count, e.type, root,
        communicators[c]$request);
    leave(K_@, bytes);
}

//+ Gatherv Igatherv
static void @(int c, int root, int64_t bytes, int list$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, e.count, e.type, $got, numbers + list, places + list,
        MPI_BYTE, root, communicators[c]$request);
    leave(K_@, bytes);
}

//+ Scatterv Iscatterv
static void @(int c, int root, int64_t bytes, int list$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, numbers + list, places + list, MPI_BYTE, $got, e.count,
        e.type, root, communicators[c]$request);
    leave(K_@, bytes);
}

//+ Reduce Ireduce
static void @(int c, int root, int64_t bytes$slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_@(given, $got, e.count, e.type, operation, root,
        communicators[c]$request);
    leave(K_@, bytes);
}

//+ Allgather Iallgather Alltoall Ialltoall
static void @(int c, int64_t bytes$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, e.count, e.type, $got, e.count, e.type,
        communicators[c]$request);
    leave(K_@, bytes);
}

//+ Allgatherv Iallgatherv
static void @(int c, int64_t bytes, int list$slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_@(given, e.count, e.type, $got, numbers + list, places + list,
        MPI_BYTE, communicators[c]$request);
    leave(K_@, bytes);
}

//+ Alltoallv Ialltoallv
static void @(int c, int list$slot)
{
    const int n = member_first[c + 1] - member_first[c];

    enter();
    MPI_@(given, numbers + list, places + list, MPI_BYTE, $got,
        numbers + list + n, places + list + n, MPI_BYTE, communicators[c]$request);
    leave(K_@, sum(list, c));
}

//+ Allreduce Iallreduce Reduce_scatter_block Ireduce_scatter_block Scan Iscan Exscan Iexscan
static void @(int c, int64_t bytes$slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_@(given, $got, e.count, e.type, operation,
        communicators[c]$request);
    leave(K_@, bytes);
}

//+ Reduce_scatter Ireduce_scatter
static void @(int c, int list, int unit$slot)
{
    enter();
    MPI_@(given, $got, numbers + list, unit == 8 ? MPI_DOUBLE : MPI_BYTE,
        unit == 8 ? MPI_SUM : MPI_BOR, communicators[c]$request);
    leave(K_@, reduced(list, c, unit));
}

//.
