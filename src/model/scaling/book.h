// SPDX-License-Identifier: GPL-3.0-or-later
/* book.h - all scaling models of one app on one platform, as they are kept in the store: one for
 * each cluster, network, number of processes on a host, and length of messages.
 *
 * As a text it is JSON.  Kept are the groups of runs and what the user chose; reading fits anew,
 * and notes which lines are bent. */
#ifndef RC_MODEL_SCALING_BOOK_H
#define RC_MODEL_SCALING_BOOK_H

#include <jansson.h>

#include "model/scaling/estimate.h"
#include "model/scaling/model.h"

enum {
    RC_BOOK_MODELS_MAX = 1024,
    RC_BOOK_LINKS_MAX = 1024,
    RC_BOOK_TEXT_MAX = 1 << 24, /* bytes */
    RC_BOOK_FORMAT = 1
};

/* Start from {0}; free with rc_scaling_book_free(). */
struct rc_book {
    struct rc_scaling_model *models; /* they move when one is added: keep no pointers over that */
    size_t n_models, models_room;
    struct rc_scaling_link *links;
    size_t n_links, links_room;
    double made; /* when it was saved; 0: it is not from a store */
};
void rc_scaling_book_free(struct rc_book *book);

/* Adds a model, in place of the one for the same setting and messages (equal columns and layers
 * with a cut by rows, and an equal largest block with others).  The model is moved: `*model` is {0}
 * afterwards, also on failure. */
int rc_scaling_book_put(struct rc_book *book, struct rc_scaling_model *model,
                        struct rc_error *error);
int rc_scaling_book_put_link(struct rc_book *book, const struct rc_scaling_link *link,
                             struct rc_error *error);

/* The model for `mesh` on `procs` processes: with a cut by rows one with the same columns and
 * layers; with other cuts the one whose largest block is nearest.  `per_host` 0: any, the first.
 * NULL where there is none; it belongs to the book. */
const struct rc_scaling_model *rc_scaling_book_find(const struct rc_book *book, const char *cluster,
                                                    const char *network, int per_host, int cut,
                                                    const struct rc_mesh *mesh, int64_t procs);
/* In either order of the clusters.  `network` is the one of both sides; "" where each has its own:
 * then a link that was measured so or, where there is none, any. */
const struct rc_scaling_link *rc_scaling_book_find_link(const struct rc_book *book, const char *a,
                                                        const char *b, const char *network,
                                                        int64_t cols);

/* The text as JSON, to be released by the caller; NULL where memory runs out. */
json_t *rc_scaling_book_json(const struct rc_book *book);
/* Reads such a text.  Damage is an error that says what is wrong; `book` is then {0}. */
int rc_scaling_book_read(const char *text, size_t length, struct rc_book *book,
                         struct rc_error *error);

/* The book of an app on a platform in the store.  Loading: 1, or 0 where there is none; -2 where
 * its text is damaged, so that no more is lost if another is saved in its place; -1 where it cannot
 * be read now, or a newer program made it, and it must be left as it is.  `book` is {0} unless 1.
 * Saving is all or nothing.  The two are transactions of their own: of two programs that load,
 * change and save at the same time, the last one's book stays. */
struct rc_db;
int rc_scaling_book_load(struct rc_db *store, const char *app, const char *platform,
                         struct rc_book *book, struct rc_error *error);
int rc_scaling_book_save(struct rc_db *store, const char *app, const char *platform,
                         const struct rc_book *book, int64_t *id, struct rc_error *error);

#endif
