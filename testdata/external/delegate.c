/* SPDX-License-Identifier: Apache-2.0 */
/* delegate.c - a delegate of TFLite's C ABI for scripts/test/external_test.py: it adds, or does what nobody should.
 *
 * Options: at:PHASE do:segv|abort|hang|double_free|overflow|fail, form:64 (an older registration), how:buffer|own|added (where the
 * sum goes) or count (tells in the end how many kernels it made), plus:NUMBER, say:TEXT, outside:1 (asks for the plan while it
 * runs), resize:1 (gives its output another shape), sparse:1 (tells what constants are sparse). */
#include <unistd.h>

#include "abi.h"

typedef int (*old_replace_fn)(char *, struct old_kind, const struct ints *, char *);
typedef int (*add_fn)(char *, int, int *);
typedef void (*report_fn)(char *, const char *, ...);

static const char *at, *what, *form, *how, *outside, *resize, *sparse;
static float plus, device[4096];
static long freed_handles, inits;

static int deeper(volatile char *above) /* forever */
{
    volatile char here[4096];

    here[0] = above[0];
    return deeper(here) + here[0];
}

static int misbehave(const char *phase)
{
    volatile char top = 0;

    if (!at || !what || strcmp(at, phase) != 0)
        return 0;
    if (!strcmp(what, "segv"))
        *(volatile int *)8 = 1;
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "double_free")) {
        void *volatile p = malloc(24);
        free(p);
        free(p);
    }
    if (!strcmp(what, "overflow"))
        return deeper(&top);
    while (!strcmp(what, "hang"))
        sleep(1);
    return !strcmp(what, "fail");
}

static void *init(char *c, const char *data, size_t bytes)
{
    (void)c;
    inits++;
    return misbehave("init") ? (void *)-1 : bytes ? NULL : (void *)data;
}

static void end(char *c, void *user)
{
    (void)c, (void)user;
    misbehave("free");
}

static int prepare_kernel(char *c, char *node)
{
    char *y = TENSOR(c, AT(struct ints *, node, 8)->data[0]);
    struct ints *one = calloc(1, sizeof *one + sizeof(int));
    int first;

    if (misbehave("prepare"))
        return AT(report_fn, c, 40)(c, "no luck with %d nodes", AT(struct ints *, AT(char *, node, 32), 8)->size), 1;
    one->size = one->data[0] = 1;
    if (resize)
        return AT(resize_fn, c, 32)(c, y, one);
    if (how && !strcmp(how, "buffer"))
        AT(int, y, 72) = 7;
    if (how && !strcmp(how, "added")) { /* a temporary as large as the output */
        struct ints *like = malloc(sizeof *like + (size_t)AT(struct ints *, y, 16)->size * sizeof(int));

        memcpy(like, AT(struct ints *, y, 16), sizeof *like + (size_t)AT(struct ints *, y, 16)->size * sizeof(int));
        if (AT(add_fn, c, 48)(c, 1, &first))
            return 1;
        AT(int, TENSOR(c, first), 0) = 1;
        free(AT(void *, node, 24));
        AT(struct ints *, node, 24) = one;
        one->data[0] = first;
        return AT(resize_fn, c, 32)(c, TENSOR(c, first), like);
    }
    free(one);
    return 0;
}

static int invoke(char *c, char *node)
{
    static float own[1024];
    const struct ints *nodes = AT(struct ints *, AT(char *, node, 32), 8), *in = AT(struct ints *, node, 0);
    char *y = TENSOR(c, AT(struct ints *, node, 8)->data[0]);
    const size_t n = AT(size_t, y, 40) / sizeof(float);
    float *to = AT(float *, y, 8);
    struct ints *plan;

    if (misbehave("invoke") || nodes->size != 1 || in->size < 1 || n > 1024)
        return 1;
    if (outside)
        return AT(plan_fn, c, 8)(c, &plan) == 0 ? 0 : 1;
    if (how && !strcmp(how, "buffer")) {
        to = device;
        AT(char, y, 76) = 1;
    } else if (how && !strcmp(how, "own")) {
        AT(float *, y, 8) = to = own;
    } else if (how && !strcmp(how, "added")) {
        to = AT(float *, TENSOR(c, AT(struct ints *, node, 24)->data[0]), 8);
    }
    for (size_t i = 0; i < n; i++)
        to[i] = AT(float *, TENSOR(c, in->data[0]), 8)[i] + AT(float *, TENSOR(c, in->data[in->size > 1]), 8)[i] + plus;
    if (how && !strcmp(how, "added"))
        memcpy(AT(float *, y, 8), to, n * sizeof *to);
    return 0;
}

static int from_buffer(char *c, char *d, int handle, char *t)
{
    (void)c, (void)d;
    memcpy(AT(void *, t, 8), device, AT(size_t, t, 40));
    return handle == 7 ? 0 : 1;
}

static void free_buffer(char *c, char *d, int *handle)
{
    (void)c, (void)d;
    if (*handle == 7)
        freed_handles++;
    *handle = -1;
}

/* ADD of two float32 of one shape, without an activation, each a subset of its own. */
static int takes(char *c, const char *node, const struct kind *kind)
{
    const struct ints *in = AT(struct ints *, node, 0), *out = AT(struct ints *, node, 8);

    return kind->old.builtin == 0 && in->size == 2 && AT(int, TENSOR(c, out->data[0]), 0) == 1 &&
           AT(size_t, TENSOR(c, in->data[0]), 40) == AT(size_t, TENSOR(c, out->data[0]), 40) &&
           AT(size_t, TENSOR(c, in->data[1]), 40) == AT(size_t, TENSOR(c, out->data[0]), 40) && AT(int *, node, 40)[0] == 0;
}

/* Of each sparse tensor: levels, elements that are there, as its last CSR level has them, and bytes. */
static void tell_sparse(char *c)
{
    const report_fn report = AT(report_fn, c, 40);

    for (size_t i = 0; i < AT(size_t, c, 0); i++) {
        char *s = AT(char *, TENSOR(c, i), 96), *dims = s ? AT(char *, s, 16) : NULL;
        int there = 0, broken = 0;

        for (int k = 0; s && k < AT(int, s, 24); k++) {
            const struct ints *segments = AT(struct ints *, dims, 24L * k + 8), *indices = AT(struct ints *, dims, 24L * k + 16);

            if (AT(int, dims, 24L * k) == 1) {
                there = indices->size;
                broken |= segments->data[0] != 0 || segments->data[segments->size - 1] != there;
            }
        }
        if (s && sparse)
            report(c, "%ssparse: %d levels of %d, %d there, %zu bytes", broken ? "broken " : "", AT(int, s, 24),
                   AT(struct ints *, s, 0)->size, there, AT(size_t, TENSOR(c, i), 40));
    }
}

static int prepare(char *c, char *d)
{
    const struct kind kind = {.old = {init, end, prepare_kernel, invoke, NULL, 51, "Adder", 1}};
    struct ints *plan, *one = calloc(1, sizeof *one + sizeof(int));
    char *node;
    struct kind *k;
    int st = misbehave("delegate_prepare");

    tell_sparse(c);
    if (st)
        AT(report_fn, c, 40)(c, "%s", "this is no day for graphs");
    if (st || AT(plan_fn, c, 8)(c, &plan))
        return 2;
    plan = copy_of(plan);
    one->size = 1;
    for (int i = 0; i < plan->size && !st; i++) {
        one->data[0] = plan->data[i];
        if (!(st = AT(node_fn, c, 56)(c, plan->data[i], &node, &k)) && takes(c, node, k))
            st = form ? AT(old_replace_fn, c, 64)(c, kind.old, one, d) : AT(replace_fn, c, 64)(c, kind, one, d);
    }
    free(plan);
    free(one);
    return st;
}

EXPORT char *tflite_plugin_create_delegate(const char *const *keys, const char *const *values, size_t n,
                                           void (*report_error)(const char *))
{
    char *d = calloc(1, 56);
    const struct {
        const char *name, **to;
    } known[] = {{"at", &at},           {"do", &what},       {"form", &form},    {"how", &how},
                 {"outside", &outside}, {"resize", &resize}, {"sparse", &sparse}};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (!strcmp(known[k].name, keys[i]))
                *known[k].to = strdup(values[i]);
        if (!strcmp(keys[i], "plus"))
            plus = strtof(values[i], NULL);
        if (!strcmp(keys[i], "say") && report_error)
            report_error(values[i]);
    }
    if (misbehave("create")) {
        free(d);
        return NULL;
    }
    AT(void *, d, 8) = (void *)prepare;
    AT(void *, d, 16) = (void *)from_buffer;
    AT(void *, d, 32) = (void *)free_buffer;
    return d;
}

EXPORT void tflite_plugin_destroy_delegate(char *d)
{
    misbehave("destroy");
    if (how && !strcmp(how, "buffer"))
        fprintf(stderr, "%ld handles freed\n", freed_handles);
    if (how && !strcmp(how, "count"))
        fprintf(stderr, "%ld kernels made\n", inits);
    free(d);
}
