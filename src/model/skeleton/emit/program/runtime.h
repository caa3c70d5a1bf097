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

/* What all ranks find alike before they do anything: one tells it, and all end in order.  A launcher
 * that aborts may lose what was told. */
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
        fail("there are no %lld bytes of memory", (long long)bytes);
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

/* ---- computing ---- */

//? spreads
/* The next bits of a small generator: the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA
 * 2014) on a counter. */
static uint64_t mix(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The mean of the times between two quantiles, given in eighths. */
static double between(const double *eighths, double from, double to)
{
    double sum = 0;

    for (int i = 0; i < 8; i++) {
        double low = from > i ? from : i, high = to < i + 1 ? to : i + 1;

        if (high > low)
            sum += eighths[i] * (high - low);
    }
    return sum / (to - from);
}

/* How long this time is, relative to the mean.  Times come in groups of eight, one from each eighth
 * of their distribution, in an order drawn anew for each group; the last group may be smaller.  So
 * the mean over all iterations is exact.  The order is the same on all ranks: what makes iterations
 * long or short is mostly the same for all of them, and ranks that drew by themselves would wait for
 * each other where the program does not. */
static double draw(int number)
{
    const struct work *work = &works[number];
    uint32_t done = draws[number].done++, place = done % 8, n, order;
    uint64_t bits;

    if (place == 0) {
        bits = mix(done / 8 + 1);
        for (order = 0, n = 0; n < 8; n++) { /* a shuffle from the inside out, in 8 nibbles */
            uint32_t other = (uint32_t)(bits % (n + 1)), there = order >> 4 * other & 15;

            bits /= n + 1;
            order &= ~((uint32_t)15 << 4 * other);
            order |= there << 4 * n | n << 4 * other;
        }
        draws[number].order = order;
    }
    order = draws[number].order;
    n = work->times - (done - place);
    if (n >= 8)
        return spreads[work->spread][order >> 4 * place & 15];
    /* The ranks among the first n of the shuffled order are a shuffle too. */
    uint32_t own = order >> 4 * place & 15, before = 0;
    for (uint32_t i = 0; i < n; i++)
        before += (order >> 4 * i & 15) < own;
    return between(spreads[work->spread], 8.0 * before / n, 8.0 * (before + 1) / n);
}

//? memory
static uint64_t *footprint_memory;

/* Lines of memory in a second of the machine of the recording, where so many bytes are gone over. */
static double lines_per_second(double bytes)
{
    double least = LEAST_FOOTPRINT;
    int i = 0;

    while (i + 2 < FOOTPRINTS && bytes >= 2 * least) {
        least *= 2;
        i++;
    }
    bytes = bytes > least ? bytes / least - 1 : 0; /* how far it is to the next of the table */
    return footprint_speeds[i] + (footprint_speeds[i + 1] - footprint_speeds[i]) *
                                     (bytes < 1 ? bytes : 1);
}

/* Goes over the memory once, or as far as it gets in half of the time; returns what is left of
 * that.  The program touched each page of it at least once; how much of each and how often is not
 * known, and to do more would make a memory-bound program of one that works in its caches. */
static double sweep(double seconds, double bytes)
{
    double speed = lines_per_second(bytes), once = bytes / 64;
    uint64_t lines = (uint64_t)(once < 0.5 * seconds * speed ? once : 0.5 * seconds * speed);

    kernel_sweep(footprint_memory, (uint64_t)bytes, lines);
    return seconds - (double)lines / speed;
}

//.
#ifndef SMPI_H
static double owed;            /* units, some of which may be parts or ahead */
static double units_of_a_call; /* that the calls of this program take besides their MPI calls */
#endif

/* Computing before a call. */
static void compute(int number)
{
    const struct work *work = &works[number];
    double seconds = work->seconds;

//? spreads
    if (work->spread > 0)
        seconds *= draw(number);
//.
#ifdef SMPI_H
    if (seconds > 0)
        smpi_execute_flops(seconds * flops);
#else
    if (seconds > 0) {
//? memory
        if (work->footprint > 0)
            seconds = sweep(seconds, work->footprint);
//.
        owed += seconds * UNITS_PER_SECOND - units_of_a_call;
        if (owed >= 1) {
            kernel_spin((uint64_t)owed);
            owed -= (double)(uint64_t)owed;
        } else if (owed < -1e-5 * UNITS_PER_SECOND) {
            owed = -1e-5 * UNITS_PER_SECOND; /* what came late is not caught up with for long */
        }
    }
//? file_bytes
    if (work->read > 0 || work->written > 0)
        use_file(work->read, work->written);
//.
#endif
}

#ifndef SMPI_H
/* How long so many units, or so many calls that do nothing, take; the least of some trials. */
static double least_time(uint64_t units, int n)
{
    double least = 1e9, start;

    for (int i = 0; i < 7; i++) {
        start = MPI_Wtime();
        kernel_spin(units);
        for (int j = 0; j < n; j++) {
            compute(0);
            enter();
            leave(0, 0);
        }
        start = MPI_Wtime() - start;
        least = start < least ? start : least;
    }
    return least;
}

static void measure_calls(void)
{
    const int units = 20000, n = 200;

    units_of_a_call = least_time(0, n) / n / (least_time(units, 0) / units);
    owed = 0;
}
#endif

