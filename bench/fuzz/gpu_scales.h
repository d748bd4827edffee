/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_scales.h - runs every quantized case with random scales and zero points; the GPU must compute the CPU's integers. */
#pragma once

#include "bench/opcheck/case_model.h"

struct scales {
    uint64_t draws; /* random scales for each case */
    bool verbose;   /* print each refusal */

    /* Results: runs compared with the CPU's reference kernels, one in fp32 and one in fp16_storage for each model. */
    uint64_t compared;
    uint64_t failed;  /* runs with different outputs */
    uint64_t invalid; /* models that the CPU refuses */
    uint64_t refused; /* runs that the GPU alone refuses */
};

/* Run each case with --gpu_quant=simulate on its own random content, and print each difference. Tensors that share scale and zero
 * point get common new ones, except that in every third draw the outputs get their own. Fails with ST_NO_GPU or ST_NOMEM. */
enum status scales_run(struct scales *s, const struct case_ref *cases, size_t n, struct err *err);
