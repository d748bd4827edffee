/* SPDX-License-Identifier: Apache-2.0 */
/* binaries_test.c - a block of compiled programs that was cut anywhere gives those that are whole in it. */
#include "lib/gl/device/binaries.h"
#include "lib/gl/device/program_build.h"

#include <stdlib.h>

#include "lib/gl/testing/test_gpu.h"

static void blocks_are_held_against_their_end(void **state)
{
    struct gl_context *c = test_open_context();
    struct gl_program_set set = {0};
    struct err err = {""};
    uint32_t index;
    size_t bytes;
    void *block;

    (void)state;
    if (!gl_binaries_can()) {
        gl_context_close(c);
        skip();
    }
    TEST_OK(
        gl_programs_add(&c->programs, &set, "#version 310 es\nlayout(local_size_x = 1) in;\nvoid main() {}\n", "a", &index, &err),
        err);
    TEST_OK(gl_programs_build(&set, &(struct gl_building){.keep = true}, &err), err);
    TEST_OK(gl_binaries_save(&set, &block, &bytes, &err), err);
    assert_true(bytes > sizeof(struct gl_binary));
    for (size_t n = 0; n <= bytes; n++) {
        uint8_t *exact = malloc(n + !n); /* sanitizers see a byte too many */
        struct gl_program_set again = {0};
        struct gl_programs none = {0};

        assert_non_null(exact);
        memcpy(exact, block, n);
        TEST_OK(
            gl_programs_add(&none, &again, "#version 310 es\nlayout(local_size_x = 1) in;\nvoid main() {}\n", "a", &index, &err),
            err);
        gl_binaries_load(&again, exact, n);
        /* The last bytes only fill up. */
        assert_int_equal(again.loaded, n + 8 > bytes && n >= sizeof(struct gl_binary) + ((const struct gl_binary *)block)->bytes);
        gl_programs_release(&none, &again);
        gl_programs_fini(&none);
        free(exact);
    }
    free(block);
    gl_programs_release(&c->programs, &set);
    TEST_OK(gl_context_check(c, "testing", &err), err);
    gl_context_close(c);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_held_against_their_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
