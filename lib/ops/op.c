/* SPDX-License-Identifier: Apache-2.0 */
/* op.c - lib/ops/ops.def as a table of operators, searched by code or by name. */
#include "lib/graph/op.h"
#include "gl_kernels.h"
#include "lib/graph/kernel.h"
#include "schema/schema.h"

#include <string.h>

#define OP(name, kernel, version, gl)     extern const struct cpu_kernel cpu_##kernel;
#define CUSTOM(name, kernel, version, gl) extern const struct cpu_kernel cpu_##kernel;
#include "lib/ops/ops.def"
#undef OP
#undef CUSTOM

const struct op op_table[] = {
#define OP(name, kernel, version, gl)     {#name, BUILTIN_##name, version, &cpu_##kernel, gl},
#define CUSTOM(name, kernel, version, gl) {name, BUILTIN_CUSTOM, version, &cpu_##kernel, gl},
#include "lib/ops/ops.def"
#undef OP
#undef CUSTOM
    {NULL, -1, 0, NULL, NULL}};
const size_t op_table_n = sizeof op_table / sizeof *op_table - 1;

const struct op *op_find(int32_t builtin, const char *custom)
{
    for (const struct op *op = op_table; op->name; op++)
        if (op->builtin == builtin && (builtin != BUILTIN_CUSTOM || (custom && !strcmp(op->name, custom))))
            return op;
    return NULL;
}
