// SPDX-License-Identifier: GPL-3.0-or-later
/* messages.c - what is said between the watcher and a sensor: samples, times, probes of
 * links.
 *
 * Answers are believed only where they were asked for: an id that is not the open one is of a
 * question that was given up. */
#include "host/watch/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/unit.h"

#define ASK_EVERY 10.0 /* seconds between two questions for the time */
#define ASK_SOON 0.05  /* ... at the beginning, and where the time is in doubt */
#define HOUR 3600.0
#define DB_PATIENCE 0.1 /* seconds for other writers; sensors fill their pipes meanwhile */
#define DB_RETRY 1.0    /* seconds after a failure of the database */

enum {
    ASKS_AT_FIRST = 4,
    BANNER_MAX = 200,  /* lines that a login may print before the sensor speaks */
    NONSENSE_MAX = 20, /* lines of nonsense after which a sensor is given up */
    COMMAND_MAX = 1024,
    QUOTE_MAX = 60
};

/* Says it to the sensor; one that does not listen is lost before long, by its silence. */
static int tell(struct rc_watch *watch, size_t host, const char *command)
{
    return rc_watch_child_send(&watch->members[host].child, command, strlen(command));
}

/* ---- the time ---- */

void rc_watch_ask(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];
    char command[COMMAND_MAX];

    member->exchange = ++watch->next_id;
    snprintf(command, sizeof command, "clock %" PRId64 "\n", member->exchange);
    member->asked = watch->clock->monotonic(watch->clock);
    member->ask_at = now + (member->asks_at_once > 0 ? ASK_SOON : ASK_EVERY);
    if (member->asks_at_once > 0)
        member->asks_at_once--;
    if (tell(watch, host, command))
        member->exchange = 0;
}

static void hear_clock(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                       double now)
{
    struct rc_watch_member *member = &watch->members[host];
    struct rc_watch_clock *clock = &member->clock;

    if (!member->exchange || line->id != member->exchange)
        return;
    member->exchange = 0;
    rc_watch_clock_add(clock, member->asked, now, line->time);
    member->info.offset = rc_watch_clock_offset(clock, now) - watch->base.ahead;
    member->info.round_trip = clock->best.round_trip;
    member->info.drift = clock->drift;
}

/* Where its clock cannot be right, or is not known yet, it is asked soon, and more than once. */
static void doubt_clock(struct rc_watch_member *member, double now)
{
    if (member->asks_at_once > 0 || member->exchange)
        return;
    member->asks_at_once = ASKS_AT_FIRST;
    member->ask_at = now;
}

/* ---- samples ---- */

static double stamp(struct rc_watch *watch, struct rc_watch_member *member, double time,
                    double last, double now)
{
    const struct rc_watch_stamp mark = {time, now, member->started, last};
    bool doubtful;
    double t = rc_watch_stamp_put(&mark, &member->clock, &watch->base, &doubtful);

    if (doubtful)
        doubt_clock(member, now);
    return t;
}

static void hand_on(struct rc_watch *watch, size_t host, size_t link, const char *metric, double t,
                    double value)
{
    struct rc_watch_host *info = &watch->members[host].info;
    const struct rc_watch_sample sample = {
        .host = host,
        .link = link,
        .name = info->name,
        .peer = link == SIZE_MAX ? "" : watch->names[watch->schedule.slots[link].info.to],
        .metric = metric,
        .t = t,
        .value = value};

    if (isnan(value))
        return;
    info->samples++;
    if (watch->options.sample)
        watch->options.sample(watch->options.data, &sample);
}

static void hear_sample(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                        double now)
{
    struct rc_watch_member *member = &watch->members[host];
    double t = stamp(watch, member, line->time, member->last, now);

    member->last = member->info.heard = t;
    member->info.messages++;
    if (!isnan(line->values[RC_WATCH_CPU]))
        member->info.cpu = line->values[RC_WATCH_CPU];
    if (!isnan(line->values[RC_WATCH_MEMORY]))
        member->info.memory = line->values[RC_WATCH_MEMORY];
    for (int i = 0; i < RC_WATCH_METRICS; i++)
        hand_on(watch, host, SIZE_MAX, rc_watch_metric_name((enum rc_watch_metric)i), t,
                line->values[i]);
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
                          : rc_watch_probe_bytes(slot->info.every, watch->options.link_bytes);
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
        put_off(watch, link, fmin(fmax(slot->taken - wish.t, 1), slot->info.every),
                "probes of this link have sent what they may in an hour", now);
    } else {
        watch->budget_at = now + DB_RETRY;
        snprintf(reason, sizeof reason, "what probes sent cannot be looked up: %.150s", error.text);
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
        if (tell(watch, schedule->slots[link].info.to, command))
            end_probe(watch, link, "the far end takes no commands", now);
    }
}

/* The probe that the host takes part in, where the line is of it and it stands there; or NULL. */
static struct rc_watch_slot *open_probe(struct rc_watch *watch, size_t host,
                                        const struct rc_watch_line *line)
{
    size_t link = watch->schedule.endpoints[host].link;

    if (link == SIZE_MAX || watch->schedule.slots[link].id != line->id)
        return NULL;
    return &watch->schedule.slots[link];
}

static void hear_listening(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                           double now)
{
    struct rc_watch_slot *slot = open_probe(watch, host, line);
    char command[COMMAND_MAX];
    int length;

    if (!slot || slot->phase != RC_WATCH_ASKED || slot->info.to != host)
        return;
    length = snprintf(command, sizeof command, "probe %" PRId64 " %s %d %s %.0f %.0f\n", slot->id,
                      watch->names[host], line->port, line->key, watch->options.burst,
                      bytes_of(watch, slot));
    if (length >= (int)sizeof command || tell(watch, slot->info.from, command))
        end_probe(watch, watch->schedule.endpoints[host].link, "the near end takes no commands",
                  now);
    else
        slot->phase = RC_WATCH_PROBING;
}

static void remark_short(struct rc_watch_link_info *info, double bytes, double wants)
{
    char sent[RC_UNIT_SIZE], needed[RC_UNIT_SIZE];

    rc_unit_format(bytes, RC_BYTES, sent);
    rc_unit_format(wants, RC_BYTES, needed);
    info->too_short++;
    snprintf(info->reason, sizeof info->reason,
             info->too_fast ? "a probe of %s is too short to tell the bandwidth; it would take %s, "
                              "which is more than there may be"
                            : "a probe of %s was too short to tell the bandwidth",
             sent, needed);
}

/* Fewer and longer probes where those before were too short, and more again where the link has
 * become slower.  Without a database nobody counts what they send together, and their number stays. */
static void set_interval(struct rc_watch *watch, struct rc_watch_slot *slot,
                         const struct rc_watch_line *line, double now)
{
    const struct rc_watch_options *options = &watch->options;
    struct rc_watch_link_info *info = &slot->info;
    const struct rc_watch_link_info before = *info;
    bool told = !isnan(line->bandwidth), again;
    double every = isnan(line->wants) ? info->every
                                      : rc_watch_probe_every(options->link_every,
                                                             options->link_bytes, line->wants);

    if (!watch->budget && every > options->link_every)
        every = INFINITY;
    if (told) /* it was long enough, whatever it wants */
        every = fmin(every, info->every);
    info->too_fast = isinf(every);
    info->every = info->too_fast ? options->link_every : every;
    if (!told || info->every < before.every)
        slot->most = info->every > options->link_every ? line->wants : 0;
    again = !told && info->every > before.every;
    slot->due = again ? now : slot->begun + info->every;
    info->tried = !again || !isnan(info->bandwidth);
    if (!told)
        remark_short(info, line->bytes, line->wants);
    if (watch->options.probe_less &&
        (info->every > before.every || (info->too_fast && !before.too_fast)))
        watch->options.probe_less(watch->options.data, info);
}

static void hear_link(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                      double now)
{
    struct rc_watch_slot *slot = open_probe(watch, host, line);
    size_t link = watch->schedule.endpoints[host].link;
    double t;

    if (!slot || slot->phase != RC_WATCH_PROBING || slot->info.from != host)
        return;
    t = stamp(watch, &watch->members[host], line->time, slot->last, now);
    slot->last = t;
    if (!isnan(line->bytes))
        slot->info.bytes += line->bytes;
    settle_bytes(watch, slot, line->bytes);
    if (!isnan(line->bandwidth))
        slot->info.bandwidth = line->bandwidth;
    slot->info.latency = line->latency;
    end_probe(watch, link, NULL, now);
    set_interval(watch, slot, line, now);
    hand_on(watch, host, link, "bandwidth", t, line->bandwidth);
    hand_on(watch, host, link, "latency", t, line->latency);
}

static void hear_error(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                       double now)
{
    struct rc_watch_slot *slot = open_probe(watch, host, line);
    size_t link = watch->schedule.endpoints[host].link;
    char reason[RC_WATCH_REASON_SIZE];

    if (!slot)
        return;
    /* The far end's word that nobody came says less than what the near end will say. */
    if (slot->phase == RC_WATCH_PROBING && slot->info.from != host)
        return;
    snprintf(reason, sizeof reason, "%.40s: %s", watch->names[host], line->text);
    end_probe(watch, link, reason, now);
}

/* ---- all lines ---- */

static void hear_hello(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                       double now)
{
    struct rc_watch_member *member = &watch->members[host];

    if (line->protocol != RC_WATCH_PROTOCOL) {
        rc_watch_member_lose(watch, host, now,
                             "its sensor is of another version (protocol %d, not %d)",
                             line->protocol, RC_WATCH_PROTOCOL);
        return;
    }
    member->info.cores = line->cores;
    if (member->info.state == RC_WATCH_UP)
        return;
    member->up_since = now;
    rc_watch_member_enter(watch, host, RC_WATCH_UP);
    doubt_clock(member, now);
}

/* A line that is none of ours.  Before the sensor speaks, a login may print what it likes. */
static void hear_nonsense(struct rc_watch *watch, size_t host, double now, const char *why)
{
    struct rc_watch_member *member = &watch->members[host];
    bool up = member->info.state == RC_WATCH_UP;
    char quote[QUOTE_MAX + 1];

    member->info.faults += up;
    if (++member->nonsense <= (up ? NONSENSE_MAX : BANNER_MAX))
        return;
    snprintf(quote, sizeof quote, "%.*s", QUOTE_MAX, member->lines.text);
    rc_text_mend_cut(quote, sizeof quote);
    rc_watch_member_lose(watch, host, now, "it does not talk as a sensor does (%s): '%s'", why,
                         quote);
}

void rc_watch_member_hear(struct rc_watch *watch, size_t host, double now)
{
    static void (*const heard[])(struct rc_watch *, size_t, const struct rc_watch_line *,
                                 double) = {
        [RC_WATCH_LINE_HELLO] = hear_hello, [RC_WATCH_LINE_SAMPLE] = hear_sample,
        [RC_WATCH_LINE_CLOCK] = hear_clock, [RC_WATCH_LINE_LISTENING] = hear_listening,
        [RC_WATCH_LINE_LINK] = hear_link,   [RC_WATCH_LINE_ERROR] = hear_error,
    };
    struct rc_watch_member *member = &watch->members[host];
    struct rc_error error = {0};
    struct rc_watch_line line;

    if (member->lines.too_long) {
        hear_nonsense(watch, host, now, "a line is too long");
    } else if (rc_watch_line_read(member->lines.text, member->lines.length, &line, &error)) {
        hear_nonsense(watch, host, now, error.text);
    } else if (member->info.state != RC_WATCH_UP && line.kind != RC_WATCH_LINE_HELLO) {
        hear_nonsense(watch, host, now, "it gave no greeting");
    } else if (line.kind != RC_WATCH_LINE_OTHER) {
        heard[line.kind](watch, host, &line, now);
    }
}
