// SPDX-License-Identifier: GPL-3.0-or-later
/* check.h - checks of what this machine offers, and the parsers that they rest on. */
#ifndef RC_HOST_CHECK_CHECK_H
#define RC_HOST_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cgroup.h"
#include "base/process.h"
#include "base/text.h"
#include "runcast.h"

enum rc_verdict {
    RC_VERDICT_OK,
    RC_VERDICT_LIMITED, /* it can be used, but not to the full */
    RC_VERDICT_MISSING, /* it is not there */
    RC_VERDICT_BROKEN,  /* it is there and does not work */
    RC_VERDICTS
};

/* Where the database would be. */
struct rc_check_db {
    const char *path;   /* NULL: there is no place for it, because of `error` */
    bool is_default;    /* not named by the user: its directories are made when they are needed */
    const char *option; /* how to choose another one; continues "use another file with ..." */
    const struct rc_error *error;
};

/* What checks need to know. */
struct rc_check_context {
    struct rc_check_db db;
    struct rc_process_options process; /* for the programs that they call */
};

struct rc_finding;

struct rc_check {
    const char *id;
    const char *area;
    const char *title;
    const char *needed_for; /* continues "needed to ..." */
    bool essential;         /* for every command */
    void (*run)(struct rc_finding *finding);
};

/* All checks, those of one area together. */
enum { RC_CHECKS = 19 };
extern const struct rc_check rc_checks[RC_CHECKS];

/* What a check found.  Verdict and texts start as zero; texts that are too long are cut. */
struct rc_finding {
    const struct rc_check_context *context;
    struct rc_check check;
    enum rc_verdict verdict;
    char fact[512];
    char advice[512]; /* what to do; "" where nothing need be done */
};

/* What all checks found, and how many came to which verdict. */
struct rc_check_report {
    struct rc_finding findings[RC_CHECKS];
    size_t of[RC_VERDICTS];
    bool works; /* nothing essential is broken */
};

/* Runs all checks.  -1 where context->process.monitor was cancelled. */
int rc_check_run(const struct rc_check_context *context, struct rc_check_report *report,
                 struct rc_error *error);

/* "ok", "limited", "missing" or "broken". */
const char *rc_check_verdict_name(enum rc_verdict verdict);

/* ---- for the code of checks ---- */

/* Adds to the fact. */
void rc_check_fact(struct rc_finding *finding, const char *format, ...) RC_PRINTF(2, 3);
/* Sets verdict and advice, unless a verdict at least as bad is set already. */
void rc_check_judge(struct rc_finding *finding, enum rc_verdict verdict, const char *format, ...)
    RC_PRINTF(3, 4);

/* The checks; in machine.c, database_file.c, isolation.c and programs.c. */
#define RC_CHECK(name) void name(struct rc_finding *finding)
RC_CHECK(rc_check_monotonic);
RC_CHECK(rc_check_wall);
RC_CHECK(rc_check_cores);
RC_CHECK(rc_check_memory);
RC_CHECK(rc_check_database);
RC_CHECK(rc_check_user);
RC_CHECK(rc_check_perf);
RC_CHECK(rc_check_ptrace);
RC_CHECK(rc_check_cgroup);
RC_CHECK(rc_check_namespace);
RC_CHECK(rc_check_links);
RC_CHECK(rc_check_shaping);
RC_CHECK(rc_check_openmpi);
RC_CHECK(rc_check_mpich);
RC_CHECK(rc_check_default_mpi);
RC_CHECK(rc_check_simgrid);
RC_CHECK(rc_check_program); /* the one that is named as the check */

/* ---- parsers of texts; in programs.c and machine.c ---- */

enum { RC_VERSION_SIZE = 32 };

/* Finds the first version ("4.1.4", "9.2p1", "5.4 patchlevel 4" as 5.4.4) that follows `marker` in
 * the output of a program; -1, and "", where there is none. */
int rc_check_version(const char *text, const char *marker, char version[RC_VERSION_SIZE]);

/* The name of the MPI that a launcher or a compiler wrapper belongs to, by its version output; NULL
 * where it is unknown. */
const char *rc_check_mpi_name(const char *text);

/* The value of a line "NAME:\tHEX" of /proc/PID/status; -1 where there is none. */
int rc_check_status_hex(const char *text, const char *name, uint64_t *value);

/* Reads a limit, memory.max or memory.limit_in_bytes, as bytes; INFINITY where there is none, NAN
 * where it makes no sense. */
double rc_check_memory_max(const char *text);

#endif
