/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.c - rows for struct partition_options. */
#include "partition_flags.h"

#include "../lib/partition.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct partition_options, field), .value = def, .label = echo, .help = text   \
    }

const struct flag partition_flag_table[] = {
    ROW("max_delegated_partitions", FLAG_TAKES_INT(0, INT32_MAX), max_partitions, "0", "Max number of delegated partitions",
        "Delegate only so many, the largest; 0: all."),
    ROW("min_nodes_per_partition", FLAG_TAKES_INT(0, INT32_MAX), min_nodes, "0", "Min nodes per partition",
        "Leave smaller ones to the CPU."),
    {0},
};
