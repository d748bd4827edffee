/* SPDX-License-Identifier: Apache-2.0 */
/* grid_test.c - how many invocations a shader has, in which workgroups, and how many passes each makes through its loops. */
#include "lib/gl/codegen/shader.h"

#include "lib/testing/test.h"

struct fixture {
    struct arena arena;
    struct ir_value y;
    struct ir_op op;
    struct gl_shader shader;
    struct gl_limits limits;
};

/* A shader of the least device that makes y and reads nothing. */
static struct fixture *begin(void)
{
    static struct fixture f;

    f = (struct fixture){.limits = gl_limits_least, .y = {.shape = {1, 2, 3, 8}}};
    f.op = (struct ir_op){.out = &f.y};
    gl_shader_init(&f.shader, &f.arena, &f.limits, false, &f.op);
    return &f;
}

/* It fails without gl_iterations. */
static void loops_state_their_iterations(void **state)
{
    static const char loop[] = "void run(int b, int h, int w, int s)\n{\n    for (int i = 0; i < 9; i++)\n        ;\n}\n";
    struct fixture *f = begin();
    struct err err = {""};

    (void)state;
    gl_source(&f->shader, loop);
    gl_output(&f->shader, "y", &f->y);
    gl_grid(&f->shader, f->y.shape);
    TEST_OK(gl_shader_finish(&f->shader, &err), err);
    assert_int_equal(gl_shader_fits(&f->shader, "loop", &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "states no iterations"));
    gl_iterations(&f->shader, f->limits.policy.iterations);
    TEST_OK(gl_shader_fits(&f->shader, "loop", &err), err);
    gl_iterations(&f->shader, f->limits.policy.iterations + 1);
    assert_int_equal(gl_shader_fits(&f->shader, "loop", &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "65536 iterations"));
    arena_free(&f->arena);
}

/* Each loop's passes and its last look, as often as it is entered. */
static void passes_are_counted(void **state)
{
    (void)state;
    assert_int_equal(GL_PASSES(7), 8);
    assert_int_equal(GL_PASSES(3, 5), 4 + 3 * 6);
    assert_int_equal(GL_PASSES(2, 3, 4), 3 + 2 * 4 + 6 * 5);
    assert_int_equal(GL_PASSES(0, 5), 1);
    assert_true(GL_PASSES(UINT64_MAX) == UINT64_MAX);
    assert_true(GL_PASSES(1ull << 32, 1ull << 32) == UINT64_MAX);
    assert_true(GL_PASSES(1ull << 31, 1ull << 32, 1) == UINT64_MAX);
}

/* Invocations that the grid wants along dimension k, some of which may lie along x. */
static uint64_t wanted(const struct gl_shader *p, const int32_t extent[3], int k)
{
    uint64_t n = (uint64_t)extent[k];

    for (int other = 1; !k && other < (int)p->in_line; other++)
        n *= (uint64_t)extent[other];
    return k && k < (int)p->in_line ? 1 : n;
}

static void check_groups(const struct gl_shader *p, const int32_t extent[3])
{
    uint64_t n = 1;

    assert_true(p->group[0] * p->group[1] * p->group[2] <= gl_limits_least.group_invocations);
    for (int k = 0; k < 3; k++) {
        const uint64_t groups = (wanted(p, extent, k) + p->group[k] - 1) / p->group[k];

        assert_true(p->group[k] <= gl_limits_least.group_size[k]);
        assert_true(p->groups[k] <= gl_limits_least.group_count[k]);
        if (!p->spread)
            assert_int_equal(p->groups[k], groups);
        n *= groups;
    }
    if (p->spread) {
        assert_int_equal(p->groups[2], 1);
        assert_in_range((uint64_t)p->groups[0] * p->groups[1], n, n + p->groups[1] - 1);
    }
    assert_int_equal(strstr(p->text, "GROUPS_IN_ROW") != NULL, p->spread);
    assert_int_equal(strstr(p->text, "/ float(GRID_W)") != NULL, p->in_line != 0);
    assert_int_equal(strstr(p->text, "/ float(GRID_W * GRID_H)") != NULL, p->in_line == 3);
}

/* Every extent gets a legal workgroup and few enough of them along each dimension; as many of its dimensions as may be are in line,
 * where these are. Only where there would be too many groups along one they are spread. */
static void grids_are_covered(void **state)
{
    static const struct {
        int32_t extent[3];
        uint32_t line;
        bool spread, spread_in_line;
    } all[] = {
        {{1, 1, 1}, 3, false, false},         {{7, 5, 3}, 3, false, false},       {{1048560, 1, 1}, 3, false, false},
        {{1048577, 1, 1}, 0, true, true},     {{9, 262140, 1}, 0, false, false},  {{9, 262141, 1}, 0, true, true},
        {{2, 393234, 6}, 2, false, false},    {{1, 1, 4194240}, 0, false, false}, {{1, 1, 4194241}, 0, true, true},
        {{100, 100, 200000}, 2, true, true},  {{9, 3, 65535}, 0, false, false},   {{9, 3, 65536}, 0, true, true},
        {{65536, 65536, 1}, 0, false, false}, {{1024, 1024, 1}, 3, false, false}, {{1024, 1024, 2}, 2, false, false},
    };

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof all / sizeof *all); i++) {
        const int32_t *extent = all[i / 2].extent;
        struct fixture *f = begin();
        struct gl_shader *p = &f->shader;
        struct err err;

        f->limits.policy.row_groups = i & 1;
        gl_source(p, "void run(int b, int h, int w, int s)\n{\n}\n");
        gl_grid_of(p, 1, extent[1], extent[0], extent[2]);
        TEST_OK(gl_shader_finish(p, &err), err);
        TEST_OK(gl_shader_fits(p, "covered", &err), err);
        check_groups(p, extent);
        assert_int_equal(p->in_line, i & 1 ? all[i / 2].line : 0);
        assert_int_equal(p->spread, i & 1 ? all[i / 2].spread_in_line : all[i / 2].spread);
        arena_free(&f->arena);
    }
}

/* Whose size the kernel fixed are where it says; and no grid has more than all dimensions hold, or than an int tells apart. */
static void groups_that_cannot_be_spread_do_not_fit(void **state)
{
    struct fixture *f = begin();
    struct gl_shader *p = &f->shader;
    struct err err = {""};

    (void)state;
    for (int i = 0; i < 4; i++) {
        f = begin();
        gl_source(p, i ? "void run(int b, int h, int w, int s)\n{\n}\n" : "void main()\n{\n    READ_UNIFORMS\n}\n");
        gl_grid_of(p, 1, 65536, 1, 1);
        if (!i)
            gl_group(p, 1, 1);
        if (i == 1)
            gl_grid_of(p, 1, INT32_MAX, INT32_MAX, 1);
        if (i == 2)
            f->limits.group_count[0] = 0;
        if (i == 3) { /* 1024 groups */
            f->limits.group_count[0] = 31;
            f->limits.group_count[1] = 33;
        }
        TEST_OK(gl_shader_finish(p, &err), err);
        assert_false(p->spread);
        assert_int_equal(gl_shader_fits(p, "many", &err), ST_UNSUPPORTED);
        assert_non_null(strstr(err.msg, "along a dimension"));
        arena_free(&f->arena);
    }
}

/* What a shader whose rows lie in a line makes of an invocation's number: at the ends of rows, of any width, up to the last. Even
 * where a division is off by 2.5 units in the last place. */
static void rows_in_line_are_found_again(void **state)
{
    const int32_t most = 1 << 20;

    (void)state;
    for (int32_t w = 1; w <= most; w += 1 + w / 5)
        for (int32_t row = 0; (int64_t)(row + 1) * w <= most; row += 1 + row / 50)
            for (int end = 0; end < 2; end++) {
                const float at = (float)(row * w + end * (w - 1)) + 0.5f, q = at / (float)w;

                for (int off = -1; off <= 1; off++)
                    assert_int_equal((int32_t)(q * (1 + 2.5f * (float)off * 0x1p-23f)), row);
            }
}

/* Where a driver stores by the index of another lane, invocations with arrays of their own are alone, however many there are, and
 * whatever tuning tries. */
static void stores_by_computed_indices_want_one_lane(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct fixture *f = begin();
        struct gl_shader *p = &f->shader;
        const bool alone = i == 3;
        struct err err = {""};

        f->limits.policy.even_stores = i & 1;
        f->limits.policy.row_groups = true;
        p->pick.group = 1;
        gl_source(p, "void run(int b, int h, int w, int s)\n{\n}\n");
        gl_grid_of(p, 1, 70000, 16, 2);
        if (i & 2)
            gl_array_stores(p);
        TEST_OK(gl_shader_finish(p, &err), err);
        assert_int_equal(p->group[0] * p->group[1] * p->group[2] == 1, alone);
        assert_int_equal(p->spread, alone);
        TEST_OK(gl_shader_fits(p, "arrays", &err), err);
        arena_free(&f->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_covered),
        cmocka_unit_test(groups_that_cannot_be_spread_do_not_fit),
        cmocka_unit_test(rows_in_line_are_found_again),
        cmocka_unit_test(stores_by_computed_indices_want_one_lane),
        cmocka_unit_test(loops_state_their_iterations),
        cmocka_unit_test(passes_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
