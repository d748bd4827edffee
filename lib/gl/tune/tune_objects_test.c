/* SPDX-License-Identifier: Apache-2.0 */
/* tune_objects_test.c - values are in textures where those who read and write them are faster so, and in buffers beside that; by
 * times that are made up. */
#include "lib/gl/tune/tune.h"

#include <string.h>

#include "lib/gl/testing/test_session.h"

#define TALL  16
#define WIDE  12
#define NODES 5

/* Convolutions of different shapes: two that have no function like one storage, the last two, of RELU6, another, and the one in the
 * middle, of RELU, likes any. */
static const enum activation acts[NODES] = {ACT_NONE, ACT_RELU, ACT_NONE, ACT_RELU6, ACT_RELU6};

static struct loaded network(void)
{
    struct builder b;
    int32_t x;

    builder_init(&b, "objects");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, TALL, WIDE, 8));
    build_inputs(&b, INDICES(x));
    for (int32_t i = 0, c = 8; i < NODES; i++, c += 4) {
        const struct opt_conv_2d conv = test_conv_with(acts[i]);
        const int32_t y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, TALL, WIDE, c + 4));

        build_op(&b, BUILTIN_CONV_2D, 1, &conv,
                 INDICES(x, test_weights(&b, SHAPE(c + 4, 3, 3, c), 1), test_weights(&b, SHAPE(c + 4), 2)), INDICES(y));
        x = y;
    }
    build_outputs(&b, INDICES(x));
    return load(&b);
}

/* What each takes with values in textures, if some of them are, and in buffers, if that is picked; else 100. */
static double plain, middle, last, some, buffers;

static double made_up(const char *label)
{
    const bool relu6 = strstr(label, "+RELU6");

    if (strstr(label, ", values in buffers"))
        return relu6 ? buffers : 200;
    if (strstr(label, ", some values in textures") && some > 0)
        return some;
    if (!strstr(label, "values in textures"))
        return 100;
    return relu6 ? last : strstr(label, "+RELU") ? middle : plain;
}

/* The labels of the convolutions go to labels. */
static struct delegate_facts run(struct gpu_options o, char labels[NODES][64])
{
    struct loaded l = network();
    struct session *cpu = test_start(&l, NULL), *s;
    const struct profile_row *rows;
    struct delegate_facts m;
    struct delegate *d;
    struct err err;
    size_t n, found = 0;

    o.device = -1;
    o.trial_ns = made_up;
    d = test_open_gpu(o);
    s = test_start(&l, d);
    test_compare(s, cpu, 1);
    session_facts(s, NULL, &m);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        if (rows[i].detail && !strncmp(rows[i].detail, "conv ", 5)) {
            assert_true(found < NODES);
            snprintf(labels[found++], sizeof labels[0], "%s", rows[i].detail);
        }
    assert_int_equal(found, NODES);
    session_free(s);
    delegate_close(d);
    session_free(cpu);
    unload(&l);
    return m;
}

static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS},
                              textures = {.textures = true, .iterations = GL_FEW_ITERATIONS};

/* By what each of them takes, what is behind its label. */
static void each_value_is_where_it_is_fast(void **state)
{
    static const struct {
        const struct gl_policy *policy;
        double plain, middle, last, some, buffers;
        const char *behind[NODES];
        uint32_t textures; /* values */
    } cases[] = {
        {&square, 50, 100, 200, 0, 0, {", values in textures", ", values in textures", ", some values in textures", "", ""}, 3},
        {&square, 50, 110, 200, 0, 0, {", some values in textures", "", "", "", ""}, 1},
        /* One who has some in textures is slow: all are where they were. */
        {&square, 50, 100, 200, 500, 0, {"", "", "", "", ""}, 0},
        /* All in textures is as good. */
        {&square,
         50,
         100,
         104,
         0,
         0,
         {", values in textures", ", values in textures", ", values in textures", ", values in textures", ", values in textures"},
         6},
        {&square, 104, 104, 104, 0, 0, {"", "", "", "", ""}, 0},
        {&textures, 100, 100, 100, 0, 50, {"", "", "", ", values in buffers", ", values in buffers"}, 3},
        {&textures, 100, 100, 100, 0, 100, {"", "", "", "", ""}, 5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gpu_options o = {.tuning = GPU_TUNING_EXHAUSTIVE, .policy = cases[i].policy};
        struct delegate_facts m;
        char labels[NODES][64];
        uint64_t bytes = 0;

        plain = cases[i].plain;
        middle = cases[i].middle;
        last = cases[i].last;
        some = cases[i].some;
        buffers = cases[i].buffers;
        m = run(o, labels);
        for (int k = 0; k < NODES; k++) {
            const char *act = acts[k] == ACT_RELU6 ? " +RELU6" : acts[k] == ACT_RELU ? " +RELU" : "";
            char want[64];

            snprintf(want, sizeof want, "conv 4x2%s%s", act, cases[i].behind[k]);
            assert_string_equal(labels[k], want);
        }
        for (uint32_t k = 0; k < cases[i].textures; k++)
            bytes += TALL * WIDE * 4 * sizeof(float) * (2 + k);
        assert_int_equal(fact_value(&m, "memory.in_textures"), bytes);
    }
}

/* Untuned: readers have textures where the table wants these, and all is in them where that is asked for. */
static void rules_place_by_readers(void **state)
{
    const uint64_t row = TALL * WIDE * 4 * sizeof(float), read = (2 + 3 + 4 + 5 + 6) * row;
    struct delegate_facts m;
    char labels[NODES][64];

    (void)state;
    m = run((struct gpu_options){.policy = &square}, labels);
    assert_int_equal(fact_value(&m, "memory.in_textures"), 0);
    m = run((struct gpu_options){.policy = &textures}, labels);
    assert_int_equal(fact_value(&m, "memory.in_textures"), read);
    m = run((struct gpu_options){.policy = &square, .objects = GPU_OBJECTS_TEXTURE}, labels);
    assert_int_equal(fact_value(&m, "memory.in_textures"), read + 7 * row);
    assert_string_equal(labels[0], "conv 4x2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_value_is_where_it_is_fast), cmocka_unit_test(rules_place_by_readers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
