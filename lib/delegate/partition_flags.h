/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.h - flags that limit the nodes of delegates, common to all tools and the plugin. */
#pragma once

#include "lib/base/flag.h"
#include "lib/delegate/partition.h"

struct partition_flags {
    int32_t max_partitions,        /* keep only the largest partitions, this many; 0: all */
        min_nodes;                 /* drop partitions with fewer nodes; 0: keep all */
    int32_t first_node, last_node; /* range of nodes of the file that may be delegated, both included */
    const char *only_ops,          /* operators that alone may be delegated, "CONV_2D,ADD"; "": all may */
        *cpu_ops;                  /* operators that are not delegated; "": none */
    const char *cpu_nodes;         /* nodes of the file that are not delegated, "3,7-9"; "": none */
    bool quantized;                /* nodes with quantized values may be delegated */
};

/* The flag rows of struct partition_flags. */
extern const struct flag partition_flag_table[];

/* Convert flags to options; strings stay borrowed. */
struct partition_options partition_flags_options(const struct partition_flags *f);
