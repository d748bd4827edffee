/* SPDX-License-Identifier: Apache-2.0 */
/* partition_check.c - whether the flags that limit a delegate make sense. */
#include "cmd/tool/partition_check.h"

#include <string.h>

#include "cmd/host/say.h"
#include "lib/base/flag.h"
#include "lib/base/node_list.h"

static enum status check_delegate_asked(const struct cli *c, const struct partition_flags *f, bool refused, struct err *err)
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct cli_row *row = &c->rows[i];

        if (row->options != f || !row->given || cli_is_default(row))
            continue;
        if (!refused)
            return err_set(err, ST_USAGE, "--%s limits what a delegate is given, and none is asked for", row->flag->name);
        say_warn("no delegate is asked for: --%s changes nothing", row->flag->name);
    }
    return ST_OK;
}

enum status partition_flags_check(const struct cli *c, const struct partition_flags *f, enum asked_delegate delegate,
                                  struct err *err)
{
    const struct cli_row *mode = cli_find(c, "gpu_quant");
    char buf[CLI_VALUE_SIZE];
    const char *word = mode && mode->given ? cli_value(mode, buf) : "";
    struct node_list nodes;
    enum status st = node_list_read("--no_delegate_nodes", f->cpu_nodes, &nodes, err);

    node_list_fini(&nodes);
    if (!st && delegate != DELEGATE_ASKED)
        st = check_delegate_asked(c, f, delegate == DELEGATE_REFUSED, err);
    if (st || !*word || !cli_find(c, "gpu_experimental_enable_quant")->given || f->quantized == (strcmp(word, "none") != 0))
        return st;
    return err_set(err, ST_USAGE, "--gpu_experimental_enable_quant=%s contradicts --gpu_quant=%s", f->quantized ? "true" : "false",
                   word);
}

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
