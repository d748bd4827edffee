/* SPDX-License-Identifier: Apache-2.0 */
/* test_small_model.h - for tests of the loader: a sound model of a few lines, to be broken in one place.
 *
 * A test changes one member after small_init and expects one message: so the message is about that member. Parts that a sound model
 * need not have (strings, sparsity, a call, a signature) are prepared beside it, to be linked in. */
#ifndef DELEGAUGE_TEST_SMALL_MODEL_H
#define DELEGAUGE_TEST_SMALL_MODEL_H

#include "lib/model/model.h"
#include "lib/testing/test.h"

/* A sound model of one FULLY_CONNECTED, y[1,4] = x[1,4] w[4,4], with room for the parts that the tests break; subgraph 1 has a
 * CALL. */
struct small {
    float weights[16];  /* of w, buffer 1 */
    int32_t strings[4]; /* buffer 2: one string, "abcd", as TFLite stores them */
    float scale[4];
    int64_t zero_point[4]; /* for a quantization per channel, in no tensor */
    int32_t in[3], out[1], signature_in[1], order[2], segments[5], indices[2];
    struct sparse_dim dims[2];
    struct sparsity sparsity; /* of w as CSR with two elements; in no tensor */
    struct opt_fully_connected fc;
    struct opt_call call;
    struct model_buffer buffers[3];
    struct tensor tensors[3];
    struct model_op ops[1], called_ops[1];
    struct model_opcode codes[2];
    struct model_subgraph graphs[2];
    struct model_signature signature; /* and metadata: there, but n_signatures and n_metadata count them */
    struct model_metadata metadata;
    const char *names[1];
    uint32_t named[1];
    struct model m;
};

/* Make the model ready for model_serialize(&s->m, ...), which accepts it. Its pointers lead into `s` itself: do not copy it. */
void small_init(struct small *s);

#endif
