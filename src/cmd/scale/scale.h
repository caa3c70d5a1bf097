// SPDX-License-Identifier: GPL-3.0-or-later
/* scale.h - what the verbs of 'runcast scale' share: what they are asked for, and the small runs
 * that the database has. */
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
    const char *db, *app, *size, *procs, *per_host, *platform, *cluster, *network, *hosts, *small,
        *work, *split, *link;
    int64_t cut, repeats;
    double bytes_per_cell;
    bool check, json;
};
#define RC_CMD_SCALE_DEFAULT                                                                       \
    {                                                                                              \
        .cut = 1, .repeats = 3, .bytes_per_cell = NAN, .link = "none"                              \
    }

extern const char *const rc_cmd_scale_links[];

#define RC_OPTION_SCALE(member, kind, name, argument, further, help)                               \
    RC_CMD_OPTION_WITH(struct rc_cmd_scale_options, member, kind, name, argument, help, further)

/* What the run is that is asked for; with what is taken where --cluster, --network and --per-host
 * are not given. */
#define RC_OPTIONS_SCALE_TARGET                                                                    \
    RC_OPTIONS_SCALE_PLACE("the cluster that it is to run on (default: the only one)",             \
                           "the network of the cluster (default: its first)",                      \
                           "processes on a host (default: as the platform's placement says)"),     \
        RC_OPTION_SCALE(size, TEXT, "size", "SIZE", .letter = 'n',                                 \
                        "the mesh: N (a square), ROWSxCOLS or ROWSxCOLSxLAYERS; 64Ki is 65536, "   \
                        "and 64k is 64000 (required)"),                                            \
        RC_OPTION_SCALE(procs, TEXT, "procs", "NP|A:NP,B:NP", .letter = 'p',                       \
                        "processes, or those on each of several clusters (required)")
#define RC_OPTIONS_SCALE_PLACE(cluster_help, network_help, per_host_help)                          \
    RC_OPTION_SCALE(app, TEXT, "app", "NAME", .letter = 0, "the program (required)"),              \
        RC_OPTION_SCALE(platform, FILE, "platform", "FILE", .letter = 0,                           \
                        "the platform file of the machines (required)"),                           \
        RC_OPTION_SCALE(cluster, TEXT, "cluster", "NAME", .letter = 0, cluster_help),              \
        RC_OPTION_SCALE(network, TEXT, "network", "NAME", .letter = 0, network_help),              \
        RC_OPTION_SCALE(per_host, TEXT, "per-host", "K|A:K,B:K", .letter = 0, per_host_help),      \
        RC_OPTION_SCALE(                                                                           \
            cut, INTEGER, "cut", "1|2|3", .least = 1,                                              \
            "in how many directions the mesh is cut for the processes (default: 1, by rows)")

#define RC_OPTION_SCALE_BYTES(otherwise)                                                           \
    RC_OPTION_SCALE(bytes_per_cell, QUANTITY, "bytes-per-cell", "B", .dimension = RC_BYTES,        \
                    "memory for one cell of the mesh " otherwise)
#define RC_OPTION_SCALE_LINK(what)                                                                 \
    RC_OPTION_SCALE(link, CHOICE, "link", "HOW", .choices = rc_cmd_scale_links, what)
#define RC_OPTION_SCALE_SPLIT                                                                      \
    RC_OPTION_SCALE(                                                                               \
        split, TEXT, "split", "HOW", .letter = 0,                                                  \
        "rows of each of several clusters: time (all end together, the default), memory, price, "  \
        "or their proportions such as 1:2")

/* How many small runs there are. */
#define RC_OPTIONS_SCALE_SMALL(small_help, repeats_help, check_help)                               \
    RC_OPTION_SCALE(small, TEXT, "small", "P,P[,P]", .letter = 0, small_help),                     \
        RC_OPTION_SCALE(repeats, INTEGER, "repeats", "R", .least = 1, repeats_help),               \
        RC_OPTION_SCALE(check, FLAG, "check", NULL, .letter = 0, check_help)

/* Which small runs. */
#define RC_OPTIONS_SCALE_RUNS                                                                      \
    RC_OPTION_SCALE(hosts, TEXT, "hosts", "LIST", .letter = 0,                                     \
                    "the hosts that the run may be on, such as a[01-16]; small runs take the "     \
                    "slowest of them (default: all of the cluster)"),                              \
        RC_OPTION_SCALE(split, TEXT, "split", "R:R", .letter = 0,                                  \
                        "proportions of the rows of several clusters, such as 1:2 (default: all "  \
                        "alike)"),                                                                 \
        RC_OPTIONS_SCALE_SMALL(                                                                    \
            "processes of the small runs (default: 4,8; with --cut 2 9,16, with --cut 3 27,64)",   \
            "how often each of them is made (default: 3)",                                         \
            "a third size of block too, which shows whether times are straight in work"),          \
        RC_OPTION_SCALE(work, TEXT, "work", "EXPR", .letter = 0,                                   \
                        "work of a process, of rows, cols, layers and cells of its block and of "  \
                        "procs; or fitted, a power of the cells by three sequential sizes "        \
                        "(default: cells)")

/* The same for verbs that look at models alone, so that one list of options serves all verbs. */
#define RC_OPTIONS_SCALE_UNUSED                                                                    \
    RC_OPTIONS_SCALE_SMALL("as for plan and fit; changes nothing here",                            \
                           "as for plan and fit; changes nothing here",                            \
                           "as for plan and fit; changes nothing here")

/* ---- what is asked for ---- */

struct rc_cmd_scale {
    const struct rc_cmd_scale_options *options;
    struct rc_platform *platform;
    struct rc_mesh mesh;
    struct rc_scaling_part parts[RC_SCALING_PARTS_MAX];
    size_t n_parts;
    enum rc_scaling_aim aim;
    struct rc_scaling_work work; /* of RC_WORK_POWER the exponent is not known yet */
    bool link;                   /* the link between two clusters counts */
    /* of verbs that plan small runs */
    int64_t small[RC_SCALING_PLAN_SMALL_MAX];
    size_t n_small;           /* 0: as usual */
    struct rc_hostlist hosts; /* of --hosts */
};

/* Reads the options; reports what is wrong with them and returns an exit status.  To be freed either
 * way. */
int rc_cmd_scale_begin(const struct rc_invocation *invocation,
                       const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale);
void rc_cmd_scale_end(struct rc_cmd_scale *scale);

/* The same for verbs that plan small runs: of --split they take proportions alone, and --small and
 * --hosts are read too. */
int rc_cmd_scale_begin_runs(const struct rc_invocation *invocation,
                            const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale);

/* The same for verbs that have no one target: platform and --cut alone. */
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

/* Notes each of them, with the name of the cluster where that is not NULL. */
void rc_cmd_scale_notes(const char *cluster, const struct rc_scaling_notes *notes);

/* `value` with so many digits; `text`.  In fit_show.c. */
const char *rc_cmd_scale_digits(double value, int digits, char text[RC_NUMBER_SIZE]);
/* What was fitted, for people; in fit_show.c. */
void rc_cmd_scale_show_fit(const struct rc_answer_scale_fit *answer);
/* The six steps of the paper with their numbers; in predict_steps.c. */
void rc_cmd_scale_show_steps(const struct rc_scaling_prediction *prediction);

/* The models of the app on the platform.  Reports what went wrong and returns an exit status. */
int rc_cmd_scale_load_models(const struct rc_cmd_scale *scale, struct rc_scaling_models *models);

/* ---- small runs; in small_run_plans.c ---- */

/* What verbs that plan runs begin with: the target, its plans by part, and the run across clusters
 * where the link is asked for. */
struct rc_cmd_scale_prepared {
    struct rc_cmd_scale scale;
    struct rc_scaling_matched plans[RC_SCALING_PARTS_MAX];
    struct rc_scaling_runs runs; /* all of the app that are of use */
    struct rc_scaling_crossing crossing;
};
/* `command` (or NULL) is a template, which is checked.  Reports what went wrong and returns an exit
 * status; to be freed either way. */
int rc_cmd_scale_prepare(const struct rc_invocation *invocation,
                         const struct rc_cmd_scale_options *options, const char *command,
                         struct rc_cmd_scale_prepared *prepared);
void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared);

/* Whether all small runs fit in memory, as those in the database did; -1 with what does not. */
int rc_cmd_scale_check_memory(const struct rc_cmd_scale_prepared *prepared, struct rc_error *error);

/* ---- commands of the user; in small_run_command.c ---- */

/* What stands for the placeholders of a command. */
struct rc_cmd_scale_fill {
    int64_t procs;
    struct rc_mesh mesh;
    const char *hosts; /* an expression */
    int per_host;
};

/* Whether the template names what it must, and nothing that is not known. */
int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error);
/* The words of the command, up to a NULL; to be freed with rc_run_words_free(). */
char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error);
/* The command as one line that a shell reads back, to be freed; NULL on failure. */
char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error);

#endif
