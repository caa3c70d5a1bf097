// SPDX-License-Identifier: BSD-2-Clause
/* compute_gaps.c - samples of what computing does with memory and files.
 *
 * Memory.  /proc/self/clear_refs takes the marks off all pages at the beginning of a gap, and
 * smaps_rollup shows at its end how many bytes are in pages that were touched since.  Files: the
 * bytes that read() and write() moved, from /proc/self/io.
 *
 * Both take time, the first in proportion to the memory that a program has, and more when pages are
 * touched again.  So each is only done
 * 1. where a gap over RC_PRELOAD_GAP_NOTED is expected, since the last ones at this place were;
 * 2. as long as all of it has taken under 1/500 of the CPU time since the beginning, files and
 *    memory each (of all time, it would be more where a program has a part of a core only);
 * 3. memory: up to LOOKS times at each place, since more would show little more (files may be read
 *    and written in one round of many), and where it was looked at no more often than on average;
 * 4. memory: where the last look took less than the gap is expected to take, and at every other
 *    opportunity by chance, so that a regular program is not always met at one place;
 * 5. files: by chance, as seldom as takes 1/1000 of such gaps.
 * Chance is the same on ranks that make the same calls: chance.h.
 * What it takes is not counted as computing. */
#include "mpi/preload/recorder_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/trace/compute_notes.h"

enum { PAIRS_MAX = 256, SHARE = 500, SELDOM = 1000, LOOKS = 16, TEXT_SIZE = 4096 };
/* To mark a page again: measured on a virtual machine. */
enum { PAGE = 4096, KB_A_PAGE = PAGE / 1024, NS_A_PAGE = 600 };
enum { DISTURBED = 20 };

bool rc_preload_gap_pending;

static struct {
    bool begun;
    uint64_t began;                     /* CPU time */
    bool no_memory, no_files;           /* the system does not report it */
    uint64_t memory_spent, files_spent; /* ns so far */
    uint64_t memory_took, files_took;   /* ns, the last time */
    uint64_t marks_take;                /* ns, to mark all pages again, as far as is known */
    bool open, memory, files;           /* what is looked at in the gap under way */
    uint64_t end;                       /* of the call before it */
    struct rc_trace_call before;
    uint64_t took;                   /* ns that its beginning took */
    uint64_t read, written, touched; /* counters at its beginning; then what was found */
    struct rc_trace_note *notes;
    size_t n_notes;
    uint32_t places, all_looks;            /* that it could be looked at; at memory so far */
    uint8_t looks[RC_PRELOAD_PREDICTIONS]; /* by place, and 1 more; 0: it is none of `places` */
} gaps;

/* Reads a small file of /proc; its length, or -1. */
static ssize_t read_text(const char *path, char text[TEXT_SIZE])
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (file < 0)
        return -1;
    length = read(file, text, TEXT_SIZE - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? length : -1;
}

static bool find_number(const char *text, const char *name, uint64_t *number)
{
    const char *at = strstr(text, name);

    if (!at)
        return false;
    *number = strtoull(at + strlen(name), NULL, 10);
    return true;
}

/* The length of the text itself is counted the next time. */
static bool read_files(uint64_t *read_bytes, uint64_t *written, bool first)
{
    char text[TEXT_SIZE];
    ssize_t length = read_text("/proc/self/io", text);

    if (length < 0 || !find_number(text, "rchar:", read_bytes) ||
        !find_number(text, "wchar:", written))
        return false;
    if (first)
        *read_bytes += (uint64_t)length;
    return true;
}

static bool clear_marks(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, "1", 1) == 1;

    if (file >= 0)
        close(file);
    return done;
}

/* Whether it is this place's turn. */
static bool is_next(uint8_t *looks)
{
    if (*looks == 0) {
        *looks = 1;
        gaps.places++;
    }
    return *looks <= LOOKS && (uint64_t)(*looks - 1) * gaps.places <= gaps.all_looks;
}

static bool may_look_at_memory(const struct rc_preload_thread *thread, uint64_t used,
                               uint64_t expected)
{
    uint64_t took = gaps.memory_took > 0 ? gaps.memory_took + gaps.marks_take : 1000000;

    return !gaps.no_memory && (gaps.memory_spent + took) * SHARE < used &&
           gaps.memory_took < expected &&
           rc_preload_chance(thread->progress, RC_PRELOAD_LOOK_MEMORY, 1, 2);
}

static bool may_look_at_files(const struct rc_preload_thread *thread, uint64_t used,
                              uint64_t expected)
{
    return !gaps.no_files && (gaps.files_spent + gaps.files_took) * SHARE < used &&
           rc_preload_chance(thread->progress, RC_PRELOAD_LOOK_FILES, expected,
                             gaps.files_took * SELDOM);
}

void rc_preload_gap_open(struct rc_preload_thread *thread, const struct rc_trace_call *call,
                         uint64_t expected)
{
    uint64_t now, start, used;
    int theirs = errno;

    if (!gaps.begun) {
        gaps.begun = true;
        gaps.began = thread->cpu;
    }
    used = thread->cpu - gaps.began; /* at the last reading */
    gaps.memory = is_next(&gaps.looks[thread->site]) && may_look_at_memory(thread, used, expected);
    gaps.looks[thread->site] += gaps.memory;
    gaps.all_looks += gaps.memory;
    gaps.files = may_look_at_files(thread, used, expected);
    gaps.open = gaps.memory || gaps.files;
    if (!gaps.open)
        return;
    gaps.before = *call;
    gaps.end = thread->last_end;
    gaps.took = 0;
    start = now = rc_preload_now();
    if (gaps.memory) {
        gaps.no_memory = !clear_marks();
        now = rc_preload_now();
        gaps.memory_took = now - start;
        gaps.memory_spent += now - start;
    }
    if (gaps.files) {
        gaps.no_files = !read_files(&gaps.read, &gaps.written, true);
        gaps.files_took = rc_preload_now() - now;
        gaps.files_spent += gaps.files_took;
    }
    gaps.took = rc_preload_now() - start;
    errno = theirs;
}

uint64_t rc_preload_gap_close(const struct rc_preload_thread *thread)
{
    uint64_t now, read_now, written_now, all = 0;
    char text[TEXT_SIZE];
    int theirs = errno;

    if (!gaps.open || thread->number != 0 || gaps.end != thread->last_end) {
        if (thread->number == 0)
            gaps.open = false;
        return 0;
    }
    gaps.open = false;
    now = rc_preload_now();
    if (gaps.files && read_files(&read_now, &written_now, false)) {
        gaps.read = read_now - gaps.read;
        gaps.written = written_now - gaps.written;
        gaps.files_took += rc_preload_now() - now;
        gaps.files_spent += rc_preload_now() - now;
    } else {
        gaps.files = false;
    }
    now = rc_preload_now();
    if (gaps.memory && !gaps.no_memory && read_text("/proc/self/smaps_rollup", text) > 0 &&
        find_number(text, "Referenced:", &gaps.touched)) {
        gaps.touched *= 1024;
        gaps.memory_took += rc_preload_now() - now;
        find_number(text, "Rss:", &all);
        gaps.marks_take = all / KB_A_PAGE * NS_A_PAGE;
        gaps.memory_spent += rc_preload_now() - now + gaps.marks_take;
    } else {
        gaps.no_memory |= gaps.memory;
        gaps.memory = false;
    }
    rc_preload_gap_pending = gaps.memory || gaps.files;
    errno = theirs;
    return gaps.took;
}

bool rc_preload_gap_disturbed(uint64_t length)
{
    return gaps.memory && gaps.touched / PAGE * NS_A_PAGE > length / DISTURBED;
}

static struct rc_trace_note *find_note(const struct rc_trace_call *after)
{
    struct rc_trace_note *note;

    if (!gaps.notes)
        gaps.notes = calloc(PAIRS_MAX, sizeof *gaps.notes);
    if (!gaps.notes)
        return NULL;
    for (size_t i = 0; i < gaps.n_notes; i++)
        if (rc_trace_same_but_list(&gaps.notes[i].before, &gaps.before) &&
            rc_trace_same_but_list(&gaps.notes[i].after, after))
            return &gaps.notes[i];
    if (gaps.n_notes == PAIRS_MAX)
        return NULL;
    note = &gaps.notes[gaps.n_notes++];
    note->before = gaps.before;
    note->after = *after;
    note->before.list = note->after.list = NULL;
    note->before.list_length = note->after.list_length = 0;
    return note;
}

void rc_preload_gap_note(const struct rc_trace_call *call)
{
    struct rc_trace_note *note = find_note(call);

    rc_preload_gap_pending = false;
    if (!note)
        return;
    if (gaps.memory) {
        note->footprint += gaps.touched; /* the sum, until it is written */
        note->footprints++;
    }
    if (gaps.files) {
        note->files++;
        note->read += gaps.read;
        note->written += gaps.written;
    }
}

uint64_t rc_preload_gaps_write(struct rc_trace_writer *writer)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < gaps.n_notes; i++) {
        if (gaps.notes[i].footprints > 0)
            gaps.notes[i].footprint /= gaps.notes[i].footprints;
        if (gaps.notes[i].footprint > largest)
            largest = gaps.notes[i].footprint;
    }
    if (gaps.n_notes > 0)
        rc_trace_writer_notes(writer, gaps.notes, gaps.n_notes);
    gaps.n_notes = 0;
    return largest;
}
