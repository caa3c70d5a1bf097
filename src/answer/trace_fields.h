// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_fields.h - answers about a trace: its files, and how the program spent its time. */
#ifndef RC_ANSWER_TRACE_FIELDS_H
#define RC_ANSWER_TRACE_FIELDS_H

#include "mpi/trace/profile.h"
#include "report/field.h"

/* The sentences of a list, as JSON. */
json_t *rc_answer_faults_json(const struct rc_faults *faults);

/* One file. */
struct rc_answer_trace_file {
    const char *name;
    uint32_t rank, thread;
    bool whole;
    const char *problem, *state; /* NULL, and "complete", if it is complete */
    int64_t missing;             /* calls; below 0: unknown */
    double seconds;
    struct rc_trace_summary summary;
};
extern const struct rc_field rc_answer_trace_file[];
/* The answer about a file; texts belong to the profile. */
struct rc_answer_trace_file rc_answer_trace_file_of(const struct rc_profile_file *file);
/* Is a trace complete: of struct rc_profile. */
extern const struct rc_field rc_answer_trace_check[];

/* One rank: of struct rc_profile_rank. */
extern const struct rc_field rc_answer_trace_rank[];

/* Calls of one kind. */
struct rc_answer_trace_kind {
    const char *call;
    uint64_t calls;
    double seconds, bytes; /* of all of them */
};
extern const struct rc_field rc_answer_trace_kind[];
/* The kinds of calls of a rank, longest total time first; returns their number. */
size_t rc_answer_trace_kinds(const struct rc_profile_rank *rank,
                             struct rc_answer_trace_kind kinds[RC_PROFILE_KINDS]);

/* Messages of `least` to below `below` bytes, and bytes passed to collective calls. */
struct rc_answer_trace_size {
    double least, below;
    struct rc_traffic_size sent, given;
};
extern const struct rc_field rc_answer_trace_size[];
/* The sizes of a rank; returns their number. */
size_t rc_answer_trace_sizes(const struct rc_profile_rank *rank,
                             struct rc_answer_trace_size sizes[RC_TRAFFIC_SIZES]);

/* Communication between two ranks: of struct rc_profile_link. */
extern const struct rc_field rc_answer_trace_link[];
/* As rc_trace_profile_links(), of one rank, or of all if `rank` is below 0. */
struct rc_profile_link *rc_answer_trace_links(const struct rc_profile *profile, int64_t rank,
                                              size_t *n);

/* How a program, or one rank of it, spent its time. */
struct rc_answer_trace_info {
    const struct rc_profile *profile;
    int64_t rank; /* below 0: all */
    const struct rc_profile_rank *shown;
    json_t *notes;
};
struct rc_answer_trace_info rc_answer_trace_info_of(const struct rc_profile *profile, int64_t rank);
extern const struct rc_field rc_answer_trace_info[];

/* Draws the same into the file `path`: see rc_plot_write(). */
int rc_answer_trace_plot(const char *path, const struct rc_profile *profile, int64_t rank,
                         const struct rc_monitor *monitor, struct rc_error *error);

/* The run of a trace that was added to the database: of struct rc_run. */
extern const struct rc_field rc_answer_trace_imported[];

#endif
