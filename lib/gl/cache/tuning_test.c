/* SPDX-License-Identifier: Apache-2.0 */
/* tuning_test.c - what tuning picked and tried is stored whole. */
#include "lib/gl/cache/tuning.h"

#include <stdlib.h>

#include "lib/testing/test.h"

static void picks_are_stored(void **state)
{
    static const struct gl_pick picks[] = {{.variant = 3},
                                           {.own = true},
                                           {.group = 2},
                                           {.numbers = true},
                                           {.objects = GL_OBJECTS_BUFFERS},
                                           {.objects = GL_OBJECTS_TEXTURES},
                                           {.blends = true},
                                           {.reads = GL_READS_TEXELS},
                                           {.constants = GL_READS_UNIFORMS},
                                           {0}};
    enum { N = sizeof picks / sizeof *picks };
    static const bool done[N] = {[4] = true, [5] = true};
    struct gl_tuning *t = gl_tuning_new(N);
    struct gl_pick taken[N];
    bool was_done[N];

    (void)state;
    assert_non_null(t);
    gl_tuning_note(t, picks, done);
    assert_true(gl_tuning_check(t, gl_tuning_bytes(N), N));
    gl_tuning_take(t, taken, was_done);
    for (int i = 0; i < N; i++) {
        const struct gl_pick *a = &picks[i], *b = &taken[i];

        assert_true(a->variant == b->variant && a->own == b->own && a->group == b->group && a->numbers == b->numbers);
        assert_true(a->objects == b->objects && a->blends == b->blends && a->reads == b->reads && a->constants == b->constants);
        assert_int_equal(gl_pick_is_none(b), i == N - 1);
        assert_int_equal(done[i], was_done[i]);
    }
    t->of[2].bits = 0x30; /* a third kind of objects there is not */
    assert_false(gl_tuning_check(t, gl_tuning_bytes(N), N));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picks_are_stored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
