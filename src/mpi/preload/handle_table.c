// SPDX-License-Identifier: BSD-2-Clause
/* handle_table.c - a row of entries, with chains for those that have the same hash. */
#include "mpi/preload/handle_table.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64, FIRST_BITS = 7 };

static uint32_t chain_of(const struct rc_preload_table *table, uint64_t handle, const void *place)
{
    uint64_t x = (handle ^ (uint64_t)(uintptr_t)place << 20) * 0x9e3779b97f4a7c15u;

    return (uint32_t)((x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> (64 - table->bits));
}

/* ---- chains by handle alone: the oldest first ---- */

static void link_by_handle(struct rc_preload_table *table, int32_t number)
{
    struct rc_preload_entry *entries = table->entries, *entry = &entries[number];
    int32_t *head = &table->by_handle[chain_of(table, entry->handle, NULL)];

    entry->by_handle = (struct rc_preload_links){.next = -1, .before = number};
    if (*head < 0) {
        *head = number;
        return;
    }
    entry->by_handle.before = entries[*head].by_handle.before;
    entries[entry->by_handle.before].by_handle.next = number;
    entries[*head].by_handle.before = number;
}

static void unlink_by_handle(struct rc_preload_table *table, int32_t number)
{
    struct rc_preload_entry *entries = table->entries;
    const struct rc_preload_links *links = &entries[number].by_handle;
    int32_t *head = &table->by_handle[chain_of(table, entries[number].handle, NULL)];

    if (*head == number)
        *head = links->next;
    else
        entries[links->before].by_handle.next = links->next;
    if (links->next >= 0)
        entries[links->next].by_handle.before = links->before;
    else if (*head >= 0)
        entries[*head].by_handle.before = links->before;
}

static int32_t *make_heads(unsigned bits)
{
    int32_t *heads = malloc(sizeof *heads << bits);

    if (heads)
        memset(heads, 0xff, sizeof *heads << bits);
    return heads;
}

static bool is_linked(const struct rc_preload_entry *entry)
{
    return entry->used && !entry->leaving;
}

static void make_by_handle(struct rc_preload_table *table)
{
    table->by_handle = make_heads(table->bits);
    for (uint32_t i = 0; table->by_handle && i < table->size; i++)
        if (is_linked(&table->entries[i]))
            link_by_handle(table, (int32_t)i);
}

static int32_t find_by_handle(struct rc_preload_table *table, uint64_t handle)
{
    const struct rc_preload_entry *entries = table->entries;

    if (!table->by_handle)
        make_by_handle(table);
    if (!table->by_handle)
        return -1;
    for (int32_t number = table->by_handle[chain_of(table, handle, NULL)]; number >= 0;
         number = entries[number].by_handle.next)
        if (entries[number].handle == handle)
            return number;
    return -1;
}

/* ---- chains by handle and place: the newest first ---- */

static void link_entry(struct rc_preload_table *table, int32_t number)
{
    struct rc_preload_entry *entry = &table->entries[number];
    int32_t *head = &table->heads[chain_of(table, entry->handle, entry->place)];

    entry->chain.before = -1;
    entry->chain.next = *head;
    if (*head >= 0)
        table->entries[*head].chain.before = number;
    *head = number;
    if (table->by_handle)
        link_by_handle(table, number);
}

static void unlink_entry(struct rc_preload_table *table, int32_t number)
{
    const struct rc_preload_entry *entry = &table->entries[number];

    if (entry->chain.before >= 0)
        table->entries[entry->chain.before].chain.next = entry->chain.next;
    else
        table->heads[chain_of(table, entry->handle, entry->place)] = entry->chain.next;
    if (entry->chain.next >= 0)
        table->entries[entry->chain.next].chain.before = entry->chain.before;
    if (table->by_handle)
        unlink_by_handle(table, number);
}

/* ---- the table ---- */

static int resize(struct rc_preload_table *table, uint32_t size, unsigned bits)
{
    struct rc_preload_entry *entries = realloc(table->entries, size * sizeof *entries);
    int32_t *heads;

    if (!entries)
        return -1;
    table->entries = entries;
    memset(entries + table->size, 0, (size - table->size) * sizeof *entries);
    heads = make_heads(bits);
    if (!heads)
        return -1;
    free(table->heads);
    free(table->by_handle); /* it is made anew where it is needed */
    table->heads = heads;
    table->by_handle = NULL;
    table->bits = bits;
    for (uint32_t i = 0; i < table->size; i++)
        if (is_linked(&entries[i]))
            link_entry(table, (int32_t)i);
    table->size = size;
    return 0;
}

int rc_preload_table_init(struct rc_preload_table *table, uint32_t maximum)
{
    memset(table, 0, sizeof *table);
    table->maximum = maximum;
    return resize(table, FIRST_SIZE, FIRST_BITS);
}

void rc_preload_table_free(struct rc_preload_table *table)
{
    free(table->entries);
    free(table->heads);
    free(table->by_handle);
    memset(table, 0, sizeof *table);
}

int32_t rc_preload_table_add(struct rc_preload_table *table, uint64_t handle, const void *place)
{
    struct rc_preload_entry *entry;
    uint32_t number = table->lowest;

    while (number < table->size && table->entries[number].used)
        number++;
    table->lowest = number;
    if (number == table->size &&
        (number >= table->maximum || resize(table, table->size * 2, table->bits + 1) != 0))
        return -1;
    table->lowest = number + 1;
    entry = &table->entries[number];
    *entry = (struct rc_preload_entry){.handle = handle, .place = place, .used = true};
    link_entry(table, (int32_t)number);
    return (int32_t)number;
}

int32_t rc_preload_table_find(struct rc_preload_table *table, uint64_t handle, const void *place)
{
    const struct rc_preload_entry *entries = table->entries;

    if (table->size == 0)
        return -1;
    for (int32_t number = table->heads[chain_of(table, handle, place)]; number >= 0;
         number = entries[number].chain.next)
        if (entries[number].handle == handle && entries[number].place == place)
            return number;
    return place ? find_by_handle(table, handle) : -1;
}

void rc_preload_table_rename(struct rc_preload_table *table, int32_t number, uint64_t handle)
{
    unlink_entry(table, number);
    table->entries[number].handle = handle;
    link_entry(table, number);
}

void rc_preload_table_leave(struct rc_preload_table *table, int32_t number)
{
    unlink_entry(table, number);
    table->entries[number].leaving = true;
}

void rc_preload_table_stay(struct rc_preload_table *table, int32_t number)
{
    table->entries[number].leaving = false;
    link_entry(table, number);
}

void rc_preload_table_remove(struct rc_preload_table *table, int32_t number)
{
    if (!table->entries[number].leaving)
        unlink_entry(table, number);
    table->entries[number].used = false;
    if ((uint32_t)number < table->lowest)
        table->lowest = (uint32_t)number;
}
