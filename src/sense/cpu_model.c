// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu_model.c - what a new process would get of one of several cores.
 *
 * On one core it is the level of rc_sense_fill().  Of several, the process is put where it gets
 * most.  If the others are kept where they are, it stays at that: the kernel sees no core that is
 * less crowded.  If they may move, the kernel moves them, and it, until all have the same: the
 * level over all cores of the machine, or the one over its own cores beside those who cannot leave
 * them, whichever is less.  In between, the part of the load that may move decides. */
#include "sense/cpu.h"

#include <math.h>
#include <stdlib.h>

#define NOTICED 0.01 /* cores: a competitor worth counting */

/* Where competitors are gathered; room for all users and one more. */
struct field {
    struct rc_sense_rival *rivals;
    int *groups; /* of each rival; 0: it is a single one */
    size_t n;
};

static void add_user(struct field *field, const struct rc_sense_user *user, double rate,
                     double weight)
{
    if (user->group)
        for (size_t i = 0; i < field->n; i++)
            if (field->groups[i] == user->group) {
                field->rivals[i].demand += rate;
                field->rivals[i].weight += weight;
                return;
            }
    field->rivals[field->n] = (struct rc_sense_rival){rate, weight};
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
static double weight_of(const struct rc_sense_user *users, size_t n, size_t i)
{
    return users[i].group ? users[i].rate / rate_of_group(users, n, users[i].group)
                          : users[i].weight;
}

/* Which users are looked at. */
enum scope {
    EVERYBODY = -1,
    KEPT = -2 /* those that are kept to my cores; from 0 on: those on that core */
};

static bool is_within(const struct rc_sense_user *user, int scope)
{
    return scope == EVERYBODY || (scope == KEPT ? user->kept : user->core == scope);
}

/* Gathers them, at `scale` times their rates.  Returns what is taken before all others. */
static double gather(struct field *field, const struct rc_sense_user *users, size_t n_users,
                     int scope, double scale)
{
    double first = 0;

    field->n = 0;
    for (size_t i = 0; i < n_users; i++) {
        if (!is_within(&users[i], scope))
            continue;
        if (users[i].first)
            first += scale * users[i].rate;
        else if (users[i].rate > 0)
            add_user(field, &users[i], scale * users[i].rate, weight_of(users, n_users, i));
    }
    return first;
}

static void add_unseen(struct field *field, double unseen)
{
    if (unseen > NOTICED) {
        field->rivals[field->n] = (struct rc_sense_rival){unseen, fmax(1, ceil(unseen))};
        field->groups[field->n++] = 0;
    }
}

/* Those that move about count where they were last, but the core itself knows how busy it was. */
static double level_of_core(struct field *field, const struct rc_sense_core *core, int number,
                            const struct rc_sense_user *users, size_t n_users, double unseen)
{
    double rates = 0, scale = 1, first;

    for (size_t i = 0; i < n_users; i++)
        if (users[i].core == number)
            rates += users[i].rate;
    if (rates > core->busy)
        scale = core->busy / rates;
    first = gather(field, users, n_users, number, scale);
    add_unseen(field, fmin(unseen, core->busy - rates));
    return rc_sense_fill(1 - core->lost - first, field->rivals, field->n);
}

/* The level over all cores, or over mine. */
static double level_of_all(struct field *field, const struct rc_sense_core *cores, size_t n_cores,
                           const struct rc_sense_user *users, size_t n_users, int scope,
                           double unseen)
{
    double capacity = -gather(field, users, n_users, scope, 1);

    for (size_t c = 0; c < n_cores; c++)
        if (scope == EVERYBODY ? cores[c].there : cores[c].mine)
            capacity += 1 - cores[c].lost;
    add_unseen(field, unseen);
    return rc_sense_fill(capacity, field->rivals, field->n);
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
                          const struct rc_sense_user *users, size_t n_users, double unseen,
                          double *most)
{
    struct field field = {malloc((n_users + 1) * sizeof *field.rivals),
                          malloc((n_users + 1) * sizeof *field.groups), 0};
    double best = -1, all;

    *most = 0;
    for (size_t c = 0; field.rivals && field.groups && c < n_cores; c++)
        if (cores[c].mine) {
            best = fmax(best, level_of_core(&field, &cores[c], (int)c, users, n_users, unseen));
            *most = fmax(*most, 1 - cores[c].lost);
        }
    if (best >= 0) {
        all = fmin(level_of_all(&field, cores, n_cores, users, n_users, EVERYBODY, unseen),
                   level_of_all(&field, cores, n_cores, users, n_users, KEPT, 0));
        best = fmin(best + moving(users, n_users) * fmax(0, all - best), *most);
    }
    free(field.rivals);
    free(field.groups);
    return best >= 0 ? best : (double)NAN;
}
