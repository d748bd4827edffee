/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_index.h - the index vectors that STABLEHLO_GATHER and STABLEHLO_SCATTER read. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_STABLEHLO_INDEX_H
#define DELEGAUGE_KERNELS_CPU_OPS_STABLEHLO_INDEX_H

#include "kernels_cpu/common/move.h"

/* One bit per dimension named; fails unless they ascend and lie within [0, rank). */
enum status stablehlo_mask(const int64_t *dims, int32_t n, int32_t rank, uint32_t *mask, struct err *err);

/* Checks an index tensor (INT32 or INT64) whose vectors lie along `vector_dim`, which may be its rank: then each element is a
 * vector of one. map[k] is the dimension, of `rank`, that number k of a vector counts in. */
enum status stablehlo_index_check(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, int32_t rank,
                                  struct err *err);

/* Index vector i, counted over the other dimensions, as one number for each of TENSOR_MAX_RANK dimensions; 0 if the map names
 * none. */
void stablehlo_index_read(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, size_t i,
                          int64_t start[TENSOR_MAX_RANK]);

/* The offset, in elements, of element i, counted in row-major order, of dim[rank] laid out with these strides. */
ptrdiff_t stablehlo_offset(size_t i, const int32_t *dim, const ptrdiff_t *stride, int32_t rank);

#endif
