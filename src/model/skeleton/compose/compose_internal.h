// SPDX-License-Identifier: GPL-3.0-or-later
/* compose_internal.h - what the files that compose plans share. */
#ifndef RC_MODEL_SKELETON_COMPOSE_COMPOSE_INTERNAL_H
#define RC_MODEL_SKELETON_COMPOSE_COMPOSE_INTERNAL_H

#include "model/skeleton/compose/compose_op.h"
#include "model/skeleton/shrink/shrink.h"

/* A rank's program under way. */
struct rc_compose_score {
    size_t item_room, step_room;
    struct rc_plan_work waiting; /* computing for which there was no call yet */
};

struct rc_composer {
    struct rc_composing composing; /* first: also the room of its parts */
    const struct rc_shrunk *shrunk;
    struct rc_compose_score *scores; /* by rank */
};

/* No computing. */
void rc_skeleton_composer_no_work(struct rc_plan_work *work);

/* Adds computing; how it is spread is told of the longer of two. */
void rc_skeleton_composer_add_up(struct rc_plan_work *sum, const struct rc_plan_work *work);

/* Lets the computing before a call of an event group of the shrunk tree wait for the rank's next
 * one, with that of the event groups of which it is the heir; nothing where it has an heir itself.
 */
void rc_skeleton_composer_wait(struct rc_composer *composer, uint32_t item, uint32_t call);

/* An item of a rank's program. */
int rc_skeleton_composer_add_item(struct rc_composer *composer, uint32_t rank, uint32_t times,
                                  uint32_t value);

/* A step of a rank's program, with what waits before it. */
int rc_skeleton_composer_add_step(struct rc_composer *composer, uint32_t rank, uint32_t op);

/* Composes the programs of all ranks where some event groups are interleaved. */
int rc_skeleton_compose_interleaved(struct rc_composer *composer);

#endif
