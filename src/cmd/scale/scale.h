// SPDX-License-Identifier: GPL-3.0-or-later
/* scale.h - shared by the verbs of 'runcast scale': options, the target, and small runs in the
 * database. */
#ifndef RC_CMD_SCALE_SCALE_H
#define RC_CMD_SCALE_SCALE_H

#include "answer/scale_fields.h"
#include "base/number.h"
#include "cmd/core/command.h"
#include "platform/hostlist.h"
#include "model/scaling/prediction.h"

extern const struct rc_command rc_command_scale_plan;
extern const struct rc_command rc_command_scale_measure;
extern const struct rc_command rc_command_scale_fit;
extern const struct rc_command rc_command_scale_predict;
extern const struct rc_command rc_command_scale_compare;

/* ---- options ---- */

/* The first member of the options of every verb, so that one table of options serves them all. */
struct rc_cmd_scale_options {
    const char *db, *app, *size, *procs, *per_host, *platform_file, *cluster, *network, *hosts,
        *small_procs, *work, *split, *cluster_link;
    int64_t cut, repeat;
    double bytes_per_cell;
    bool check_linearity, json;
};
#define RC_CMD_SCALE_DEFAULT                                                                       \
    {                                                                                              \
        .cut = 1, .repeat = 3, .bytes_per_cell = NAN, .cluster_link = "none"                       \
    }

extern const char *const rc_cmd_scale_links[];

#define RC_OPTION_SCALE(member, kind, name, argument, further, help)                               \
    RC_CMD_OPTION_WITH(struct rc_cmd_scale_options, member, kind, name, argument, help, further)

/* The target.  The arguments end the help of --cluster, --network and --per-host. */
#define RC_OPTIONS_SCALE_TARGET                                                                    \
    RC_OPTIONS_SCALE_PLACE(" (default: its only one)", " (default: its first)",                    \
                           " (default: from the placement in the platform file)"),                 \
        RC_OPTION_SCALE(size, TEXT, "size", "N|ROWSxCOLS|ROWSxCOLSxLAYERS", .letter = 's',         \
                        "problem size: the mesh; N is a square (required)"),                       \
        RC_OPTION_SCALE(procs, TEXT, "procs", "P|A:P,B:P", .letter = 'p',                          \
                        "number of processes, or that of each of several clusters (required)")
#define RC_OPTIONS_SCALE_PLACE(cluster_default, network_default, per_host_default)                 \
    RC_OPTION_SCALE(app, TEXT, "app", "NAME", .letter = 'a', "name of the app (required)"),        \
        RC_OPTION_SCALE(platform_file, FILE, "platform-file", "FILE", .letter = 0,                 \
                        "platform file (required)"),                                               \
        RC_OPTION_SCALE(cluster, TEXT, "cluster", "NAME", .letter = 0,                             \
                        "cluster of the platform" cluster_default),                                \
        RC_OPTION_SCALE(network, TEXT, "network", "NAME", .letter = 0,                             \
                        "network of the cluster" network_default),                                 \
        RC_OPTION_SCALE(per_host, TEXT, "per-host", "K|A:K,B:K", .letter = 0,                      \
                        "number of processes on each host" per_host_default),                      \
        RC_OPTION_SCALE(cut, INTEGER, "cut", "N", .least = 1,                                      \
                        "number of dimensions in which the mesh is decomposed: 1 (rows, the "      \
                        "default), 2 or 3")

#define RC_OPTION_SCALE_BYTES(default_)                                                            \
    RC_OPTION_SCALE(bytes_per_cell, QUANTITY, "bytes-per-cell", "BYTES", .dimension = RC_BYTES,    \
                    "memory of one cell of the mesh " default_)
#define RC_OPTION_SCALE_LINK(further)                                                              \
    RC_OPTION_SCALE(cluster_link, CHOICE, "cluster-link", "HOW", .choices = rc_cmd_scale_links,    \
                    "cost of the link between clusters: none or measured (default: none)" further)
#define RC_OPTION_SCALE_SPLIT                                                                      \
    RC_OPTION_SCALE(split, TEXT, "split", "HOW", .letter = 0,                                      \
                    "division of the rows among clusters: time (all finish together, the "         \
                    "default), memory, cost, or proportions such as 1:2")

/* How many small runs there are.  `further` ends the help of each option. */
#define RC_OPTIONS_SCALE_SMALL(small_further, repeat_further, check_further)                       \
    RC_OPTION_SCALE(small_procs, TEXT, "small-procs", "P,P[,P]", .letter = 0,                      \
                    "processes of the small runs" small_further),                                  \
        RC_OPTION_SCALE(repeat, INTEGER, "repeat", "N", .least = 1,                                \
                        "number of repetitions" repeat_further),                                   \
        RC_OPTION_SCALE(check_linearity, FLAG, "check-linearity", NULL, .letter = 0,               \
                        "also use a third block size, to check that times are linear in the "      \
                        "work" check_further)

/* Which small runs. */
#define RC_OPTIONS_SCALE_RUNS                                                                      \
    RC_OPTION_SCALE(hosts, TEXT, "hosts", "HOSTS", .letter = 0,                                    \
                    "hosts, such as a1,b[1-4], that the run may use; small runs use the slowest "  \
                    "of them (default: all of the cluster)"),                                      \
        RC_OPTION_SCALE(split, TEXT, "split", "HOW", .letter = 0,                                  \
                        "division of the rows among clusters: proportions such as 1:2 (default: "  \
                        "equal)"),                                                                 \
        RC_OPTIONS_SCALE_SMALL(" (default: 4,8; 9,16 with --cut 2; 27,64 with --cut 3)",           \
                               " of each small run (default: 3)", ""),                             \
        RC_OPTION_SCALE(work, TEXT, "work", "EXPR", .letter = 0,                                   \
                        "work of a process as an expression of rows, cols, layers and cells of "   \
                        "its block and of procs; fitted: a power of cells (default: cells)")

/* The same for verbs that read models only, so that all verbs accept the same options. */
#define RC_OPTIONS_SCALE_UNUSED                                                                    \
    RC_OPTIONS_SCALE_SMALL("; no effect here", "; no effect here", "; no effect here")

/* ---- the target ---- */

struct rc_cmd_scale {
    const struct rc_cmd_scale_options *options;
    struct rc_platform *platform;
    struct rc_mesh mesh;
    struct rc_scaling_part parts[RC_SCALING_PARTS_MAX];
    size_t n_parts;
    enum rc_scaling_aim aim;
    struct rc_scaling_work work; /* of RC_WORK_POWER the exponent is not known yet */
    bool with_link;              /* count the link between two clusters */
    /* of verbs that plan small runs */
    int64_t small[RC_SCALING_PLAN_SMALL_MAX];
    size_t n_small;           /* 0: the default */
    struct rc_hostlist hosts; /* of --hosts */
};

/* Reads the options; reports errors and returns an exit status.  To be freed either
 * way. */
int rc_cmd_scale_begin(const struct rc_invocation *invocation,
                       const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale);
void rc_cmd_scale_end(struct rc_cmd_scale *scale);

/* The same for verbs that plan small runs: --split has proportions only, and --small-procs and
 * --hosts are read too. */
int rc_cmd_scale_begin_runs(const struct rc_invocation *invocation,
                            const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale);

/* The same for verbs that have more than one target: platform and --cut only. */
int rc_cmd_scale_begin_platform(const struct rc_invocation *invocation,
                                const struct rc_cmd_scale_options *options,
                                struct rc_cmd_scale *scale);

/* Reads one mesh of --size (`text` ends at `length`). */
int rc_cmd_scale_mesh(const char *text, size_t length, int cut, struct rc_mesh *mesh,
                      struct rc_error *error);

/* Reads --split. */
int rc_cmd_scale_aim(const char *split, struct rc_cmd_scale *scale, struct rc_error *error);

/* Numbers for clusters, "64" or "A:16,32,B:8": for each entry which cluster (SIZE_MAX: any) and
 * the number.  Returns how many, at most `most`, 0 where `text` is NULL, or -1; errors name
 * `option`. */
struct rc_cmd_scale_number {
    size_t cluster;
    int64_t number;
};
int64_t rc_cmd_scale_numbers(const char *option, const char *text,
                             const struct rc_platform *platform,
                             struct rc_cmd_scale_number *numbers, size_t most,
                             struct rc_error *error);

/* Prints each note, after the name of the cluster unless that is NULL. */
void rc_cmd_scale_notes(const char *cluster, const struct rc_scaling_notes *notes);

/* `value` with so many digits; `text`.  In fit_show.c. */
const char *rc_cmd_scale_digits(double value, int digits, char text[RC_NUMBER_SIZE]);
/* Shows a fit; in fit_show.c. */
void rc_cmd_scale_show_fit(struct rc_answer_scale_fit *answer, bool json);
/* The six steps of the paper with their numbers; in predict_steps.c. */
void rc_cmd_scale_show_steps(const struct rc_scaling_prediction *prediction);

/* The models of the app on the platform.  Reports errors and returns an exit status. */
int rc_cmd_scale_load_models(const struct rc_cmd_scale *scale, struct rc_scaling_models *models);

/* ---- small runs; in small_run_plans.c ---- */

/* The target of verbs that plan runs, its plans by part, and the run across clusters where the
 * link is counted. */
struct rc_cmd_scale_prepared {
    struct rc_cmd_scale scale;
    struct rc_scaling_matched plans[RC_SCALING_PARTS_MAX];
    struct rc_scaling_runs runs, killed; /* all usable runs of the app: completed, and killed */
    struct rc_scaling_crossing crossing;
};
/* `command` (or NULL) is a template, which is checked.  Reports errors and returns an exit
 * status; to be freed either way. */
int rc_cmd_scale_prepare(const struct rc_invocation *invocation,
                         const struct rc_cmd_scale_options *options, const char *command,
                         struct rc_cmd_scale_prepared *prepared);
void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared);

/* Whether all small runs fit in memory, as those in the database did; -1 with the one that does
 * not. */
int rc_cmd_scale_check_memory(const struct rc_cmd_scale_prepared *prepared, struct rc_error *error);

/* ---- commands of the user; in small_run_command.c ---- */

/* Values of the placeholders of a command. */
struct rc_cmd_scale_fill {
    int64_t procs;
    struct rc_mesh mesh;
    const char *hosts; /* an expression */
    int per_host;
};

/* Whether the template has the required placeholders, and no unknown ones. */
int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error);
/* The words of the command, up to a NULL; to be freed with rc_run_words_free(). */
char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error);
/* The command as one line that a shell reads back, to be freed; NULL on failure. */
char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error);

#endif
