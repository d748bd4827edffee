/* SPDX-License-Identifier: Apache-2.0 */
/* plan_transfers_test.c - what a plan says of inputs and outputs that move without their dispatches, in the caller's buffers or by
 * the CPU. */
#include "lib/gl/testing/test_plan.h"

#include <stdlib.h>

static struct test_plan *with_upload(const struct tensor *x, const struct ir_value *v)
{
    struct test_plan *f = test_plan_begin();

    f->x = *x;
    f->d[0].shader.bind[0].bind = GL_BIND_HOST_READ;
    f->d[0].shader.bind[0].host_type = TYPE_FLOAT32;
    f->d[0].shader.bind[1].bind = GL_BIND_OUTPUT;
    f->d[0].shader.bind[1].value = f->d[1].shader.bind[0].value = v;
    return f;
}

/* An output that the CPU reads from two values: 10 vectors that hold 160 bytes, and 14 that hold 140 of two slices. */
static struct test_plan *with_heads(const struct ir_value *first, const struct ir_value *second)
{
    struct test_plan *f = test_plan_begin();
    struct gl_dispatch *d = &f->d[2];

    d->shader.n_bind = 3;
    d->shader.bind[0].bind = d->shader.bind[1].bind = GL_BIND_INPUT;
    d->shader.bind[0].value = first;
    d->shader.bind[1].value = second;
    d->shader.bind[2].bind = GL_BIND_HOST_WRITE;
    d->shader.bind[2].host_type = TYPE_FLOAT32;
    d->ranges[2] = d->ranges[1];
    d->ranges[1] = test_plan_x;
    return f;
}

static void what_the_cpu_reads_together_is_checked(void **state)
{
    static const struct ir_value a = {.type = IR_FLOAT, .shape = {1, 2, 5, 4}}, b = {.type = IR_FLOAT, .shape = {1, 1, 7, 5}},
                                 of_ints = {.type = IR_INT, .shape = {1, 1, 7, 5}};
    const struct ir_value *const pairs[][2] = {{&a, &of_ints}, {&of_ints, &b}, {&a, &a}, {&b, &b}};
    struct gl_plan *p = test_plan_make(with_heads(&a, &b));
    struct gl_plan_transfer *down = test_plan_element(p, GL_PLAN_DOWNLOADS, 0);
    const struct test_damage narrow[] = {
        {&down->n_layouts, 1},       {&down->n_layouts, 3},         {&down->n_layouts, UINT32_MAX}, {&down->layouts[0].h, 1},
        {&down->layouts[1].c, 6},    {&down->layouts[1].w, 0},      {&down->layouts[1].block_h, 0}, {&down->layouts[1].block_w, 2},
        {&down->layouts[1].kind, 0}, {&down->store, GL_STORE_STATE}};
    const struct test_damage wide[] = {{&down->bytes, 304}, {&down->layouts[0].offset, 548}, {&down->layouts[1].offset, 484}};

    (void)state;
    p->store_bytes[GL_STORE_STATE] = p->store_bytes[GL_STORE_STAGING]; /* it could stay there, if not for the CPU */
    assert_int_equal(down->n_layouts, 2);
    assert_true(down->layouts[0].offset == 384 && down->layouts[1].offset == test_plan_x.offset && down->layouts[1].pitch_s == 7);
    test_plan_finds(p, narrow, sizeof narrow / sizeof *narrow, sizeof(uint32_t));
    test_plan_finds(p, wide, sizeof wide / sizeof *wide, sizeof(uint64_t));
    free(p);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) { /* one that a dispatch must move, too few bytes, too many */
        p = test_plan_make(with_heads(pairs[i][0], pairs[i][1]));
        down = test_plan_element(p, GL_PLAN_DOWNLOADS, 0);
        assert_int_equal(down->n_layouts, 0);
        free(p);
    }
}

/* Two of 2^63 bytes on the host, which are one vector again and again, and 300 bytes, are 300 where sums begin anew at 2^64. */
static void what_the_cpu_reads_does_not_overflow(void **state)
{
    static const struct ir_value v = {.type = IR_FLOAT, .shape = {1, 1, 15, 5}};
    const struct gl_layout endless = {
        .b = 1u << 31, .h = 1u << 31, .w = 1, .c = 2, .kind = GL_LAYOUT_BYTES, .block_h = 1, .block_w = 1};
    struct test_plan *f = with_heads(&v, &v);
    struct gl_plan_transfer *down;
    struct gl_plan *p;
    struct err err;

    (void)state;
    f->d[2].shader.n_bind = 2;
    f->d[2].shader.bind[1] = f->d[2].shader.bind[2];
    f->d[2].ranges[0] = test_plan_x;
    f->d[2].ranges[1] = f->d[2].ranges[2];
    p = test_plan_make(f);
    down = test_plan_element(p, GL_PLAN_DOWNLOADS, 0);
    assert_int_equal(down->n_layouts, 1);
    down->layouts[1] = down->layouts[2] = endless;
    down->n_layouts = 3;
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "a plan is damaged: download 0");
    free(p);
}

/* The first input, dense as it is; the first and third operand of the operation read it. */
static void what_buffers_replace_is_checked(void **state)
{
    static const struct ir_value v = {.type = IR_FLOAT, .shape = {1, 4, 5, 4}};
    const struct tensor x = {.bytes = 320, .rank = 3, .dim = {4, 5, 4}}, reshaped = {.bytes = 320, .rank = 3, .dim = {5, 4, 4}};
    struct test_plan *f = with_upload(&x, &v);
    struct gl_plan_binding *b;
    struct gl_plan_transfer *up;
    struct gl_plan *p;
    uint32_t *list;
    struct err err;

    (void)state;
    f->d[1].shader.bind[2].value = &v;
    p = test_plan_make(f);
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    up = test_plan_element(p, GL_PLAN_UPLOADS, 0);
    list = test_plan_element(p, GL_PLAN_DIRECT, 0);
    b = test_plan_element(p, GL_PLAN_BINDINGS, 4);
    assert_int_equal(gl_plan_n(p, GL_PLAN_DIRECT), 2);
    assert_true(up->n_direct == 2 && up->dense && list[0] == 2 && list[1] == 4);
    assert_true(up->n_layouts == 1 && up->layouts[0].kind == GL_LAYOUT_WORDS && up->layouts[0].offset == test_plan_x.offset &&
                up->layouts[0].pitch_h == 5);
    {
        const struct test_damage narrow[] = {{&up->first_direct, 1},
                                             {&up->n_direct, 3},
                                             {&up->n_direct, 0},
                                             {&up->dense, 2},
                                             {&list[1], 9},
                                             {&list[1], 3},
                                             {&list[0], 5},
                                             {&up->store, GL_STORE_STATE},
                                             {&up->layouts[0].c, 5},
                                             {&up->layouts[0].b, 0},
                                             {&up->layouts[0].kind, GL_LAYOUT_KINDS},
                                             {&up->layouts[0].block_h, 2},
                                             {&up->layouts[0].block_w, 2}};
        const struct test_damage wide[] = {{&b->offset, 80},
                                           {&b->bytes, 304},
                                           {&up->bytes, 316},
                                           {&up->layouts[0].offset, 388},
                                           {&up->layouts[0].offset, 62},
                                           {&up->layouts[0].pitch_h, UINT64_MAX}};

        test_plan_finds(p, narrow, sizeof narrow / sizeof *narrow, sizeof(uint32_t));
        test_plan_finds(p, wide, sizeof wide / sizeof *wide, sizeof(uint64_t));
    }
    free(p);
    f = with_upload(&x, &v);
    f->d[1].ranges[0].write = true; /* the caller's is not to be written */
    p = test_plan_make(f);
    assert_int_equal(gl_plan_n(p, GL_PLAN_DIRECT), 0);
    free(p);
    f = with_upload(&reshaped, &v); /* which has other slices */
    p = test_plan_make(f);
    assert_int_equal(gl_plan_n(p, GL_PLAN_DIRECT), 0);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_cpu_reads_together_is_checked),
        cmocka_unit_test(what_the_cpu_reads_does_not_overflow),
        cmocka_unit_test(what_buffers_replace_is_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
