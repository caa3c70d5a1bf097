// SPDX-License-Identifier: BSD-2-Clause
/* ---- the run ---- */

static long repeats = 1;
static int shows_counts;

static void set_up_communicators(void)
{
    MPI_Group world, group;

    communicators[0] = MPI_COMM_WORLD;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 1; i < COMMUNICATORS; i++) {
        MPI_Group_incl(world, member_first[i + 1] - member_first[i], members + member_first[i],
                       &group);
        MPI_Comm_create(MPI_COMM_WORLD, group, &communicators[i]);
        MPI_Group_free(&group);
    }
    MPI_Group_free(&world);
//? neighbours
    for (int i = 0; i < COMMUNICATORS; i++) {
#ifndef SMPI_H
        MPI_Comm graph;
        int n_sources, n_destinations, *weights; /* gcc warns of MPI_UNWEIGHTED */
        const int *from, *to;
#endif

        if (neighbour_place[i] < 0 || communicators[i] == MPI_COMM_NULL)
            continue;
        MPI_Comm_rank(communicators[i], &rank_in[i]);
#ifndef SMPI_H
        from = sources(i, &n_sources);
        to = destinations(i, &n_destinations);
        weights = memory((n_sources + n_destinations) * (int64_t)sizeof *weights);
        MPI_Dist_graph_create_adjacent(communicators[i], n_sources, from, weights, n_destinations,
                                       to, weights, MPI_INFO_NULL, 0, &graph);
        free(weights);
        if (i > 0)
            MPI_Comm_free(&communicators[i]);
        communicators[i] = graph;
#endif
    }
//.
}

//? file_calls
/* All members open a file together; what will be read is written first. */
static void set_up_files(void)
{
#ifndef SMPI_H
    char path[4096];
    int64_t part;
    const int64_t most = most_given[rank] < 1 << 24 ? most_given[rank] : 1 << 24;

    for (int i = 0; i < FILES; i++) {
        MPI_Comm members_of_it = communicators[file_communicator[i]];
        const int64_t *regions = file_regions + i * RANKS;

        if (members_of_it == MPI_COMM_NULL)
            continue;
        file_name(i, path, sizeof path);
        if (MPI_File_open(members_of_it, path,
                          MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                          MPI_INFO_NULL, &files[i]))
            fail("cannot open %s", path);
        for (int j = 0; j < rank; j++)
            file_start[i] += regions[j];
        for (int64_t done = 0; is_read[i * RANKS + rank] && done < regions[rank]; done += part) {
            part = regions[rank] - done < most ? regions[rank] - done : most;
            if (MPI_File_write_at(files[i], file_start[i] + done, given, (int)part, MPI_BYTE,
                                  MPI_STATUS_IGNORE))
                fail("cannot write to %s", path);
        }
    }
#endif
}

//.
static void set_up(void)
{
    set_up_communicators();
    given = memory(most_given[rank]);
    got = memory(most_got[rank]);
//? requests
    for (int i = 0; i < SLOTS; i++) {
        requests[i] = MPI_REQUEST_NULL;
        slot_memory[i] = memory(slot_bytes[slot_row[rank]][i]);
    }
//? memory
#ifndef SMPI_H
    footprint_memory = memory(most_footprint[rank]);
#endif
//.
#ifndef SMPI_H
    measure_calls();
#endif
//? file_bytes
#ifndef SMPI_H
    if (uses_file[rank])
        open_own_file();
#endif
//? file_calls
    set_up_files();
//.
}

static void tear_down(void)
{
//? Bsend Ibsend
    free(ahead);
//? Start Startall
    free_persistent();
//? file_calls
#ifndef SMPI_H
    for (int i = 0; i < FILES; i++)
        if (communicators[file_communicator[i]] != MPI_COMM_NULL)
            MPI_File_close(&files[i]); /* and it is gone */
#endif
//.
    for (int i = 0; i < COMMUNICATORS; i++)
        if (communicators[i] != MPI_COMM_NULL && communicators[i] != MPI_COMM_WORLD)
            MPI_Comm_free(&communicators[i]);
#ifdef SMPI_H
    SMPI_SHARED_FREE(given);
    SMPI_SHARED_FREE(got);
//? requests
    for (int i = 0; i < SLOTS; i++)
        SMPI_SHARED_FREE(slot_memory[i]);
//.
#else
    free(given);
    free(got);
//? requests
    for (int i = 0; i < SLOTS; i++)
        free(slot_memory[i]);
//? memory
    free(footprint_memory);
//? file_bytes
    if (own_file >= 0)
        close(own_file);
//.
#endif
}

/* What all ranks did: for each kind the calls and the bytes that were given (to each other rank,
 * where a call gives each the same; all of them, where it has a list); for each pair the messages
 * and the bytes that were sent from one to the other by point-to-point calls. */
static void show_counts(void)
{
    static int64_t all_calls[KINDS], all_bytes[KINDS], row[2 * RANKS];
    const char *separator = "";

    MPI_Reduce(calls_made, all_calls, KINDS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(bytes_given, all_bytes, KINDS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank > 0) {
        memcpy(row, messages_to, sizeof messages_to);
        memcpy(row + RANKS, bytes_to, sizeof bytes_to);
        MPI_Send(row, 2 * RANKS, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
        return;
    }
    printf(", \"calls\": {");
    for (int i = 0; i < KINDS; i++)
        printf("%s\"%s\": [%lld, %lld]", i ? ", " : "", kind_names[i], (long long)all_calls[i],
               (long long)all_bytes[i]);
    printf("}, \"pairs\": [");
    for (int i = 0; i < RANKS; i++) {
        const int64_t *messages = i ? row : messages_to, *bytes = i ? row + RANKS : bytes_to;

        if (i > 0)
            MPI_Recv(row, 2 * RANKS, MPI_INT64_T, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int j = 0; j < RANKS; j++) {
            if (messages[j] == 0)
                continue;
            printf("%s[%d, %d, %lld, %lld]", separator, i, j, (long long)messages[j],
                   (long long)bytes[j]);
            separator = ", ";
        }
    }
    printf("]");
}

/* Runs the program once and says how long it took. */
static void run_once(void)
{
    double start, seconds, share, all_seconds, all_shares;

    communicating = 0;
    memset(calls_made, 0, sizeof calls_made);
    memset(bytes_given, 0, sizeof bytes_given);
    memset(messages_to, 0, sizeof messages_to);
    memset(bytes_to, 0, sizeof bytes_to);
//? spreads
    memset(orders, 0, sizeof orders);
//? file_bytes
#ifndef SMPI_H
    rewind_own_file();
#endif
//? file_calls
#ifndef SMPI_H
    memset(file_cursor, 0, sizeof file_cursor);
#endif
//.
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    run_program();
    seconds = MPI_Wtime() - start;
//? Bsend Ibsend
    end_ahead();
//.
    share = seconds > 0 ? communicating / seconds : 0;
    MPI_Reduce(&seconds, &all_seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&share, &all_shares, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"skeleton\": \"%s\", \"ratio\": %.10g, \"seconds\": %.9g, "
               "\"communicating\": %.4f, \"ranks\": %d, \"original\": %.10g, "
               "\"shortest\": %.10g",
               NAME, RATIO, all_seconds, all_shares / RANKS, RANKS, ORIGINAL, SHORTEST);
#ifdef SMPI_H
    if (rank == 0)
        printf(", \"simulated\": true"); /* the seconds are not those of a clock */
#endif
    if (shows_counts)
        show_counts();
    if (rank == 0) {
        printf("}\n");
        fflush(stdout);
    }
}

static void show_help(void)
{
    printf("usage: %s [--repeat N] [--counts] [--directory DIR] [--core-speed F]\n"
           "Runs on %d processes and prints its run time as a line of JSON.\n"
           "  --repeat N       number of repetitions, with a line for each\n"
           "  --counts         also print calls and bytes by kind and by pair of ranks\n"
           "  --directory DIR  directory for temporary files (default: '.')\n"
           "  --core-speed F   SimGrid only: speed of a core of the traced machine, flop/s\n",
           NAME, RANKS);
}

/* Returns 0 if the program is done.  All ranks read the same options. */
static int read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        char *end = NULL;

        if (strcmp(argv[i], "--help") == 0) {
            if (rank == 0)
                show_help();
            return 0;
        }
        if (strcmp(argv[i], "--counts") == 0) {
            shows_counts = 1;
            continue;
        }
        if (value && strcmp(argv[i], "--repeat") == 0)
            repeats = strtol(value, &end, 10);
        else if (value && strcmp(argv[i], "--core-speed") == 0)
            flops = strtod(value, &end);
        else if (value && strcmp(argv[i], "--directory") == 0)
            directory = value;
        else
            refuse("unknown option or missing value: '%s'; see --help", argv[i]);
        if ((end && (*end || end == value)) || repeats < 1 || !(flops > 0))
            refuse("%s: '%s' is not a number above 0", argv[i], value);
        i++;
    }
    return 1;
}

int main(int argc, char **argv)
{
    int ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (read_options(argc, argv)) {
        if (ranks != RANKS)
            refuse("the skeleton needs %d processes, not %d", RANKS, ranks);
        set_up();
        for (long i = 0; i < repeats; i++)
            run_once();
        tear_down();
    }
    MPI_Finalize();
    return 0;
}
