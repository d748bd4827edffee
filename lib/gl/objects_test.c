/* SPDX-License-Identifier: Apache-2.0 */
/* objects_test.c - which values are in textures, by who reads and writes them and what was picked of these. */
#include <stdlib.h>

#include "choose.h"
#include "test_passes.h"
#include "tuning.h"

/* x -> conv -> a -> relu(a) -> y, b; and y + b -> z: y is an output that is read, z is none. */
static void what_is_read_gets_a_texture(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, big), *b = value(f, small), *y = output(f, value(f, big)),
                    *z = output(f, value(f, big)), *second = value(f, big);

    op(f, &conv, x, a)->out2 = second;
    apply(f, &relu, a, NULL, y);
    apply(f, &add, y, b, z);
    f->limits.texture_reads = 4;
    f->limits.policy.textures = true;
    for (int all = 0; all < 2; all++) {
        f->limits.policy.all_textures = all;
        run(f, "choose storage");
        assert_true(x->storage == GL_STORAGE_TEXTURE && a->storage == GL_STORAGE_TEXTURE && b->storage == GL_STORAGE_TEXTURE &&
                    y->storage == GL_STORAGE_TEXTURE);
        assert_true(z->storage == (all ? GL_STORAGE_TEXTURE : GL_STORAGE_BUFFER) && second->storage == z->storage);
    }
}

/* Of x -> y -> z, each of the two operations with a pick. */
static void picked_objects_are_agreed_on(void **state)
{
    enum { NONE = GL_OBJECTS_AS_SET, B = GL_OBJECTS_BUFFERS, T = GL_OBJECTS_TEXTURES };
    static const struct {
        bool textures;
        uint8_t first, second;
        enum gl_storage x, y, z;
    } cases[] = {
        {false, NONE, NONE, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER},
        {false, T, T, GL_STORAGE_TEXTURE, GL_STORAGE_TEXTURE, GL_STORAGE_TEXTURE},
        {false, T, NONE, GL_STORAGE_TEXTURE, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER},
        {false, B, T, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER, GL_STORAGE_TEXTURE},
        {true, NONE, NONE, GL_STORAGE_TEXTURE, GL_STORAGE_TEXTURE, GL_STORAGE_BUFFER},
        {true, NONE, T, GL_STORAGE_TEXTURE, GL_STORAGE_TEXTURE, GL_STORAGE_TEXTURE},
        {true, B, NONE, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER},
        {true, B, B, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER},
        {true, NONE, B, GL_STORAGE_TEXTURE, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER},
        {true, B, T, GL_STORAGE_BUFFER, GL_STORAGE_BUFFER, GL_STORAGE_TEXTURE},
    };
    static const struct node nodes[2] = {{.index = 0}, {.index = 1}};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y = value(f, big), *z = value(f, big);

    for (int i = 0; i < 2; i++) {
        f->ir->node = &nodes[i];
        op(f, &other, i ? y : x, i ? z : y);
    }
    f->ir->node = NULL;
    f->limits.texture_reads = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gl_pick picks[2] = {{.objects = cases[i].first}, {.objects = cases[i].second}};
        struct gl_choice choice = {.picks = picks};

        f->limits.policy.textures = cases[i].textures;
        f->ir->choice = &choice;
        run(f, "choose storage");
        assert_int_equal(x->storage, cases[i].x);
        assert_int_equal(y->storage, cases[i].y);
        assert_int_equal(z->storage, cases[i].z);
    }
}

/* As tuning stores picks. */
static void picks_are_stored(void **state)
{
    const struct gl_pick picks[3] = {{.variant = 500, .own = true, .group = 8, .objects = GL_OBJECTS_TEXTURES},
                                     {.numbers = true, .reads = GL_READS_TEXELS, .objects = GL_OBJECTS_BUFFERS},
                                     {.constants = GL_READS_TEXTURES}};
    const bool done[3] = {true, false, true};
    struct gl_pick back[3];
    bool done_back[3];
    struct gl_tuning *t = gl_tuning_new(3);

    (void)state;
    assert_non_null(t);
    gl_tuning_note(t, picks, done);
    gl_tuning_take(t, back, done_back);
    for (int i = 0; i < 3; i++) {
        const struct gl_pick *a = &picks[i], *b = &back[i];

        assert_true(a->variant == b->variant && a->own == b->own && a->group == b->group && a->numbers == b->numbers &&
                    a->objects == b->objects && a->reads == b->reads && a->constants == b->constants && done[i] == done_back[i]);
    }
    assert_true(gl_tuning_check(t, gl_tuning_bytes(3), 3));
    t->of[2].bits = 0x30; /* a third kind of objects there is not */
    assert_false(gl_tuning_check(t, gl_tuning_bytes(3), 3));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_is_read_gets_a_texture), TEST(picked_objects_are_agreed_on),
                                       TEST(picks_are_stored)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
