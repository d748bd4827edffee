/* SPDX-License-Identifier: Apache-2.0 */
/* half_types_test.c - whose 16-bit floats shaders compute with; what they say then in codegen_test.c, what comes of it in
 * sum32_test.c. */
#include "lib/gl/device/half_types.h"

#include <string.h>

#include "lib/testing/test.h"

static void types_are_the_devices_unless_a_quirk_says_no(void **state)
{
    static const char *const extensions[] = {NULL, "GL_NV_gpu_shader5", "GL_AMD_gpu_shader_half_float",
                                             "GL_EXT_shader_explicit_arithmetic_types_float16"};
    static const struct gl_quirk no = {.vendor = "X", .flags = GL_QUIRK_NO_HALF_TYPES};

    (void)state;
    for (enum gl_half_types i = GL_HALF_TYPES_NONE; i < GL_HALF_TYPES_EMULATED; i++) {
        struct gl_limits l = {.half_types = i, .policy = gl_policy_unknown};

        assert_int_equal(gl_half_types(&l), i);
        if (i)
            assert_string_equal(gl_fp16_name(&l, GL_FP16_TYPES), extensions[i]);
        assert_string_equal(gl_fp16_name(&l, GL_FP16_MEDIUMP), "mediump");
        assert_null(gl_fp16_name(&l, GL_FP16_NONE));
        gl_policy_apply(&no, 1, &(struct gl_device_names){"Y", "", ""}, &l.policy);
        assert_int_equal(gl_half_types(&l), i);
        gl_policy_apply(&no, 1, &(struct gl_device_names){"X", "", ""}, &l.policy);
        assert_int_equal(gl_half_types(&l), GL_HALF_TYPES_NONE);
        l.policy.emulated_halves = true;
        assert_int_equal(gl_half_types(&l), GL_HALF_TYPES_EMULATED);
    }
}

/* Of another extension than both have, a device seen as another one has no types. */
static void types_of_two_devices_are_those_of_both(void **state)
{
    const struct gl_limits nv = {.half_types = GL_HALF_TYPES_NV}, amd = {.half_types = GL_HALF_TYPES_AMD};
    struct gl_limits l = nv;

    (void)state;
    gl_limits_clamp(&l, &nv);
    assert_int_equal(l.half_types, GL_HALF_TYPES_NV);
    gl_limits_clamp(&l, &amd);
    assert_int_equal(l.half_types, GL_HALF_TYPES_NONE);
}

static void heads_are_no_longer_than_they_may_be(void **state)
{
    size_t longest = 0;

    (void)state;
    for (int emulated = 0; emulated < 2; emulated++)
        for (enum gl_half_types i = GL_HALF_TYPES_NV; i <= GL_HALF_TYPES_EXT; i++)
            for (int sum32 = 0; sum32 < 2; sum32++) {
                const struct gl_limits l = {.half_types = i, .policy.emulated_halves = emulated};
                char head[GL_HALF_HEAD];

                gl_half_head(&l, GL_FP16_TYPES, sum32, head);
                longest = strlen(head) > longest ? strlen(head) : longest;
            }
    assert_true(longest < GL_HALF_HEAD - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_the_devices_unless_a_quirk_says_no),
        cmocka_unit_test(types_of_two_devices_are_those_of_both),
        cmocka_unit_test(heads_are_no_longer_than_they_may_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
