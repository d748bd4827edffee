/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_index.h - the index vectors that STABLEHLO_GATHER and STABLEHLO_SCATTER read. */
#pragma once

#include "kernels_cpu/common/move.h"

/* Store the set of the n dimensions dims[], one bit each, in *mask. Fails with ST_BAD_MODEL unless they ascend and lie within [0,
 * rank). */
enum status stablehlo_mask(const int64_t *dims, int32_t n, int32_t rank, uint32_t *mask, struct err *err);

/* Check an index tensor (INT32 or INT64) whose index vectors lie along `vector_dim`; if that is its rank, each element is a vector
 * of one. map[k] is the dimension, of `rank`, to which element k of a vector belongs. Fails with ST_UNSUPPORTED for other types,
 * else with ST_BAD_MODEL. */
enum status stablehlo_index_check(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, int32_t rank,
                                  struct err *err);

/* Read index vector i, counted over the other dimensions, into start[], one index per dimension; 0 for dimensions that are not in
 * the map. */
void stablehlo_index_read(const struct tensor *at, int64_t vector_dim, const int64_t *map, int32_t n_map, size_t i,
                          int64_t start[TENSOR_MAX_RANK]);

/* Return the offset, in elements, of element i, in row-major order, of a tensor dim[rank] with these strides. */
ptrdiff_t stablehlo_offset(size_t i, const int32_t *dim, const ptrdiff_t *stride, int32_t rank);
