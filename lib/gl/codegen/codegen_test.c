/* SPDX-License-Identifier: Apache-2.0 */
/* codegen_test.c - what is written around a template; how its values are reached in reach_test.c. */
#include <stdlib.h>

#include "lib/gl/testing/test_codegen.h"

static void accesses_become_functions(void **state)
{
    struct fixture *f = begin(8, false);
    const char *t = finish(f);

    (void)state;
    HAS(t, "#version 310 es\n");
    HAS(t, "store_y(b, h, w, s, load_x(b, h, w, s) * loadw_k(s));");
    HAS(t, "binding = 0) restrict readonly buffer b_x { vec4 x_data[]; }");
    HAS(t, "binding = 1) restrict writeonly buffer b_y");
    LACKS(t, "loadz_x");
    LACKS(t, "loadb_x");
    arena_free(&f->arena);
}

static void outputs_are_read_back_where_asked_for(void **state)
{
    struct fixture *f = begin(8, false);
    struct err err;
    const char *t;

    (void)state;
    gl_source(&f->shader, "void run(int b, int h, int w, int s)\n{\n    STORE(y, b, h, w, s, LOAD(y, 0, 0, 0, s));\n}\n");
    gl_output_read_back(&f->shader, "y", &f->y);
    gl_grid(&f->shader, f->y.shape);
    assert_int_equal(gl_shader_finish(&f->shader, &err), ST_OK);
    t = f->shader.text;
    HAS(t, "binding = 0) restrict coherent buffer b_y { vec4 y_data[]; }");
    HAS(t, "store_y(b, h, w, s, load_y(0, 0, 0, s));");
    assert_int_equal(gl_shader_fits(&f->shader, "read back", &err), ST_OK);
    f->shader.bind[0].through = GL_THROUGH_STORE;
    assert_int_equal(gl_shader_fits(&f->shader, "read back", &err), ST_FAILED);
    arena_free(&f->arena);
}

static void halves_are_computed_with_among_halves_alone(void **state)
{
    static const enum gl_fp16 by[] = {GL_FP16_MEDIUMP, GL_FP16_TYPES};
    static const char floats[] = "\n#define FACTOR4 vec4\n#define FACTOR(v) (v)\n#define MUL(a, b) ((a) * (b))\n";
    static const char types[] = "\n#define FACTOR4 f16vec4\n#define FACTOR(v) f16vec4(v)\n";

    (void)state;
    for (int i = 0; i < 16; i++) {
        struct fixture *f = begin(8, i % 4 != 1);
        const bool halves = i % 4 == 3;
        const char *t;

        f->limits.half_types = GL_HALF_TYPES_NV;
        f->shader.halves = i % 4 ? by[i / 8] : GL_FP16_NONE;
        f->shader.sum32 = i % 8 >= 4;
        if (i % 4 == 2)
            f->y.format = GL_FORMAT_FLOAT;
        t = finish(f);
        HAS(t, halves && by[i / 8] == GL_FP16_MEDIUMP ? "precision mediump float;" : "precision highp float;");
        HAS(t, halves && by[i / 8] == GL_FP16_TYPES ? types : floats);
        HAS(t, halves && f->shader.sum32 ? "\n#define SUM4 highp vec4\n"
               : halves && i >= 8        ? "\n#define SUM4 f16vec4\n"
                                         : "\n#define SUM4 vec4\n");
        HAS(t, halves && f->shader.sum32 ? "\n#define ADD_TO(sum, v) sum = sum + v\n" : "\n#define ADD_TO(sum, v) sum += v\n");
        HAS(t, "precision highp int;");
        assert_int_equal(f->shader.halves, halves ? by[i / 8] : GL_FP16_NONE);
        assert_int_equal(strstr(t, "#extension GL_NV_gpu_shader5 : require\n") != NULL, halves && i >= 8);
        arena_free(&f->arena);
    }
}

static void only_a_partial_slice_is_masked(void **state)
{
    struct fixture *f = begin(8, false);

    (void)state;
    HAS(finish(f), "\n//~    v = mix(vec4(0), v, lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(Y_C)));\n"); /* dedup_shaders.h */
    arena_free(&f->arena);
    f = begin(7, false);
    HAS(finish(f), "\n    v = mix(vec4(0), v, lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(Y_C)));\n");
    arena_free(&f->arena);
}

static void halves_are_packed(void **state)
{
    struct fixture *f = begin(8, true);
    const char *t = finish(f);

    (void)state;
    HAS(t, "uvec2 x_data[]");
    HAS(t, "uvec2 k_data[]");
    HAS(t, "packHalf2x16");
    assert_int_equal(gl_value_bytes(&f->x), 2 * 3 * 2 * 8);
    f->x.format = GL_FORMAT_FLOAT;
    assert_int_equal(gl_value_bytes(&f->x), 2 * 3 * 2 * 16);
    f->x.format = GL_FORMAT_INT8;
    assert_int_equal(gl_value_bytes(&f->x), 2 * 3 * 2 * 4);
    arena_free(&f->arena);
}

static void large_weights_stay_floats(void **state)
{
    struct fixture *f = begin(8, true);

    (void)state;
    f->weight = 1e6f;
    HAS(finish(f), "vec4 k_data[]");
    arena_free(&f->arena);
}

/* The last function takes what there was before the first, an integer, and what the first made of it, a float. */
static void epilogues_reach_back(void **state)
{
    static const struct ir_fn to_float = {"CAST", NULL, "vec4(a)", .arity = 1},
                              both = {"BOTH", "a + b * vec4(c)", NULL, .arity = 3};
    struct fixture *f = begin(8, false);
    struct ir_epilogue third = {.fn = &both, .back = {0, 1, 2}},
                       second = {.fn = &test_add, .operand = {NULL, &f->u}, .next = &third},
                       first = {.fn = &to_float, .next = &second, .in = IR_INT};
    const char *t;

    (void)state;
    f->op.stores = IR_INT;
    f->op.epilogue = &first;
    t = finish(f);
    HAS(t, "vec4 epilogue_2(vec4 a, vec4 b, ivec4 c)");
    HAS(t, "vec4 v3 = epilogue_2(v2, v1, v0);");
    arena_free(&f->arena);
}

static void epilogue_reads_its_operand_by_broadcast(void **state)
{
    struct fixture *f = begin(8, false);
    const char *t;

    (void)state;
    f->op.epilogue = &f->sum;
    t = finish(f);
    HAS(t, "loadb_operand3(int b, int h, int w, int s) { return load_operand3(b, 0, w, 0).xxxx; }");
    HAS(t, "vec4 v1 = epilogue_0(v0, loadb_operand3(b, h, w, s));");
    arena_free(&f->arena);
}

static void epilogue_reads_zeros_where_its_operand_lacks_channels(void **state)
{
    struct fixture *f = begin(10, false);

    (void)state;
    f->u.shape.c = 6;
    f->op.epilogue = &f->sum;
    HAS(finish(f), "return mix(vec4(0), load_operand3(b, min(h, OPERAND3_H - 1), min(w, OPERAND3_W - 1), "
                   "min(s, OPERAND3_S - 1)), bvec4(s < OPERAND3_S)); }");
    arena_free(&f->arena);
}

/* y = x * k + c, where c is one constant. */
static const char *with_scalar(struct fixture *f, const float *c)
{
    f->op.epilogue = &f->sum;
    f->u.shape.w = 1;
    f->u.data = c;
    return finish(f);
}

static bool has_number(const struct gl_shader *p, uint32_t bits)
{
    for (uint32_t i = 0; i < 4 * p->n_uniforms; i++)
        if ((uint32_t)p->numbers[i] == bits)
            return true;
    return false;
}

static void single_constant_is_a_number(void **state)
{
    struct fixture *f = begin(8, false);
    const float two = 2, other = -0.0f;
    const char *t = with_scalar(f, &two);
    char *kept = strdup(t);

    (void)state;
    HAS(t, "epilogue_0(v0, vec4(EPILOGUE0_B))");
    HAS(t, "#define EPILOGUE0_B intBitsToFloat(numbers[");
    assert_int_equal(f->shader.n_bind, 3);
    assert_true(has_number(&f->shader, 0x40000000u));
    arena_free(&f->arena);
    f = begin(8, false);
    assert_string_equal(with_scalar(f, &other), kept);
    assert_true(has_number(&f->shader, 0x80000000u));
    assert_false(has_number(&f->shader, 0x40000000u));
    arena_free(&f->arena);
    free(kept);
}

static void parameters_are_numbers(void **state)
{
    const struct ir_fn scale = {"SCALE", "a * p.x + p.w", NULL, .arity = 1, .params = true};
    char *kept = NULL;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fixture *f = begin(8, false);
        struct ir_epilogue e = {.fn = &scale, .p = {i ? 3 : 5, 0, 0, i ? 7 : 9}};
        const char *t;

        f->op.epilogue = &e;
        t = finish(f);
        HAS(t, "vec4 p = vec4(EPILOGUE0_X, EPILOGUE0_Y, EPILOGUE0_Z, EPILOGUE0_W);");
        assert_true(has_number(&f->shader, i ? 0x40400000u : 0x40a00000u));
        if (i)
            assert_string_equal(t, kept);
        else
            kept = strdup(t);
        arena_free(&f->arena);
    }
    free(kept);
}

static void straight_code_reads_its_numbers_first(void **state)
{
    struct fixture *f = begin(8, false);
    const float two = 2;
    const char *t, *begins, *returns;

    (void)state;
    f->limits.policy.straight_code = true;
    t = with_scalar(f, &two);
    HAS(t, "ivec4 number0;");
    HAS(t, "#define READ_UNIFORMS number0 = numbers[0];");
    HAS(t, "#define EPILOGUE0_B intBitsToFloat(number");
    begins = strstr(t, "void main()");
    returns = begins ? strstr(begins, "return") : NULL;
    assert_true(begins && returns && strstr(begins, "READ_UNIFORMS") < returns);
    arena_free(&f->arena);
}

static enum status finish_main(const char *source, bool straight, struct err *err)
{
    struct fixture *f = begin(8, false);
    enum status st;

    f->limits.policy.straight_code = straight;
    gl_source(&f->shader, source);
    gl_output(&f->shader, "y", &f->y);
    gl_grid(&f->shader, f->y.shape);
    st = gl_shader_finish(&f->shader, err);
    arena_free(&f->arena);
    return st;
}

static void a_main_that_does_not_read_its_numbers_is_refused(void **state)
{
#define STORES "STORE(y, 0, 0, 0, 0, vec4(GRID_W));\n}\n"
    static const char *const good[] = {"void main()\n{\n    READ_UNIFORMS\n    " STORES, "void main() { READ_UNIFORMS " STORES,
                                       "#if 1\nvoid main()\n{\nREAD_UNIFORMS\n" STORES
                                       "#else\nvoid main()\n{\nREAD_UNIFORMS\n" STORES "#endif\n"};
    static const char *const bad[] = {"void main()\n{\n    " STORES,
                                      "// READ_UNIFORMS\nvoid main()\n{\n    " STORES,
                                      "void main()\n{\n    if (GRID_W > 1)\n        return;\n    READ_UNIFORMS\n" STORES,
                                      "void main()\n{\n    READ_UNIFORMS_LATER\n" STORES,
                                      "#if 1\nvoid main()\n{\nREAD_UNIFORMS\n" STORES "#else\nvoid main()\n{\n" STORES "#endif\n",
                                      "void main"};
    struct err err;

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof good / sizeof *good); i++)
        TEST_OK(finish_main(good[i / 2], i & 1, &err), err);
    for (size_t i = 0; i < 2 * (sizeof bad / sizeof *bad); i++) {
        assert_int_equal(finish_main(bad[i / 2], i & 1, &err), ST_FAILED);
        HAS(err.msg, "READ_UNIFORMS");
    }
#undef STORES
}

static void numbers_stand_in_the_text_where_asked_for(void **state)
{
    struct fixture *f = begin(8, false);
    const float two = 2;
    const char *t;

    (void)state;
    f->limits.policy.inline_uniforms = true;
    t = with_scalar(f, &two);
    HAS(t, "#define X_W int(0x00000003u)\n");
    HAS(t, "#define EPILOGUE0_B intBitsToFloat(int(0x40000000u))\n");
    LACKS(t, "numbers");
    assert_int_equal(f->shader.n_uniforms, 0);
    arena_free(&f->arena);
}

static void reads_are_checked_where_asked_for(void **state)
{
    struct fixture *f = begin(8, false);
    const char *t;

    (void)state;
    f->limits.policy.check_reads = true;
    t = finish(f);
    HAS(t, "if (b < 0 || b >= X_B || h < 0 || h >= X_H || w < 0 || w >= X_W || s < 0 || s >= X_S)\n"
           "        return vec4(intBitsToFloat(0x7fc00000));\n    return any_load_x(b, h, w, s);\n");
    HAS(t, "if (i < 0 || i >= 2)\n");
    arena_free(&f->arena);
}

/* Told apart by what they say, wherever the text lies. */
static void helpers_are_written_once(void **state)
{
    struct fixture *f = begin(8, false);
    char one[] = "vec4 twice(vec4 v) { return v + v; }\n", same[] = "vec4 twice(vec4 v) { return v + v; }\n";
    const struct ir_fn twice = {"TWICE", "twice(a)", NULL, .arity = 1, .helper = one},
                       again = {"TWICE", "twice(a)", NULL, .arity = 1, .helper = same};
    struct ir_epilogue third = {.fn = &again}, second = {.fn = &test_add, .operand = {NULL, &f->x}, .next = &third},
                       first = {.fn = &twice, .next = &second};
    const char *t;

    (void)state;
    f->op.epilogue = &first;
    t = finish(f);
    HAS(t, one);
    LACKS(strstr(t, one) + 1, one);
    arena_free(&f->arena);
}

static void helpers_of_the_template_are_written_once(void **state)
{
    static const char twice_text[] = "vec4 twice(vec4 v) { return v + v; }\n";
    struct fixture *f = begin(8, false);
    const struct ir_fn twice = {"TWICE", "twice(a)", NULL, .arity = 1, .helper = twice_text};
    struct ir_epilogue only = {.fn = &twice};
    struct err err;

    (void)state;
    f->op.epilogue = &only;
    gl_source_with(&f->shader, twice_text, test_template);
    gl_input(&f->shader, "x", &f->x);
    gl_output(&f->shader, "y", &f->y);
    gl_weights(&f->shader, "k", 2, pack_weight, &f->weight, sizeof f->weight);
    gl_grid(&f->shader, f->y.shape);
    TEST_OK(gl_shader_finish(&f->shader, &err), err);
    HAS(f->shader.text, twice_text);
    LACKS(strstr(f->shader.text, twice_text) + 1, twice_text);
    HAS(f->shader.text, "void run(");
    arena_free(&f->arena);
}

static void operand_already_bound_is_not_bound_again(void **state)
{
    struct fixture *f = begin(8, false);

    (void)state;
    f->sum.operand[1] = &f->x;
    f->op.epilogue = &f->sum;
    HAS(finish(f), "loadb_x(b, h, w, s)");
    assert_int_equal(f->shader.n_bind, 3);
    arena_free(&f->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_become_functions),
        cmocka_unit_test(outputs_are_read_back_where_asked_for),
        cmocka_unit_test(only_a_partial_slice_is_masked),
        cmocka_unit_test(halves_are_computed_with_among_halves_alone),
        cmocka_unit_test(halves_are_packed),
        cmocka_unit_test(large_weights_stay_floats),
        cmocka_unit_test(epilogues_reach_back),
        cmocka_unit_test(epilogue_reads_its_operand_by_broadcast),
        cmocka_unit_test(epilogue_reads_zeros_where_its_operand_lacks_channels),
        cmocka_unit_test(single_constant_is_a_number),
        cmocka_unit_test(parameters_are_numbers),
        cmocka_unit_test(reads_are_checked_where_asked_for),
        cmocka_unit_test(straight_code_reads_its_numbers_first),
        cmocka_unit_test(a_main_that_does_not_read_its_numbers_is_refused),
        cmocka_unit_test(numbers_stand_in_the_text_where_asked_for),
        cmocka_unit_test(helpers_are_written_once),
        cmocka_unit_test(helpers_of_the_template_are_written_once),
        cmocka_unit_test(operand_already_bound_is_not_bound_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
