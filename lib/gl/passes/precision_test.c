/* SPDX-License-Identifier: Apache-2.0 */
/* precision_test.c - what options come to, and nodes that stay float32 among others that do not. */
#include "lib/gl/passes/precision.h"

#include <math.h>

#include "lib/gl/testing/test_session.h"

/* ---- options ---- */

#define AUTO GPU_PRIORITY_AUTO
#define PREC GPU_MAX_PRECISION
#define FAST GPU_MIN_LATENCY
#define MEM  GPU_MIN_MEMORY_USAGE

/* The orders that TFLite's delegate takes, by the first letters of AUTO, max_Precision, min_Latency and min_Memory_usage, and what
 * it makes of each: behind the first it goes on L M P, M P L or P L M, and one that is missing at the end is the one that is left.
 * All others it refuses; but for the first, which are its defaults here. */
static const char *const orders[][2] = {
    {"AAA", "PLM"}, {"PAA", "PLM"}, {"PLA", "PLM"}, {"PLM", "PLM"}, {"PMA", "PML"}, {"PML", "PML"}, {"LAA", "LMP"}, {"LMA", "LMP"},
    {"LMP", "LMP"}, {"LPA", "LPM"}, {"LPM", "LPM"}, {"MAA", "MPL"}, {"MPA", "MPL"}, {"MPL", "MPL"}, {"MLA", "MLP"}, {"MLP", "MLP"}};

static const char *order_of(const char *given)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!strcmp(orders[i][0], given))
            return orders[i][1];
    return NULL;
}

/* Precision loss that is allowed is a first priority of latency, and contradicts one of precision. */
static const char *expected_order(const char *given, bool loss_allowed)
{
    if (loss_allowed && *given == 'A')
        return given[1] == 'A' && given[2] == 'A' ? "LMP" : NULL;
    return loss_allowed && *given == 'P' ? NULL : order_of(given);
}

static void hold_order(const struct gpu_options *o, const char *given)
{
    static const char letters[] = {[AUTO] = 'A', [PREC] = 'P', [FAST] = 'L', [MEM] = 'M'};
    const char *expected = expected_order(given, o->precision_loss_allowed);
    enum gpu_precision precision = GPU_PRECISION_AUTO;
    enum gpu_priority order[3];
    struct err err = {""};
    enum status st = gpu_precision_of(o, &precision, order, &err);

    if (!expected && (st != ST_USAGE || !err.msg[0] || precision))
        fail_msg("%s is not refused", given);
    if (!expected)
        return;
    TEST_OK(st, err);
    for (int i = 0; i < 3; i++)
        if (letters[order[i]] != expected[i])
            fail_msg("%s: priority %d is %c, expected %s", given, i + 1, letters[order[i]], expected);
    /* As its GL backend has it, halves wherever precision does not come first; of these to store alone is the better half way. */
    assert_int_equal(precision, *expected == 'P'     ? GPU_PRECISION_FP32
                                : expected[1] == 'P' ? GPU_PRECISION_FP16_STORAGE
                                                     : GPU_PRECISION_FP16);
    assert_int_equal(gpu_spares_memory(order), strchr(expected, 'M') < strchr(expected, 'L'));
}

/* All there are, each with and without precision loss. */
static void priorities_are_resolved(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * 4 * 4 * 2; k++) {
        const struct gpu_options o = {
            .priority = {(enum gpu_priority)(k / 16 % 4), (enum gpu_priority)(k / 4 % 4), (enum gpu_priority)(k % 4)},
            .precision_loss_allowed = k >= 4 * 4 * 4};
        const char given[] = {"APLM"[o.priority[0]], "APLM"[o.priority[1]], "APLM"[o.priority[2]], '\0'};

        hold_order(&o, given);
    }
}

static void options_agree(void **state)
{
    static const struct {
        struct gpu_options o;
        enum gpu_precision precision; /* AUTO: refused */
    } cases[] = {
        {{.precision_loss_allowed = true}, GPU_PRECISION_FP16},
        {{.precision = GPU_PRECISION_FP16_STORAGE}, GPU_PRECISION_FP16_STORAGE},
        {{.precision_loss_allowed = true, .precision = GPU_PRECISION_FP16_STORAGE}, GPU_PRECISION_FP16_STORAGE},
        {{.precision = GPU_PRECISION_FP32, .priority = {FAST}}, GPU_PRECISION_FP32},
        {{.precision_loss_allowed = true, .priority = {MEM}}, GPU_PRECISION_FP16_STORAGE},
        {{.precision_loss_allowed = true, .precision = GPU_PRECISION_FP32}, GPU_PRECISION_AUTO},
        {{.precision_loss_allowed = true, .priority = {PREC}}, GPU_PRECISION_AUTO},
        {{.precision = GPU_PRECISION_FP16, .priority = {PREC}}, GPU_PRECISION_AUTO},
        {{.priority = {AUTO, FAST}}, GPU_PRECISION_AUTO},
        {{.priority = {FAST, AUTO, MEM}}, GPU_PRECISION_AUTO},
        {{.priority = {FAST, FAST}}, GPU_PRECISION_AUTO},
        {{.priority = {FAST, MEM, FAST}}, GPU_PRECISION_AUTO},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum gpu_precision p = GPU_PRECISION_AUTO;
        struct err err = {""};
        enum status st = gpu_precision_of(&cases[i].o, &p, NULL, &err);

        assert_int_equal(st, cases[i].precision ? ST_OK : ST_USAGE);
        assert_int_equal(p, cases[i].precision);
        assert_true(!st == !err.msg[0]);
    }
}

/* Shapes are in the text for sustained speed where latency comes first, and no value in a texture where memory comes before it. */
static void priorities_choose_storage_and_numbers(void **state)
{
    static const struct gl_policy textures = {.textures = true};
    static const struct {
        enum gpu_priority first;
        bool sustained, inlined, textured;
    } cases[] = {{AUTO, true, false, true},
                 {FAST, false, false, true},
                 {FAST, true, true, true},
                 {MEM, true, false, false},
                 {PREC, true, false, true}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct delegate *d = test_open_gpu((struct gpu_options){
            .device = -1, .policy = &textures, .priority = {cases[i].first}, .sustained_speed = cases[i].sustained});
        const struct gl_limits *l = &gpu_context(d)->limits;

        assert_int_equal(l->policy.inline_uniforms, cases[i].inlined);
        assert_int_equal(l->texture_reads > 0, cases[i].textured);
        delegate_close(d);
    }
}

/* ---- nodes that stay float32 ---- */

/* The image times 300 (node 0), times 300 (1), divided by 90000 (2), plus 1 (3): beyond what a half can hold after node 1. With
 * `apart` an operator that the GPU does not take stands behind node 0, which makes partitions. */
static void build_large(struct builder *b, float by)
{
    const float factor[] = {by}, divisor[] = {by * by}, one[] = {1};
    const struct opt_mul none = {ACT_NONE};
    int32_t x, f, d, k, t[4];

    builder_init(b, "large");
    x = test_image(b, "x");
    f = build_const(b, "factor", TYPE_FLOAT32, SHAPE(1), factor);
    d = build_const(b, "divisor", TYPE_FLOAT32, SHAPE(1), divisor);
    k = build_const(b, "one", TYPE_FLOAT32, SHAPE(1), one);
    for (int i = 0; i < 4; i++)
        t[i] = test_image(b, (const char *[]){"a", "b", "c", "y"}[i]);
    build_op(b, BUILTIN_MUL, 1, &none, INDICES(x, f), INDICES(t[0]));
    build_op(b, BUILTIN_MUL, 1, &none, INDICES(t[0], f), INDICES(t[1]));
    build_op(b, BUILTIN_DIV, 1, &(struct opt_div){ACT_NONE}, INDICES(t[1], d), INDICES(t[2]));
    build_op(b, BUILTIN_ADD, 1, &(struct opt_add){.activation = ACT_NONE}, INDICES(t[2], k), INDICES(t[3]));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(t[0], t[1], t[3]));
}

/* The largest difference of output `o` from the CPU's, infinite where one side alone is finite. */
static double run_model(struct builder *b, struct gpu_options options, uint32_t o)
{
    struct loaded l = load(b);
    struct delegate *d = test_open_gpu(options);
    struct session *gpu, *cpu;
    struct err err;
    double most = 0;

    gpu = test_start(&l, d);
    cpu = test_start(&l, NULL);
    assert_int_equal(session_partitioning(gpu)->n_delegated, session_graph(gpu)->n_nodes);
    test_fill(gpu, 0.5);
    test_fill(cpu, 0.5);
    TEST_OK(session_run(gpu, &err), err);
    TEST_OK(session_run(cpu, &err), err);
    for (size_t i = 0; i < H * W * C; i++) {
        double v = ((const float *)session_output(gpu, o)->data)[i], want = ((const float *)session_output(cpu, o)->data)[i];

        most = isfinite(v) && isfinite(want) ? fmax(most, fabs(v - want)) : INFINITY;
        if (!isfinite(most))
            break;
    }
    session_free(gpu);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
    return most;
}

static double run_with(struct gpu_options options, uint32_t o)
{
    struct builder b;

    build_large(&b, 300);
    return run_model(&b, options, o);
}

/* A scale behind a convolution that would make halves of its weights vanish does not go into them. */
static void small_scales_stay_out_of_halves(void **state)
{
    const float down = 1e-7f, up = 1e7f;
    struct builder b;
    int32_t x, t[3];

    (void)state;
    builder_init(&b, "small");
    x = test_image(&b, "x");
    for (int i = 0; i < 3; i++)
        t[i] = test_image(&b, (const char *[]){"conv", "small", "y"}[i]);
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, test_weights(&b, SHAPE(C, 1, 1, C), 1), test_weights(&b, SHAPE(C), 2)), INDICES(t[0]));
    build_op(&b, BUILTIN_MUL, 1, &(struct opt_mul){ACT_RELU}, INDICES(t[0], build_const(&b, "down", TYPE_FLOAT32, SHAPE(1), &down)),
             INDICES(t[1]));
    build_op(&b, BUILTIN_MUL, 1, &(struct opt_mul){ACT_NONE}, INDICES(t[1], build_const(&b, "up", TYPE_FLOAT32, SHAPE(1), &up)),
             INDICES(t[2]));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(t[2]));
    assert_true(run_model(&b, (struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16_STORAGE}, 0) < 5e-3);
}

static void nodes_stay_float32(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE};

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        for (int p = GPU_PRECISION_FP16_STORAGE; p <= GPU_PRECISION_FP16; p++) {
            struct gpu_options o = {.device = -1, .objects = objects[i], .precision = (enum gpu_precision)p};

            assert_true(isinf(run_with(o, 2)));
            o.fp32_nodes = "0";
            assert_true(isinf(run_with(o, 2)));
            assert_true(run_with(o, 0) < 1e-4);
            o.fp32_nodes = "1";
            assert_true(run_with(o, 0) > 1e-4 && run_with(o, 0) < 0.2);
            assert_true(isfinite(run_with(o, 1)));
            assert_true(run_with(o, 2) < 3e-3);
            o.fp32_nodes = "2-3,0-1";
            assert_true(run_with(o, 2) < 1e-5);
        }
}

/* Two partitions with a node that the GPU does not take between them: what node 0 makes, a convolution, is read in both. */
static struct loaded split_model(void)
{
    struct builder b;
    int32_t x, t[4];

    builder_init(&b, "split");
    x = test_image(&b, "x");
    for (int i = 0; i < 4; i++)
        t[i] = test_image(&b, (const char *[]){"conv", "scaled", "larger", "y"}[i]);
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), 5), test_weights(&b, SHAPE(C), 2)), INDICES(t[0]));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[0], test_weights(&b, SHAPE(C), 3)), INDICES(t[1]));
    test_on_cpu(&b, t[1], t[2]);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[2], t[0]), INDICES(t[3]));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(t[3]));
    return load(&b);
}

static void partitions_agree_on_what_goes_between_them(void **state)
{
    static const struct {
        const char *nodes;
        double within; /* 0: no more than rounding in float32 */
    } cases[] = {{"", 2e-2}, {"0", 2e-2}, {"3", 2e-2}, {"0-3", 0}};
    struct loaded l = split_model();
    struct session *cpu = test_start(&l, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct delegate *d = test_open_gpu(
            (struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16_STORAGE, .fp32_nodes = cases[i].nodes});
        struct session *s = test_start(&l, d);
        const struct profile_row *rows;
        struct err err;
        size_t n;

        assert_int_equal(session_partitioning(s)->n_delegated, 3);
        test_fill(s, i);
        TEST_OK(session_profile(s, &rows, &n, &err), err);
        for (size_t r = 0; r < n; r++) /* it stays on the GPU */
            assert_false(rows[r].tensor && !strcmp(rows[r].tensor->name, "conv"));
        if (cases[i].within == 0)
            test_compare(s, cpu, i);
        test_fill(cpu, i);
        TEST_OK(session_run(cpu, &err), err);
        for (size_t k = 0; k < H * W * C; k++)
            assert_true(fabs((double)((const float *)session_output(s, 0)->data)[k] -
                             (double)((const float *)session_output(cpu, 0)->data)[k]) <= fmax(cases[i].within, 1e-5));
        session_free(s);
        delegate_close(d);
    }
    session_free(cpu);
    unload(&l);
}

/* x, BFLOAT16, as its bits; and another node, which is to stay float32. */
static void others_keep_what_no_half_holds(void **state)
{
    const struct gpu_options o = {.device = -1, .precision = GPU_PRECISION_FP16_STORAGE, .fp32_nodes = "1"};
    const uint16_t bits[] = {0x7f7f, 0x0001, 0xff00, 0x3f80}; /* the largest, the smallest, -1.7e38, 1 */
    struct test_pair p;
    struct builder b;
    int32_t x, y, u, v;
    struct err err;

    (void)state;
    builder_init(&b, "bits");
    x = build_tensor(&b, "x", TYPE_BFLOAT16, SHAPE(1, 4));
    y = build_tensor(&b, "y", TYPE_INT16, SHAPE(1, 4));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, 4));
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(1, 4));
    build_op(&b, BUILTIN_BITCAST, 1, NULL, INDICES(x), INDICES(y));
    build_op(&b, BUILTIN_TANH, 1, NULL, INDICES(u), INDICES(v));
    build_inputs(&b, INDICES(x, u));
    build_outputs(&b, INDICES(y, v));
    p = test_pair_start(&b, o, 2);
    memcpy(session_input(p.gpu, 0)->data, bits, sizeof bits);
    memset(session_input(p.gpu, 1)->data, 0, 4 * sizeof(float));
    TEST_OK(session_run(p.gpu, &err), err);
    assert_memory_equal(session_output(p.gpu, 0)->data, bits, sizeof bits);
    test_pair_stop(&p);
}

/* The label of the dispatch that computes node i, as profiles have it. */
static const char *label_of(const struct profile_row *rows, size_t n, uint32_t i)
{
    for (size_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < rows[r].n_nodes; k++)
            if (rows[r].nodes[k]->index == i)
                return rows[r].detail;
    fail_msg("no dispatch computes node %u", i);
    return "";
}

static bool is_computed_in_halves(const struct profile_row *rows, size_t n, uint32_t i)
{
    for (size_t k = 0; k < n; k++)
        if (rows[k].n_nodes && rows[k].nodes[0]->index == i)
            return rows[k].halves;
    return false;
}

static void labels_tell_the_precision(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16, .fp32_nodes = "1"});
    const bool halves = !strcmp(d->precision.arithmetic, "float16");
    const struct profile_row *rows;
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err;
    size_t n;

    (void)state;
    build_large(&b, 300);
    l = load(&b);
    s = test_start(&l, d);
    test_fill(s, 0.5);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_int_equal(strstr(label_of(rows, n, 0), " in float16") != NULL, halves);
    assert_int_equal(is_computed_in_halves(rows, n, 0), halves);
    assert_non_null(strstr(label_of(rows, n, 1), " in float32"));
    assert_false(is_computed_in_halves(rows, n, 1));
    assert_null(strstr(label_of(rows, n, 3), " in ")); /* it reads what stayed float32, so it has to compute so */
    session_free(s);
    unload(&l);
    delegate_close(d);
}

/* Of explicit types, which are emulated, a sum that a product is not fused with has none. */
static void types_compute_products_alone(void **state)
{
    static const struct gl_policy emulated = {.emulated_halves = true};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16, .policy = &emulated});
    const struct profile_row *rows;
    struct builder b;
    struct session *s;
    struct loaded l;
    struct err err;
    int32_t x, z, y;
    size_t n;

    (void)state;
    builder_init(&b, "products");
    x = test_image(&b, "x");
    z = test_image(&b, "z");
    y = test_image(&b, "y");
    build_op(&b, BUILTIN_ADD, 1, &(struct opt_add){.activation = ACT_NONE}, INDICES(x, x), INDICES(z));
    build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(z, test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    s = test_start(&l, d);
    test_fill(s, 0.5);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_string_equal(d->precision.by, "emulated types");
    assert_null(strstr(label_of(rows, n, 0), " in float16"));
    assert_false(is_computed_in_halves(rows, n, 0));
    assert_non_null(strstr(label_of(rows, n, 1), " in float16"));
    assert_true(is_computed_in_halves(rows, n, 1));
    session_free(s);
    unload(&l);
    delegate_close(d);
}

static void wrong_nodes_are_told(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16, .fp32_nodes = "1,3-4"});
    struct session_options o = {.delegates = {d}};
    struct builder b;
    struct loaded l;
    struct session *s;
    struct err err;

    (void)state;
    build_large(&b, 300);
    l = load(&b);
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    assert_int_equal(session_prepare(s, &err), ST_USAGE);
    assert_string_equal(err.msg, "--gpu_fp32_nodes: there is no node 4, the model has nodes 0 to 3");
    session_free(s);
    unload(&l);
    delegate_close(d);
}

static void what_is_in_force_is_told(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .precision = GPU_PRECISION_FP16, .fp32_nodes = "1"});

    (void)state;
    assert_string_equal(d->precision.asked, "fp16");
    assert_string_equal(d->precision.fp32_nodes, "1");
    assert_string_equal(d->precision.stored, "float16");
    assert_true(!strcmp(d->precision.asked, d->precision.in_force) == !d->precision.why);
    delegate_close(d);
    d = test_open_best();
    assert_string_equal(d->precision.in_force, "fp32");
    assert_null(d->precision.fp32_nodes);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priorities_are_resolved),
        cmocka_unit_test(options_agree),
        cmocka_unit_test(priorities_choose_storage_and_numbers),
        cmocka_unit_test(nodes_stay_float32),
        cmocka_unit_test(others_keep_what_no_half_holds),
        cmocka_unit_test(small_scales_stay_out_of_halves),
        cmocka_unit_test(labels_tell_the_precision),
        cmocka_unit_test(types_compute_products_alone),
        cmocka_unit_test(partitions_agree_on_what_goes_between_them),
        cmocka_unit_test(wrong_nodes_are_told),
        cmocka_unit_test(what_is_in_force_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
