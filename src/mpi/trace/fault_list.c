// SPDX-License-Identifier: BSD-2-Clause
/* fault_list.c - a list of what is wrong. */
#include "mpi/trace/fault_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rc_trace_faults_add(struct rc_faults *faults, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    faults->n++;
    if (faults->kept == RC_FAULTS_KEPT)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    faults->texts[faults->kept] = strdup(text);
    faults->kept += faults->texts[faults->kept] != NULL;
}

void rc_trace_faults_free(struct rc_faults *faults)
{
    for (size_t i = 0; i < faults->kept; i++)
        free(faults->texts[i]);
    memset(faults, 0, sizeof *faults);
}
