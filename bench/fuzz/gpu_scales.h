/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_scales.h - every case of quantized tensors with random scales and zero points: the GPU gives the CPU's integers. */
#ifndef DELEGAUGE_BENCH_GPU_SCALES_H
#define DELEGAUGE_BENCH_GPU_SCALES_H

#include "bench/opcheck/case_model.h"

struct scales {
    uint64_t draws; /* of each case */
    bool verbose;   /* print each refusal */

    /* Out: */
    uint64_t compared; /* runs held against the CPU's reference kernels, one with fp32 and one with fp16_storage for each model */
    uint64_t failed;   /* runs whose outputs differ */
    uint64_t invalid;  /* models that the CPU refuses */
    uint64_t refused;  /* runs that the GPU alone refuses */
};

/* Runs each case with --gpu_quant=simulate on its own random content, and prints each difference. Tensors that shared a scale and a
 * zero point share the new ones, but every third draw gives the outputs scales of their own. Fails with ST_NO_GPU and ST_NOMEM. */
enum status scales_run(struct scales *s, const struct case_ref *cases, size_t n, struct err *err);

#endif
