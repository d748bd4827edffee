/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_shapes_test.c - shapes that become known in a run, on the GPU: the numbers of the CPU, no program twice, and nothing lost
 * of what stays on the device meanwhile. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/gl/testing/test_session.h"
#include "lib/testing/test_files.h"

/* Between two partitions, one of whose tensors stays on the GPU: |x| as `shape` says. */
static struct loaded network(void)
{
    struct builder b;
    int32_t x, shape, t, stays, there, y, as, z;

    builder_init(&b, "late");
    x = test_image(&b, "x");
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(2));
    t = test_image(&b, "t");
    stays = test_image(&b, "stays");
    there = test_image(&b, "there");
    y = test_image(&b, "y");
    as = build_tensor(&b, "as", TYPE_FLOAT32, SHAPE(1, 1));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_COS, 1, NULL, INDICES(x), INDICES(stays));
    test_on_cpu(&b, t, there);
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(there, shape), INDICES(as));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(as), INDICES(z));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(stays, there), INDICES(y));
    build_inputs(&b, INDICES(x, shape));
    build_outputs(&b, INDICES(y, z));
    return load(&b);
}

static uint32_t compiled(const struct session *s)
{
    struct delegate_facts m;

    session_facts(s, NULL, &m);
    return fact_value(&m, "start.programs_compiled");
}

static void shapes_by_turns(void **state)
{
    struct delegate *d = test_open_best();
    uint32_t before = test_gl_objects(), programs = 0;
    struct loaded l = network();
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    struct session_dynamic dynamic;

    (void)state;
    assert_int_equal(session_partitioning(s)->n_parts, 2);
    for (int run = 0; run < 8; run++) {
        const int32_t shape[2] = {C << run % 2, H * W >> run % 2};

        memcpy(session_input(s, 1)->data, shape, sizeof shape);
        memcpy(session_input(cpu, 1)->data, shape, sizeof shape);
        test_compare(s, cpu, run);
        assert_int_equal(session_output(s, 1)->dim[0], shape[0]);
        session_dynamic(s, &dynamic);
        assert_int_equal(dynamic.delegated, 2);
        assert_int_equal(dynamic.plans, run ? 2 : 1);
        programs = run == 1 ? compiled(s) : programs;
        assert_true(run < 1 || compiled(s) == programs);
    }
    session_free(s);
    assert_int_equal(test_gl_objects(), before);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

/* y = |x from element `begin` on, six of them|, whose shape is known with `size` alone. */
static struct loaded slice(void)
{
    struct builder b;
    int32_t x, begin, size, part, y;

    builder_init(&b, "slice");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(H * W));
    begin = build_tensor(&b, "begin", TYPE_INT32, SHAPE(1));
    size = build_tensor(&b, "size", TYPE_INT32, SHAPE(1));
    part = build_tensor(&b, "part", TYPE_FLOAT32, SHAPE(1));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1));
    build_op(&b, BUILTIN_SLICE, 1, NULL, INDICES(x, begin, size), INDICES(part));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(part), INDICES(y));
    build_inputs(&b, INDICES(x, begin, size));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* What a start and a run of so many elements from `begin` on took. */
static struct delegate_facts slice_stored(const char *dir, int32_t begin, int32_t size)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .serialize_dir = dir, .serialize_token = "test"});
    struct loaded l = slice();
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    struct delegate_facts m;
    struct session_dynamic dynamic;

    for (int i = 0; i < 2; i++) {
        memcpy(session_input(i ? s : cpu, 1)->data, &begin, sizeof begin);
        memcpy(session_input(i ? s : cpu, 2)->data, &size, sizeof size);
    }
    test_compare(s, cpu, 1);
    session_dynamic(s, &dynamic);
    assert_true(dynamic.delegated > 0);
    session_facts(s, NULL, &m);
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
    return m;
}

/* The next start finds what a run planned; what depends on other numbers is another plan. */
static void plans_are_stored(void **state)
{
    char dir[64], path[400];
    struct delegate_facts m;
    struct dirent *e;
    DIR *open;

    (void)state;
    make_temp_dir(dir);
    m = slice_stored(dir, 1, 6);
    assert_true(fact_value(&m, "start.nodes_lowered") > 0);
    m = slice_stored(dir, 1, 6);
    assert_int_equal(fact_value(&m, "start.nodes_lowered"), 0);
    assert_int_equal(fact_value(&m, "start.packed_bytes"), 0);
    m = slice_stored(dir, 2, 6);
    assert_true(fact_value(&m, "start.nodes_lowered") > 0);
    m = slice_stored(dir, 1, 7);
    assert_true(fact_value(&m, "start.nodes_lowered") > 0);
    open = opendir(dir);
    while (open && (e = readdir(open)))
        if (*e->d_name != '.') {
            snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
            unlink(path);
        }
    closedir(open);
    rmdir(dir);
}

/* Six boxes, of which the third overlaps the second, and how many are wanted. */
static void fill_boxes(struct session *s, int32_t wanted)
{
    static const float begins[] = {0, 10, 10.1f, 20, 30, 40}, scores[] = {.3f, .9f, .8f, .5f, .5f, .7f};
    float *boxes = session_input(s, 0)->data;

    for (int i = 0; i < 6; i++)
        memcpy(boxes + 4 * i, (float[]){0, begins[i], 1, begins[i] + 1}, 4 * sizeof *boxes);
    memcpy(session_input(s, 1)->data, scores, sizeof scores);
    memcpy(session_input(s, 2)->data, &wanted, sizeof wanted);
}

static void fill_three(struct session *s)
{
    fill_boxes(s, 3);
}

static void fill_six(struct session *s)
{
    fill_boxes(s, 6);
}

/* How many boxes NON_MAX_SUPPRESSION_V5 chooses is known in a run alone: the GPU chooses them. */
static void number_of_boxes(void **state)
{
    struct builder b;
    struct test_pair p;
    struct session_dynamic dynamic;
    int32_t in[6], out[3];

    (void)state;
    builder_init(&b, "boxes");
    in[0] = build_tensor(&b, "boxes", TYPE_FLOAT32, SHAPE(6, 4));
    in[1] = build_tensor(&b, "scores", TYPE_FLOAT32, SHAPE(6));
    in[2] = build_tensor(&b, "number", TYPE_INT32, NULL, 0);
    in[3] = build_const(&b, "overlap", TYPE_FLOAT32, NULL, 0, (float[]){.5f});
    in[4] = build_const(&b, "least", TYPE_FLOAT32, NULL, 0, (float[]){.1f});
    in[5] = build_const(&b, "sigma", TYPE_FLOAT32, NULL, 0, (float[]){0});
    out[0] = build_tensor(&b, "chosen", TYPE_INT32, SHAPE(1));
    out[1] = build_tensor(&b, "their scores", TYPE_FLOAT32, SHAPE(1));
    out[2] = build_tensor(&b, "chosen in all", TYPE_INT32, NULL, 0);
    build_op(&b, BUILTIN_NON_MAX_SUPPRESSION_V5, 1, NULL, in, 6, out, 3);
    build_inputs(&b, in, 3);
    build_outputs(&b, out, 3);
    p = test_pair_start(&b, (struct gpu_options){.device = -1}, 0);
    for (int run = 0; run < 4; run++) {
        test_pair_run(&p, run % 2 ? fill_six : fill_three);
        test_pair_same(&p);
        assert_int_equal(session_output(p.gpu, 0)->dim[0], run % 2 ? 6 : 3);
        assert_int_equal(*(const int32_t *)session_output(p.gpu, 2)->data, run % 2 ? 5 : 3);
        session_dynamic(p.gpu, &dynamic);
        assert_int_equal(dynamic.delegated, 1);
        assert_int_equal(dynamic.plans, run ? 2 : 1);
    }
    test_pair_stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_by_turns), cmocka_unit_test(plans_are_stored),
                                       cmocka_unit_test(number_of_boxes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
