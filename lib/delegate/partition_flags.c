/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.c - rows for struct partition_flags. */
#include "lib/delegate/partition_flags.h"

#define FLAG_OPTIONS struct partition_flags
#define ROW          FLAG_ROW

const struct flag partition_flag_table[] = {
    ROW(DELEGATE, "max_delegated_partitions", FLAG_TAKES_INT(0, INT32_MAX), max_partitions, "0",
        "Max number of delegated partitions", "Delegate at most this many partitions, the largest; 0: all."),
    ROW(DELEGATE, "min_nodes_per_partition", FLAG_TAKES_INT(0, INT32_MAX), min_nodes, "0", "Min nodes per partition",
        "Keep partitions with fewer nodes on the CPU."),
    ROW(DELEGATE, "first_delegate_node_index", FLAG_TAKES_INT(0, INT32_MAX), first_node, "0",
        "Index of the first node that could be delegated", "Keep nodes before this index on the CPU."),
    ROW(DELEGATE, "last_delegate_node_index", FLAG_TAKES_INT(0, INT32_MAX), last_node, "2147483647",
        "Index of the last node that could be delegated", "Keep nodes after this index on the CPU."),
    ROW(DELEGATE, "no_delegate_nodes", FLAG_TAKES_TEXT, cpu_nodes, "", "Nodes that are not delegated",
        "Keep these nodes on the CPU, by index: 3,7-9."),
    ROW(DELEGATE, "delegate_only_ops", FLAG_TAKES_TEXT, only_ops, "", "Operators that alone are delegated",
        "Keep all operators but these on the CPU: CONV_2D,ADD. Fail if the model lacks a custom operator named here."),
    ROW(DELEGATE, "no_delegate_ops", FLAG_TAKES_TEXT, cpu_ops, "", "Operators that are not delegated",
        "Keep these operators on the CPU: SOFTMAX,ADD. Fail if the model lacks a custom operator named here."),
    ROW(DELEGATE, "gpu_experimental_enable_quant", FLAG_TAKES_BOOL, quantized, "true", "Enable running quant models in gpu",
        "Delegate nodes with quantized tensors as --gpu_quant says; false: keep them on the CPU."),
    {0},
};

struct partition_options partition_flags_options(const struct partition_flags *f)
{
    return (struct partition_options){.max_partitions = f->max_partitions,
                                      .min_nodes = f->min_nodes,
                                      .no_quantized = !f->quantized,
                                      .first_node = (uint32_t)f->first_node,
                                      .end_node = f->last_node == INT32_MAX ? 0 : (uint32_t)f->last_node + 1,
                                      .only_ops = f->only_ops,
                                      .cpu_ops = f->cpu_ops,
                                      .cpu_nodes = f->cpu_nodes};
}
