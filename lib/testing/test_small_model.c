/* SPDX-License-Identifier: Apache-2.0 */
/* test_small_model.c - the sound model that loader tests break. */
#include "lib/testing/test_small_model.h"

void small_init(struct small *s)
{
    *s = (struct small){
        .strings = {1, 12, 16, 0x64636261},
        .scale = {1, 1, 1, 1},
        .in = {0, 1, -1},
        .out = {2},
        .order = {0, 1},
        .segments = {0, 1, 1, 1, 2},
        .indices = {3, 0},
        .fc = {.activation = ACT_RELU6},
        .tensors =
            {
                {.name = "x", .type = TYPE_FLOAT32, .rank = 2, .dim = {1, 4}},
                {.name = "w", .type = TYPE_FLOAT32, .rank = 2, .dim = {4, 4}, .buffer = 1},
                {.name = "y", .type = TYPE_FLOAT32, .rank = 2, .dim = {1, 4}},
            },
        .codes = {{.builtin = BUILTIN_FULLY_CONNECTED, .version = 1}, {.builtin = BUILTIN_CALL, .version = 1}},
        .names = {"name"},
    };
    s->buffers[1] = (struct model_buffer){.data = (const uint8_t *)s->weights, .bytes = sizeof s->weights};
    s->buffers[2] = (struct model_buffer){.data = (const uint8_t *)s->strings, .bytes = sizeof s->strings};
    s->dims[0] = (struct sparse_dim){.dense_size = 4};
    s->dims[1] = (struct sparse_dim){.csr = true,
                                     .segments = s->segments,
                                     .n_segments = 5,
                                     .segments_bytes = 4,
                                     .indices = s->indices,
                                     .n_indices = 2,
                                     .indices_bytes = 4};
    s->sparsity = (struct sparsity){.traversal_order = s->order, .n_traversal_order = 2, .dims = s->dims, .n_dims = 2};
    s->ops[0] = (struct model_op){.inputs = s->in,
                                  .n_inputs = 3,
                                  .outputs = s->out,
                                  .n_outputs = 1,
                                  .options_kind = OPTIONS_FULLY_CONNECTED,
                                  .options = &s->fc};
    s->called_ops[0] = (struct model_op){.opcode = 1, .options_kind = OPTIONS_CALL, .options = &s->call};
    s->graphs[0] = (struct model_subgraph){.name = "main",
                                           .tensors = s->tensors,
                                           .n_tensors = 3,
                                           .ops = s->ops,
                                           .n_ops = 1,
                                           .inputs = s->in,
                                           .n_inputs = 1,
                                           .outputs = s->out,
                                           .n_outputs = 1};
    s->graphs[1] = (struct model_subgraph){.name = "other", .ops = s->called_ops, .n_ops = 1};
    s->signature = (struct model_signature){.key = "serve", .input_names = s->names, .input_tensors = s->named, .n_inputs = 1};
    s->metadata = (struct model_metadata){.name = "about"};
    s->m = (struct model){.description = "",
                          .opcodes = s->codes,
                          .n_opcodes = 2,
                          .subgraphs = s->graphs,
                          .n_subgraphs = 2,
                          .buffers = s->buffers,
                          .n_buffers = 3,
                          .signatures = &s->signature,
                          .n_signatures = 1,
                          .metadata = &s->metadata,
                          .n_metadata = 1};
}
