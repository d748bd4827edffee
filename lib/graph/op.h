/* SPDX-License-Identifier: Apache-2.0 */
/* op.h - the table of operators from lib/ops/ops.def, one row each.
 *
 * A row names the CPU kernel and, if there is one, the GL kernel; these hold everything else that depends on the operator (shape
 * rule, multiply-accumulates, checks). So this is the only list of operators that have kernels. Outside the kernels, code compares
 * node.builtin only for rules about single operators (`git grep BUILTIN_`). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cpu_kernel; /* lib/graph/kernel.h */
struct gl_kernel;  /* lib/gl/ir/kernel.h */

struct op {
    const char *name;    /* "CONV_2D", or the custom op's name */
    int32_t builtin;     /* BUILTIN_CUSTOM for custom ops */
    int32_t max_version; /* the newest version whose meaning the CPU kernel knows */
    const struct cpu_kernel *cpu;
    const struct gl_kernel *gl; /* NULL: never on the GPU */
};

/* The rows, in the order of lib/ops/ops.def; after them one whose name is NULL. */
extern const struct op op_table[];
extern const size_t op_table_n; /* number of rows, without the last one */

/* Return the operator's row, or NULL. `custom`, the name in the file, counts only if builtin is BUILTIN_CUSTOM; it may be NULL. */
const struct op *op_find(int32_t builtin, const char *custom);
