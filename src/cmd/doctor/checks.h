// SPDX-License-Identifier: GPL-3.0-or-later
/* checks.h - the questions that `runcast doctor` asks, and the parsers that they rest on. */
#ifndef RC_CMD_DOCTOR_CHECKS_H
#define RC_CMD_DOCTOR_CHECKS_H

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

/* What a check found.  Starts as all zero; texts that are too long are cut. */
struct rc_finding {
    enum rc_verdict verdict;
    char fact[512];
    char advice[512]; /* what to do; "" where nothing need be done */
};

/* What checks may need to know. */
struct rc_check_context {
    const char *db;                    /* what --db said, or NULL */
    struct rc_process_options process; /* for the programs that they ask */
};

struct rc_check {
    const char *id;
    const char *area;
    const char *title;
    const char *needed_for; /* continues "needed to ..." */
    bool essential;         /* what every command needs: where it is broken, doctor fails */
    void (*run)(const struct rc_check_context *context, struct rc_finding *finding);
};

/* All checks, those of one area together, up to a NULL id. */
extern const struct rc_check rc_doctor_checks[];

/* "ok", "limited", "missing" or "broken". */
const char *rc_cmd_verdict_name(enum rc_verdict verdict);

/* How many checks came to which verdict. */
struct rc_doctor_tally {
    size_t total;
    size_t of[RC_VERDICTS];
    bool works; /* nothing is broken that every command needs */
};

/* Writes what all checks found, findings[i] by rc_doctor_checks[i].  -1 where memory ran out. */
int rc_cmd_doctor_show(const struct rc_finding *findings, const struct rc_doctor_tally *tally,
                       bool as_json);

/* ---- for the code of checks ---- */

/* Adds to the fact. */
void rc_cmd_finding_fact(struct rc_finding *finding, const char *format, ...) RC_PRINTF(2, 3);
/* Sets verdict and advice, unless a verdict at least as bad is set already. */
void rc_cmd_finding_judge(struct rc_finding *finding, enum rc_verdict verdict, const char *format,
                          ...) RC_PRINTF(3, 4);

/* As rc_process_find(), and looks where Debian keeps the administrator's programs, too. */
int rc_cmd_doctor_find(const char *name, char *path, size_t size);

/* The checks; in system.c, isolation.c and tools.c. */
#define RC_CHECK(name) void name(const struct rc_check_context *context, struct rc_finding *finding)
RC_CHECK(rc_cmd_check_monotonic);
RC_CHECK(rc_cmd_check_wall);
RC_CHECK(rc_cmd_check_cores);
RC_CHECK(rc_cmd_check_memory);
RC_CHECK(rc_cmd_check_store);
RC_CHECK(rc_cmd_check_user);
RC_CHECK(rc_cmd_check_perf);
RC_CHECK(rc_cmd_check_ptrace);
RC_CHECK(rc_cmd_check_cgroup);
RC_CHECK(rc_cmd_check_namespace);
RC_CHECK(rc_cmd_check_links);
RC_CHECK(rc_cmd_check_shaping);
RC_CHECK(rc_cmd_check_openmpi);
RC_CHECK(rc_cmd_check_mpich);
RC_CHECK(rc_cmd_check_default_mpi);
RC_CHECK(rc_cmd_check_simgrid);
RC_CHECK(rc_cmd_check_gnuplot);
RC_CHECK(rc_cmd_check_ssh);
RC_CHECK(rc_cmd_check_srun);

/* ---- parsers; in parse.c.  They do nothing but read texts. ---- */

enum { RC_VERSION_SIZE = 32 };

/* Finds the first version ("4.1.4", "9.2p1", "5.4 patchlevel 4" as 5.4.4) that follows `marker` in
 * what a program says of itself; -1, and "", where there is none. */
int rc_cmd_doctor_version(const char *text, const char *marker, char version[RC_VERSION_SIZE]);

/* What MPI a launcher or a compiler wrapper belongs to by what it says of itself; its name for
 * people, or NULL. */
const char *rc_cmd_doctor_mpi_name(const char *text);

/* The value of a line "NAME:\tHEX" of /proc/PID/status; -1 where there is none. */
int rc_cmd_doctor_status_hex(const char *text, const char *name, uint64_t *value);

/* Reads a limit: cpu.max ("max 100000", "150000 100000") as a number of cores, and memory.max or
 * memory.limit_in_bytes as bytes; INFINITY where there is none, NAN where it makes no sense. */
double rc_cmd_doctor_cpu_max(const char *text);
double rc_cmd_doctor_memory_max(const char *text);
/* The same for cpu.cfs_quota_us and cpu.cfs_period_us. */
double rc_cmd_doctor_cpu_quota(const char *quota, const char *period);

#endif
