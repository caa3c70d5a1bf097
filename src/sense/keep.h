// SPDX-License-Identifier: GPL-3.0-or-later
/* keep.h - samples of hosts into the store. */
#ifndef RC_SENSE_KEEP_H
#define RC_SENSE_KEEP_H

#include "runcast.h"
#include "sense/host.h"

/* Adds the samples to the series of the host, one for each metric, in one transaction.  What is
 * not known is left out; a sample of a time that is there already is replaced. */
int rc_sense_keep(struct rc_store *store, const char *host, const struct rc_sense_sample *samples,
                  size_t n, struct rc_error *error);

#endif
