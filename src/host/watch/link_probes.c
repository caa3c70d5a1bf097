// SPDX-License-Identifier: GPL-3.0-or-later
/* link_probes.c - probes of links: when they begin, what they may send, and their results.
 *
 * A probe is three messages: the far end is asked to listen, reports its port, and the near end
 * is asked to send there.  Answers count only where they were requested: an id that is not that
 * of the open probe is of one that was given up. */
#include "host/watch/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"

#define HOUR 3600.0
#define DB_PATIENCE 0.1 /* seconds for other writers; sensors fill their pipes meanwhile */
#define DB_RETRY 1.0    /* seconds after a failure of the database */

enum { COMMAND_MAX = 1024 };

/* Sends it to the sensor; one that does not listen is lost before long, by its silence. */
static int send_command(struct rc_watch *watch, size_t host, const char *command)
{
    return rc_watch_child_send(&watch->members[host].child, command, strlen(command));
}

/* ---- what probes may send ---- */

static struct rc_series_key key_of(const struct rc_watch *watch, const struct rc_watch_slot *slot)
{
    return (struct rc_series_key){watch->names[slot->info.from], watch->names[slot->info.to],
                                  RC_WATCH_PROBE_BYTES};
}

/* What its next probe may send. */
static double bytes_of(const struct rc_watch *watch, const struct rc_watch_slot *slot)
{
    return slot->most > 0 ? slot->most
                          : rc_watch_probe_bytes(slot->info.interval, watch->options.link_bytes);
}

/* The link waits: for what was sent to become older, or for the database. */
static void put_off(struct rc_watch *watch, size_t link, double seconds, const char *reason,
                    double now)
{
    struct rc_watch_link_info *info = &watch->schedule.slots[link].info;

    snprintf(info->reason, sizeof info->reason, "%s", reason);
    rc_watch_schedule_put_off(&watch->schedule, link, seconds, now);
}

/* Takes what a probe may send from what all of them may in an hour.  A probe goes on for a while
 * after it began, so that the look back is longer by that. */
static bool take_bytes(struct rc_watch *watch, size_t link, double now)
{
    struct rc_watch_slot *slot = &watch->schedule.slots[link];
    const struct rc_watch_options *options = &watch->options;
    const struct rc_budget_request wish = {.key = key_of(watch, slot),
                                           .t = now + watch->base.ahead,
                                           .amount = bytes_of(watch, slot),
                                           .bound = options->link_bytes,
                                           .window = HOUR + RC_WATCH_PROBE_OVER};
    char reason[RC_WATCH_REASON_SIZE];
    struct rc_error error = {0};
    int taken;

    if (!watch->budget)
        return true;
    taken = rc_db_budget_take(watch->budget, &wish, DB_PATIENCE, &slot->taken, &error);
    if (taken > 0)
        return true;
    if (taken == 0) {
        /* What was taken may be settled at less, so that it is asked for again sooner. */
        put_off(watch, link, fmin(fmax(slot->taken - wish.t, 1), slot->info.interval),
                "probes of this link have sent all bytes of this hour", now);
    } else {
        watch->budget_at = now + DB_RETRY;
        snprintf(reason, sizeof reason, "cannot read how much probes sent: %.150s", error.text);
        put_off(watch, link, DB_RETRY, reason, now);
    }
    return false;
}

/* Gives back what was not sent.  Where that is not known (NAN), or memory runs out, all of it
 * counts as sent. */
static void settle_bytes(struct rc_watch *watch, const struct rc_watch_slot *slot, double bytes)
{
    const struct rc_series_key key = key_of(watch, slot);

    if (watch->budget && !isnan(bytes))
        rc_db_budget_settle(watch->budget, &key, slot->taken, bytes, NULL);
}

/* ---- links ---- */

static void end_probe(struct rc_watch *watch, size_t link, const char *reason, double now)
{
    struct rc_watch_slot *slot = &watch->schedule.slots[link];

    if (slot->phase == RC_WATCH_ASKED)
        settle_bytes(watch, slot, 0);
    snprintf(slot->info.reason, sizeof slot->info.reason, "%s", reason ? reason : "");
    rc_watch_schedule_end(&watch->schedule, link, !reason, now);
}

void rc_watch_probe_abandon(struct rc_watch *watch, size_t host, double now, const char *reason)
{
    size_t link = watch->schedule.endpoints[host].link;

    if (link != SIZE_MAX)
        end_probe(watch, link, reason, now);
}

static bool is_up(void *data, size_t host)
{
    const struct rc_watch *watch = data;

    return watch->members[host].info.state == RC_WATCH_UP;
}

void rc_watch_probe_links(struct rc_watch *watch, double now)
{
    struct rc_watch_schedule *schedule = &watch->schedule;
    char command[COMMAND_MAX];
    size_t link;

    while ((link = rc_watch_schedule_late(schedule, now)) != SIZE_MAX)
        end_probe(watch, link, "no answer", now);
    while (now >= watch->budget_at &&
           (link = rc_watch_schedule_next(schedule, now, is_up, watch)) != SIZE_MAX) {
        if (!take_bytes(watch, link, now))
            continue;
        rc_watch_schedule_begin(schedule, link, ++watch->next_id, now);
        snprintf(command, sizeof command, "listen %" PRId64 " *\n", schedule->slots[link].id);
        if (send_command(watch, schedule->slots[link].info.to, command))
            end_probe(watch, link, "the receiver takes no commands", now);
    }
}

/* The probe that the host takes part in, where the line is of it and it stands there; or NULL. */
static struct rc_watch_slot *find_probe(struct rc_watch *watch, size_t host,
                                        const struct rc_watch_line *line)
{
    size_t link = watch->schedule.endpoints[host].link;

    if (link == SIZE_MAX || watch->schedule.slots[link].id != line->id)
        return NULL;
    return &watch->schedule.slots[link];
}

void rc_watch_probe_listening(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                              double now)
{
    struct rc_watch_slot *slot = find_probe(watch, host, line);
    char command[COMMAND_MAX];
    int length;

    if (!slot || slot->phase != RC_WATCH_ASKED || slot->info.to != host)
        return;
    length = snprintf(command, sizeof command, "probe %" PRId64 " %s %d %s %.0f %.0f\n", slot->id,
                      watch->names[host], line->port, line->key, watch->options.burst,
                      bytes_of(watch, slot));
    if (length >= (int)sizeof command || send_command(watch, slot->info.from, command))
        end_probe(watch, watch->schedule.endpoints[host].link, "the sender takes no commands", now);
    else
        slot->phase = RC_WATCH_PROBING;
}

static void note_short(struct rc_watch_link_info *info, double bytes, double wants)
{
    char sent[RC_UNIT_SIZE], needed[RC_UNIT_SIZE];

    rc_unit_format(bytes, RC_BYTES, sent);
    rc_unit_format(wants, RC_BYTES, needed);
    info->too_short++;
    snprintf(info->reason, sizeof info->reason,
             info->too_fast
                 ? "a probe of %s is too short to measure the bandwidth; it needs %s, more than "
                   "is allowed in an hour"
                 : "a probe of %s was too short to measure the bandwidth",
             sent, needed);
}

/* Fewer and longer probes where those before were too short, and more again where the link has
 * become slower.  Without a database, what they send in total is not counted, and their number
 * stays. */
static void set_interval(struct rc_watch *watch, struct rc_watch_slot *slot,
                         const struct rc_watch_line *line, double now)
{
    const struct rc_watch_options *options = &watch->options;
    struct rc_watch_link_info *info = &slot->info;
    const struct rc_watch_link_info before = *info;
    bool measured = !isnan(line->bandwidth), again;
    double interval =
        isnan(line->wants)
            ? info->interval
            : rc_watch_probe_interval(options->link_interval, options->link_bytes, line->wants);

    if (!watch->budget && interval > options->link_interval)
        interval = INFINITY;
    if (measured) /* it was long enough, whatever it wants */
        interval = fmin(interval, info->interval);
    info->too_fast = isinf(interval);
    info->interval = info->too_fast ? options->link_interval : interval;
    if (!measured || info->interval < before.interval)
        slot->most = info->interval > options->link_interval ? line->wants : 0;
    again = !measured && info->interval > before.interval;
    slot->due = again ? now : slot->begun + info->interval;
    info->tried = !again || !isnan(info->bandwidth);
    if (!measured)
        note_short(info, line->bytes, line->wants);
    if (watch->options.probe_less &&
        (info->interval > before.interval || (info->too_fast && !before.too_fast)))
        watch->options.probe_less(watch->options.data, info);
}

void rc_watch_probe_result(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                           double now)
{
    struct rc_watch_slot *slot = find_probe(watch, host, line);
    size_t link = watch->schedule.endpoints[host].link;
    double t;

    if (!slot || slot->phase != RC_WATCH_PROBING || slot->info.from != host)
        return;
    t = rc_watch_sample_time(watch, &watch->members[host], line->time, slot->last, now);
    slot->last = t;
    if (!isnan(line->bytes))
        slot->info.bytes += line->bytes;
    settle_bytes(watch, slot, line->bytes);
    if (!isnan(line->bandwidth))
        slot->info.bandwidth = line->bandwidth;
    slot->info.latency = line->latency;
    end_probe(watch, link, NULL, now);
    set_interval(watch, slot, line, now);
    rc_watch_sample_report(watch, host, link, "bandwidth", t, line->bandwidth);
    rc_watch_sample_report(watch, host, link, "latency", t, line->latency);
}

void rc_watch_probe_error(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                          double now)
{
    struct rc_watch_slot *slot = find_probe(watch, host, line);
    size_t link = watch->schedule.endpoints[host].link;
    char reason[RC_WATCH_REASON_SIZE];

    if (!slot)
        return;
    /* The far end's report that no sender came is less informative than the near end's report. */
    if (slot->phase == RC_WATCH_PROBING && slot->info.from != host)
        return;
    snprintf(reason, sizeof reason, "%.40s: %s", watch->names[host], line->text);
    end_probe(watch, link, reason, now);
}
