/* fuzz_csv.c - any bytes as a table of runs: read twice, as an import does. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/csv.h"
#include "db/run.h"
#include "db/run_csv.h"

struct bytes {
    const uint8_t *data;
    size_t size, at, step;
};

static ptrdiff_t read_bytes(void *data, char *buffer, size_t size)
{
    struct bytes *bytes = data;
    size_t n = bytes->size - bytes->at;

    n = n < bytes->step ? n : bytes->step;
    n = n < size ? n : size;
    memcpy(buffer, bytes->data + bytes->at, n);
    bytes->at += n;
    return (ptrdiff_t)n;
}

/* Whatever is taken for a good row is one that the store takes. */
static void check_row(struct rc_run_table *table, const struct rc_csv_row *row)
{
    struct rc_error error = {.text = ""};
    struct rc_run run;

    if (rc_db_run_table_row(table, row, &run, &error) == 0)
        must(rc_db_run_check(&run, &error) == 0);
    else
        must(error.text[0] && error.line > 0 && error.column > 0);
}

static void read_table(const uint8_t *data, size_t size, size_t step, struct rc_run_table **table)
{
    struct bytes bytes = {data, size, 0, step};
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){read_bytes, &bytes}, "fuzz");
    const struct rc_db_column_rename rename = {"x", "p"};
    const char *const k = "k";
    const struct rc_run_table_options options = {.app = size % 3 ? NULL : "app",
                                                 .renames = &rename,
                                                 .n_renames = size % 5 == 0,
                                                 .params = &k,
                                                 .n_params = size % 7 == 0,
                                                 .meta = &k,
                                                 .n_meta = size % 7 == 1};
    struct rc_csv_row row;
    struct rc_error error;
    int got = csv ? rc_csv_next(csv, &row, &error) : 0;

    if (got > 0 && !*table)
        *table = rc_db_run_table_create(&row, "fuzz", &options, &error);
    while (got > 0 && *table) {
        got = rc_csv_next(csv, &row, &error);
        if (got > 0)
            check_row(*table, &row);
        else if (got < 0)
            got = 1; /* reading goes on behind a malformed row */
    }
    rc_csv_destroy(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rc_run_table *table = NULL;

    read_table(data, size, 7, &table);
    if (table) {
        rc_db_run_table_settle(table, NULL);
        read_table(data, size, 1 << 16, &table);
    }
    rc_db_run_table_destroy(table);
    return 0;
}
