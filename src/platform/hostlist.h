// SPDX-License-Identifier: GPL-3.0-or-later
/* hostlist.h - names of many hosts in little text: a[001-064,070],b1,r[1-2]n[01-16]. */
#ifndef RC_PLATFORM_HOSTLIST_H
#define RC_PLATFORM_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum {
    RC_HOSTS_MAX = 100000,    /* names that one expression, or one platform, may stand for */
    RC_HOST_NAME_MAX = 255,   /* bytes of a name */
    RC_HOST_BRACKETS_MAX = 8, /* brackets in one entry */
    RC_HOST_DIGITS_MAX = 18,  /* digits of a number in brackets */
    RC_HOSTLIST_TEXT_MAX = RC_HOSTS_MAX * (RC_HOST_NAME_MAX + 1) /* bytes of an expression */
};

/* Names in the order of the expression.  Start from {0}; free with rc_platform_hostlist_free(). */
struct rc_hostlist {
    char **names;
    size_t count;
};

/* Whether `name` can be the name of a host: letters, digits, '.', '-', '_', ':' and whatever is not
 * ASCII.  It does not begin with '-', so that no command takes it for an option. */
bool rc_platform_hostlist_is_name(const char *name);

/* Expands `text` into `list`, at most `most` names (and never more than RC_HOSTS_MAX).
 *
 * An expression is entries between commas, with blanks around them where wanted.  An entry is a
 * name with brackets in any place; a bracket holds numbers and ranges between commas.  A number
 * that begins with 0 gives its width to its range: 08-10 is 08, 09, 10.  With several brackets,
 * the last one runs fastest.  No name comes twice.
 *
 * On failure the list is left empty, and error->column is the place in `text`, in characters. */
int rc_platform_hostlist_expand(const char *text, size_t length, size_t most,
                                struct rc_hostlist *list, struct rc_error *error);
void rc_platform_hostlist_free(struct rc_hostlist *list);

/* The inverse: the expression that expands to these names in this order.  Neighbours that differ
 * in one number are folded, the last number of a name first: a001,a002,a003 is a[001-003].  The
 * names must differ from one another; one that no expression can give is an error.  To be freed
 * by the caller. */
char *rc_platform_hostlist_compress(const char *const *names, size_t count, struct rc_error *error);

#endif
