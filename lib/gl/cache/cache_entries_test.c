/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entries_test.c - entries whose hashes are right and whose content nobody wrote: beyond the device, beyond all memory, not
 * of this graph. Each is told once and made anew, and the results are those of the CPU. */
#include "lib/gl/cache/cache_entries.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/gl/device/binaries.h"
#include "lib/gl/testing/test_session.h"
#include "lib/testing/test_files.h"

/* As sections are numbered in cache_entries.c. */
enum { PLAN = 1, CLAIMS = 5 };

struct fixture {
    char dir[64], path[320]; /* of the entry that is to be crafted */
    struct loaded l;
    struct session *cpu;
    int told;
    char text[512];
};

/* Convolutions before and behind a node that has no shader. */
static struct loaded network(void)
{
    struct builder b;
    int32_t x[4];

    builder_init(&b, "network");
    for (int i = 0; i < 4; i++)
        x[i] = test_image(&b, "x");
    for (int i = 0; i < 3; i += 2)
        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
                 INDICES(x[i], test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)), INDICES(x[i + 1]));
    test_on_cpu(&b, x[1], x[2]);
    build_inputs(&b, INDICES(x[0]));
    build_outputs(&b, INDICES(x[3]));
    return load(&b);
}

static int setup(void **state)
{
    struct fixture *f = *state = calloc(1, sizeof *f);

    if (!f)
        return -1;
    make_temp_dir(f->dir);
    f->l = network();
    f->cpu = test_start(&f->l, NULL);
    return 0;
}

/* Calls see() with each entry until it says true. */
static bool each_entry(struct fixture *f, bool (*see)(struct fixture *f))
{
    DIR *d = opendir(f->dir);
    struct dirent *e;
    bool found = false;

    assert_non_null(d);
    while (!found && (e = readdir(d)))
        if (*e->d_name != '.') {
            snprintf(f->path, sizeof f->path, "%s/%s", f->dir, e->d_name);
            found = see(f);
        }
    closedir(d);
    return found;
}

static bool remove_it(struct fixture *f)
{
    unlink(f->path);
    return false;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    each_entry(f, remove_it);
    rmdir(f->dir);
    session_free(f->cpu);
    unload(&f->l);
    free(f);
    return 0;
}

static void hear(void *arg, const char *text)
{
    struct fixture *f = arg;

    f->told++;
    snprintf(f->text, sizeof f->text, "%s", text);
}

/* A start and two runs held against the CPU's; the nodes that it lowered. */
static uint32_t run(struct fixture *f, enum gpu_objects objects)
{
    struct session_options so = {.mode = CPU_REFERENCE};
    struct delegate_facts m;
    struct err err = {""};
    struct delegate *d;
    struct session *s;

    d = test_open_gpu((struct gpu_options){.device = -1, .serialize_dir = f->dir, .serialize_token = "test", .objects = objects});
    if (!gl_binaries_can()) {
        delegate_close(d);
        skip();
    }
    d->warn = hear;
    d->warn_arg = f;
    f->told = 0;
    so.delegates[0] = d;
    TEST_OK(session_new(f->l.model, &so, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (int i = 0; i < 2; i++)
        test_compare(s, f->cpu, i);
    session_facts(s, NULL, &m);
    session_free(s);
    delegate_close(d);
    return fact_value(&m, "start.nodes_lowered");
}

/* ---- crafting ---- */

/* The section of that kind in an entry, which is then in data[*n]; NULL: it has none. */
static uint8_t *section(struct fixture *f, uint32_t kind, uint8_t *data, size_t room, size_t *n, size_t *bytes)
{
    const struct store_section *s;
    char key[SHA256_HEX_SIZE];
    struct store_entry e;

    *n = read_file(f->path, data, room);
    store_seal(data, *n, key);
    assert_int_equal(store_parse(data, *n, key, &e, NULL), ST_OK);
    if (!(s = store_find(&e, kind)))
        return NULL;
    *bytes = s->bytes;
    return data + ((const uint8_t *)s->data - data);
}

/* The head of a plan and the first of each of its parts. */
struct crafted {
    struct gl_plan *p;
    struct gl_plan_dispatch *d;
    struct gl_plan_binding *b;
    struct gl_plan_texture *t;
};

static void vast_values(struct crafted *c)
{
    c->p->store_bytes[GL_STORE_VALUES] = UINT64_C(1) << 40;
}

static void vast_staging(struct crafted *c)
{
    c->p->store_bytes[GL_STORE_STAGING] = UINT64_C(1) << 40;
}

/* Both bindings of the first dispatch, which uploads. */
static void vast_bindings(struct crafted *c)
{
    for (int i = 0; i < 2; i++) {
        if (c->b[i].store != GL_STORE_VALUES)
            continue;
        c->p->store_bytes[GL_STORE_VALUES] = UINT64_C(1) << 46;
        c->b[i].bytes = UINT64_C(1) << 45;
    }
}

static void far_point(struct crafted *c)
{
    c->b->point = 1000;
}

static void odd_offset(struct crafted *c)
{
    c->b->bytes--;
    c->b->offset++;
}

static void many_groups(struct crafted *c)
{
    c->d->groups[1] = UINT32_MAX;
}

static void odd_numbers(struct crafted *c)
{
    for (uint32_t i = 0; i < gl_plan_n(c->p, GL_PLAN_DISPATCHES); i++)
        if (c->d[i].n_uniforms) {
            c->d[i].n_uniforms = 1;
            c->d[i].numbers++;
        }
}

static void fewer_barriers(struct crafted *c)
{
    c->p->barriers--;
}

static void low_bound(struct crafted *c)
{
    c->p->lower_bound = UINT64_MAX;
}

static void set_texture(struct crafted *c, uint32_t width, uint32_t height, uint32_t layers)
{
    const uint64_t texel = gl_plan_texel_bytes(c->t->format);

    c->p->texture_bytes -= texel * c->t->width * c->t->height * c->t->layers;
    c->t->width = width;
    c->t->height = height;
    c->t->layers = layers;
    c->p->texture_bytes += texel * c->t->width * c->t->height * c->t->layers;
}

static void wide_texture(struct crafted *c)
{
    set_texture(c, GL_PLAN_MAX_EXTENT, 1, 1);
}

/* Within the limits of each dimension. */
static void vast_texture(struct crafted *c)
{
    set_texture(c, 2048, 2048, 256);
}

struct crafting {
    const char *why; /* in the warning */
    void (*craft)(struct crafted *c);
};

static void (*craft)(struct crafted *c);

/* Of an entry that has a plan. */
static bool craft_plan(struct fixture *f)
{
    static _Alignas(STORE_ALIGN) uint8_t data[1 << 18];
    size_t n, bytes;
    struct gl_plan *p = (struct gl_plan *)section(f, PLAN, data, sizeof data, &n, &bytes);
    char key[SHA256_HEX_SIZE];

    if (!p)
        return false;
    craft(&(struct crafted){p, (void *)((char *)p + p->parts[GL_PLAN_DISPATCHES].at),
                            (void *)((char *)p + p->parts[GL_PLAN_BINDINGS].at),
                            (void *)((char *)p + p->parts[GL_PLAN_TEXTURES].at)});
    store_seal(data, n, key);
    write_file(f->path, data, n);
    return true;
}

/* A start stores, another is misled, and the one after has whole entries again. */
static void is_made_anew(struct fixture *f, enum gpu_objects objects, bool (*how)(struct fixture *f), const char *why)
{
    assert_true(run(f, objects) > 0);
    assert_true(each_entry(f, how));
    assert_true(run(f, objects) > 0);
    if (f->told != 1 || !strstr(f->text, why))
        fail_msg("told %d times, at last \"%s\", not \"%s\"", f->told, f->text, why);
    assert_int_equal(run(f, objects), 0);
    assert_int_equal(f->told, 0);
    each_entry(f, remove_it);
}

static void plans_are_held_against_the_device(void **state)
{
    static const char other[] = "a stored partition is not this one", apart[] = "do not go together";
    static const struct crafting all[] = {{apart, vast_values},    {other, vast_staging}, {other, vast_bindings},
                                          {other, far_point},      {other, odd_offset},   {other, many_groups},
                                          {other, fewer_barriers}, {other, odd_numbers},  {apart, low_bound}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        craft = all[i].craft;
        is_made_anew(*state, GPU_OBJECTS_BUFFER, craft_plan, all[i].why);
    }
}

static void textures_are_held_against_the_device(void **state)
{
    craft = wide_texture;
    is_made_anew(*state, GPU_OBJECTS_TEXTURE, craft_plan, "a stored partition is not this one");
}

/* In every partition, else they would not go together. */
static bool craft_all(struct fixture *f)
{
    craft_plan(f);
    return false;
}

/* What GL itself refuses. */
static void what_gl_refuses_is_made_anew(void **state)
{
    struct fixture *f = *state;

    run(f, GPU_OBJECTS_TEXTURE);
    craft = vast_texture;
    each_entry(f, craft_all);
    assert_true(run(f, GPU_OBJECTS_TEXTURE) > 0);
    assert_int_equal(f->told, 1);
    assert_non_null(strstr(f->text, "what was stored cannot be set up: GL_OUT_OF_MEMORY"));
    assert_int_equal(run(f, GPU_OBJECTS_TEXTURE), 0);
    assert_int_equal(f->told, 0);
}

/* The node without a shader, the second of three, is not said to be refused, but the third. */
static bool craft_claims(struct fixture *f)
{
    static _Alignas(STORE_ALIGN) uint8_t data[1 << 18];
    size_t n, bytes;
    uint8_t *claims = section(f, CLAIMS, data, sizeof data, &n, &bytes);
    char key[SHA256_HEX_SIZE];
    uint32_t node;

    if (!claims)
        return false;
    memcpy(&node, claims, sizeof node);
    assert_int_equal(node, 1);
    node = 2;
    memcpy(claims, &node, sizeof node);
    store_seal(data, n, key);
    write_file(f->path, data, n);
    return true;
}

static void claims_are_held_against_kernels(void **state)
{
    is_made_anew(*state, GPU_OBJECTS_BUFFER, craft_claims, "stored claims are not of this graph");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(plans_are_held_against_the_device), TEST(textures_are_held_against_the_device),
                                       TEST(what_gl_refuses_is_made_anew), TEST(claims_are_held_against_kernels)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
