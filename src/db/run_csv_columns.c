// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv_columns.c - the columns that a table of runs can have besides parameters. */
#include "db/run_csv_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "db/phase_time_columns.h"

const struct rc_known_column rc_db_known_columns[] = {
#define OF(member, holds_)                                                                         \
    .name = #member, .holds = RC_HOLDS_##holds_, .offset = offsetof(struct rc_run, member)
    {OF(app, NAME), .required = true},
    {OF(n, NUMBER), .dimension = RC_COUNT, .most = INFINITY, .above = true, .required = true},
    {OF(p, COUNT), .dimension = RC_COUNT, .least = 1, .most = 1e9, .required = true},
    {OF(seconds, NUMBER), .dimension = RC_SECONDS, .most = INFINITY, .above = true,
     .required = true},
    {OF(platform, NAME)},
    {OF(hosts, HOSTS)},
    {OF(start, TIME)},
    {OF(memory, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(cpu_minavg, NUMBER), .dimension = RC_FRACTION, .most = 1},
    {OF(cpu_avgmin, NUMBER), .dimension = RC_FRACTION, .most = 1},
    {OF(bw_minavg, NUMBER), .dimension = RC_RATE, .most = INFINITY},
    {OF(bw_avgmin, NUMBER), .dimension = RC_RATE, .most = INFINITY},
    {OF(bytes_read, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(bytes_written, NUMBER), .dimension = RC_BYTES, .most = INFINITY},
    {OF(status, STATUS)},
#undef OF
    /* The database gives ids itself; those of a table are metadata. */
    {.name = "id", .holds = RC_HOLDS_NOTHING},
    {.name = NULL},
};

const struct rc_known_column rc_db_phase_time_column = {
    .name = "time:", .holds = RC_HOLDS_PART, .dimension = RC_SECONDS, .most = INFINITY};

const struct rc_known_column rc_db_meta_column = {.name = RC_META_PREFIX,
                                                  .holds = RC_HOLDS_NOTHING};

/* Names that mean another column. */
static const struct {
    const char *name, *means;
} other_names[] = {{"cpu", "cpu_minavg"}, {"bw", "bw_minavg"}};

const struct rc_known_column *rc_db_known_column_find(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(name, other_names[i].name) == 0)
            name = other_names[i].means;
    for (const struct rc_known_column *known = rc_db_known_columns; known->name; known++)
        if (strcasecmp(name, known->name) == 0)
            return known;
    if (strncasecmp(name, RC_META_PREFIX, strlen(RC_META_PREFIX)) == 0)
        return &rc_db_meta_column;
    return rc_db_time_column_is(name) ? &rc_db_phase_time_column : NULL;
}

const char *rc_db_run_table_column(const char *name)
{
    const struct rc_known_column *known = rc_db_known_column_find(name);

    return known ? known->name : NULL;
}

bool rc_db_run_table_requires(const struct rc_run_table *table, const struct rc_known_column *known)
{
    return known->required && !(table->asked && strcmp(known->name, "seconds") == 0);
}

bool rc_db_run_table_has(const struct rc_run_table *table, const struct rc_known_column *known)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].known == known)
            return true;
    return false;
}
