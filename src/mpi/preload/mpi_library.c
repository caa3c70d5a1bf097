// SPDX-License-Identifier: BSD-2-Clause
/* mpi_library.c - finds the MPI library of the program.
 *
 * A program that is linked with it has it before this object.  One that loads it later, as
 * Python does with its modules, may have it where other objects do not see it; the functions
 * that wrappers call are looked up when they are first called, so that it is enough to make it
 * visible before that. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "mpi/preload/mpi_weak.h"

static int is_library(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;

    (void)size;
    if (strncmp(name, "libmpi.so", 9) != 0 && strncmp(name, "libmpich.so", 11) != 0)
        return 0;
    *(const char **)data = info->dlpi_name;
    return 1;
}

void rc_preload_library_find(void)
{
    const char *path = NULL;

    if (dlsym(RTLD_DEFAULT, "PMPI_Init"))
        return;
    dl_iterate_phdr(is_library, &path);
    /* It stays loaded: the program uses it. */
    if (path)
        (void)dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

#ifdef OMPI_MAJOR_VERSION
struct rc_preload_constants rc_preload_constants;

bool rc_preload_library_constants(void)
{
    static const struct {
        const char *name;
        void **place;
    } all[] = {{"ompi_mpi_comm_world", &rc_preload_constants.comm_world},
               {"ompi_mpi_comm_self", &rc_preload_constants.comm_self},
               {"ompi_mpi_comm_null", &rc_preload_constants.comm_null},
               {"ompi_mpi_datatype_null", &rc_preload_constants.datatype_null},
               {"ompi_request_null", &rc_preload_constants.request_null},
               {"ompi_message_no_proc", &rc_preload_constants.message_no_proc}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i].place = dlsym(RTLD_DEFAULT, all[i].name)))
            return false;
    return true;
}
#else
/* What are numbers here are addresses in Open MPI, whose programs cannot be recorded with this
 * object: they lose the upper halves of their handles in it.  At least that is reported. */
bool rc_preload_library_constants(void)
{
    return !dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
}
#endif
