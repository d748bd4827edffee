/* SPDX-License-Identifier: Apache-2.0 */
/* objects_test.c - which values are in textures, by who reads and writes them and what was picked of these. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/testing/test_passes.h"

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
        f->ir->lowering.node = &nodes[i];
        op(f, &other, i ? y : x, i ? z : y);
    }
    f->ir->lowering.node = NULL;
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

/* Constants and what has to do with views are in buffers, and so is what is beyond a texture or the units. */
static void values_get_textures(void **state)
{
    static const float data[256];
    static const struct ir_kind weighed = {.name = "weighed", .constants = 3};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *whole = value(f, big), *part = value(f, small), *y = value(f, big), *y2 = value(f, big);
    struct ir_value *wide = value(f, (struct ir_shape){1, 8, 2049, 4}), *constant = ir_const(f->ir, IR_FLOAT, big, data);
    struct ir_op *o = ir_op_new(f->ir, &weighed, IR_INS(part, x, wide, constant), y, 0);

    o->out2 = y2;
    part->view = (struct ir_view){whole, {0, 1, 2, 0}, big};
    f->limits.texture_reads = 1;
    f->limits.policy.textures = f->limits.policy.all_textures = true;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_TEXTURE && y->storage == GL_STORAGE_TEXTURE && y2->storage == GL_STORAGE_TEXTURE);
    assert_true(!whole->storage && !part->storage && !wide->storage && !constant->storage);
    f->limits.image_reads = 4;
    f->limits.image_vectors = 1u << 20;
    run(f, "choose storage"); /* three images are the kernel's, one is left */
    assert_true(x->storage == GL_STORAGE_TEXTURE && y->storage == GL_STORAGE_TEXTURE && y2->storage == GL_STORAGE_IMAGE);
    assert_true(part->storage == GL_STORAGE_BUFFER && wide->storage == GL_STORAGE_BUFFER);
    f->limits.image_units = 6;
    run(f, "choose storage");
    assert_true(y->storage == GL_STORAGE_TEXTURE && y2->storage == GL_STORAGE_TEXTURE);
    assert_true(whole->storage == GL_STORAGE_IMAGE && part->storage == GL_STORAGE_IMAGE && wide->storage == GL_STORAGE_BUFFER);
    op(f, &other, ir_const(f->ir, IR_FLOAT, big, data), x);
    ir_op_new(f->ir, &other, IR_INS(y, x), value(f, big), 0);
    run(f, "choose storage");
    assert_true(y->storage == GL_STORAGE_TEXTURE && x->storage == GL_STORAGE_BUFFER);
}

static void what_is_read_back_gets_no_texture(void **state)
{
    static const struct ir_kind kinds[] = {{.name = "plain"}, {.name = "reading", .reads_back = true}};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y = value(f, big), *z = value(f, big);

    ir_op_new(f->ir, &kinds[0], IR_INS(x), y, 0);
    ir_op_new(f->ir, &kinds[1], IR_INS(y), z, 0);
    f->limits.texture_reads = 1;
    f->limits.policy.textures = f->limits.policy.all_textures = true;
    run(f, "choose storage");
    assert_true(y->storage == GL_STORAGE_TEXTURE && z->storage == GL_STORAGE_BUFFER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_is_read_gets_a_texture), TEST(picked_objects_are_agreed_on),
                                       TEST(values_get_textures), TEST(what_is_read_back_gets_no_texture)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
