/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.c - see test_plan.h */
#include "lib/gl/testing/test_plan.h"

#include <stdlib.h>

const struct gl_range test_plan_x = {.store = GL_STORE_VALUES, .offset = 64, .bytes = 320};

static void fill_dispatch(struct gl_dispatch *d, const char *kind, uint32_t n_bind)
{
    static const struct ir_value v;

    *d = (struct gl_dispatch){.kind = kind, .label = kind, .why_copy = "", .shader = {.n_bind = n_bind, .groups = {3, 2, 1}}};
    for (uint32_t i = 0; i < n_bind; i++)
        d->shader.bind[i].value = &v;
}

/* One through each way but stores, of x where values are read. */
static void fill_bindings(struct gl_dispatch *d)
{
    d->ranges[0] = d->ranges[2] = test_plan_x;
    d->ranges[1] = (struct gl_range){.store = GL_STORE_CONSTANTS, .bytes = 512};
    d->ranges[3] = (struct gl_range){.store = GL_STORE_VALUES, .offset = 384, .bytes = 320, .write = true};
    for (uint32_t i = 0; i < 3; i++) {
        d->shader.bind[i].through = GL_THROUGH_IMAGE;
        d->shader.bind[i].point = i;
    }
    d->shader.bind[3].point = 1;
    d->shader.bind[4].through = GL_THROUGH_TEXTURE;
    d->ranges[4] = (struct gl_range){.store = GL_STORE_TEXTURES, .offset = 1, .bytes = 1};
    d->shader.bind[5].through = GL_THROUGH_TEXEL;
    d->shader.bind[5].point = 1;
    d->ranges[5] = test_plan_x;
    d->shader.bind[6].through = GL_THROUGH_UNIFORM;
    d->shader.bind[6].point = 1;
    d->ranges[6] = (struct gl_range){.store = GL_STORE_CONSTANTS, .offset = 256, .bytes = 256};
}

struct test_plan *test_plan_begin(void)
{
    static struct test_plan f;

    f = (struct test_plan){.numbers = {7, -1, 2, 3, 4, 5, 6, 8}};
    f.x = f.y = (struct tensor){.bytes = 300};
    f.inputs[0] = &f.other;
    f.inputs[1] = &f.x;
    f.outputs[0] = &f.y;
    f.graph = (struct graph){.nodes = f.nodes, .n_nodes = 3};
    f.part = (struct partition){.inputs = f.inputs, .n_inputs = 2, .outputs = f.outputs, .n_outputs = 1};
    fill_dispatch(&f.d[0], "upload", 2);
    f.d[0].ranges[0] = (struct gl_range){.store = GL_STORE_STAGING, .bytes = 316};
    f.d[0].ranges[1] = test_plan_x;
    fill_dispatch(&f.d[1], "CONV_2D", 7);
    f.d[1].label = "conv 4x2 +RELU";
    f.d[1].why_copy = "elements are repeated";
    f.of_op[0] = &f.nodes[1];
    f.of_op[1] = &f.nodes[2];
    f.op = (struct ir_op){.nodes = f.of_op, .n_nodes = 2};
    f.d[1].shader.op = &f.op;
    f.d[1].shader.numbers = f.numbers;
    f.d[1].shader.n_uniforms = 2;
    f.d[1].numbers = 256;
    f.d[1].barrier = true;
    fill_bindings(&f.d[1]);
    f.textures[0] = (struct gl_plan_texture){4, 3, 2, GL_RGBA32F};
    f.textures[1] = (struct gl_plan_texture){5, 1, 1, GL_RGBA16UI};
    fill_dispatch(&f.d[2], "download", 2);
    f.d[2].ranges[0] = f.d[1].ranges[3];
    f.d[2].ranges[1] = (struct gl_range){.store = GL_STORE_STAGING, .offset = 512, .bytes = 316, .write = true};
    f.up = (struct gl_transfer){&f.x, 0};
    f.down = (struct gl_transfer){&f.y, 512};
    memcpy(f.program.hash, TEST_PLAN_HASH, sizeof f.program.hash);
    f.programs[0] = &f.program;
    f.draft = (struct gl_draft){
        .graph = &f.graph,
        .part = &f.part,
        .dispatches = f.d,
        .n_dispatches = 3,
        .uploads = &f.up,
        .n_uploads = 1,
        .downloads = &f.down,
        .n_downloads = 1,
        .bytes = {[GL_STORE_VALUES] = 704, [GL_STORE_CONSTANTS] = 512, [GL_STORE_STAGING] = 828, [GL_STORE_UNIFORMS] = 288},
        .staging_read = 512,
        .textures = f.textures,
        .n_textures = 2,
        .texture_bytes = 24 * 16 + 5 * 8,
        .programs = {.list = f.programs, .n = 1}};
    return &f;
}

void test_plan_copy(struct test_plan *f)
{
    f->d[1].shader.bind[5].through = GL_THROUGH_COPY;
    f->d[1].ranges[5] = f->d[1].ranges[1];
}

void test_plan_copy_four(struct test_plan *f)
{
    test_plan_copy(f);
    f->d[1].shader.bind[5].through = GL_THROUGH_FOUR;
}

struct gl_plan *test_plan_make(struct test_plan *f)
{
    struct gl_plan *plan, *copy;
    struct err err = {""};

    TEST_OK(gl_plan_make(&f->draft, &plan, &err), err);
    assert_non_null(copy = malloc(plan->bytes));
    memcpy(copy, plan, plan->bytes);
    memset(plan, 0xee, copy->bytes);
    free(plan);
    arena_free(&f->draft.arena);
    return copy;
}

void *test_plan_element(struct gl_plan *p, enum gl_plan_part part, uint32_t i)
{
    return (char *)p + p->parts[part].at + (size_t)i * gl_plan_element[part];
}

void test_plan_finds(struct gl_plan *p, const struct test_damage *damage, size_t n, size_t bytes)
{
    const uint64_t size = p->bytes;
    struct err err = {""};

    for (size_t i = 0; i < n; i++) {
        uint32_t narrow = (uint32_t)damage[i].value;
        uint64_t kept;

        memcpy(&kept, damage[i].field, bytes);
        memcpy(damage[i].field, bytes == sizeof narrow ? (void *)&narrow : (void *)&damage[i].value, bytes);
        if (gl_plan_check(p, size, &err) != ST_BAD_MODEL)
            fail_msg("damage %zu to a field of %zu bytes", i, bytes);
        memcpy(damage[i].field, &kept, bytes);
    }
    TEST_OK(gl_plan_check(p, size, &err), err);
}
