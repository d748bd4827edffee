/* SPDX-License-Identifier: Apache-2.0 */
/* sum32_test.c - what each kernel of products adds them up in, told by sums that no half holds: 2048 and small terms, which are
 * lost one by one where a sum has 16 bits. */
#include "lib/gl/device/probe.h"
#include "lib/gl/device/texts.h"
#include "lib/gl/testing/test_session.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "lib/testing/test_files.h"

#define SIZE  12   /* rows and columns */
#define OUT   12   /* channels of a result */
#define ROWS  16   /* of a product of matrices, */
#define WIDE  32   /* and its columns, or channels of a result that blocks are made of */
#define LONG  4352 /* channels of one pixel, 17 vectors for each of 64 lanes */
#define DEPTH 132

/* Where the shaders go that compute with emulated types. */
static char dumped[64];

static const struct gl_limits emulated = {.policy.emulated_halves = true};

/* Half a step of the halves from 2048 on: how far off a result may be that was rounded once to store it. */
#define ROUNDED 1.0

static float weights[OUT * LONG];

static int32_t filter(struct builder *b, const int32_t *dim, int32_t rank, float value)
{
    size_t n = 1;

    for (int32_t i = 0; i < rank; i++)
        n *= (size_t)dim[i];
    assert_true(n <= sizeof weights / sizeof *weights);
    for (size_t i = 0; i < n; i++)
        weights[i] = value;
    return build_const(b, "w", TYPE_FLOAT32, dim, rank, weights);
}

static int32_t image(struct builder *b, const char *name, int32_t size, int32_t channels)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, size, size, channels));
}

static void end(struct builder *b, int32_t x, int32_t y)
{
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void build_conv_of(struct builder *b, float bias)
{
    const int32_t x = image(b, "x", SIZE, C), y = image(b, "y", SIZE, OUT);

    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, filter(b, SHAPE(OUT, 3, 3, C), 1), filter(b, SHAPE(OUT), bias)),
             INDICES(y));
    end(b, x, y);
}

/* Of four inputs of 1/4 each pass makes 1. */
static void build_conv(struct builder *b)
{
    build_conv_of(b, 2048);
}

static void build_conv_passes(struct builder *b)
{
    build_conv_of(b, 0);
}

static void build_pointwise(struct builder *b)
{
    const int32_t x = image(b, "x", SIZE, 4 * C), y = image(b, "y", SIZE, WIDE);

    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, filter(b, SHAPE(WIDE, 1, 1, 4 * C), 1), filter(b, SHAPE(WIDE), 2048)), INDICES(y));
    end(b, x, y);
}

static void build_depthwise(struct builder *b)
{
    const int32_t x = image(b, "x", SIZE, C), y = image(b, "y", SIZE, C);

    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(x, filter(b, SHAPE(1, 5, 5, C), 1), filter(b, SHAPE(C), 2048)), INDICES(y));
    end(b, x, y);
}

/* The sums of the first are lost, or those of the second. */
static void build_pair(struct builder *b, float first_bias, float factor, float second_bias)
{
    const int32_t x = image(b, "x", 32, C), between = image(b, "between", 32, C), y = image(b, "y", 32, OUT);

    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(x, filter(b, SHAPE(1, 3, 3, C), 1), filter(b, SHAPE(C), first_bias)), INDICES(between));
    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(between, filter(b, SHAPE(OUT, 1, 1, C), factor), filter(b, SHAPE(OUT), second_bias)), INDICES(y));
    end(b, x, y);
}

static void build_first(struct builder *b)
{
    build_pair(b, 2048, 1.0f / C, 0);
}

static void build_second(struct builder *b)
{
    build_pair(b, 0, 1.0f / 16, 2048);
}

static void build_second_passes(struct builder *b)
{
    build_pair(b, 0, 1.5625f, 0);
}

static void build_transposed_of(struct builder *b, float bias)
{
    static const int32_t shape[] = {1, 2 * SIZE, 2 * SIZE, OUT};
    const struct opt_transpose_conv opt = {.padding = PAD_SAME, .stride_width = 2, .stride_height = 2};
    const int32_t to = build_const(b, "shape", TYPE_INT32, SHAPE(4), shape);
    const int32_t x = image(b, "x", SIZE, C), y = image(b, "y", 2 * SIZE, OUT);

    build_op(b, BUILTIN_TRANSPOSE_CONV, 3, &opt, INDICES(to, filter(b, SHAPE(OUT, 4, 4, C), 1), x, filter(b, SHAPE(OUT), bias)),
             INDICES(y));
    end(b, x, y);
}

static void build_transposed(struct builder *b)
{
    build_transposed_of(b, 2048);
}

static void build_transposed_passes(struct builder *b)
{
    build_transposed_of(b, 0);
}

static void build_lanes(struct builder *b)
{
    const int32_t x = image(b, "x", 1, LONG), y = image(b, "y", 1, OUT);

    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, filter(b, SHAPE(OUT, 1, 1, LONG), 1), filter(b, SHAPE(OUT), 0)),
             INDICES(y));
    end(b, x, y);
}

static void build_matrices(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, ROWS, DEPTH));
    const int32_t z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, DEPTH, WIDE));
    const int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, ROWS, WIDE));

    build_op(b, BUILTIN_BATCH_MATMUL, 1, &(struct opt_batch_matmul){0}, INDICES(x, z), INDICES(y));
    build_inputs(b, INDICES(x, z));
    build_outputs(b, INDICES(y));
}

/* The first `head` elements of each `run` of input i are `large`, the others `small`. */
static void fill_runs(struct session *s, uint32_t i, size_t run, size_t head, float large, float small)
{
    struct tensor *t = session_input(s, i);

    for (size_t k = 0; k < t->bytes / sizeof(float); k++)
        ((float *)t->data)[k] = k % run < head ? large : small;
}

static void fill_quarters(struct session *s)
{
    fill_runs(s, 0, 1, 0, 0, 0.25f);
}

static void fill_halves(struct session *s)
{
    fill_runs(s, 0, 1, 0, 0, 0.5f);
}

/* Each lane has 32 from its first vector, and 1/64 from each other. */
static void fill_lanes(struct session *s)
{
    fill_runs(s, 0, LONG, 256, 8, 0x1p-8f);
}

static void fill_matrices(struct session *s)
{
    fill_runs(s, 0, DEPTH, 4, 512, 0.25f);
    fill_runs(s, 1, 1, 0, 0, 1);
}

/* What makes a pass have a first term and three of half a step of it. */
static void fill_passes(struct session *s)
{
    fill_runs(s, 0, 4, 1, 64, 64 * 0x1p-11f);
    if (session_n_inputs(s) > 1)
        fill_runs(s, 1, 1, 0, 0, 1);
}

static void fill_second_passes(struct session *s)
{
    fill_runs(s, 0, 4, 1, 64, 64 * 0x1p-12f);
}

static void fill_transposed_passes(struct session *s)
{
    fill_runs(s, 0, 4, 1, 128, 128 * 0x1p-11f);
}

static void fill_lanes_passes(struct session *s)
{
    fill_runs(s, 0, 4, 1, 2, 2 * 0x1p-11f);
}

struct product {
    const char *forced, *label; /* "" where nothing is asked for; what the dispatch is called */
    void (*build)(struct builder *b);
    void (*fill)(struct session *s);
    uint32_t nodes;
};

static bool has_label(const struct test_pair *p, const char *label)
{
    const struct profile_row *rows;
    struct err err;
    size_t n;

    TEST_OK(session_profile(p->gpu, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        if (rows[i].detail && !strncmp(rows[i].detail, label, strlen(label)))
            return true;
    return false;
}

/* The largest distance from the CPU; *halves: 16 bits are in force. */
static double distance(const struct product *c, enum gpu_precision precision, bool by_types, bool *halves)
{
    const struct gl_policy policy = {.straight_code = true, .row_groups = true, .emulated_halves = by_types};
    const struct gpu_options o = {
        .device = -1, .policy = &policy, .variants = c->forced, .precision = precision, .dump_shaders = by_types ? dumped : NULL};
    struct builder b;
    struct test_pair p;
    double most = 0;

    builder_init(&b, "sums");
    c->build(&b);
    p = test_pair_start(&b, o, c->nodes);
    *halves = !strcmp(p.d->precision.arithmetic, "float16");
    test_pair_run(&p, c->fill);
    if (!has_label(&p, c->label))
        fail_msg("no dispatch is called \"%s\"", c->label);
    for (size_t i = 0; i < session_output(p.cpu, 0)->bytes / sizeof(float); i++)
        most = fmax(most, fabs((double)((const float *)session_output(p.gpu, 0)->data)[i] -
                               (double)((const float *)session_output(p.cpu, 0)->data)[i]));
    test_pair_stop(&p);
    return most;
}

/* First those whose sums are lost one by one, then those of which a pass loses some. */
#define ONE_BY_ONE 16
static const struct product cases[] = {
    {"conv:4x2", "conv 4x2", build_conv, fill_quarters, 1},
    {"conv:4x1", "conv 4x1", build_conv, fill_quarters, 1},
    {"conv:8x2", "conv 8x2", build_conv, fill_quarters, 1},
    {"conv:8x4", "conv 8x4", build_conv, fill_quarters, 1},
    {"conv:rows", "conv rows", build_conv, fill_quarters, 1},
    {"conv:straight", "conv straight", build_conv, fill_quarters, 1},
    {"conv:lanes", "conv lanes", build_lanes, fill_lanes, 1},
    {"conv:shared", "conv shared", build_pointwise, fill_quarters, 1},
    {"depthwise:direct", "depthwise direct", build_depthwise, fill_quarters, 1},
    {"depthwise:rows", "depthwise rows", build_depthwise, fill_quarters, 1},
    {"depthwise:2x2", "depthwise 2x2", build_depthwise, fill_quarters, 1},
    {"separable:2x2", "separable 2x2", build_first, fill_halves, 2},
    {"separable:2x2", "separable 2x2", build_second, fill_halves, 2},
    {"transpose_conv:gather", "transpose_conv gather", build_transposed, fill_quarters, 1},
    {"batch_matmul:direct", "batch_matmul direct", build_matrices, fill_matrices, 1},
    {"batch_matmul:shared", "batch_matmul shared", build_matrices, fill_matrices, 1},
    {"conv:4x2", "conv 4x2", build_conv_passes, fill_passes, 1},
    {"conv:rows", "conv rows", build_conv_passes, fill_passes, 1},
    {"conv:straight", "conv straight", build_conv_passes, fill_passes, 1},
    {"conv:lanes", "conv lanes", build_lanes, fill_lanes_passes, 1},
    {"separable:2x2", "separable 2x2", build_second_passes, fill_second_passes, 2},
    {"transpose_conv:gather", "transpose_conv gather", build_transposed_passes, fill_transposed_passes, 1},
    {"batch_matmul:direct", "batch_matmul direct", build_matrices, fill_passes, 1},
};

static void check_sums(size_t n, bool by_types)
{
    for (size_t i = 0; i < n; i++) {

        bool halves, as_much;
        const double wide = distance(&cases[i], GPU_PRECISION_FP16_SUM32, by_types, &halves);
        const double narrow = distance(&cases[i], GPU_PRECISION_FP16, by_types, &as_much);

        assert_true(halves == as_much && halves >= by_types);
        if (wide > ROUNDED)
            fail_msg("case %zu, %s: a sum of 32 bits is off by %g", i, cases[i].label, wide);
        if (halves && narrow <= 2 * ROUNDED)
            fail_msg("case %zu, %s: a sum of 16 bits is off by %g only", i, cases[i].label, narrow);
    }
}

static void sums_have_the_bits_that_are_asked_for(void **state)
{
    (void)state;
    check_sums(sizeof cases / sizeof *cases, false);
}

/* Emulated are sums once they have a pass added. */
static void types_that_are_emulated_have_them(void **state)
{
    (void)state;
    make_temp_dir(dumped);
    check_sums(ONE_BY_ONE, true);
}

/* ---- the text with types that no driver here has ---- */

/* The same shader by the types of each extension that the compiler knows, and not emulated; that of NV has another name alone. */
static void compile(const char *name, const char *text, bool sum32, const char *at)
{
    for (enum gl_half_types types = GL_HALF_TYPES_AMD; types <= GL_HALF_TYPES_EXT; types++) {
        const struct gl_limits by = {.half_types = types};
        char emulated_head[GL_HALF_HEAD], head[GL_HALF_HEAD], path[sizeof dumped + 16], command[sizeof path + 40];
        FILE *f;

        snprintf(path, sizeof path, "%s/types", dumped);
        snprintf(command, sizeof command, "glslangValidator -S comp %s >&2", path);
        gl_half_head(&emulated, GL_FP16_TYPES, sum32, emulated_head);
        gl_half_head(&by, GL_FP16_TYPES, sum32, head);
        assert_non_null(f = fopen(path, "w"));
        fprintf(f, "%.*s%s%s", (int)(at - text), text, head, at + strlen(emulated_head));
        assert_int_equal(fclose(f), 0);
        if (system(command))
            fail_msg("%s is no shader by %s: %s", name, gl_fp16_name(&by, GL_FP16_TYPES), path);
        unlink(path);
    }
}

/* False: it has no emulated types. */
static bool compile_emulated(const char *name, const char *text)
{
    for (int sum32 = 0; sum32 < 2; sum32++) {
        char head[GL_HALF_HEAD];
        const char *at;

        gl_half_head(&emulated, GL_FP16_TYPES, sum32, head);
        if ((at = strstr(text, head))) {
            compile(name, text, sum32, at);
            return true;
        }
    }
    return false;
}

static void compile_probe(const char *name, const char *head, const char *body)
{
    char text[4096];

    snprintf(text, sizeof text, "#version 310 es\n%s%s", head, body);
    assert_true(compile_emulated(name, text));
}

static void compile_probes(void)
{
    const struct gl_mads mads = {GL_NUMBER_HALF, 6, GL_PROBE_PASSES, GL_FP16_TYPES};
    char head[GL_PROBE_HEAD];

    gl_texts_unpack();
    gl_probe_mads_head(&emulated, &mads, head);
    compile_probe("probe_sum", head, probe_sum_comp);
    for (int sum32 = 0; sum32 < 2; sum32++) {
        gl_half_head(&emulated, GL_FP16_TYPES, sum32, head);
        compile_probe("halves_product", head, halves_product_comp);
        compile_probe("halves_sum", head, halves_sum_comp);
    }
}

static void types_are_used_as_their_extensions_have_them(void **state)
{
    char path[sizeof dumped + 300];
    static char text[65536];
    struct dirent *e;
    uint32_t n = 0;
    DIR *d;

    (void)state;
    if (system("command -v glslangValidator >&2"))
        test_no_package("glslangValidator", "glslang-tools");
    compile_probes();
    assert_non_null(d = opendir(dumped));
    while ((e = readdir(d))) {
        snprintf(path, sizeof path, "%s/%s", dumped, e->d_name);
        if (*e->d_name == '.')
            continue;
        text[read_file(path, text, sizeof text)] = 0;
        n += compile_emulated(e->d_name, text);
        unlink(path);
    }
    closedir(d);
    rmdir(dumped);
    assert_true(n >= 2 * ONE_BY_ONE - 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_have_the_bits_that_are_asked_for),
        cmocka_unit_test(types_that_are_emulated_have_them),
        cmocka_unit_test(types_are_used_as_their_extensions_have_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
