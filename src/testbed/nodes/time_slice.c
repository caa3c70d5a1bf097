// SPDX-License-Identifier: GPL-3.0-or-later
/* time_slice.c - slices of the kernel's fair scheduler, by sched_setattr(2). */
#include "testbed/nodes/time_slice.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel has it, first version: not all C libraries declare it, and the kernel's own header
 * does not go together with <sched.h> everywhere. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* ns; `runtime` is the slice of fair policies */
};

void rc_nodes_set_time_slice(double seconds)
{
    struct attributes now = {0};

    if (syscall(SYS_sched_getattr, 0, &now, (unsigned)sizeof now, 0U))
        return;
    if (now.policy != SCHED_OTHER && now.policy != SCHED_BATCH)
        return;
    now.size = sizeof now;
    now.runtime = (uint64_t)(seconds * 1e9);
    now.deadline = now.period = 0;
    syscall(SYS_sched_setattr, 0, &now, 0U);
}
