/* SPDX-License-Identifier: Apache-2.0 */
/* checks.c - the checks that kernels share when they accept a node: see kernel.h. */
#include "lib/gl/ir/kernel.h"

/* Shaders number the elements of a value by an int. */
#define MOST_BYTES (1ull << 32)

bool gl_fits(const struct gl_limits *lim, enum ir_type type, struct ir_shape s, struct reason *why)
{
    const uint64_t rows = (uint64_t)s.b * (uint64_t)s.h, row = (uint64_t)s.w * (uint64_t)ir_slices(s);
    const uint64_t most = lim->storage_block_bytes < MOST_BYTES ? lim->storage_block_bytes : MOST_BYTES;
    uint64_t vectors;

    (void)type;
    if (__builtin_mul_overflow(rows, row, &vectors) || vectors > most / 16)
        return reason_set(why, REASON_DEVICE_LIMIT, "[%d,%d,%d,%d] needs more than %llu bytes in one buffer", s.b, s.h, s.w, s.c,
                          (unsigned long long)most);
    return true;
}

bool gl_constant(const struct node *n, uint32_t i, const char *what, struct reason *why)
{
    const struct tensor *t = node_in(n, i);

    if (!t)
        return reason_set(why, REASON_MISSING_REQUIRED_OPERAND, "the %s (input %u) is omitted", what, i);
    if (!t->is_const)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the %s (input %u) is computed at run time", what, i);
    return true;
}

bool gl_runtime(const struct node *n, uint32_t i, const char *what, struct reason *why)
{
    const struct tensor *t = node_in(n, i);

    if (!t)
        return reason_set(why, REASON_MISSING_REQUIRED_OPERAND, "the %s (input %u) is omitted", what, i);
    if (t->is_const)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the %s (input %u) is constant", what, i);
    return true;
}

bool gl_ints(const struct node *n, uint32_t i, const char *what, int32_t *out, uint32_t max, uint32_t *count, struct reason *why)
{
    struct err err = {""};

    if (!gl_constant(n, i, what, why))
        return false;
    if (shape_ints(n->in[i], out, max, count, &err))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "the %s (input %u): %s", what, i,
                          err.msg[0] ? err.msg : "not readable");
    return true;
}
