/* test_profile.c - what is said of recordings whose calls and times are all known. */
#include "unit.h"

#include <sys/stat.h>

#include "own_recording.h"
#include "mpi/trace/trace_set.h"
#include "mpi/trace/rank_outline.h"
#include "mpi/trace/profile.h"

static const char *in_directory(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_directory(name), "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A recording and its profile. */
struct both {
    struct rc_trace_set *recording;
    struct rc_profile *profile;
};

static struct both read_all(void)
{
    struct both both;
    struct rc_error error = {0};

    both.recording = rc_trace_set_open(directory, &error);
    assert_non_null(both.recording);
    both.profile = rc_trace_profile_create(both.recording, NULL, &error);
    assert_non_null(both.profile);
    return both;
}

static void free_all(struct both both)
{
    rc_trace_profile_destroy(both.profile);
    rc_trace_set_close(both.recording);
}

static void assert_fault(const struct rc_faults *faults, const char *text)
{
    for (size_t i = 0; i < faults->kept; i++)
        if (strstr(faults->texts[i], text))
            return;
    fail_msg("no fault '%s', but %zu others, the first '%s'", text, faults->kept,
             faults->kept > 0 ? faults->texts[0] : "");
}

/* ---- names and files ---- */

static void names_of_files(void **state)
{
    static const struct {
        const char *name;
        int status;
        uint32_t rank, thread;
    } cases[] = {{"rank-0.rct", 0, 0, 0},          {"rank-17.rct", 0, 17, 0},
                 {"rank-3.thread-2.rct", 0, 3, 2}, {"rank-03.rct", -1, 0, 0},
                 {"rank-.rct", -1, 0, 0},          {"rank-1.thread-0.rct", -1, 0, 0},
                 {"rank-1.rct.old", -1, 0, 0},     {"rank-99999999999.rct", -1, 0, 0},
                 {"rank--1.rct", -1, 0, 0},        {"trace.json", -1, 0, 0}};
    uint32_t rank, thread;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int status = rc_trace_set_parse_name(cases[i].name, &rank, &thread);

        assert_int_equal(status, cases[i].status);
        if (status == 0) {
            assert_int_equal(rank, cases[i].rank);
            assert_int_equal(thread, cases[i].thread);
        }
    }
}

static void make_small(uint32_t rank, uint32_t ranks)
{
    struct maker maker = make_begin(directory, rank, ranks);

    make_plain(&maker, RC_TRACE_Init, 10, 20);
    make_plain(&maker, RC_TRACE_Finalize, 10, 20);
    make_end(&maker, 0);
}

static void a_directory_without_traces(void **state)
{
    struct rc_error error = {0};

    (void)state;
    assert_null(rc_trace_set_open(directory, &error));
    assert_non_null(strstr(error.text, "no trace in"));
    assert_null(rc_trace_set_open("/nowhere/at/all", &error));
    assert_non_null(strstr(error.text, "cannot read the directory"));
}

static void missing_ranks_are_named(void **state)
{
    struct rc_error error = {0};
    struct rc_trace_set *recording;

    (void)state;
    make_small(1, 7);
    make_small(3, 7);
    recording = rc_trace_set_open(directory, &error);
    assert_non_null(recording);
    assert_int_equal(recording->ranks, 7);
    assert_int_equal(recording->faults.n, 3);
    assert_string_equal(recording->faults.texts[0], "rank 0 is missing");
    assert_string_equal(recording->faults.texts[1], "rank 2 is missing");
    assert_string_equal(recording->faults.texts[2], "ranks 4 to 6 are missing");
    assert_int_equal(rc_trace_set_whole(recording, &error), -1);
    assert_null(rc_trace_set_rank(recording, 2));
    assert_int_equal(rc_trace_set_rank(recording, 3)->header.rank, 3);
    rc_trace_set_close(recording);
}

static void files_of_other_runs_are_found(void **state)
{
    struct rc_error error = {0};
    struct rc_trace_set *recording;
    struct rc_trace_header header = make_header(1, 3);
    struct maker maker;

    (void)state;
    make_small(0, 3);
    maker = make_begin_as(in_directory("rank-2.rct"), &header);
    make_end(&maker, 0);
    header.ranks = 2;
    strcpy(header.mpi, "Other MPI 2");
    header.began_wall -= 3600 * UINT64_C(1000000000);
    maker = make_begin_as(in_directory("rank-1.rct"), &header);
    make_end(&maker, 0);
    write_text("trace.json", "{\"command\": [\"mpirun\", \"./jacobi\"], \"seconds\": 2.5,"
                             " \"began\": \"2025-11-16T00:00:00Z\", \"status\": 3}");
    write_text("rank-1.copy.rct", "");
    recording = rc_trace_set_open(directory, &error);
    assert_non_null(recording);
    assert_int_equal(recording->ranks, 3);
    assert_string_equal(recording->about.command, "mpirun ./jacobi");
    assert_int_equal(recording->about.status, 3);
    assert_same(recording->about.seconds, 2.5);
    assert_fault(&recording->faults, "rank-1.copy.rct is not the name");
    assert_fault(&recording->faults, "rank-2.rct is from rank 1");
    assert_fault(&recording->faults, "rank-1.rct is from another run: one of 2 ranks");
    assert_fault(&recording->faults, "rank-1.rct was recorded with Other MPI 2");
    assert_fault(&recording->faults, "it began 3600 s before this one");
    assert_int_equal(recording->faults.n, 5);
    rc_trace_set_close(recording);
}

static void ranks_that_never_met(void **state)
{
    struct rc_trace_header header = make_header(1, 2);
    struct maker maker;
    struct both both;

    (void)state;
    make_small(0, 2);
    strcpy(header.host, "node1");
    header.began_wall += 30 * UINT64_C(1000000000);
    maker = make_begin_as(in_directory("rank-1.rct"), &header);
    make_end(&maker, 0);
    both = read_all();
    assert_false(both.profile->whole);
    assert_fault(&both.profile->faults, "rank 0 had ended before rank 1 began");
    free_all(both);
}

/* ---- times ---- */

static void times_add_up(void **state)
{
    struct maker maker = make_begin(directory, 0, 1);
    const struct rc_profile_rank *rank;
    struct both both;

    (void)state;
    make_plain(&maker, RC_TRACE_Init, 3 * MS, 40 * MS);
    make_collective(&maker, RC_TRACE_Allreduce, RC_TRACE_NONE, 4, 10 * MS, 2 * MS);
    for (int i = 0; i < 1000; i++)
        make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 200 * US, 50 * US);
    make_plain(&maker, RC_TRACE_File_write, 5 * MS, 7 * MS);
    make_plain(&maker, RC_TRACE_Finalize, 2 * MS, 3 * MS);
    make_end(&maker, 1 * MS);
    both = read_all();
    rank = &both.profile->ranks[0];
    assert_true(both.profile->whole);
    assert_near(rank->computing, 0.003 + 0.010 + 0.200 + 0.005 + 0.002, 1e-12);
    assert_near(rank->communicating, 0.002 + 0.050, 1e-12);
    assert_near(rank->files, 0.007, 1e-12);
    assert_near(rank->other, 0.040 + 0.003 + 0.001, 1e-12);
    assert_near(rank->length, 0.323, 1e-12);
    assert_near(rc_trace_profile_share(rank), 0.052 / (0.220 + 0.052 + 0.007), 1e-9);
    assert_near(rank->cpu, 0.220, 1e-12);
    assert_int_equal(rank->calls, 1004);
    assert_int_equal(rank->kinds[RC_TRACE_Barrier].calls, 1000);
    assert_near(rank->kinds[RC_TRACE_Barrier].seconds, 0.050, 1e-12);
    assert_same(rank->kinds[RC_TRACE_Allreduce].bytes, 32);
    free_all(both);
}

/* CPU time is measured of long computing alone, and not always: what it was measured over is told,
 * for calls one by one and within a loop of many rounds. */
static void measured_computing_is_told(void **state)
{
    struct maker maker = make_begin(directory, 0, 1);
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    const struct rc_profile_rank *rank;
    struct both both;

    (void)state;
    make_plain(&maker, RC_TRACE_Init, 0, 40 * MS);
    for (int i = 0; i < 4; i++)
        make_plain(&maker, RC_TRACE_Barrier, i % 2 == 0 ? 8 * MS : 5 * US, 50 * US);
    make_plain(&maker, RC_TRACE_Allreduce, 0, 10);
    for (int i = 0; i < 1000; i++) {
        uint64_t before = i % 5 < 2 ? 5 * US : 200 * US;
        uint64_t start = maker.clock + before;

        /* Of the 600 long ones, 200 were not foreseen; of the others the core was taken away for
         * half of the time. */
        maker.clock = start + 50 * US;
        rc_trace_writer_add(maker.writer, &call, start, maker.clock,
                            i % 5 > 2 ? (int64_t)before / 2 : -1, 0);
    }
    make_plain(&maker, RC_TRACE_Finalize, 0, 10);
    make_end(&maker, 0);
    both = read_all();
    rank = &both.profile->ranks[0];
    assert_near(rank->cpu, 0.016 + 400 * 100e-6, 1e-12);
    assert_near(rank->measured, 0.016 + 400 * 200e-6, 1e-3);
    free_all(both);
}

static void imbalance_is_that_of_computing(void **state)
{
    struct both both;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct maker maker = make_begin(directory, rank, 3);

        make_plain(&maker, RC_TRACE_Init, 0, 10);
        make_plain(&maker, RC_TRACE_Finalize, (rank + 1) * MS, 10);
        make_end(&maker, 0);
    }
    both = read_all();
    assert_near(both.profile->imbalance, 3.0 / 2 - 1, 1e-9);
    free_all(both);
}

/* Half of the time computing, then half communicating; then loops whose rounds are seen, and ones
 * that are too short for it. */
static void the_time_line_shows_when(void **state)
{
    struct maker maker = make_begin(directory, 0, 2);
    struct both both;
    double parts[RC_DOINGS];
    int half = RC_PROFILE_BINS / 2;

    (void)state;
    make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 500 * MS, 500 * MS);
    make_end(&maker, 0);
    maker = make_begin(directory, 1, 2);
    for (int i = 0; i < 10; i++) /* the fold has the average, 50 ms and 50 ms */
        make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 50 * MS, 50 * MS);
    make_end(&maker, 0);
    both = read_all();
    assert_near(both.profile->length, 1, 1e-9);
    assert_true(rc_trace_profile_line(&both.profile->ranks[0], 0, half, parts));
    assert_near(parts[RC_DOING_COMPUTING], 1, 0.01);
    assert_true(rc_trace_profile_line(&both.profile->ranks[0], half, 2 * half, parts));
    assert_near(parts[RC_DOING_COMMUNICATING], 1, 0.01);
    for (int i = 0; i < 10; i++) {
        int at = i * RC_PROFILE_BINS / 10;

        assert_true(rc_trace_profile_line(&both.profile->ranks[1], at + 1, at + 11, parts));
        assert_near(parts[RC_DOING_COMPUTING], 1, 0.02);
        assert_true(rc_trace_profile_line(&both.profile->ranks[1], at + 13, at + 23, parts));
        assert_near(parts[RC_DOING_COMMUNICATING], 1, 0.02);
    }
    free_all(both);
}

static void what_is_not_there_is_not_shown(void **state)
{
    struct rc_trace_header header = make_header(1, 2);
    struct maker maker = make_begin(directory, 0, 2);
    struct both both;
    double parts[RC_DOINGS];

    (void)state;
    make_plain(&maker, RC_TRACE_Finalize, 1000 * MS, 1000 * MS);
    make_end(&maker, 0);
    header.began_wall += 1000 * MS; /* it begins a second later, and is as short */
    maker = make_begin_as(in_directory("rank-1.rct"), &header);
    make_plain(&maker, RC_TRACE_Finalize, 500 * MS, 500 * MS);
    make_end(&maker, 0);
    both = read_all();
    assert_near(both.profile->length, 2, 1e-6);
    assert_near(both.profile->ranks[1].begins, 1, 1e-6);
    assert_false(rc_trace_profile_line(&both.profile->ranks[1], 0, RC_PROFILE_BINS / 2 - 1, parts));
    assert_true(rc_trace_profile_line(&both.profile->ranks[1], RC_PROFILE_BINS / 2 + 1,
                                      RC_PROFILE_BINS * 3 / 4 - 1, parts));
    assert_near(parts[RC_DOING_COMPUTING], 1, 0.02);
    free_all(both);
}

/* A loop of 10^8 calls must not be unfolded: this would take far longer than a test may. */
static void long_loops_are_not_unfolded(void **state)
{
    struct rc_outline *outline = malloc(sizeof *outline);
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    struct rc_trace_times times = {.before = {.sum = UINT64_C(1) << 50},
                                   .inside = {.sum = UINT64_C(1) << 50}};
    struct rc_trace_position position = {
        .call = &call, .n = UINT64_C(1) << 40, .depth = 2, .times = &times};
    double parts[RC_DOINGS], whole = (double)(UINT64_C(1) << 51);

    (void)state;
    assert_non_null(outline);
    rc_trace_outline_init(outline);
    rc_trace_outline_loop_begin(outline, 1 << 20);
    rc_trace_outline_loop_begin(outline, 1 << 20);
    rc_trace_outline_call(outline, &position, true);
    rc_trace_outline_loop_end(outline);
    rc_trace_outline_loop_end(outline);
    assert_same(outline->end, whole);
    rc_trace_timeline_between(&outline->timeline, 0, whole / 4, parts);
    assert_near(parts[RC_DOING_COMPUTING] / (whole / 8), 1, 1e-6);
    assert_near(parts[RC_DOING_COMMUNICATING] / (whole / 8), 1, 1e-6);
    /* The last of its calls ends with it, and each takes 1024 ns. */
    assert_near(rc_trace_outline_closing(outline).start, whole - 1024, 1e-3);
    rc_trace_outline_free(outline);
    free(outline);
}

/* ---- the closing wait ---- */

static void the_closing_wait_is_the_long_one(void **state)
{
    struct maker maker = make_begin(directory, 0, 2);
    struct both both;

    (void)state;
    make_plain(&maker, RC_TRACE_Init, 0, 0);
    make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 100 * MS, 300 * MS); /* too early */
    make_collective(&maker, RC_TRACE_Reduce, 0, 1, 500 * MS, 80 * MS);
    make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 2 * MS, 1 * MS);
    make_plain(&maker, RC_TRACE_Finalize, 3 * MS, 14 * MS);
    make_end(&maker, 0);
    maker = make_begin(directory, 1, 2); /* in a loop of which single times are kept */
    make_plain(&maker, RC_TRACE_Init, 0, 0);
    for (int i = 0; i < 5; i++)
        make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 100 * MS,
                        i == 4 ? 30 * MS : 5 * MS);
    make_plain(&maker, RC_TRACE_Finalize, 1 * MS, 10 * MS);
    make_end(&maker, 0);
    both = read_all();
    assert_near(both.profile->ranks[0].closing, 0.9, 1e-9);
    assert_near(both.profile->ranks[0].waited, 0.08, 1e-9);
    assert_string_equal(both.profile->ranks[0].closing_call, "MPI_Reduce");
    assert_string_equal(both.profile->ranks[1].closing_call, "MPI_Barrier");
    assert_near(both.profile->ranks[1].waited, 0.03, 1e-9);
    assert_near(both.profile->ranks[1].closing, 0.52, 1e-9);
    free_all(both);
}

/* ---- who talks to whom ---- */

static const struct rc_profile_link *find_link(const struct rc_profile_link *links, size_t n,
                                               uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < n; i++)
        if (links[i].from == from && links[i].to == to)
            return &links[i];
    return NULL;
}

/* Ranks 0 and 1 of three exchange messages in all ways, in a communicator in which their ranks are
 * turned round. */
static void make_talk(uint32_t me, bool all_received)
{
    static const int32_t turned[] = {1, 0}, both[] = {0, 1};
    static const int32_t one_any[] = {RC_TRACE_ANY, 1, 7}, all_any[] = {0, 1, RC_TRACE_ANY, 1, 7};
    struct maker maker = make_begin(directory, me, 3);
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Send);
    int32_t other = (int32_t)me; /* of rank 0, the other one is 0 there; of rank 1, it is 1 */

    make_plain(&maker, RC_TRACE_Init, 10, 10);
    make_list(&maker, RC_TRACE_Comm_split, turned, me < 2 ? 2 : 0, me < 2 ? 3 : RC_TRACE_NONE, 1,
              1);
    call.communicator = 3;
    call.message = (struct rc_trace_message){.peer = other, .tag = 7, .count = 10, .size = 4};
    for (int i = 0; me == 0 && i < 100; i++) /* 100 sends of 40 bytes */
        make_call(&maker, &call, 5, 5);
    call.kind = RC_TRACE_Send_init; /* a persistent one, started three times: 120 bytes */
    call.request = 0;
    for (int i = 0; me == 0 && i < 1; i++)
        make_call(&maker, &call, 5, 5);
    for (int i = 0; me == 0 && i < 3; i++) {
        make_list(&maker, RC_TRACE_Start, NULL, 0, 0, 1, 1);
        make_list(&maker, RC_TRACE_Wait, NULL, 0, 0, 1, 1);
    }
    call.kind = RC_TRACE_Recv;
    call.request = RC_TRACE_NONE;
    for (int i = 0; me == 1 && i < 101; i++)
        make_call(&maker, &call, 5, 5);
    call.kind = RC_TRACE_Irecv;
    call.flags = RC_TRACE_ANY_SOURCE;
    call.message.peer = RC_TRACE_ANY;
    call.request = 0;
    if (me == 1) { /* one for any source, and two at once of which one is for any */
        make_call(&maker, &call, 1, 1);
        make_list(&maker, RC_TRACE_Wait, one_any, 3, 0, 1, 1);
        make_call(&maker, &call, 1, 1);
        call.flags = 0;
        call.message.peer = RC_TRACE_NULL;
        call.request = 1;
        make_call(&maker, &call, 1, 1);
        if (all_received)
            make_list(&maker, RC_TRACE_Waitall, all_any, 5, RC_TRACE_NONE, 1, 1);
        else
            make_list(&maker, RC_TRACE_Waitall, both, 2, RC_TRACE_NONE, 1, 1);
    }
    make_plain(&maker, RC_TRACE_Finalize, 10, 10);
    make_end(&maker, 0);
}

static void messages_are_counted_by_pairs(void **state)
{
    const struct rc_profile_link *link;
    struct rc_profile_link *links;
    struct both both;
    size_t n;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++)
        make_talk(rank, true);
    both = read_all();
    assert_int_equal(both.profile->notes.n, 0);
    if (!both.profile->whole)
        fail_msg("%s", both.profile->faults.texts[0]);
    links = rc_trace_profile_links(both.profile, &n);
    assert_int_equal(n, 1);
    link = find_link(links, n, 0, 1);
    assert_non_null(link);
    assert_int_equal(link->messages, 103);
    assert_same(link->bytes, 103 * 40);
    assert_int_equal(both.profile->total.sent[6].messages, 103); /* 32 to 63 bytes */
    free(links);
    free_all(both);
}

static void messages_that_nobody_received(void **state)
{
    struct both both;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++)
        make_talk(rank, false);
    both = read_all();
    assert_false(both.profile->whole);
    assert_int_equal(both.profile->faults.n, 1);
    assert_fault(&both.profile->faults, "rank 0 sent 103 messages to rank 1, which received 102");
    free_all(both);
}

static void collectives_must_be_alike(void **state)
{
    struct both both;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct maker maker = make_begin(directory, rank, 3);

        for (uint32_t i = 0; i < 20 + (rank == 2); i++)
            make_collective(&maker, RC_TRACE_Barrier, RC_TRACE_NONE, 0, 10, 10);
        make_collective(&maker, RC_TRACE_Bcast, rank == 1 ? 1 : 0, 3, 10, 10);
        make_end(&maker, 0);
    }
    both = read_all();
    assert_false(both.profile->whole);
    assert_fault(&both.profile->faults, "rank 0 called MPI_Barrier 20 times, and rank 2 21 times");
    assert_fault(&both.profile->faults,
                 "rank 0 called MPI_Bcast in a communicator of 3 ranks, and only 2 of them did");
    assert_int_equal(both.profile->faults.n, 3);
    free_all(both);
}

static double collective_bytes(const struct rc_profile *profile, uint32_t from, uint32_t to)
{
    return rc_trace_traffic_collective(profile->traffic)[from * 3 + to];
}

/* What each of three ranks gives: see docs/reference/trace-format.md for the fields. */
static void collectives_by_pairs(void **state)
{
    static const int32_t counts[] = {1, 2, 3, 9, 9, 9};
    struct both both;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct maker maker = make_begin(directory, rank, 3);
        struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Alltoallv);

        make_collective(&maker, RC_TRACE_Bcast, 1, 2, 10, 10);      /* 16 bytes from 1 */
        make_collective(&maker, RC_TRACE_Gather, 0, 4, 10, 10);     /* 32 bytes to 0 */
        make_collective(&maker, RC_TRACE_Ialltoall, -1, 8, 10, 10); /* 64 bytes to each */
        make_collective(&maker, RC_TRACE_Scan, -1, 16, 10, 10);     /* 128 bytes upwards */
        call.list = counts;
        call.list_length = 6;
        call.message.size = 1000;
        make_call(&maker, &call, 10, 10);
        make_end(&maker, 0);
    }
    both = read_all();
    assert_true(both.profile->whole);
    assert_same(collective_bytes(both.profile, 1, 0), 16 + 32 + 64 + 1000);
    assert_same(collective_bytes(both.profile, 1, 2), 16 + 64 + 128 + 3000);
    assert_same(collective_bytes(both.profile, 2, 0), 32 + 64 + 1000);
    assert_same(collective_bytes(both.profile, 0, 2), 64 + 128 + 3000);
    assert_same(collective_bytes(both.profile, 0, 0), 0);
    assert_same(both.profile->total.kinds[RC_TRACE_Bcast].bytes, 16);
    assert_same(both.profile->total.kinds[RC_TRACE_Ialltoall].bytes, 3 * 3 * 64);
    assert_same(both.profile->total.kinds[RC_TRACE_Alltoallv].bytes, 3 * 6000);
    assert_int_equal(both.profile->total.given[13].messages, 3); /* 6000 bytes */
    free_all(both);
}

static void neighbours_get_what_is_theirs(void **state)
{
    struct both both;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        /* A ring: from the one before, to the one after and to itself. */
        int32_t before = (int32_t)(rank + 2) % 3, after = (int32_t)(rank + 1) % 3;
        const int32_t list[] = {
            0, 1, 2, RC_TRACE_ANY, 2, before, (int32_t)rank, after, (int32_t)rank};
        struct maker maker = make_begin(directory, rank, 3);
        struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Neighbor_alltoall);

        make_list(&maker, RC_TRACE_Dist_graph_create_adjacent, list, COUNT(list), 3, 10, 10);
        call.communicator = 3;
        call.message.count = 5;
        call.message.size = 2;
        make_call(&maker, &call, 10, 10);
        make_end(&maker, 0);
    }
    both = read_all();
    assert_true(both.profile->whole);
    assert_same(collective_bytes(both.profile, 0, 1), 10);
    assert_same(collective_bytes(both.profile, 1, 0), 0);
    assert_same(collective_bytes(both.profile, 2, 0), 10);
    assert_same(both.profile->total.kinds[RC_TRACE_Neighbor_alltoall].bytes, 3 * 20);
    free_all(both);
}

/* Two sides: ranks 0 and 2, and rank 1 alone. */
static void sides_of_an_intercommunicator(void **state)
{
    static const int32_t one[] = {0, 2, RC_TRACE_NONE, 1}, other[] = {1, RC_TRACE_NONE, 0, 2};
    static const int32_t same[] = {0, 2, 1}; /* without sides */
    struct rc_profile_link *links;
    struct both both;
    size_t n;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct maker maker = make_begin(directory, rank, 3);
        struct rc_trace_call call = RC_TRACE_CALL_INIT(rank == 1 ? RC_TRACE_Recv : RC_TRACE_Send);

        make_list(&maker, RC_TRACE_Intercomm_create, rank == 1 ? other : one, rank == 1 ? 3 + 1 : 4,
                  3, 10, 10);
        call.communicator = 3;
        call.message.count = call.message.size = 1;
        call.message.peer = rank == 1 ? 1 : 0; /* rank 2 there, and rank 1 */
        if (rank > 0)
            make_call(&maker, &call, 10, 10);
        call = (struct rc_trace_call)RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
        call.communicator = 3;
        make_call(&maker, &call, 10, 10);
        make_list(&maker, RC_TRACE_Comm_split, same, 3, 4, 10, 10);
        call.communicator = 4;
        make_call(&maker, &call, 10, 10);
        make_end(&maker, 0);
    }
    both = read_all();
    if (!both.profile->whole)
        fail_msg("%s", both.profile->faults.texts[0]);
    assert_int_equal(rc_trace_groups_count(rc_trace_traffic_groups(both.profile->traffic)),
                     1 + 3 + 2);
    links = rc_trace_profile_links(both.profile, &n);
    assert_int_equal(n, 1);
    assert_int_equal(links[0].from, 2);
    assert_int_equal(links[0].to, 1);
    free(links);
    free_all(both);
}

/* ---- what cannot be compared, and what makes no sense ---- */

static void damage_is_passed_over(void **state)
{
    struct both both;
    struct stat info;

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++)
        make_talk(rank, true);
    assert_int_equal(stat(in_directory("rank-1.rct"), &info), 0);
    assert_int_equal(truncate(in_directory("rank-1.rct"), info.st_size - 3), 0);
    write_text("rank-2.rct", "no trace at all, but a text");
    both = read_all();
    assert_false(both.profile->whole);
    assert_int_equal(both.profile->faults.n, 0);
    assert_null(both.profile->files[0].problem);
    assert_non_null(both.profile->files[1].problem);
    assert_non_null(strstr(both.profile->files[2].problem, "wrong first bytes"));
    assert_fault(&both.profile->notes, "not compared: calls are missing");
    assert_int_equal(both.profile->ranks[1].kinds[RC_TRACE_Recv].calls, 101);
    assert_false(both.profile->ranks[2].there);
    free_all(both);
}

static void nonsense_is_survived(void **state)
{
    static const int32_t lists[][6] = {{-1, -1, -1, -1, -1, -1},        {0, 99999, 0, -2, 5, 1},
                                       {0, -1, -2, -2, INT32_MAX, 0},   {0, 1, -2, 7, 0, 0},
                                       {-2, -2, -2, INT32_MIN, -2, -2}, {1, 0, -1, 0, -2, 1}};
    struct maker maker = make_begin(directory, 0, 2);
    struct both both;

    (void)state;
    for (unsigned kind = 0; kind < RC_TRACE_KIND_COUNT + 3; kind++)
        for (size_t i = 0; i < COUNT(lists); i++) {
            static const int32_t numbers[] = {-1, 0, 3, INT32_MAX, INT32_MIN, 70000};
            struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

            call.communicator = call.root = call.request = numbers[i];
            call.message = (struct rc_trace_message){UINT64_MAX, UINT32_MAX, numbers[5 - i], -9};
            call.from = (struct rc_trace_message){UINT64_MAX, UINT32_MAX, numbers[i], -9};
            call.flags = i % 2 ? RC_TRACE_ANY_SOURCE | RC_TRACE_ANY_TAG : 0;
            call.list = lists[(kind + i) % COUNT(lists)];
            call.list_length = (uint32_t)(i + 1);
            make_call(&maker, &call, UINT64_C(1) << 40, UINT64_C(1) << 40);
        }
    make_end(&maker, 0);
    make_small(1, 2);
    both = read_all();
    assert_null(both.profile->files[0].problem);
    assert_true(isfinite(both.profile->total.computing));
    free_all(both);
}

int main(void)
{
#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_files),
        IN_DIRECTORY(a_directory_without_traces),
        IN_DIRECTORY(missing_ranks_are_named),
        IN_DIRECTORY(files_of_other_runs_are_found),
        IN_DIRECTORY(ranks_that_never_met),
        IN_DIRECTORY(times_add_up),
        IN_DIRECTORY(measured_computing_is_told),
        IN_DIRECTORY(imbalance_is_that_of_computing),
        IN_DIRECTORY(the_time_line_shows_when),
        IN_DIRECTORY(what_is_not_there_is_not_shown),
        cmocka_unit_test(long_loops_are_not_unfolded),
        IN_DIRECTORY(the_closing_wait_is_the_long_one),
        IN_DIRECTORY(messages_are_counted_by_pairs),
        IN_DIRECTORY(messages_that_nobody_received),
        IN_DIRECTORY(collectives_must_be_alike),
        IN_DIRECTORY(collectives_by_pairs),
        IN_DIRECTORY(neighbours_get_what_is_theirs),
        IN_DIRECTORY(sides_of_an_intercommunicator),
        IN_DIRECTORY(damage_is_passed_over),
        IN_DIRECTORY(nonsense_is_survived),
    };

    return RUN_TESTS(tests);
}
