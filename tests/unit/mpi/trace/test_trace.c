/* test_trace.c - trace files: what goes in comes out, and loops are found on the way. */
#include "trace.h"

#include <math.h>

#include "mpi/trace/loop_folding.h"

/* ---- the structure, as text: letters, and (body)count for loops ---- */

struct sketch {
    char text[4096];
    size_t length;
    uint64_t counts[64];
    int depth;
};

static void sketch_add(struct sketch *sketch, char sign)
{
    assert_true(sketch->length + 1 < sizeof sketch->text);
    sketch->text[sketch->length++] = sign;
}

static int sketch_call(void *data, const struct rc_trace_position *position)
{
    struct sketch *sketch = data;

    assert_int_equal(position->depth, sketch->depth);
    assert_int_equal(position->times->before.n, position->n);
    assert_int_equal(position->times->inside.n, position->n);
    sketch_add(sketch, (char)('a' + position->call->message.count / 100));
    return 0;
}

static int sketch_loop(void *data, uint64_t count, uint32_t length)
{
    struct sketch *sketch = data;

    assert_true(count >= 2 && count <= 9 && length >= 1);
    sketch->counts[sketch->depth++] = count;
    sketch_add(sketch, '(');
    return 0;
}

static int sketch_loop_end(void *data)
{
    struct sketch *sketch = data;

    sketch_add(sketch, ')');
    sketch_add(sketch, (char)('0' + sketch->counts[--sketch->depth]));
    return 0;
}

/* How the trace of `text` is folded. */
static void assert_folds(const char *text, const char *expected)
{
    static const struct rc_trace_visitor visitor = {.call = sketch_call,
                                                    .loop_begin = sketch_loop,
                                                    .loop_end = sketch_loop_end};
    struct rc_trace_visitor mine = visitor;
    struct sketch sketch = {.length = 0};
    struct recording recording;
    struct rc_trace *trace;

    record_begin(&recording, 1, NULL);
    record_text(&recording, text);
    record_end(&recording);
    assert_plays_back(&recording);
    trace = rc_trace_open(trace_path(), NULL);
    assert_non_null(trace);
    mine.data = &sketch;
    assert_int_equal(rc_trace_walk(trace, &mine, NULL), 0);
    assert_string_equal(sketch.text, expected);
    rc_trace_close(trace);
    record_free(&recording);
}

static void loops_are_found(void **state)
{
    (void)state;
    assert_folds("a", "a");
    assert_folds("aa", "(a)2");
    assert_folds("aaaa", "(a)4");
    assert_folds("abcabcabc", "(abc)3");
    /* The paper's example, section 4.2. */
    assert_folds("abbcbbcbbcdaa", "a((b)2c)3d(a)2");
    /* Three deep. */
    assert_folds("xabbcbbcabbcbbcyxabbcbbcabbcbbcy", "(x(a((b)2c)2)2y)2");
    /* Loops that have gone round differently are not the same. */
    assert_folds("abbabbb", "(a(b)2)2b");
    assert_folds("abcdefg", "abcdefg");
}

/* ---- round trips ---- */

static void a_call_keeps_all_of_its_fields(void **state)
{
    static const int32_t list[] = {5, -1, 70000, INT32_MIN, INT32_MAX};
    struct rc_trace_call call = {
        .kind = RC_TRACE_Sendrecv,
        .flags = RC_TRACE_FLAGS,
        .communicator = -7,
        .root = 9,
        .message = {.count = UINT64_MAX, .size = UINT32_MAX, .peer = 1, .tag = RC_TRACE_ANY},
        .from = {.count = 3, .size = 4, .peer = RC_TRACE_NULL, .tag = INT32_MAX},
        .request = INT32_MIN,
        .list_length = 5,
        .list = list};
    struct recording recording;
    struct rc_trace *trace;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_call(&recording, &call);
    call.from.peer = 8;
    record_call(&recording, &call);
    call = (struct rc_trace_call)RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    record_call(&recording, &call);
    record_end(&recording);
    assert_int_equal(assert_plays_back(&recording).exact, 3);
    trace = rc_trace_open(trace_path(), NULL);
    assert_int_equal(rc_trace_header(trace)->rank, 3);
    assert_int_equal(rc_trace_header(trace)->ranks, 4);
    assert_int_equal(rc_trace_header(trace)->began_wall, 1700000000000000000u);
    assert_string_equal(rc_trace_header(trace)->mpi, "Some MPI 1.0");
    rc_trace_close(trace);
    record_free(&recording);
}

/* A program of loops in loops, with breaks in the pattern at times. */
static void random_program(struct recording *recording, int depth, int breaks)
{
    uint64_t parts = 1 + draw(recording, 4), seed = recording->state;

    for (uint64_t round = 1 + draw(recording, depth > 2 ? 3 : 12); round > 0; round--) {
        uint64_t clock_state = recording->state;

        /* The same choices in each round; the times are drawn after all. */
        for (uint64_t i = 0; i < parts; i++) {
            uint64_t choice = (seed >> (8 * i)) & 255;

            if (depth > 0 && choice < 100) {
                struct recording inner = *recording;

                inner.state = seed + i + 1;
                random_program(&inner, depth - 1, breaks);
                inner.state = clock_state + i + 1;
                *recording = inner;
            } else {
                record_symbol(recording, (int)(choice % 9));
            }
            if (breaks > 0 && draw(recording, (uint64_t)breaks) == 0)
                record_symbol(recording, 10 + (int)draw(recording, 5));
        }
    }
}

static void random_programs_come_back(void **state)
{
    struct recording recording;
    size_t exact = 0, all = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        record_begin(&recording, seed, NULL);
        recording.cpu = seed % 3 == 0;
        random_program(&recording, 4, seed % 2 ? 0 : 40);
        record_end(&recording);
        exact += assert_plays_back(&recording).exact;
        all += recording.count;
        record_free(&recording);
    }
    assert_true(exact > 0 && exact < all);
}

/* With hardly any memory, all is written out all the time, and still comes back. */
static void small_limits_lose_nothing(void **state)
{
    struct rc_trace_writer_options options = {.limits = {.window = 12,
                                                         .nodes = 20,
                                                         .samples = 6,
                                                         .times = 3,
                                                         .symbols = 5,
                                                         .list_items = RC_TRACE_LIST_MAX,
                                                         .block = 1 << 20}};
    struct recording recording;

    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        options.limits.window = 8 + (uint32_t)seed % 40;
        options.limits.nodes = options.limits.window + 1 + (uint32_t)seed % 7;
        options.limits.samples = 1 + (uint32_t)(seed * 7 % 31);
        options.limits.times = 1 + (uint32_t)(seed % 5);
        options.limits.symbols = 1 + (uint32_t)seed % 16;
        record_begin(&recording, seed, &options);
        random_program(&recording, 3, seed % 2 ? 0 : 20);
        record_end(&recording);
        assert_plays_back(&recording);
        record_free(&recording);
    }
}

/* ---- size ---- */

static off_t file_size(void)
{
    struct stat info;

    assert_int_equal(stat(trace_path(), &info), 0);
    return info.st_size;
}

/* Wavefronts forth and back, an exchange of borders and now and then a sum, as in LU of the NAS
 * Parallel Benchmarks. */
static void like_lu(struct recording *recording, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < 31; k++)
            record_text(recording, "abc");
        for (int k = 0; k < 31; k++)
            record_text(recording, "def");
        record_text(recording, "ghighi");
        if (i % 10 == 9)
            record_symbol(recording, 12);
    }
}

static void the_file_is_as_large_as_the_structure(void **state)
{
    struct recording recording;
    off_t small;

    (void)state;
    record_begin(&recording, 1, NULL);
    recording.cpu = true;
    like_lu(&recording, 50);
    record_end(&recording);
    small = file_size();
    record_free(&recording);
    record_begin(&recording, 1, NULL);
    recording.cpu = true;
    like_lu(&recording, 540);
    record_end(&recording);
    assert_true(recording.count >= 100000);
    assert_true(file_size() < 65536 / 8);
    assert_true(file_size() < 2 * small);
    assert_plays_back(&recording);
    record_free(&recording);
}

static void bodies_of_thousands_of_calls_are_found(void **state)
{
    struct rc_trace_summary summary;
    struct recording recording;

    (void)state;
    record_begin(&recording, 1, NULL);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 8000; k++)
            record_symbol(&recording, k);
    record_end(&recording);
    assert_plays_back(&recording);
    assert_int_equal(rc_trace_check(trace_path(), &summary, NULL), 0);
    assert_int_equal(summary.positions, 8000);
    assert_int_equal(summary.loops, 1);
    record_free(&recording);
}

/* Memory that this process has, in pages. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long size = 0, pages = 0;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &size, &pages), 2);
    fclose(file);
    return pages;
}

/* Ten million calls, half of them irregular; too many to remember. */
static void memory_has_a_bound(void **state)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Send);
    struct rc_trace_summary summary;
    struct recording recording;
    uint64_t clock = 2000000;
    long before = resident();
    int calls = getenv("RUNCAST_SANITIZED") && strcmp(getenv("RUNCAST_SANITIZED"), "1") == 0
                    ? 500000
                    : 10000000;

    (void)state;
    record_begin(&recording, 1, NULL);
    for (int i = 0; i < calls; i++, clock += 1500) {
        call.message.count = i < calls / 2 ? (uint64_t)(i % 10) : draw(&recording, 1000);
        call.message.peer = i < calls / 2 || i % 50 ? 1 : (int32_t)draw(&recording, 1 << 30);
        rc_trace_writer_add(recording.writer, &call, clock, clock + 1000, 300, 0);
    }
    assert_true((resident() - before) * sysconf(_SC_PAGESIZE) < 64l << 20);
    assert_int_equal(rc_trace_writer_finish(recording.writer, clock, NULL), 0);
    assert_int_equal(rc_trace_check(trace_path(), &summary, NULL), 0);
    assert_int_equal(summary.calls, calls);
    assert_int_equal(summary.end, clock - 1000000);
    record_free(&recording);
}

static void kinds_have_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RC_TRACE_KIND_COUNT; i++)
        assert_int_equal(rc_trace_kind_find(rc_trace_kind_info(i)->name), i);
    assert_int_equal(rc_trace_kind_find("MPI_Nonsense"), -1);
    assert_string_equal(rc_trace_kind_info(RC_TRACE_KIND_MAX)->name, "an unknown call");
    assert_int_equal(rc_trace_kind_info(RC_TRACE_Ibcast)->class, RC_TRACE_ROOTED);
    /* Numbers in files must not change. */
    assert_int_equal(RC_TRACE_Init, 0);
    assert_int_equal(RC_TRACE_Barrier, 45);
    assert_int_equal(RC_TRACE_File_write_ordered_end, 182);
}

static void notes_come_back(void **state)
{
    struct rc_trace_note notes[2] = {{.before = RC_TRACE_CALL_INIT(RC_TRACE_Send),
                                      .after = RC_TRACE_CALL_INIT(RC_TRACE_Barrier),
                                      .footprints = 3,
                                      .footprint = UINT64_MAX,
                                      .files = 7,
                                      .read = 1,
                                      .written = 1u << 30},
                                     {.before = RC_TRACE_CALL_INIT(RC_TRACE_Init),
                                      .after = RC_TRACE_CALL_INIT(RC_TRACE_Send)}};
    const struct rc_trace_note *found;
    struct recording recording;
    struct rc_trace *trace;
    size_t n;

    (void)state;
    notes[0].before.message.peer = RC_TRACE_NULL;
    notes[0].after.communicator = 5;
    record_begin(&recording, 1, NULL);
    for (int i = 0; i < 20; i++)
        record_call(&recording, &notes[0].before);
    rc_trace_writer_notes(recording.writer, notes, 2);
    assert_int_equal(rc_trace_writer_finish(recording.writer, recording.clock, NULL), 0);
    trace = rc_trace_open(trace_path(), NULL);
    assert_non_null(trace);
    assert_null(rc_trace_notes(trace, &n));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rc_trace_walk(trace, NULL, NULL), 0);
        found = rc_trace_notes(trace, &n);
        assert_int_equal(n, 2);
        assert_true(rc_trace_same_but_list(&found[0].before, &notes[0].before));
        assert_true(rc_trace_same_but_list(&found[0].after, &notes[0].after));
        assert_false(rc_trace_same_but_list(&found[0].after, &found[1].after));
        assert_int_equal(found[0].footprints, 3);
        assert_true(found[0].footprint == UINT64_MAX);
        assert_int_equal(found[0].written, 1u << 30);
        assert_int_equal(found[1].files, 0);
    }
    assert_int_equal(rc_trace_summary(trace)->calls, 20);
    rc_trace_close(trace);
    unlink(trace_path());
    free(recording.events);
    free(recording.calls);
}

/* `samples`, units, how many sizes, and their speeds. */
static int speed_of(struct rc_trace_speed *speed, uint64_t samples, double units, uint64_t sizes,
                    double lines, size_t less)
{
    uint8_t bytes[100];
    struct rc_bytes_out out = {.data = bytes, .size = sizeof bytes};

    rc_trace_put_small(&out, samples);
    rc_trace_put_double(&out, units);
    rc_trace_put_small(&out, sizes);
    for (uint64_t i = 0; i < sizes; i++)
        rc_trace_put_double(&out, lines);
    return rc_trace_speed_get(bytes, out.length - less, speed);
}

static void the_speed_of_cores_comes_back(void **state)
{
    const struct rc_trace_speed speed = {.samples = 200, .units = 4.5e8, .lines = {3e8, 1e8}};
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    struct rc_trace_speed found;
    struct recording recording;
    struct rc_trace *trace;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_call(&recording, &call);
    rc_trace_writer_speed(recording.writer, &speed);
    assert_int_equal(rc_trace_writer_finish(recording.writer, recording.clock, NULL), 0);
    trace = rc_trace_open(trace_path(), NULL);
    assert_non_null(trace);
    assert_int_equal(rc_trace_speed(trace)->samples, 0);
    assert_int_equal(rc_trace_walk(trace, NULL, NULL), 0);
    assert_int_equal(rc_trace_summary(trace)->calls, 1);
    assert_memory_equal(rc_trace_speed(trace), &speed, sizeof speed);
    rc_trace_close(trace);
    unlink(trace_path());
    free(recording.events);
    free(recording.calls);

    assert_int_equal(speed_of(&found, 1, 2e8, 2, 1e7, 0), 0);
    assert_true(found.lines[1] == 1e7 && found.lines[2] == 0);
    assert_int_equal(speed_of(&found, 1, 2e8, 4, 1e7, 1), -1);
    assert_int_equal(speed_of(&found, 1, 2e8, 5, 1e7, 0), -1);
    assert_int_equal(speed_of(&found, 1, 2e8, 1, NAN, 0), -1);
    assert_int_equal(speed_of(&found, 1, 0, 1, 1e7, 0), -1);
    assert_int_equal(found.samples, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_found),
        cmocka_unit_test(a_call_keeps_all_of_its_fields),
        cmocka_unit_test(random_programs_come_back),
        cmocka_unit_test(small_limits_lose_nothing),
        cmocka_unit_test(the_file_is_as_large_as_the_structure),
        cmocka_unit_test(bodies_of_thousands_of_calls_are_found),
        cmocka_unit_test(memory_has_a_bound),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(notes_come_back),
        cmocka_unit_test(the_speed_of_cores_comes_back),
    };

    return RUN_TESTS(tests);
}
