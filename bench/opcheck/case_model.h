/* SPDX-License-Identifier: Apache-2.0 */
/* case_model.h - builds a test case into a real single-op .tflite with the content of its inputs. */
#pragma once

#include "bench/opcheck/opcheck.h"

#define CASE_INPUTS (sizeof((struct op_case *)0)->in / sizeof(struct case_tensor))

/* A case of a row of lib/ops/ops.def. */
struct case_ref {
    const struct op *op;
    const char *kernel; /* name of the golden file */
    const struct op_case *c;
    uint32_t n;      /* position in the case list, variants last */
    bool is_variant; /* made from another case (variant.h) */
};

/* A case's model and its inputs. */
struct case_model {
    uint8_t *file; /* owned: the .tflite */
    size_t file_bytes;
    struct model *model;        /* parsed from `file` */
    uint32_t n_inputs;          /* inputs of the model: neither constant nor variable */
    uint32_t slot[CASE_INPUTS]; /* by input of the model: index in op_case.in[] */
    void *input[CASE_INPUTS];   /* content for session_set_input */
    size_t input_bytes[CASE_INPUTS];
    struct arena arena; /* holds the inputs */
};

/* Build the model. Fails as model_serialize and model_parse do. Free with case_model_fini, after failures too. */
enum status case_model_init(struct case_model *out, const struct case_ref *ref, uint64_t seed, struct err *err);
void case_model_fini(struct case_model *m);

/* Return true if activations are float and the filter is quantized: the CPU quantizes the activations too, as TFLite does, the GPU
 * does not. */
bool case_is_hybrid(const struct op_case *c);
