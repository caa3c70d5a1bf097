// SPDX-License-Identifier: GPL-3.0-or-later
/* scale.h - what the verbs of 'runcast scale' share: what they are asked for, the small runs that
 * the store has, and how these are made. */
#ifndef RC_CMD_SCALE_SCALE_H
#define RC_CMD_SCALE_SCALE_H

#include <jansson.h>

#include "base/buffer.h"
#include "cmd/core/command.h"
#include "platform/hostlist.h"
#include "platform/platform.h"
#include "model/scaling/book.h"
#include "model/scaling/estimate.h"
#include "model/scaling/plan.h"
#include "model/scaling/split.h"

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

#define RC_SCALING_MEMBER(member) .offset = offsetof(struct rc_cmd_scale_options, member)

/* What the run is that is asked for; with what is taken where --cluster, --network and --per-host
 * are not given. */
#define RC_OPTIONS_SCALE_TARGET                                                                    \
    RC_OPTIONS_SCALE_PLACE("the cluster that it is to run on (default: the only one)",             \
                           "the network of the cluster (default: its first)",                      \
                           "processes on a host (default: as the platform's placement says)")
#define RC_OPTIONS_SCALE_PLACE(cluster_help, network_help, per_host_help)                          \
    {.name = "app",                                                                                \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "NAME",                                                                           \
     .help = "the program (required)",                                                             \
     RC_SCALING_MEMBER(app)},                                                                      \
        {.name = "platform",                                                                       \
         .kind = RC_OPTION_FILE,                                                                   \
         .argument = "FILE",                                                                       \
         .help = "the platform file of the machines (required)",                                   \
         RC_SCALING_MEMBER(platform)},                                                             \
        {.name = "cluster",                                                                        \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "NAME",                                                                       \
         .help = cluster_help,                                                                     \
         RC_SCALING_MEMBER(cluster)},                                                              \
        {.name = "network",                                                                        \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "NAME",                                                                       \
         .help = network_help,                                                                     \
         RC_SCALING_MEMBER(network)},                                                              \
        {.name = "per-host",                                                                       \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "K|A:K,B:K",                                                                  \
         .help = per_host_help,                                                                    \
         RC_SCALING_MEMBER(per_host)},                                                             \
    {                                                                                              \
        .name = "cut", .kind = RC_OPTION_INTEGER, .argument = "1|2|3", .least = 1,                 \
        .help = "in how many directions the mesh is cut for the processes (default: 1, by rows)",  \
        RC_SCALING_MEMBER(cut)                                                                     \
    }

#define RC_OPTION_SCALE_SIZE                                                                       \
    {                                                                                              \
        .name = "size", .letter = 'n', .kind = RC_OPTION_TEXT, .argument = "SIZE",                 \
        .help = "the mesh: N (a square), ROWSxCOLS or ROWSxCOLSxLAYERS; 64Ki is 65536, and 64k "   \
                "is 64000 (required)",                                                             \
        RC_SCALING_MEMBER(size)                                                                    \
    }
#define RC_OPTION_SCALE_PROCS                                                                      \
    {                                                                                              \
        .name = "procs", .letter = 'p', .kind = RC_OPTION_TEXT, .argument = "NP|A:NP,B:NP",        \
        .help = "processes, or those on each of several clusters (required)",                      \
        RC_SCALING_MEMBER(procs)                                                                   \
    }
#define RC_OPTION_SCALE_BYTES(otherwise)                                                           \
    {                                                                                              \
        .name = "bytes-per-cell", .kind = RC_OPTION_QUANTITY, .argument = "B",                     \
        .dimension = RC_BYTES, .help = "memory for one cell of the mesh " otherwise,               \
        RC_SCALING_MEMBER(bytes_per_cell)                                                          \
    }
#define RC_OPTION_SCALE_LINK(what)                                                                 \
    {                                                                                              \
        .name = "link", .kind = RC_OPTION_CHOICE, .argument = "HOW",                               \
        .choices = rc_cmd_scale_links, .help = what, RC_SCALING_MEMBER(link)                       \
    }
#define RC_OPTION_SCALE_SPLIT                                                                      \
    {                                                                                              \
        .name = "split", .kind = RC_OPTION_TEXT, .argument = "HOW",                                \
        .help = "rows of each of several clusters: time (all end together, the default), memory, " \
                "price, or their proportions such as 1:2",                                         \
        RC_SCALING_MEMBER(split)                                                                   \
    }

/* Which small runs. */
#define RC_OPTIONS_SCALE_RUNS                                                                      \
    {.name = "hosts",                                                                              \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "LIST",                                                                           \
     .help = "the hosts that the run may be on, such as a[01-16]; small runs take the slowest of " \
             "them (default: all of the cluster)",                                                 \
     RC_SCALING_MEMBER(hosts)},                                                                    \
        {.name = "split",                                                                          \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "R:R",                                                                        \
         .help = "proportions of the rows of several clusters, such as 1:2 (default: all alike)",  \
         RC_SCALING_MEMBER(split)},                                                                \
        {.name = "small",                                                                          \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "P,P[,P]",                                                                    \
         .help =                                                                                   \
             "processes of the small runs (default: 4,8; with --cut 2 9,16, with --cut 3 27,64)",  \
         RC_SCALING_MEMBER(small)},                                                                \
        {.name = "repeats",                                                                        \
         .kind = RC_OPTION_INTEGER,                                                                \
         .argument = "R",                                                                          \
         .least = 1,                                                                               \
         .help = "how often each of them is made (default: 3)",                                    \
         RC_SCALING_MEMBER(repeats)},                                                              \
        {.name = "check",                                                                          \
         .kind = RC_OPTION_FLAG,                                                                   \
         .help = "a third size of block too, which shows whether times are straight in work",      \
         RC_SCALING_MEMBER(check)},                                                                \
    {                                                                                              \
        .name = "work", .kind = RC_OPTION_TEXT, .argument = "EXPR",                                \
        .help =                                                                                    \
            "work of a process, of rows, cols, layers and cells of its block and of procs; or "    \
            "fitted, a power of the cells by three sequential sizes (default: cells)",             \
        RC_SCALING_MEMBER(work)                                                                    \
    }

/* The same for verbs that look at models alone, so that one list of options serves all verbs. */
#define RC_OPTIONS_SCALE_UNUSED                                                                    \
    {.name = "small",                                                                              \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "P,P[,P]",                                                                        \
     .help = "as for plan and fit; changes nothing here",                                          \
     RC_SCALING_MEMBER(small)},                                                                    \
        {.name = "repeats",                                                                        \
         .kind = RC_OPTION_INTEGER,                                                                \
         .argument = "R",                                                                          \
         .least = 1,                                                                               \
         .help = "as for plan and fit; changes nothing here",                                      \
         RC_SCALING_MEMBER(repeats)},                                                              \
    {                                                                                              \
        .name = "check", .kind = RC_OPTION_FLAG,                                                   \
        .help = "as for plan and fit; changes nothing here", RC_SCALING_MEMBER(check)              \
    }

/* ---- what is asked for ---- */

struct rc_cmd_scale_part {
    size_t cluster, network; /* of the platform and of the cluster */
    int64_t procs;
    int per_host;        /* 0: by the placement */
    double weight;       /* of --split */
    struct rc_mesh mesh; /* its part of the mesh, for plans */
};

struct rc_cmd_scale {
    const struct rc_cmd_scale_options *options;
    struct rc_platform *platform;
    struct rc_mesh mesh;
    struct rc_cmd_scale_part parts[RC_SCALING_PARTS_MAX];
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

/* Sentences, for people and as JSON. */
void rc_cmd_scale_notes_show(const struct rc_scaling_notes *notes);
json_t *rc_cmd_scale_notes_json(const struct rc_scaling_notes *notes);
json_t *rc_cmd_scale_mesh_json(const struct rc_mesh *mesh);
/* The overhead of each number of processes that was measured. */
json_t *rc_cmd_scale_lines_json(const struct rc_scaling_model *model);

/* ---- the store; in scale_runs.c ---- */

/* What the store tells of a run that no model asks for. */
struct rc_cmd_scale_aside {
    uint64_t across; /* of a run on several clusters: which, as bits; otherwise 0 */
    double command;  /* the number of the template that made it; NAN: not known */
    double cpu;      /* what a process could have of a core; NAN: not known */
    bool elsewhere;  /* on a host that --hosts does not name */
};
enum { RC_CMD_CROSSING_CLUSTERS = 64 }; /* that a run across clusters can be told to be on */

struct rc_cmd_scale_runs {
    struct rc_scaling_run *items;
    struct rc_cmd_scale_aside *asides; /* one for each */
    size_t n, room;
};
int rc_cmd_scale_runs_add(struct rc_cmd_scale_runs *runs, const struct rc_scaling_run *run,
                          const struct rc_cmd_scale_aside *aside, struct rc_error *error);
void rc_cmd_scale_runs_free(struct rc_cmd_scale_runs *runs);
/* Reads --small and --hosts. */
int rc_cmd_scale_read_small(struct rc_cmd_scale *scale, struct rc_error *error);
int rc_cmd_scale_read_hosts(struct rc_cmd_scale *scale, struct rc_error *error);

/* All runs of the app on this platform (or on none that is named) that are of use.  A store that is
 * not there has none. */
int rc_cmd_scale_read_runs(const struct rc_cmd_scale *scale, struct rc_cmd_scale_runs *runs,
                           struct rc_error *error);

/* A plan for one part, and which runs of the store are its. */
struct rc_cmd_scale_plan {
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    size_t *have;                  /* runs in the store of each planned run */
    struct rc_cmd_scale_runs used; /* all of them */
    size_t missing;                /* runs yet to be made, over all repeats */
};
int rc_cmd_scale_make_plan(const struct rc_cmd_scale *scale, size_t part,
                           const struct rc_cmd_scale_runs *runs, struct rc_cmd_scale_plan *plan,
                           struct rc_error *error);
void rc_cmd_scale_plan_free(struct rc_cmd_scale_plan *plan);
/* Adds those runs to the used ones that differ from the plan's in their rows alone, of a cut by
 * rows: they tell of the same messages. */
int rc_cmd_scale_more_runs(const struct rc_cmd_scale_runs *runs, struct rc_cmd_scale_plan *plan,
                           struct rc_error *error);

/* Says of each group of like runs that disagree which they are, by their numbers; in
 * scale_agree.c. */
void rc_cmd_scale_tell_odd(const struct rc_scaling_samples *samples,
                           const struct rc_cmd_scale_runs *used);

/* The plans of all parts; `plans` has RC_SCALING_PARTS_MAX places.  Says what went wrong and returns
 * an exit status; to be freed either way. */
int rc_cmd_scale_make_plans(const struct rc_cmd_scale *scale, struct rc_cmd_scale_runs *runs,
                            struct rc_cmd_scale_plan *plans);
void rc_cmd_scale_plans_free(struct rc_cmd_scale_plan *plans, struct rc_cmd_scale_runs *runs);

/* A run across two clusters, by which the link between them is measured (scale_crossing.c): two
 * processes on each, one to a host, with blocks as large as the first cluster's, and as many busy
 * cores as each cluster's own small runs have.  Its place in the store is that of a run on hosts of
 * both. */
enum { RC_CMD_CROSSING_SIDES = 2 };
struct rc_cmd_scale_crossing {
    struct rc_mesh mesh, block;
    struct rc_scaling_planned sides[RC_CMD_CROSSING_SIDES]; /* their hosts are its own */
    char *hosts; /* an expression for those of both; its own */
    int64_t procs;
    int busy; /* the most of both sides: what its parameter per_host says */
    struct rc_cmd_scale_runs used;
};
int rc_cmd_scale_make_crossing(const struct rc_cmd_scale *scale,
                               const struct rc_cmd_scale_plan *plans,
                               const struct rc_cmd_scale_runs *runs,
                               struct rc_cmd_scale_crossing *crossing, struct rc_error *error);
void rc_cmd_scale_crossing_free(struct rc_cmd_scale_crossing *crossing);

/* What those begin with that plan runs: the target, its plans, and the run across clusters where
 * one is asked for. */
struct rc_cmd_scale_prepared {
    struct rc_cmd_scale scale;
    struct rc_cmd_scale_plan plans[RC_SCALING_PARTS_MAX];
    struct rc_cmd_scale_runs runs;
    struct rc_cmd_scale_crossing crossing;
};
/* `command` (or NULL) is a template, which is checked.  Says what went wrong and returns an exit
 * status; to be freed either way. */
int rc_cmd_scale_prepare(const struct rc_invocation *invocation,
                         const struct rc_cmd_scale_options *options, const char *command,
                         struct rc_cmd_scale_prepared *prepared);
void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared);

/* Whether all small runs fit in memory, as those in the store did; -1 with what does not, and what
 * to do.  `crossing` is looked at where the link is asked for. */
int rc_cmd_scale_check_memory(const struct rc_cmd_scale *scale,
                              const struct rc_cmd_scale_plan *plans,
                              const struct rc_cmd_scale_crossing *crossing, struct rc_error *error);

/* ---- models; in scale_book.c ---- */

/* The models of the app on the platform.  Says what went wrong and returns an exit status. */
int rc_cmd_scale_load_book(const struct rc_cmd_scale *scale, struct rc_book *book);
/* The model that answers for a part: of as many processes on a host as are asked for; else as the
 * placement has and, where that was not measured, of any.  It belongs to the book.  NULL where
 * there is none, with an error that says what there is. */
const struct rc_scaling_model *rc_cmd_scale_find_model(const struct rc_cmd_scale *scale,
                                                       const struct rc_cmd_scale_part *part,
                                                       const struct rc_book *book,
                                                       struct rc_error *error);

/* ---- commands of the user; in scale_template.c ---- */

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
/* A number by which the words of a template are known again, whatever blanks are between them. */
uint32_t rc_cmd_scale_template_number(const char *template);
/* The command as one line that a shell reads back, to be freed; NULL on failure. */
char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error);

#endif
