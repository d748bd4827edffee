/* SPDX-License-Identifier: Apache-2.0 */
/* bitwise.c - BITWISE_XOR and RIGHT_SHIFT of integers that broadcast. */
#include "kernels_cpu/common/broadcast.h"

/* What lies outside [0, bits) counts as the nearest shift that does not. */
static inline int shift_by(int64_t n, int bits)
{
    return n < 0 ? 0 : n < bits ? (int)n : bits - 1;
}

#define BITWISE_ROWS(suffix, t, bits)                                                                                              \
    BINARY_ROW(bitwise_xor_##suffix, t, t, NO_SETUP, a ^ b)                                                                        \
    BINARY_ROW(right_shift_##suffix, t, t, NO_SETUP, a >> shift_by(b, bits))

BITWISE_ROWS(i8, int8_t, 8)
BITWISE_ROWS(u8, uint8_t, 8)
BITWISE_ROWS(i16, int16_t, 16)
BITWISE_ROWS(u16, uint16_t, 16)
BITWISE_ROWS(i32, int32_t, 32)
BITWISE_ROWS(u32, uint32_t, 32)

#define BITWISE(op)                                                                                                                \
    static const broadcast_row op##_rows[TYPE_COUNT] = {                                                                           \
        [TYPE_INT8] = op##_i8,    [TYPE_UINT8] = op##_u8,  [TYPE_INT16] = op##_i16,                                                \
        [TYPE_UINT16] = op##_u16, [TYPE_INT32] = op##_i32, [TYPE_UINT32] = op##_u32,                                               \
    };                                                                                                                             \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                              \
        return broadcast_plan_rows(c, op##_rows, TYPE_NONE, err);                                                                  \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##op = {.shape = broadcast_shape, .prepare = op##_prepare, .run = broadcast_plan_run};

BITWISE(bitwise_xor)
BITWISE(right_shift)
