/* SPDX-License-Identifier: Apache-2.0 */
/* objects_test.c - the counters agree with a census of the context, come back to nothing, and show what was forgotten. */
#include "lib/gl/gpu/objects.h"
#include "lib/gl/testing/test_session.h"

static struct err err;

static uint64_t held(const char *name)
{
    struct delegate_facts facts = {0};

    gl_objects_held(&facts);
    return fact_value(&facts, name);
}

static uint64_t held_in_census(void)
{
    return held("GL buffers") + held("GL textures") + held("GL shaders") + held("GL programs");
}

static void nothing_is_held(void)
{
    assert_int_equal(held_in_census() + held("GL queries") + held("GL fences") + held("EGL contexts"), 0);
}

static void they_agree_and_come_back(void **state)
{
    struct loaded l;
    struct delegate *d;
    struct session *s;

    (void)state;
    nothing_is_held();
    for (int round = 0; round < 2; round++) {
        d = test_open_best();
        l = test_small_network();
        s = test_start(&l, d);
        assert_int_equal(session_run(s, &err), ST_OK);
        assert_true(held("GL buffers") > 0 && held("GL programs") > 0 && held("EGL contexts") > 0);
        assert_int_equal(held_in_census(), test_gl_objects());
        session_free(s);
        delegate_close(d);
        unload(&l);
        nothing_is_held();
    }
}

static void what_was_forgotten_is_found(void **state)
{
    struct delegate *d = test_open_best();
    GLuint names[3] = {0};

    (void)state;
    glGenBuffers(2, names);
    glGenTextures(1, names + 2);
    delegate_close(d);
    assert_true(held("GL buffers") == 2 && held("GL textures") == 1);
    d = test_open_best();
    names[0] = 0; /* deletes nothing */
    glDeleteBuffers(2, names);
    glDeleteTextures(1, names + 2);
    assert_true(held("GL buffers") == 1 && held("GL textures") == 0);
    delegate_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_agree_and_come_back),
        cmocka_unit_test(what_was_forgotten_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
