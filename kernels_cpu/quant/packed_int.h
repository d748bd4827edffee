/* SPDX-License-Identifier: Apache-2.0 */
/* packed_int.h - elements of quantized tensors' integer types as int32, sub-byte types (packed, lowest bits first) included.
 *
 * Indices count elements. Element i of a type of b < 8 bits lies in byte i * b / 8 from bit i * b % 8 on, in two's complement but
 * for UINT4, as TFLite packs them (DenseInt4). Unused bits of the last byte mean nothing; type_bytes (lib/tensor/tensor.h) counts
 * that byte. The bytes 0xf1 0x08 are the INT4 elements 1, -1, -8 of a tensor of three.
 *
 * For the loops of CAST, QUANTIZE, DEQUANTIZE and similar operators, on int32; products widen to int16 instead (widen.h). Nothing
 * here fails or checks: prepare has refused other types, and callers stay within the tensor. */
#pragma once

#include "lib/tensor/tensor.h"

/* Return element i of INT2, INT4 or UINT4 data: -2 .. 1, -8 .. 7 or 0 .. 15. Other types read as INT4. */
static inline int32_t packed_int_get(enum tensor_type type, const void *data, size_t i)
{
    const int32_t bits = type == TYPE_INT2 ? 2 : 4, half = 1 << (bits - 1);
    const int32_t v = ((const uint8_t *)data)[i * (size_t)bits / 8] >> i * (size_t)bits % 8 & (2 * half - 1);

    return type == TYPE_UINT4 ? v : (v ^ half) - half; /* the sign bit is worth -half */
}

/* Store element i of INT2, INT4 or UINT4 data: the low bits of v. Store elements in ascending order: the first of a byte clears the
 * rest of it. So threads may share a tensor only if their parts begin at whole bytes, as multiples of MAP_GRAIN (common/map.h) do.
 */
static inline void packed_int_put(enum tensor_type type, void *data, size_t i, int32_t v)
{
    const uint32_t bits = type == TYPE_INT2 ? 2 : 4, shift = (uint32_t)(i * bits % 8);
    uint8_t *byte = (uint8_t *)data + i * bits / 8;
    const uint32_t before = shift ? *byte : 0;

    *byte = (uint8_t)(before | ((uint32_t)v & ((1u << bits) - 1)) << shift);
}

/* Load elements [begin, begin + n) of INT2, INT4, UINT4, INT8, UINT8, INT16, UINT16 or INT32 data into out[n]. `begin` may lie
 * within a byte. Compilers vectorise the loops over whole types, not the loops over sub-byte types. */
static inline void packed_int_load(enum tensor_type type, const void *data, size_t begin, size_t n, int32_t *out)
{
#define LOAD_INTS(t)                                                                                                               \
    for (size_t i = 0; i < n; i++)                                                                                                 \
        out[i] = ((const t *)data)[begin + i];                                                                                     \
    break

    switch (type) {
    case TYPE_INT8: LOAD_INTS(int8_t);
    case TYPE_UINT8: LOAD_INTS(uint8_t);
    case TYPE_INT16: LOAD_INTS(int16_t);
    case TYPE_UINT16: LOAD_INTS(uint16_t);
    case TYPE_INT32: LOAD_INTS(int32_t);
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = packed_int_get(type, data, begin + i);
    }
#undef LOAD_INTS
}

/* Store v[n] as elements [begin, begin + n); values that do not fit wrap, so callers clamp first (int_limits in quant_check.h). A
 * sub-byte run must begin at a whole byte, or continue one. */
static inline void packed_int_store(enum tensor_type type, void *data, size_t begin, size_t n, const int32_t *v)
{
#define STORE_INTS(t)                                                                                                              \
    for (size_t i = 0; i < n; i++)                                                                                                 \
        ((t *)data)[begin + i] = (t)v[i];                                                                                          \
    break

    switch (type) {
    case TYPE_INT8: STORE_INTS(int8_t);
    case TYPE_UINT8: STORE_INTS(uint8_t);
    case TYPE_INT16: STORE_INTS(int16_t);
    case TYPE_UINT16: STORE_INTS(uint16_t);
    case TYPE_INT32: STORE_INTS(int32_t);
    default:
        for (size_t i = 0; i < n; i++)
            packed_int_put(type, data, begin + i, v[i]);
    }
#undef STORE_INTS
}
