/* SPDX-License-Identifier: Apache-2.0 */
/* test_small_model.h - a small valid model, for loader tests that break it in one place.
 *
 * A test changes one member after small_init and expects one message, which must thus be about that member. Optional parts
 * (strings, sparsity, a call, a signature) are prepared, for tests to link in. */
#pragma once

#include "lib/model/model.h"
#include "lib/testing/test.h"

/* A valid model of one FULLY_CONNECTED, y[1,4] = x[1,4] w[4,4], with the parts that tests link in or break; subgraph 1 has a
 * CALL. */
struct small {
    float weights[16];  /* of w, buffer 1 */
    int32_t strings[4]; /* buffer 2: one string, "abcd", as TFLite stores them */
    float scale[4];
    int64_t zero_point[4]; /* with `scale`: quantization per channel, not linked in */
    int32_t in[3], out[1], signature_in[1], order[2], segments[5], indices[2];
    struct sparse_dim dims[2];
    struct sparsity sparsity; /* w as CSR with two elements, not linked in */
    struct opt_fully_connected fc;
    struct opt_call call;
    struct model_buffer buffers[3];
    struct tensor tensors[3];
    struct model_op ops[1], called_ops[1];
    struct model_opcode codes[2];
    struct model_subgraph graphs[2];
    struct model_signature signature; /* with `metadata`: filled, but not counted by n_signatures and n_metadata */
    struct model_metadata metadata;
    const char *names[1];
    uint32_t named[1];
    struct model m;
};

/* Fill *s so that model_serialize(&s->m, ...) accepts it. Do not copy it: its pointers lead into *s. */
void small_init(struct small *s);
