// SPDX-License-Identifier: BSD-2-Clause
/* table.h - numbers for handles: the lowest one that is free, so that a loop which makes and frees
 * things uses the same numbers again.
 *
 * Two things may have the same handle at once: an MPI may give one and the same request for all
 * messages that were gone at once.  What tells them apart is where the program keeps them. */
#ifndef RC_PMPI_TABLE_H
#define RC_PMPI_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct rc_pmpi_entry {
    uint64_t handle;
    const void *place; /* where the program keeps the handle; NULL: that does not matter */
    bool used, leaving;
    unsigned flags;     /* these four are the owner's */
    int32_t values[4];
    const void *data;
    int32_t next, before; /* in the chain of those with the same hash; -1: none */
};

struct rc_pmpi_table {
    struct rc_pmpi_entry *entries; /* by number */
    uint32_t size, maximum;
    uint32_t lowest; /* no number below is free */
    uint32_t top;    /* none from here on is used */
    int32_t *heads;  /* of chains by handle and place */
    unsigned bits;
};

/* No more than `maximum` things at once; -1 where there is no memory. */
int rc_pmpi_table_init(struct rc_pmpi_table *table, uint32_t maximum);
void rc_pmpi_table_free(struct rc_pmpi_table *table);

/* The number that a thing gets; -1 where there is no room. */
int32_t rc_pmpi_table_add(struct rc_pmpi_table *table, uint64_t handle, const void *place);

/* The number of a thing: of one at this place if there is one, else the lowest of those with that
 * handle; -1 where it is not known.  A handle that the program has copied elsewhere is looked for
 * among the first few thousand numbers only. */
int32_t rc_pmpi_table_find(const struct rc_pmpi_table *table, uint64_t handle, const void *place);

/* Gives a thing another handle. */
void rc_pmpi_table_rename(struct rc_pmpi_table *table, int32_t number, uint64_t handle);

/* A thing is about to go: its handle stands for it no more, since MPI may give it to another thread
 * for something new before the call that ends the thing returns.  Its number stays its own until it
 * is removed.  rc_pmpi_table_stay() undoes that. */
void rc_pmpi_table_leave(struct rc_pmpi_table *table, int32_t number);
void rc_pmpi_table_stay(struct rc_pmpi_table *table, int32_t number);

void rc_pmpi_table_remove(struct rc_pmpi_table *table, int32_t number);

#endif
