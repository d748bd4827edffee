/* SPDX-License-Identifier: Apache-2.0 */
/* functions_test.c - the first context fills epoxy's table with what EGL knows, and no later one does it again. */
#include "lib/gl/device/functions.h"

#include "lib/gl/testing/test_gpu.h"

static void GLAPIENTRY play(void)
{
}

static void are_found_once(void **state)
{
    void (*before)(void) = (void (*)(void))glFlush;
    struct gl_context *c = test_open_context();

    (void)state;
    assert_ptr_not_equal((void (*)(void))glFlush, before);
    assert_ptr_equal((void (*)(void))glFlush, eglGetProcAddress("glFlush"));
    assert_ptr_equal((void (*)(void))glActiveTexture, eglGetProcAddress("glActiveTexture"));
    assert_ptr_equal((void (*)(void))glUseProgram, eglGetProcAddress("glUseProgram"));
    before = (void (*)(void))glFlush;
    glFlush = play;
    gl_functions_find(c->display);
    assert_ptr_equal((void (*)(void))glFlush, play);
    glFlush = (PFNGLFLUSHPROC)before;
    gl_context_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_found_once)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
