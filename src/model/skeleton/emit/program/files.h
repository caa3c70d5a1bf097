// SPDX-License-Identifier: BSD-2-Clause
static int rank, me; /* in the world, and among those that run the same program */

/* Says what went wrong and ends all ranks. */
static void fail(const char *format, ...);

/* ---- files ---- */

static const char *directory = ".";
//? file_bytes

/* A file of this rank's own for reads and writes while it computes.  It has no name any more once
 * it is open, so that it goes when the program ends, however that is. */
#ifndef SMPI_H
static int own_file = -1;
static int64_t read_place, write_place;
static double left_read, left_written; /* parts of bytes */
static char file_buffer[1 << 16];

static void open_own_file(void)
{
    char path[4096];
    int64_t bytes = FILE_BYTES_MAX < file_bytes_read[rank] ? FILE_BYTES_MAX : file_bytes_read[rank];

    snprintf(path, sizeof path, "%s/%s-%d.XXXXXX", directory, NAME, rank);
    own_file = mkstemp(path);
    if (own_file < 0)
        fail("cannot make a file in %s: %s", directory, strerror(errno));
    unlink(path);
    for (int64_t done = 0; done < bytes; done += sizeof file_buffer) /* what will be read */
        if (pwrite(own_file, file_buffer, sizeof file_buffer, (off_t)done) < 0)
            fail("cannot write to a file in %s: %s", directory, strerror(errno));
}

/* Reads or writes so many bytes, from where it was last time. */
static void move_bytes(int64_t bytes, int64_t *place, int writes)
{
    while (bytes > 0) {
        size_t part = bytes < (int64_t)sizeof file_buffer ? (size_t)bytes : sizeof file_buffer;
        ssize_t done = writes ? pwrite(own_file, file_buffer, part, (off_t)*place)
                              : pread(own_file, file_buffer, part, (off_t)*place);

        if (done < 0)
            fail("cannot use a file in %s: %s", directory, strerror(errno));
        *place = *place + (int64_t)part < FILE_BYTES_MAX ? *place + (int64_t)part : 0;
        bytes -= (int64_t)part;
    }
}

/* Each run begins where the first one did. */
static void rewind_own_file(void)
{
    read_place = write_place = 0;
    left_read = left_written = 0;
}

static void use_file(double read, double written)
{
    left_read += read;
    left_written += written;
    move_bytes((int64_t)left_read, &read_place, 0);
    move_bytes((int64_t)left_written, &write_place, 1);
    left_read -= (double)(int64_t)left_read;
    left_written -= (double)(int64_t)left_written;
}
#endif
//? file_calls

#ifndef SMPI_H
static int64_t file_cursor[FILES]; /* of this rank in its region */
static MPI_Offset file_start[FILES]; /* of that */
static MPI_File files[FILES];

static void file_name(int file, char *path, size_t size)
{
    snprintf(path, size, "%s/%s.file-%d", directory, NAME, file);
}
#endif

static void remove_files(void)
{
#ifndef SMPI_H
    char path[4096];

    for (int i = 0; i < FILES; i++) {
        file_name(i, path, sizeof path);
        unlink(path);
    }
#endif
}
//.

