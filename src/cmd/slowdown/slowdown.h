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

/* A note of which there may be many, such as one for each host: `*noted` counts them, and beyond
 * RC_CMD_NOTES_MAX they are counted alone.  The second notes how many were left off. */
enum { RC_CMD_NOTES_MAX = 24 };
void rc_cmd_note_some(size_t *noted, const char *format, ...) RC_PRINTF(2, 3);
void rc_cmd_note_left_off(size_t noted);

/* Notes on what enum rc_delay_note says. */
void rc_cmd_note_delay(const struct rc_delay *delay, unsigned notes);

/* Notes that so many competitors (0: none) that come and go are taken to be there all the time. */
void rc_cmd_note_leaving(size_t leaving);

/* Notes that the cycles of so many competitors (0: none) change nothing: they matter to
 * predictions alone or, `constant`, these do the same all the time. */
void rc_cmd_note_cycles(size_t cycling, bool constant);

/* Notes that of so many nodes (0: none) one core is taken, since nobody has said how many. */
void rc_cmd_note_coreless(size_t nodes);

/* Notes on how a calibration was measured of which these parts are used: quickly, not to the end,
 * or while hosts were busy.  `platform` NULL: it is from a file. */
void rc_cmd_note_calibration(const char *platform, const struct rc_calibration *calibration,
                             unsigned parts);

/* ---- a host and its competitors, by options ---- */

struct rc_cmd_slowdown_options {
    struct rc_option_list competitors;
    const char *observed;
    const char *bandwidth, *delay;
    double word_bytes; /* NAN: not given */
    bool words;        /* something besides is given in words */
    bool shared_link;
    const char *platform, *host;
    int64_t cores, processes; /* 0: not given */
    double memory;            /* NAN: not given */
    const char *model;        /* NULL: not given */
};
enum { RC_CMD_PLATFORM_SIZE = 256 };
#define RC_SLOWDOWN_DEFAULT                                                                        \
    {                                                                                              \
        .word_bytes = NAN, .memory = NAN                                                           \
    }

#define RC_OPTION_WORD_BYTES(type, member, what)                                                   \
    {                                                                                              \
        .name = "word-bytes", RC_OPTION_OF(type, QUANTITY, member), .argument = "BYTES",           \
        .dimension = RC_BYTES, .help = what                                                        \
    }
#define RC_OPTION_EXPLAIN(type)                                                                    \
    {                                                                                              \
        .name = "explain", RC_OPTION_OF(type, FLAG, explain),                                      \
        .help = "show each term of the equation with its numbers"                                  \
    }
#define RC_OPTION_SLOWDOWN_MODEL(type, member)                                                     \
    {                                                                                              \
        .name = "model", RC_OPTION_OF(type, CHOICE, member), .argument = "MODEL",                  \
        .choices = rc_slowdown_local_models,                                                       \
        .help = "paper: Eq. 2 (the default); queue: competitors are slowed down as well"           \
    }

/* For the table of options of a command whose options struct `type` has them as `member`. */
#define RC_OPTIONS_SLOWDOWN(type, member)                                                          \
    {RC_OPTION_OF(type, LIST, member.competitors), .name = "competitor", .letter = 'c',            \
     .argument = "SHARES",                                                                         \
     .help = "a program on the same host: COMPUTING:COMMUNICATING, parts of its time such as "     \
             "0.55:0.45 or 0.4..0.6:0; or ? for one of which nothing is known; after commas "      \
             "count=N, weight=W, nice=N, cycle=TIME, stay=TIME, away=TIME, memory=SHARE, steady, " \
             "name=TEXT (may be repeated)"},                                                       \
        {RC_OPTION_OF(type, FILE, member.observed), .name = "observed", .argument = "FILE.json",   \
         .help =                                                                                   \
             "the competitors that 'runcast slowdown observe --json' saw, and the cores there"},   \
        {RC_OPTION_OF(type, TEXT, member.bandwidth), .name = "bandwidth", .letter = 'k',           \
         .argument = "RATE",                                                                       \
         .help =                                                                                   \
             "what competitors get of the links that they use: 12.5MB/s, 100Mbit/s, 0.45Mw/s; "    \
             "bytes/s without a unit (default, with delays measured of this machine: the full "    \
             "speed)"},                                                                            \
        RC_OPTION_WORD_BYTES(type, member.word_bytes,                                              \
                             "what a word of a rate in Mw/s has (default: 4; the paper does not "  \
                             "say)"),                                                              \
        {RC_OPTION_OF(type, TEXT, member.delay), .name = "delay", .argument = "DELAY",             \
         .help =                                                                                   \
             "what communicating competitors cost: a number such as 0.25, alpha-farm (the curves " \
             "of the paper), or a calibration in a file (default: that of --platform, or of this " \
             "machine)"},                                                                          \
        {RC_OPTION_OF(type, FLAG, member.shared_link), .name = "shared-link",                      \
         .help =                                                                                   \
             "competitors communicate over one link, which one of them can fill: several at once " \
             "take longer (by the queue)"},                                                        \
        {RC_OPTION_OF(type, TEXT, member.platform), .name = "platform", .argument = "NAME",        \
         .help = "use what 'runcast slowdown calibrate' measured of this platform"},               \
        {RC_OPTION_OF(type, TEXT, member.host), .name = "host", .argument = "NAME",                \
         .help =                                                                                   \
             "the host: its cores and memory by the calibration (default: the only one there, or " \
             "this machine); how busy it was in the last 7 days, for competitors of which "        \
             "nothing is known"},                                                                  \
        {RC_OPTION_OF(type, INTEGER, member.cores), .name = "cores", .argument = "N", .least = 1,  \
         .help =                                                                                   \
             "cores of the host (default: as observed, with --observed; as calibrated; or 1)"},    \
        {RC_OPTION_OF(type, INTEGER, member.processes),                                            \
         .name = "processes",                                                                      \
         .letter = 'p',                                                                            \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .help = "processes of the program on it (default: 1)"},                                   \
        {RC_OPTION_OF(type, QUANTITY, member.memory), .name = "memory", .argument = "SHARE",       \
         .dimension = RC_FRACTION,                                                                 \
         .help = "the part of the program's computing that waits for memory (default: 0)"},        \
        RC_OPTION_SLOWDOWN_MODEL(type, member.model)

/* Where the number of a host's cores is from. */
enum rc_cmd_cores {
    RC_CMD_CORES_ASSUMED,
    RC_CMD_CORES_GIVEN,
    RC_CMD_CORES_CALIBRATED,
    RC_CMD_CORES_OBSERVED
};

/* What the options come to. */
struct rc_cmd_slowdown {
    struct rc_competitors competitors;
    size_t communicating; /* of these */
    struct rc_calibration calibration;
    bool calibrated;
    bool own; /* the calibration is that of this machine, which nobody asked for */
    char here[RC_CMD_PLATFORM_SIZE];
    const char *platform; /* whose calibration it is; NULL: none was asked for */
    const struct rc_slowdown_calibration_host *known; /* what it has of the host; or NULL */
    bool paper_delay; /* delays are those of the paper, whose rates are in words */
    struct rc_delay delay;
    struct rc_local_host host; /* points to the above */
    enum rc_cmd_cores cores_from;
    enum rc_local_model model;
    bool model_given;
};

/* Says what is wrong, and returns an exit status other than RC_EXIT_OK, where that fails; to be
 * freed either way. */
int rc_cmd_slowdown_read(const struct rc_invocation *invocation,
                         const struct rc_cmd_slowdown_options *options, const char *db,
                         struct rc_cmd_slowdown *slowdown);
void rc_cmd_slowdown_free(struct rc_cmd_slowdown *slowdown);

/* What a word has, where --word-bytes may not have been given (NAN). */
double rc_cmd_word_bytes(double given);

/* In options.c.  Whether options make sense, each by itself and together; an exit status.
 * The second: with what the options came to, where some would have no effect. */
int rc_cmd_slowdown_check(const struct rc_invocation *invocation,
                          const struct rc_cmd_slowdown_options *options);
int rc_cmd_slowdown_check_use(const struct rc_invocation *invocation,
                              const struct rc_cmd_slowdown_options *options,
                              const struct rc_cmd_slowdown *slowdown);
/* In notes.c.  Notes on options that change nothing, by what competitors do. */
void rc_cmd_slowdown_note_use(const struct rc_cmd_slowdown_options *options,
                              struct rc_cmd_slowdown *slowdown);
/* Notes on how many cores were taken, where that matters and the user has not said it. */
void rc_cmd_slowdown_note_cores(struct rc_cmd_slowdown *slowdown);

/* Refuses what an option (without dashes) says, with the library's reason; RC_EXIT_USAGE. */
int rc_cmd_slowdown_refuse(const struct rc_invocation *invocation, const char *option,
                           const struct rc_error *inner);

/* A rate that an option gives; in bytes/s. */
int rc_cmd_slowdown_rate(const struct rc_invocation *invocation, const char *option,
                         const char *text, double word_bytes, double *rate);

/* Notes on a rate (or NULL) that an option gives without a unit. */
void rc_cmd_note_rate(const char *option, const char *text);

/* The calibration of a platform; a platform without one is a failure. */
int rc_cmd_slowdown_calibration(const char *db, const char *platform,
                                struct rc_calibration *calibration);

/* Which hosts a calibration has, and the command that adds a part (--only) of others (between
 * commas) to it. */
enum { RC_CMD_LACKS_SIZE = 256 };
void rc_cmd_calibration_missing(const struct rc_calibration *calibration, const char *platform,
                                const char *hosts, const char *only, char text[RC_CMD_LACKS_SIZE]);

/* Fills in competitors of which nothing is known by how busy `host` (or NULL) was, with notes
 * (rc_cmd_note_some()).  `must`: a host of which the database knows nothing is a failure. */
int rc_cmd_slowdown_fill(const char *db, const char *host, bool must, int cores, int processes,
                         struct rc_competitor *competitors, size_t n, size_t *noted);

/* ---- the answer for one host; in host_answer.c ---- */

/* What both models say of the host, and the answer, to be freed after success; an exit status. */
int rc_cmd_slowdown_both(struct rc_cmd_slowdown *slowdown, struct rc_local_answers *both);

/* The equations of the models that apply; returns how many these are.  The second prints them, and
 * the table of their probabilities. */
size_t rc_cmd_slowdown_equations(const struct rc_cmd_slowdown *slowdown,
                                 const struct rc_local_answers *both,
                                 struct rc_answer_equation equations[RC_LOCAL_MODELS]);
int rc_cmd_slowdown_explain(const struct rc_cmd_slowdown *slowdown,
                            const struct rc_local_answers *both, struct rc_error *error);

/* What is known of one host; `whole`: with the terms of the answer, otherwise what both models say. */
struct rc_answer_local rc_cmd_slowdown_answer(const struct rc_cmd_slowdown *slowdown,
                                              const struct rc_local_answers *both, bool whole);

/* A value for JSON.  `mean` (or NAN) takes the place of its mean: the answer that people see. */
json_t *rc_cmd_slowdown_json(const struct rc_value *value, double level, double mean);

/* Prints an answer, and frees it, with the equations of --explain (or NULL) and all notes. */
void rc_cmd_slowdown_print(json_t *object, const struct rc_answer_equation *equations, size_t n);

/* ---- a nodes file; in nodes.c ---- */

struct rc_cmd_nodes_options {
    const char *file, *policy;
    bool uniform;
    const char *platform, *model;
};
extern const char *const rc_cmd_slowdown_policies[];

#define RC_OPTIONS_NODES(type, member)                                                             \
    {RC_OPTION_OF(type, FILE, member.file), .name = "nodes", .letter = 'n', .argument = "FILE",    \
     .help = "the hosts of the program, its parts of the work and its competitors there (YAML)"},  \
        {RC_OPTION_OF(type, CHOICE, member.policy), .name = "policy", .argument = "POLICY",        \
         .choices = rc_cmd_slowdown_policies,                                                      \
         .help = "how the work is split: load, by what hosts can do at the time; constraint, by "  \
                 "anything else"},                                                                 \
    {                                                                                              \
        .name = "dedicated-uniform", RC_OPTION_OF(type, FLAG, member.uniform),                     \
        .help = "the dedicated run had equal parts of the work on all hosts (Eq. 12); with "       \
                "--policy constraint"                                                              \
    }
#define RC_OPTION_PLATFORM_NODES(type, member)                                                     \
    {                                                                                              \
        .name = "platform", RC_OPTION_OF(type, TEXT, member), .argument = "NAME",                  \
        .help = "weights, cores and delays that the file does not say: as 'runcast slowdown "      \
                "calibrate' measured them on this platform"                                        \
    }
#define RC_OPTIONS_NETWORK(type)                                                                   \
    {RC_OPTION_OF(type, QUANTITY, communicating), .name = "communicating", .argument = "PART",     \
     .dimension = RC_FRACTION,                                                                     \
     .help = "the part of its dedicated time that the program communicates (default: 0)"},         \
    {                                                                                              \
        .name = "link-slowdown", RC_OPTION_OF(type, QUANTITY, link), .argument = "X",              \
        .dimension = RC_COUNT,                                                                     \
        .help = "how much longer its messages take, 1 or more, by 'runcast slowdown comm'"         \
    }

/* Whether a file and a policy are given, and options go together; an exit status. */
int rc_cmd_nodes_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_nodes_options *options);

/* A nodes file, and what it comes to. */
struct rc_cmd_nodes {
    struct rc_slowdown_nodes nodes;
    struct rc_calibration calibration;
    struct rc_aggregate_node *terms;
    struct rc_aggregate aggregate;
    enum rc_split split;
    enum rc_local_model model;
    bool uniform;
    size_t coreless; /* nodes with competitors whose cores nobody has said: one was taken */
    size_t crowded;  /* nodes with more competitors than are played out */
};

/* Says what is wrong, and returns an exit status other than RC_EXIT_OK, where that fails; to be
 * freed either way. */
int rc_cmd_nodes_read(const struct rc_cmd_nodes_options *options, const char *db,
                      struct rc_cmd_nodes *all);
void rc_cmd_nodes_free(struct rc_cmd_nodes *all);

/* The table of the paper, with the row that decides, and the equation. */
int rc_cmd_nodes_explain(const struct rc_cmd_nodes *all, struct rc_error *error);
json_t *rc_cmd_nodes_json(const struct rc_cmd_nodes *all);
void rc_cmd_nodes_equation(const struct rc_cmd_nodes *all, struct rc_answer_equation *equation);

/* Whether both are given, or neither, and make sense; an exit status. */
int rc_cmd_network_check(const struct rc_invocation *invocation, double communicating, double link);

/* ---- calibrations; in slowdown.c, notes.c, show.c and burst.c ---- */

/* The platform that --platform names; without it, this machine by its name. */
const char *rc_cmd_slowdown_platform(const char *given, char name[RC_CMD_PLATFORM_SIZE]);

/* The command that measures these parts of a platform, for hints: of its calibration (or NULL) its
 * hosts are known. */
enum { RC_CMD_CALIBRATE_SIZE = 200 };
const char *rc_cmd_calibrate_command(const char *platform, const struct rc_calibration *calibration,
                                     unsigned parts, char text[RC_CMD_CALIBRATE_SIZE]);

/* Reads the calibration of a platform.  1: there is one; 0: there is none; -1 on failure, which was
 * reported where the error has no text. */
int rc_cmd_slowdown_find(const char *db, const char *platform, struct rc_calibration *calibration,
                         struct rc_error *error);

/* Tables and formulas on standard output, or one JSON object with the notes. */
void rc_cmd_calibration_print(const char *platform, const struct rc_calibration *calibration);
void rc_cmd_calibration_json(const char *platform, const struct rc_calibration *calibration);

/* A burst that an option gives, and that can be measured. */
int rc_cmd_slowdown_burst(const struct rc_invocation *invocation, const char *option,
                          const char *text, double word_bytes, struct rc_burst *burst);

/* Figure 2 of Figueira and Berman: the points that were measured, and the lines through them. */
int rc_cmd_calibration_plot(const char *path, const char *platform,
                            const struct rc_calibration *calibration, struct rc_error *error);

#endif
