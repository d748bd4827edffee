/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_scales.h - every case of quantized tensors with random scales and zero points: the GPU gives the CPU's integers. */
#ifndef DELEGAUGE_BENCH_GPU_SCALES_H
#define DELEGAUGE_BENCH_GPU_SCALES_H

#include "case_model.h"

struct scales {
    uint64_t draws; /* of each case */
    bool verbose;   /* print what is refused */

    /* Out: models that were held against the CPU's reference kernels, in each precision that stores values in 32 and in 16 bits;
     * of these, those that differ; models that the CPU refuses; models that the CPU runs and the GPU does not. */
    uint64_t compared, failed, invalid, refused;
};

/* Runs each case with --gpu_quant=simulate on content of its own, and prints what differs. Tensors that shared a scale and a zero
 * point share the new ones. Fails where there is no device (ST_NO_GPU), and with ST_NOMEM. */
enum status scales_run(struct scales *s, const struct case_ref *cases, size_t n, struct err *err);

#endif
