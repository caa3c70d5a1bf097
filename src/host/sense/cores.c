// SPDX-License-Identifier: GPL-3.0-or-later
/* cores.c - the cores that this process may use. */
#include "host/sense/cores.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"

int rc_sense_cores_allowed(struct rc_sense_cores *cores, struct rc_error *error)
{
    cpu_set_t set;

    cores->n = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return rc_error_errno(error, errno, "cannot read the allowed cores");
    for (int core = 0; core < CPU_SETSIZE && cores->n < RC_SENSE_CORES_MAX; core++)
        if (CPU_ISSET(core, &set))
            cores->items[cores->n++] = core;
    return 0;
}

static int bad(const char *text, struct rc_error *error)
{
    return rc_error_set(error, "'%s' is not a list of cores, such as 0 or 0,2-3", text);
}

int rc_sense_cores_parse(const char *text, struct rc_sense_cores *cores, struct rc_error *error)
{
    const char *end;

    cores->n = 0;
    for (const char *at = text;; at = end + 1) {
        const char *dash;
        int64_t first, last;

        end = strchrnul(at, ',');
        dash = memchr(at, '-', (size_t)(end - at));
        if (rc_number_parse_integer(at, (size_t)((dash ? dash : end) - at), &first))
            return bad(text, error);
        last = first;
        if (dash && rc_number_parse_integer(dash + 1, (size_t)(end - dash - 1), &last))
            return bad(text, error);
        if (first < 0 || last < first)
            return bad(text, error);
        if (last >= CPU_SETSIZE)
            return rc_error_set(error, "no core %lld", (long long)last);
        for (; first <= last; first++) {
            if (cores->n == RC_SENSE_CORES_MAX)
                return rc_error_set(error, "more than %d cores", RC_SENSE_CORES_MAX);
            cores->items[cores->n++] = (int)first;
        }
        if (!*end)
            return 0;
    }
}

static void describe(const struct rc_sense_cores *cores, char *text, size_t size)
{
    struct rc_buffer list = RC_BUFFER_INIT(size - 1);

    text[0] = '\0';
    for (size_t i = 0; i < cores->n; i++) {
        size_t last = i;

        while (last + 1 < cores->n && cores->items[last + 1] == cores->items[last] + 1)
            last++;
        if (rc_buffer_printf(&list, last > i ? "%s%d-%d" : "%s%d", i ? "," : "", cores->items[i],
                             cores->items[last]))
            break;
        i = last;
    }
    if (list.data)
        memcpy(text, list.data, list.length + 1);
    rc_buffer_free(&list);
}

static bool has_core(const struct rc_sense_cores *cores, int core)
{
    size_t i = 0;

    while (i < cores->n && cores->items[i] != core)
        i++;
    return i < cores->n;
}

int rc_sense_cores_choose(const char *text, struct rc_sense_cores *cores, struct rc_error *error)
{
    struct rc_sense_cores allowed;
    char list[128];

    if (rc_sense_cores_allowed(&allowed, error))
        return -1;
    if (!text) {
        *cores = allowed;
        return 0;
    }
    if (rc_sense_cores_parse(text, cores, error))
        return -1;
    for (size_t i = 0; i < cores->n; i++) {
        if (has_core(&allowed, cores->items[i]))
            continue;
        describe(&allowed, list, sizeof list);
        rc_error_set(error, "core %d does not exist or is not allowed", cores->items[i]);
        return rc_error_hint(error, "allowed cores: %s", list);
    }
    return 0;
}

struct rc_sense_cores rc_sense_cores_distinct(const struct rc_sense_cores *cores)
{
    struct rc_sense_cores distinct = {.n = 0};

    for (size_t i = 0; i < cores->n; i++)
        if (!has_core(&distinct, cores->items[i]))
            distinct.items[distinct.n++] = cores->items[i];
    return distinct;
}

int rc_sense_cores_pin(int core, struct rc_error *error)
{
    cpu_set_t set;

    if (core < 0)
        return 0;
    if (core >= CPU_SETSIZE)
        return rc_error_set(error, "no core %d", core);
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set)
               ? rc_error_errno(error, errno, "cannot use core %d", core)
               : 0;
}

bool rc_sense_sessions_share(void)
{
    char text[8];

    return rc_file_read("/proc/sys/kernel/sched_autogroup_enabled", text, sizeof text) == 0 &&
           text[0] == '1';
}
