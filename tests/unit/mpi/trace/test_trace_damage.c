/* test_trace_damage.c - trace files that are cut short or damaged, and disks that are full. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "mpi/trace/format.h"

/* ---- a trace of three blocks and an end, in memory ---- */

enum { BLOCKS = 3 };

struct sample_file {
    uint8_t bytes[8192];
    size_t length;
    size_t starts[BLOCKS + 2]; /* of the blocks, and the end of the file */
    uint64_t calls[BLOCKS];    /* up to the end of each block */
    uint64_t header_length;
};

static size_t bytes_in_file(void)
{
    struct stat info;

    assert_int_equal(stat(trace_path(), &info), 0);
    return (size_t)info.st_size;
}

static void make_sample(struct sample_file *file)
{
    struct recording recording;
    FILE *stream;

    record_begin(&recording, 5, NULL);
    file->header_length = bytes_in_file();
    for (int i = 0; i < BLOCKS; i++) {
        file->starts[i] = bytes_in_file();
        record_text(&recording, "abcabcabcabcabcabcabcabcabcabcd");
        record_symbol(&recording, 4 + i);
        rc_trace_writer_flush(recording.writer);
        file->calls[i] = recording.count;
    }
    file->starts[BLOCKS] = bytes_in_file();
    record_end(&recording);
    stream = fopen(trace_path(), "rb");
    assert_non_null(stream);
    file->length = fread(file->bytes, 1, sizeof file->bytes, stream);
    assert_true(file->length < sizeof file->bytes);
    file->starts[BLOCKS + 1] = file->length;
    fclose(stream);
    record_free(&recording);
}

struct reading {
    uint64_t calls;
    uint64_t last_end;
    int gaps;
    uint64_t lost;
};

static int count_call(void *data, const struct rc_trace_position *position)
{
    ((struct reading *)data)->calls += position->n;
    return 0;
}

static int count_event(void *data, const struct rc_trace_event *event)
{
    struct reading *reading = data;

    assert_true(event->start >= reading->last_end && event->end >= event->start);
    reading->last_end = event->end;
    reading->calls++;
    return 0;
}

static int count_lost(void *data, uint64_t calls)
{
    struct reading *reading = data;

    reading->gaps++;
    reading->lost += calls;
    return 0;
}

/* Reads it both ways; -1 where it is not good, and then there is an error that says so. */
static int read_bytes(const void *bytes, size_t length, struct reading *reading,
                      struct rc_error *error)
{
    struct rc_trace_visitor visitor = {.call = count_call, .lost = count_lost, .data = reading};
    struct reading expanded = {0};
    struct rc_trace *trace;
    int status;

    memset(reading, 0, sizeof *reading);
    memset(error, 0, sizeof *error);
    trace = rc_trace_open_bytes(bytes, length, "sample", error);
    if (!trace) {
        assert_true(error->text[0] != '\0');
        assert_string_equal(error->file, "sample");
        return -1;
    }
    status = rc_trace_walk(trace, &visitor, error);
    assert_int_equal(status != 0, error->text[0] != '\0');
    assert_int_equal(rc_trace_summary(trace)->calls, reading->calls);
    assert_int_equal(rc_trace_summary(trace)->lost, reading->lost);
    assert_int_equal(rc_trace_expand(trace, count_event, &expanded, NULL), status);
    assert_int_equal(expanded.calls, reading->calls);
    rc_trace_close(trace);
    return status;
}

static void a_cut_gives_the_blocks_before_it(void **state)
{
    static struct sample_file file;
    struct reading reading;
    struct rc_error error;
    uint64_t expected;

    (void)state;
    make_sample(&file);
    assert_int_equal(read_bytes(file.bytes, file.length, &reading, &error), 0);
    assert_int_equal(reading.calls, file.calls[BLOCKS - 1]);
    for (size_t length = 0; length < file.length; length++) {
        /* In memory of that size, so that a sanitizer sees what is read beyond. */
        uint8_t *bytes = malloc(length + 1);

        memcpy(bytes, file.bytes, length);
        assert_int_equal(read_bytes(bytes, length, &reading, &error), -1);
        expected = 0;
        for (int i = 0; i < BLOCKS; i++)
            if (length >= file.starts[i + 1])
                expected = file.calls[i];
        assert_int_equal(reading.calls, expected);
        free(bytes);
    }
    assert_int_equal(read_bytes(file.bytes, file.starts[2], &reading, &error), -1);
    assert_non_null(strstr(error.text, "incomplete: the program was killed"));
    assert_int_equal(read_bytes(file.bytes, file.starts[2] + 60, &reading, &error), -1);
    assert_non_null(strstr(error.text, "cut short"));
}

static void a_flipped_bit_loses_its_block_alone(void **state)
{
    static struct sample_file file;
    struct reading reading;
    struct rc_error error;
    uint64_t expected;

    (void)state;
    make_sample(&file);
    for (size_t bit = 0; bit < 8 * file.length; bit++) {
        size_t place = bit / 8;

        file.bytes[place] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(read_bytes(file.bytes, file.length, &reading, &error), -1);
        expected = place < RC_TRACE_MAGIC_SIZE ? 0 : file.calls[BLOCKS - 1];
        for (int i = 0; i < BLOCKS; i++)
            if (place >= file.starts[i] && place < file.starts[i + 1]) {
                expected -= file.calls[i] - (i > 0 ? file.calls[i - 1] : 0);
                assert_int_equal(reading.gaps, 1);
                assert_int_equal(reading.lost, file.calls[BLOCKS - 1] - expected);
            }
        assert_int_equal(reading.calls, expected);
        file.bytes[place] ^= (uint8_t)(1 << bit % 8);
    }
}

static void a_missing_or_foreign_part_is_noticed(void **state)
{
    static struct sample_file file;
    static uint8_t other[sizeof file.bytes * 2];
    struct reading reading;
    struct rc_error error;
    size_t length;

    (void)state;
    make_sample(&file);
    /* Without the second block. */
    length = file.starts[1];
    memcpy(other, file.bytes, length);
    memcpy(other + length, file.bytes + file.starts[2], file.length - file.starts[2]);
    assert_int_equal(read_bytes(other, length + file.length - file.starts[2], &reading, &error),
                     -1);
    assert_int_equal(reading.lost, file.calls[1] - file.calls[0]);
    assert_non_null(strstr(error.text, "missing"));
    /* The first block twice, and a second file behind the end. */
    memcpy(other, file.bytes, file.starts[1]);
    memcpy(other + file.starts[1], file.bytes + file.starts[0], file.length - file.starts[0]);
    length = file.length + file.starts[1] - file.starts[0];
    assert_int_equal(read_bytes(other, length, &reading, &error), -1);
    assert_int_equal(reading.calls, file.calls[BLOCKS - 1]);
    assert_non_null(strstr(error.text, "order"));
    memcpy(other, file.bytes, file.length);
    memcpy(other + file.length, file.bytes, file.length);
    assert_int_equal(read_bytes(other, 2 * file.length, &reading, &error), -1);
    assert_int_equal(reading.calls, file.calls[BLOCKS - 1]);
    /* Other things altogether. */
    assert_int_equal(read_bytes("", 0, &reading, &error), -1);
    assert_non_null(strstr(error.text, "empty"));
    assert_int_equal(read_bytes("hello, this is not a trace", 26, &reading, &error), -1);
    assert_null(rc_trace_open("/nowhere/at/all", &error));
    assert_null(rc_trace_open("/tmp", &error));
    assert_null(rc_trace_open("/dev/zero", &error));
}

static void a_newer_format_is_refused(void **state)
{
    static struct sample_file file;
    struct rc_bytes_out out = {.data = file.bytes, .size = sizeof file.bytes};
    struct reading reading;
    struct rc_error error;

    (void)state;
    make_sample(&file);
    file.bytes[RC_TRACE_MAGIC_SIZE] = 2;
    out.length = file.header_length - 8;
    rc_trace_put_fixed(&out, rc_trace_checksum(file.bytes, out.length), 8);
    assert_int_equal(read_bytes(file.bytes, file.length, &reading, &error), -1);
    assert_non_null(strstr(error.text, "format 2"));
}

/* A good checksum over nonsense. */
static void nonsense_is_refused(void **state)
{
    static const struct {
        uint8_t payload[24];
        unsigned length;
    } cases[] = {
        {{0x80}, 1},                           /* a number that does not end */
        {{2, 5, 0, 1, 1, 0}, 6},               /* a symbol that was not told of */
        {{0, 5, 0, 1, 1}, 5},                  /* a time is missing */
        {{0, 5, 0x80, 1, 1, 1, 0}, 7},         /* unknown fields */
        {{0, 0xff, 0x7f, 0, 1, 1, 0}, 7},      /* unknown kind */
        {{3, 1, 0, 5, 0, 1, 1, 0}, 8},         /* a loop that goes round once */
        {{1, 2}, 2},                           /* an empty loop */
        {{3, 2}, 2},                           /* a loop without its body */
        {{3, 9, 0, 5, 0, 1, 0, 1, 0, 10}, 10}, /* more CPU times than calls */
        {{3, 9, 0, 5, 0, 1, 1, 5, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 0, 1, 0, 0}, 20}, /* infinite */
    };
    static struct sample_file file;
    struct rc_trace_block block = {.type = RC_TRACE_BLOCK_CALLS, .number = 1, .calls = 1};
    struct reading reading;
    struct rc_error error;

    (void)state;
    make_sample(&file);
    for (size_t i = 0; i < COUNT(cases); i++) {
        block.length = cases[i].length;
        block.checksum = rc_trace_checksum(cases[i].payload, cases[i].length);
        rc_trace_block_write(&block, file.bytes + file.starts[0]);
        memcpy(file.bytes + file.starts[0] + RC_TRACE_BLOCK_SIZE, cases[i].payload,
               cases[i].length);
        assert_int_equal(read_bytes(file.bytes,
                                    file.starts[0] + RC_TRACE_BLOCK_SIZE + cases[i].length,
                                    &reading, &error),
                         -1);
        assert_non_null(strstr(error.text, "invalid content"));
        assert_int_equal(reading.calls, 0);
    }
}

/* ---- writing where it cannot be written ---- */

static int troubles;
static char trouble_text[512];

static void note_trouble(void *data, const char *text)
{
    (void)data;
    troubles++;
    snprintf(trouble_text, sizeof trouble_text, "%s", text);
}

static const struct rc_trace_writer_options options_with_trouble = {.trouble = note_trouble};

static void a_full_disk_is_told_once(void **state)
{
    struct rc_trace_header header = {.rank = 0, .ranks = 1};
    struct rc_error error = {0};
    struct recording recording;

    (void)state;
    troubles = 0;
    assert_null(rc_trace_writer_create("/dev/full", &header, &options_with_trouble, &error));
    assert_non_null(strstr(error.text, "No space left"));
    assert_null(rc_trace_writer_create("/nowhere/x", &header, &options_with_trouble, &error));
    assert_int_equal(troubles, 0);
    /* Full after the header. */
    record_begin(&recording, 1, &options_with_trouble);
    unlink(trace_path());
    assert_int_equal(symlink("/dev/full", trace_path()), 0);
    record_text(&recording, "abcabc");
    assert_true(rc_trace_writer_is_on(recording.writer));
    errno = ERANGE;
    rc_trace_writer_flush(recording.writer);
    assert_int_equal(errno, ERANGE);
    assert_false(rc_trace_writer_is_on(recording.writer));
    record_text(&recording, "abcabc");
    rc_trace_writer_flush(recording.writer);
    assert_int_equal(troubles, 1);
    assert_non_null(strstr(trouble_text, "No space left"));
    assert_int_equal(rc_trace_writer_finish(recording.writer, recording.clock, &error), -1);
    assert_non_null(strstr(error.text, "No space left"));
    assert_int_equal(troubles, 1);
    record_free(&recording);
}

/* The child's part: records until the file may not grow further, and lives. */
static int record_under_limit(void)
{
    struct rlimit limit = {20000, 20000};
    struct recording recording;

    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    troubles = 0;
    record_begin(&recording, 1, &options_with_trouble);
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 50; k++)
            record_symbol(&recording, (int)draw(&recording, 1000));
        rc_trace_writer_flush(recording.writer);
    }
    return troubles == 1 && !rc_trace_writer_is_on(recording.writer) ? 0 : 2;
}

static void a_limit_on_files_does_not_kill_the_program(void **state)
{
    struct rc_trace_summary summary;
    struct rc_error error;
    struct stat info;
    char path[64];
    int status;
    pid_t child;

    (void)state;
    fflush(stdout);
    child = fork();
    if (child == 0)
        _exit(record_under_limit());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    /* What fitted is there, and ends with a whole block. */
    snprintf(path, sizeof path, "/tmp/runcast-test-trace.%ld", (long)child);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(rc_trace_check(path, &summary, &error), -1);
    assert_non_null(strstr(error.text, "incomplete: the program was killed"));
    assert_true(summary.calls > 100 && summary.calls % 50 == 0);
    assert_int_equal(summary.problems, 1);
    unlink(path);
}

static void a_child_writes_nothing(void **state)
{
    struct recording recording;
    int status;
    pid_t child;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_text(&recording, "abcd");
    fflush(stdout);
    child = fork();
    if (child == 0) {
        record_text(&recording, "abcd");
        rc_trace_writer_flush(recording.writer);
        _exit(rc_trace_writer_is_on(recording.writer));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    record_text(&recording, "dcba");
    record_end(&recording);
    assert_plays_back(&recording);
    record_free(&recording);
}

/* Times that go back, and such that are beyond all measure. */
static void odd_times_do_no_harm(void **state)
{
    static const uint64_t times[] = {0, 5, UINT64_MAX, 1000001, 3, UINT64_MAX / 2, 2000000};
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Send);
    struct rc_trace_summary summary;
    struct recording recording;

    (void)state;
    record_begin(&recording, 1, NULL);
    for (int i = 0; i < 1000; i++)
        rc_trace_writer_add(recording.writer, &call, times[i % 7], times[i * 3 % 7],
                            i % 2 ? INT64_MAX : INT64_MIN, (uint32_t)i << 22);
    assert_int_equal(rc_trace_writer_finish(recording.writer, 0, NULL), 0);
    assert_int_equal(rc_trace_check(trace_path(), &summary, NULL), 0);
    assert_int_equal(summary.calls, 1000);
    record_free(&recording);
}

static void bad_limits_are_refused(void **state)
{
    struct rc_trace_header header = {.rank = 0, .ranks = 1};
    struct rc_trace_writer_options options = {.limits = {.window = 4}};
    struct rc_error error = {0};

    (void)state;
    assert_null(rc_trace_writer_create(trace_path(), &header, &options, &error));
    assert_non_null(strstr(error.text, "limits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_gives_the_blocks_before_it),
        cmocka_unit_test(a_flipped_bit_loses_its_block_alone),
        cmocka_unit_test(a_missing_or_foreign_part_is_noticed),
        cmocka_unit_test(a_newer_format_is_refused),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_full_disk_is_told_once),
        cmocka_unit_test(a_limit_on_files_does_not_kill_the_program),
        cmocka_unit_test(a_child_writes_nothing),
        cmocka_unit_test(odd_times_do_no_harm),
        cmocka_unit_test(bad_limits_are_refused),
    };

    return RUN_TESTS(tests);
}
