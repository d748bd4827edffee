/* SPDX-License-Identifier: Apache-2.0 */
/* fb_test.c - flatbuffers of a few bytes that lie about themselves. */
#include "lib/base/fb.h"
#include "lib/testing/test.h"

/* root -> table at 16 with its vtable at 4: fields 0 (int32 at 4), 1 (absent), 2 (byte at 8). */
static const uint8_t whole[] = {
    16, 0, 0,  0,                          /* the root table */
    10, 0, 12, 0, 4,  0, 0, 0, 8, 0, 0, 0, /* vtable: its size, the table's, fields; padding */
    12, 0, 0,  0, 42, 0, 0, 0, 7, 0, 0, 0, /* table: back to the vtable, 42, 7 */
};

struct file {
    uint8_t data[sizeof whole];
    struct fb fb;
    struct arena arena;
    struct err err;
};

static struct fb_table open(struct file *f, size_t bytes)
{
    fb_init(&f->fb, f->data, bytes, &f->arena, &f->err);
    return fb_root(&f->fb);
}

static struct file copy(void)
{
    struct file f = {.err = {""}};

    memcpy(f.data, whole, sizeof whole);
    return f;
}

static void fields_are_read(void **state)
{
    struct file f = copy();
    struct fb_table t = open(&f, sizeof whole);

    (void)state;
    assert_int_equal(fb_i32(&f.fb, &t, 0, -1), 42);
    assert_int_equal(fb_i32(&f.fb, &t, 1, -1), -1);
    assert_int_equal(fb_u8(&f.fb, &t, 2, 0), 7);
    assert_int_equal(fb_i32(&f.fb, &t, 3, -5), -5);
    assert_int_equal(fb_i32(&f.fb, &t, 9, -7), -7);
    assert_int_equal(f.fb.st, ST_OK);
    arena_free(&f.arena);
}

/* Whatever a table's size is, a field is read only where all of it lies inside. */
static void fields_end_within_their_table(void **state)
{
    (void)state;
    for (uint8_t size = 4; size <= 12; size++) {
        struct file f = copy();
        struct fb_table t;

        f.data[6] = size;
        t = open(&f, sizeof whole);
        assert_int_equal(fb_i32(&f.fb, &t, 0, -1), size >= 8 ? 42 : -1);
        assert_int_equal(f.fb.st, size >= 8 ? ST_OK : ST_BAD_MODEL);
        arena_free(&f.arena);
    }
    for (uint8_t at = 0; at < 20; at++) {
        struct file f = copy();
        struct fb_table t;

        f.data[8] = at;
        t = open(&f, sizeof whole);
        fb_i32(&f.fb, &t, 0, -1);
        assert_int_equal(f.fb.st, at == 0 || (at >= 4 && at <= 8) ? ST_OK : ST_BAD_MODEL);
        arena_free(&f.arena);
    }
}

static void files_that_end_early(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < sizeof whole; bytes++) {
        struct file f = copy();

        open(&f, bytes);
        assert_int_equal(f.fb.st, ST_BAD_MODEL);
        assert_true(f.err.msg[0]);
        arena_free(&f.arena);
    }
}

static void vtables_lie_in_the_file(void **state)
{
    static const int32_t back[] = {13, 17, 1000, -1000, -20, INT32_MIN, INT32_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        struct file f = copy();
        struct fb_table t;

        memcpy(f.data + 16, &back[i], sizeof back[i]);
        t = open(&f, sizeof whole);
        fb_i32(&f.fb, &t, 0, -1);
        assert_int_equal(f.fb.st, ST_BAD_MODEL);
        arena_free(&f.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(fields_end_within_their_table),
        cmocka_unit_test(files_that_end_early),
        cmocka_unit_test(vtables_lie_in_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
