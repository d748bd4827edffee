/* SPDX-License-Identifier: Apache-2.0 */
/* case_run.h - runs a case's model in a session and copies its outputs. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "lib/session/session.h"

#define CASE_OUTPUTS (sizeof((struct op_case *)0)->out / sizeof(struct case_tensor))

/* A copy of one output; elements as in tensor.h. */
struct case_output {
    enum tensor_type type;
    int32_t rank, dim[TENSOR_MAX_RANK];
    void *data;   /* owned */
    size_t bytes; /* of data */
};

/* All outputs of a case, in the model's order. */
struct case_outputs {
    uint32_t n;
    struct case_output out[CASE_OUTPUTS];
};

/* How a case is run. */
struct case_how {
    enum cpu_mode mode; /* kernels of CPU nodes */
    int num_threads;
    struct delegate *delegate; /* borrowed; NULL: CPU only */
    uint32_t time_runs;        /* > 0: store the median time of this many runs in *ns */
    bool compile_only;         /* prepare the session and run nothing: *out stays empty */
};

/* Run the model `runs` times on the same inputs and copy the last outputs. If the delegate refuses the node, fill *why, leave *out
 * empty and return ST_OK. Free with case_outputs_free, after failures too. */
enum status case_run(const struct case_model *m, uint32_t runs, const struct case_how *how, struct case_outputs *out,
                     struct reason *why, uint64_t *ns, struct err *err);
void case_outputs_free(struct case_outputs *o);
