/* SPDX-License-Identifier: Apache-2.0 */
/* require.c - "full" or a share. */
#include "cmd/tool/require.h"

#include <string.h>

#include "lib/base/flag.h"

enum status require_read(const char *text, double *percent, struct err *err)
{
    const size_t n = strlen(text);
    char number[16];

    *percent = 0;
    if (!n)
        return ST_OK;
    if (!strcmp(text, "full")) {
        *percent = 100;
        return ST_OK;
    }
    if (!strncmp(text, "op:", 3))
        return err_set(err, ST_USAGE, "--require=%.60s: op_coverage takes that; here are full and a share as 90%%", text);
    if (text[n - 1] == '%' && n < sizeof number) {
        snprintf(number, sizeof number, "%.*s", (int)n - 1, text);
        if (flag_read_double(number, percent) && *percent >= 0 && *percent <= 100)
            return ST_OK;
    }
    return err_set(err, ST_USAGE, "--require=%.60s: neither full nor a share from 0%% to 100%%", text);
}
