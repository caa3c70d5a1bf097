// SPDX-License-Identifier: GPL-3.0-or-later
/* procs_list.c - several numbers of processes, as --procs takes them. */
#include "cmd/core/procs_list.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/core/command.h"

enum { PROCS_MOST = 4096 }; /* numbers of processes that a list may have */

static bool has_procs(const struct rc_cmd_procs *procs, int64_t number)
{
    for (size_t i = 0; i < procs->n; i++)
        if (procs->numbers[i] == number)
            return true;
    return false;
}

static bool is_count(const char *text, size_t length, double *value)
{
    return length > 0 && rc_number_parse(text, length, value) == 0 && *value == floor(*value) &&
           *value >= 1 && *value <= 1e9;
}

/* "8", or a range: "8..16" as in other options, or "8-16". */
static int read_range(const char *text, size_t length, double *low, double *high)
{
    size_t first = strcspn(text, "-.,"), gap = 0;

    if (first < length)
        gap = text[first] == '-' ? 1 : strncmp(text + first, "..", 2) == 0 ? 2 : 0;
    if (gap == 0)
        first = length;
    if (!is_count(text, first, low))
        return -1;
    *high = *low;
    return gap == 0 || is_count(text + first + gap, length - first - gap, high) ? 0 : -1;
}

static int add(struct rc_cmd_procs *procs, int64_t number, const char *text, struct rc_error *error)
{
    if (has_procs(procs, number))
        return 0;
    if (procs->n == PROCS_MOST)
        return rc_error_set(error, "--procs: '%.100s' is more than %d numbers", text, PROCS_MOST);
    if (rc_array_room(&procs->numbers, procs->n + 1, &procs->room, sizeof *procs->numbers, error))
        return -1;
    procs->numbers[procs->n++] = number;
    return 0;
}

/* The next number of a range: the next one or, if that is too many, the next power of two. */
static int64_t next_number(int64_t number, int64_t high, bool all)
{
    int64_t power = 1;

    if (all || number == high)
        return number + 1;
    while (power <= number)
        power *= 2;
    return power < high ? power : high;
}

static int add_range(struct rc_cmd_procs *procs, int64_t low, int64_t high, int64_t all_up_to,
                     const char *text, struct rc_error *error)
{
    bool all = high - low < all_up_to;
    int status = 0;

    if (high < low)
        return rc_error_set(error, "--procs: '%.100s': the start of a range exceeds its end", text);
    for (int64_t number = low; number <= high && status == 0;
         number = next_number(number, high, all))
        status = add(procs, number, text, error);
    return status;
}

int rc_cmd_procs_read(const char *text, int64_t all_up_to, struct rc_cmd_procs *procs,
                      struct rc_error *error)
{
    const char *whole = text;

    while (text && *text) {
        size_t length = strcspn(text, ",");
        double low, high;

        if (read_range(text, length, &low, &high)) {
            rc_error_set(error, "--procs: '%.100s' is not a list of numbers from 1", whole);
            return rc_error_hint(error, "write 8, or 4,8,16, or a range such as 8..16");
        }
        if (add_range(procs, (int64_t)low, (int64_t)high, all_up_to, whole, error))
            return -1;
        text += length + (text[length] == ',');
    }
    return 0;
}

void rc_cmd_note_procs(const int64_t *numbers, size_t n, int64_t room, const char *where)
{
    int64_t first = 0;
    size_t over = 0;

    for (size_t i = 0; i < n; i++)
        if (numbers[i] > room && over++ == 0)
            first = numbers[i];
    if (over == 1)
        rc_cmd_note("--procs: %lld processes do not fit on the hosts; at most %lld fit%s",
                    (long long)first, (long long)room, where);
    else if (over > 1)
        rc_cmd_note("--procs: %zu of the numbers do not fit on the hosts, such as %lld; at most "
                    "%lld processes fit%s",
                    over, (long long)first, (long long)room, where);
}
