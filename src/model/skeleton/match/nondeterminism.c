// SPDX-License-Identifier: GPL-3.0-or-later
/* nondeterminism.c - finds what was left to chance.
 *
 * Messages between which a receiving rank had no choice but by tag are of one kind: those that it
 * takes from any source with a certain tag on a communicator, or with any tag; those that it takes
 * by waiting for any of its requests.  Where all of a kind come from one rank, there was no
 * choice. */
#include "model/skeleton/match/event_matching.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/loops/hash_map.h"

/* A rank hands out work where it answers this part of what it takes. */
static const double most = 0.75;

/* Besides the ranks that there are. */
#define NOBODY RC_PROGRAM_NONE
#define SEVERAL (RC_PROGRAM_NONE - 1)

struct looking {
    const struct rc_match *match;
    struct rc_hash_map *map; /* kinds, by what makes them */
    uint32_t *senders;       /* by kind: the rank that all come from, or SEVERAL */
    size_t n_kinds, room;
    struct rc_error *error;
};

/* ---- whether there was a choice ---- */

static bool may_be_chance(const struct rc_match_message *message)
{
    return message->send != RC_PROGRAM_NONE && message->receive != RC_PROGRAM_NONE &&
           message->freedom & (RC_MATCH_ANY_SOURCE | RC_MATCH_ANY_REQUEST);
}

static uint64_t key_of(const struct rc_match_message *message)
{
    uint64_t key = rc_skeleton_hash(1, message->receiver);

    if (!(message->freedom & RC_MATCH_ANY_SOURCE))
        return key;
    key = rc_skeleton_hash(key, message->communicator + UINT64_C(1));
    return message->freedom & RC_MATCH_ANY_TAG ? key
                                               : rc_skeleton_hash(key, (uint32_t)message->tag);
}

static int look_at(struct looking *looking, const struct rc_match_message *message)
{
    uint64_t key = key_of(message);
    uint32_t kind;

    if (rc_skeleton_map_find(looking->map, key, &kind)) {
        if (looking->senders[kind] != message->sender)
            looking->senders[kind] = SEVERAL;
        return 0;
    }
    if (rc_array_room(&looking->senders, looking->n_kinds + 1, &looking->room,
                      sizeof *looking->senders, looking->error))
        return -1;
    looking->senders[looking->n_kinds] = message->sender;
    return rc_skeleton_map_add(looking->map, key, (uint32_t)looking->n_kinds++, looking->error);
}

static bool is_chance(const struct looking *looking, const struct rc_match_message *message)
{
    uint32_t kind;

    return may_be_chance(message) && rc_skeleton_map_find(looking->map, key_of(message), &kind) &&
           looking->senders[kind] == SEVERAL;
}

/* ---- requests and answers ---- */

/* For each event of a rank, who sent what was taken there by chance; SEVERAL where that are more
 * than one message, and NOBODY where there is none. */
static void note_who_asks(const struct looking *looking, uint32_t rank, size_t n, uint32_t *asks)
{
    const struct rc_match_link *links = looking->match->links[rank];

    for (size_t e = 0; e < n; e++)
        asks[e] = NOBODY;
    for (size_t e = 0; e < n; e++) {
        size_t there = links[e].done == RC_PROGRAM_NONE ? e : links[e].done;

        if (links[e].in != RC_PROGRAM_NONE &&
            is_chance(looking, looking->match->messages + links[e].in))
            asks[there] =
                asks[there] == NOBODY ? looking->match->messages[links[e].in].sender : SEVERAL;
    }
}

static void count_rank(const struct looking *looking, uint32_t rank, size_t n, const uint32_t *asks,
                       struct rc_nondeterminism *found)
{
    const struct rc_match_link *links = looking->match->links[rank];
    uint64_t asked = 0, answered = 0;
    uint32_t who = NOBODY;

    for (size_t e = 0; e < n; e++) {
        /* A call that also receives sends before it does. */
        if (links[e].out != RC_PROGRAM_NONE) {
            answered += who == looking->match->messages[links[e].out].receiver;
            who = NOBODY;
        }
        if (asks[e] == NOBODY)
            continue;
        asked += asks[e] != SEVERAL;
        who = asks[e];
    }
    if (answered > 0 && (double)answered >= most * (double)asked)
        found->requests += answered;
}

/* ---- */

static int count_all(const struct looking *looking, const struct rc_program *program,
                     struct rc_nondeterminism *found)
{
    for (size_t i = 0; i < looking->match->n_messages; i++)
        found->taken += is_chance(looking, looking->match->messages + i);
    for (uint32_t r = 0; found->taken && r < program->ranks; r++) {
        size_t n = program->rank[r].n_events;
        uint32_t *asks = malloc((n + 1) * sizeof *asks);

        if (!asks)
            return rc_error_no_memory(looking->error);
        note_who_asks(looking, r, n, asks);
        count_rank(looking, r, n, asks, found);
        free(asks);
    }
    return 0;
}

int rc_skeleton_nondeterminism_find(const struct rc_program *program, const struct rc_match *match,
                                    struct rc_nondeterminism *found, struct rc_error *error)
{
    struct looking looking = {.match = match, .map = rc_skeleton_map_create(error), .error = error};
    int result = looking.map ? 0 : -1;

    *found = (struct rc_nondeterminism){0};
    for (size_t i = 0; !result && i < match->n_messages; i++)
        if (may_be_chance(match->messages + i))
            result = look_at(&looking, match->messages + i);
    if (!result)
        result = count_all(&looking, program, found);
    rc_skeleton_map_destroy(looking.map);
    free(looking.senders);
    return result;
}
