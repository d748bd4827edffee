/* SPDX-License-Identifier: Apache-2.0 */
/* memory_test.c - ranges of random dispatches: what is alive at once never overlaps, what is one thing lies in one place. */
#include "lib/gl/plan/draft.h"

#include "lib/gl/device/limits.h"
#include "lib/testing/test.h"

#define MAX_DISPATCHES 14
#define MAX_VALUES     14
#define N_CONSTANTS    3

struct fixture {
    struct gl_limits limits;
    struct gl_draft draft;
    struct gl_dispatch d[MAX_DISPATCHES];
    struct gl_transfer up[3], down[3];
    struct ir_value v[MAX_VALUES]; /* the first N_CONSTANTS are constants */
    uint32_t memory_of[MAX_VALUES];
};

static void bind(struct fixture *f, uint32_t at, enum gl_bind bind, const struct ir_value *v, uint64_t *seed)
{
    struct gl_shader *p = &f->d[at].shader;
    struct gl_binding *b = &p->bind[p->n_bind++];

    *b = (struct gl_binding){.bind = bind, .value = v, .format = v ? v->format : GL_FORMAT_FLOAT};
    if (!v) {
        b->n = 1 + test_random(seed) % 100;
        b->host_type = test_random(seed) % 2 ? TYPE_FLOAT32 : TYPE_BOOL;
    }
}

/* Uploads of the first values, operations over earlier ones, downloads of the last. */
static void random_dispatches(struct fixture *f, uint64_t *seed)
{
    static const float data[1];
    uint32_t n_up = 1 + (uint32_t)(test_random(seed) % 3), n_down = (uint32_t)(test_random(seed) % 4), made = N_CONSTANTS, at = 0;

    *f = (struct fixture){.draft = {.dispatches = f->d, .uploads = f->up, .downloads = f->down}};
    f->limits = gl_limits_least;
    f->limits.storage_align = 1u << test_random(seed) % 9;
    f->draft.n_values = MAX_VALUES;
    f->draft.memory_of = f->memory_of;
    f->draft.n_uploads = n_up;
    f->draft.n_downloads = n_down;
    for (uint32_t i = 0; i < MAX_VALUES; i++)
        f->memory_of[i] = i;
    for (uint32_t i = 0; i < MAX_VALUES; i++)
        f->v[i] = (struct ir_value){.id = i,
                                    .format = (enum gl_format)(test_random(seed) % GL_FORMATS),
                                    .data = i < N_CONSTANTS ? data : NULL,
                                    .storage = i >= N_CONSTANTS && test_random(seed) % 3 == 0 ? GL_STORAGE_TEXTURE
                                                                                              : GL_STORAGE_BUFFER,
                                    .shape = {1, 1 + (int32_t)(test_random(seed) % 9), 1 + (int32_t)(test_random(seed) % 9),
                                              1 + (int32_t)(test_random(seed) % 20)}};
    for (; at < n_up; at++) {
        bind(f, at, GL_BIND_HOST_READ, NULL, seed);
        bind(f, at, GL_BIND_OUTPUT, &f->v[made++], seed);
    }
    for (; made < MAX_VALUES - 1; at++) {
        for (uint64_t n = 1 + test_random(seed) % 3; n; n--)
            bind(f, at, GL_BIND_INPUT, &f->v[test_random(seed) % made], seed);
        if (test_random(seed) % 2)
            bind(f, at, test_random(seed) % 2 ? GL_BIND_WEIGHTS : GL_BIND_TABLE, NULL, seed);
        bind(f, at, GL_BIND_OUTPUT, &f->v[made++], seed);
    }
    for (uint32_t i = 0; i < n_down; i++, at++) {
        bind(f, at, GL_BIND_INPUT, &f->v[N_CONSTANTS + test_random(seed) % (made - N_CONSTANTS)], seed);
        bind(f, at, GL_BIND_HOST_WRITE, NULL, seed);
    }
    f->draft.n_dispatches = at;
}

struct place {
    const struct gl_binding *b;
    const struct gl_range *r;
    uint32_t first, last; /* dispatches during which the content matters */
};

/* The dispatches at which a value is bound, first and last; anything else matters always. */
static struct place place_of(const struct fixture *f, uint32_t i, uint32_t j)
{
    struct place p = {&f->d[i].shader.bind[j], &f->d[i].ranges[j], 0, f->draft.n_dispatches};
    bool seen = false;

    if (!p.b->value || p.b->value->data)
        return p;
    for (uint32_t k = 0; k < f->draft.n_dispatches; k++)
        for (uint32_t m = 0; m < f->d[k].shader.n_bind; m++)
            if (f->d[k].shader.bind[m].value == p.b->value) {
                p.first = seen ? p.first : k;
                p.last = k;
                seen = true;
            }
    return p;
}

static void check_pair(const struct place *a, const struct place *b)
{
    bool apart = a->r->offset + a->r->bytes <= b->r->offset || b->r->offset + b->r->bytes <= a->r->offset;

    if (a->b->value && a->b->value == b->b->value) {
        assert_int_equal(a->r->store, b->r->store);
        assert_int_equal(a->r->offset, b->r->offset);
    } else if (a->r->store == b->r->store && a->first <= b->last && b->first <= a->last) {
        assert_true(apart);
    }
}

static void check_texture(const struct fixture *f, const struct place *p)
{
    const struct ir_shape s = p->b->value->shape;
    const struct gl_plan_texture *t = &f->draft.textures[p->r->offset];

    assert_int_equal(p->r->store, GL_STORE_TEXTURES);
    assert_true(p->r->offset < f->draft.n_textures && p->r->bytes == 1);
    assert_int_equal(p->r->write, p->b->bind == GL_BIND_OUTPUT);
    assert_int_equal(t->format, gl_texture_format(p->b->format));
    assert_int_equal((uint64_t)t->width * t->height * t->layers, ir_vectors(s));
    assert_true(t->height == (uint32_t)s.h);
}

static void check_range(const struct fixture *f, const struct place *p)
{
    const uint64_t *size = f->draft.bytes;
    bool host = p->b->bind == GL_BIND_HOST_READ || p->b->bind == GL_BIND_HOST_WRITE;

    if (p->b->value && p->b->value->storage == GL_STORAGE_TEXTURE) {
        check_texture(f, p);
        return;
    }
    assert_int_equal(p->r->store, host                                ? GL_STORE_STAGING
                                  : p->b->value && !p->b->value->data ? GL_STORE_VALUES
                                                                      : GL_STORE_CONSTANTS);
    assert_int_equal(p->r->bytes, gl_binding_bytes(p->b));
    assert_int_equal(p->r->offset % f->limits.storage_align, 0);
    assert_int_equal(p->r->offset % 16, 0);
    assert_true(p->r->offset + p->r->bytes <= size[p->r->store]);
    assert_int_equal(p->r->write, p->b->bind == GL_BIND_OUTPUT || p->b->bind == GL_BIND_HOST_WRITE);
    if (p->b->bind == GL_BIND_HOST_READ)
        assert_true(p->r->offset + p->r->bytes <= f->draft.staging_read);
    if (p->b->bind == GL_BIND_HOST_WRITE)
        assert_true(p->r->offset >= f->draft.staging_read);
}

/* The largest sum of bytes that matter at one dispatch. */
static uint64_t most_alive(const struct fixture *f)
{
    uint64_t most = 0;

    for (uint32_t at = 0; at < f->draft.n_dispatches; at++) {
        uint64_t alive = 0;

        for (uint32_t v = N_CONSTANTS; v < MAX_VALUES; v++) {
            bool counted = false;

            for (uint32_t i = 0; i < f->draft.n_dispatches; i++)
                for (uint32_t j = 0; j < f->d[i].shader.n_bind && !counted; j++) {
                    struct place p = place_of(f, i, j);

                    if (p.b->value != &f->v[v] || at < p.first || at > p.last)
                        continue;
                    counted = true;
                    alive += gl_binding_bytes(p.b);
                }
        }
        most = most > alive ? most : alive;
    }
    return most;
}

static void ranges_never_meet(void **state)
{
    static struct fixture f;
    struct gl_draft *draft = &f.draft;
    uint64_t seed = 51;

    (void)state;
    for (int round = 0; round < 400; round++) {
        struct place all[MAX_DISPATCHES * 6];
        uint32_t n = 0;
        struct err err = {""};

        random_dispatches(&f, &seed);
        TEST_OK(gl_place(&draft, 1, &f.limits, false, &err), err);
        for (uint32_t i = 0; i < f.draft.n_dispatches; i++)
            for (uint32_t j = 0; j < f.d[i].shader.n_bind; j++)
                all[n++] = place_of(&f, i, j);
        for (uint32_t i = 0; i < n; i++) {
            check_range(&f, &all[i]);
            for (uint32_t j = 0; j < i; j++)
                check_pair(&all[i], &all[j]);
        }
        for (uint32_t i = 0; i < f.draft.n_uploads; i++)
            assert_int_equal(f.up[i].offset, f.d[i].ranges[0].offset);
        for (uint32_t i = 0; i < f.draft.n_downloads; i++)
            assert_int_equal(f.down[i].offset, f.d[f.draft.n_dispatches - f.draft.n_downloads + i].ranges[1].offset);
        assert_true(f.draft.lower_bound >= most_alive(&f));
        assert_true(f.draft.lower_bound <= f.draft.bytes[GL_STORE_VALUES] + f.draft.texture_bytes &&
                    f.draft.bytes[GL_STORE_VALUES] + f.draft.texture_bytes <= f.draft.unshared);
        arena_free(&f.draft.arena);
    }
}

/* A part of an image of two slices, 4 x 4 pixels: rows 1 and 2 of the second slice, without their last pixel. It is written before
 * another value that is as large as the whole, and the whole is read after that. */
static void a_view_lies_in_its_root(void **state)
{
    static struct fixture f;
    struct ir_value whole = {.id = 0, .shape = {1, 4, 4, 8}}, apart = {.id = 2, .shape = {1, 4, 4, 8}};
    struct ir_value part = {.id = 1, .shape = {1, 2, 3, 4}, .view = {&whole, {0, 1, 0, 4}, {1, 4, 4, 8}}};
    const struct ir_value *const writes[] = {&part, &apart, &whole};
    struct gl_draft *draft = &f.draft;
    struct err err = {""};

    (void)state;
    f = (struct fixture){.draft = {.dispatches = f.d, .n_dispatches = 3, .n_values = 3, .memory_of = (uint32_t[]){0, 1, 2}},
                         .limits = gl_limits_least};
    for (uint32_t i = 0; i < 3; i++) {
        f.d[i].shader.n_bind = 1;
        f.d[i].shader.bind[0] = (struct gl_binding){.bind = i == 2 ? GL_BIND_INPUT : GL_BIND_OUTPUT, .value = writes[i]};
    }
    TEST_OK(gl_place(&draft, 1, &f.limits, false, &err), err);
    assert_int_equal(f.d[0].ranges[0].offset, f.d[2].ranges[0].offset);
    assert_int_equal(f.d[0].ranges[0].bytes, 32 * 16);
    assert_int_equal(f.d[0].ranges[0].skip, (16 + 4) * 16);
    assert_int_equal(f.d[0].ranges[0].tail, (32 - (16 + 8 + 3)) * 16);
    assert_int_equal(f.d[2].ranges[0].skip, 0);
    assert_int_equal(f.d[2].ranges[0].tail, 0);
    assert_int_not_equal(f.d[1].ranges[0].offset, f.d[0].ranges[0].offset);
    assert_int_equal(f.draft.bytes[GL_STORE_VALUES] + f.draft.texture_bytes, 2 * 32 * 16);
    arena_free(&f.draft.arena);
}

/* Each constant counts once, without what aligns the next; of a table, what is packed counts as what it holds. */
static void constants_are_counted_by_how_they_are_stored(void **state)
{
    static const float data[8];
    static struct fixture f;
    struct ir_value half = {.id = 0, .shape = {1, 1, 1, 8}, .data = data, .format = GL_FORMAT_HALF};
    struct gl_draft *draft = &f.draft;
    const uint64_t *of = f.draft.weights;
    struct err err = {""};

    (void)state;
    f = (struct fixture){.draft = {.dispatches = f.d, .n_dispatches = 2, .n_values = 1, .memory_of = (uint32_t[]){0}},
                         .limits = gl_limits_least};
    for (uint32_t i = 0; i < 2; i++) {
        f.d[i].shader.n_bind = 1 + 3 * i;
        f.d[i].shader.bind[0] = (struct gl_binding){
            .bind = GL_BIND_INPUT, .value = &half, .shape = half.shape, .format = GL_FORMAT_HALF};
    }
    f.d[1].shader.bind[1] = (struct gl_binding){.bind = GL_BIND_WEIGHTS, .n = 3, .format = GL_FORMAT_INT8};
    f.d[1].shader.bind[2] = (struct gl_binding){.bind = GL_BIND_WEIGHTS, .n = 5, .format = GL_FORMAT_FLOAT};
    f.d[1].shader.bind[3] = (struct gl_binding){.bind = GL_BIND_TABLE, .n = 9, .n_packed = 2, .format = GL_FORMAT_INT};
    TEST_OK(gl_place(&draft, 1, &f.limits, false, &err), err);
    assert_int_equal(of[GL_STORED_FLOAT16], 2 * 8);
    assert_int_equal(of[GL_STORED_8_BITS], 3 * 4 + 2 * 16);
    assert_int_equal(of[GL_STORED_FLOAT32], 5 * 16);
    assert_int_equal(of[GL_STORED_INT32], 7 * 16);
    assert_true(f.draft.bytes[GL_STORE_CONSTANTS] > 2 * 8 + 3 * 4 + 5 * 16 + 9 * 16);
    arena_free(&f.draft.arena);
}

/* Aligned, apart where they differ, one where they are equal. */
static void equal_numbers_share_a_range(void **state)
{
    struct gl_dispatch d[5] = {0};
    struct gl_draft draft = {.dispatches = d, .n_dispatches = 5};
    int32_t a[8] = {1, 2, 3}, b[8] = {1, 2, 3}, c[8] = {1, 2, 3, [5] = 4};
    struct err err = {""};

    (void)state;
    d[0].shader = (struct gl_shader){.numbers = a, .n_uniforms = 2};
    d[1].shader = (struct gl_shader){.numbers = c, .n_uniforms = 2};
    d[2].shader = (struct gl_shader){.numbers = b, .n_uniforms = 2};
    d[3].shader = (struct gl_shader){.numbers = b, .n_uniforms = 1};
    TEST_OK(gl_place_uniforms(&draft, 256, &err), err);
    assert_int_equal(d[0].numbers, 0);
    assert_int_equal(d[1].numbers, 256);
    assert_int_equal(d[2].numbers, 0);
    assert_int_equal(d[3].numbers, 512);
    assert_int_equal(draft.bytes[GL_STORE_UNIFORMS], 512 + 16);
    arena_free(&draft.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_never_meet),
        cmocka_unit_test(a_view_lies_in_its_root),
        cmocka_unit_test(constants_are_counted_by_how_they_are_stored),
        cmocka_unit_test(equal_numbers_share_a_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
