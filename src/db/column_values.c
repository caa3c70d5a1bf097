// SPDX-License-Identifier: GPL-3.0-or-later
/* column_values.c - what the values of a column with an unknown heading could mean. */
#include "db/column_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/timestamp.h"

/* Final states of jobs in Slurm. */
static const struct {
    const char *word;
    enum rc_run_status status;
} slurm_states[] = {
    {"COMPLETED", RC_RUN_OK},         {"OUT_OF_MEMORY", RC_RUN_FAILED},
    {"NODE_FAIL", RC_RUN_FAILED},     {"BOOT_FAIL", RC_RUN_FAILED},
    {"TIMEOUT", RC_RUN_INTERRUPTED},  {"CANCELLED", RC_RUN_INTERRUPTED},
    {"DEADLINE", RC_RUN_INTERRUPTED}, {"PREEMPTED", RC_RUN_INTERRUPTED},
};

/* Other states: such a job has no run time yet. */
static const char *const open_states[] = {"PENDING",   "RUNNING",  "COMPLETING", "CONFIGURING",
                                          "SUSPENDED", "REQUEUED", "RESIZING"};

static const double EPOCH_LEAST = 946684800; /* the year 2000 */
static const double EPOCH_MOST = 4102444800; /* the year 2100 */

/* A user may follow: "CANCELLED by 1000". */
static bool is_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    return strncasecmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == ' ');
}

int rc_db_run_status_parse(const char *text, enum rc_run_status *status)
{
    for (int i = RC_RUN_OK; i <= RC_RUN_INTERRUPTED; i++)
        if (strcasecmp(text, rc_db_run_status_name((enum rc_run_status)i)) == 0) {
            *status = (enum rc_run_status)i;
            return 0;
        }
    for (size_t i = 0; i < sizeof slurm_states / sizeof *slurm_states; i++)
        if (is_word(text, slurm_states[i].word)) {
            *status = slurm_states[i].status;
            return 0;
        }
    return -1;
}

static bool is_state(const char *text)
{
    enum rc_run_status status;

    for (size_t i = 0; i < sizeof open_states / sizeof *open_states; i++)
        if (is_word(text, open_states[i]))
            return true;
    return rc_db_run_status_parse(text, &status) == 0;
}

void rc_db_column_values_text(struct rc_column_values *values, const char *text, size_t length)
{
    double seconds;

    values->texts++;
    if (is_state(text))
        values->states++;
    else if (rc_timestamp_parse(text, length, &seconds, NULL) == 0)
        values->dates++;
}

void rc_db_column_values_number(struct rc_column_values *values, double number)
{
    values->numbers++;
    values->epochs += number >= EPOCH_LEAST && number < EPOCH_MOST;
}

bool rc_db_column_values_are(const struct rc_column_values *values, const char *name, bool all)
{
    uint64_t total = values->numbers + values->texts;
    uint64_t fitting =
        strcmp(name, "status") == 0 ? values->states : values->dates + values->epochs;

    return total > 0 && (all ? fitting == total : 2 * fitting >= total);
}

void rc_db_column_pattern_add(struct rc_column_pattern *pattern, int64_t procs, double number)
{
    size_t i = 0;

    if (pattern->n++ == 0)
        pattern->first = number;
    pattern->varies |= number != pattern->first;
    if (pattern->varies_with_procs)
        return;
    while (i < pattern->n_procs && pattern->procs[i] != procs)
        i++;
    if (i == RC_COLUMN_PROCS_MAX) {
        pattern->varies_with_procs = true;
        return;
    }
    if (i == pattern->n_procs) {
        pattern->procs[pattern->n_procs] = procs;
        pattern->numbers[pattern->n_procs++] = number;
    }
    pattern->varies_with_procs = number != pattern->numbers[i];
}

bool rc_db_column_pattern_of_procs(const struct rc_column_pattern *pattern)
{
    return pattern->varies && !pattern->varies_with_procs && pattern->n >= 2 * pattern->n_procs;
}

/* The slot that has the number, or the free one for it. */
static double *find_slot(double *seen, size_t room, double number)
{
    uint64_t bits;
    size_t i;

    memcpy(&bits, &number, sizeof bits);
    i = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 32) & (room - 1);
    while (!isnan(seen[i]) && seen[i] != number)
        i = (i + 1) & (room - 1);
    return &seen[i];
}

/* At least half of the slots are free. */
static bool grow_seen(struct rc_column_ids *ids)
{
    size_t room = ids->room ? 2 * ids->room : 32;
    double *seen = malloc(room * sizeof *seen);

    if (!seen)
        return false;
    for (size_t i = 0; i < room; i++)
        seen[i] = NAN;
    for (size_t i = 0; i < ids->room; i++)
        if (!isnan(ids->seen[i]))
            *find_slot(seen, room, ids->seen[i]) = ids->seen[i];
    free(ids->seen);
    ids->seen = seen;
    ids->room = room;
    return true;
}

/* False if the number was seen before, or memory runs out: then the column is no column of IDs. */
static bool is_new(struct rc_column_ids *ids, double number)
{
    double *slot;

    if (2 * (ids->n_seen + 1) > ids->room && !grow_seen(ids))
        return false;
    slot = find_slot(ids->seen, ids->room, number);
    if (!isnan(*slot))
        return false;
    *slot = number;
    ids->n_seen++;
    return true;
}

void rc_db_column_ids_add(struct rc_column_ids *ids, double number)
{
    ids->n++;
    if (ids->fractional || (ids->falls && ids->repeats))
        return;
    number += 0.0; /* -0 is 0 */
    ids->falls |= ids->n > 1 && !(number > ids->last);
    ids->fractional |= number != floor(number);
    ids->last = number;
    if (ids->n <= RC_COLUMN_IDS_MAX && !ids->repeats && !ids->fractional)
        ids->repeats = !is_new(ids, number);
    if (ids->repeats || ids->fractional)
        rc_db_column_ids_free(ids);
}

bool rc_db_column_ids_are(const struct rc_column_ids *ids)
{
    return ids->n >= RC_COLUMN_IDS_LEAST && !ids->fractional && (!ids->falls || !ids->repeats);
}

void rc_db_column_ids_free(struct rc_column_ids *ids)
{
    free(ids->seen);
    ids->seen = NULL;
    ids->room = ids->n_seen = 0;
}
