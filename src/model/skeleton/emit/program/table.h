// SPDX-License-Identifier: BSD-2-Clause
/* ---- long programs, as tables ----
 *
 * An item is a call, and the computing before it, or a loop: then its body are the `value` items
 * that follow it.  Where ranks differ, theirs are one after the other. */
static void walk(const struct item *items, int n)
{
    for (int i = 0; i < n; i++) {
        const struct item *item = &items[i];

        if (item->times > 0) {
            for (int j = 0; j < item->times; j++)
                walk(item + 1, item->value);
            i += item->value;
            continue;
        }
        compute(item->work + (item->work_differs ? me : 0));
        if (item->value >= 0)
            perform(&calls[item->value + (item->value_differs ? me : 0)]);
    }
}

