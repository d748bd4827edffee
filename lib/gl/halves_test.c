/* SPDX-License-Identifier: Apache-2.0 */
/* halves_test.c - 16-bit floats of a device that is right, and of drivers that compute garbage: what they get is another text. */
#include "halves.h"
#include "test_session.h"

static const char *plant_at, *planted; /* what a shader's text has, and has instead */
static __typeof__(epoxy_glShaderSource) driver_shader_source;

static void GLAPIENTRY other_text(GLuint shader, GLsizei n, const GLchar *const *texts, const GLint *lengths)
{
    const char *last = texts[n - 1], *at = n <= 3 && !lengths ? strstr(last, plant_at) : NULL, *changed[3];
    char text[2048];

    if (!at) {
        driver_shader_source(shader, n, texts, lengths);
        return;
    }
    memcpy(changed, texts, (size_t)n * sizeof *texts);
    changed[n - 1] = text;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - last), last, planted, at + strlen(plant_at));
    driver_shader_source(shader, n, changed, NULL);
}

static struct delegate *open_halves(enum gpu_precision precision)
{
    return test_open_gpu((struct gpu_options){.device = -1, .precision = precision});
}

/* As a driver would that takes `at` for `instead`. */
static struct delegate *open_wrong(enum gpu_precision precision, const char *at, const char *instead)
{
    struct delegate *d = open_halves(precision); /* finds the functions */

    delegate_close(d);
    plant_at = at;
    planted = instead;
    driver_shader_source = epoxy_glShaderSource;
    epoxy_glShaderSource = other_text;
    d = open_halves(precision);
    epoxy_glShaderSource = driver_shader_source;
    return d;
}

/* Whatever it is, it is the same each time, and the driver's name does not matter. */
static void precision_is_found_out(void **state)
{
    struct delegate *d = test_open_best();
    const struct gl_waiting how = {.timeout_ms = 60000};
    bool once, twice;
    uint32_t objects;
    struct err err;

    (void)state;
    TEST_OK(gl_context_enter(gpu_context(d), NULL, &err), err);
    objects = test_gl_objects();
    TEST_OK(gl_probe_halves(gpu_context(d), &how, &once, &err), err);
    TEST_OK(gl_probe_halves(gpu_context(d), &how, &twice, &err), err);
    assert_int_equal(once, twice);
    assert_int_equal(test_gl_objects(), objects);
    delegate_close(d);
}

static void right_ones_stay(void **state)
{
    struct delegate *d = open_halves(GPU_PRECISION_FP16_STORAGE);

    (void)state;
    assert_string_equal(d->precision.in_force, "fp16_storage");
    assert_null(d->precision.why);
    delegate_close(d);
    for (int p = GPU_PRECISION_FP16_SUM32; p <= GPU_PRECISION_FP16; p++) {
        d = open_halves((enum gpu_precision)p);
        assert_string_equal(d->precision.stored, "float16");
        if (d->precision.why) {
            assert_string_equal(d->precision.why, "the driver computes mediump in 32 bits");
            assert_string_equal(d->precision.in_force, "fp16_storage");
        } else {
            assert_string_equal(d->precision.in_force, p == GPU_PRECISION_FP16 ? "fp16" : "fp16_sum32");
            assert_string_equal(d->precision.arithmetic, "float16");
            assert_string_equal(d->precision.sums, p == GPU_PRECISION_FP16 ? "float16" : "float32");
        }
        delegate_close(d);
    }
}

static void wrong_ones_are_not_stored(void **state)
{
    static const char *const faults[][2] = {{"= unpackHalf2x16(words", "= 1.0009765 * unpackHalf2x16(words"},
                                            {"= packHalf2x16(v", "= packHalf2x16(v.yx"},
                                            {"unpackHalf2x16(words[i])", "unpackHalf2x16(words[i] & 0xfffffffeu)"}};

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct delegate *d = open_wrong(GPU_PRECISION_FP16_STORAGE, faults[i][0], faults[i][1]);

        assert_string_equal(d->precision.asked, "fp16_storage");
        assert_string_equal(d->precision.in_force, "fp32");
        assert_string_equal(d->precision.stored, "float32");
        assert_non_null(strstr(d->precision.why, "the device reads the 16-bit float 0x"));
        delegate_close(d);
    }
}

static void wrong_ones_are_not_computed_with(void **state)
{
    static const char *const faults[][2] = {{"sum += load", "sum -= load"}, {").yzwx;", ").xyzw;"}, {"k < n", "k + 1u < n"}};

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof faults / sizeof *faults); i++) {
        struct delegate *d = open_wrong(i % 2 ? GPU_PRECISION_FP16 : GPU_PRECISION_FP16_SUM32, faults[i / 2][0], faults[i / 2][1]);

        assert_string_equal(d->precision.in_force, "fp16_storage");
        assert_string_equal(d->precision.arithmetic, "float32");
        assert_non_null(strstr(d->precision.why, "a sum of products as "));
        delegate_close(d);
    }
}

/* A driver that takes 16 bits for what is declared to have 32. */
static void narrow_sums_are_no_wide_ones(void **state)
{
    struct delegate *d = open_halves(GPU_PRECISION_FP16);
    const bool halves = !strcmp(d->precision.arithmetic, "float16");

    (void)state;
    delegate_close(d);
    if (!halves)
        skip(); /* there is nothing to plant */
    d = open_wrong(GPU_PRECISION_FP16_SUM32, "SUM4 sum", "vec4 sum");
    assert_string_equal(d->precision.asked, "fp16_sum32");
    assert_string_equal(d->precision.in_force, "fp16_storage");
    assert_string_equal(d->precision.sums, "float32");
    assert_non_null(strstr(d->precision.why, "the device computes with 16 bits, and 32 for sums, a sum of products as "));
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precision_is_found_out),       cmocka_unit_test(right_ones_stay),
        cmocka_unit_test(wrong_ones_are_not_stored),    cmocka_unit_test(wrong_ones_are_not_computed_with),
        cmocka_unit_test(narrow_sums_are_no_wide_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
