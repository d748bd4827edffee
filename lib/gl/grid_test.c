/* SPDX-License-Identifier: Apache-2.0 */
/* grid_test.c - how many invocations a shader has, in which workgroups, and how many passes each makes through its loops. */
#include "shader.h"

#include "../test.h"

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

/* Every extent that gl_fits allows gets a legal workgroup and few enough of them; as many of its dimensions as may be are in line.
 */
static void grids_are_covered(void **state)
{
    const int32_t extents[][3] = {{1, 1, 1},          {7, 5, 3},         {262140, 1, 1},  {1, 262140, 1}, {1, 1, 262140},
                                  {100, 100, 200000}, {65536, 65536, 1}, {1024, 1024, 1}, {1024, 1024, 2}};
    const uint32_t lines[] = {3, 3, 3, 3, 3, 2, 0, 3, 2};

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof extents / sizeof *extents); i++) {
        const int32_t *extent = extents[i / 2];
        struct fixture *f = begin();
        struct gl_shader *p = &f->shader;
        struct err err;

        f->limits.policy.row_groups = i & 1;
        gl_source(p, "void run(int b, int h, int w, int s)\n{\n}\n");
        gl_grid_of(p, 1, extent[1], extent[0], extent[2]);
        TEST_OK(gl_shader_finish(p, &err), err);
        assert_true(p->group[0] * p->group[1] * p->group[2] <= gl_limits_least.group_invocations);
        for (int k = 0; k < 3; k++) {
            uint64_t want = (uint64_t)extent[k];

            if (p->in_line) {
                want = k && k < (int)p->in_line ? 1 : want;
                for (int other = 1; !k && other < (int)p->in_line; other++)
                    want *= (uint64_t)extent[other];
            }

            assert_true(p->groups[k] <= gl_limits_least.group_count[k]);
            assert_true(p->group[k] <= gl_limits_least.group_size[k]);
            assert_true((uint64_t)p->groups[k] * p->group[k] >= want);
        }
        assert_false(p->in_line && !(i & 1));
        assert_int_equal(strstr(p->text, "/ float(GRID_W)") != NULL, p->in_line != 0);
        assert_int_equal(strstr(p->text, "/ float(GRID_W * GRID_H)") != NULL, p->in_line == 3);
        assert_int_equal(p->in_line, i & 1 ? lines[i / 2] : 0);
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
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_covered),
        cmocka_unit_test(rows_in_line_are_found_again),
        cmocka_unit_test(loops_state_their_iterations),
        cmocka_unit_test(passes_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
