// SPDX-License-Identifier: BSD-2-Clause
/* ---- what all calls share ---- */

static MPI_Comm communicators[COMMUNICATORS];
static char *given, *got; /* what is sent from, and received into: the content does not matter */
//? requests
static MPI_Request requests[SLOTS];
static char *slot_memory[SLOTS]; /* no two receives under way share memory */
//.

static double communicating; /* seconds */
static int64_t calls_made[KINDS], bytes_given[KINDS];
static int64_t messages_to[RANKS], bytes_to[RANKS];

static void fail(const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: rank %d: %s\n", NAME, rank, text); /* at once: others fail too */
//? file_calls
    remove_files();
//.
#ifdef SMPI_H
    fflush(NULL);
    _Exit(2); /* all ranks are threads of it, and MPI_Abort() would leave the exit status at 0 */
#endif
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* What all ranks find alike before they do anything: one tells it, and all end in order.  A
 * launcher that aborts may lose what was told. */
static void refuse(const char *format, ...)
{
    va_list arguments;

#ifndef SMPI_H
    if (rank == 0)
#endif
    {
        fprintf(stderr, "%s: rank %d: ", NAME, rank);
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
#ifdef SMPI_H
    fflush(NULL);
    _Exit(2); /* all ranks are threads of it */
#endif
    MPI_Finalize();
    exit(2);
}

/* Memory that is there: its pages have been touched. */
static void *memory(int64_t bytes)
{
    size_t size = bytes > 0 ? (size_t)bytes : 1;
    void *place;

#ifdef SMPI_H
    place = SMPI_SHARED_MALLOC(size);
#else
    place = malloc(size);
#endif
    if (!place)
        fail("cannot allocate %lld bytes", (long long)bytes);
    /* A compiler may take memset() for a wish for zeros, which the system gives page by page when
     * they are first used, and that would be while computing is timed. */
    for (size_t at = 0; at < size; at += 4096)
        ((volatile char *)place)[at] = 0;
    return memset(place, 0, size);
}

//? no_calls
#ifndef SMPI_H
//.
static double entered;

static void enter(void)
{
    entered = MPI_Wtime();
}

static void leave(int kind, int64_t bytes)
{
    communicating += MPI_Wtime() - entered;
    calls_made[kind]++;
    bytes_given[kind] += bytes;
}
//? no_calls
#endif
//.

//? sends
static void count_message(int c, int to, int64_t bytes)
{
    if (to < 0)
        return; /* MPI_PROC_NULL */
    messages_to[members[member_first[c] + to]]++;
    bytes_to[members[member_first[c] + to]] += bytes;
}
//.
//? extents

/* So many bytes, as MPI takes them. */
struct extent {
    int count;
    MPI_Datatype type;
};
//.
//? large

/* MPI counts in ints: what is larger is one piece of a type of its own. */
static struct extent extent(int64_t bytes)
{
    static struct {
        int64_t bytes;
        MPI_Datatype type;
    } known[LARGE_SIZES];
    static int n;
    const int64_t block = 1 << 20;
    struct extent it = {1, MPI_BYTE};
    MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE};
    MPI_Aint places[2] = {0, (MPI_Aint)(bytes / block * block)};
    int lengths[2] = {(int)(bytes / block), (int)(bytes % block)};

    if (bytes <= INT_MAX) {
        it.count = (int)bytes;
        return it;
    }
    for (int i = 0; i < n; i++)
        if (known[i].bytes == bytes) {
            it.type = known[i].type;
            return it;
        }
    MPI_Type_contiguous((int)block, MPI_BYTE, &types[0]);
    MPI_Type_create_struct(2, lengths, places, types, &it.type);
    MPI_Type_commit(&it.type);
    known[n].bytes = bytes;
    known[n++].type = it.type;
    return it;
}
//? small

static struct extent extent(int64_t bytes)
{
    struct extent it = {(int)bytes, MPI_BYTE};

    return it;
}
//? reductions

/* Sums of doubles, where the bytes are a whole number of them. */
static struct extent elements(int64_t bytes, MPI_Op *operation)
{
    struct extent it = {(int)(bytes % 8 ? bytes : bytes / 8), bytes % 8 ? MPI_BYTE : MPI_DOUBLE};

    *operation = bytes % 8 ? MPI_BOR : MPI_SUM;
    return it;
}
//.
