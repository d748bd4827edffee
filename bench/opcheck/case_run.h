/* SPDX-License-Identifier: Apache-2.0 */
/* case_run.h - runs a case's model through a session and keeps a copy of its outputs. */
#ifndef DELEGAUGE_BENCH_CASE_RUN_H
#define DELEGAUGE_BENCH_CASE_RUN_H

#include "bench/opcheck/case_model.h"
#include "lib/session/session.h"

#define CASE_OUTPUTS (sizeof((struct op_case *)0)->out / sizeof(struct case_tensor))

/* A copy of one output. Elements as in tensor.h. */
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

/* The way in which a case runs. */
struct case_how {
    enum cpu_mode mode; /* of the nodes on the CPU */
    int num_threads;
    struct delegate *delegate; /* borrowed; NULL: CPU only */
    uint32_t time_runs;        /* > 0: median time of that many runs into *ns */
};

/* Runs the model `runs` times on the same inputs and copies the outputs of the last one. With a delegate that refuses the node,
 * fills *why, leaves *out empty and returns ST_OK. case_outputs_free frees the outputs, after a failure too. */
enum status case_run(const struct case_model *m, uint32_t runs, const struct case_how *how, struct case_outputs *out,
                     struct reason *why, uint64_t *ns, struct err *err);
void case_outputs_free(struct case_outputs *o);

#endif
