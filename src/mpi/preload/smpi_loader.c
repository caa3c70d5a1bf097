// SPDX-License-Identifier: BSD-2-Clause
/* smpi_loader.c - brings the recorder into programs that SimGrid's SMPI runs.
 *
 * There all ranks are in one process, `smpimain`.  So that each has its own global variables, SMPI
 * makes a copy of the program's file for each rank, and loads it with dlopen().  This object, which
 * is loaded into smpimain, does the same for the recorder: whenever a program was loaded, a copy of
 * the recorder's file is, and the program's calls of MPI_... are led to it.  Symbols of the same
 * name do not do that, since SMPI has each program prefer the libraries that it was linked with.
 *
 * What leads a program's calls elsewhere are the places that its relocations name.  Where they were
 * made read-only after the program was loaded, they are made writable for that moment. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RECORDER "libruncast-pmpi-smpi-rank.so"
#if __ELF_NATIVE_CLASS == 64
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif
#define EXPORT __attribute__((visibility("default")))

/* What is needed of a loaded program's dynamic section. */
struct program {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2]; /* of data and of functions */
    size_t counts[2];
};

static void trouble(const char *text)
{
    static bool said;

    if (!said)
        fprintf(stderr, "runcast: tracing stopped: %s\n", text);
    said = true;
}

static void read_program(const struct link_map *map, struct program *program)
{
    *program = (struct program){.base = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        switch (entry->d_tag) {
        case DT_SYMTAB:
            program->symbols = (const void *)entry->d_un.d_ptr;
            break;
        case DT_STRTAB:
            program->names = (const void *)entry->d_un.d_ptr;
            break;
        case DT_RELA:
            program->tables[0] = (const void *)entry->d_un.d_ptr;
            break;
        case DT_RELASZ:
            program->counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_JMPREL:
            program->tables[1] = (const void *)entry->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            program->counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
}

static bool write_address(void **place, void *address)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)place & ~(size - 1);

    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    *place = address;
    return true;
}

/* Leads the calls of one table to the recorder, where that has such a function. */
static bool lead_calls(const struct program *program, const ElfW(Rela) * table, size_t n,
                       void *recorder)
{
    for (size_t i = 0; i < n; i++) {
        const ElfW(Sym) *symbol = &program->symbols[SYMBOL_OF(table[i].r_info)];
        const char *name = program->names + symbol->st_name;
        void *address;

        if (symbol->st_shndx != SHN_UNDEF || strncmp(name, "MPI_", 4) != 0)
            continue;
        address = dlsym(recorder, name);
        if (address && !write_address((void **)(program->base + table[i].r_offset), address))
            return false;
    }
    return true;
}

/* ---- copies of the recorder ---- */

static bool find_recorder(char path[PATH_MAX])
{
    Dl_info info;
    const char *slash;

    if (!dladdr((void *)find_recorder, &info) || !info.dli_fname ||
        !(slash = strrchr(info.dli_fname, '/')))
        return false;
    return snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname,
                    RECORDER) < PATH_MAX;
}

static bool copy_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    struct stat status;
    bool done = out >= 0 && fstat(in, &status) == 0;
    ssize_t n = 1;

    for (off_t left = done ? status.st_size : 0; left > 0 && n > 0; left -= n)
        n = sendfile(out, in, NULL, (size_t)left);
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0)
        done = false;
    return done && n > 0;
}

/* Beside the program's own copy: where that could be loaded from, this can, too. */
static void *load_recorder(const char *program, void *(*load)(const char *, int))
{
    char path[PATH_MAX], copy[PATH_MAX];
    void *recorder = NULL;

    if (!find_recorder(path) || snprintf(copy, sizeof copy, "%s.runcast", program) >= PATH_MAX)
        return NULL;
    if (copy_file(path, copy))
        recorder = load(copy, RTLD_NOW | RTLD_LOCAL);
    unlink(copy);
    return recorder;
}

/* All ranks begin at the same moment of the simulated time, and so of real time. */
static uint64_t beginning(void)
{
    static uint64_t began;
    struct timespec now;

    if (began == 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        began = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    return began;
}

static void record(const char *path, void *loaded, void *(*load)(const char *, int))
{
    void *recorder;
    struct link_map *map;
    struct program program;
    uint64_t *began;

    if (dlinfo(loaded, RTLD_DI_LINKMAP, &map) != 0)
        return;
    recorder = load_recorder(path, load);
    if (!recorder) {
        trouble("cannot load the tracing library");
        return;
    }
    began = dlsym(recorder, "rc_preload_loaded_wall");
    if (began)
        *began = beginning();
    read_program(map, &program);
    for (int i = 0; i < 2; i++)
        if (!lead_calls(&program, program.tables[i], program.tables[i] ? program.counts[i] : 0,
                        recorder))
            trouble("cannot modify the program");
}

/* A program has main(), and smpimain has SMPI's functions. */
static bool is_program(void *loaded)
{
    return dlsym(RTLD_DEFAULT, "smpi_execute_flops") && dlsym(loaded, "main");
}

EXPORT void *dlopen(const char *path, int mode)
{
    void *(*load)(const char *, int) = NULL;
    const char *directory = getenv("RUNCAST_TRACE_DIR");
    void *loaded;

    *(void **)&load = dlsym(RTLD_NEXT, "dlopen");
    loaded = load ? load(path, mode) : NULL;
    if (loaded && path && strchr(path, '/') && directory && directory[0] && is_program(loaded))
        record(path, loaded, load);
    return loaded;
}
