/* SPDX-License-Identifier: Apache-2.0 */
/* op_list.c - looking names up in a list of them. */
#include "lib/graph/op_list.h"

#include <string.h>

#include "lib/base/flag.h"

static bool is(const char *name, const char *item, size_t n)
{
    return name && strlen(name) == n && !strncmp(name, item, n);
}

bool op_list_has(const char *list, const char *name)
{
    for (size_t n; list && *list; list = flag_skip_blanks(list + n + (list[n] == ','))) {
        n = strcspn(list, ",");
        if (is(name, list, n))
            return true;
    }
    return false;
}

enum status op_list_check(const char *flag, const char *list, const struct graph *g, struct err *err)
{
    for (bool more = list && *list; more;) {
        const size_t n = strcspn(list, ",");
        bool known = false;

        for (int32_t code = 0; code < BUILTIN_COUNT && !known; code++)
            known = is(builtin_name(code), list, n);
        for (uint32_t i = 0; i < g->model->n_opcodes && !known; i++)
            known = is(g->model->opcodes[i].name, list, n);
        if (!known)
            return err_set(err, ST_USAGE, "%s: no operator is called '%.*s'", flag, n < 60 ? (int)n : 60, list);
        more = list[n] == ',';
        list = flag_skip_blanks(list + n + more);
    }
    return ST_OK;
}
