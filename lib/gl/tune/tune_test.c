/* SPDX-License-Identifier: Apache-2.0 */
/* tune_test.c - each node takes the variant that was fastest, if it was worth it, and the results stay; the driver is left as it
 * was.
 */
#include "lib/gl/tune/tune.h"

#include <string.h>

#include "lib/gl/testing/test_session.h"

#define TALL 16
#define WIDE 12

/* CONV_2D 3x3 with RELU6, then CONV_2D 1x1: large enough for every variant. */
static bool fused;  /* and ABS behind it */
static bool single; /* of a pixel, and 1x1 */

static struct loaded network(void)
{
    struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct builder b;
    const int32_t tall = single ? 1 : TALL, wide = single ? 1 : WIDE, taps = single ? 1 : 3;
    int32_t x, a, y;

    builder_init(&b, "tuned");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, tall, wide, 5)),
    a = build_tensor(&b, "a", TYPE_FLOAT32, SHAPE(1, tall, wide, 16));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, tall, wide, 18));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv,
             INDICES(x, test_weights(&b, SHAPE(16, taps, taps, 5), 1), test_weights(&b, SHAPE(16), 2)), INDICES(a));
    conv.activation = ACT_NONE;
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(a, test_weights(&b, SHAPE(18, 1, 1, 16), 4), test_weights(&b, SHAPE(18), 5)),
             INDICES(y));
    if (fused) {
        x = y;
        y = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, tall, wide, 18));
        build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(y));
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static uint32_t asked;

static bool is_no_node(const char *label)
{
    return !strcmp(label, "upload") || !strcmp(label, "download") || !strcmp(label, "compile") || !strcmp(label, "program");
}

/* 8x4 suits the first; the second would gain 2 % by 12x4, which is noise. */
static double suits(const char *label)
{
    asked++;
    if (strstr(label, "conv 8x4 +RELU6"))
        return 50;
    if (strstr(label, "conv 12x4") && !strstr(label, "RELU6"))
        return 98;
    return 100;
}

/* As do workgroups of 8x1x1, all that its tiles fill of 8x8x1, by more than they take alone: what is found first stays for what is
 * tried next. */
static double suits_in_groups(const char *label)
{
    return suits(label) * (strstr(label, ", groups 8x1x1") && strstr(label, "8x4") ? 0.5 : 1);
}

/* Of whose five slices the last tile has one: its filters lie otherwise than those of four beside each other. */
static double suits_the_second(const char *label)
{
    return strstr(label, "12x4") && !strstr(label, "RELU6") ? 50 : 100;
}

static double suits_with_numbers(const char *label)
{
    asked++;
    return strstr(label, ", numbers inlined") && strstr(label, "RELU6") ? 50 : 100;
}

static double suits_otherwise(const char *label)
{
    asked++;
    return strstr(label, ", reads through ") && !strstr(label, "RELU6") ? 50 : 100;
}

static double suits_by_texels(const char *label)
{
    return strstr(label, ", reads through texture buffers") && strstr(label, "RELU6") ? 50 : 100;
}

static double suits_by_uniforms(const char *label)
{
    return strstr(label, ", constants through uniform blocks") && !strstr(label, "RELU6") ? 50 : 100;
}

static double suits_by_copies(const char *label)
{
    return strstr(label, ", constants through textures") && !strstr(label, "RELU6") ? 50 : 100;
}

static double suits_by_rows(const char *label)
{
    asked += strstr(label, ", constants through four textures") != NULL;
    return strstr(label, ", constants through four textures") && !strstr(label, "RELU6") ? 50 : 100;
}

/* What all take together counts: one is slower by itself. */
static double suits_in_textures(const char *label)
{
    return strstr(label, ", values in textures") ? (strstr(label, "RELU6") ? 110 : 50) : 100;
}

static uint32_t uploads;

/* The upload takes more than that gains. */
static double costs_an_upload(const char *label)
{
    if (!strcmp(label, "upload"))
        return uploads++ ? 200 : 100;
    return suits_in_textures(label);
}

static uint32_t again;

/* A clock that says less when what was first is tried again. */
static double sinks(const char *label)
{
    static char first[2][64];

    if (is_no_node(label))
        return 100;
    if (asked < 2) {
        snprintf(first[asked++], sizeof first[0], "%s", label);
        return 100;
    }
    if (strcmp(label, first[0]) && strcmp(label, first[1]))
        return 100;
    again++;
    return 50;
}

/* Fast when it is first tried, slow ever after. */
static double boasts(const char *label)
{
    return strstr(label, "8x4") ? asked++ ? 150 : 50 : 100;
}

static double all_alike(const char *label)
{
    (void)label;
    asked++;
    return 100;
}

/* Runs the network tuned, holds it against the CPU, and stores the labels of the two nodes' dispatches. */
static struct delegate_facts run(const struct gpu_options *o, char labels[2][64])
{
    struct loaded l = network();
    struct delegate *d = test_open_gpu(*o);
    struct session *cpu = test_start(&l, NULL), *s;
    const uint32_t before = test_gl_objects();
    const struct profile_row *rows;
    struct delegate_facts memory;
    struct delegate_program program;
    uint32_t n_programs = 0;
    struct err err;
    size_t n;

    asked = 0;
    s = test_start(&l, d);
    test_compare(s, cpu, 1);
    session_facts(s, NULL, &memory);
    while (session_program(s, n_programs, &program))
        n_programs++;
    assert_true(n_programs > 2); /* whoever built them: upload, the network, download */
    assert_int_equal(fact_value(&memory, "work.programs"), n_programs);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0, found = 0; i < n && found < 2; i++)
        if (rows[i].detail && !strncmp(rows[i].detail, "conv ", 5))
            snprintf(labels[found++], sizeof labels[0], "%s", rows[i].detail);
    session_free(s);
    assert_int_equal(test_gl_objects(), before);
    delegate_close(d);
    session_free(cpu);
    unload(&l);
    return memory;
}

static uint64_t nodes_tuned(const struct gpu_options *o, char labels[2][64])
{
    const struct delegate_facts m = run(o, labels);

    return fact_value(&m, "start.tuning.nodes");
}

static void each_node_takes_what_suits_it(void **state)
{
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits};
    char labels[2][64] = {""};
    struct delegate_facts m = run(&o, labels);

    (void)state;
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 1);
    assert_true(fact_value(&m, "start.tuning.trials") >= 3);
    assert_true(fact_value(&m, "start.programs_compiled") >=
                fact_value(&m, "start.tuning.trials") + 1); /* two programs at first, and one more in each trial */
    assert_string_equal(labels[0], "conv 8x4 +RELU6");
    assert_string_equal(labels[1], "conv 4x2");
}

/* One case for each way in which operations are computed otherwise than as rules have it; and where workgroups are wide and
 * programs dear, no other workgroups are tried. */
static void each_way_is_tried(void **state)
{
    static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS};
    static const struct gl_policy wide = {.row_groups = true, .iterations = GL_FEW_ITERATIONS};
    static const struct {
        const struct gl_policy *policy;
        double (*ns)(const char *label);
        const char *first, *second;
        uint32_t nodes;
    } cases[] = {
        {&square, suits_in_groups, "conv 8x4 +RELU6, groups 8x1x1", "conv 4x2", 1},
        {&square, suits_the_second, "conv 4x2 +RELU6", "conv 12x4", 1},
        {&square, suits_with_numbers, "conv 4x2 +RELU6, numbers inlined", "conv 4x2", 1},
        {&square, suits_otherwise, "conv 4x2 +RELU6", "conv 4x2, reads through images", 1},
        {NULL, suits_otherwise, "conv 4x2 +RELU6", "conv 4x2, reads through ", 1},
        {&square, suits_by_texels, "conv 4x2 +RELU6, reads through texture buffers", "conv 4x2", 1},
        {&square, suits_by_uniforms, "conv 4x2 +RELU6", "conv 4x2, constants through uniform blocks", 1},
        {&square, suits_by_copies, "conv 4x2 +RELU6", "conv 4x2, constants through textures", 1},
        {&square, suits_by_rows, "conv 4x2 +RELU6", "conv 4x2, constants through four textures", 1},
        {&square, suits_in_textures, "conv 4x2 +RELU6, values in textures", "conv 4x2, values in textures", 2},
        {&wide, suits_in_groups, "conv 8x4 +RELU6", "conv 4x2", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = cases[i].ns, .policy = cases[i].policy};
        char labels[2][64] = {""};
        struct delegate_facts m = run(&o, labels);

        assert_int_equal(fact_value(&m, "start.tuning.nodes"), cases[i].nodes);
        assert_string_equal(labels[0], cases[i].first);
        assert_memory_equal(labels[1], cases[i].second,
                            strlen(cases[i].second)); /* llvmpipe's are images, other devices' buffers */
    }
}

/* Four textures are for devices that have a cache for such: on a CPU no time is spent on them. */
static void a_cpu_is_not_tried_with_four_textures(void **state)
{
    static const struct gl_policy cpu = {.software = true, .iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits_by_rows, .policy = &cpu};
    char labels[2][64] = {""};
    struct err err = {""};
    struct delegate *d;

    (void)state;
    TEST_OK(delegate_gpu.open(&o, &d, &err), err);
    if (!d->software) {
        delegate_close(d);
        skip();
    }
    delegate_close(d);
    asked = 0;
    assert_int_equal(nodes_tuned(&o, labels), 0);
    assert_int_equal(asked, 0);
}

static void what_moves_inputs_counts(void **state)
{
    static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = costs_an_upload, .policy = &square};
    char labels[2][64] = {""};

    (void)state;
    uploads = 0;
    assert_int_equal(nodes_tuned(&o, labels), 0);
    assert_int_equal(uploads, 4); /* and those of the second in textures beside that */
}

/* --gpu_object_type says how buffers are read: nothing else is tried. */
static void what_was_asked_for_stays(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE};

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits_otherwise, .objects = objects[i]};
        char labels[2][64] = {""};

        assert_int_equal(nodes_tuned(&o, labels), 0);
    }
}

/* Straight convolutions have workgroups of their own, so that other ones make the same program again. */
static void what_is_made_as_before_is_no_pick(void **state)
{
    static const struct gl_policy straight = {.inline_uniforms = true, .straight_code = true, .iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {
        .device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = sinks, .objects = GPU_OBJECTS_BUFFER, .policy = &straight};
    char labels[2][64] = {""};
    struct delegate_facts m;

    (void)state;
    again = 0;
    m = run(&o, labels);
    assert_int_equal(again, 0);
    assert_non_null(strstr(labels[0], "straight"));
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 0);
}

static void what_gains_nothing_together_is_given_up(void **state)
{
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = boasts};
    char labels[2][64] = {""};
    struct delegate_facts m = run(&o, labels);

    (void)state;
    assert_true(asked > 2);
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 0);
    assert_string_equal(labels[0], "conv 4x2 +RELU6");
}

static void without_gain_nothing_changes(void **state)
{
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = all_alike};
    char labels[2][64] = {""};
    struct delegate_facts m = run(&o, labels);

    (void)state;
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 0);
    assert_string_equal(labels[0], "conv 4x2 +RELU6");
}

static void what_the_driver_refuses_is_not_taken(void **state)
{
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits, .refuse = "8x4"};
    char labels[2][64] = {""};

    (void)state;
    run(&o, labels);
    assert_null(strstr(labels[0], "8x4"));
}

static double suits_inlined(const char *label)
{
    asked++;
    return strstr(label, ", numbers inlined") && !strstr(label, "RELU6") ? 50 : 100;
}

/* Half of what one dispatch computed would take less time, of course. */
static void what_is_computed_apart_is_not_taken(void **state)
{
    static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {
        .device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits_inlined, .policy = &square, .refuse = "+ABS, numbers"};
    char labels[2][64] = {""};

    (void)state;
    fused = true;
    run(&o, labels);
    assert_string_equal(labels[1], "conv 4x2 +ABS");
    o.refuse = NULL;
    run(&o, labels);
    assert_memory_equal(labels[1], "conv 4x2 +ABS, numbers", strlen("conv 4x2 +ABS, numbers"));
    fused = false;
}

static double layer_ns;

static double suits_by_layers(const char *label)
{
    asked++;
    uploads += !strcmp(label, "upload");
    return strstr(label, "chain") ? 100 : layer_ns;
}

/* Two layers that take 60 are no better than a dispatch of both that takes 100. */
static void what_one_dispatch_computes_is_compared_together(void **state)
{
    static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS};
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits_by_layers, .policy = &square};
    char labels[2][64] = {""};

    (void)state;
    single = true;
    layer_ns = 60;
    uploads = 0;
    assert_int_equal(nodes_tuned(&o, labels), 0);
    assert_int_equal(uploads, 2); /* by buffers, by textures: there was nothing to judge at last */
    assert_string_equal(labels[0], "");
    layer_ns = 40;
    assert_int_equal(nodes_tuned(&o, labels), 2);
    assert_string_not_equal(labels[0], "");
    assert_string_not_equal(labels[1], "");
    single = false;
}

/* With any batch the batch is among the numbers. */
static void numbers_stay_bound_with_any_batch(void **state)
{
    struct gpu_options batch = {
        .device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits_with_numbers, .dynamic_batch = true};
    char labels[2][64] = {""};

    (void)state;
    assert_int_equal(nodes_tuned(&batch, labels), 0);
}

static void by_the_clock(void **state)
{
    struct gpu_options o = {.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE};
    char labels[2][64] = {""};
    struct delegate_facts m = run(&o, labels);

    (void)state;
    assert_int_equal(asked, 0);
    assert_true(fact_value(&m, "start.tuning.trials") >= 3);
}

/* Equal layers whose long loops are in two dispatches, which a trial has in one: it has fewer than the network untuned. */
static void trials_may_have_fewer_dispatches(void **state)
{
    enum { LAYERS = 8, CHANNELS = 128, TAPS = 12 };
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = suits});
    struct delegate_facts m;
    struct builder b;
    struct session *s;
    struct loaded l;
    int32_t x, w;

    (void)state;
    builder_init(&b, "layers");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 1, 1, CHANNELS));
    w = test_weights(&b, SHAPE(CHANNELS, TAPS, TAPS, CHANNELS), 1);
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < LAYERS; i++) {
        const int32_t y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1, 1, CHANNELS));

        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, w, test_weights(&b, SHAPE(CHANNELS), 2)), INDICES(y));
        x = y;
    }
    build_outputs(&b, INDICES(x));
    l = load(&b);
    s = test_start(&l, d);
    session_facts(s, NULL, &m);
    assert_true(fact_value(&m, "start.tuning.trials") > 1);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

static void untuned_nothing_is_tried(void **state)
{
    struct gpu_options o = {.device = -1, .trial_ns = suits};
    char labels[2][64] = {""};
    struct delegate_facts m = run(&o, labels);

    (void)state;
    assert_int_equal(asked, 0);
    assert_int_equal(fact_value(&m, "start.tuning.trials"), 0);
    assert_int_equal(fact_value(&m, "start.tuning.us"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_node_takes_what_suits_it),
        cmocka_unit_test(each_way_is_tried),
        cmocka_unit_test(what_moves_inputs_counts),
        cmocka_unit_test(a_cpu_is_not_tried_with_four_textures),
        cmocka_unit_test(what_was_asked_for_stays),
        cmocka_unit_test(what_is_made_as_before_is_no_pick),
        cmocka_unit_test(what_gains_nothing_together_is_given_up),
        cmocka_unit_test(without_gain_nothing_changes),
        cmocka_unit_test(what_the_driver_refuses_is_not_taken),
        cmocka_unit_test(what_is_computed_apart_is_not_taken),
        cmocka_unit_test(what_one_dispatch_computes_is_compared_together),
        cmocka_unit_test(numbers_stay_bound_with_any_batch),
        cmocka_unit_test(by_the_clock),
        cmocka_unit_test(trials_may_have_fewer_dispatches),
        cmocka_unit_test(untuned_nothing_is_tried),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
