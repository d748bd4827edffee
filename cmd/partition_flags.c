/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.c - rows for struct partition_flags. */
#include "partition_flags.h"

#include <string.h>

#include "say.h"

#include "../lib/node_list.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct partition_flags, field), .value = def, .label = echo, .help = text     \
    }

const struct flag partition_flag_table[] = {
    ROW("max_delegated_partitions", FLAG_TAKES_INT(0, INT32_MAX), max_partitions, "0", "Max number of delegated partitions",
        "Delegate only so many, the largest; 0: all."),
    ROW("min_nodes_per_partition", FLAG_TAKES_INT(0, INT32_MAX), min_nodes, "0", "Min nodes per partition",
        "Leave smaller ones to the CPU."),
    ROW("first_delegate_node_index", FLAG_TAKES_INT(0, INT32_MAX), first_node, "0",
        "Index of the first node that could be delegated", "Leave nodes before this one to the CPU."),
    ROW("last_delegate_node_index", FLAG_TAKES_INT(0, INT32_MAX), last_node, "2147483647",
        "Index of the last node that could be delegated", "Leave nodes behind this one to the CPU."),
    ROW("no_delegate_nodes", FLAG_TAKES_TEXT, cpu_nodes, "", "Nodes that are not delegated",
        "Leave these nodes to the CPU, by index: 3,7-9."),
    ROW("gpu_experimental_enable_quant", FLAG_TAKES_BOOL, quantized, "true", "Enable running quant models in gpu",
        "Leave what reads or writes quantized values to the CPU with false; else --gpu_quant says what becomes of it."),
    {0},
};

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

struct partition_options partition_flags_options(const struct partition_flags *f)
{
    return (struct partition_options){.max_partitions = f->max_partitions,
                                      .min_nodes = f->min_nodes,
                                      .no_quantized = !f->quantized,
                                      .first_node = (uint32_t)f->first_node,
                                      .end_node = f->last_node == INT32_MAX ? 0 : (uint32_t)f->last_node + 1,
                                      .cpu_nodes = f->cpu_nodes};
}
