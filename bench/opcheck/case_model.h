/* SPDX-License-Identifier: Apache-2.0 */
/* case_model.h - a test case made into a real single-op .tflite and the bytes of its inputs. */
#ifndef DELEGAUGE_BENCH_CASE_MODEL_H
#define DELEGAUGE_BENCH_CASE_MODEL_H

#include "bench/opcheck/opcheck.h"

#define CASE_INPUTS (sizeof((struct op_case *)0)->in / sizeof(struct case_tensor))

/* One case of one row of lib/ops/ops.def. */
struct case_ref {
    const struct op *op;
    const char *kernel; /* names the golden file */
    const struct op_case *c;
    uint32_t n;      /* its position in the case list, variants behind */
    bool is_variant; /* made from another case: see variant.h */
};

/* The model of a case and its inputs. */
struct case_model {
    uint8_t *file; /* the .tflite; owned */
    size_t file_bytes;
    struct model *model;        /* parsed from `file` */
    uint32_t n_inputs;          /* of the model: inputs that are neither constant nor variable */
    uint32_t slot[CASE_INPUTS]; /* which in[] each of them is */
    void *input[CASE_INPUTS];   /* its content, for session_set_input */
    size_t input_bytes[CASE_INPUTS];
    struct arena arena; /* holds the inputs */
};

/* Fails as model_serialize and model_parse do. case_model_fini frees all of it, after a failure too. */
enum status case_model_init(struct case_model *out, const struct case_ref *ref, uint64_t seed, struct err *err);
void case_model_fini(struct case_model *m);

/* Float activations and a quantized filter: the CPU quantizes the activations too, as TFLite does, the GPU does not. */
bool case_is_hybrid(const struct op_case *c);

#endif
