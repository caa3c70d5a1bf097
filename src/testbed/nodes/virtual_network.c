// SPDX-License-Identifier: GPL-3.0-or-later
/* virtual_network.c - the network of a testbed. */
#include "testbed/nodes/virtual_network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "testbed/nodes/testbed_state.h"

/* A token bucket lets through at once what it has saved up.  So much, in seconds of the rate, but
 * never less than two full frames; it must be more than what passes between two wake-ups. */
#define BURST_SECONDS 0.002
#define BURST_LEAST 3200.0
/* How long a packet may wait for its turn before it is dropped, which is how TCP learns the rate.
 */
#define QUEUE "50ms"

enum { BATCH_MAX = 1 << 18, SECONDS = 30 };

static int find_tool(const char *program, char *path, size_t size, struct rc_error *error)
{
    if (rc_process_find_tool(program, path, size) == 0)
        return 0;
    rc_error_set(error, "cannot find the program '%s'", program);
    return rc_error_hint(error, "apt-get install iproute2");
}

int rc_nodes_network_possible(struct rc_error *error)
{
    char path[512];

    return find_tool("ip", path, sizeof path, error) || find_tool("tc", path, sizeof path, error)
               ? -1
               : 0;
}

/* Runs `program -batch FILE` on these lines, which stay in the testbed's directory. */
static int carry_out(const struct rc_testbed *testbed, const char *program, const char *file,
                     const struct rc_buffer *lines, struct rc_error *error)
{
    char path[RC_NODES_PATH], tool[512];
    const char *argv[] = {tool, "-batch", path, NULL};
    const struct rc_process_options options = {.seconds = SECONDS};
    struct rc_buffer output = RC_BUFFER_INIT(4096);
    struct rc_process_result result;
    int status;

    if (lines->length == 0)
        return 0;
    rc_nodes_path(testbed->name, file, path);
    status = find_tool(program, tool, sizeof tool, error);
    if (status == 0)
        status = rc_nodes_write_file(testbed->name, file, lines->data, lines->length, error);
    if (status == 0)
        status = rc_process_run(argv, &options, &output, &result, error);
    if (status == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0)) {
        const char *text = output.data ? output.data : "";

        status = rc_error_set_code(error, "nodes.network", "cannot set up the network: %s: %.*s",
                                   program, (int)strcspn(text, "\n"), text);
    }
    rc_buffer_free(&output);
    return status;
}

void rc_nodes_network_shaping(const char *device, double link, double burst, char *text,
                              size_t size)
{
    /* The plain queue passes everything on.  It also comes between two rates: a packet that waits
     * for tokens and is larger than the new burst would wait for ever, and all others behind it. */
    int plain = snprintf(text, size, "qdisc replace dev %s root pfifo limit 1000\n", device);

    if (!isinf(link))
        snprintf(text + plain, size - (size_t)plain,
                 "qdisc replace dev %s root tbf rate %.0fbit burst %.0f latency " QUEUE "\n",
                 device, link * 8, isnan(burst) ? fmax(BURST_LEAST, link * BURST_SECONDS) : burst);
}

static int shape(const struct rc_testbed *testbed, const size_t *nodes, size_t n_nodes,
                 bool at_switch, struct rc_error *error)
{
    struct rc_buffer lines = RC_BUFFER_INIT(BATCH_MAX);
    char text[240], file[32];
    int status = 0;

    for (size_t i = 0; i < n_nodes && status == 0; i++) {
        const struct rc_nodes_node *node = &testbed->nodes[nodes[i]];

        rc_nodes_network_shaping(at_switch ? node->name : "eth0", node->link, testbed->burst, text,
                                 sizeof text);
        status = rc_buffer_add_text(&lines, text);
    }
    snprintf(file, sizeof file, "network.tc-%s",
             at_switch ? "switch" : testbed->nodes[nodes[0]].name);
    status = status ? rc_error_no_memory(error) : carry_out(testbed, "tc", file, &lines, error);
    rc_buffer_free(&lines);
    return status;
}

int rc_nodes_network_switch_rates(const struct rc_testbed *testbed, const size_t *nodes,
                                  size_t n_nodes, struct rc_error *error)
{
    return shape(testbed, nodes, n_nodes, true, error);
}

int rc_nodes_network_node_rate(const struct rc_testbed *testbed, size_t node,
                               struct rc_error *error)
{
    return shape(testbed, &node, 1, false, error);
}

int rc_nodes_network_switch(const struct rc_testbed *testbed, struct rc_error *error)
{
    struct rc_buffer lines = RC_BUFFER_INIT(BATCH_MAX);
    size_t limited[RC_NODES_NODES_MAX], n_limited = 0;
    int status;

    status = rc_buffer_add_text(&lines, "link add switch type bridge forward_delay 0\n"
                                        "link set switch up\n");
    for (size_t i = 0; i < testbed->n_nodes && status == 0; i++) {
        const struct rc_nodes_node *node = &testbed->nodes[i];

        status = rc_buffer_printf(&lines,
                                  "link add %s type veth peer name eth0 netns %ld\n"
                                  "link set %s master switch\n"
                                  "link set %s up\n",
                                  node->name, (long)node->holder.pid, node->name, node->name);
        if (!isinf(node->link))
            limited[n_limited++] = i;
    }
    status = status ? rc_error_no_memory(error)
                    : carry_out(testbed, "ip", "network.switch", &lines, error);
    if (status == 0 && n_limited > 0)
        status = rc_nodes_network_switch_rates(testbed, limited, n_limited, error);
    rc_buffer_free(&lines);
    return status;
}

/* How TCP finds the rate of a link: by the kernel's default, or by the simplest method, and not by
 * this machine's configuration.  BBR, for one, tries out rates for seconds, so that a short program
 * meets another link than a long one.  In a namespace only methods may be chosen that the machine
 * allows to all; where there is none, it stays as it is. */
static void choose_congestion_control(void)
{
    static const char *const preferred[] = {"cubic", "reno"};

    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++)
        if (rc_file_write("/proc/sys/net/ipv4/tcp_congestion_control", preferred[i]) == 0)
            return;
}

int rc_nodes_network_node(const struct rc_testbed *testbed, size_t node, struct rc_error *error)
{
    const struct rc_nodes_node *it = &testbed->nodes[node];
    struct rc_buffer lines = RC_BUFFER_INIT(BATCH_MAX);
    char file[32];
    int status;

    snprintf(file, sizeof file, "network.%s", it->name);
    status = rc_buffer_printf(&lines,
                              "link set lo up\n"
                              "address add %s/24 dev eth0\n"
                              "link set eth0 up\n",
                              it->address);
    status = status ? rc_error_no_memory(error) : carry_out(testbed, "ip", file, &lines, error);
    if (status == 0 && !isinf(it->link))
        status = rc_nodes_network_node_rate(testbed, node, error);
    choose_congestion_control();
    rc_buffer_free(&lines);
    return status;
}
