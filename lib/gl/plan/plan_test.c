/* SPDX-License-Identifier: Apache-2.0 */
/* plan_test.c - a plan says what its dispatches were, wherever it lies, and a damaged one leads nowhere outside. */
#include "lib/gl/testing/test_plan.h"

#include <stdlib.h>

static void says_what_dispatches_were(void **state)
{
    struct test_plan *f = test_plan_begin();
    struct gl_plan *p = test_plan_make(f);
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);
    const struct gl_plan_texture *t = gl_plan_array(p, GL_PLAN_TEXTURES);
    const struct gl_plan_transfer *up = gl_plan_array(p, GL_PLAN_UPLOADS), *down = gl_plan_array(p, GL_PLAN_DOWNLOADS);
    const struct gl_plan_program *program = gl_plan_array(p, GL_PLAN_PROGRAMS);
    const uint32_t *nodes = gl_plan_array(p, GL_PLAN_NODES);
    const int32_t *numbers = gl_plan_array(p, GL_PLAN_UNIFORMS);
    struct err err = {""};

    (void)state;
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    assert_int_equal(gl_plan_n(p, GL_PLAN_DISPATCHES), 3);
    assert_int_equal(gl_plan_n(p, GL_PLAN_VIEWS), 2); /* x is seen once */
    assert_string_equal(gl_plan_string(p, d[1].kind), "CONV_2D");
    assert_string_equal(gl_plan_string(p, d[1].label), "conv 4x2 +RELU");
    assert_string_equal(gl_plan_string(p, d[1].why_copy), "elements are repeated");
    assert_int_equal(d[1].groups[0] * 100 + d[1].groups[1] * 10 + d[1].groups[2], 321);
    assert_int_equal(d[1].barrier, 1);
    assert_int_equal(d[0].barrier, 0);
    assert_int_equal(d[1].n_bindings, 7);
    b += d[1].first_binding;
    assert_int_equal(b[0].view, b[2].view);
    assert_int_equal(b[2].point, 2);
    assert_int_equal(b[3].view, GL_PLAN_NO_VIEW);
    assert_int_equal(b[3].point, 1);
    assert_int_equal(b[3].offset, 384);
    assert_int_equal(b[3].through, GL_THROUGH_BLOCK);
    assert_int_equal(b[4].through, GL_THROUGH_TEXTURE);
    assert_int_equal(b[4].offset, 1);
    assert_int_equal(b[5].through, GL_THROUGH_TEXEL);
    assert_int_equal(b[5].view, b[0].view);
    assert_int_equal(b[6].through, GL_THROUGH_UNIFORM);
    assert_int_equal(b[6].view, GL_PLAN_NO_VIEW);
    assert_int_equal(p->texture_bytes, 424);
    assert_memory_equal(t, f->textures, sizeof f->textures);
    assert_int_equal(v[b[1].view].store, GL_STORE_CONSTANTS);
    assert_int_equal(v[b[1].view].format, GL_RGBA32F);
    assert_memory_equal(&numbers[d[1].numbers / 4], f->numbers, sizeof f->numbers);
    assert_int_equal(d[1].n_nodes, 2);
    assert_int_equal(nodes[d[1].first_node + 1], 2);
    assert_int_equal(up[0].tensor, 1);
    assert_int_equal(up[0].bytes, 300);
    assert_int_equal(down[0].tensor, 0);
    assert_int_equal(down[0].offset, 512);
    assert_string_equal(program[d[1].program].hash, TEST_PLAN_HASH);
    free(p);
}

/* A view is shared by bindings that agree in all that it says. */
static void views_that_differ_stay_apart(void **state)
{
    const struct {
        struct gl_range range;
        enum gl_format format;
    } other[] = {
        {test_plan_x, GL_FORMAT_FLOAT},
        {test_plan_x, GL_FORMAT_HALF},
        {{.store = GL_STORE_VALUES, .offset = 128, .bytes = 320}, GL_FORMAT_FLOAT},
        {{.store = GL_STORE_VALUES, .offset = 64, .bytes = 256}, GL_FORMAT_FLOAT},
        {{.store = GL_STORE_CONSTANTS, .offset = 64, .bytes = 320}, GL_FORMAT_FLOAT},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof other / sizeof *other; i++) {
        struct test_plan *f = test_plan_begin();
        struct gl_plan *p;
        const struct gl_plan_view *v;

        f->d[1].ranges[1] = other[i].range;
        f->d[1].shader.bind[1].format = other[i].format;
        p = test_plan_make(f);
        assert_int_equal(gl_plan_n(p, GL_PLAN_VIEWS), i ? 2 : 1);
        v = (const struct gl_plan_view *)gl_plan_array(p, GL_PLAN_VIEWS) + (i > 0);
        assert_int_equal(v->offset, other[i].range.offset);
        assert_int_equal(v->bytes, other[i].range.bytes);
        assert_int_equal(v->store, other[i].range.store);
        assert_int_equal(v->format, other[i].format == GL_FORMAT_HALF ? GL_RGBA16F : GL_RGBA32F);
        free(p);
    }
}

/* Follows all that a run follows. */
static uint64_t walk(const struct gl_plan *p)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);
    const struct gl_plan_texture *t = gl_plan_array(p, GL_PLAN_TEXTURES);
    const struct gl_plan_program *program = gl_plan_array(p, GL_PLAN_PROGRAMS);
    const uint32_t *nodes = gl_plan_array(p, GL_PLAN_NODES);
    const char *numbers = gl_plan_array(p, GL_PLAN_UNIFORMS);
    uint64_t sum = 0;

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++) {
        sum += strlen(gl_plan_string(p, d[i].kind)) + strlen(gl_plan_string(p, d[i].label)) +
               strlen(gl_plan_string(p, d[i].why_copy)) + strlen(program[d[i].program].hash);
        for (uint32_t j = 0; j < 16 * d[i].n_uniforms; j++)
            sum += (unsigned char)numbers[d[i].numbers + j];
        for (uint32_t j = 0; j < d[i].n_nodes; j++) {
            assert_true(nodes[d[i].first_node + j] < p->n_nodes);
            sum += nodes[d[i].first_node + j];
        }
        for (uint32_t j = d[i].first_binding; j < d[i].first_binding + d[i].n_bindings; j++) {
            if (b[j].through == GL_THROUGH_TEXTURE || b[j].through == GL_THROUGH_STORE) {
                assert_true(b[j].store == GL_STORE_TEXTURES && b[j].offset < gl_plan_n(p, GL_PLAN_TEXTURES));
                sum += t[b[j].offset].format;
                continue;
            }
            assert_true(b[j].store < GL_STORE_UNIFORMS && b[j].offset + b[j].bytes <= p->store_bytes[b[j].store]);
            if (b[j].through == GL_THROUGH_IMAGE || b[j].through == GL_THROUGH_TEXEL || b[j].through == GL_THROUGH_COPY)
                sum += v[b[j].view].format;
        }
    }
    return sum;
}

/* Whatever bit is wrong, the plan is refused or still leads nowhere outside: the sanitizers look on. */
static void flipped_bits_lead_nowhere(void **state)
{
    struct gl_plan *p = test_plan_make(test_plan_begin());
    unsigned char *bytes = (unsigned char *)p;
    size_t n = p->bytes, refused = 0;
    uint64_t sum = 0;
    struct err err;

    (void)state;
    for (size_t bit = 0; bit < 8 * n; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (gl_plan_check(p, n, &err))
            refused++;
        else
            sum += walk(p);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    assert_true(refused > n && sum > 0);
    assert_int_equal(gl_plan_check(p, n, &err), ST_OK);
    for (size_t cut = 0; cut < n; cut++) {
        struct gl_plan *shorter = malloc(cut + 1);

        assert_non_null(shorter);
        memcpy(shorter, p, cut);
        assert_int_equal(gl_plan_check(shorter, cut, &err), ST_BAD_MODEL);
        free(shorter);
    }
    free(p);
}

static void every_number_is_checked(void **state)
{
    struct gl_plan *p = test_plan_make(test_plan_begin());
    struct gl_plan_dispatch *d = test_plan_element(p, GL_PLAN_DISPATCHES, 1);
    struct gl_plan_binding *b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    struct gl_plan_view *v = test_plan_element(p, GL_PLAN_VIEWS, 0);
    struct gl_plan_texture *t = test_plan_element(p, GL_PLAN_TEXTURES, 0);
    struct gl_plan_transfer *up = test_plan_element(p, GL_PLAN_UPLOADS, 0), *down = test_plan_element(p, GL_PLAN_DOWNLOADS, 0);
    const struct test_damage narrow[] = {
        {&p->magic, 1},
        {&p->version, GL_PLAN_VERSION + 1},
        {&p->n_inputs, 1},
        {&p->n_outputs, 0},
        {&p->n_nodes, 2},
        {&p->barriers, 2},
        {&p->parts[GL_PLAN_STRINGS].n, p->parts[GL_PLAN_STRINGS].n - 1},
        {&p->parts[GL_PLAN_UNIFORMS].n, 71},
        {&d->n_uniforms, 3},
        {&d->program, 1},
        {&d->groups[2], 0},
        {&d->barrier, 2},
        {&d->first_binding, 5},
        {&d->n_bindings, UINT32_MAX},
        {&d->first_node, 1},
        {&d->n_nodes, UINT32_MAX},
        {&d->kind, p->parts[GL_PLAN_STRINGS].n},
        {&d->label, UINT32_MAX},
        {&d->why_copy, UINT32_MAX},
        {&b->store, GL_STORE_UNIFORMS},
        {&b->view, 2},
        {&b->through, GL_THROUGH_BLOCK}, /* it has a view */
        {&b->through, GL_THROUGHS},
        {&b[3].view, 0}, /* a block has none */
        {&b[4].store, GL_STORE_VALUES},
        {&b[4].view, 0},
        {&b[4].through, GL_THROUGH_BLOCK},
        {&b[4].through, GL_THROUGH_IMAGE},
        {&b[5].view, 2},
        {&b[5].through, GL_THROUGH_UNIFORM},
        {&b[5].through, GL_THROUGH_COPY}, /* of another view */
        {&b[6].view, 0},
        {&b[6].store, GL_STORE_VALUES},
        {&b[6].through, GL_THROUGH_TEXEL},
        {&t->width, 5},
        {&t->height, 0},
        {&t->layers, 1},
        {&t->format, GL_RGBA16F},
        {&t->format, GL_RGBA8},
        {&v->store, GL_STORES},
        {&v->format, GL_RGBA8},
        {&up->tensor, 2},
        {&down->tensor, 1},
        {&up->store, GL_STORE_VALUES},
        {&down->store, GL_STORE_STATE}, /* of which there is none */
        {test_plan_element(p, GL_PLAN_NODES, 1), 3},
        {test_plan_element(p, GL_PLAN_PROGRAMS, 0), 'x'},
    };

    (void)state;
    test_plan_finds(p, narrow, sizeof narrow / sizeof *narrow, sizeof(uint32_t));
    free(p);
}

/* A copy is a view of its own, in the format of textures, and of constants alone; who reads it must know it as one. */
static void copies_are_views_of_their_own(void **state)
{
    struct test_plan *f = test_plan_begin();
    struct gl_plan_binding *b;
    struct gl_plan_view *v;
    struct gl_plan *p;
    struct err err;

    (void)state;
    test_plan_copy(f);
    f->d[1].shader.bind[5].format = GL_FORMAT_HALF;
    p = test_plan_make(f);
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    v = test_plan_element(p, GL_PLAN_VIEWS, 0);
    assert_int_equal(gl_plan_n(p, GL_PLAN_VIEWS), 3);
    assert_true(!v[b[1].view].copy && v[b[5].view].copy && v[b[5].view].format == GL_RGBA16UI);
    assert_int_equal(gl_plan_copy_rows(&v[b[5].view]), 1);
    assert_int_equal(gl_plan_copy_bytes(p), 8192);
    {
        const struct test_damage narrow[] = {
            {&v[b[5].view].copy, 0},
            {&v[b[5].view].copy, 2},
            {&v[b[5].view].store, GL_STORE_VALUES},
            {&v[b[0].view].copy, 1},
            {&b[5].view, b[1].view},
            {&b[5].through, GL_THROUGH_IMAGE},
            {&v[b[5].view].format, GL_RGBA16F},
        };

        test_plan_finds(p, narrow, sizeof narrow / sizeof *narrow, sizeof(uint32_t));
    }
    free(p);
}

/* What is copied twice would take memory for nothing, again and again. */
static void copies_share_no_bytes(void **state)
{
    struct test_plan *f = test_plan_begin();
    const struct gl_plan_binding *b;
    struct gl_plan_view *v;
    struct gl_plan *p;

    (void)state;
    test_plan_copy(f);
    f->d[1].shader.bind[6].through = GL_THROUGH_COPY;
    f->d[1].ranges[5].bytes = 256;
    p = test_plan_make(f);
    b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    v = test_plan_element(p, GL_PLAN_VIEWS, b[5].view);
    test_plan_finds(p, &(struct test_damage){&v->bytes, 272}, 1, sizeof(uint64_t));
    free(p);
}

/* One behind the other, a quarter of the bytes each. */
static void a_copy_to_four_textures_has_four_views(void **state)
{
    struct test_plan *f = test_plan_begin();
    const struct gl_plan_binding *four;
    struct gl_plan_binding *b;
    struct gl_plan_view *v;
    struct gl_plan *p;

    (void)state;
    test_plan_copy_four(f);
    p = test_plan_make(f);
    b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    four = &b[5];
    v = test_plan_element(p, GL_PLAN_VIEWS, four->view);
    assert_int_equal(four->through, GL_THROUGH_FOUR);
    for (uint64_t i = 0; i < 4; i++)
        assert_true(v[i].copy == 1 && v[i].bytes == four->bytes / 4 && v[i].offset == four->offset + i * (four->bytes / 4));
    {
        const struct test_damage narrow[] = {
            {&v[3].copy, 0},
            {&b[5].view, four->view + 1},
            {&b[5].view, GL_PLAN_NO_VIEW},
        };

        test_plan_finds(p, narrow, sizeof narrow / sizeof *narrow, sizeof(uint32_t));
    }
    free(p);
}

static void every_offset_is_checked(void **state)
{
    struct gl_plan *p = test_plan_make(test_plan_begin());
    struct gl_plan_dispatch *d = test_plan_element(p, GL_PLAN_DISPATCHES, 1);
    struct gl_plan_binding *b = test_plan_element(p, GL_PLAN_BINDINGS, 2);
    struct gl_plan_view *v = test_plan_element(p, GL_PLAN_VIEWS, 0);
    struct gl_plan_transfer *up = test_plan_element(p, GL_PLAN_UPLOADS, 0), *down = test_plan_element(p, GL_PLAN_DOWNLOADS, 0);
    const struct test_damage wide[] = {
        {&p->bytes, p->bytes + 8},
        {&p->staging_read, 829},
        {&p->staging_read, 299},
        {&p->staging_read, 513},
        {&p->store_bytes[GL_STORE_UNIFORMS], 292},
        {&p->parts[GL_PLAN_VIEWS].at, p->bytes},
        {&p->parts[GL_PLAN_VIEWS].at, p->parts[GL_PLAN_VIEWS].at + 4},
        {&p->parts[GL_PLAN_VIEWS].at, 8},
        {&p->parts[GL_PLAN_VIEWS].at, UINT64_MAX - 7},
        {&d->numbers, 272},
        {&d->numbers, UINT64_MAX - 15},
        {&b->offset, 385},
        {&b->offset, UINT64_MAX - 300},
        {&b->bytes, 0},
        {&b[4].offset, 2},
        {&b[4].bytes, 0},
        {&b[5].offset, 385},
        {&b[6].bytes, 257},
        {&p->texture_bytes, 423},
        {&p->weights[0], 513},
        {&p->weights[GL_STORED - 1], 513},
        {&p->weights[1], UINT64_MAX},
        {&v->bytes, 641},
        {&up->offset, 213},
        {&down->offset, 511},
        {&down->bytes, 317},
    };

    (void)state;
    test_plan_finds(p, wide, sizeof wide / sizeof *wide, sizeof(uint64_t));
    free(p);
}

/* Sizes whose product is a small number of bytes once it has overflown. */
static void textures_do_not_overflow(void **state)
{
    struct gl_plan *p = test_plan_make(test_plan_begin());
    struct gl_plan_texture *t = test_plan_element(p, GL_PLAN_TEXTURES, 0);
    struct err err;

    (void)state;
    t->width = t->height = t->layers = 1u << 20;
    p->texture_bytes = 40;
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_BAD_MODEL);
    t->width = 1u << 24;
    t->height = 1u << 20;
    t->layers = 1u << 16;
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_BAD_MODEL);
    free(p);
}

/* Of the fixture's three dispatches the transfers have the first and the last. */
static void every_transfer_has_its_dispatch(void **state)
{
    struct gl_plan *p = test_plan_make(test_plan_begin());
    struct err err = {""};

    (void)state;
    p->parts[GL_PLAN_DISPATCHES].n = 2;
    TEST_OK(gl_plan_check(p, p->bytes, &err), err);
    p->parts[GL_PLAN_DISPATCHES].n = 1;
    p->barriers = 0;
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "a plan is damaged: dispatch 1");
    p->parts[GL_PLAN_DISPATCHES].n = 0;
    assert_int_equal(gl_plan_check(p, p->bytes, &err), ST_BAD_MODEL);
    free(p);
}

static void suits_its_own_partition_only(void **state)
{
    struct test_plan *f = test_plan_begin();
    struct gl_plan *p = test_plan_make(f);
    struct err err = {""};

    (void)state;
    TEST_OK(gl_plan_suits(p, &f->graph, &f->part, &err), err);
    f->x.bytes--;
    assert_int_equal(gl_plan_suits(p, &f->graph, &f->part, &err), ST_BAD_MODEL);
    f->x.bytes++;
    f->y.bytes++;
    assert_int_equal(gl_plan_suits(p, &f->graph, &f->part, &err), ST_BAD_MODEL);
    f->y.bytes--;
    f->part.n_inputs++;
    assert_int_equal(gl_plan_suits(p, &f->graph, &f->part, &err), ST_BAD_MODEL);
    f->part.n_inputs--;
    f->graph.n_nodes--;
    assert_int_equal(gl_plan_suits(p, &f->graph, &f->part, &err), ST_BAD_MODEL);
    f->graph.n_nodes++;
    ((struct gl_plan_dispatch *)test_plan_element(p, GL_PLAN_DISPATCHES, 0))->border = f->graph.n_tensors + 1;
    assert_int_equal(gl_plan_suits(p, &f->graph, &f->part, &err), ST_BAD_MODEL);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_dispatches_were),
        cmocka_unit_test(flipped_bits_lead_nowhere),
        cmocka_unit_test(copies_are_views_of_their_own),
        cmocka_unit_test(copies_share_no_bytes),
        cmocka_unit_test(views_that_differ_stay_apart),
        cmocka_unit_test(every_number_is_checked),
        cmocka_unit_test(every_offset_is_checked),
        cmocka_unit_test(suits_its_own_partition_only),
        cmocka_unit_test(a_copy_to_four_textures_has_four_views),
        cmocka_unit_test(textures_do_not_overflow),
        cmocka_unit_test(every_transfer_has_its_dispatch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
