/* SPDX-License-Identifier: Apache-2.0 */
/* model_test.c - what the loader refuses, in which words, and what it lets pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model.h"

/* A sound model of one FULLY_CONNECTED, with room for what the tests break. */
struct small {
    float weights[16];
    int32_t strings[4];
    float scale[4];
    int64_t zero_point[4];
    int32_t in[3], out[1], signature_in[1], order[2], segments[5], indices[2];
    struct sparse_dim dims[2];
    struct sparsity sparsity;
    struct opt_fully_connected fc;
    struct opt_call call;
    struct model_buffer buffers[3];
    struct tensor tensors[3];
    struct model_op ops[1], called_ops[1];
    struct model_opcode codes[2];
    struct model_subgraph graphs[2];
    struct model_signature signature;
    struct model_metadata metadata;
    const char *names[1];
    uint32_t named[1];
    struct model m;
};

static void small_init(struct small *s)
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
    {"huge shape", huge_shape, ST_NOMEM, "tensor 0 \"x\": shape [2147483647,2147483647] has more than 2^40 elements"},
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

static uint8_t *small_file(size_t *bytes)
{
    struct err err = {{0}};
    struct small s;
    uint8_t *file;

    small_init(&s);
    quantize(&s, 4, 0);
    if (model_serialize(&s.m, &file, bytes, &err))
        fail_msg("%s", err.msg);
    return file;
}

/* Whatever happens to the bytes: a model, or a message. The copy has the exact size, so that sanitizers see any byte read
 * past it. */
static void parse_any(const uint8_t *file, size_t bytes)
{
    uint8_t *copy = malloc(bytes + !bytes);
    struct err err = {{0}};
    struct model *m;

    assert_non_null(copy);
    memcpy(copy, file, bytes);
    if (model_parse(copy, bytes, "broken", &m, &err)) {
        assert_null(m);
        assert_memory_equal(err.msg, "broken: ", 8);
        assert_null(strchr(err.msg, '\n'));
    }
    model_close(m);
    free(copy);
}

static void test_truncation(void **state)
{
    uint8_t *file;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    for (size_t n = 0; n <= bytes; n++)
        parse_any(file, n);
    free(file);
}

static void test_changed_bytes(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    uint8_t *file;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    for (size_t i = 0; i < bytes; i++) {
        uint8_t was = file[i];

        for (size_t k = 0; k < sizeof values; k++) {
            file[i] = values[k];
            parse_any(file, bytes);
        }
        file[i] = was;
    }
    free(file);
}

static void test_unaligned(void **state)
{
    struct err err = {{0}};
    uint8_t *file, *moved;
    size_t bytes;

    (void)state;
    file = small_file(&bytes);
    assert_non_null(moved = malloc(bytes + 8));
    for (size_t shift = 1; shift < 8; shift++) {
        const struct tensor *w;
        struct model *m;

        memcpy(moved + shift, file, bytes);
        assert_int_equal(model_parse(moved + shift, bytes, "moved", &m, &err), ST_OK);
        w = &m->subgraphs[0].tensors[1];
        assert_int_equal((uintptr_t)w->data % 4, 0);
        assert_int_equal((uintptr_t)w->quant.zero_point % 8, 0);
        assert_int_equal(w->quant.n, 4);
        assert_int_equal(m->subgraphs[0].ops[0].inputs[2], -1);
        model_close(m);
    }
    free(moved);
    free(file);
}

static void test_other_files(void **state)
{
    static const struct {
        const char *content, *says;
    } files[] = {
        {"", "the file is empty"},
        {"TFL3", "4 bytes, too few"},
        {"version https://git-lfs.github.com/spec/v1\noid", "git-lfs pointer"},
        {"<!DOCTYPE html><html>", "web page"},
        {"{\"version\": 3}", "JSON"},
        {"PK\3\4 and more", "zip archive"},
        {"0123456789", "bytes 4 to 7 are 0x34353637 instead of \"TFL3\""},
        {"\xff\xff\xff\xffTFL3", "the model needs 4 bytes at offset 4294967295, but the file ends at 8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct err err = {{0}};
        struct model *m;

        assert_int_equal(model_parse(files[i].content, strlen(files[i].content), "f", &m, &err), ST_BAD_MODEL);
        if (!strstr(err.msg, files[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.msg, files[i].says);
    }
}

static void test_open(void **state)
{
    struct err err = {{0}};
    struct model *m;

    (void)state;
    assert_int_equal(model_open("/nonexistent.tflite", &m, &err), ST_IO);
    assert_string_equal(err.msg, "/nonexistent.tflite: No such file or directory");
    assert_int_equal(model_open("/", &m, &err), ST_IO);
    assert_string_equal(err.msg, "/: is a directory, not a .tflite file");
    assert_int_equal(model_open("/dev/null", &m, &err), ST_IO);
    assert_null(m);
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

static void test_schema(void **state)
{
    (void)state;
    assert_string_equal(builtin_name(BUILTIN_CONV_2D), "CONV_2D");
    assert_null(builtin_name(-1));
    assert_null(builtin_name(BUILTIN_COUNT));
    for (int32_t i = 0; i < BUILTIN_COUNT; i++)
        assert_int_equal(builtin_from_name(builtin_name(i)), i);
    assert_int_equal(builtin_from_name("CONV"), -1);
    assert_int_equal(builtin_options(BUILTIN_MEAN), OPTIONS_REDUCER);
    assert_int_equal(builtin_options(BUILTIN_RELU), OPTIONS_NONE);
    assert_int_equal(builtin_options(1000), OPTIONS_NONE);
    for (int k = 1; k < OPTIONS_COUNT; k++) {
        const struct options_table *table = options_table((enum options_kind)k);

        assert_int_equal(options_from_union(table->union_, table->number), k);
    }
    assert_null(options_table(OPTIONS_NONE));
    assert_int_equal(options_from_union(2, 200), OPTIONS_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breaks),    cmocka_unit_test(test_truncation),  cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_unaligned), cmocka_unit_test(test_other_files), cmocka_unit_test(test_open),
        cmocka_unit_test(test_constness), cmocka_unit_test(test_schema),      cmocka_unit_test(test_call_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
