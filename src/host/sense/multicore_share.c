// SPDX-License-Identifier: GPL-3.0-or-later
/* multicore_share.c - the share of one of several cores that a new process would get.
 *
 * On one core it is the level of rc_sense_fair_share().  Of several, the process is put where it
 * gets most.  If the others are pinned, it stays there: the kernel finds no core that is less
 * crowded.  If they may move, the kernel moves processes until all have the same: the level over
 * all cores of the machine, or the one over its own cores with the processes that cannot leave
 * them, whichever is less.  In between, the part of the load that may move decides. */
#include "host/sense/cpu_availability.h"

#include <math.h>
#include <stdlib.h>

#define NOTICED 0.01 /* cores: a competitor worth counting */

/* All inputs, and memory to collect competitors: for all users and one more. */
struct field {
    const struct rc_sense_core *cores;
    size_t n_cores;
    const struct rc_sense_user *users;
    size_t n_users;
    const struct rc_sense_group_weights *weights;
    struct rc_sense_competitor *competitors;
    int *groups; /* of each rival; 0: it is a single one */
    size_t n;
};

static void add_user(struct field *field, const struct rc_sense_user *user, double rate,
                     double weight)
{
    if (user->group)
        for (size_t i = 0; i < field->n; i++)
            if (field->groups[i] == user->group) {
                field->competitors[i].demand += rate;
                field->competitors[i].weight += weight;
                return;
            }
    field->competitors[field->n] = (struct rc_sense_competitor){rate, weight};
    field->groups[field->n++] = user->group;
}

static double rate_of_group(const struct rc_sense_user *users, size_t n, int group)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        if (users[i].group == group && !users[i].first)
            sum += users[i].rate;
    return sum;
}

/* The part of its group's weight that a user stands for: groups have theirs where they use it. */
static double weight_of(const struct field *field, size_t i)
{
    const struct rc_sense_user *user = &field->users[i];

    return user->group ? user->weight * user->rate /
                             rate_of_group(field->users, field->n_users, user->group)
                       : user->weight;
}

/* The users in question. */
enum scope {
    EVERYBODY = -1,
    KEPT = -2 /* those that are kept to my cores; from 0 on: those on that core */
};

static bool is_within(const struct rc_sense_user *user, int scope)
{
    return scope == EVERYBODY || (scope == KEPT ? user->kept : user->core == scope);
}

/* Gathers those that are met at one level of the tree of groups. */
static void gather(struct field *field, int scope, size_t level, double scale)
{
    size_t depth = field->weights->depth;

    field->n = 0;
    for (size_t i = 0; i < field->n_users; i++) {
        const struct rc_sense_user *user = &field->users[i];

        if (is_within(user, scope) && !user->first && user->rate > 0 &&
            (user->level < depth ? user->level : depth) == level)
            add_user(field, user, scale * user->rate, weight_of(field, i));
    }
}

static double rates_within(const struct field *field, int scope, bool first_only)
{
    double sum = 0;

    for (size_t i = 0; i < field->n_users; i++)
        if (is_within(&field->users[i], scope) && (field->users[i].first || !first_only))
            sum += field->users[i].rate;
    return sum;
}

/* From the top of the tree down to this process.  Where processes are that were not seen is
 * unknown: they compete at the top. */
static double descend(struct field *field, double capacity, int scope, double scale, double unseen)
{
    capacity -= scale * rates_within(field, scope, true);
    for (size_t level = 0;; level++) {
        gather(field, scope, level, scale);
        if (level == 0 && unseen > NOTICED) {
            field->competitors[field->n] =
                (struct rc_sense_competitor){unseen, fmax(1, ceil(unseen))};
            field->groups[field->n++] = 0;
        }
        if (level == field->weights->depth)
            return rc_sense_fair_share(capacity, field->competitors, field->n);
        capacity = rc_sense_fair_share_group(capacity, field->competitors, field->n,
                                             field->weights->weights[level]);
    }
}

/* Those that move about count where they were last, but the core itself knows how busy it was. */
static double level_of_core(struct field *field, int number, double unseen)
{
    const struct rc_sense_core *core = &field->cores[number];
    double rates = rates_within(field, number, false);

    return descend(field, 1 - core->lost, number, rates > core->busy ? core->busy / rates : 1,
                   fmin(unseen, core->busy - rates));
}

/* The level over all cores, or over mine. */
static double level_of_all(struct field *field, int scope, double unseen)
{
    double capacity = 0;

    for (size_t c = 0; c < field->n_cores; c++)
        if (scope == EVERYBODY ? field->cores[c].there : field->cores[c].mine)
            capacity += 1 - field->cores[c].lost;
    return descend(field, capacity, scope, 1, unseen);
}

/* The part of the load that may move. */
static double moving(const struct rc_sense_user *users, size_t n)
{
    double all = 0, moves = 0;

    for (size_t i = 0; i < n; i++) {
        all += users[i].rate;
        moves += users[i].moves ? users[i].rate : 0;
    }
    return all > 0 ? moves / all : 0;
}

double rc_sense_cpu_model(const struct rc_sense_core *cores, size_t n_cores,
                          const struct rc_sense_user *users, size_t n_users,
                          const struct rc_sense_group_weights *weights, double unseen, double *most)
{
    struct field field = {cores,
                          n_cores,
                          users,
                          n_users,
                          weights,
                          malloc((n_users + 1) * sizeof *field.competitors),
                          malloc((n_users + 1) * sizeof *field.groups),
                          0};
    double best = -1, all;

    *most = 0;
    for (size_t c = 0; field.competitors && field.groups && c < n_cores; c++)
        if (cores[c].mine) {
            best = fmax(best, level_of_core(&field, (int)c, unseen));
            *most = fmax(*most, 1 - cores[c].lost);
        }
    if (best >= 0) {
        all = fmin(level_of_all(&field, EVERYBODY, unseen), level_of_all(&field, KEPT, 0));
        best = fmin(best + moving(users, n_users) * fmax(0, all - best), *most);
    }
    free(field.competitors);
    free(field.groups);
    return best >= 0 ? best : (double)NAN;
}
