// SPDX-License-Identifier: BSD-2-Clause
/* simulated.c - what is different where SMPI simulates the ranks: hosts, programs and times.
 *
 * The simulated clock is read without a call to MPI: SMPI's MPI_Wtime() takes simulated time. */
#include <fcntl.h>
#include <limits.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi/preload/recorder_internal.h"

/* The second word of the command line: smpimain PROGRAM ... */
static void name_program(char *name, size_t size)
{
    char words[2 * PATH_MAX] = "";
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, words, sizeof words - 2);

    if (file >= 0)
        close(file);
    words[length > 0 ? length : 0] = '\0';
    snprintf(name, size, "%.255s", words + strlen(words) + 1);
}

void rc_preload_place(struct rc_trace_header *header)
{
    const char *host = sg_host_self_get_name();

    snprintf(header->clock, sizeof header->clock, "simulated");
    snprintf(header->host, sizeof header->host, "%.200s", host ? host : "");
    name_program(header->program, sizeof header->program);
}

/* SMPI measures computing from the end of a call to the beginning of the next. */
void rc_preload_simulate_computing(void)
{
    smpi_bench_end();
    smpi_bench_begin();
}

/* A simulated core has the speed of the platform, whatever this machine is. */
void rc_preload_speed_sample(struct rc_preload_thread *thread, uint64_t now)
{
    (void)thread;
    (void)now;
}

void rc_preload_speed_write(struct rc_trace_writer *writer, uint64_t footprint)
{
    (void)writer;
    (void)footprint;
}
