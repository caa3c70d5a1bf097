/* test_watch.c - watching many hosts: lines, clocks, waiting, links, and what goes into the store.
 */
#include "unit.h"

#include <signal.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "host/watch/internal.h"
#include "host/watch/sample_db.h"
#include "db/series.h"
#include "db/series_batch.h"

/* ---- lines ---- */

static int parse(const char *text, struct rc_watch_line *line)
{
    struct rc_error error = {0};
    int status = rc_watch_line_read(text, strlen(text), line, &error);

    assert_int_equal(status != 0, error.text[0] != '\0');
    return status;
}

static void lines_are_read(void **state)
{
    struct rc_watch_line line;

    (void)state;
    assert_int_equal(
        parse("{\"hello\": 1, \"version\": \"x\", \"host\": \"a\", \"cores\": 8}", &line), 0);
    assert_int_equal(line.kind, RC_WATCH_LINE_HELLO);
    assert_int_equal(line.protocol, 1);
    assert_int_equal(line.cores, 8);
    assert_int_equal(
        parse("{\"sample\": {\"time\": 1.5e9, \"cpu\": 0.93, \"memory\": 12, \"in\": 0}}", &line),
        0);
    assert_int_equal(line.kind, RC_WATCH_LINE_SAMPLE);
    assert_same(line.time, 1.5e9);
    assert_same(line.values[RC_WATCH_CPU], 0.93);
    assert_same(line.values[RC_WATCH_MEMORY], 12);
    assert_same(line.values[RC_WATCH_IN], 0);
    assert_true(isnan(line.values[RC_WATCH_OUT]));
    assert_int_equal(parse("{\"clock\": {\"id\": 7, \"time\": 3}}", &line), 0);
    assert_int_equal(line.id, 7);
    assert_int_equal(parse("{\"listening\": {\"id\": 9, \"port\": 80, \"key\": \"abc\"}}", &line),
                     0);
    assert_int_equal(line.port, 80);
    assert_string_equal(line.key, "abc");
    assert_int_equal(
        parse("{\"link\": {\"id\": 9, \"time\": 3, \"bandwidth\": 1e6, \"latency\": 1e-4,"
              " \"bytes\": 5, \"seconds\": 0.1}}",
              &line),
        0);
    assert_same(line.bandwidth, 1e6);
    assert_int_equal(parse("{\"error\": {\"id\": 2, \"text\": \"a\\u0007b\"}}", &line), 0);
    assert_string_equal(line.text, "a?b");
    assert_int_equal(parse("{\"weather\": {\"rain\": true}}", &line), 0);
    assert_int_equal(line.kind, RC_WATCH_LINE_OTHER);
}

static void bad_lines_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "hello",
        "[]",
        "1",
        "{",
        "{\"sample\": 3}",
        "{\"sample\": {}}",
        "{\"sample\": {\"time\": -1}}",
        "{\"sample\": {\"time\": 1e300}}",
        "{\"sample\": {\"time\": 1, \"cpu\": 1.5}}",
        "{\"sample\": {\"time\": 1, \"cpu\": \"x\"}}",
        "{\"sample\": {\"time\": 1, \"time\": 2}}",
        "{\"clock\": {\"id\": 1}}",
        "{\"clock\": {\"id\": 1.5, \"time\": 2}}",
        "{\"hello\": \"1\"}",
        "{\"listening\": {\"id\": 1, \"port\": 0, \"key\": \"a\"}}",
        "{\"listening\": {\"id\": 1, \"port\": 1, \"key\": \"a b\"}}",
        "{\"listening\": {\"id\": 1, \"port\": 1, \"key\": \"a\\nprobe\"}}",
        "{\"listening\": {\"id\": 1, \"port\": 1, \"key\": \"\"}}",
        "{\"link\": {\"id\": 1, \"time\": 1, \"bandwidth\": -5}}",
    };
    static char longest[RC_WATCH_LINE_MAX + 2];
    struct rc_watch_line line;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (parse(bad[i], &line) == 0)
            fail_msg("'%s' was taken", bad[i]);
    memset(longest, ' ', sizeof longest - 1);
    longest[0] = '{', longest[1] = '}';
    assert_int_equal(parse(longest, &line), -1);
    longest[RC_WATCH_LINE_MAX] = '\0';
    assert_int_equal(parse(longest, &line), 0);
}

static void lines_come_in_pieces(void **state)
{
    static struct rc_watch_lines lines;
    static char much[RC_WATCH_LINE_MAX + 100];
    size_t used;

    (void)state;
    assert_int_equal(rc_watch_lines_add(&lines, "ab", 2, &used), 0);
    assert_int_equal(used, 2);
    assert_int_equal(rc_watch_lines_add(&lines, "c\r\nde", 5, &used), 1);
    assert_int_equal(used, 3);
    assert_string_equal(lines.text, "abc");
    lines.length = 0;
    memset(much, 'x', sizeof much);
    assert_int_equal(rc_watch_lines_add(&lines, much, sizeof much, &used), 0);
    assert_int_equal(rc_watch_lines_add(&lines, much, sizeof much, &used), 0);
    assert_int_equal(rc_watch_lines_add(&lines, "x\ny", 3, &used), 1);
    assert_int_equal(used, 2);
    assert_true(lines.too_long);
}

/* ---- clocks ---- */

static void base_follows_the_wall_clock(void **state)
{
    struct rc_watch_base base;
    double last = 1000, t;

    (void)state;
    rc_watch_base_init(&base, 1000, 0);
    rc_watch_base_follow(&base, 1001, 1);
    assert_near(1 + base.ahead, 1001, 1e-9);
    rc_watch_base_follow(&base, 1102, 2); /* set forward by 100 s */
    assert_near(2 + base.ahead, 1102, 1e-9);
    last = 1102;
    for (int i = 3; i < 1100; i++) { /* set back by 50 s */
        rc_watch_base_follow(&base, 1050 + i, i);
        t = i + base.ahead;
        assert_true(t > last);
        last = t;
    }
    assert_near(last, 1050 + 1099, 1e-6);
}

/* A sensor whose clock is off by `offset` and gains `drift`, asked over ways of unequal length. */
struct far {
    double offset, drift;
};

static double far_time(const struct far *far, double monotonic)
{
    return monotonic + far->offset + far->drift * monotonic;
}

static void ask(struct rc_watch_clock *clock, const struct far *far, double at, double there,
                double back)
{
    rc_watch_clock_add(clock, at, at + there + back, far_time(far, at + there));
}

static void offset_is_found(void **state)
{
    struct far far = {1.5e9, 0};
    struct rc_watch_clock clock;

    (void)state;
    rc_watch_clock_init(&clock);
    assert_true(isnan(rc_watch_clock_offset(&clock, 1)));
    ask(&clock, &far, 10, 0.2, 0.001); /* one slow way: it errs, by less than half of 0.201 */
    assert_near(rc_watch_clock_offset(&clock, 11), 1.5e9, 0.1005 + 1e-6);
    ask(&clock, &far, 11, 0.001, 0.001);
    assert_near(rc_watch_clock_offset(&clock, 12), 1.5e9, 1e-6);
    for (int i = 0; i < 6; i++) /* worse ones do not matter */
        ask(&clock, &far, 12 + i, 0.001, 0.3);
    assert_near(rc_watch_clock_offset(&clock, 20), 1.5e9, 1e-6);
    assert_int_equal(clock.steps, 0);
}

static void drift_is_followed(void **state)
{
    struct far far = {1000, 5e-5};
    struct rc_watch_clock clock;
    double at = 0;

    (void)state;
    rc_watch_clock_init(&clock);
    for (at = 0; at < 3600; at += 10)
        ask(&clock, &far, at, 0.0005, 0.0005 + 0.0002 * sin(at));
    assert_near(clock.drift, 5e-5, 2e-6);
    /* Without an answer for ten minutes it is still right to 2 ms; without drift it would be 30
     * off. */
    assert_near(rc_watch_clock_offset(&clock, at + 600), 1000 + 5e-5 * (at + 600), 2e-3);
    assert_int_equal(clock.steps, 0);
}

static void a_clock_that_is_set_is_noticed(void **state)
{
    struct far far = {50, 0};
    struct rc_watch_clock clock;

    (void)state;
    rc_watch_clock_init(&clock);
    for (int i = 0; i < 8; i++)
        ask(&clock, &far, i, 0.001, 0.001);
    far.offset -= 3;
    ask(&clock, &far, 10, 0.02, 0.001); /* slower than all before, but they cannot be right */
    assert_int_equal(clock.steps, 1);
    assert_near(rc_watch_clock_offset(&clock, 10), 47, 0.011);
}

static double put(const struct rc_watch_clock *clock, const struct rc_watch_base *base, double time,
                  double arrival, double last, bool *doubtful)
{
    const struct rc_watch_stamp stamp = {time, arrival, 90, last};

    return rc_watch_stamp_put(&stamp, clock, base, doubtful);
}

static void times_are_put_on_the_base(void **state)
{
    struct far far = {5000, 0};
    struct rc_watch_clock clock;
    struct rc_watch_base base;
    bool doubtful;
    double t;

    (void)state;
    rc_watch_clock_init(&clock);
    rc_watch_base_init(&base, 1100, 100); /* the base is 1000 ahead */
    assert_near(put(&clock, &base, 1, 100, -INFINITY, &doubtful), 1100, 1e-9);
    assert_true(doubtful); /* nothing is known: the arrival stands in */
    ask(&clock, &far, 100, 0.001, 0.001);
    assert_near(put(&clock, &base, 5101, 102, -INFINITY, &doubtful), 1101, 1e-6);
    assert_false(doubtful);
    assert_near(put(&clock, &base, 5102.0005, 102, 1101, &doubtful), 1102,
                1e-6);      /* from the future */
    assert_false(doubtful); /* but by less than is known of the clock */
    assert_near(put(&clock, &base, 5200, 103, 1102, &doubtful), 1103, 1e-6);
    assert_true(doubtful);
    assert_near(put(&clock, &base, 5050, 103, 1102, &doubtful), 1103, 1e-6); /* before it began */
    assert_true(doubtful);
    assert_near(put(&clock, &base, 5101, 103, 1102, &doubtful), 1103,
                1e-6); /* before the last one */
    assert_true(doubtful);
    t = put(&clock, &base, 5101.9999, 104, 1102, &doubtful); /* a correction of 0.1 ms */
    assert_false(doubtful);
    assert_true(t > 1102 && t < 1102.01);
    t = put(&clock, &base, 5104, 104, 1104, &doubtful); /* two at once */
    assert_true(t > 1104 && t < 1104.000001);
}

/* ---- waiting ---- */

static void waiting_doubles(void **state)
{
    static const double wanted[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};

    (void)state;
    for (unsigned i = 0; i < COUNT(wanted); i++) {
        assert_near(rc_watch_delay(i, 0.5), wanted[i], 1e-9);
        assert_near(rc_watch_delay(i, 0), 0.75 * wanted[i], 1e-9);
        assert_near(rc_watch_delay(i, 1), 1.25 * wanted[i], 1e-9);
    }
    assert_near(rc_watch_delay(4000000000U, 0.5), 60, 1e-9);
}

/* ---- links ---- */

static void links_are_named(void **state)
{
    static const char *const hosts[] = {"a1", "a2", "a3"};
    static const char *const bad[] = {"", "a1", "a1>a4", "a1>a1", "a1>a2,a1>a2", "a1>a2,,a2>a3",
                                      ">"};
    struct rc_watch_link *links;
    struct rc_error error;
    size_t n;

    (void)state;
    assert_int_equal(rc_watch_links_parse("ring", hosts, 3, &links, &n, &error), 0);
    assert_int_equal(n, 3);
    assert_int_equal(links[2].from, 2);
    assert_int_equal(links[2].to, 0);
    free(links);
    assert_int_equal(rc_watch_links_parse("all", hosts, 3, &links, &n, &error), 0);
    assert_int_equal(n, 6);
    free(links);
    assert_int_equal(rc_watch_links_parse("a1>a2, a3:a1", hosts, 3, &links, &n, &error), 0);
    assert_int_equal(n, 2);
    assert_int_equal(links[1].from, 2);
    assert_int_equal(links[1].to, 0);
    free(links);
    for (size_t i = 0; i < COUNT(bad); i++)
        if (rc_watch_links_parse(bad[i], hosts, 3, &links, &n, &error) == 0)
            fail_msg("'%s' was taken", bad[i]);
    assert_int_equal(rc_watch_links_parse("ring", hosts, 1, &links, &n, &error), -1);
}

static void bytes_of_an_hour_are_bounded(void **state)
{
    static const double interval[] = {1, 7, 59.9, 60, 60.1, 1800, 3600, 5000, 86400};

    (void)state;
    for (size_t i = 0; i < COUNT(interval); i++) {
        /* Beginnings in the worst hour, and one probe that goes on when it begins; or beginnings in
         * the worst hour and the 32 s before it. */
        double most = fmin(floor(3600 / interval[i]) + 2, ceil(3632 / interval[i]));

        assert_true(most * rc_watch_probe_bytes(interval[i], 1e6) <= 1e6);
    }
    /* Longer probes are fewer, and each has what it wants. */
    assert_same(rc_watch_probe_interval(60, 6.1e6, 1e5), 60);
    for (int n = 1; n < 60; n++) {
        double seldom = rc_watch_probe_interval(60, 1e6, floor(1e6 / n));

        assert_true(seldom >= 60 && rc_watch_probe_bytes(seldom, 1e6) >= floor(1e6 / n));
        assert_true(ceil(3632 / seldom * (1 - 1e-9)) * floor(1e6 / n) <= 1e6);
    }
    assert_true(isinf(rc_watch_probe_interval(60, 1e6, 1.1e6)));
}

/* Hosts that are up, for the schedule. */
static bool is_up(void *data, size_t host)
{
    return ((const bool *)data)[host];
}

enum { HOSTS = 5, LINKS = HOSTS * (HOSTS - 1) };

/* A play of an hour with all links of five hosts: probes last from 0.1 to 3 s, some fail, and one
 * host is gone for a while. */
struct play {
    struct rc_watch_schedule schedule;
    bool up[HOSTS];
    double ends[LINKS], begun[LINKS], left_alone[HOSTS];
    bool good[LINKS];
    size_t probes[LINKS];
};

static void begin_probe(struct play *play, size_t link, double now, int number)
{
    const struct rc_watch_link_info *info = &play->schedule.slots[link].info;

    assert_true(play->up[info->from] && play->up[info->to]);
    for (size_t other = 0; other < LINKS; other++) { /* no two on one host */
        const struct rc_watch_link_info *its = &play->schedule.slots[other].info;

        if (play->ends[other] > 0)
            assert_true(its->from != info->from && its->from != info->to && its->to != info->from &&
                        its->to != info->to);
    }
    assert_true(play->left_alone[info->from] <= now && play->left_alone[info->to] <= now);
    assert_true(play->probes[link] == 0 || now - play->begun[link] >= 60);
    rc_watch_schedule_begin(&play->schedule, link, number, now);
    play->begun[link] = now;
    play->probes[link]++;
    play->good[link] = number % 7 != 0;
    play->ends[link] = now + 0.1 + 0.29 * (number % 11);
}

static void no_two_probes_meet(void **state)
{
    struct rc_watch_link *links;
    struct play play = {.up = {true, true, true, true, true}};
    static const char *const hosts[HOSTS] = {"a", "b", "c", "d", "e"};
    size_t n, link;
    int number = 0;

    (void)state;
    assert_int_equal(rc_watch_links_parse("all", hosts, HOSTS, &links, &n, NULL), 0);
    assert_int_equal(n, LINKS);
    assert_int_equal(rc_watch_schedule_init(&play.schedule, links, n, HOSTS, 60, 0, NULL), 0);
    for (double now = 0; now < 3600; now += 0.05) {
        play.up[2] = !(now > 1000 && now < 2000);
        for (link = 0; link < LINKS; link++) {
            if (!(play.ends[link] > 0 && now >= play.ends[link]))
                continue;
            play.ends[link] = 0;
            if (!play.good[link])
                play.left_alone[play.schedule.slots[link].info.to] = now + RC_WATCH_LISTEN_SECONDS;
            rc_watch_schedule_end(&play.schedule, link, play.good[link], now);
        }
        while ((link = rc_watch_schedule_next(&play.schedule, now, is_up, play.up)) != SIZE_MAX)
            begin_probe(&play, link, now, ++number);
    }
    for (link = 0; link < LINKS; link++) {
        const struct rc_watch_link_info *info = &play.schedule.slots[link].info;

        assert_true(play.probes[link] >= (info->from == 2 || info->to == 2 ? 15 : 25));
    }
    rc_watch_schedule_free(&play.schedule);
    free(links);
}

static void late_probes_are_given_up(void **state)
{
    const struct rc_watch_link links[] = {{0, 1}, {1, 0}};
    struct rc_watch_schedule schedule;
    bool up[] = {true, true};

    (void)state;
    assert_int_equal(rc_watch_schedule_init(&schedule, links, 2, 2, 10, 0, NULL), 0);
    assert_int_equal(rc_watch_schedule_next(&schedule, 0, is_up, up), 0);
    rc_watch_schedule_begin(&schedule, 0, 1, 0);
    assert_int_equal(rc_watch_schedule_next(&schedule, 19, is_up, up), SIZE_MAX);
    assert_int_equal(rc_watch_schedule_late(&schedule, 19.9), SIZE_MAX);
    assert_near(rc_watch_schedule_wake(&schedule, 19.9), RC_WATCH_PROBE_SECONDS, 1e-9);
    assert_int_equal(rc_watch_schedule_late(&schedule, 20), 0);
    rc_watch_schedule_end(&schedule, 0, false, 20);
    assert_int_equal(schedule.slots[0].info.failures, 1);
    assert_int_equal(rc_watch_schedule_next(&schedule, 20, is_up, up), SIZE_MAX);
    assert_near(rc_watch_schedule_wake(&schedule, 20), 30, 1e-9);
    /* The other link waits since 5 s, this one since 10. */
    assert_int_equal(rc_watch_schedule_next(&schedule, 30, is_up, up), 1);
    rc_watch_schedule_free(&schedule);
}

/* ---- options ---- */

static void bad_options_are_refused(void **state)
{
    const char *const twice[] = {"a", "b", "a"}, *const option[] = {"-x"},
                      *const good[] = {"a", "b"};
    const char *const sensor[] = {"runcast", NULL};
    const struct rc_watch_link self = {1, 1}, link = {0, 1};
    struct rc_watch_options options;
    struct rc_error error;

    (void)state;
    rc_watch_options_init(&options);
    assert_null(rc_watch_create(&options, &error));
    options.hosts = twice, options.n_hosts = 3, options.launcher = "true";
    assert_null(rc_watch_create(&options, &error)); /* no sensor */
    options.sensor = sensor;
    assert_null(rc_watch_create(&options, &error));
    assert_non_null(strstr(error.text, "twice"));
    options.hosts = option, options.n_hosts = 1;
    assert_null(rc_watch_create(&options, &error));
    options.hosts = good, options.n_hosts = 2, options.launcher = "no-such-launcher-anywhere -x";
    assert_null(rc_watch_create(&options, &error));
    assert_non_null(strstr(error.text, "no program"));
    options.launcher = "true", options.links = &self, options.n_links = 1;
    assert_null(rc_watch_create(&options, &error));
    options.links = &link, options.link_interval = 1;
    assert_null(rc_watch_create(&options, &error)); /* less than one burst each */
    options.burst = 1024;
    rc_watch_destroy(rc_watch_create(&options, &error));
}

/* ---- the whole, with a shell for a sensor ---- */

struct seen {
    size_t samples, changes;
    double last;
};

static void see_sample(void *data, const struct rc_watch_sample *sample)
{
    struct seen *seen = data;

    assert_string_equal(sample->name, "here");
    assert_string_equal(sample->peer, "");
    if (strcmp(sample->metric, "cpu") == 0) {
        assert_true(sample->t > seen->last);
        seen->last = sample->t;
    }
    seen->samples++;
}

static void see_change(void *data, size_t host, const struct rc_watch_host *now)
{
    struct seen *seen = data;

    assert_int_equal(host, 0);
    assert_true(now->state == (seen->changes % 2 ? RC_WATCH_LOST : RC_WATCH_UP));
    seen->changes++;
}

/* A program that is called as a sensor is, and says what it is given here. */
static char *make_sensor(const char *script)
{
    static char path[] = "/tmp/runcast-watch-XXXXXX";
    int fd;

    strcpy(path, "/tmp/runcast-watch-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(dprintf(fd, "#!/bin/sh\n%s\n", script) > 0);
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    return path;
}

#define SAMPLE "echo '{\"sample\": {\"time\": 5, \"cpu\": 0.5, \"load1\": 1}}'\n"

/* Steps until `n` samples came, or ten seconds have passed. */
static void step_until(struct rc_watch *watch, const struct seen *seen, size_t n)
{
    struct rc_clock *clock = rc_clock_system();
    double until = clock->monotonic(clock) + 10;

    while (seen->samples < n && clock->monotonic(clock) < until)
        assert_int_equal(rc_watch_step(watch, 0.1, NULL), 0);
    assert_true(seen->samples >= n);
}

static void a_sensor_is_lost_and_comes_back(void **state)
{
    const char *const hosts[] = {"here"};
    struct seen seen = {.last = 0};
    struct rc_watch_options options;
    struct rc_watch *watch;
    char *sensor = make_sensor("echo 'Welcome'; echo '{\"hello\": 1}'\n" SAMPLE SAMPLE
                               "echo 'no more' >&2; exit 4");
    const char *const command[] = {sensor, NULL};

    (void)state;
    rc_watch_options_init(&options);
    options.hosts = hosts, options.n_hosts = 1;
    options.sensor = command; /* no launcher */
    options.sample = see_sample, options.change = see_change, options.data = &seen;
    watch = rc_watch_create(&options, NULL);
    assert_non_null(watch);
    step_until(watch, &seen, 8);
    assert_int_equal(rc_watch_host(watch, 0)->messages, 4);
    assert_true(rc_watch_host(watch, 0)->losses >= 1);
    assert_string_equal(rc_watch_host(watch, 0)->reason, "the sensor ended with status 4: no more");
    assert_int_equal(rc_watch_heard(watch), 1);
    rc_watch_finish(watch, 1);
    assert_int_equal(rc_watch_step(watch, 0, NULL), 0);
    rc_watch_destroy(watch);
    unlink(sensor);
}

/* A launcher whose path has a blank in it, as that of runcast itself may. */
static void a_launcher_may_have_blanks(void **state)
{
    const char *const hosts[] = {"here"};
    struct seen seen = {.last = 0};
    struct rc_watch_options options;
    struct rc_watch *watch;
    char path[128];
    const char *const words[] = {path, "a b", NULL}, *const command[] = {"runcast", NULL};
    char *sensor = make_sensor("[ \"$1,$2,$3\" = 'a b,here,runcast' ] || exit 5\n"
                               "echo '{\"hello\": 1}'\n" SAMPLE "while read line; do :; done");

    (void)state;
    snprintf(path, sizeof path, "%s with a blank", sensor);
    assert_int_equal(rename(sensor, path), 0);
    rc_watch_options_init(&options);
    options.hosts = hosts, options.n_hosts = 1, options.launcher_words = words;
    options.sensor = command;
    options.sample = see_sample, options.data = &seen;
    watch = rc_watch_create(&options, NULL);
    assert_non_null(watch);
    step_until(watch, &seen, 2);
    rc_watch_destroy(watch);
    unlink(path);
}

static void the_end_of_its_input_ends_a_sensor(void **state)
{
    const char *const hosts[] = {"here"};
    struct seen seen = {.last = 0};
    struct rc_watch_options options;
    struct rc_watch *watch;
    struct pollfd fds[2];
    pid_t pid;
    /* One more sample once its input has ended: it is still taken. */
    char *sensor = make_sensor("echo '{\"hello\": 1, \"cores\": 3}'\n" SAMPLE
                               "while read line; do :; done\n" SAMPLE);
    const char *const command[] = {sensor, NULL};

    (void)state;
    rc_watch_options_init(&options);
    options.hosts = hosts, options.n_hosts = 1, options.sensor = command;
    options.sample = see_sample, options.data = &seen;
    watch = rc_watch_create(&options, NULL);
    step_until(watch, &seen, 2);
    pid = watch->members[0].child.pid;
    assert_true(pid > 0 && kill(pid, 0) == 0);
    assert_int_equal(rc_watch_fds(watch, fds, 2), 2);
    assert_true(fds[0].fd >= 0 && fds[0].events == POLLIN);
    assert_true(rc_watch_patience(watch) <= RC_WATCH_SILENCE);
    assert_int_equal(rc_watch_host(watch, 0)->cores, 3);
    rc_watch_finish(watch, 5);
    assert_int_equal(seen.samples, 4);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(rc_watch_count(watch, RC_WATCH_UP), 1);
    rc_watch_destroy(watch);
    unlink(sensor);
}

/* ---- the store ---- */

static const struct rc_watch_sample cpu = {
    .host = 1, .link = SIZE_MAX, .name = "b", .peer = "", .metric = "cpu", .t = 10, .value = 0.5};

static struct rc_db *make_store(char *path)
{
    struct rc_db *store;
    int fd;

    strcpy(path, "/tmp/runcast-watch-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    store = rc_db_open(path, RC_DB_CREATE, NULL, NULL);
    assert_non_null(store);
    return store;
}

static void drop_store(struct rc_db *store, const char *path)
{
    uint64_t faults = 1;

    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, NULL), 0);
    assert_int_equal(faults, 0);
    rc_db_close(store);
    unlink(path);
}

static void samples_are_stored(void **state)
{
    char path[64];
    struct rc_db *store = make_store(path);
    struct rc_watch_db *writer = rc_watch_db_create(store, 2, 1, NULL);
    struct rc_watch_sample sample = cpu;
    struct rc_db_info info;

    (void)state;
    assert_true(isinf(rc_watch_db_due(writer)));
    for (int i = 0; i < 100; i++) {
        sample.t = 10 + i;
        assert_int_equal(rc_watch_db_add(writer, &sample, NULL), 0);
    }
    assert_int_equal(rc_watch_db_add(writer, &cpu, NULL), 0); /* again */
    sample = (struct rc_watch_sample){
        .host = 0, .link = 0, .name = "a", .peer = "b", .metric = "latency", .t = 5, .value = 1e-4};
    assert_int_equal(rc_watch_db_add(writer, &sample, NULL), 0);
    sample.metric = "weather";
    assert_int_equal(rc_watch_db_add(writer, &sample, NULL), -1);
    assert_int_equal(rc_watch_db_write(writer, rc_watch_db_due(writer) - 0.01, NULL), 0);
    assert_int_equal(rc_watch_db_info(writer).waiting, 102);
    assert_int_equal(rc_watch_db_write(writer, rc_watch_db_due(writer), NULL), 0);
    assert_int_equal(rc_watch_db_info(writer).waiting, 0);
    assert_int_equal(rc_watch_db_info(writer).stored, 101);
    assert_int_equal(rc_watch_db_info(writer).known, 1);
    assert_int_equal(rc_db_info(store, &info, NULL), 0);
    assert_int_equal(info.samples, 101);
    assert_int_equal(info.series, 2);
    rc_watch_db_destroy(writer);
    drop_store(store, path);
}

static void a_locked_database_is_waited_for(void **state)
{
    char path[64];
    struct rc_db *store = make_store(path);
    struct rc_db *other = rc_db_open(path, RC_DB_WRITE, NULL, NULL);
    struct rc_watch_db *writer = rc_watch_db_create(store, 2, 0, NULL);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_db_begin(other, NULL), 0);
    assert_int_equal(rc_watch_db_add(writer, &cpu, NULL), 0);
    assert_int_equal(rc_watch_db_write(writer, INFINITY, &error), -1);
    assert_string_equal(error.text, "another process has locked the database");
    assert_int_equal(rc_watch_db_info(writer).waiting, 1);
    assert_true(isfinite(rc_watch_db_due(writer)));
    assert_int_equal(rc_db_end(other, 0, NULL), 0);
    assert_int_equal(rc_watch_db_write(writer, INFINITY, &error), 0);
    assert_int_equal(rc_watch_db_info(writer).stored, 1);
    rc_watch_db_destroy(writer);
    rc_db_close(other);
    drop_store(store, path);
}

static void lost_samples_are_counted(void **state)
{
    char path[64];
    struct rc_db *store = make_store(path);
    struct rc_watch_db *writer = rc_watch_db_create(store, 2, 0, NULL);
    struct rc_watch_sample sample = cpu;

    (void)state;
    for (int i = 0; i <= RC_WATCH_DB_MAX; i++) {
        sample.t = i;
        assert_int_equal(rc_watch_db_add(writer, &sample, NULL), 0);
    }
    assert_int_equal(rc_watch_db_info(writer).dropped, RC_WATCH_DB_MAX / 8);
    assert_int_equal(rc_watch_db_info(writer).dropped + rc_watch_db_info(writer).waiting,
                     RC_WATCH_DB_MAX + 1);
    rc_watch_db_destroy(writer);
    drop_store(store, path);
}

/* Another process may delete a series while we know its id, and a third one be given that id. */
static void ids_are_not_trusted_after_others(void **state)
{
    char path[64];
    struct rc_db *store = make_store(path);
    struct rc_db *other = rc_db_open(path, RC_DB_WRITE, NULL, NULL);
    struct rc_series_batch *batch = rc_db_series_batch_create(store, NULL);
    const struct rc_series_key mine = {"a", "", "cpu"}, theirs = {"z", "", "cpu"};
    struct rc_series_batch_sample one = {0, 1, 0.25};
    const struct rc_sample foreign = {1, 0.75};
    struct rc_sample *samples;
    uint64_t added;
    size_t n;

    (void)state;
    assert_int_equal(rc_db_series_batch_series(batch, &mine, &one.series, NULL), 0);
    assert_int_equal(rc_db_series_batch_write(batch, &one, 1, 1, &added, NULL), 0);
    assert_int_equal(added, 1);
    assert_int_equal(rc_db_series_delete(other, &mine, NAN, NAN, &added, NULL), 0);
    assert_int_equal(rc_db_series_add(other, &theirs, &foreign, 1, 0, &added, NULL), 0);
    one.t = 2;
    assert_int_equal(rc_db_series_batch_write(batch, &one, 1, 1, &added, NULL), 0);
    assert_int_equal(rc_db_series_load(store, &mine, 0, 9, &samples, &n, NULL), 0);
    assert_int_equal(n, 1);
    assert_same(samples[0].t, 2);
    free(samples);
    assert_int_equal(rc_db_series_load(store, &theirs, 0, 9, &samples, &n, NULL), 0);
    assert_int_equal(n, 1);
    free(samples);
    one.value = NAN;
    assert_int_equal(rc_db_series_batch_write(batch, &one, 1, 1, &added, NULL), -1);
    one = (struct rc_series_batch_sample){one.series, 3, 1};
    assert_int_equal(rc_db_series_batch_write(batch, &one, 1, 1, &added, NULL), 0);
    rc_db_series_batch_destroy(batch);
    rc_db_close(other);
    drop_store(store, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(lines_come_in_pieces),
        cmocka_unit_test(base_follows_the_wall_clock),
        cmocka_unit_test(offset_is_found),
        cmocka_unit_test(drift_is_followed),
        cmocka_unit_test(a_clock_that_is_set_is_noticed),
        cmocka_unit_test(times_are_put_on_the_base),
        cmocka_unit_test(waiting_doubles),
        cmocka_unit_test(links_are_named),
        cmocka_unit_test(bytes_of_an_hour_are_bounded),
        cmocka_unit_test(no_two_probes_meet),
        cmocka_unit_test(late_probes_are_given_up),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(a_sensor_is_lost_and_comes_back),
        cmocka_unit_test(a_launcher_may_have_blanks),
        cmocka_unit_test(the_end_of_its_input_ends_a_sensor),
        cmocka_unit_test(samples_are_stored),
        cmocka_unit_test(a_locked_database_is_waited_for),
        cmocka_unit_test(lost_samples_are_counted),
        cmocka_unit_test(ids_are_not_trusted_after_others),
    };

    return RUN_TESTS(tests);
}
