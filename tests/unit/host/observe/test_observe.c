/* test_observe.c - connections as the kernel tells them, shares from looks, processes observed. */
#include "unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>

#include "host/sense/proc_files.h"
#include "host/sense/tcp_connections.h"
#include "host/sense/thread_sampling.h"
#include "host/observe/observe.h"
#include "host/observe/thread_profile.h"

#define OPTIONS_INIT                                                                               \
    {                                                                                              \
        .seconds = RC_OBSERVE_SECONDS, .interval = RC_OBSERVE_INTERVAL, .byte_seconds = NAN        \
    }

/* ---- answers of the kernel ---- */

enum { INFO_BYTES = 232, ACKED = 120, RECEIVED = 128, SEGMENTS_OUT = 136, SEGMENTS_IN = 140 };

struct datagram {
    unsigned char bytes[2048];
    size_t size;
};

static void put(struct datagram *datagram, const void *data, size_t size)
{
    memcpy(datagram->bytes + datagram->size, data, size);
    datagram->size += size;
}

static size_t put_header(struct datagram *datagram, int type, uint32_t sequence)
{
    struct nlmsghdr header = {.nlmsg_type = (uint16_t)type, .nlmsg_seq = sequence};
    size_t at = datagram->size;

    put(datagram, &header, sizeof header);
    return at;
}

static void end_message(struct datagram *datagram, size_t at)
{
    uint32_t length = (uint32_t)(datagram->size - at);

    memcpy(datagram->bytes + at, &length, sizeof length);
}

static void put_connection(struct datagram *datagram, uint32_t sequence, uint32_t inode,
                           uint64_t sent, uint64_t received, size_t info_bytes)
{
    struct inet_diag_msg about = {.idiag_family = AF_INET, .idiag_inode = inode};
    struct rtattr small = {.rta_len = sizeof small + 4, .rta_type = INET_DIAG_SHUTDOWN};
    struct rtattr attribute = {.rta_len = (uint16_t)(sizeof attribute + info_bytes),
                               .rta_type = INET_DIAG_INFO};
    unsigned char info[INFO_BYTES] = {0};
    uint32_t out = 5, in = 6;
    size_t at = put_header(datagram, SOCK_DIAG_BY_FAMILY, sequence);

    about.id.idiag_sport = (uint16_t)inode;
    memcpy(info + ACKED, &sent, sizeof sent);
    memcpy(info + RECEIVED, &received, sizeof received);
    memcpy(info + SEGMENTS_OUT, &out, sizeof out);
    memcpy(info + SEGMENTS_IN, &in, sizeof in);
    put(datagram, &about, sizeof about);
    put(datagram, &small, sizeof small);
    put(datagram, "\0\0\0", 4);
    put(datagram, &attribute, sizeof attribute);
    put(datagram, info, info_bytes);
    end_message(datagram, at);
}

static void test_reads_answers(void **state)
{
    struct nlmsgerr fault = {.error = -ENOENT};
    struct datagram datagram = {.size = 0};
    struct rc_socket_answer answer;
    size_t at = 0, message;

    (void)state;
    put_connection(&datagram, 7, 4711, 1000, 1ull << 40, INFO_BYTES);
    end_message(&datagram, put_header(&datagram, NLMSG_NOOP, 7));
    put_connection(&datagram, 8, 4712, 1, 2, 100); /* a kernel that does not count bytes */
    put_connection(&datagram, 9, 4713, 3, 4, 144); /* one that says less than this one knows */
    message = put_header(&datagram, NLMSG_ERROR, 10);
    put(&datagram, &fault, sizeof fault);
    end_message(&datagram, message);
    end_message(&datagram, put_header(&datagram, NLMSG_DONE, 11));

    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.kind, RC_SOCKET_COUNTS);
    assert_int_equal(answer.sequence, 7);
    assert_int_equal(answer.inode, 4711);
    assert_int_equal(answer.method, AF_INET);
    assert_true(answer.sent == 1000 && answer.received == 1ull << 40);
    assert_int_equal(answer.segments, 11);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.kind, RC_SOCKET_BARE); /* who asked for it waits for an answer */
    assert_int_equal(answer.sequence, 8);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.inode, 4713);
    assert_true(answer.sent == 3 && answer.received == 4);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.kind, RC_SOCKET_REFUSED);
    assert_int_equal(answer.fault, ENOENT);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.kind, RC_SOCKET_END);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 0);
    assert_int_equal(at, datagram.size);
}

/* No length is believed: every cut of a message, and every length that is too large. */
static void test_trusts_no_length(void **state)
{
    struct datagram datagram = {.size = 0};
    struct rc_socket_answer answer;
    const size_t attribute = sizeof(struct nlmsghdr) + sizeof(struct inet_diag_msg);
    uint32_t lengths[] = {0, 1, 15, 400, UINT32_MAX};
    uint16_t attributes[] = {0, 3, 1000, UINT16_MAX};

    (void)state;
    put_connection(&datagram, 7, 4711, 1000, 2000, INFO_BYTES);
    for (size_t size = 1; size < datagram.size; size++) {
        unsigned char *copy = malloc(size); /* so that a sanitizer sees reading past it */
        size_t at = 0;

        assert_non_null(copy);
        memcpy(copy, datagram.bytes, size);
        assert_int_equal(rc_sense_socket_answer_read(copy, size, &at, &answer), -1);
        free(copy);
    }
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct datagram wrong = datagram;
        size_t at = 0;

        memcpy(wrong.bytes, &lengths[i], sizeof lengths[i]);
        assert_int_equal(rc_sense_socket_answer_read(wrong.bytes, wrong.size, &at, &answer), -1);
    }
    for (size_t i = 0; i < COUNT(attributes); i++) {
        struct datagram wrong = datagram;
        size_t at = 0;

        memcpy(wrong.bytes + attribute, &attributes[i], sizeof attributes[i]);
        assert_int_equal(rc_sense_socket_answer_read(wrong.bytes, wrong.size, &at, &answer), -1);
    }
}

static void test_reads_links(void **state)
{
    (void)state;
    assert_int_equal(rc_sense_socket_link_inode("socket:[4711]"), 4711);
    assert_int_equal(rc_sense_socket_link_inode("socket:[4294967295]"), 4294967295);
    assert_int_equal(rc_sense_socket_link_inode("socket:[4294967296]"), 0);
    assert_int_equal(rc_sense_socket_link_inode("socket:[]"), 0);
    assert_int_equal(rc_sense_socket_link_inode("socket:[-1]"), 0);
    assert_int_equal(rc_sense_socket_link_inode("socket:[12"), 0);
    assert_int_equal(rc_sense_socket_link_inode("pipe:[4711]"), 0);
    assert_int_equal(rc_sense_socket_link_inode(""), 0);
}

static enum rc_proc_call call_of(long number, const char *arguments)
{
    enum rc_proc_call call = RC_PROC_RUNS;
    char text[200];

    snprintf(text, sizeof text, "%ld %s 0x0 0x0 0x0 0x0 0x7ffd 0x7f11", number, arguments);
    assert_int_equal(rc_sense_proc_call_read(text, &call), 0);
    return call;
}

static void test_reads_calls(void **state)
{
    enum rc_proc_call call;

    (void)state;
    assert_int_equal(rc_sense_proc_call_read("running\n", &call), 0);
    assert_int_equal(call, RC_PROC_RUNS);
    assert_int_equal(call_of(SYS_recvfrom, "0x5 0x7ffd"), RC_PROC_WAITS);
    assert_int_equal(call_of(SYS_clock_nanosleep, "0x1 0x1"), RC_PROC_SLEEPS);
    assert_int_equal(call_of(SYS_futex, "0x7ffd 0x1"), RC_PROC_SLEEPS);
    assert_int_equal(call_of(SYS_ppoll, "0x7ffd 0x1"), RC_PROC_WAITS);
    assert_int_equal(call_of(SYS_ppoll, "0x0 0x0"), RC_PROC_SLEEPS);
    assert_int_equal(call_of(SYS_pselect6, "0x0 0x0"), RC_PROC_SLEEPS);
    assert_int_equal(call_of(-1, "0x7ffd 0x7f11"), RC_PROC_SLEEPS);
    assert_int_equal(rc_sense_proc_call_read("", &call), -1);
    assert_int_equal(rc_sense_proc_call_read("7", &call), -1);
    assert_int_equal(rc_sense_proc_call_read("walking\n", &call), -1);
}

/* A connection that was closed, as the kernel has it while it lingers. */
static void test_reads_closed(void **state)
{
    struct inet_diag_msg about = {.idiag_family = AF_INET, .idiag_state = 6 /* TIME_WAIT */};
    struct datagram datagram = {.size = 0};
    struct rc_socket_answer answer;
    size_t at = 0, message = put_header(&datagram, SOCK_DIAG_BY_FAMILY, 12);

    (void)state;
    put(&datagram, &about, sizeof about);
    end_message(&datagram, message);
    assert_int_equal(rc_sense_socket_answer_read(datagram.bytes, datagram.size, &at, &answer), 1);
    assert_int_equal(answer.kind, RC_SOCKET_BARE);
    assert_int_equal(answer.sequence, 12);
    assert_int_equal(answer.inode, 0);
}

/* ---- connections ---- */

/* Two ends of a connection within this machine. */
static void connect_ends(int ends[2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(ends[0], (struct sockaddr *)&address, size), 0);
    ends[1] = accept(listener, NULL, NULL);
    assert_true(ends[1] >= 0);
    close(listener);
}

static void pass_bytes(const int ends[2], size_t size)
{
    static char data[5000];

    assert_true(size <= sizeof data);
    assert_int_equal(send(ends[0], data, size, 0), (ssize_t)size);
    assert_int_equal(recv(ends[1], data, size, MSG_WAITALL), (ssize_t)size);
}

static double moved_by(const struct rc_sockets *sockets, int owner)
{
    double moved = 0;

    for (size_t i = 0; i < sockets->n; i++)
        moved += sockets->items[i].owner == owner ? sockets->items[i].moved : 0;
    return moved;
}

static void test_counts_bytes(void **state)
{
    const pid_t own = getpid();
    struct rc_error error = {0};
    struct rc_sockets sockets;
    int ends[2];

    (void)state;
    connect_ends(ends);
    pass_bytes(ends, 100); /* before anybody looks: it does not count */
    if (rc_sense_sockets_begin(&sockets, &error)) {
        print_message("# no counts here: %s\n", error.text);
        skip();
    }
    pass_bytes(ends, 5000);
    assert_int_equal(rc_sense_sockets_look(&sockets, &error), 0);
    assert_true(rc_sense_sockets_unowned(&sockets));
    rc_sense_sockets_find_owners(&sockets, &own, 1);
    assert_same(moved_by(&sockets, own), 10000); /* at both ends */
    rc_sense_sockets_forget_moved(&sockets);
    assert_int_equal(rc_sense_sockets_look_again(&sockets, &error), 0);
    assert_same(moved_by(&sockets, own), 0);
    pass_bytes(ends, 3000);
    assert_int_equal(rc_sense_sockets_look_again(&sockets, &error), 0);
    assert_same(moved_by(&sockets, own), 6000);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(rc_sense_sockets_look_again(&sockets, &error), 0);
    assert_int_equal(rc_sense_sockets_look(&sockets, &error), 0);
    rc_sense_sockets_end(&sockets);
}

static size_t looked_at(const struct rc_sockets *sockets, int owner)
{
    size_t n = 0;

    for (size_t i = 0; i < sockets->n; i++)
        n += sockets->items[i].owner == owner && sockets->items[i].still < 100;
    return n;
}

/* A connection that closes is known to be gone by the look that asks for it: the kernel's answers
 * are all there, and none is waited for that does not come. */
static void test_sees_connections_close(void **state)
{
    const pid_t own = getpid();
    struct rc_error error = {0};
    struct rc_sockets sockets;
    int ends[2];

    (void)state;
    connect_ends(ends);
    if (rc_sense_sockets_begin(&sockets, &error)) {
        print_message("# no counts here: %s\n", error.text);
        skip();
    }
    pass_bytes(ends, 5000);
    assert_int_equal(rc_sense_sockets_look(&sockets, &error), 0);
    rc_sense_sockets_find_owners(&sockets, &own, 1);
    assert_int_equal(rc_sense_sockets_look_again(&sockets, &error), 0);
    assert_int_equal(looked_at(&sockets, own), 2);
    shutdown(ends[0], SHUT_WR);
    close(ends[1]);
    close(ends[0]); /* its end lingers */
    assert_int_equal(rc_sense_sockets_look_again(&sockets, &error), 0);
    assert_int_equal(looked_at(&sockets, own), 0);
    rc_sense_sockets_end(&sockets);
}

/* ---- shares ---- */

static const struct rc_thread_costs free_bytes = {0, 0};

static void add(struct rc_thread_profile *profile, double seconds, double run, double wait,
                double bytes, enum rc_thread_state end)
{
    const struct rc_thread_sample look = {
        .seconds = seconds, .run = run, .wait = wait, .bytes = bytes, .state = end};

    rc_observe_profile_add(profile, &look, &free_bytes);
}

static void check_shares(struct rc_thread_profile *profile, double compute, double communicate)
{
    struct rc_observe_profile_shares shares;

    rc_observe_profile_close(profile, &free_bytes);
    shares = rc_observe_profile_shares(profile, NAN, 1);
    assert_near(shares.compute, compute, 1e-9);
    assert_near(shares.communicate, communicate, 1e-9);
}

/* 30 looks of computing, 50 of communicating, 20 of sleep, over and over. */
static void test_long_phases(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    for (int cycle = 0; cycle < 20; cycle++)
        for (int k = 0; k < 100; k++)
            add(&profile, 0.01, k < 30 ? 0.01 : 0, 0, k >= 30 && k < 80 ? 8000 : 0,
                k < 29 || (k == 99 && cycle < 19) ? RC_THREAD_AWAKE
                : k < 79                          ? RC_THREAD_BLOCKED
                                                  : RC_THREAD_ASLEEP);
    check_shares(&profile, 0.3, 0.495); /* half of the look that ends asleep is laid to that */
    /* Beginnings are known to within a look. */
    assert_near(rc_observe_profile_shares(&profile, NAN, 1).cycle, 1, 0.01 / 19);
    assert_near(rc_observe_profile_shares(&profile, NAN, 0.5).cycle, 1.3, 0.01 / 19);
}

/* Phases of 2, 3 and 5 ms in looks of 10 ms: how often it is found in which tells them apart. */
static void test_short_phases(void **state)
{
    static const enum rc_thread_state table[10] = {
        RC_THREAD_AWAKE,  RC_THREAD_AWAKE,  RC_THREAD_BLOCKED, RC_THREAD_BLOCKED, RC_THREAD_BLOCKED,
        RC_THREAD_ASLEEP, RC_THREAD_ASLEEP, RC_THREAD_ASLEEP,  RC_THREAD_ASLEEP,  RC_THREAD_ASLEEP};
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;
    struct rc_observe_profile_shares shares;

    (void)state;
    for (int k = 0; k < 10000; k++)
        add(&profile, 0.01, 0.002, 0, 8000, table[k * 7 % 10]);
    rc_observe_profile_close(&profile, &free_bytes);
    shares = rc_observe_profile_shares(&profile, NAN, 1);
    assert_near(shares.compute, 0.2, 1e-3);
    assert_near(shares.communicate, 0.3, 0.03);
    assert_same(shares.cycle, 0);
}

/* Beside another program it has the core for half of the time that it wants it. */
static void test_waiting_does_not_count(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    for (int cycle = 0; cycle < 10; cycle++) {
        add(&profile, 0.02, 0.01, 0.01, 0, RC_THREAD_BLOCKED);
        add(&profile, 0.01, 0, 0, 500, RC_THREAD_BLOCKED);
        add(&profile, 0.02, 0, 0, 0, RC_THREAD_ASLEEP);
    }
    check_shares(&profile, 0.25, 0.25);
    assert_near(profile.wait, 0.1, 1e-12);
}

/* The kernel counts a wait when it is over, here after three looks. */
static void test_waits_are_counted_late(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    add(&profile, 0.01, 0.01, 0, 0, RC_THREAD_BLOCKED);
    add(&profile, 0.01, 0, 0, 400, RC_THREAD_AWAKE); /* blocked for 5 ms, then waiting */
    add(&profile, 0.01, 0, 0, 0, RC_THREAD_AWAKE);
    add(&profile, 0.01, 0, 0, 0, RC_THREAD_AWAKE);
    add(&profile, 0.01, 0.005, 0.03, 0, RC_THREAD_BLOCKED);
    check_shares(&profile, 0.015 / 0.02, 0.005 / 0.02);
    assert_near(profile.wait, 0.03, 1e-12);
}

/* The link stands still for a while, with a message on it. */
static void test_bytes_under_way(void **state)
{
    const struct rc_thread_sample stalled = {.seconds = 0.3,
                                             .under_way = true,
                                             .state = RC_THREAD_BLOCKED};
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    add(&profile, 0.1, 0.1, 0, 0, RC_THREAD_BLOCKED);
    rc_observe_profile_add(&profile, &stalled, &free_bytes);
    add(&profile, 0.6, 0, 0, 0,
        RC_THREAD_BLOCKED); /* and this waits for one that nobody has sent */
    check_shares(&profile, 0.1, 0.3);
}

static void test_open_wait_at_the_end(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    add(&profile, 0.01, 0.005, 0, 0, RC_THREAD_ASLEEP);
    add(&profile, 0.5, 0, 0, 0, RC_THREAD_AWAKE);
    check_shares(&profile, 0.5, 0);
    assert_near(profile.wait, 0.5, 1e-12);
}

static void test_moving_bytes_costs(void **state)
{
    const struct rc_thread_costs costs = {1e-6, 1e-5};
    const struct rc_thread_sample look = {
        .seconds = 1, .run = 0.5, .bytes = 1e5, .segments = 1e4, .state = RC_THREAD_BLOCKED};
    const struct rc_thread_sample lots = {
        .seconds = 1, .run = 0.5, .bytes = 1e9, .state = RC_THREAD_BLOCKED};
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    rc_observe_profile_add(&profile, &look, &costs);
    assert_near(profile.moving, 0.2, 1e-12);
    assert_near(rc_observe_profile_shares(&profile, NAN, 1).compute, 0.3, 1e-12);
    assert_near(rc_observe_profile_shares(&profile, NAN, 1).communicate, 0.7, 1e-12);
    /* It cannot have taken longer than the process was in the kernel. */
    assert_near(rc_observe_profile_shares(&profile, 0.1, 1).compute, 0.4, 1e-12);
    rc_observe_profile_add(&profile, &lots, &costs); /* nor than it was on a core */
    assert_near(rc_observe_profile_shares(&profile, NAN, 1).compute, 0.15, 1e-12);
}

/* On a node with a fifth of a core, alone, computing takes five times as long: 0.1 s on the core is
 * half a second. */
static void test_slow_nodes(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    add(&profile, 1, 0.1, 0.4, 0, RC_THREAD_ASLEEP);
    rc_observe_profile_close(&profile, &free_bytes);
    assert_near(rc_observe_profile_shares(&profile, NAN, 0.2).compute, 0.5, 1e-12);
    assert_near(rc_observe_profile_shares(&profile, NAN, 1).compute, 1.0 / 6, 1e-12);
}

static void test_nothing_seen(void **state)
{
    struct rc_thread_profile profile = RC_THREAD_PROFILE_INIT;

    (void)state;
    rc_observe_profile_close(&profile, &free_bytes);
    assert_true(isnan(rc_observe_profile_shares(&profile, NAN, 1).compute));
    add(&profile, 0, 0, 0, 5, RC_THREAD_BLOCKED);
    add(&profile, -1, 0, 0, 5, RC_THREAD_BLOCKED);
    assert_true(isnan(rc_observe_profile_shares(&profile, NAN, 1).compute));
}

static void test_threads_of_a_process(void **state)
{
    struct rc_observe_profile_shares busy[] = {
        {0, 0, 0}, {0.9, 0, 2}, {0.8, 0.1, 0}, {1, 0, 1}, {0, 0.9, 0}};
    struct rc_observe_profile_shares one[] = {{0.01, 0.2, 0}, {0.6, 0.3, 0.5}};
    struct rc_observe_profile_shares quiet[] = {{0, 0.02, 0}, {0, 0.4, 0}};
    struct rc_observe_profile_shares process;
    size_t count;

    (void)state;
    process = rc_observe_profile_process(busy, COUNT(busy), &count);
    assert_int_equal(count, 3);
    assert_near(process.compute, 0.9, 1e-12);
    assert_near(process.communicate, 0.1 / 3, 1e-12);
    assert_same(process.cycle, 1);
    process = rc_observe_profile_process(one, COUNT(one), &count);
    assert_int_equal(count, 1);
    assert_near(process.compute, 0.61, 1e-12);
    assert_near(process.communicate, 0.3, 1e-12);
    process = rc_observe_profile_process(quiet, COUNT(quiet), &count);
    assert_int_equal(count, 1);
    assert_same(process.communicate, 0.4);
    rc_observe_profile_process(NULL, 0, &count);
    assert_int_equal(count, 0);
}

/* ---- observing ---- */

static void test_lists(void **state)
{
    (void)state;
    assert_true(rc_observe_listed("a,b", 7, "b"));
    assert_true(rc_observe_listed("a,7", 7, "b"));
    assert_false(rc_observe_listed("ab,77", 7, "b"));
    assert_false(rc_observe_listed(NULL, 7, "b"));
    assert_false(rc_observe_listed("", 7, ""));
    assert_false(rc_observe_listed("long", 7, "lo"));
    /* The kernel keeps 15 bytes of a name. */
    assert_true(rc_observe_listed("a-name-of-a-program", 7, "a-name-of-a-pro"));
    assert_false(rc_observe_listed("a-name-of-a", 7, "a-name-of-a-pro"));
}

static void test_weights(void **state)
{
    (void)state;
    assert_near(rc_observe_weight(1, 1, 0), 1, 1e-12);
    assert_near(rc_observe_weight(4, 1, 1), 2, 1e-12); /* two that always compute share it */
    assert_near(rc_observe_weight(1, 0.25, 0.75), 0.25, 1e-12);
}

static void test_writes_options(void **state)
{
    struct rc_observed observed = {.competitor = RC_COMPETITOR_INIT, .count = 1};
    char text[200], small[5];

    (void)state;
    assert_true(rc_observe_observed_format(&observed, text, sizeof text) > 0);
    assert_string_equal(text, "1.000:0.000");
    observed.competitor.compute = (struct rc_share){0.6667, 0.6667};
    observed.competitor.communicate = (struct rc_share){0.3333, 0.3333};
    observed.competitor.weight = 0.25;
    observed.competitor.cycle = 0.2;
    observed.count = 3;
    strcpy(observed.competitor.name, "a b,c=1");
    rc_observe_observed_format(&observed, text, sizeof text);
    assert_string_equal(text, "0.666:0.333,name=a_b_c_1,weight=0.25,cycle=0.2s,count=3");
    assert_int_equal(rc_observe_observed_format(&observed, small, sizeof small), 0);
}

static pid_t start_spinning(void)
{
    pid_t child = fork();

    if (child == 0) {
        alarm(60);
        for (volatile unsigned long i = 0;; i++)
            ;
    }
    assert_true(child > 0);
    return child;
}

static void test_observes_a_process(void **state)
{
    pid_t child = start_spinning();
    struct rc_observe_options options = OPTIONS_INIT;
    struct rc_observation table = {0};
    struct rc_error error = {0};
    char only[32];

    (void)state;
    snprintf(only, sizeof only, "%d", (int)child);
    options.only = only;
    options.seconds = 0.2;
    for (int i = 0; i < 50 && table.n == 0; i++) { /* where others leave it nothing for long */
        rc_observe_observation_free(&table);
        assert_int_equal(rc_observe(&options, NULL, &table, &error), 0);
    }
    assert_int_equal(table.n, 1);
    assert_int_equal(table.items[0].pid, child);
    assert_int_equal(table.items[0].count, 1);
    assert_true(table.items[0].competitor.compute.low > 0.9);
    assert_true(table.items[0].competitor.communicate.low < 0.01);
    assert_true(table.seconds > 0 && table.excluded > 0);
    assert_string_equal(table.only_missing, "");
    rc_observe_observation_free(&table);
    options.only = NULL;
    options.exclude = only;
    assert_int_equal(rc_observe(&options, NULL, &table, &error), 0);
    for (size_t i = 0; i < table.n; i++)
        assert_true(table.items[i].pid != child && table.items[i].pid != getpid());
    assert_int_equal(table.excluded, 1);
    assert_string_equal(table.exclude_missing, "");
    rc_observe_observation_free(&table);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Names that nobody has are told, as far as there is room; this process is not meant by any. */
static void test_names_nobody_has(void **state)
{
    struct rc_observe_options options = OPTIONS_INIT;
    struct rc_observation table = {0};
    struct rc_error error = {0};
    char long_list[400] = "";

    (void)state;
    options.seconds = 0.02;
    assert_int_equal(rc_observe(&options, NULL, &table, &error), 0);
    assert_int_equal(table.excluded, 0); /* nobody asked for anything */
    assert_string_equal(table.exclude_missing, "");
    rc_observe_observation_free(&table);
    for (int i = 0; i < 20; i++)
        strcat(long_list, "no-such-name,");
    options.exclude = "no-such-1,,no-such-2";
    options.only = long_list;
    assert_int_equal(rc_observe(&options, NULL, &table, &error), 0);
    assert_string_equal(table.exclude_missing, "no-such-1,no-such-2");
    assert_non_null(strstr(table.only_missing, "no-such-name,..."));
    assert_int_equal(strlen(strstr(table.only_missing, "...")), 3);
    assert_int_equal(table.meant, 0);
    rc_observe_observation_free(&table);
}

static int always(void *data)
{
    (void)data;
    return 1;
}

static void test_answers_early(void **state)
{
    const struct rc_monitor monitor = {.cancelled = always};
    struct rc_observe_options options = OPTIONS_INIT;
    struct rc_observation table = {0};
    struct rc_error error = {0};

    (void)state;
    options.seconds = 1e6;
    assert_int_equal(rc_observe(&options, &monitor, &table, &error), 0);
    assert_true(table.interrupted);
    assert_int_equal(table.samples, 1);
    assert_true(rc_observe_observation_short(&table));
    rc_observe_observation_free(&table);
    options.seconds = 0;
    assert_int_equal(rc_observe(&options, NULL, &table, &error), -1);
    options.seconds = 1;
    options.interval = 1e-6;
    assert_int_equal(rc_observe(&options, NULL, &table, &error), -1);
}

static void test_too_short(void **state)
{
    struct rc_observation table = {.samples = RC_OBSERVE_SAMPLES_LEAST, .seconds = 1};

    (void)state;
    assert_false(rc_observe_observation_short(&table));
    table.samples--; /* however long it took */
    assert_true(rc_observe_observation_short(&table));
    table.samples = 10000;
    table.seconds = 0.4;
    assert_true(rc_observe_observation_short(&table));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_answers),
        cmocka_unit_test(test_trusts_no_length),
        cmocka_unit_test(test_reads_links),
        cmocka_unit_test(test_reads_calls),
        cmocka_unit_test(test_reads_closed),
        cmocka_unit_test(test_counts_bytes),
        cmocka_unit_test(test_sees_connections_close),
        cmocka_unit_test(test_long_phases),
        cmocka_unit_test(test_short_phases),
        cmocka_unit_test(test_waiting_does_not_count),
        cmocka_unit_test(test_waits_are_counted_late),
        cmocka_unit_test(test_bytes_under_way),
        cmocka_unit_test(test_open_wait_at_the_end),
        cmocka_unit_test(test_moving_bytes_costs),
        cmocka_unit_test(test_slow_nodes),
        cmocka_unit_test(test_nothing_seen),
        cmocka_unit_test(test_threads_of_a_process),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_writes_options),
        cmocka_unit_test(test_observes_a_process),
        cmocka_unit_test(test_names_nobody_has),
        cmocka_unit_test(test_answers_early),
        cmocka_unit_test(test_too_short),
    };

    return RUN_TESTS(tests);
}
