/* SPDX-License-Identifier: Apache-2.0 */
/* policy_test.c - names of devices and the policy they get; versions of drivers; the policy in effect and how it is forced. */
#include "lib/gl/device/policy.h"

#include <string.h>

#include "lib/gl/testing/test_gpu.h"

#define LLVMPIPE "llvmpipe (LLVM 15.0.6, 256 bits)"

/* ---- versions ---- */

static void drivers_are_told_by_their_versions(void **state)
{
    static const struct {
        const char *gl_version, *name;
        uint32_t version[4];
    } rows[] = {
        {"OpenGL ES 3.2 Mesa 22.3.6", "Mesa", {22, 3, 6}},
        {"OpenGL ES 3.1 Mesa 25.0.0-devel (git-0123456789)", "Mesa", {25, 0, 0}},
        {"OpenGL ES 3.2 NVIDIA 535.54", "NVIDIA", {535, 54}},
        {"OpenGL ES 3.2 NVIDIA 535.183.01", "NVIDIA", {535, 183, 1}},
        {"OpenGL ES 3.2 V@0502.0 (GIT@193b2ee, I593c16c433, 1634637366) (Date:10/19/21)", "Qualcomm", {502}},
        {"OpenGL ES 3.2 v1.r32p1-01eac0.2a893c04ca0026c2e6802dbe7d7af5c5", "Arm", {32, 1}},
        {"OpenGL ES 3.2 build 1.13@5776728", "PowerVR", {1, 13, 5776728}},
        {"OpenGL ES 3.2 - Build 31.0.101.2115", "Intel", {31, 0, 101, 2115}},
        {"OpenGL ES 3.1.0 (ANGLE 2.1.22 git hash: 1a2b3c)", "ANGLE", {2, 1, 22}},
        {"OpenGL ES 3.1 SwiftShader 4.1.0.7", "SwiftShader", {4, 1, 0, 7}},
        {"OpenGL ES 3.2 Mesa 99999999999999999999.1", "Mesa", {UINT32_MAX, 1}},
        {"OpenGL ES 3.2 Mesa ", "Mesa", {0}},
        {"OpenGL ES 3.2 Mesa -1.2", "Mesa", {0}},
        {"OpenGL ES 3.2 Mesa 1.2.3.4.5", "Mesa", {1, 2, 3, 4}},
        {"OpenGL ES 3.2", "", {0}},
        {"", "", {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gl_driver d;

        gl_driver_parse(rows[i].gl_version, &d);
        assert_string_equal(d.name, rows[i].name);
        if (memcmp(d.version, rows[i].version, sizeof d.version))
            fail_msg("\"%s\" gives %u.%u.%u.%u", rows[i].gl_version, d.version[0], d.version[1], d.version[2], d.version[3]);
    }
}

/* ---- names ---- */

static bool same(const struct gl_policy *a, const struct gl_policy *b)
{
    return a->software == b->software && a->inline_uniforms == b->inline_uniforms && a->image_reads == b->image_reads &&
           a->textures == b->textures && a->row_groups == b->row_groups && a->straight_code == b->straight_code &&
           a->host_layout == b->host_layout && a->timer == b->timer && a->finish == b->finish && a->pbuffer == b->pbuffer &&
           a->even_stores == b->even_stores && a->cached_shared == b->cached_shared && a->flush == b->flush &&
           a->iterations == b->iterations && a->registers == b->registers;
}

static struct gl_policy find(const char *vendor, const char *renderer, const char *version)
{
    struct gl_policy p;

    memset(&p, 0xff, sizeof p);
    gl_policy_find(&(struct gl_device_names){vendor, renderer, version}, &p);
    return p;
}

static void assert_unknown(struct gl_policy p)
{
    assert_true(same(&p, &gl_policy_unknown));
}

static void what_no_row_knows_gets_the_default(void **state)
{
    const struct gl_policy *u = &gl_policy_unknown;

    (void)state;
    assert_false(u->software || u->inline_uniforms || u->image_reads || u->textures || u->row_groups || u->finish || u->pbuffer ||
                 u->even_stores || u->cached_shared);
    assert_true(u->timer);
    assert_int_equal(u->flush, 0);
    assert_int_equal(u->iterations, GL_FEW_ITERATIONS);
    assert_int_equal(u->registers, 48);
    assert_true(same(u, &gl_limits_least.policy));
    assert_unknown(find("", "", ""));
    assert_unknown(find("Broadcom", "V3D 4.2.14.0", "OpenGL ES 3.1 Mesa 25.0.7"));
    assert_unknown(find("Samsung Electronics Co., Ltd.", "Samsung Xclipse 920", "OpenGL ES 3.2 build 1.0"));
}

/* All software renderers read through images and have rows of lanes; llvmpipe likes straight code and few dispatches; `timer`
 * differs. */
static void expect_software(const char *vendor, const char *renderer, bool timer)
{
    struct gl_policy want = gl_policy_unknown, got = find(vendor, renderer, "OpenGL ES 3.2 Mesa 22.3.6");

    want.software = want.image_reads = want.row_groups = true;
    want.registers = 0;
    want.straight_code = want.host_layout = strstr(renderer, "llvmpipe") != NULL;
    want.dynamic_compile = !strncmp(renderer, "llvmpipe", 8);
    want.timer = timer;
    want.even_stores = !strcmp(renderer, "softpipe");
    if (!same(&want, &got))
        fail_msg("\"%s\" gets another policy", renderer);
}

static void software_is_told_by_its_name(void **state)
{
    (void)state;
    expect_software("Mesa/X.org", LLVMPIPE, false);
    expect_software("Mesa", "llvmpipe (LLVM 19.1.7, 256 bits)", false);
    expect_software("Mesa/X.org", "softpipe", true);
    expect_software("Collabora Ltd", "zink (" LLVMPIPE ")", true);
    expect_software("Mesa", "zink Vulkan 1.4(llvmpipe (LLVM 19.1.7, 256 bits) (MESA_LLVMPIPE))", true);
    expect_software("Google Inc.", "Google SwiftShader", true);
    expect_software("Google Inc. (Google)",
                    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)", true);
    assert_unknown(find("Collabora Ltd", "zink (AMD Radeon RX 6600 (RADV NAVI23))", "OpenGL ES 3.2 Mesa 22.3.6"));
}

static void real_devices_get_what_is_known_of_them(void **state)
{
    struct gl_policy want = gl_policy_unknown, got;

    (void)state;
    want.flush = 1;
    want.textures = true;
    want.registers = 90;
    got = find("Qualcomm", "Adreno (TM) 660", "OpenGL ES 3.2 V@0530.0 (GIT@0, I0, 0) (Date:10/19/21)");
    assert_true(same(&got, &want));
    want.flush = 10;
    got = find("Qualcomm", "Adreno (TM) 630", "OpenGL ES 3.2 V@331.0 (GIT@0, I0, 0) (Date:10/19/18)");
    assert_true(same(&got, &want));
    /* Mesa's own drivers for the same chip are other ones, which take work as it comes. */
    want.flush = 0;
    got = find("freedreno", "FD630", "OpenGL ES 3.2 Mesa 25.0.7");
    assert_true(same(&got, &want));
    got = find("freedreno", "FD740v2", "OpenGL ES 3.2 Mesa 25.0.7");
    assert_true(same(&got, &want));
    got = find("Mesa", "zink Vulkan 1.3(Turnip Adreno (TM) 630 (MESA_TURNIP))", "OpenGL ES 3.2 Mesa 25.0.7");
    assert_true(same(&got, &want));
    /* Where shared variables lie is the chip's doing, whose driver it is does not matter. */
    want = gl_policy_unknown;
    want.cached_shared = true;
    want.registers = 56;
    got = find("ARM", "Mali-G78", "OpenGL ES 3.2 v1.r32p1-01eac0.2a893c04ca0026c2e6802dbe7d7af5c5");
    assert_true(same(&got, &want));
    got = find("Mesa", "Mali-G52 r1 (Panfrost)", "OpenGL ES 3.1 Mesa 25.0.7");
    assert_true(same(&got, &want));
    want = gl_policy_unknown;
    want.pbuffer = true;
    got = find("Imagination Technologies", "PowerVR Rogue GE8320", "OpenGL ES 3.2 build 1.13@5776728");
    assert_true(same(&got, &want));
}

static void the_registers_of_devices_are_known(void **state)
{
    static const struct {
        const char *vendor, *renderer;
        uint32_t registers;
    } rows[] = {
        {"Mesa", "Mali-G610 (Panfrost)", 56},
        {"Mesa", "Mali-T860 (Panfrost)", 40},
        {"freedreno", "FD630", 90},
        {"Qualcomm", "Adreno (TM) 740", 90},
        {"Intel", "Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)", 56},
        {"AMD", "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6, DRM 3.49, 6.1)", 64},
        {"Mesa", "NV164", 96},
        {"NVIDIA Corporation", "NVIDIA GeForce RTX 3080/PCIe/SSE2", 96},
        {"Broadcom", "V3D 4.2.14.0", 48},
        {"Mesa", "virgl (NV164)", 48},
        {"Mesa", "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))", 0},
        {"Mesa", "softpipe", 0},
        {"Mesa/X.org", LLVMPIPE, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gl_policy p = find(rows[i].vendor, rows[i].renderer, "OpenGL ES 3.2 Mesa 25.0.7");

        if (p.registers != rows[i].registers)
            fail_msg("\"%s\" has %u registers", rows[i].renderer, p.registers);
    }
}

/* The driver of the host is not the one that runs here: its quirks do not matter, but that it computes on the CPU. */
static void virgl_is_not_its_host(void **state)
{
    struct gl_policy want = gl_policy_unknown, got;

    (void)state;
    assert_unknown(find("Mesa", "virgl (Mesa Intel(R) UHD Graphics 620 (KBL GT2))", "OpenGL ES 3.2 Mesa 25.0.7"));
    assert_unknown(find("Mesa", "virgl (Mali-G52)", "OpenGL ES 3.2 Mesa 25.0.7"));
    assert_unknown(find("Mesa", "virgl (FD630)", "OpenGL ES 3.2 Mesa 25.0.7"));
    want.software = true;
    want.registers = 0;
    got = find("Mesa", "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))", "OpenGL ES 3.2 Mesa 25.0.7");
    assert_true(same(&got, &want));
    got = find("Mesa/X.org", "virgl (softpipe)", "OpenGL ES 3.2 Mesa 22.3.6");
    assert_true(same(&got, &want));
}

/* ---- rows ---- */

/* Versions from 22.1 on and below 23.0.4, of Mesa. */
static void rows_may_name_a_range_of_drivers(void **state)
{
    static const struct gl_quirk row = {
        .driver = "Mesa", .from = {22, 1}, .below = {23, 0, 4}, .flags = GL_QUIRK_FINISH | GL_QUIRK_INLINE_UNIFORMS};
    static const struct {
        const char *version;
        bool matches;
    } rows[] = {
        {"OpenGL ES 3.2 Mesa 22.0.9", false},   {"OpenGL ES 3.2 Mesa 22.1.0", true},
        {"OpenGL ES 3.2 Mesa 22.3.6", true},    {"OpenGL ES 3.2 Mesa 23.0.3", true},
        {"OpenGL ES 3.2 Mesa 23.0.4", false},   {"OpenGL ES 3.2 Mesa 23.1.0", false},
        {"OpenGL ES 3.2 NVIDIA 22.3.6", false}, {"OpenGL ES 3.2", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gl_policy p = gl_policy_unknown;

        gl_policy_apply(&row, 1, &(struct gl_device_names){"", "", rows[i].version}, &p);
        assert_int_equal(p.finish, rows[i].matches);
        assert_int_equal(p.inline_uniforms, rows[i].matches);
        assert_false(p.pbuffer || p.software || p.image_reads || p.row_groups || !p.timer);
    }
}

static void names_are_found_in_any_case_or_at_the_beginning(void **state)
{
    static const struct gl_quirk inside = {.renderer = "b c", .flush = 3}, first = {.vendor = "^a", .flush = 4};
    static const struct gl_device_names n = {"A B", "a B C d", ""}, other = {"B A", "b", ""};
    struct gl_policy p = gl_policy_unknown;

    (void)state;
    gl_policy_apply(&inside, 1, &other, &p);
    gl_policy_apply(&first, 1, &other, &p);
    assert_int_equal(p.flush, 0);
    gl_policy_apply(&inside, 1, &n, &p);
    assert_int_equal(p.flush, 3);
    gl_policy_apply(&first, 1, &n, &p);
    assert_int_equal(p.flush, 4);
}

/* ---- a policy on top of another ---- */

static void preferences_need_both_and_needs_stay(void **state)
{
    const struct gl_policy all = {true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  true,
                                  7,
                                  100,
                                  .registers = 60,
                                  .cached_shared = true},
                           none = {.iterations = 0};
    struct gl_policy p = all;

    (void)state;
    gl_policy_clamp(&p, &all);
    assert_true(same(&p, &all));
    gl_policy_clamp(&p, &none);
    assert_false(p.software || p.inline_uniforms || p.image_reads || p.textures || p.row_groups || p.straight_code ||
                 p.host_layout || p.timer || p.cached_shared);
    assert_true(p.finish && p.pbuffer && p.even_stores && p.dynamic_compile);
    assert_int_equal(p.flush, 7);
    assert_int_equal(p.iterations, 100);
    assert_int_equal(p.registers, 60);
    p = none;
    gl_policy_clamp(&p, &all);
    assert_int_equal(p.registers, 60);
    assert_false(p.cached_shared || p.software || p.timer || p.finish || p.pbuffer || p.even_stores);
    assert_int_equal(p.iterations, 100);
    gl_policy_clamp(&p, &gl_policy_unknown);
    assert_int_equal(p.iterations, 100);
    assert_int_equal(p.registers, 48);
}

static void policies_are_shown(void **state)
{
    const struct gl_policy all = {true, true, true, true, true, true, true, true, false, true, true, true, 7, 0};
    /* the longest */
    const struct gl_policy most = {.inline_uniforms = true,
                                   .textures = true,
                                   .straight_code = true,
                                   .dynamic_compile = true,
                                   .host_layout = true,
                                   .finish = true,
                                   .even_stores = true,
                                   .cached_shared = true,
                                   .no_half_types = true,
                                   .flush = UINT32_MAX,
                                   .iterations = UINT32_MAX,
                                   .registers = UINT32_MAX};
    char text[GL_POLICY_TEXT];

    (void)state;
    gl_policy_text(&gl_policy_unknown, text);
    assert_string_equal(text, "numbers bound, reads through buffers, values in buffers, square workgroups, timer trusted, "
                              "fences, surfaceless, at most 65535 iterations, at most 48 registers");
    gl_policy_text(&all, text);
    assert_string_equal(
        text,
        "numbers inlined, reads through images, values in textures, wide workgroups, straight code, "
        "transfers by the CPU, compiled when dispatched, stores to arrays by one index, timer not trusted, glFinish, pbuffer, "
        "a flush every 7 dispatches, no bound on iterations");
    gl_policy_text(&most, text);
    assert_int_equal(strlen(text), GL_POLICY_TEXT - 1);
    assert_non_null(strstr(text, ", at most 4294967295 iterations, at most 4294967295 registers"));
}

/* ---- on the device at hand ---- */

static void a_context_has_the_policy_of_its_device(void **state)
{
    struct gl_context *c = test_open_context();
    struct gl_policy want = find((const char *)glGetString(GL_VENDOR), c->renderer, c->version);

    (void)state;
    assert_true(same(&c->limits.policy, &want));
    gl_context_close(c);
}

struct listing {
    char policy[GL_POLICY_TEXT];
    bool software;
};

static void take_device(void *arg, const struct delegate_device *d)
{
    struct listing *l = arg;

    if (d->index > 0)
        return;
    l->software = d->software;
    snprintf(l->policy, sizeof l->policy, "%s", d->policy);
    assert_non_null(strstr(d->text, l->policy));
}

static void the_list_of_devices_shows_it(void **state)
{
    struct gl_context *c = test_open_context();
    struct listing got = {""};
    struct err err = {""};
    char want[GL_POLICY_TEXT];

    (void)state;
    gl_context_close(c);
    TEST_OK(gl_context_open(0, &c, &err), err);
    gl_policy_text(&c->limits.policy, want);
    TEST_OK(gl_list_devices(take_device, &got, &err), err);
    assert_string_equal(got.policy, want);
    assert_int_equal(got.software, c->limits.policy.software);
    gl_context_close(c);
}

static void tests_can_force_one(void **state)
{
    struct gl_policy p = {.software = false, .iterations = 3};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p});

    (void)state;
    assert_false(d->software);
    delegate_close(d);
    p.software = true;
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p});
    assert_true(d->software);
    delegate_close(d);
    d = test_open_gpu((struct gpu_options){.device = -1, .policy = &p, .most = &gl_limits_least});
    assert_false(d->software);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_are_told_by_their_versions),
        cmocka_unit_test(what_no_row_knows_gets_the_default),
        cmocka_unit_test(software_is_told_by_its_name),
        cmocka_unit_test(real_devices_get_what_is_known_of_them),
        cmocka_unit_test(the_registers_of_devices_are_known),
        cmocka_unit_test(virgl_is_not_its_host),
        cmocka_unit_test(rows_may_name_a_range_of_drivers),
        cmocka_unit_test(names_are_found_in_any_case_or_at_the_beginning),
        cmocka_unit_test(preferences_need_both_and_needs_stay),
        cmocka_unit_test(policies_are_shown),
        cmocka_unit_test(a_context_has_the_policy_of_its_device),
        cmocka_unit_test(the_list_of_devices_shows_it),
        cmocka_unit_test(tests_can_force_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
