// SPDX-License-Identifier: BSD-2-Clause
/* table.c - a row of entries, with chains for those that have the same hash. */
#include "pmpi/table.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64, FIRST_BITS = 7, LOOK_AT = 4096 };

static uint32_t chain_of(const struct rc_pmpi_table *table, uint64_t handle, const void *place)
{
    uint64_t x = (handle ^ (uint64_t)(uintptr_t)place << 20) * 0x9e3779b97f4a7c15u;

    return (uint32_t)((x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> (64 - table->bits));
}

static void link_entry(struct rc_pmpi_table *table, int32_t number)
{
    struct rc_pmpi_entry *entry = &table->entries[number];
    int32_t *head = &table->heads[chain_of(table, entry->handle, entry->place)];

    entry->before = -1;
    entry->next = *head;
    if (*head >= 0)
        table->entries[*head].before = number;
    *head = number;
}

static void unlink_entry(struct rc_pmpi_table *table, int32_t number)
{
    struct rc_pmpi_entry *entry = &table->entries[number];

    if (entry->before >= 0)
        table->entries[entry->before].next = entry->next;
    else
        table->heads[chain_of(table, entry->handle, entry->place)] = entry->next;
    if (entry->next >= 0)
        table->entries[entry->next].before = entry->before;
}

static int resize(struct rc_pmpi_table *table, uint32_t size, unsigned bits)
{
    struct rc_pmpi_entry *entries = realloc(table->entries, size * sizeof *entries);
    int32_t *heads;

    if (!entries)
        return -1;
    table->entries = entries;
    memset(entries + table->size, 0, (size - table->size) * sizeof *entries);
    heads = malloc(sizeof *heads << bits);
    if (!heads)
        return -1;
    memset(heads, 0xff, sizeof *heads << bits);
    free(table->heads);
    table->heads = heads;
    table->bits = bits;
    for (uint32_t i = 0; i < table->size; i++)
        if (entries[i].used && !entries[i].leaving)
            link_entry(table, (int32_t)i);
    table->size = size;
    return 0;
}

int rc_pmpi_table_init(struct rc_pmpi_table *table, uint32_t maximum)
{
    memset(table, 0, sizeof *table);
    table->maximum = maximum;
    return resize(table, FIRST_SIZE, FIRST_BITS);
}

void rc_pmpi_table_free(struct rc_pmpi_table *table)
{
    free(table->entries);
    free(table->heads);
    memset(table, 0, sizeof *table);
}

int32_t rc_pmpi_table_add(struct rc_pmpi_table *table, uint64_t handle, const void *place)
{
    struct rc_pmpi_entry *entry;
    uint32_t number = table->lowest;

    while (number < table->size && table->entries[number].used)
        number++;
    table->lowest = number;
    if (number == table->size &&
        (number >= table->maximum || resize(table, table->size * 2, table->bits + 1) != 0))
        return -1;
    table->lowest = number + 1;
    if (number >= table->top)
        table->top = number + 1;
    entry = &table->entries[number];
    *entry = (struct rc_pmpi_entry){.handle = handle, .place = place, .used = true};
    link_entry(table, (int32_t)number);
    return (int32_t)number;
}

int32_t rc_pmpi_table_find(const struct rc_pmpi_table *table, uint64_t handle, const void *place)
{
    const struct rc_pmpi_entry *entries = table->entries;

    if (table->size == 0)
        return -1;
    for (int32_t number = table->heads[chain_of(table, handle, place)]; number >= 0;
         number = entries[number].next)
        if (entries[number].handle == handle && entries[number].place == place)
            return number;
    if (!place)
        return -1;
    for (uint32_t i = 0; i < table->top && i < LOOK_AT; i++)
        if (entries[i].used && !entries[i].leaving && entries[i].handle == handle)
            return (int32_t)i;
    return -1;
}

void rc_pmpi_table_rename(struct rc_pmpi_table *table, int32_t number, uint64_t handle)
{
    unlink_entry(table, number);
    table->entries[number].handle = handle;
    link_entry(table, number);
}

void rc_pmpi_table_leave(struct rc_pmpi_table *table, int32_t number)
{
    unlink_entry(table, number);
    table->entries[number].leaving = true;
}

void rc_pmpi_table_stay(struct rc_pmpi_table *table, int32_t number)
{
    table->entries[number].leaving = false;
    link_entry(table, number);
}

void rc_pmpi_table_remove(struct rc_pmpi_table *table, int32_t number)
{
    if (!table->entries[number].leaving)
        unlink_entry(table, number);
    table->entries[number].used = false;
    if ((uint32_t)number < table->lowest)
        table->lowest = (uint32_t)number;
    while (table->top > 0 && !table->entries[table->top - 1].used)
        table->top--;
}
