// SPDX-License-Identifier: BSD-2-Clause
/* field.h - an answer as a table of fields: described once, written as JSON or as a text table.
 *
 * An answer is a plain struct.  A field of it has a key (of the JSON object), a title (of the column
 * in a text table), a kind, and a place in the struct:
 *
 *     struct candidate {
 *         const char *hosts;
 *         int64_t procs;
 *         double time;
 *     };
 *     static const struct rc_field candidate_fields[] = {
 *         {RC_FIELD(struct candidate, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true},
 *         {RC_FIELD(struct candidate, INT64, procs), .key = "procs", .title = "processes"},
 *         {RC_FIELD(struct candidate, SECONDS, time), .key = "mean", .title = "expected"},
 *         RC_FIELDS_END};
 *
 * A field without a key is not in the JSON, one without a title is in no table.  Fields come in the
 * order of the array.  The tables of all answers are in src/answer. */
#ifndef RC_REPORT_FIELD_H
#define RC_REPORT_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "report/table.h"
#include "runcast.h"

enum rc_field_kind {
    RC_AS_END,      /* behind the last field */
    RC_AS_TEXT,     /* const char * or char *; NULL: null, and "-" in a table */
    RC_AS_CHARS,    /* char[], within the struct */
    RC_AS_NUMBER,   /* double; of all that are double, NAN is null, and "-" in a table */
    RC_AS_SECONDS,  /* double; the unit is in tables only, as for the next three */
    RC_AS_BYTES,    /* double */
    RC_AS_RATE,     /* double: bytes/s */
    RC_AS_PERCENT,  /* double: a fraction of 1, in tables as a percentage */
    RC_AS_FIXED,    /* double: in tables times `scale`, with `digits` decimals and `unit` */
    RC_AS_TIME,     /* double: Unix time, as ISO 8601 text in UTC */
    RC_AS_INT,      /* int or an enum */
    RC_AS_INT64,    /* int64_t */
    RC_AS_UINT32,   /* uint32_t or unsigned */
    RC_AS_UINT64,   /* uint64_t */
    RC_AS_SIZE,     /* size_t */
    RC_AS_BOOL,     /* bool: true, false; "yes", "no" in a table */
    RC_AS_OBJECT,   /* a struct within the struct, described by `fields` */
    RC_AS_INLINE,   /* the same, but its fields become fields of this record, if `when` is true */
    RC_AS_POINTER,  /* a pointer to a struct, described by `fields`; NULL: null */
    RC_AS_LIST,     /* a pointer to the first of `count` structs, described by `fields` */
    RC_AS_ARRAY,    /* the same, but the structs are within the struct */
    RC_AS_INT64S,   /* int64_t[], within the struct: a list of numbers */
    RC_AS_TEXTS,    /* a pointer to the first of `count` char[]: a list of texts */
    RC_AS_JSON,     /* json_t *, which stays the caller's; NULL: null */
    RC_AS_COMPUTED, /* not in the struct: `json` makes it, and `text` where it has a title; without
                       `json`, that text is what JSON has */
};

struct rc_field {
    const char *key;
    const char *pattern; /* of keys: `json` makes an object, whose members become fields of this
                            record; `key` stands for them in the documentation */
    const char *title;
    enum rc_field_kind kind;
    size_t offset, size; /* of the member; see RC_FIELD() */
    int digits;          /* of a number in a table; 0: the default of the kind */
    double scale;        /* of FIXED; 0: 1 */
    const char *unit;    /* of FIXED; NULL: "" */
    bool wrap;           /* see struct rc_column */
    bool zero_is_null;   /* of whole numbers 0, of texts "" and of lists null stands for "none" */
    bool optional;       /* of pointers: the key is omitted if it is NULL; the key of
                            others can be missing, if they are written one by one */

    const char *type;                  /* of JSON, COMPUTED and where `json` is given, for the JSON
                                            Schema: a JSON type, "time", or a list: "strings",
                                            "numbers", "objects", "list" (of `fields`); NULL: any,
                                            or an object of `fields` or null */
    const struct rc_field *fields;     /* of OBJECT, INLINE, POINTER, LIST and ARRAY */
    size_t count_offset, element_size; /* of LIST, ARRAY and TEXTS; see RC_FIELD_LIST_OF() */
    bool (*when)(const void *record);  /* if this is false, the key is omitted; NULL: never */
    json_t *(*json)(const void *record); /* in place of the kind's own; NULL: the kind's own */
    /* Writes the cell's text in place of the kind's own; NULL: the kind's own. */
    void (*text)(const void *record, char *text, size_t size);
};

/* Kind and place of a member of a struct. */
#define RC_FIELD(type, kind_, member)                                                              \
    .kind = RC_AS_##kind_, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
/* Place of a LIST, ARRAY or TEXTS: `member` points to, or has, `count_member` (a size_t) elements. */
#define RC_FIELD_SEVERAL(type, kind_, member, count_member)                                        \
    RC_FIELD(type, kind_, member), .count_offset = offsetof(type, count_member),                   \
                                   .element_size = sizeof(*((type *)0)->member)
#define RC_FIELD_LIST_OF(type, member, count) RC_FIELD_SEVERAL(type, LIST, member, count)
#define RC_FIELD_ARRAY_OF(type, member, count) RC_FIELD_SEVERAL(type, ARRAY, member, count)
#define RC_FIELD_TEXTS_OF(type, member, count) RC_FIELD_SEVERAL(type, TEXTS, member, count)
#define RC_FIELDS_END                                                                              \
    {                                                                                              \
        .kind = RC_AS_END                                                                          \
    }

/* The JSON object of `record`. The caller owns it; NULL if memory runs out. */
json_t *rc_field_json(const struct rc_field *fields, const void *record);
/* The same as members of an object that is there already. */
void rc_field_add(json_t *object, const struct rc_field *fields, const void *record);
/* A JSON list of `n` records of `size` bytes each. */
json_t *rc_field_json_list(const struct rc_field *fields, const void *records, size_t n,
                           size_t size);

/* Writes a text table of the fields that have a title, one row for each record.  `width` as for
 * rc_table_create(). */
int rc_field_table(FILE *out, const struct rc_field *fields, const void *records, size_t n,
                   size_t size, size_t width, struct rc_error *error);

/* The JSON value of one field, and its cell in a text table. */
json_t *rc_field_value(const struct rc_field *field, const void *record);
void rc_field_cell(struct rc_table *table, const struct rc_field *field, const void *record);

/* For tables that are not of one kind of row: the columns of the fields that have a title, into
 * `columns`, at most `most`, and how many these are; and one row of them. */
size_t rc_field_columns(const struct rc_field *fields, struct rc_column *columns, size_t most);
void rc_field_row(struct rc_table *table, const struct rc_field *fields, const void *record);

#endif
