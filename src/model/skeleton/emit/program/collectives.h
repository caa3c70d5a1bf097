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
//? Barrier
static void Barrier(int c)
{
    enter();
    MPI_Barrier(communicators[c]);
    leave(K_Barrier, 0);
}

//? Ibarrier
static void Ibarrier(int c, int slot)
{
    enter();
    MPI_Ibarrier(communicators[c], &requests[slot]);
    leave(K_Ibarrier, 0);
}

//? Bcast
static void Bcast(int c, int root, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Bcast(is_root(c, root) ? given : got, e.count, e.type, root, communicators[c]);
    leave(K_Bcast, bytes);
}

//? Ibcast
static void Ibcast(int c, int root, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Ibcast(is_root(c, root) ? given : slot_memory[slot], e.count, e.type, root,
               communicators[c], &requests[slot]);
    leave(K_Ibcast, bytes);
}

//? Gather
static void Gather(int c, int root, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Gather(given, e.count, e.type, got, e.count, e.type, root, communicators[c]);
    leave(K_Gather, bytes);
}

//? Igather
static void Igather(int c, int root, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Igather(given, e.count, e.type, slot_memory[slot], e.count, e.type, root,
                communicators[c], &requests[slot]);
    leave(K_Igather, bytes);
}

//? Scatter
static void Scatter(int c, int root, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Scatter(given, e.count, e.type, got, e.count, e.type, root, communicators[c]);
    leave(K_Scatter, bytes);
}

//? Iscatter
static void Iscatter(int c, int root, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Iscatter(given, e.count, e.type, slot_memory[slot], e.count, e.type, root,
                 communicators[c], &requests[slot]);
    leave(K_Iscatter, bytes);
}

//? Gatherv
static void Gatherv(int c, int root, int64_t bytes, int list)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Gatherv(given, e.count, e.type, got, numbers + list, places + list, MPI_BYTE, root,
                communicators[c]);
    leave(K_Gatherv, bytes);
}

//? Igatherv
static void Igatherv(int c, int root, int64_t bytes, int list, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Igatherv(given, e.count, e.type, slot_memory[slot], numbers + list, places + list,
                 MPI_BYTE, root, communicators[c], &requests[slot]);
    leave(K_Igatherv, bytes);
}

//? Scatterv
static void Scatterv(int c, int root, int64_t bytes, int list)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Scatterv(given, numbers + list, places + list, MPI_BYTE, got, e.count, e.type, root,
                 communicators[c]);
    leave(K_Scatterv, bytes);
}

//? Iscatterv
static void Iscatterv(int c, int root, int64_t bytes, int list, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Iscatterv(given, numbers + list, places + list, MPI_BYTE, slot_memory[slot], e.count,
                  e.type, root, communicators[c], &requests[slot]);
    leave(K_Iscatterv, bytes);
}

//? Reduce
static void Reduce(int c, int root, int64_t bytes)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Reduce(given, got, e.count, e.type, operation, root, communicators[c]);
    leave(K_Reduce, bytes);
}

//? Ireduce
static void Ireduce(int c, int root, int64_t bytes, int slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Ireduce(given, slot_memory[slot], e.count, e.type, operation, root, communicators[c],
                &requests[slot]);
    leave(K_Ireduce, bytes);
}

//? Allgather
static void Allgather(int c, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Allgather(given, e.count, e.type, got, e.count, e.type, communicators[c]);
    leave(K_Allgather, bytes);
}

//? Iallgather
static void Iallgather(int c, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Iallgather(given, e.count, e.type, slot_memory[slot], e.count, e.type, communicators[c],
                   &requests[slot]);
    leave(K_Iallgather, bytes);
}

//? Allgatherv
static void Allgatherv(int c, int64_t bytes, int list)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Allgatherv(given, e.count, e.type, got, numbers + list, places + list, MPI_BYTE,
                   communicators[c]);
    leave(K_Allgatherv, bytes);
}

//? Iallgatherv
static void Iallgatherv(int c, int64_t bytes, int list, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Iallgatherv(given, e.count, e.type, slot_memory[slot], numbers + list, places + list,
                    MPI_BYTE, communicators[c], &requests[slot]);
    leave(K_Iallgatherv, bytes);
}

//? Alltoall
static void Alltoall(int c, int64_t bytes)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Alltoall(given, e.count, e.type, got, e.count, e.type, communicators[c]);
    leave(K_Alltoall, bytes);
}

//? Ialltoall
static void Ialltoall(int c, int64_t bytes, int slot)
{
    struct extent e = extent(bytes);

    enter();
    MPI_Ialltoall(given, e.count, e.type, slot_memory[slot], e.count, e.type, communicators[c],
                  &requests[slot]);
    leave(K_Ialltoall, bytes);
}

//? Alltoallv
static void Alltoallv(int c, int list)
{
    const int n = member_first[c + 1] - member_first[c];

    enter();
    MPI_Alltoallv(given, numbers + list, places + list, MPI_BYTE, got, numbers + list + n, places
                  + list + n, MPI_BYTE, communicators[c]);
    leave(K_Alltoallv, sum(list, c));
}

//? Ialltoallv
static void Ialltoallv(int c, int list, int slot)
{
    const int n = member_first[c + 1] - member_first[c];

    enter();
    MPI_Ialltoallv(given, numbers + list, places + list, MPI_BYTE, slot_memory[slot], numbers +
                   list + n, places + list + n, MPI_BYTE, communicators[c], &requests[slot]);
    leave(K_Ialltoallv, sum(list, c));
}

//? Allreduce
static void Allreduce(int c, int64_t bytes)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Allreduce(given, got, e.count, e.type, operation, communicators[c]);
    leave(K_Allreduce, bytes);
}

//? Iallreduce
static void Iallreduce(int c, int64_t bytes, int slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Iallreduce(given, slot_memory[slot], e.count, e.type, operation, communicators[c],
                   &requests[slot]);
    leave(K_Iallreduce, bytes);
}

//? Reduce_scatter
static void Reduce_scatter(int c, int list, int unit)
{
    enter();
    MPI_Reduce_scatter(given, got, numbers + list, unit == 8 ? MPI_DOUBLE : MPI_BYTE, unit == 8 ?
                       MPI_SUM : MPI_BOR, communicators[c]);
    leave(K_Reduce_scatter, reduced(list, c, unit));
}

//? Ireduce_scatter
static void Ireduce_scatter(int c, int list, int unit, int slot)
{
    enter();
    MPI_Ireduce_scatter(given, slot_memory[slot], numbers + list, unit == 8 ? MPI_DOUBLE :
                        MPI_BYTE, unit == 8 ? MPI_SUM : MPI_BOR, communicators[c],
                        &requests[slot]);
    leave(K_Ireduce_scatter, reduced(list, c, unit));
}

//? Reduce_scatter_block
static void Reduce_scatter_block(int c, int64_t bytes)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Reduce_scatter_block(given, got, e.count, e.type, operation, communicators[c]);
    leave(K_Reduce_scatter_block, bytes);
}

//? Ireduce_scatter_block
static void Ireduce_scatter_block(int c, int64_t bytes, int slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Ireduce_scatter_block(given, slot_memory[slot], e.count, e.type, operation,
                              communicators[c], &requests[slot]);
    leave(K_Ireduce_scatter_block, bytes);
}

//? Scan
static void Scan(int c, int64_t bytes)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Scan(given, got, e.count, e.type, operation, communicators[c]);
    leave(K_Scan, bytes);
}

//? Iscan
static void Iscan(int c, int64_t bytes, int slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Iscan(given, slot_memory[slot], e.count, e.type, operation, communicators[c],
              &requests[slot]);
    leave(K_Iscan, bytes);
}

//? Exscan
static void Exscan(int c, int64_t bytes)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Exscan(given, got, e.count, e.type, operation, communicators[c]);
    leave(K_Exscan, bytes);
}

//? Iexscan
static void Iexscan(int c, int64_t bytes, int slot)
{
    MPI_Op operation;
    struct extent e = elements(bytes, &operation);

    enter();
    MPI_Iexscan(given, slot_memory[slot], e.count, e.type, operation, communicators[c],
                &requests[slot]);
    leave(K_Iexscan, bytes);
}

//.
