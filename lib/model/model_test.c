/* SPDX-License-Identifier: Apache-2.0 */
/* model_test.c - which models the loader refuses, in which words, and which it lets pass. */
#include <stdlib.h>

#include "lib/testing/test_small_model.h"

/* The ways to break it. */

static void short_constant(struct small *s)
{
    s->buffers[1].bytes = 60;
}
static void long_constant(struct small *s)
{
    s->tensors[1].dim[0] = 3;
}
static void huge_shape(struct small *s)
{
    s->tensors[0].dim[0] = s->tensors[0].dim[1] = 0x7fffffff;
}
static void negative_shape(struct small *s)
{
    s->tensors[0].dim[1] = -1;
}
static void odd_int4(struct small *s)
{
    s->tensors[1] = (struct tensor){.name = "w", .type = TYPE_INT4, .rank = 1, .dim = {129}, .buffer = 1};
}
static void missing_buffer(struct small *s)
{
    s->tensors[1].buffer = 9;
}
static void variable_constant(struct small *s)
{
    s->tensors[1].is_variable = true;
}
static void bad_input(struct small *s)
{
    s->in[1] = 7;
}
static void bad_output(struct small *s)
{
    s->out[0] = -1;
}
static void constant_output(struct small *s)
{
    s->out[0] = 1;
    s->in[1] = -1;
}
static void overlap(struct small *s)
{
    s->out[0] = 0;
}
static void bad_opcode(struct small *s)
{
    s->ops[0].opcode = 5;
}
static void bad_activation(struct small *s)
{
    s->fc.activation = 99;
}
static void bad_subgraph(struct small *s)
{
    s->call.subgraph = 2;
}
static void self_call(struct small *s)
{
    s->call.subgraph = 1;
}
static void no_call_options(struct small *s)
{
    s->called_ops[0].options_kind = OPTIONS_NONE;
}
static void nameless_custom(struct small *s)
{
    s->codes[0].builtin = BUILTIN_CUSTOM;
}
static void bad_signature(struct small *s)
{
    s->named[0] = 3;
}
static void bad_signature_graph(struct small *s)
{
    s->signature.subgraph = 2;
}
static void bad_metadata(struct small *s)
{
    s->metadata.buffer = 3;
}

static void quantize(struct small *s, uint32_t n, int32_t dim)
{
    s->tensors[1].quant = (struct quant){.n = n, .dim = dim, .scale = s->scale, .zero_point = s->zero_point};
}
static void per_channel(struct small *s)
{
    quantize(s, 4, 1);
}
static void few_scales(struct small *s)
{
    quantize(s, 3, 0);
}
static void bad_axis(struct small *s)
{
    quantize(s, 4, 2);
}

static void sparse(struct small *s)
{
    s->tensors[1].sparsity = &s->sparsity;
    s->buffers[1].bytes = 8;
}
static void few_segments(struct small *s)
{
    sparse(s);
    s->dims[1].n_segments = 3;
}
static void bad_index(struct small *s)
{
    sparse(s);
    s->indices[0] = 4;
}
static void sparse_short(struct small *s)
{
    sparse(s);
    s->buffers[1].bytes = 7;
}

static void string(struct small *s)
{
    s->tensors[1] = (struct tensor){.name = "s", .type = TYPE_STRING, .rank = 1, .dim = {1}, .buffer = 2};
}
static void string_end(struct small *s)
{
    string(s);
    s->strings[2] = 17;
}
static void string_count(struct small *s)
{
    string(s);
    s->tensors[1].dim[0] = 2;
}

static const struct {
    const char *what;
    void (*apply)(struct small *);
    enum status st;
    const char *says; /* part of the message */
} breaks[] = {
    {"constant longer than its shape", long_constant, ST_OK, ""},
    {"per-channel quantization", per_channel, ST_OK, ""},
    {"sparse constant", sparse, ST_OK, ""},
    {"string constant", string, ST_OK, ""},
    {"short constant", short_constant, ST_BAD_MODEL, "subgraph 0: tensor 1 \"w\": FLOAT32[4,4] needs 64 bytes, its buffer has 60"},
    {"int4 rounds up", odd_int4, ST_BAD_MODEL, "INT4[129] needs 65 bytes, its buffer has 64"},
    {"huge shape", huge_shape, ST_NOMEM,
     sizeof(size_t) < 8 ? "tensor 0 \"x\": shape [2147483647,2147483647] has more than 2^25 elements"
                        : "tensor 0 \"x\": shape [2147483647,2147483647] has more than 2^40 elements"},
    {"negative shape", negative_shape, ST_BAD_MODEL, "shape [1,-1] has a negative dimension"},
    {"missing buffer", missing_buffer, ST_BAD_MODEL, "tensor 1 \"w\": buffer 9 of 3"},
    {"variable constant", variable_constant, ST_UNSUPPORTED, "a variable with a constant of 64 bytes"},
    {"bad input", bad_input, ST_BAD_MODEL, "subgraph 0: node 0 FULLY_CONNECTED: input 1 is tensor 7 of 3"},
    {"bad output", bad_output, ST_BAD_MODEL, "output 0 is tensor -1 of 3"},
    {"constant output", constant_output, ST_BAD_MODEL, "output 0 is the constant tensor 1 \"w\""},
    {"overlap", overlap, ST_BAD_MODEL, "tensor 0 is an input and an output of it"},
    {"bad opcode", bad_opcode, ST_BAD_MODEL, "node 0 has operator code 5 of 2"},
    {"bad activation", bad_activation, ST_UNSUPPORTED, "activation is 99, the last known value is 5"},
    {"bad subgraph", bad_subgraph, ST_BAD_MODEL, "subgraph 1: node 0 CALL: subgraph is subgraph 2 of 2"},
    {"self call", self_call, ST_BAD_MODEL, "subgraph 1 \"other\" is called in a circle"},
    {"call without options", no_call_options, ST_BAD_MODEL, "node 0 CALL: its options, which name subgraphs, are missing"},
    {"nameless custom op", nameless_custom, ST_BAD_MODEL, "operator code 0: a custom operator without a name"},
    {"bad signature", bad_signature, ST_BAD_MODEL, "signature 0: input 0 \"name\" is tensor 3 of 3"},
    {"bad signature graph", bad_signature_graph, ST_BAD_MODEL, "signature 0: it belongs to subgraph 2 of 2"},
    {"bad metadata", bad_metadata, ST_BAD_MODEL, "metadata 0 \"about\" is in buffer 3 of 3"},
    {"few scales", few_scales, ST_BAD_MODEL, "3 scales for dimension 0 of FLOAT32[4,4]"},
    {"bad axis", bad_axis, ST_BAD_MODEL, "quantized along dimension 2 of FLOAT32[4,4]"},
    {"few segments", few_segments, ST_BAD_MODEL, "sparse dimension 1: 3 segments for 4 positions"},
    {"bad index", bad_index, ST_BAD_MODEL, "index 4 after -1 in a dimension of 4"},
    {"short sparse constant", sparse_short, ST_BAD_MODEL, "needs 8 bytes, its buffer has 7"},
    {"string past the end", string_end, ST_BAD_MODEL, "string 1 begins at 17, the one before at 12, in a buffer of 16 bytes"},
    {"string count", string_count, ST_BAD_MODEL, "2 strings need at least 16 bytes, its buffer has 16 and holds 1 of them"},
};

static void test_breaks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        struct err err = {{0}};
        struct small s;
        enum status st;
        uint8_t *file;
        size_t bytes;

        small_init(&s);
        breaks[i].apply(&s);
        st = model_serialize(&s.m, &file, &bytes, &err);
        if (st != breaks[i].st || !strstr(err.msg, breaks[i].says))
            fail_msg("%s: status %d, \"%s\"", breaks[i].what, st, err.msg);
        free(file);
    }
}

/* A chain of subgraphs, each calling the next. */
static void test_call_depth(void **state)
{
    enum { CHAIN = 100 };
    struct opt_call call[CHAIN];
    struct model_op ops[CHAIN];
    struct model_subgraph graphs[CHAIN];
    struct model_opcode code = {.builtin = BUILTIN_CALL, .version = 1};
    struct model m = {.opcodes = &code, .n_opcodes = 1, .subgraphs = graphs};
    struct err err = {{0}};
    uint8_t *file;
    size_t bytes;

    (void)state;
    for (uint32_t i = 0; i < CHAIN; i++) {
        call[i] = (struct opt_call){.subgraph = i + 1};
        ops[i] = (struct model_op){.options_kind = OPTIONS_CALL, .options = &call[i]};
        graphs[i] = (struct model_subgraph){.name = "link", .ops = &ops[i], .n_ops = 1};
    }
    for (m.n_subgraphs = 1; m.n_subgraphs <= CHAIN; m.n_subgraphs++) {
        enum status want = m.n_subgraphs <= 64 ? ST_OK : ST_UNSUPPORTED;

        graphs[m.n_subgraphs - 1].n_ops = 0;
        assert_int_equal(model_serialize(&m, &file, &bytes, &err), want);
        graphs[m.n_subgraphs - 1].n_ops = 1;
        free(file);
    }
    assert_non_null(strstr(err.msg, "subgraph 64 \"link\" is called 64 levels deep, the most supported is 63"));
}

/* A tensor without elements that nothing computes is a constant; an input is none, whatever its buffer says. */
static void test_constness(void **state)
{
    struct err err = {{0}};
    struct small s;
    struct model *m;
    uint8_t *file;
    size_t bytes;

    (void)state;
    small_init(&s);
    s.tensors[1] = (struct tensor){.name = "shape", .type = TYPE_INT32, .rank = 1};
    s.tensors[0].buffer = 1;
    assert_int_equal(model_serialize(&s.m, &file, &bytes, &err), ST_OK);
    assert_int_equal(model_parse(file, bytes, "m", &m, &err), ST_OK);
    assert_true(m->subgraphs[0].tensors[1].is_known);
    assert_non_null(m->subgraphs[0].tensors[1].data);
    assert_false(m->subgraphs[0].tensors[0].is_const);
    assert_false(m->subgraphs[0].tensors[2].is_const);
    model_close(m);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_constness),
        cmocka_unit_test(test_call_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
