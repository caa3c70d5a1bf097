/* fuzz_sense.c - any text as what the kernel's files, or the one who watches, may say. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "host/sense/link_transfer.h"
#include "host/sense/watcher_request.h"
#include "host/sense/proc_files.h"

static void check_machine(const char *text)
{
    static struct rc_proc_core cores[RC_PROC_CORES_MAX];
    struct rc_proc_core all;
    struct rc_proc_load load;
    double a, b;

    rc_sense_proc_stat_read(text, 0.01, &all, cores);
    if (rc_sense_proc_load_read(text, &load) == 0)
        must(load.running >= 0 && load.last_pid >= 0);
    if (rc_sense_proc_memory_read(text, &a) == 0)
        must(a >= 0);
    rc_sense_proc_network_read(text, &a, &b);
}

static void check_processes(const char *text)
{
    struct rc_proc_task task;
    double a, b;

    if (rc_sense_proc_task_read(text, 0.01, &task) == 0)
        must(task.nice >= -20 && task.nice <= 19 && task.used >= 0 && task.core >= 0);
    if (rc_sense_proc_schedule_read(text, &a, &b) == 0)
        must(a >= 0 && b >= 0);
    rc_sense_proc_group_usage_read(text, &a);
    if (rc_sense_proc_group_max_read(text, &a) == 0)
        must(a > 0);
}

static void check_order(const char *text)
{
    struct rc_sense_request order;
    struct rc_error error;

    if (rc_sense_request_read(text, &order, &error))
        return;
    must(order.peer.host[0] != '-');
    if (order.kind == RC_SENSE_PROBE)
        must(order.peer.host[0] && order.peer.port >= 1 && order.peer.port <= 65535 &&
             rc_socket_is_key(order.peer.key) && order.burst >= 1 && isfinite(order.most));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    uint64_t length;

    if (!text)
        return 0;
    check_machine(text);
    check_processes(text);
    check_order(text);
    if (size >= 8 && rc_sense_link_header_read(data, &length) == 0)
        must(length >= RC_LINK_MESSAGE_LEAST && length <= RC_LINK_MESSAGE_MOST);
    free(text);
    return 0;
}
