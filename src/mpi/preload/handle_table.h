// SPDX-License-Identifier: BSD-2-Clause
/* handle_table.h - numbers for handles: the lowest one that is free, so that a loop which makes and
 * frees things uses the same numbers again.
 *
 * Two things may have the same handle at once: an MPI may give one and the same request for all
 * messages that were gone at once.  What distinguishes them is where the program keeps them.  A
 * program may copy a handle elsewhere: most never do, and what finds those is only made when one
 * has. */
#ifndef RC_MPI_PRELOAD_HANDLE_TABLE_H
#define RC_MPI_PRELOAD_HANDLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* A place in a chain; -1: none. */
struct rc_preload_links {
    int32_t next, before;
};

struct rc_preload_entry {
    uint64_t handle;
    const void *place; /* where the program keeps the handle; NULL: that does not matter */
    bool used, leaving;
    unsigned flags; /* these four are the owner's */
    int32_t values[4];
    const void *data;
    struct rc_preload_links chain; /* of those with the same hash of handle and place */
    struct rc_preload_links
        by_handle; /* of the handle alone; the first one's `before` is the last */
};

struct rc_preload_table {
    struct rc_preload_entry *entries; /* by number */
    uint32_t size, maximum;
    uint32_t lowest;    /* no number below is free */
    int32_t *heads;     /* of chains by handle and place */
    int32_t *by_handle; /* of those by handle alone; NULL until one of them is looked for */
    unsigned bits;
};

/* No more than `maximum` things at once; -1 where there is no memory. */
int rc_preload_table_init(struct rc_preload_table *table, uint32_t maximum);
void rc_preload_table_free(struct rc_preload_table *table);

/* The number of a new handle; -1 where the table is full. */
int32_t rc_preload_table_add(struct rc_preload_table *table, uint64_t handle, const void *place);

/* The number of a thing: of one at this place if there is one, else, unless `place` is NULL, of one
 * with that handle, the oldest as far as that is known; -1 where there is none. */
int32_t rc_preload_table_find(struct rc_preload_table *table, uint64_t handle, const void *place);

/* Gives a thing another handle. */
void rc_preload_table_rename(struct rc_preload_table *table, int32_t number, uint64_t handle);

/* A thing is about to go: its handle stands for it no more, since MPI may give it to another thread
 * for something new before the call that ends the thing returns.  Its number stays its own until it
 * is removed.  rc_preload_table_stay() undoes that. */
void rc_preload_table_leave(struct rc_preload_table *table, int32_t number);
void rc_preload_table_stay(struct rc_preload_table *table, int32_t number);

/* A thing is gone, and its number is free. */
void rc_preload_table_remove(struct rc_preload_table *table, int32_t number);

#endif
