/* SPDX-License-Identifier: Apache-2.0 */
/* model_write_test.c - what is written reads back equal: every option table, every feature of the format, every real model. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/model/model.h"
#include "lib/testing/test.h"

/* ---- two models compared, with a function for each struct of model.h: pointers may differ, their targets may not ---- */

static void same_bytes(const void *a, const void *b, size_t bytes)
{
    if (bytes)
        assert_memory_equal(a, b, bytes);
}

/* One member of an option struct, by its row of schema/options.c. */
static void same_field(const struct field *d, const uint8_t *a, const uint8_t *b)
{
    static const uint8_t list_bytes[] = {
        [FIELD_LIST_BOOL] = 1, [FIELD_LIST_U8] = 1,  [FIELD_LIST_I32] = 4,      [FIELD_LIST_U32] = 4,
        [FIELD_LIST_I64] = 8,  [FIELD_LIST_F32] = 4, [FIELD_LIST_SUBGRAPH] = 4,
    };
    uint64_t n = 0;

    memcpy(&n, a + d->count_offset, d->count_bytes);
    if (d->count_bytes)
        assert_memory_equal(a + d->count_offset, b + d->count_offset, d->count_bytes);
    if (d->kind >= FIELD_LIST_BOOL) {
        same_bytes(*(const void *const *)(a + d->offset), *(const void *const *)(b + d->offset), n * list_bytes[d->kind]);
    } else if (d->kind == FIELD_STRING) {
        const char *x = *(const char *const *)(a + d->offset), *y = *(const char *const *)(b + d->offset);

        assert_int_equal(!x, !y);
        if (x)
            assert_string_equal(x, y);
    } else if (d->kind == FIELD_ARRAY_I64) {
        assert_memory_equal(a + d->offset, b + d->offset, d->max * sizeof(int64_t));
    } else if (d->kind >= FIELD_ARRAY_I32) {
        assert_memory_equal(a + d->offset, b + d->offset, d->max * sizeof(int32_t));
    } else {
        assert_memory_equal(a + d->offset, b + d->offset,
                            d->kind == FIELD_BOOL  ? 1
                            : d->kind == FIELD_I64 ? sizeof(int64_t)
                                                   : sizeof(int32_t));
    }
}

/* Operators, their options field by field: options of equal value, not of equal bytes. */
static void same_op(const struct model_op *a, const struct model_op *b)
{
    const struct options_table *table = options_table(a->options_kind);

    assert_int_equal(a->opcode, b->opcode);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_outputs, b->n_outputs);
    assert_int_equal(a->n_intermediates, b->n_intermediates);
    assert_int_equal(a->n_mutating, b->n_mutating);
    assert_int_equal(a->n_custom, b->n_custom);
    assert_int_equal(a->options_kind, b->options_kind);
    same_bytes(a->inputs, b->inputs, 4 * a->n_inputs);
    same_bytes(a->outputs, b->outputs, 4 * a->n_outputs);
    same_bytes(a->intermediates, b->intermediates, 4 * a->n_intermediates);
    same_bytes(a->mutating, b->mutating, a->n_mutating);
    same_bytes(a->custom, b->custom, a->n_custom);
    assert_int_equal(!a->options, !b->options);
    for (uint16_t i = 0; table && a->options && i < table->n_fields; i++)
        same_field(&table->fields[i], a->options, b->options);
}

static void same_sparsity(const struct sparsity *a, const struct sparsity *b)
{
    assert_int_equal(!a, !b);
    if (!a)
        return;
    assert_int_equal(a->n_traversal_order, b->n_traversal_order);
    assert_int_equal(a->n_block_map, b->n_block_map);
    assert_int_equal(a->n_dims, b->n_dims);
    same_bytes(a->traversal_order, b->traversal_order, 4 * a->n_traversal_order);
    same_bytes(a->block_map, b->block_map, 4 * a->n_block_map);
    for (uint32_t i = 0; i < a->n_dims; i++) {
        const struct sparse_dim *x = &a->dims[i], *y = &b->dims[i];

        assert_int_equal(x->csr, y->csr);
        assert_int_equal(x->dense_size, y->dense_size);
        assert_int_equal(x->n_segments, y->n_segments);
        assert_int_equal(x->n_indices, y->n_indices);
        assert_int_equal(x->segments_bytes, y->segments_bytes);
        assert_int_equal(x->indices_bytes, y->indices_bytes);
        same_bytes(x->segments, y->segments, (size_t)x->n_segments * x->segments_bytes);
        same_bytes(x->indices, y->indices, (size_t)x->n_indices * x->indices_bytes);
    }
}

static void same_quant(const struct quant *a, const struct quant *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_min, b->n_min);
    assert_int_equal(a->n_max, b->n_max);
    assert_int_equal(a->n_axes, b->n_axes);
    assert_int_equal(a->n_block_shape, b->n_block_shape);
    assert_int_equal(a->block_size, b->block_size);
    assert_int_equal(a->block_scales, b->block_scales);
    assert_int_equal(a->block_zero_points, b->block_zero_points);
    if (a->n)
        assert_int_equal(a->dim, b->dim);
    same_bytes(a->scale, b->scale, 4 * a->n);
    same_bytes(a->zero_point, b->zero_point, 8 * a->n);
    same_bytes(a->min, b->min, 4 * a->n_min);
    same_bytes(a->max, b->max, 4 * a->n_max);
    same_bytes(a->axes, b->axes, 4 * a->n_axes);
    same_bytes(a->block_shape, b->block_shape, 4 * a->n_block_shape);
}

static void same_tensor(const struct tensor *a, const struct tensor *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->type, b->type);
    assert_true(tensor_same_shape(a, b));
    assert_int_equal(a->n_signature, b->n_signature);
    same_bytes(a->signature, b->signature, 4 * a->n_signature);
    assert_int_equal(a->has_rank, b->has_rank);
    assert_int_equal(a->is_variable, b->is_variable);
    assert_int_equal(a->is_const, b->is_const);
    assert_int_equal(a->buffer, b->buffer);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->n_variants, b->n_variants);
    same_quant(&a->quant, &b->quant);
    same_sparsity(a->sparsity, b->sparsity);
}

static void same_subgraph(const struct model_subgraph *a, const struct model_subgraph *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->debug_metadata_index, b->debug_metadata_index);
    assert_int_equal(a->n_tensors, b->n_tensors);
    assert_int_equal(a->n_ops, b->n_ops);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_outputs, b->n_outputs);
    same_bytes(a->inputs, b->inputs, 4 * a->n_inputs);
    same_bytes(a->outputs, b->outputs, 4 * a->n_outputs);
    for (uint32_t i = 0; i < a->n_tensors; i++)
        same_tensor(&a->tensors[i], &b->tensors[i]);
    for (uint32_t i = 0; i < a->n_ops; i++)
        same_op(&a->ops[i], &b->ops[i]);
}

static void same_names(uint32_t n, const char **a, const char **b, const uint32_t *x, const uint32_t *y)
{
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(a[i], b[i]);
    same_bytes(x, y, 4 * n);
}

/* Fail the test at the first difference between `a` and `b`, in any field: options, quantization, sparsity, buffers byte by byte.
 * Members that the loader derives (pointers, known values) are not compared. */
static void same_model(const struct model *a, const struct model *b)
{
    assert_string_equal(a->description, b->description);
    assert_int_equal(a->n_opcodes, b->n_opcodes);
    assert_int_equal(a->n_buffers, b->n_buffers);
    assert_int_equal(a->n_subgraphs, b->n_subgraphs);
    assert_int_equal(a->n_signatures, b->n_signatures);
    assert_int_equal(a->n_metadata, b->n_metadata);
    for (uint32_t i = 0; i < a->n_opcodes; i++) {
        assert_int_equal(a->opcodes[i].builtin, b->opcodes[i].builtin);
        assert_int_equal(a->opcodes[i].version, b->opcodes[i].version);
        assert_int_equal(!a->opcodes[i].custom, !b->opcodes[i].custom);
        if (b->opcodes[i].name && a->opcodes[i].name)
            assert_string_equal(a->opcodes[i].name, b->opcodes[i].name);
    }
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        assert_int_equal(a->buffers[i].bytes, b->buffers[i].bytes);
        assert_int_equal(a->buffers[i].outside, b->buffers[i].outside);
        same_bytes(a->buffers[i].data, b->buffers[i].data, a->buffers[i].bytes);
    }
    for (uint32_t i = 0; i < a->n_subgraphs; i++)
        same_subgraph(&a->subgraphs[i], &b->subgraphs[i]);
    for (uint32_t i = 0; i < a->n_signatures; i++) {
        const struct model_signature *x = &a->signatures[i], *y = &b->signatures[i];

        assert_string_equal(x->key, y->key);
        assert_int_equal(x->subgraph, y->subgraph);
        assert_int_equal(x->n_inputs, y->n_inputs);
        assert_int_equal(x->n_outputs, y->n_outputs);
        same_names(x->n_inputs, x->input_names, y->input_names, x->input_tensors, y->input_tensors);
        same_names(x->n_outputs, x->output_names, y->output_names, x->output_tensors, y->output_tensors);
    }
    for (uint32_t i = 0; i < a->n_metadata; i++) {
        assert_string_equal(a->metadata[i].name, b->metadata[i].name);
        assert_int_equal(a->metadata[i].buffer, b->metadata[i].buffer);
    }
}

/* ---- models written and read back ---- */

static struct model *reload(const struct model *m, uint8_t **file)
{
    struct model *again = NULL;
    struct err err = {{0}};
    size_t bytes;

    if (model_serialize(m, file, &bytes, &err) || model_parse(*file, bytes, "again", &again, &err))
        fail_msg("%s", err.msg);
    return again;
}

/* Every option table, each field away from its default. */

static void set_int(uint8_t *to, int v)
{
    memcpy(to, &v, sizeof v);
}

static void fill_field(const struct field *d, uint8_t *options)
{
    static const uint64_t numbers[4] = {1, 1, 1, 1};
    static const char text[] = "text";
    const void *list = numbers;
    uint64_t n = 2;

    switch (d->kind) {
    case FIELD_BOOL: *(bool *)(options + d->offset) = !d->fallback; break;
    case FIELD_ENUM:
    case FIELD_ENUM_PLUS_1:
    case FIELD_ENUM_WIDE: set_int(options + d->offset, d->max); break;
    case FIELD_TYPE: set_int(options + d->offset, TYPE_INT16); break;
    case FIELD_I32:
    case FIELD_I64_LOW: set_int(options + d->offset, -7 - d->id); break;
    case FIELD_SUBGRAPH: set_int(options + d->offset, 1); break;
    case FIELD_I64: *(int64_t *)(options + d->offset) = -(INT64_C(1) << 40) - d->id; break;
    case FIELD_F32: *(float *)(options + d->offset) = 0.5f + d->id; break;
    case FIELD_STRING: list = text; /* fall through */
    case FIELD_LIST_BOOL:
    case FIELD_LIST_U8:
    case FIELD_LIST_I32:
    case FIELD_LIST_U32:
    case FIELD_LIST_I64:
    case FIELD_LIST_F32:
    case FIELD_LIST_SUBGRAPH:
        memcpy(options + d->offset, &list, sizeof list);
        n = d->kind == FIELD_LIST_SUBGRAPH ? 1 : 2; /* {1, 0}: subgraph 0 must not call itself */
        break;
    case FIELD_ARRAY_I32:
    case FIELD_ARRAY_SUBGRAPH:
        for (int i = 0; i < d->max; i++)
            set_int(options + d->offset + 4 * i, i < 2 ? 1 : d->fallback);
        break;
    case FIELD_ARRAY_I64:
        for (int i = 0; i < d->max; i++)
            ((int64_t *)(options + d->offset))[i] = i < 2 ? -3 - i : d->fallback;
        break;
    }
    memcpy(options + d->count_offset, &n, d->count_bytes);
}

static void test_options(void **state)
{
    static uint64_t options[OPTIONS_COUNT][200];
    struct model_opcode codes[BUILTIN_COUNT];
    struct model_op ops[OPTIONS_COUNT] = {{0}};
    struct model_subgraph graphs[2] = {
        {.name = "main", .ops = ops, .n_ops = OPTIONS_COUNT, .debug_metadata_index = -1},
        {.name = "called", .debug_metadata_index = -1},
    };
    struct model m = {.description = "", .opcodes = codes, .n_opcodes = BUILTIN_COUNT, .subgraphs = graphs, .n_subgraphs = 2};
    struct model *again;
    uint8_t *file;

    (void)state;
    for (int i = 0; i < BUILTIN_COUNT; i++)
        codes[i] = (struct model_opcode){.builtin = i, .version = i % 5, .custom = i == BUILTIN_CUSTOM ? "mine" : NULL};
    for (int k = 1; k < OPTIONS_COUNT; k++) {
        const struct options_table *table = options_table((enum options_kind)k);

        assert_true(table->size <= sizeof options[k]);
        for (uint16_t i = 0; i < table->n_fields; i++)
            fill_field(&table->fields[i], (uint8_t *)options[k]);
        ops[k].options_kind = (enum options_kind)k;
        ops[k].options = table->size ? options[k] : NULL;
    }
    again = reload(&m, &file);
    same_model(&m, again);
    model_close(again);
    free(file);
}

/* The rest of the format in one small model. */

static const float scales[4] = {0.5f, 0.25f, 1, 2}, low[1] = {-1}, high[1] = {1};
static const int64_t zero_points[4] = {0, 1, -1, 3};
static const int32_t known[2] = {-1, 4}, order[2] = {0, 1}, axes[2] = {0, 1}, variant_dim[1] = {5};
static const uint8_t segments[3] = {0, 1, 3};
static const uint16_t indices[3] = {2, 0, 3};
static const struct sparse_dim dims[2] = {
    {.dense_size = 2},
    {.csr = true,
     .segments = segments,
     .n_segments = 3,
     .segments_bytes = 1,
     .indices = indices,
     .n_indices = 3,
     .indices_bytes = 2},
};
static const struct sparsity sparsity = {.traversal_order = order, .n_traversal_order = 2, .n_dims = 2, .dims = dims};
static const struct tensor_variant variant = {.type = TYPE_INT8, .dim = variant_dim, .rank = 1, .has_rank = true};
static const int32_t strings[] = {2, 16, 17, 19, 0x636261};
static const uint8_t weights[24] = {1, 2, 3, 4};
static struct model_buffer buffers[] = {
    {0},
    {.data = weights, .bytes = 12},
    {.data = (const uint8_t *)strings, .bytes = 19},
    {.data = weights, .bytes = 4, .outside = true},
    {.data = weights, .bytes = 24, .outside = true},
};
static struct tensor tensors[] = {
    {.name = "in",
     .type = TYPE_FLOAT32,
     .rank = 2,
     .dim = {1, 4},
     .signature = known,
     .n_signature = 2,
     .has_rank = true,
     .bytes = 16},
    {.name = "sparse",
     .type = TYPE_FLOAT32,
     .rank = 2,
     .dim = {2, 4},
     .buffer = 1,
     .sparsity = &sparsity,
     .is_const = true,
     .bytes = 32},
    {.name = "text", .type = TYPE_STRING, .rank = 1, .dim = {2}, .buffer = 2, .is_const = true, .bytes = 19},
    {.name = "int4",
     .type = TYPE_INT4,
     .rank = 2,
     .dim = {2, 4},
     .buffer = 3,
     .is_const = true,
     .bytes = 4,
     .quant = {.n = 4, .dim = 1, .scale = scales, .zero_point = zero_points, .min = low, .max = high, .n_min = 1, .n_max = 1}},
    {.name = "state", .type = TYPE_FLOAT16, .rank = 1, .dim = {3}, .is_variable = true, .bytes = 6},
    {.name = "blocks",
     .type = TYPE_INT8,
     .rank = 1,
     .dim = {24},
     .buffer = 4,
     .is_const = true,
     .bytes = 24,
     .quant = {.block_size = 8, .block_scales = 0, .block_zero_points = -1}},
    {.name = "axes",
     .type = TYPE_INT8,
     .rank = 2,
     .dim = {2, 2},
     .bytes = 4,
     .quant = {.block_scales = 1, .block_zero_points = 2, .axes = axes, .n_axes = 2}},
    {.name = "variant", .type = TYPE_VARIANT, .variants = &variant, .n_variants = 1},
    {.name = "out", .type = TYPE_BFLOAT16, .rank = 0, .bytes = 2},
};
static const int32_t in[3] = {0, -1, 1}, out[1] = {8}, middle[2] = {4, -1}, inputs[1] = {0};
static const bool mutating[3] = {false, true, false};
static struct model_op ops[] = {
    {.opcode = 0,
     .inputs = in,
     .n_inputs = 3,
     .outputs = out,
     .n_outputs = 1,
     .intermediates = middle,
     .n_intermediates = 2,
     .mutating = mutating,
     .n_mutating = 3,
     .custom = weights,
     .n_custom = 5},
    {.opcode = 1},
};
static struct model_opcode codes[] = {{.builtin = BUILTIN_CUSTOM, .custom = "Mine", .version = 3}, {.builtin = 300, .version = 1}};
static struct model_subgraph graph = {.name = "main",
                                      .tensors = tensors,
                                      .n_tensors = 9,
                                      .ops = ops,
                                      .n_ops = 2,
                                      .inputs = inputs,
                                      .n_inputs = 1,
                                      .outputs = out,
                                      .n_outputs = 1};
static const char *in_names[1] = {"x"}, *out_names[1] = {"y"};
static const uint32_t in_tensors[1] = {0}, out_tensors[1] = {8};
static struct model_signature signature = {.key = "serve",
                                           .input_names = in_names,
                                           .output_names = out_names,
                                           .input_tensors = in_tensors,
                                           .output_tensors = out_tensors,
                                           .n_inputs = 1,
                                           .n_outputs = 1};
static struct model_metadata metadata = {.name = "min_runtime_version", .buffer = 1};
static struct model features = {.description = "all of it",
                                .opcodes = codes,
                                .n_opcodes = 2,
                                .subgraphs = &graph,
                                .n_subgraphs = 1,
                                .buffers = buffers,
                                .n_buffers = 5,
                                .signatures = &signature,
                                .n_signatures = 1,
                                .metadata = &metadata,
                                .n_metadata = 1};

static void test_features(void **state)
{
    struct model *again;
    uint8_t *file;

    (void)state;
    again = reload(&features, &file);
    same_model(&features, again);
    assert_string_equal(model_op_name(again, &again->subgraphs[0].ops[0]), "Mine");
    assert_string_equal(model_op_name(again, &again->subgraphs[0].ops[1]), "BUILTIN_300");
    assert_int_equal((uintptr_t)(again->buffers[1].data - again->file) % 16, 0);
    assert_true(again->buffers[4].data + 24 == again->file + again->file_bytes);
    assert_int_equal(again->subgraphs[0].tensors[7].variants[0].dim[0], 5);
    model_close(again);
    free(file);
}

static void test_write(void **state)
{
    struct model m = {.description = "written"}, *again;
    char path[] = "/tmp/model_write_test.XXXXXX";
    struct err err = {{0}};
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(model_write(&m, path, &err), ST_OK);
    assert_int_equal(model_open(path, &again, &err), ST_OK);
    assert_string_equal(again->description, "written");
    model_close(again);
    unlink(path);
    assert_int_equal(model_write(&m, "/nonexistent/m.tflite", &err), ST_IO);
    assert_non_null(strstr(err.msg, "/nonexistent/m.tflite"));
}

/* The fuzz corpus, and real models where they are. */

static void round_trip(const char *path)
{
    struct model *m, *again;
    struct err err;
    uint8_t *file;

    if (model_open(path, &m, &err))
        return;
    again = reload(m, &file);
    same_model(m, again);
    model_close(again);
    model_close(m);
    free(file);
}

static int round_trips(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    int n = 0;

    if (!d)
        return 0;
    while ((e = readdir(d))) {
        char path[4400];

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        round_trip(path);
        n++;
    }
    closedir(d);
    return n;
}

static void test_corpus(void **state)
{
    (void)state;
    if (!round_trips("testdata/fuzz")) /* not run from the top */
        skip();
}

static void test_real_models(void **state)
{
    static const char *const kinds[] = {"float", "quant", "ops", "bad"};
    const char *root = getenv("MODELS");
    char dir[4000];
    int n = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        snprintf(dir, sizeof dir, "%s/%s", root ? root : "../shared/models", kinds[i]);
        n += round_trips(dir);
    }
    if (!n)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options), cmocka_unit_test(test_features),    cmocka_unit_test(test_write),
        cmocka_unit_test(test_corpus),  cmocka_unit_test(test_real_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
