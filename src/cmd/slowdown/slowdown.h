// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.h - the verbs of 'runcast slowdown', and what they share. */
#ifndef RC_CMD_SLOWDOWN_SLOWDOWN_H
#define RC_CMD_SLOWDOWN_SLOWDOWN_H

#include <jansson.h>
#include <math.h>

#include "answer/slowdown_fields.h"
#include "cmd/core/command.h"
#include "model/slowdown/calibrate/calibrate.h"
#include "model/slowdown/competitors_file.h"
#include "model/slowdown/communication_delay.h"

extern const struct rc_command rc_command_slowdown_local;
extern const struct rc_command rc_command_slowdown_comm;
extern const struct rc_command rc_command_slowdown_aggregate;
extern const struct rc_command rc_command_slowdown_predict;
extern const struct rc_command rc_command_slowdown_allocate;
extern const struct rc_command rc_command_slowdown_observe;
extern const struct rc_command rc_command_slowdown_calibrate;
extern const struct rc_command rc_command_slowdown_show;
extern const struct rc_command rc_command_slowdown_burst;
extern const struct rc_command rc_command_slowdown_bench;

/* ---- notes; in notes.c ---- */

/* A note of which there may be many, such as one for each host.  `*noted` counts them, and only
 * RC_CMD_NOTES_MAX are shown.  The second notes how many were omitted. */
enum { RC_CMD_NOTES_MAX = 24 };
void rc_cmd_note_some(size_t *noted, const char *format, ...) RC_PRINTF(2, 3);
void rc_cmd_note_left_off(size_t noted);

/* Notes on delays: bits of enum rc_delay_note. */
void rc_cmd_note_delay(const struct rc_delay *delay, unsigned notes);

/* Notes that this many competitors come and go, but are assumed to be present all the time. */
void rc_cmd_note_leaving(size_t leaving);

/* Notes that the cycles of this many competitors have no effect: only predictions use them or, if
 * `constant`, these competitors have no phases. */
void rc_cmd_note_cycles(size_t cycling, bool constant);

/* Notes that a host, or some of these `hosts` (0: there is one), has more competitors than can be
 * simulated, so that `source` has its slowdown. */
void rc_cmd_note_crowded(size_t hosts, const char *source);

/* Notes that the number of cores of this many hosts is unknown. */
void rc_cmd_note_coreless(size_t hosts);

/* Notes on how the used `parts` of a calibration were measured: by --quick, incompletely, or on
 * hosts that were busy.  `platform` NULL: it is from a file. */
void rc_cmd_note_calibration(const char *platform, const struct rc_calibration *calibration,
                             unsigned parts);

/* ---- a host and its competitors, by options ---- */

struct rc_cmd_slowdown_options {
    struct rc_option_list competitors;
    const char *observed;
    const char *bandwidth, *delay;
    double word_bytes; /* NAN: not given */
    bool words;        /* another option is given in words */
    bool shared_link;
    const char *platform, *host;
    int64_t cores, procs; /* 0: not given */
    double memory_bound;  /* NAN: not given */
    const char *model;    /* NULL: not given */
};
enum { RC_CMD_PLATFORM_SIZE = 256 };
#define RC_SLOWDOWN_DEFAULT                                                                        \
    {                                                                                              \
        .word_bytes = NAN, .memory_bound = NAN                                                     \
    }

#define RC_OPTION_WORD_BYTES(type, member)                                                         \
    {                                                                                              \
        .name = "word-bytes", RC_OPTION_OF(type, QUANTITY, member), .argument = "BYTES",           \
        .dimension = RC_BYTES,                                                                     \
        .help = "size of a word, for rates in Mw/s and bursts in words (default: 4)"               \
    }
#define RC_OPTION_EXPLAIN(type)                                                                    \
    {                                                                                              \
        .name = "explain", RC_OPTION_OF(type, FLAG, explain),                                      \
        .help = "show how the answer was computed: each term of the equation"                      \
    }
#define RC_OPTION_SLOWDOWN_MODEL(type, member)                                                     \
    {                                                                                              \
        .name = "model", RC_OPTION_OF(type, CHOICE, member), .argument = "MODEL",                  \
        .choices = rc_slowdown_local_models,                                                       \
        .help = "slowdown model: paper or queue; paper is Eq. 2, and queue also slows down "       \
                "competitors (default: paper)"                                                     \
    }

/* For the table of options of a command whose options struct `type` has them as `member`. */
#define RC_OPTIONS_SLOWDOWN(type, member)                                                          \
    {RC_OPTION_OF(type, LIST, member.competitors), .name = "competitor", .argument = "SHARES",     \
     .help =                                                                                       \
         "competing process on the same host: COMPUTE:COMMUNICATE as shares of its time, such "    \
         "as 0.55:0.45 or 0.4..0.6:0, or ? if unknown; then count=N, weight=W, nice=N, "           \
         "cycle=TIME, stay=TIME, away=TIME, memory-bound=SHARE, steady or name=TEXT, after "       \
         "commas (may be repeated)"},                                                              \
        {RC_OPTION_OF(type, FILE, member.observed), .name = "observed", .argument = "FILE",        \
         .help = "competitors that 'runcast slowdown observe --json' reported, and the cores of "  \
                 "that host"},                                                                     \
        {RC_OPTION_OF(type, TEXT, member.bandwidth), .name = "bandwidth", .argument = "RATE",      \
         .help = "available bandwidth of each competitor: 12.5MB/s, 100Mbit/s, 0.45Mw/s, or a "    \
                 "number in bytes/s (default: full speed, if delays were measured on this "        \
                 "machine)"},                                                                      \
        RC_OPTION_WORD_BYTES(type, member.word_bytes),                                             \
        {RC_OPTION_OF(type, TEXT, member.delay), .name = "delay", .argument = "DELAY",             \
         .help = "delay caused by communicating competitors: a number such as 0.25, alpha-farm "   \
                 "(curves of the paper), or a file of 'runcast slowdown show --json' (default: "   \
                 "from the calibration)"},                                                         \
        {RC_OPTION_OF(type, FLAG, member.shared_link), .name = "shared-link",                      \
         .help = "competitors share one link, which one of them can saturate (--model queue)"},    \
        {RC_OPTION_OF(type, TEXT, member.platform), .name = "platform", .argument = "NAME",        \
         .help = "name of the platform whose calibration is used (default: this machine)"},        \
        {RC_OPTION_OF(type, TEXT, member.host), .name = "host", .argument = "HOST",                \
         .help = "host of the program: cores and memory come from its calibration, and the load "  \
                 "of unknown competitors from its samples of the last 7 days (default: the only "  \
                 "calibrated host, or this machine)"},                                             \
        {RC_OPTION_OF(type, INTEGER, member.cores), .name = "cores", .argument = "N", .least = 1,  \
         .help = "number of cores of the host (default: from --observed, else from the "           \
                 "calibration, else 1)"},                                                          \
        {RC_OPTION_OF(type, INTEGER, member.procs),                                                \
         .name = "procs",                                                                          \
         .letter = 'p',                                                                            \
         .argument = "P",                                                                          \
         .least = 1,                                                                               \
         .help = "number of processes of the program on the host (default: 1)"},                   \
    {                                                                                              \
        RC_OPTION_OF(type, QUANTITY, member.memory_bound),                                         \
            .name = "memory-bound", .argument = "SHARE", .dimension = RC_FRACTION,                 \
            .help = "share of the program's computing time spent waiting for memory (default: 0)"  \
    }

/* Source of the number of a host's cores. */
enum rc_cmd_cores {
    RC_CMD_CORES_ASSUMED,
    RC_CMD_CORES_GIVEN,
    RC_CMD_CORES_CALIBRATED,
    RC_CMD_CORES_OBSERVED
};

/* A host and its competitors, as the options describe them. */
struct rc_cmd_slowdown {
    struct rc_competitors competitors;
    size_t communicating; /* of these */
    struct rc_calibration calibration;
    bool calibrated;
    bool own; /* the calibration is that of this machine, used by default */
    char here[RC_CMD_PLATFORM_SIZE];
    const char *platform;                             /* of the calibration; NULL: none */
    const struct rc_slowdown_calibration_host *known; /* the host's calibration, or NULL */
    bool paper_delay; /* delays of the paper, whose rates are in words */
    struct rc_delay delay;
    struct rc_local_host host; /* points to members above */
    enum rc_cmd_cores cores_from;
    enum rc_local_model model;
    bool model_given;
};

/* Returns an exit status.  Failures are reported.  Free it in any case. */
int rc_cmd_slowdown_read(const struct rc_invocation *invocation,
                         const struct rc_cmd_slowdown_options *options, const char *db,
                         struct rc_cmd_slowdown *slowdown);
void rc_cmd_slowdown_free(struct rc_cmd_slowdown *slowdown);

/* Size of a word: --word-bytes, or its default (NAN). */
double rc_cmd_word_bytes(double given);

/* In options.c.  Check values and combinations of options; an exit status.  The second refuses
 * options without effect, once the host and its competitors are known. */
int rc_cmd_slowdown_check(const struct rc_invocation *invocation,
                          const struct rc_cmd_slowdown_options *options);
int rc_cmd_slowdown_check_use(const struct rc_invocation *invocation,
                              const struct rc_cmd_slowdown_options *options,
                              const struct rc_cmd_slowdown *slowdown);
/* In notes.c.  Notes on options without effect for these competitors. */
void rc_cmd_slowdown_note_use(const struct rc_cmd_slowdown_options *options,
                              struct rc_cmd_slowdown *slowdown);
/* Notes on the assumed number of cores, if it matters and no option has it. */
void rc_cmd_slowdown_note_cores(struct rc_cmd_slowdown *slowdown);

/* Refuses the value of an option (without dashes) with the library's reason; RC_EXIT_USAGE. */
int rc_cmd_slowdown_refuse(const struct rc_invocation *invocation, const char *option,
                           const struct rc_error *inner);

/* The rate in an option, in bytes/s. */
int rc_cmd_slowdown_rate(const struct rc_invocation *invocation, const char *option,
                         const char *text, double word_bytes, double *rate);

/* Notes that the rate (or NULL) in an option has no unit. */
void rc_cmd_note_rate(const char *option, const char *text);

/* The calibration of a platform; a platform without one is a failure. */
int rc_cmd_slowdown_calibration(const char *db, const char *platform,
                                struct rc_calibration *calibration);

/* The hosts of a calibration, and the command that adds a measurement (--measure) of other hosts,
 * separated by commas. */
enum { RC_CMD_LACKS_SIZE = 256 };
void rc_cmd_calibration_missing(const struct rc_calibration *calibration, const char *platform,
                                const char *hosts, const char *measure,
                                char text[RC_CMD_LACKS_SIZE]);

/* Fills in unknown competitors from the past load of `host` (or NULL), with notes
 * (rc_cmd_note_some()).  `must`: a host without samples in the database is a failure. */
int rc_cmd_slowdown_fill(const char *db, const char *host, bool must, int cores, int procs,
                         struct rc_competitor *competitors, size_t n, size_t *noted);

/* ---- the answer for one host; in host_answer.c ---- */

/* The answers of both models for the host, to be freed after success; an exit status. */
int rc_cmd_slowdown_both(struct rc_cmd_slowdown *slowdown, struct rc_local_answers *both);

/* The equations of the models that apply; returns their number.  The second prints them, and the
 * table of their probabilities. */
size_t rc_cmd_slowdown_equations(const struct rc_cmd_slowdown *slowdown,
                                 const struct rc_local_answers *both,
                                 struct rc_answer_equation equations[RC_LOCAL_MODELS]);
int rc_cmd_slowdown_explain(const struct rc_cmd_slowdown *slowdown,
                            const struct rc_local_answers *both, struct rc_error *error);

/* The answer for one host.  `whole`: with its terms; otherwise only the factors of both models. */
struct rc_answer_local rc_cmd_slowdown_answer(const struct rc_cmd_slowdown *slowdown,
                                              const struct rc_local_answers *both, bool whole);

/* A value for JSON.  `mean` (or NAN) replaces its mean: the answer that people see. */
json_t *rc_cmd_slowdown_json(const struct rc_value *value, double level, double mean);

/* Prints an answer, and frees it, with the equations of --explain (or NULL) and all notes. */
struct rc_answer_slowdown_end rc_cmd_slowdown_end(const struct rc_answer_equation *equations,
                                                  size_t n);
void rc_cmd_slowdown_end_free(struct rc_answer_slowdown_end *end);

/* ---- a hosts file; in hosts.c ---- */

struct rc_cmd_hosts_options {
    const char *hosts_file, *policy;
    bool dedicated_uniform;
    const char *platform, *model;
};
extern const char *const rc_cmd_slowdown_policies[];

#define RC_OPTIONS_HOSTS_FILE(type, member)                                                        \
    {RC_OPTION_OF(type, FILE, member.hosts_file), .name = "hosts-file", .argument = "FILE",        \
     .help = "YAML file with the hosts of the program, their parts of the work and competitors"},  \
        {RC_OPTION_OF(type, CHOICE, member.policy), .name = "policy", .argument = "POLICY",        \
         .choices = rc_cmd_slowdown_policies,                                                      \
         .help = "policy that divides the work: load, by the speed of hosts under load, or "       \
                 "constraint, by any other rule"},                                                 \
    {                                                                                              \
        .name = "dedicated-uniform", RC_OPTION_OF(type, FLAG, member.dedicated_uniform),           \
        .help = "the dedicated run had equal parts on all hosts (Eq. 12); with --policy "          \
                "constraint"                                                                       \
    }
#define RC_OPTION_PLATFORM_HOSTS(type, member)                                                     \
    {                                                                                              \
        .name = "platform", RC_OPTION_OF(type, TEXT, member), .argument = "NAME",                  \
        .help = "name of the platform whose calibration has the weights, cores and delays that "   \
                "are not in the file"                                                              \
    }
#define RC_OPTIONS_NETWORK(type)                                                                   \
    {RC_OPTION_OF(type, QUANTITY, communicating), .name = "communicating", .argument = "SHARE",    \
     .dimension = RC_FRACTION,                                                                     \
     .help =                                                                                       \
         "share of the dedicated run time that the program spends communicating (default: 0)"},    \
    {                                                                                              \
        .name = "link-slowdown", RC_OPTION_OF(type, QUANTITY, link_slowdown), .argument = "X",     \
        .dimension = RC_COUNT,                                                                     \
        .help = "slowdown of the program's messages, at least 1; see 'runcast slowdown comm'"      \
    }

/* Checks that a file and a policy are given, and that options go together; an exit status. */
int rc_cmd_hosts_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_hosts_options *options);

/* A hosts file, and its aggregate slowdown. */
struct rc_cmd_hosts {
    struct rc_slowdown_nodes nodes;
    struct rc_calibration calibration;
    struct rc_aggregate_node *terms;
    struct rc_aggregate aggregate;
    enum rc_split split;
    enum rc_local_model model;
    bool uniform;
    size_t coreless; /* hosts with competitors and an unknown number of cores: one is assumed */
    size_t crowded;  /* hosts with more competitors than a simulation takes */
};

/* Returns an exit status.  Failures are reported.  Free it in any case. */
int rc_cmd_hosts_read(const struct rc_cmd_hosts_options *options, const char *db,
                      struct rc_cmd_hosts *all);
void rc_cmd_hosts_free(struct rc_cmd_hosts *all);

/* The table of the paper, with its slowest host, and the equation. */
int rc_cmd_hosts_explain(const struct rc_cmd_hosts *all, struct rc_error *error);
/* Its nodes are to be freed; -1 if memory runs out. */
int rc_cmd_hosts_answer(const struct rc_cmd_hosts *all, struct rc_answer_aggregate *answer,
                        struct rc_error *error);
void rc_cmd_hosts_equation(const struct rc_cmd_hosts *all, struct rc_answer_equation *equation);

/* Checks that both are given, or neither, and are valid; an exit status. */
int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating,
                         double link_slowdown);

/* ---- calibrations; in slowdown.c, notes.c, show.c and burst.c ---- */

/* The platform that --platform names; without it, this machine by its name. */
const char *rc_cmd_slowdown_platform(const char *given, char name[RC_CMD_PLATFORM_SIZE]);

/* The command that measures these parts of a platform, for hints.  `calibration` (or NULL) has its
 * hosts. */
enum { RC_CMD_CALIBRATE_SIZE = 200 };
const char *rc_cmd_calibrate_command(const char *platform, const struct rc_calibration *calibration,
                                     unsigned parts, char text[RC_CMD_CALIBRATE_SIZE]);

/* Reads the calibration of a platform.  1: found; 0: none; -1 on failure, which was reported if the
 * error has no text. */
int rc_cmd_slowdown_find(const char *db, const char *platform, struct rc_calibration *calibration,
                         struct rc_error *error);

/* Tables and formulas on standard output, or one JSON object with the notes. */
void rc_cmd_calibration_print(const char *platform, const struct rc_calibration *calibration);
void rc_cmd_calibration_json(const char *platform, const struct rc_calibration *calibration);

/* The burst in an option, which must be measurable. */
int rc_cmd_slowdown_burst(const struct rc_invocation *invocation, const char *option,
                          const char *text, double word_bytes, struct rc_burst *burst);

/* Figure 2 of Figueira and Berman: the measured points, and the lines through them. */
int rc_cmd_calibration_plot(const char *path, const char *platform,
                            const struct rc_calibration *calibration, struct rc_error *error);

#endif
