// SPDX-License-Identifier: GPL-3.0-or-later
/* scale.h - what the verbs of 'runcast scale' share: what they are asked for, and the small runs
 * that the database has. */
#ifndef RC_CMD_SCALE_SCALE_H
#define RC_CMD_SCALE_SCALE_H

#include <jansson.h>

#include "base/buffer.h"
#include "cmd/core/command.h"
#include "platform/hostlist.h"
#include "platform/platform.h"
#include "model/scaling/matched.h"
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

#define RC_SCALE_OPTION(name_, kind_, member)                                                      \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_scale_options, member)

/* What the run is that is asked for; with what is taken where --cluster, --network and --per-host
 * are not given. */
#define RC_OPTIONS_SCALE_TARGET                                                                    \
    RC_OPTIONS_SCALE_PLACE("the cluster that it is to run on (default: the only one)",             \
                           "the network of the cluster (default: its first)",                      \
                           "processes on a host (default: as the platform's placement says)")
#define RC_OPTIONS_SCALE_PLACE(cluster_help, network_help, per_host_help)                          \
    {RC_SCALE_OPTION("app", TEXT, app), .argument = "NAME", .help = "the program (required)"},     \
        {RC_SCALE_OPTION("platform", FILE, platform), .argument = "FILE",                          \
         .help = "the platform file of the machines (required)"},                                  \
        {RC_SCALE_OPTION("cluster", TEXT, cluster), .argument = "NAME", .help = cluster_help},     \
        {RC_SCALE_OPTION("network", TEXT, network), .argument = "NAME", .help = network_help},     \
        {RC_SCALE_OPTION("per-host", TEXT, per_host), .argument = "K|A:K,B:K",                     \
         .help = per_host_help},                                                                   \
    {                                                                                              \
        RC_SCALE_OPTION("cut", INTEGER, cut),                                                      \
            .argument = "1|2|3", .least = 1,                                                       \
            .help =                                                                                \
                "in how many directions the mesh is cut for the processes (default: 1, by rows)"   \
    }

#define RC_OPTION_SCALE_SIZE                                                                       \
    {                                                                                              \
        RC_SCALE_OPTION("size", TEXT, size),                                                       \
            .letter = 'n', .argument = "SIZE",                                                     \
            .help =                                                                                \
                "the mesh: N (a square), ROWSxCOLS or ROWSxCOLSxLAYERS; 64Ki is 65536, and 64k "   \
                "is 64000 (required)"                                                              \
    }
#define RC_OPTION_SCALE_PROCS                                                                      \
    {                                                                                              \
        RC_SCALE_OPTION("procs", TEXT, procs),                                                     \
            .letter = 'p', .argument = "NP|A:NP,B:NP",                                             \
            .help = "processes, or those on each of several clusters (required)"                   \
    }
#define RC_OPTION_SCALE_BYTES(otherwise)                                                           \
    {                                                                                              \
        RC_SCALE_OPTION("bytes-per-cell", QUANTITY, bytes_per_cell),                               \
            .argument = "B", .dimension = RC_BYTES,                                                \
            .help = "memory for one cell of the mesh " otherwise                                   \
    }
#define RC_OPTION_SCALE_LINK(what)                                                                 \
    {                                                                                              \
        RC_SCALE_OPTION("link", CHOICE, link), .argument = "HOW", .choices = rc_cmd_scale_links,   \
                                               .help = what                                        \
    }
#define RC_OPTION_SCALE_SPLIT                                                                      \
    {                                                                                              \
        RC_SCALE_OPTION("split", TEXT, split),                                                     \
            .argument = "HOW",                                                                     \
            .help =                                                                                \
                "rows of each of several clusters: time (all end together, the default), memory, " \
                "price, or their proportions such as 1:2"                                          \
    }

/* Which small runs. */
#define RC_OPTIONS_SCALE_RUNS                                                                      \
    {RC_SCALE_OPTION("hosts", TEXT, hosts), .argument = "LIST",                                    \
     .help = "the hosts that the run may be on, such as a[01-16]; small runs take the slowest of " \
             "them (default: all of the cluster)"},                                                \
        {RC_SCALE_OPTION("split", TEXT, split), .argument = "R:R",                                 \
         .help = "proportions of the rows of several clusters, such as 1:2 (default: all alike)"}, \
        {RC_SCALE_OPTION("small", TEXT, small), .argument = "P,P[,P]",                             \
         .help =                                                                                   \
             "processes of the small runs (default: 4,8; with --cut 2 9,16, with --cut 3 27,64)"}, \
        {RC_SCALE_OPTION("repeats", INTEGER, repeats), .argument = "R", .least = 1,                \
         .help = "how often each of them is made (default: 3)"},                                   \
        {RC_SCALE_OPTION("check", FLAG, check),                                                    \
         .help = "a third size of block too, which shows whether times are straight in work"},     \
    {                                                                                              \
        RC_SCALE_OPTION("work", TEXT, work),                                                       \
            .argument = "EXPR",                                                                    \
            .help = "work of a process, of rows, cols, layers and cells of its block and of "      \
                    "procs; or "                                                                   \
                    "fitted, a power of the cells by three sequential sizes (default: cells)"      \
    }

/* The same for verbs that look at models alone, so that one list of options serves all verbs. */
#define RC_OPTIONS_SCALE_UNUSED                                                                    \
    {RC_SCALE_OPTION("small", TEXT, small), .argument = "P,P[,P]",                                 \
     .help = "as for plan and fit; changes nothing here"},                                         \
        {RC_SCALE_OPTION("repeats", INTEGER, repeats), .argument = "R", .least = 1,                \
         .help = "as for plan and fit; changes nothing here"},                                     \
    {                                                                                              \
        RC_SCALE_OPTION("check", FLAG, check), .help = "as for plan and fit; changes nothing here" \
    }

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

/* Reads the options; says what is wrong with them and returns an exit status.  To be freed either
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
 * the number.  Returns how many, at most `most`, or -1; errors name `option`. */
struct rc_cmd_scale_number {
    size_t cluster;
    int64_t number;
};
int64_t rc_cmd_scale_numbers(const char *option, const char *text,
                             const struct rc_platform *platform,
                             struct rc_cmd_scale_number *numbers, size_t most,
                             struct rc_error *error);

/* "A:64 (ethernet)", or several with " + " between. */
enum { RC_CMD_SCALE_PLACE = 512 };
void rc_cmd_scale_place(const struct rc_cmd_scale *scale, char text[RC_CMD_SCALE_PLACE]);

/* Notes each of them, with the name of the cluster where that is not NULL. */
void rc_cmd_scale_notes(const char *cluster, const struct rc_scaling_notes *notes);
/* Writes the object to standard output, and releases it. */
void rc_cmd_scale_write_json(json_t *object);

/* ---- the database; in prepare.c ---- */

/* Reads --small and --hosts. */
int rc_cmd_scale_read_small(struct rc_cmd_scale *scale, struct rc_error *error);
int rc_cmd_scale_read_hosts(struct rc_cmd_scale *scale, struct rc_error *error);

/* Notes of each group of like runs that disagree which they are, by their numbers; in agree.c. */
void rc_cmd_scale_note_odd(const struct rc_scaling_samples *samples,
                           const struct rc_scaling_runs *used);

/* What verbs that plan runs begin with: the target, its plans by part, and the run across clusters
 * where the link is asked for. */
struct rc_cmd_scale_prepared {
    struct rc_cmd_scale scale;
    struct rc_scaling_matched plans[RC_SCALING_PARTS_MAX];
    struct rc_scaling_runs runs; /* all of the app that are of use */
    struct rc_scaling_crossing crossing;
};
/* `command` (or NULL) is a template, which is checked.  Says what went wrong and returns an exit
 * status; to be freed either way. */
int rc_cmd_scale_prepare(const struct rc_invocation *invocation,
                         const struct rc_cmd_scale_options *options, const char *command,
                         struct rc_cmd_scale_prepared *prepared);
void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared);

/* Whether all small runs fit in memory, as those in the database did; -1 with what does not. */
int rc_cmd_scale_check_memory(const struct rc_cmd_scale_prepared *prepared, struct rc_error *error);

/* ---- models ---- */

/* The models of the app on the platform.  Says what went wrong and returns an exit status. */
int rc_cmd_scale_load_models(const struct rc_cmd_scale *scale, struct rc_scaling_models *models);

/* ---- commands of the user; in template.c ---- */

/* What stands for the placeholders of a command. */
struct rc_cmd_scale_fill {
    int64_t procs;
    struct rc_mesh mesh;
    const char *hosts; /* an expression */
    int per_host;
};

/* Whether the template names what it must, and nothing that is not known. */
int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error);
/* Whether it says on which hosts. */
bool rc_cmd_scale_template_places(const char *template);
/* The words of the command, up to a NULL; to be freed with rc_run_words_free(). */
char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error);
/* The command as one line that a shell reads back, to be freed; NULL on failure. */
char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error);

#endif
