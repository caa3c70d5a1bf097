// SPDX-License-Identifier: BSD-2-Clause
/* table.c - two chained hash tables over one row of entries. */
#include "pmpi/table.h"

#include <stdlib.h>
#include <string.h>

#include "trace/symbol.h"

enum { EXACT, LOOSE, FIRST_SIZE = 64 };
enum { LOOK_AT = 64 }; /* things with the same handle, for the lowest number */

static uint32_t chain_of(const struct rc_pmpi_table *table, int which, uint64_t handle,
                         const void *place)
{
    uint64_t x = which == EXACT ? handle ^ ((uint64_t)(uintptr_t)place << 20) : handle;

    return (uint32_t)(rc_trace_mix(x) >> (64 - table->bits));
}

static void link_entry(struct rc_pmpi_table *table, int which, int32_t number)
{
    struct rc_pmpi_entry *entry = &table->entries[number];
    int32_t *head = &table->heads[which][chain_of(table, which, entry->handle, entry->place)];

    entry->before[which] = -1;
    entry->next[which] = *head;
    if (*head >= 0)
        table->entries[*head].before[which] = number;
    *head = number;
}

static void unlink_entry(struct rc_pmpi_table *table, int which, int32_t number)
{
    struct rc_pmpi_entry *entry = &table->entries[number];

    if (entry->before[which] >= 0)
        table->entries[entry->before[which]].next[which] = entry->next[which];
    else
        table->heads[which][chain_of(table, which, entry->handle, entry->place)] =
            entry->next[which];
    if (entry->next[which] >= 0)
        table->entries[entry->next[which]].before[which] = entry->before[which];
}

static int resize(struct rc_pmpi_table *table, uint32_t size, unsigned bits)
{
    struct rc_pmpi_entry *entries = realloc(table->entries, size * sizeof *entries);
    int32_t *heads;

    if (!entries)
        return -1;
    table->entries = entries;
    memset(entries + table->size, 0, (size - table->size) * sizeof *entries);
    heads = malloc(sizeof *heads * 2 << bits);
    if (!heads)
        return -1;
    memset(heads, 0xff, sizeof *heads * 2 << bits);
    free(table->heads[EXACT]);
    table->heads[EXACT] = heads;
    table->heads[LOOSE] = heads + ((size_t)1 << bits);
    table->bits = bits;
    for (uint32_t i = 0; i < table->size; i++)
        if (entries[i].used) {
            link_entry(table, EXACT, (int32_t)i);
            link_entry(table, LOOSE, (int32_t)i);
        }
    table->size = size;
    return 0;
}

int rc_pmpi_table_init(struct rc_pmpi_table *table, uint32_t maximum)
{
    memset(table, 0, sizeof *table);
    table->maximum = maximum;
    return resize(table, FIRST_SIZE, 7);
}

void rc_pmpi_table_free(struct rc_pmpi_table *table)
{
    free(table->entries);
    free(table->heads[EXACT]);
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
    entry = &table->entries[number];
    memset(entry, 0, sizeof *entry);
    entry->handle = handle;
    entry->place = place;
    entry->used = true;
    link_entry(table, EXACT, (int32_t)number);
    link_entry(table, LOOSE, (int32_t)number);
    return (int32_t)number;
}

int32_t rc_pmpi_table_find(const struct rc_pmpi_table *table, uint64_t handle, const void *place)
{
    const struct rc_pmpi_entry *entries = table->entries;
    int32_t number, lowest = -1;
    int looked = 0;

    if (table->size == 0)
        return -1;
    for (number = table->heads[EXACT][chain_of(table, EXACT, handle, place)]; number >= 0;
         number = entries[number].next[EXACT])
        if (entries[number].handle == handle && entries[number].place == place)
            return number;
    for (number = table->heads[LOOSE][chain_of(table, LOOSE, handle, place)];
         number >= 0 && looked < LOOK_AT; number = entries[number].next[LOOSE], looked++)
        if (entries[number].handle == handle && (lowest < 0 || number < lowest))
            lowest = number;
    return lowest;
}

void rc_pmpi_table_rename(struct rc_pmpi_table *table, int32_t number, uint64_t handle)
{
    unlink_entry(table, EXACT, number);
    unlink_entry(table, LOOSE, number);
    table->entries[number].handle = handle;
    link_entry(table, EXACT, number);
    link_entry(table, LOOSE, number);
}

void rc_pmpi_table_remove(struct rc_pmpi_table *table, int32_t number)
{
    unlink_entry(table, EXACT, number);
    unlink_entry(table, LOOSE, number);
    table->entries[number].used = false;
    if ((uint32_t)number < table->lowest)
        table->lowest = (uint32_t)number;
}
