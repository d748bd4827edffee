/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.h - the flags that limit what a delegate is given, the same in every tool. */
#ifndef DELEGAUGE_CMD_PARTITION_FLAGS_H
#define DELEGAUGE_CMD_PARTITION_FLAGS_H

#include "../lib/partition.h"
#include "cli.h"

struct partition_flags {
    int32_t max_partitions, min_nodes; /* 0: all */
    int32_t first_node, last_node;     /* of those that may be delegated; both are among them */
    const char *cpu_nodes;             /* "3,7-9": of the file's nodes, these are not delegated; "": all may be */
    bool quantized;                    /* nodes with quantized values may be delegated */
};

/* The rows for it. */
extern const struct flag partition_flag_table[];

/* Whether a delegate was asked for: not at all, or in so many words that none is wanted (--use_gpu=false). */
enum asked_delegate { DELEGATE_NOT_ASKED, DELEGATE_REFUSED, DELEGATE_ASKED };

/* ST_USAGE where --no_delegate_nodes is no list of nodes, where a flag limits what no delegate was asked to take, and where
 * --gpu_experimental_enable_quant and --gpu_quant were both given and one takes back what the other asks for. Where delegates were
 * refused, a flag without effect is but warned of: command lines are made from others. */
enum status partition_flags_check(const struct cli *c, const struct partition_flags *f, enum asked_delegate delegate,
                                  struct err *err);

struct partition_options partition_flags_options(const struct partition_flags *f);

#endif
