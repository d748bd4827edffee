/* SPDX-License-Identifier: Apache-2.0 */
/* plan_fits_test.c - a plan fits a device that has just what it needs, and none that has less of anything. */
#include "lib/gl/testing/test_plan.h"

#include <stdlib.h>

/* Each member is as small, or as large, as the plan lets it be. */
static const struct gl_limits exact = {.storage_blocks = 2,
                                       .storage_block_bytes = 320,
                                       .storage_align = 64,
                                       .group_count = {3, 2, 1},
                                       .uniform_blocks = 1,
                                       .uniform_block_bytes = 256,
                                       .uniform_align = 256,
                                       .image_units = 3,
                                       .image_vectors = 32,
                                       .texel_reads = 2,
                                       .uniform_reads = 1,
                                       .texture_reads = 1,
                                       .texture_size = 5,
                                       .texture_layers = 2};

/* A plan whose transfers lie as close together as that alignment lets them. */
static struct gl_plan *make_tight(struct test_plan *f)
{
    struct gl_plan *p = test_plan_make(f);

    p->staging_read = ((struct gl_plan_transfer *)test_plan_element(p, GL_PLAN_DOWNLOADS, 0))->offset = 320;
    ((struct gl_plan_binding *)test_plan_element(p, GL_PLAN_BINDINGS, 10))->offset = 320;
    p->store_bytes[GL_STORE_STAGING] = 636;
    return p;
}

static void fits_its_own_device_only(void **state)
{
    struct gl_limits lim = exact;
    uint32_t *const less[] = {&lim.storage_blocks,      &lim.group_count[0], &lim.group_count[1], &lim.group_count[2],
                              &lim.uniform_blocks,      &lim.image_units,    &lim.texture_reads,  &lim.texture_size,
                              &lim.uniform_block_bytes, &lim.texture_layers, &lim.texel_reads,    &lim.uniform_reads};
    struct gl_plan *p = make_tight(test_plan_begin());
    struct err err = {""};

    (void)state;
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    TEST_OK(gl_plan_fits(p, &lim, &err), err);
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        --*less[i];
        if (gl_plan_fits(p, &lim, &err) != ST_BAD_MODEL)
            fail_msg("limit %zu", i);
        lim = exact;
    }
    lim.storage_block_bytes--;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim = exact;
    lim.image_vectors--;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim = exact;
    lim.storage_align = 128;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim = exact;
    lim.uniform_align = 512;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    free(p);
}

/* A row of texels and a row more than the largest texture has. */
static void copies_fit_in_textures(void **state)
{
    struct test_plan *f = test_plan_begin();
    struct gl_limits lim = exact;
    struct gl_plan_binding *b;
    struct gl_plan_view *v;
    struct gl_plan *p;
    struct err err;

    (void)state;
    test_plan_copy(f);
    p = make_tight(f);
    lim.texture_size = GL_COPY_WIDTH;
    TEST_OK(gl_plan_fits(p, &lim, &err), err);
    lim.texel_reads = 1;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim.texel_reads = 2;
    lim.texture_size--;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim.texture_size++;
    b = (struct gl_plan_binding *)test_plan_element(p, GL_PLAN_BINDINGS, 2) + 5;
    v = test_plan_element(p, GL_PLAN_VIEWS, b->view);
    p->store_bytes[GL_STORE_CONSTANTS] = b->bytes = v->bytes = 16 * GL_COPY_WIDTH * GL_COPY_WIDTH;
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    TEST_OK(gl_plan_fits(p, &lim, &err), err);
    p->store_bytes[GL_STORE_CONSTANTS] = b->bytes = v->bytes += 16;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    b->bytes -= 16; /* not what its view is of */
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    free(p);
}

static void four_copies_need_four_units(void **state)
{
    struct test_plan *f = test_plan_begin();
    struct gl_limits lim = exact;
    struct gl_plan_binding *b;
    struct gl_plan_view *v;
    struct gl_plan *p;
    struct err err;

    (void)state;
    test_plan_copy_four(f);
    p = make_tight(f);
    lim.texture_size = GL_COPY_WIDTH;
    lim.texel_reads = 5; /* the first is that of a value */
    TEST_OK(gl_plan_fits(p, &lim, &err), err);
    lim.texel_reads = 4;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    lim.texel_reads = 5;
    b = (struct gl_plan_binding *)test_plan_element(p, GL_PLAN_BINDINGS, 2) + 5;
    v = test_plan_element(p, GL_PLAN_VIEWS, b->view);
    v[3].offset -= 16;
    assert_int_equal(gl_plan_fits(p, &lim, &err), ST_BAD_MODEL);
    free(p);
}

/* Numbers that lead nowhere outside the plan, and yet GL would not take them, or would take memory for nothing. */
static void what_no_limit_names_is_checked(void **state)
{
    struct gl_plan *p = make_tight(test_plan_begin());
    const struct gl_plan *pair[2] = {p, p};
    struct gl_plan_binding *b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    struct gl_plan_texture *t = test_plan_element(p, GL_PLAN_TEXTURES, 0);
    uint64_t *const wide[] = {&b->offset, &b->bytes, &p->store_bytes[GL_STORE_STAGING]};
    struct err err = {""};
    struct gl_plan *other;

    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        const uint64_t kept = *wide[i];

        *wide[i] += i == 2 ? 1000 : -(uint64_t)64;
        assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_OK);
        assert_int_equal(gl_plan_fits(p, &exact, &err), ST_BAD_MODEL);
        *wide[i] = kept;
    }
    b[6].point = 0; /* that is the block of numbers */
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_OK);
    assert_int_equal(gl_plan_fits(p, &exact, &err), ST_BAD_MODEL);
    b[6].point = 1;
    p->store_bytes[GL_STORE_STATE] = 1; /* of no variable */
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_OK);
    assert_int_equal(gl_plan_fits(p, &exact, &err), ST_BAD_MODEL);
    p->store_bytes[GL_STORE_STATE] = 0;
    p->lower_bound = p->unshared = 704 + 424;
    assert_true(gl_plans_agree(pair, 2, &exact));
    assert_non_null(other = malloc(p->bytes));
    pair[1] = memcpy(other, p, p->bytes);
    p->store_bytes[GL_STORE_VALUES]++;
    assert_false(gl_plans_agree(pair, 2, &exact));
    p->store_bytes[GL_STORE_VALUES] += 5 * 320 + 5 * 64;
    assert_false(gl_plans_agree(pair, 1, &exact));
    p->store_bytes[GL_STORE_VALUES] = 704;
    t->width++;
    assert_false(gl_plans_agree(pair, 2, &exact));
    t->width--;
    p->unshared--;
    assert_false(gl_plans_agree(pair, 1, &exact));
    p->lower_bound = ++p->unshared + 1;
    assert_false(gl_plans_agree(pair, 1, &exact));
    free(other);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_its_own_device_only), cmocka_unit_test(copies_fit_in_textures),
                                       cmocka_unit_test(four_copies_need_four_units),
                                       cmocka_unit_test(what_no_limit_names_is_checked)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
