// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - a structural model as its file has it.
 *
 * After J. M. Schopf, "Performance prediction and scheduling for parallel applications on
 * multi-user clusters" (dissertation, UC San Diego, 1998), chapter 3.
 * docs/reference/model-language.md describes the file.  What is here is only what was written;
 * binding.h gives it meaning. */
#ifndef RC_MODEL_STRUCTURAL_MODEL_H
#define RC_MODEL_STRUCTURAL_MODEL_H

#include <stddef.h>

#include "runcast.h"
#include "stats/value/expression.h"
#include "stats/value/value.h"

enum {
    RC_MODEL_BYTES_MAX = 1 << 20, /* of a file */
    RC_MODEL_FILES_MAX = 16,
    RC_MODEL_ITEMS_MAX = 2000,         /* inputs, definitions, components and totals */
    RC_MODEL_CELLS_MAX = 100000,       /* of all tables */
    RC_MODEL_CELL_BYTES_MAX = 4 << 20, /* of their formulas, one for each host that a line names */
    RC_MODEL_HOSTS_MAX = 100000,       /* in all lists of hosts and sets */
    RC_MODEL_SECTIONS_MAX = 100,
    RC_MODEL_OTHERS_MAX = 2000, /* sets; lines of profiles; uses */
    RC_MODEL_PARAMETERS_MAX = 4,
    RC_MODEL_CONDITIONS_MAX = 8, /* of one item */
    RC_MODEL_CALLS_MAX = 64,     /* of a trace that are one task's */
    RC_MODEL_NAME_MAX = 100      /* bytes of a name; of hosts, RC_HOST_NAME_MAX */
};

/* Meta-data: what is known of a quantity besides its value. */
struct rc_item_meta {
    double accuracy; /* relative error; NAN where not stated */
    double measured; /* when; NAN where not stated */
    double lifetime; /* for how many seconds that holds; NAN where not stated */
    char *source;    /* NULL where not stated */
    char *note;      /* NULL where not stated */
};

enum rc_item_kind { RC_ITEM_INPUT, RC_ITEM_DEFINE, RC_ITEM_COMPONENT, RC_ITEM_TOTAL };

enum rc_task_kind { RC_TASK_OTHER, RC_TASK_COMPUTATION, RC_TASK_COMMUNICATION, RC_TASK_IO };

enum rc_db_input_source {
    RC_FROM_USER, /* no source: it must be set */
    RC_FROM_FORMULA,
    RC_FROM_TABLE,
    RC_FROM_SIZE,
    RC_FROM_PROCESSES,
    RC_FROM_PLATFORM,
    RC_FROM_SERIES,
    RC_FROM_FORECAST
};

enum rc_platform_field {
    RC_FIELD_OF_SPEED,
    RC_FIELD_OF_CORES,
    RC_FIELD_OF_MEMORY,
    RC_FIELD_OF_PROCESSES,
    RC_FIELD_OF_COST,
    RC_FIELD_OF_BANDWIDTH,
    RC_FIELD_OF_LATENCY,
    RC_FIELDS_OF_PLATFORM
};

/* One value of a table; `column` is "" in a table with one parameter.  No pair comes twice. */
struct rc_cell {
    char *row, *column;
    struct rc_expression *expression;
};

/* left < right, and so on; "less" is one of "<", "<=", ">", ">=", "=". */
enum rc_relation { RC_LESS, RC_AT_MOST, RC_GREATER, RC_AT_LEAST, RC_EQUAL };
struct rc_condition {
    struct rc_expression *left, *right;
    enum rc_relation relation;
};

/* How the value of an input can be measured (section 3.A.4, points 3 and 4). */
enum rc_measure_kind {
    RC_MEASURE_NOTHING,
    RC_MEASURE_OPERATION, /* seconds for one arithmetic operation, on a host */
    RC_MEASURE_BANDWIDTH, /* bytes per second between two hosts: 100 messages, one byte back */
    RC_MEASURE_MESSAGE,   /* seconds for one message between two hosts: half a round trip */
    RC_MEASURE_STARTUP,   /* seconds that a message takes whatever its length: a of a + b bytes */
    RC_MEASURE_PACKING,   /* seconds for each byte that is packed and unpacked: b of that */
    RC_MEASURE_RUN,       /* of the program by itself, on one host after the other */
    RC_MEASURE_TOGETHER,  /* of the program on all hosts at once */
    RC_MEASURES
};

enum rc_operation {
    RC_REAL_ADD,
    RC_REAL_MULTIPLY,
    RC_REAL_DIVIDE,
    RC_INTEGER_ADD,
    RC_INTEGER_MULTIPLY,
    RC_OPERATIONS
};

struct rc_measure {
    enum rc_measure_kind kind;
    enum rc_operation operation;
    struct rc_expression *bytes; /* of a message, for the bandwidth; NULL: not stated */
    struct rc_expression *size;  /* of a run: the problem size, ... */
    struct rc_expression *per;   /* ... what its seconds are divided by (NULL: 1), ... */
    struct rc_expression *less;  /* ... what is taken off them before (NULL: nothing), ... */
    char *arguments;             /* ... and what else the program is told (NULL: nothing) */
};

/* What of a trace is a task's: the time in certain calls, or computing. */
struct rc_traced {
    enum rc_traced_what { RC_TRACED_NOTHING, RC_TRACED_CALLS, RC_TRACED_COMPUTING } what;
    enum rc_traced_place { RC_TRACED_ANYWHERE, RC_TRACED_BEFORE, RC_TRACED_AFTER } place;
    enum rc_traced_ranks { RC_TRACED_ALL, RC_TRACED_FIRST, RC_TRACED_REST } ranks;
    char **calls; /* as written, such as "Bcast" or "MPI_Bcast" */
    size_t n_calls;
};

/* How often hosts wait for one another, for loads that change: at each instant the slowest one
 * counts; or each goes at its own pace to the end of the run, or of one of so many parts of it. */
enum rc_waits { RC_WAITS_NOT_STATED, RC_WAITS_OFTEN, RC_WAITS_ONCE, RC_WAITS_TIMES };

/* An input, a definition, an alternative of a task, or a total. */
struct rc_item {
    enum rc_item_kind kind;
    char *name;        /* of an input, a definition, a task; of a total, "total" */
    char *alternative; /* of a component or total; otherwise NULL */
    char *description; /* NULL where there is none */
    char *parameters[RC_MODEL_PARAMETERS_MAX];
    size_t n_parameters;
    int section;                      /* index into the model's sections; -1: it holds everywhere */
    unsigned file;                    /* index into the model's files */
    unsigned line, column;            /* of its name (of a total, of its alternative) */
    struct rc_expression *expression; /* NULL where the source is no formula */
    struct rc_condition conditions[RC_MODEL_CONDITIONS_MAX]; /* all must hold */
    size_t n_conditions;
    enum rc_task_kind task_kind;
    struct rc_item_meta meta;
    enum rc_db_input_source source; /* of an input; of the others, RC_FROM_FORMULA */
    enum rc_platform_field field;
    struct rc_measure measure;       /* of an input */
    struct rc_traced traced;         /* of a component */
    enum rc_waits waits;             /* of a total */
    struct rc_expression *times;     /* ... how often, in a run; NULL unless stated */
    char *metric;                    /* from a series or a forecast; otherwise NULL */
    struct rc_expression *otherwise; /* where there is no such series; NULL: it is then missing */
    double window;                   /* seconds of it; 300 unless stated */
    int window_kind;                 /* an enum rc_value_kind; -1 where not stated */
    struct rc_cell *cells;           /* by row and column, in the order of strcmp() */
    size_t n_cells;
};

struct rc_model_set {
    char *name;
    enum rc_set_kind { RC_SET_LIST, RC_SET_SAME, RC_SET_FIRST, RC_SET_LAST, RC_SET_REST } kind;
    char *of;     /* the set it is made of; NULL for a list */
    char **hosts; /* of a list */
    size_t n_hosts;
    int section;
    unsigned file, line, column; /* of its name */
};

/* TASK SHARE */
struct rc_profile_entry {
    char *task;
    double share;
    int section;
    unsigned file, line, column; /* of the task's name */
};

/* use TASK by ALTERNATIVE; of the total, the task is "total" */
struct rc_use {
    char *task, *alternative;
    int section;
    unsigned file, line, column;
};

/* on NAME */
struct rc_model_section {
    char *name;
    char *description; /* NULL where there is none */
};

/* hosts LIST, or omit below SHARE: one for each section. */
struct rc_model_hosts {
    char **names;
    size_t n_names;
    int section;
    unsigned file, line, column; /* of the statement */
};
struct rc_model_omit {
    double below;
    int section;
    unsigned file, line, column;
};

struct rc_model_file {
    char *name; /* as given */
    char *text; /* as read, without a byte order mark, NUL-terminated: for showing the place of an
                   error */
};

struct rc_model {
    char *name, *description, *app; /* app: never NULL; description: NULL where there is none */
    struct rc_item_meta meta;
    struct rc_model_file *files;
    size_t n_files;
    struct rc_model_section *sections;
    size_t n_sections;
    struct rc_item *items; /* in the order of the files */
    size_t n_items;
    struct rc_model_set *sets;
    size_t n_sets;
    struct rc_profile_entry *profile;
    size_t n_profile;
    struct rc_use *uses;
    size_t n_uses;
    struct rc_model_hosts *hosts;
    size_t n_hosts;
    struct rc_model_omit *omits;
    size_t n_omits;
    struct rc_model_measured *measured; /* see measured_inputs.h; NULL: nobody asked */
};

/* Reads a model from the first of `paths`; further files, if any, add to it and win over what
 * stands before: in a section, the last counts of items of one kind, name and alternative, of sets
 * of one name, of alternatives to use for one task, of profiles, of lists of hosts and of
 * omissions.  Only the first file has a `model` statement.  Whether there is what a name stands for
 * (a task in a profile, a set in a set) is not looked at.
 *
 * On failure NULL, with the place in `error` and, if `text` is not NULL, the text of the file at
 * fault in `*text`, to be freed by the caller (NULL where it could not be read or is too large). */
struct rc_model *rc_structural_model_load(const char *const *paths, size_t n_paths, char **text,
                                          struct rc_error *error);
/* The same of one file in memory; `name` stands for it in errors. */
struct rc_model *rc_structural_model_parse(const char *text, size_t length, const char *name,
                                           struct rc_error *error);
/* The same of several in memory, as of several files. */
struct rc_model_text {
    const char *name, *text;
    size_t length;
};
struct rc_model *rc_structural_model_parse_all(const struct rc_model_text *texts, size_t n_texts,
                                               struct rc_error *error);
void rc_structural_model_destroy(struct rc_model *model);

/* The section of that name, or -1. */
int rc_structural_model_find_section(const struct rc_model *model, const char *name);

/* How many items of a kind there are, those of one name (of totals, of one alternative) counted
 * once. */
size_t rc_structural_model_count(const struct rc_model *model, enum rc_item_kind kind);

/* Whether what stands in section `of` (-1: everywhere) holds in `section`. */
static inline bool rc_structural_model_holds(int of, int section)
{
    return of < 0 || of == section;
}
/* What holds in a section, whose own goes before what holds everywhere: the share below which tasks
 * are left out (0: none is), and that of a task by the profile (NAN: it has none). */
double rc_structural_model_omit(const struct rc_model *model, int section);
double rc_structural_model_share(const struct rc_model *model, int section, const char *task);

/* The mean of a formula that has no names in it; NAN where it has, or has no value. */
double rc_structural_model_constant(const struct rc_expression *formula);
/* The same of a formula without parameters; -1, with the error, where it has none. */
int rc_structural_model_number(const struct rc_expression *formula, double *number,
                               struct rc_error *error);

/* ---- enum_words.c ---- */

/* Indexed by their enum. */
extern const char *const rc_structural_item_kind_names[]; /* "an input" */
extern const char *const rc_structural_task_kind_names[]; /* "computation"; "" for others */
extern const char *const rc_structural_platform_field_names[RC_FIELDS_OF_PLATFORM];
extern const char *const rc_structural_relation_names[];                /* "<" */
extern const char *const rc_structural_measure_kind_names[RC_MEASURES]; /* "" for nothing */
extern const char *const rc_structural_operation_names[RC_OPERATIONS];  /* "real-add" */

#endif
