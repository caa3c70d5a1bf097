// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_book.c - the models that 'runcast scale fit' kept, and which of them answers. */
#include "base/error.h"
#include "cmd/scale/scale.h"
#include "model/scaling/find.h"

int rc_cmd_scale_load_book(const struct rc_cmd_scale *scale, struct rc_book *book)
{
    struct rc_db *store = rc_cmd_open_db(scale->options->db, RC_DB_READ, NULL);
    struct rc_error error = {0};
    int found;

    if (!store)
        return RC_EXIT_FAILED;
    found = rc_scaling_book_load(store, scale->options->app, scale->platform->name, book, &error);
    rc_db_close(store);
    if (found == 0) {
        rc_error_set(&error, "there is no scaling model of '%s' on '%s'", scale->options->app,
                     scale->platform->name);
        rc_error_hint(&error, "'runcast scale plan', 'measure' and 'fit' make one");
    }
    return found > 0 ? RC_EXIT_OK : rc_cmd_fail(&error, "reading the models");
}

const struct rc_scaling_model *rc_cmd_scale_find_model(const struct rc_cmd_scale *scale,
                                                       const struct rc_cmd_scale_part *part,
                                                       const struct rc_book *book,
                                                       struct rc_error *error)
{
    const struct rc_scaling_asked asked = {.app = scale->options->app,
                                           .cluster = &scale->platform->clusters[part->cluster],
                                           .network = part->network,
                                           .per_host = part->per_host,
                                           .cut = (int)scale->options->cut,
                                           .mesh = &scale->mesh,
                                           .procs = part->procs};

    return rc_scaling_book_answering(book, &asked, error);
}
