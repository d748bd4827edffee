/* SPDX-License-Identifier: Apache-2.0 */
/* limits_test.c - a large device seen as a smaller one, and shaders that ask for more than they may. */
#include "lib/gl/codegen/shader.h"

#include <string.h>

#include "lib/gl/device/known_devices.h"
#include "lib/testing/test.h"

static const struct gl_limits large = {
    .storage_blocks = 16,
    .output_resources = 24,
    .storage_block_bytes = 1ull << 31,
    .storage_align = 16,
    .group_count = {1u << 30, 65535, 65535},
    .group_size = {1024, 1024, 1024},
    .group_invocations = 1024,
    .shared_bytes = 65536,
    .uniform_blocks = 16,
    .uniform_block_bytes = 65536,
    .uniform_align = 16,
    .image_units = 8,
    .image_reads = 8,
    .image_vectors = 1u << 27,
    .texture_reads = 32,
    .texture_size = 16384,
    .texture_layers = 2048,
    .precise = true,
    .half_types = GL_HALF_TYPES_EXT,
    .policy = {.software = true, .image_reads = true, .textures = true, .row_groups = true, .finish = true, .iterations = 0},
};

static void assert_least(const struct gl_limits *l)
{
    const struct gl_limits *least = &gl_limits_least;

    assert_int_equal(l->storage_blocks, least->storage_blocks);
    assert_int_equal(l->output_resources, least->output_resources);
    assert_int_equal(l->storage_block_bytes, least->storage_block_bytes);
    assert_int_equal(l->storage_align, least->storage_align);
    assert_memory_equal(l->group_count, least->group_count, sizeof l->group_count);
    assert_memory_equal(l->group_size, least->group_size, sizeof l->group_size);
    assert_int_equal(l->group_invocations, least->group_invocations);
    assert_int_equal(l->shared_bytes, least->shared_bytes);
    assert_int_equal(l->uniform_blocks, least->uniform_blocks);
    assert_int_equal(l->uniform_block_bytes, least->uniform_block_bytes);
    assert_int_equal(l->uniform_align, least->uniform_align);
    assert_int_equal(l->policy.iterations, least->policy.iterations);
    assert_int_equal(l->image_reads, 0);
    assert_int_equal(l->image_vectors, 0);
    assert_int_equal(l->image_units, 4);
    assert_int_equal(l->texture_reads, 0);
    assert_int_equal(l->texture_size, 2048);
    assert_int_equal(l->texture_layers, 256);
    assert_false(l->precise || l->half_types || l->policy.software || l->policy.image_reads || l->policy.textures ||
                 l->policy.row_groups);
}

/* Each bit of each member, a byte at a time; which bytes are no member's only some compilers tell. */
static void every_member_is_a_number(void **state)
{
    struct gl_limits l, used;
    uint64_t before[GL_LIMITS_NUMBERS], after[GL_LIMITS_NUMBERS];
    size_t counted = 0, members = 0;

    (void)state;
    memset(&l, 0, sizeof l);
    memset(&used, 0, sizeof used);
#if __has_builtin(__builtin_clear_padding)
    memset(&used, 0xff, sizeof used);
    __builtin_clear_padding(&used);
#endif
    gl_limits_numbers(&l, before);
    for (size_t i = 0; i < sizeof l; i++) {
        ((uint8_t *)&l)[i] = 1;
        gl_limits_numbers(&l, after);
        ((uint8_t *)&l)[i] = 0;
        counted += memcmp(before, after, sizeof after) != 0;
        members += ((uint8_t *)&used)[i] != 0;
        if (((uint8_t *)&used)[i] && !memcmp(before, after, sizeof after))
            fail_msg("byte %zu of struct gl_limits is in none of gl_limits_numbers", i);
    }
    assert_true(counted > 80 && (!members || counted == members));
}

struct told {
    uint64_t value[GL_LIMITS_NUMBERS];
    uint32_t n;
};

static void note(void *arg, const char *name, uint64_t value)
{
    struct told *to = arg;

    assert_true(*name && to->n < GL_LIMITS_NUMBERS);
    to->value[to->n++] = value;
}

/* In the order of gl_limits_numbers, which has those of the policy behind. */
static void every_member_but_the_policy_is_told(void **state)
{
    uint64_t numbers[GL_LIMITS_NUMBERS], other[GL_LIMITS_NUMBERS];
    struct gl_limits l = large;
    struct told told = {.n = 0};

    (void)state;
    gl_limits_see(&large, note, &told);
    gl_limits_numbers(&large, numbers);
    assert_memory_equal(told.value, numbers, told.n * sizeof *numbers);
    l.policy.software = !l.policy.software; /* the first of these */
    gl_limits_numbers(&l, other);
    assert_true(told.n < GL_LIMITS_NUMBERS && numbers[told.n] != other[told.n]);
}

static void the_least_device_is_the_least(void **state)
{
    struct gl_limits l = large;

    (void)state;
    gl_limits_clamp(&l, &gl_limits_least);
    assert_least(&l);
    gl_limits_clamp(&l, &large);
    assert_least(&l);
}

/* A shader of ours with `n` buffers and workgroups of `x`, of which `groups` start. */
static enum status fits(uint32_t n, uint32_t x, uint32_t groups, uint32_t vectors, struct err *err)
{
    struct gl_shader p = {.limits = &gl_limits_least,
                          .n_bind = n,
                          .n_points = {[GL_THROUGH_BLOCK] = n},
                          .group = {x, 1, 1},
                          .groups = {groups, 1, 1},
                          .n_uniforms = vectors};

    for (uint32_t i = 0; i < n; i++)
        p.bind[i] = (struct gl_binding){.bind = GL_BIND_WEIGHTS, .name = "w", .n = 1};
    return gl_shader_fits(&p, "test", err);
}

static void shaders_stay_within_limits(void **state)
{
    struct err err;

    (void)state;
    assert_int_equal(fits(4, 128, 65535, 1024, &err), ST_OK);
    assert_int_equal(fits(5, 128, 65535, 1024, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "binds 5 buffers, the device has 4"));
    assert_int_equal(fits(4, 129, 65535, 1024, &err), ST_UNSUPPORTED);
    assert_int_equal(fits(4, 128, 65536, 1024, &err), ST_UNSUPPORTED);
    assert_int_equal(fits(4, 128, 65535, 1025, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" has 16400 bytes of numbers, the device at most 16384");
}

static void images_are_no_buffers(void **state)
{
    struct gl_limits l = gl_limits_least;
    struct gl_shader p = {.limits = &l, .n_bind = 5, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    struct err err;

    (void)state;
    for (int i = 0; i < 5; i++)
        p.bind[i] = (struct gl_binding){.bind = GL_BIND_WEIGHTS, .name = "w", .n = 1};
    p.n_points[GL_THROUGH_BLOCK] = 4;
    p.n_points[GL_THROUGH_IMAGE] = 1;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    l.image_reads = 1;
    l.output_resources = 5;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_OK);
    l.output_resources = 4;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" binds 5 buffers and images, the device has 4 for both");
}

/* As units that they are, and as the buffers that they may be elsewhere. */
static void textures_are_counted(void **state)
{
    struct gl_limits l = gl_limits_least;
    struct gl_shader p = {.limits = &l, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    struct err err;

    (void)state;
    l.texture_reads = 2;
    l.image_reads = 4;
    p.n_points[GL_THROUGH_TEXTURE] = 2;
    p.n_points[GL_THROUGH_IMAGE] = 3;
    p.n_points[GL_THROUGH_STORE] = 1;
    p.n_points[GL_THROUGH_BLOCK] = 1;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_OK);
    p.n_points[GL_THROUGH_BLOCK] = 2;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" binds 5 buffers or textures in their place, the device has 4");
    p.n_points[GL_THROUGH_BLOCK] = 0;
    p.n_points[GL_THROUGH_STORE] = 2;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" has 5 images, the device 4");
    p.n_points[GL_THROUGH_STORE] = 1;
    p.n_points[GL_THROUGH_TEXTURE] = 3;
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" reads 3 textures, the device has 2");
}

static void shared_memory_is_counted(void **state)
{
    struct gl_limits l = gl_limits_least;
    struct gl_shader p = {.limits = &l, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    struct err err;

    (void)state;
    gl_shared(&p, 16000);
    gl_shared(&p, 384);
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_OK);
    gl_shared(&p, 4);
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "shader \"test\" shares 16388 bytes in a workgroup, the device 16384");
}

static void buffers_stay_within_the_largest(void **state)
{
    struct gl_limits l = gl_limits_least;
    struct gl_shader p = {.limits = &l, .n_bind = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    struct err err;

    (void)state;
    l.storage_block_bytes = 160;
    for (size_t n = 9; n < 12; n++) {
        p.bind[0] = (struct gl_binding){.bind = GL_BIND_WEIGHTS, .name = "w", .n = n};
        assert_int_equal(gl_shader_fits(&p, "test", &err), n <= 10 ? ST_OK : ST_UNSUPPORTED);
    }
    assert_string_equal(err.msg, "shader \"test\" binds 176 bytes as \"w\", the device at most 160");
}

static void templates_that_share_say_so(void **state)
{
    struct gl_shader p = {.limits = &gl_limits_least, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    struct err err = {""};

    (void)state;
    gl_source(&p, "// x\nshared float found[32];\n");
    assert_int_equal(gl_shader_fits(&p, "test", &err), ST_FAILED);
    assert_string_equal(err.msg, "shader \"test\" has shared variables and does not state their bytes");
    gl_shared(&p, 0);
    TEST_OK(gl_shader_fits(&p, "test", &err), err);
}

struct seen {
    uint64_t value[GL_LIMITS_NUMBERS];
    uint32_t n;
};

static void see(void *arg, const char *name, uint64_t value)
{
    struct seen *s = arg;

    (void)name;
    s->value[s->n++] = value;
}

/* What every device must offer, and textures, they offer, too. */
static void known_devices_have_the_least(void **state)
{
    (void)state;
    for (size_t i = 0; i < gl_n_known_devices; i++) {
        struct gl_limits l, least = gl_limits_least;
        struct seen was = {.n = 0}, is = {.n = 0};

        gl_known_device_limits(gl_known_device_find(gl_known_devices[i].name), &l);
        gl_limits_see(&least, see, &was);
        gl_limits_clamp(&least, &l);
        gl_limits_see(&least, see, &is);
        assert_memory_equal(&was, &is, sizeof was);
        assert_true(l.storage_blocks <= GL_MAX_BINDINGS && l.texture_reads && l.policy.iterations);
        assert_int_equal(l.policy.software, !strcmp(gl_known_devices[i].name, "angle"));
    }
}

static void known_devices_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(gl_known_device_find("Mali-G52"), gl_known_device_find("mali-g52"));
    assert_string_equal(gl_known_device_find("mali-g52")->renderer, "Mali-G52 (Panfrost)");
    assert_null(gl_known_device_find("mali-g5"));
    assert_null(gl_known_device_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_a_number),        cmocka_unit_test(every_member_but_the_policy_is_told),
        cmocka_unit_test(the_least_device_is_the_least),   cmocka_unit_test(shaders_stay_within_limits),
        cmocka_unit_test(images_are_no_buffers),           cmocka_unit_test(textures_are_counted),
        cmocka_unit_test(shared_memory_is_counted),        cmocka_unit_test(templates_that_share_say_so),
        cmocka_unit_test(buffers_stay_within_the_largest), cmocka_unit_test(known_devices_have_the_least),
        cmocka_unit_test(known_devices_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
