/* SPDX-License-Identifier: Apache-2.0 */
/* op.h - the table of operators: what lib/ops.def says, one row each.
 *
 * A row names the CPU kernel and, where the op fits the GPU, the GL kernel. Nothing else lists operators. */
#ifndef DELEGAUGE_OP_H
#define DELEGAUGE_OP_H

#include <stddef.h>
#include <stdint.h>

struct cpu_kernel; /* lib/kernel.h */
struct gl_kernel;  /* lib/gl/kernel.h */

struct op {
    const char *name;    /* "CONV_2D", or the custom op's name */
    int32_t builtin;     /* BUILTIN_CUSTOM for custom ops */
    int32_t max_version; /* the newest version whose meaning the CPU kernel knows */
    const struct cpu_kernel *cpu;
    const struct gl_kernel *gl; /* NULL: never on the GPU */
};

/* The rows, in the order of lib/ops.def. */
extern const struct op op_table[];
extern const size_t op_table_n;

/* NULL if there is no row. `custom` is used where builtin is BUILTIN_CUSTOM. */
const struct op *op_find(int32_t builtin, const char *custom);

#endif
