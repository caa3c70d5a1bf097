// SPDX-License-Identifier: BSD-2-Clause
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
 * long or short is mostly the same for all of them, and ranks that drew by themselves would wait
 * for each other where the program does not. */
static double draw(int number)
{
    const struct work *work = &works[number];
    uint32_t done = orders[number].done++, place = done % 8, n, order;
    uint64_t bits;

    if (place == 0) {
        bits = mix(done / 8 + 1);
        for (order = 0, n = 0; n < 8; n++) { /* a shuffle from the inside out, in 8 nibbles */
            uint32_t other = (uint32_t)(bits % (n + 1)), there = order >> 4 * other & 15;

            bits /= n + 1;
            order &= ~((uint32_t)15 << 4 * other);
            order |= there << 4 * n | n << 4 * other;
        }
        orders[number].order = order;
    }
    order = orders[number].order;
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

/* Lines of memory in a second of the machine of the recording, where so many bytes are gone over.
 */
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

