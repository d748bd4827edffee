/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.h - the flags that limit what a delegate is given, the same in every tool and in the plugin. */
#ifndef DELEGAUGE_PARTITION_FLAGS_H
#define DELEGAUGE_PARTITION_FLAGS_H

#include "lib/base/flag.h"
#include "lib/delegate/partition.h"

struct partition_flags {
    int32_t max_partitions, min_nodes; /* 0: all */
    int32_t first_node, last_node;     /* of those that may be delegated; both are among them */
    const char *only_ops, *cpu_ops;    /* "CONV_2D,ADD": these alone may be delegated, or these may not; "": all may */
    const char *cpu_nodes;             /* "3,7-9": of the file's nodes, these are not delegated; "": all may be */
    bool quantized;                    /* nodes with quantized values may be delegated */
};

/* The rows for it. */
extern const struct flag partition_flag_table[];

struct partition_options partition_flags_options(const struct partition_flags *f);

#endif
