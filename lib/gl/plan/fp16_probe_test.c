/* SPDX-License-Identifier: Apache-2.0 */
/* fp16_probe_test.c - 16-bit floats of a device that is right, and of drivers that compute garbage: what they get is another text.
 */
#include "lib/gl/plan/fp16_probe.h"
#include "lib/gl/testing/test_session.h"

static const char *plant_at, *planted; /* what a shader's text has, and has instead */
static __typeof__(epoxy_glShaderSource) driver_shader_source;
static enum gpu_objects wanted_objects;

/* The text is the last, behind its head. */
static void GLAPIENTRY other_text(GLuint shader, GLsizei n, const GLchar *const *texts, const GLint *lengths)
{
    const char *changed[3], *at;
    char text[4096];
    GLsizei i = n;

    while (i-- > 0 && !(at = n <= 3 && !lengths ? strstr(texts[i], plant_at) : NULL))
        ;
    if (i < 0) {
        driver_shader_source(shader, n, texts, lengths);
        return;
    }
    memcpy(changed, texts, (size_t)n * sizeof *texts);
    changed[i] = text;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - texts[i]), texts[i], planted, at + strlen(plant_at));
    driver_shader_source(shader, n, changed, NULL);
}

static const struct gl_policy emulated = {.emulated_halves = true};

static struct delegate *open_halves(enum gpu_precision precision, const struct gl_policy *policy)
{
    return test_open_gpu((struct gpu_options){.device = -1, .precision = precision, .policy = policy, .objects = wanted_objects});
}

/* As a driver would that takes `at` for `instead`. */
static struct delegate *open_wrong(enum gpu_precision precision, const struct gl_policy *policy, const char *at,
                                   const char *instead)
{
    struct delegate *d = open_halves(precision, policy); /* finds the functions */

    delegate_close(d);
    plant_at = at;
    planted = instead;
    driver_shader_source = epoxy_glShaderSource;
    epoxy_glShaderSource = other_text;
    d = open_halves(precision, policy);
    epoxy_glShaderSource = driver_shader_source;
    return d;
}

/* Whatever it is, it is the same each time, and the driver's name does not matter. */
static void precision_is_found_out(void **state)
{
    struct delegate *d = test_open_best();
    const struct gl_waiting how = {.timeout_ms = 60000};
    enum gl_fp16 once, twice;
    char why[GL_FP16_WHY];
    uint32_t objects;
    struct err err;

    (void)state;
    TEST_OK(gl_context_enter(gpu_context(d), NULL, &err), err);
    objects = test_gl_objects();
    TEST_OK(gl_probe_fp16(gpu_context(d), &how, &once, why, &err), err);
    TEST_OK(gl_probe_fp16(gpu_context(d), &how, &twice, why, &err), err);
    assert_int_equal(once, twice);
    assert_int_equal(test_gl_objects(), objects);
    delegate_close(d);
}

static void right_ones_stay(void **state)
{
    struct delegate *d = open_halves(GPU_PRECISION_FP16_STORAGE, NULL);

    (void)state;
    assert_string_equal(d->precision.in_force, "fp16_storage");
    assert_null(d->precision.why);
    assert_null(d->precision.by);
    delegate_close(d);
    for (int i = 0; i < 4; i++) {
        const enum gpu_precision p = i % 2 ? GPU_PRECISION_FP16 : GPU_PRECISION_FP16_SUM32;

        d = open_halves(p, i < 2 ? NULL : &emulated);
        assert_string_equal(d->precision.stored, "float16");
        if (i < 2 && d->precision.why) {
            assert_string_equal(d->precision.why, "the driver computes mediump in 32 bits");
            assert_string_equal(d->precision.in_force, "fp16_storage");
            assert_null(d->precision.by);
        } else {
            assert_null(d->precision.why);
            assert_string_equal(d->precision.in_force, p == GPU_PRECISION_FP16 ? "fp16" : "fp16_sum32");
            assert_string_equal(d->precision.arithmetic, "float16");
            assert_string_equal(d->precision.sums, p == GPU_PRECISION_FP16 ? "float16" : "float32");
            if (i >= 2)
                assert_string_equal(d->precision.by, "emulated types");
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
        struct delegate *d = open_wrong(GPU_PRECISION_FP16_STORAGE, NULL, faults[i][0], faults[i][1]);

        assert_string_equal(d->precision.asked, "fp16_storage");
        assert_string_equal(d->precision.in_force, "fp32");
        assert_string_equal(d->precision.stored, "float32");
        assert_non_null(strstr(d->precision.why, "the device reads the 16-bit float 0x"));
        delegate_close(d);
    }
}

#define NOT_TAKEN "the driver does not take the shader that probes how it stores 16-bit floats"

/* So of what else they lie in, where that is used: what one finds there is wrong alone. */
static void wrong_ones_are_not_kept_elsewhere(void **state)
{
    static const struct {
        enum gpu_objects objects;
        const char *at, *instead, *through;
    } faults[] = {
        {GPU_OBJECTS_IMAGE, "imageLoad(words_image, int(i))", "1.0009765 * imageLoad(words_image, int(i))", " through an image"},
        {GPU_OBJECTS_IMAGE, "imageLoad(words_image, int(i))", "imageLoad(words_image, int(i)).yxzw", " through an image"},
        {GPU_OBJECTS_TEXTURE, "texelFetch(x_texture, at", "texelFetch(x_texture, at * ivec3(1, 1, 0)", " in a texture"},
        {GPU_OBJECTS_TEXTURE, "imageStore(y_texture, at, ", "imageStore(y_texture, at, 65534u & ", " in a texture"},
        {GPU_OBJECTS_IMAGE, "imageLoad(words_image, int(i))", "noLoad(words_image, int(i))", NOT_TAKEN},
        {GPU_OBJECTS_BUFFER, "imageLoad(words_image, int(i))", "imageLoad(words_image, int(i)).yxzw", NULL},
        {GPU_OBJECTS_BUFFER, "texelFetch(x_texture, at", "texelFetch(x_texture, at * ivec3(1, 1, 0)", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct delegate *d;

        wanted_objects = faults[i].objects;
        d = open_wrong(GPU_PRECISION_FP16_STORAGE, NULL, faults[i].at, faults[i].instead);
        if (faults[i].through) {
            assert_string_equal(d->precision.in_force, "fp32");
            if (strcmp(faults[i].through, NOT_TAKEN) != 0)
                assert_non_null(strstr(d->precision.why, "the device reads the 16-bit float 0x"));
            assert_non_null(strstr(d->precision.why, faults[i].through));
        } else {
            assert_string_equal(d->precision.in_force, "fp16_storage");
        }
        delegate_close(d);
        d = open_halves(GPU_PRECISION_FP16_STORAGE, NULL); /* and nothing is wrong with the test */
        assert_null(d->precision.why);
        delegate_close(d);
    }
    wanted_objects = GPU_OBJECTS_FASTEST;
}

/* Products and sums that are others than they should be, wider or narrower, and types that the driver has only by name. */
static void wrong_ones_are_not_computed_with(void **state)
{
    static const char products[] = "the device computes with 16 bits a sum of products as ";
    static const char sums[] = "the device computes with 16 bits, and 32 for sums, a sum of products as ";
    static const struct {
        enum gpu_precision precision;
        const char *at, *instead, *why;
    } faults[] = {
        {GPU_PRECISION_FP16, "ADD_TO(sum, MUL(", "ADD_TO(sum, -MUL(", products},
        {GPU_PRECISION_FP16_SUM32, "ADD_TO(sum, MUL(", "ADD_TO(sum, -MUL(", sums},
        {GPU_PRECISION_FP16, ").yzwx)", ").xyzw)", products},
        {GPU_PRECISION_FP16, "min(a, b)", "max(a, b)", "the device computes a function of "},
        {GPU_PRECISION_FP16_SUM32, "floor(0.5 * a)", "0.5 * a", "the device computes a function of "},
        {GPU_PRECISION_FP16_SUM32, "k < n", "k + 1u < n", sums},
        {GPU_PRECISION_FP16_SUM32, "sum = sum + v", "sum = half4(sum + v)", sums},
        {GPU_PRECISION_FP16, "sum = half4(sum + v)", "sum += v", "the device says that 2048 + 1 + 1 is 2050, not 2048"},
        {GPU_PRECISION_FP16, "by = AS_SUM(", "by = -AS_SUM(", "the device says that 2048 + 1 + 1 is 2046, not 2048"},
        {GPU_PRECISION_FP16, "vec4 half4", "f16vec4 half4", "the driver does not take the shader that probes its precision"},
        {GPU_PRECISION_FP16_SUM32, "FACTOR(load(x", "f16vec4(load(x",
         "the driver does not take the shader that probes how it computes with 16-bit floats"},
    };
    static const char by[] = "emulated types: ";

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct delegate *d = open_wrong(faults[i].precision, &emulated, faults[i].at, faults[i].instead);
        const char *why = d->precision.why ? d->precision.why : "nothing";

        assert_string_equal(d->precision.asked, gpu_precision_name(faults[i].precision));
        assert_string_equal(d->precision.in_force, "fp16_storage");
        assert_string_equal(d->precision.arithmetic, "float32");
        assert_string_equal(d->precision.sums, "float32");
        assert_null(d->precision.by);
        if (strncmp(why, by, strlen(by)) != 0 || strncmp(why + strlen(by), faults[i].why, strlen(faults[i].why)) != 0)
            fail_msg("%s: wrong is \"%s\"", faults[i].instead, why);
        delegate_close(d);
    }
}

/* Where the device computes `mediump` with 16 bits, and the driver takes these for what is declared to have 32, too. */
static void narrow_sums_are_no_wide_ones(void **state)
{
    struct delegate *d = open_halves(GPU_PRECISION_FP16, NULL);
    const bool halves = !strcmp(d->precision.arithmetic, "float16");

    (void)state;
    delegate_close(d);
    if (!halves)
        skip(); /* there is nothing to plant */
    d = open_wrong(GPU_PRECISION_FP16_SUM32, NULL, "SUM4 sum", "FACTOR4 sum");
    assert_string_equal(d->precision.asked, "fp16_sum32");
    assert_string_equal(d->precision.in_force, "fp16_storage");
    assert_string_equal(d->precision.sums, "float32");
    assert_non_null(strstr(d->precision.why, "the device computes with 16 bits, and 32 for sums, a sum of products as "));
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precision_is_found_out),           cmocka_unit_test(right_ones_stay),
        cmocka_unit_test(wrong_ones_are_not_stored),        cmocka_unit_test(wrong_ones_are_not_kept_elsewhere),
        cmocka_unit_test(wrong_ones_are_not_computed_with), cmocka_unit_test(narrow_sums_are_no_wide_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
