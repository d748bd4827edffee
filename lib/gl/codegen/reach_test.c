/* SPDX-License-Identifier: Apache-2.0 */
/* reach_test.c - through what a shader reaches its values and constants: storage blocks, images, texture buffers, uniform blocks,
 * textures. */
#include "lib/gl/testing/test_codegen.h"

static void images_are_read_where_asked_for(void **state)
{
    struct fixture *f = begin(8, true);
    const char *t;

    (void)state;
    f->limits.image_reads = 2;
    f->limits.policy.image_reads = true;
    f->limits.image_vectors = 65536;
    f->x.storage = f->y.storage = GL_STORAGE_IMAGE;
    t = finish(f);
    HAS(t, "layout(rgba16f, binding = 0) uniform restrict readonly highp imageBuffer x_data;");
    HAS(t, "vec4 load_x(int b, int h, int w, int s) { return vec4(imageLoad(x_data, index_x(b, h, w, s))); }");
    HAS(t, "binding = 0) restrict writeonly buffer b_y");
    HAS(t, "layout(rgba16f, binding = 1) uniform restrict readonly highp imageBuffer k_data;");
    arena_free(&f->arena);
    f = begin(8, true);
    f->limits.image_reads = 2;
    f->limits.policy.image_reads = true;
    f->limits.image_vectors = 1;
    f->x.storage = GL_STORAGE_IMAGE;
    t = finish(f); /* two vectors of weights */
    HAS(t, "imageBuffer x_data;");
    HAS(t, "buffer b_k { uvec2 k_data[]; }");
    arena_free(&f->arena);
}

/* In texture buffers, and constants in uniform blocks of few lengths, as far as the device has room for them. */
static void what_is_picked_is_fetched(void **state)
{
    static const struct {
        bool half;
        uint32_t texels, uniforms, block_bytes;
        const char *x, *k, *load;
    } cases[] = {
        {false, 1, 1, 16384, "layout(binding = 0) uniform highp samplerBuffer x_data;",
         "layout(std140, binding = 1) uniform b_k { highp vec4 k_data[16]; };",
         "vec4 loadw_k(int i) { vec4 t = k_data[i]; return t; }"},
        {true, 1, 1, 32, "layout(binding = 0) uniform highp samplerBuffer x_data;",
         "layout(std140, binding = 1) uniform b_k { highp uvec4 k_data[2]; };",
         "{ uvec4 two = k_data[i >> 1]; uvec2 t = (i & 1) != 0 ? two.zw : two.xy; return vec4(unpackHalf2x16(t.x), "},
        {false, 1, 1, 16, "samplerBuffer x_data;", "buffer b_k", "k_data[i]"},
        {false, 0, 0, 16384, "buffer b_x", "buffer b_k", "k_data[i]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = begin(8, cases[i].half);
        const char *t;

        f->limits.image_vectors = 65536;
        f->limits.image_reads = 2;
        f->limits.texel_reads = cases[i].texels;
        f->limits.uniform_reads = cases[i].uniforms;
        f->limits.uniform_block_bytes = cases[i].block_bytes;
        f->shader.pick = (struct gl_pick){.reads = GL_READS_TEXELS, .constants = GL_READS_UNIFORMS};
        f->x.storage = f->y.storage = GL_STORAGE_IMAGE;
        t = finish(f);
        HAS(t, cases[i].x);
        HAS(t, cases[i].k);
        HAS(t, cases[i].load);
        if (cases[i].texels)
            HAS(t, "vec4 load_x(int b, int h, int w, int s) { return vec4(texelFetch(x_data, index_x(b, h, w, s))); }");
        arena_free(&f->arena);
    }
}

/* Rows of 1,024 vectors, bit by bit as they are in buffers; what the largest texture does not hold stays in one. */
static void constants_are_copied(void **state)
{
    static const struct {
        bool half;
        uint32_t units, size;
        const char *k, *load;
    } cases[] = {
        {false, 1, 1024, "layout(binding = 0) uniform highp sampler2DArray k_data;",
         "{ vec4 t = texelFetch(k_data, ivec3(i & 1023, i >> 10, 0), 0); return t; }"},
        {true, 1, 1024, "layout(binding = 0) uniform highp usampler2DArray k_data;",
         "{ uvec4 t = texelFetch(k_data, ivec3(i & 1023, i >> 10, 0), 0); return vec4(unpackHalf2x16(t.x | t.y << 16), "},
        {false, 1, 0, "buffer b_k", "k_data[i]"},
        {false, 0, 1024, "buffer b_k", "k_data[i]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = begin(8, cases[i].half);
        const char *t;

        f->limits.texel_reads = cases[i].units;
        f->limits.texture_size = cases[i].size;
        f->shader.pick.constants = GL_READS_TEXTURES;
        t = finish(f);
        HAS(t, cases[i].k);
        HAS(t, cases[i].load);
        HAS(t, "buffer b_x");
        arena_free(&f->arena);
    }
}

/* Where units are left for all four; else in one texture, or in a buffer. */
static void blocks_are_copied_by_their_rows(void **state)
{
    static const struct {
        enum gl_reads reads;
        uint32_t units;
        bool bytes, four;
    } cases[] = {
        {GL_READS_FOUR, 4, false, true},  {GL_READS_FOUR, 4, true, true},       {GL_READS_FOUR, 3, false, false},
        {GL_READS_FOUR, 0, false, false}, {GL_READS_TEXTURES, 4, false, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = begin(8, false);
        struct gl_shader *p = &f->shader;
        struct err err;

        f->limits.texel_reads = cases[i].units;
        f->limits.texture_size = 1024;
        p->pick.constants = (uint8_t)cases[i].reads;
        gl_source(p, test_template);
        gl_input(p, "x", &f->x);
        gl_output(p, "y", &f->y);
        (cases[i].bytes ? gl_weights_bytes : gl_weights)(p, "k", 8, pack_weight, &f->weight, sizeof f->weight);
        assert_int_equal(gl_weights_in_four(p), cases[i].four);
        assert_int_equal(p->n_points[GL_THROUGH_FOUR], cases[i].four ? 4 : 0);
        assert_int_equal(p->n_points[GL_THROUGH_COPY], !cases[i].four && cases[i].units);
        gl_table(p, "t", 4, pack_weight, &f->weight, sizeof f->weight);
        gl_grid(p, f->y.shape);
        TEST_OK(gl_shader_finish(p, &err), err);
        TEST_OK(gl_shader_fits(p, "test", &err), err);
        if (!cases[i].four) {
            LACKS(p->text, "k_data3");
            HAS(p->text, cases[i].units ? "sampler2DArray k_data;" : "buffer b_k");
            HAS(p->text, cases[i].units ? "layout(binding = 1) uniform highp isampler2DArray t_data;" : "buffer b_t");
        } else {
            HAS(p->text, cases[i].bytes ? "layout(binding = 3) uniform highp isampler2DArray k_data3;"
                                        : "layout(binding = 3) uniform highp sampler2DArray k_data3;");
            HAS(p->text, "ivec3 at = ivec3(i >> 2 & 1023, i >> 12, 0);");
            HAS(p->text, "buffer b_t"); /* no unit is left */
        }
        arena_free(&f->arena);
    }
}

/* Four bytes of a word, four words of a vector. */
static void bytes_are_fetched(void **state)
{
    struct fixture *f = begin(8, false);
    const char *t;
    struct err err;

    (void)state;
    f->limits.uniform_reads = 1;
    f->shader.pick.constants = GL_READS_UNIFORMS;
    gl_source(&f->shader, test_template);
    gl_input(&f->shader, "x", &f->x);
    gl_output(&f->shader, "y", &f->y);
    gl_weights_bytes(&f->shader, "k", 100, pack_weight, &f->weight, sizeof f->weight);
    gl_grid(&f->shader, f->y.shape);
    TEST_OK(gl_shader_finish(&f->shader, &err), err);
    t = f->shader.text;
    HAS(t, "uniform b_k { highp uvec4 k_data[32]; };");
    HAS(t, "{ int t = int(k_data[i >> 2][i & 3]); return ivec4(t << 24, t << 16, t << 8, t) >> 24; }");
    arena_free(&f->arena);
}

static void textures_have_coordinates(void **state)
{
    struct fixture *f = begin(8, true);
    const char *t;

    (void)state;
    f->x.storage = f->y.storage = GL_STORAGE_TEXTURE;
    t = finish(f);
    HAS(t, "layout(binding = 0) uniform highp usampler2DArray x_data;");
    HAS(t, "ivec3 index_x(int b, int h, int w, int s) { return ivec3(w, h, s); }");
    HAS(t, "{ uvec4 t = texelFetch(x_data, index_x(b, h, w, s), 0); return vec4(unpackHalf2x16(t.x | t.y << 16), ");
    HAS(t, "layout(rgba16ui, binding = 0) uniform restrict writeonly highp uimage2DArray y_data;");
    HAS(t, "imageStore(y_data, index_y(b, h, w, s), uvec4(packHalf2x16(v.xy) & 65535u, ");
    HAS(t, "binding = 0) restrict readonly buffer b_k");
    arena_free(&f->arena);
    f = begin(8, false);
    f->limits.image_reads = 2;
    f->limits.policy.image_reads = true;
    f->limits.image_vectors = 2;
    f->x.storage = f->y.storage = GL_STORAGE_TEXTURE;
    f->x.shape = f->y.shape = (struct ir_shape){2, 1, 1, 8};
    f->y.shape.w = 3;
    t = finish(f);
    HAS(t, "layout(binding = 0) uniform highp sampler2DArray x_data;");
    HAS(t, "ivec3 index_x(int b, int h, int w, int s) { return ivec3(s, b, 0); }");
    HAS(t, "ivec3 index_y(int b, int h, int w, int s) { return ivec3(w, h, b * Y_S + s); }");
    HAS(t, "layout(rgba32f, binding = 0) uniform restrict writeonly highp image2DArray y_data;");
    HAS(t, "layout(rgba32f, binding = 1) uniform restrict readonly highp imageBuffer k_data;");
    assert_false(gl_flatten(&f->shader));
    f->y.storage = GL_STORAGE_BUFFER;
    assert_true(gl_flatten(&f->shader));
    arena_free(&f->arena);
}

/* y = x, by its rows and columns. */
static const char *by_rows(struct fixture *f)
{
    struct err err;

    gl_source(&f->shader, "void run(int b, int h, int w, int s)\n{\n"
                          "    ROWTYPE(x) row = ROW(x, b, h, s);\n    STORE(y, b, h, w, s, LOADR(x, row, COLUMN(x, w)));\n}\n");
    gl_input(&f->shader, "x", &f->x);
    gl_output(&f->shader, "y", &f->y);
    gl_grid(&f->shader, f->y.shape);
    TEST_OK(gl_shader_finish(&f->shader, &err), err);
    HAS(f->shader.text, " row = row_x(b, h, s);\n    store_y(b, h, w, s, loadr_x(row, column_x(w)));");
    return f->shader.text;
}

static void rows_begin_where_their_first_vector_lies(void **state)
{
    static const struct ir_index_map map = {.h = {.before = 1, .length = 4, .shift = 1},
                                            .w = {.before = 2, .length = 4, .mirrors = true}};
    struct fixture *f = begin(8, false);
    const char *t = by_rows(f);

    (void)state;
    HAS(t, "int row_x(int b, int h, int s)\n{\n    return (s * X_H + h) * X_W;\n}\n");
    HAS(t, "int column_x(int w)\n{\n    return w;\n}\n");
    LACKS(t, "load_x");
    HAS(t, "int row = row_x(");
    HAS(t, "vec4 loadr_x(int row, int w) { vec4 t = x_data[(row + w)]; return t; }");
    arena_free(&f->arena);
    f = begin(8, false);
    f->x.view = (struct ir_view){.of = &f->u, .pitch = f->x.shape, .map = &map};
    t = by_rows(f);
    HAS(t, "{\n    h -= X_BEFORE_H;\n    h >>= 1;\n    return X_AT + ((b * X_PITCH_S + s) * X_PITCH_H + h) * X_PITCH_W;\n}\n");
    HAS(t, "{\n    w -= X_BEFORE_W;\n    w = X_LAST_W - abs(w);\n    w = X_LAST_W - abs(w);\n    return w;\n}\n");
    arena_free(&f->arena);
}

static void rows_begin_at_a_texel(void **state)
{
    static const struct {
        struct ir_shape shape;
        bool any_batch;
        const char *row;
    } cases[] = {
        {{1, 2, 3, 8}, false, "{ return ivec3(0, h, s); }"},
        {{2, 2, 3, 8}, false, "{ return ivec3(0, h, b * X_S + s); }"},
        {{2, 1, 1, 8}, false, "{ return ivec3(s, b, 0); }"},
        {{1, 1, 1, 8}, true, "{ return X_SINGLE != 0 ? ivec3(s, b, 0) : ivec3(0, h, b * X_S + s); }"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = begin(8, false);
        const char *t;

        f->x.storage = GL_STORAGE_TEXTURE;
        f->x.shape = f->y.shape = cases[i].shape;
        f->limits.policy.any_batch = cases[i].any_batch;
        t = by_rows(f);
        HAS(t, "ivec3 row = row_x(");
        HAS(t, cases[i].row);
        HAS(t, "vec4 loadr_x(ivec3 row, int w) { vec4 t = texelFetch(x_data, (row + ivec3(w, 0, 0)), 0); return t; }");
        arena_free(&f->arena);
    }
}

/* Who reads by rows may have a function behind it that reads the same by places. */
static void rows_leave_places_to_functions(void **state)
{
    struct fixture *f = begin(8, false);
    struct ir_epilogue residual = {.fn = &test_add, .operand = {NULL, &f->x}};
    const char *t;

    (void)state;
    f->op.epilogue = &residual;
    t = by_rows(f);
    HAS(t, "vec4 loadr_x(");
    HAS(t, "vec4 load_x(");
    HAS(t, "vec4 loadb_x(");
    arena_free(&f->arena);
}

static void rows_are_checked_where_asked_for(void **state)
{
    struct fixture *f = begin(8, false);
    const char *t;

    (void)state;
    f->limits.policy.check_reads = true;
    t = by_rows(f);
    HAS(t, "{ return b < 0 || b >= X_B || h < 0 || h >= X_H || s < 0 || s >= X_S ? int(-1) : any_row_x(b, h, s); }\n");
    HAS(t, "{ return w < 0 || w >= X_W ? -1 : any_column_x(w); }\n");
    HAS(t, "if (row < 0 || w < 0)\n        return vec4(intBitsToFloat(0x7fc00000));\n    return any_loadr_x(row, w);\n");
    arena_free(&f->arena);
    f = begin(8, false);
    f->limits.policy.check_reads = true;
    f->x.storage = GL_STORAGE_TEXTURE;
    t = by_rows(f);
    HAS(t, "if (row.x < 0 || w < 0)\n        return vec4(intBitsToFloat(0x7fc00000));\n    return any_loadr_x(row, w);\n");
    arena_free(&f->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_read_where_asked_for),
        cmocka_unit_test(what_is_picked_is_fetched),
        cmocka_unit_test(constants_are_copied),
        cmocka_unit_test(blocks_are_copied_by_their_rows),
        cmocka_unit_test(bytes_are_fetched),
        cmocka_unit_test(textures_have_coordinates),
        cmocka_unit_test(rows_begin_where_their_first_vector_lies),
        cmocka_unit_test(rows_begin_at_a_texel),
        cmocka_unit_test(rows_leave_places_to_functions),
        cmocka_unit_test(rows_are_checked_where_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
