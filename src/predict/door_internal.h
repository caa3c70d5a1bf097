// SPDX-License-Identifier: GPL-3.0-or-later
/* door_internal.h - what the files of the door share. */
#ifndef RC_PREDICT_DOOR_INTERNAL_H
#define RC_PREDICT_DOOR_INTERNAL_H

#include "predict/door.h"
#include "predict/mixture.h"
#include "predict/run_model.h"
#include "predict/structural_model.h"
#include "model/scaling/book.h"
#include "model/slowdown/calibration.h"

/* A prediction that has its run; `family` RC_DOOR_FAMILIES is the door itself. */
enum { RC_DOOR_REPLAYED = 50 };

struct rc_door_past {
    int family;
    int64_t run, model;
    double end;                     /* of the run */
    double made;                    /* the prediction */
    struct rc_past_prediction told; /* what was told, ... */
    struct rc_past_prediction own;  /* ... and what the model itself said; */
    double draws[RC_DOOR_REPLAYED]; /* its whole distribution, by rising time */
};

struct rc_door {
    struct rc_db *store;
    struct rc_door_options options;
    /* families: what each has read; `lacks` tells of those that are not `open` */
    bool open[RC_DOOR_FAMILIES];
    struct rc_error lacks[RC_DOOR_FAMILIES];
    struct rc_run_model run_model; /* also for slowdown, which may need a dedicated time of it */
    struct rc_error no_runs;       /* why there is no such model, where there is none */
    bool has_runs;
    struct rc_regression_speeds speeds; /* of hosts, as they are told */
    struct rc_predict_structural structural;
    bool reads_structure;
    struct rc_book book;
    struct rc_calibration calibration;
    bool calibrated;
    /* the latest question */
    bool slowed_regression; /* slowdown went out from what regression has for idle hosts */
    double *block, *draws[RC_DOOR_FAMILIES];
    double *own; /* of the structural model, before it was corrected */
    double *mixed;
    double *spare; /* for families to work in */
    char *hosts;
    /* records, by rising end of the runs */
    struct rc_door_past *past;
    size_t n_past, past_room;
};

/* A family.  `open` reads what it answers from: 0, or -1 where something is wrong; where there is
 * nothing, it leaves door->open[] false and says why in door->lacks[].  `ask` fills `draws`, by
 * rising time, of which there may be fewer then, and sums them up: 1; 0 with why it cannot; -1 with
 * what is wrong.  `close` and `stored` may be NULL. */
struct rc_predict_door_way {
    const char *name;
    const char *stored; /* what its predictions are called in the store; NULL: by the model */
    double prior;       /* as in mixture.h, by how it fared in docs/evaluation/door.md */
    int (*open)(struct rc_door *door, struct rc_error *error);
    int (*ask)(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error);
    void (*close)(struct rc_door *door);
};
extern const struct rc_predict_door_way rc_door_regression, rc_door_structure, rc_door_scaling,
    rc_door_skeleton, rc_door_slowdown;

const struct rc_predict_door_way *rc_predict_door_way(int family);

/* Opens the regression model, once, for whichever family needs it first. */
int rc_predict_door_open_run_model(struct rc_door *door, struct rc_error *error);
/* The run that is asked for, as a regression model takes it. */
void rc_predict_door_run(const struct rc_door_question *question, struct rc_run *run);

/* ---- records; in door_record.c ---- */

int rc_predict_door_record_load(struct rc_door *door, struct rc_error *error);
/* Whether the record of a family may be learnt from: of structural and scaling models, only what
 * this very model said. */
bool rc_predict_door_teaches(const struct rc_door *door, const struct rc_door_past *past);
/* How a family (RC_DOOR_FAMILIES: the door) fared with runs that had ended by then. */
struct rc_predict_door_record rc_predict_door_record(const struct rc_door *door, int family,
                                                     double start);
/* What it said of these runs, by their ends: the family's own numbers, which may be learnt from, in
 * an array that the caller frees.  NULL with *n 0 where there are none. */
int rc_predict_door_own_record(const struct rc_door *door, int family, double start,
                               struct rc_past_prediction **past, size_t *n, struct rc_error *error);

/* ---- joining; in door_mix.c ---- */

int rc_predict_door_mix(struct rc_door *door, double start, struct rc_door_answer *answer,
                        struct rc_error *error);

#endif
