// SPDX-License-Identifier: GPL-3.0-or-later
/* params.c - parameters of a run, from options --param. */
#include "cmd/core/params.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "db/run_csv.h"

static bool is_said(const struct rc_param *params, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

int rc_cmd_params_read(const struct rc_option_list *list, char names[][RC_CMD_PARAM_SIZE],
                       struct rc_param *params, size_t *n, struct rc_error *error)
{
    *n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        size_t length = equals ? (size_t)(equals - text) : 0;
        double value;

        if (length == 0 || length >= RC_CMD_PARAM_SIZE ||
            rc_number_parse(equals + 1, strlen(equals + 1), &value))
            return rc_error_set(error, "--param: '%s' is not NAME=NUMBER", text);
        memcpy(names[i], text, length);
        names[i][length] = '\0';
        if (rc_db_run_table_column(names[i]))
            return rc_error_set(error, "--param: '%s' is no parameter; use the option for it",
                                names[i]);
        if (is_said(params, *n, names[i]))
            return rc_error_set(error, "--param: '%s' is given twice", names[i]);
        params[(*n)++] = (struct rc_param){names[i], value};
    }
    return 0;
}
