/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_index.c - index vectors of StableHLO. */
#include "kernels_cpu/ops/stablehlo_index.h"

#include <string.h>

enum status stablehlo_mask(const int64_t *dims, int32_t n, int32_t rank, uint32_t *mask, struct err *err)
{
    *mask = 0;
    if (n < 0 || n > TENSOR_MAX_RANK)
        return err_set(err, ST_BAD_MODEL, "a list of %d dimensions", n);
    for (int32_t i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= rank || (i && dims[i] <= dims[i - 1]))
            return err_set(err, ST_BAD_MODEL, "dimension %lld in a list for rank %d, which must ascend", (long long)dims[i], rank);
        *mask |= 1u << dims[i];
    }
    return ST_OK;
}

enum status stablehlo_index_check(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, int32_t rank,
                                  struct err *err)
{
    uint32_t seen = 0;

    if (at->type != TYPE_INT32 && at->type != TYPE_INT64)
        return err_set(err, ST_UNSUPPORTED, "indices of type %s", type_name(at->type));
    if (vector_dim < 0 || vector_dim > at->rank || n_map < 0 || n_map > rank ||
        n_map != (vector_dim < at->rank ? at->dim[vector_dim] : 1))
        return err_set(err, ST_BAD_MODEL, "index vectors along dimension %lld of %s for a map of %d numbers", (long long)vector_dim,
                       TENSOR_TEXT(at), n_map);
    for (int32_t i = 0; i < n_map; i++) {
        if (map[i] < 0 || map[i] >= rank || seen >> map[i] & 1)
            return err_set(err, ST_BAD_MODEL, "number %d of the index vectors counts in dimension %lld of rank %d", i,
                           (long long)map[i], rank);
        seen |= 1u << map[i];
    }
    return ST_OK;
}

void stablehlo_index_read(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, size_t i,
                          int64_t start[TENSOR_MAX_RANK])
{
    size_t inner = shape_count(at->dim, (int32_t)vector_dim + (vector_dim < at->rank), at->rank);
    size_t first = i / inner * inner * (size_t)n_map + i % inner;

    memset(start, 0, TENSOR_MAX_RANK * sizeof *start);
    for (int32_t k = 0; k < n_map; k++)
        start[map[k]] = tensor_int(at, first + (size_t)k * inner);
}

ptrdiff_t stablehlo_offset(size_t i, const int32_t *dim, const ptrdiff_t *stride, int32_t rank)
{
    ptrdiff_t offset = 0;

    for (int32_t d = rank - 1; d >= 0; d--) {
        offset += (ptrdiff_t)(i % (size_t)dim[d]) * stride[d];
        i /= (size_t)dim[d];
    }
    return offset;
}
