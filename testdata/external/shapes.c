/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c - a delegate of TFLite's C ABI for scripts/test/external_test.py whose kernels say shapes: of WHERE while it runs, of
 * CAST (int64 to float32) when it is prepared, and of RESHAPE of texts by another tensor in the place of the old one, as TFLite's
 * helper for texts does.
 *
 * Options: flags:N (1, dynamic tensors), take:NAME (one of the three alone), together:1 (all nodes in one call), count:1 (tells in
 * the end how often kernels were prepared and run), wrong:dims|rank|negative|bytes|data|input|early (WHERE; what no kernel should
 * do), wrong:bool (GREATER, which gives what is no boolean), wrong:string (RESHAPE, whose second text begins behind the end). */
#include "abi.h"

enum { CAST = 53, GREATER = 61, RESHAPE = 22, WHERE = 109, FLOAT32 = 1, INT64 = 4, STRING = 5, BOOL = 6, DYNAMIC = 4, MAX = 64 };

#define DIMS(t)           AT(struct ints *, t, 16)
#define DATA(t)           AT(void *, t, 8)
#define KIND_OF_MEMORY(t) AT(int, t, 32)
#define BYTES(t)          AT(size_t, t, 40)

static const char *take, *together, *count, *wrong;
static long prepares, invokes;
static struct {
    int builtin, in, out;
} nodes[MAX]; /* by number */

static int is_wrong(const char *how)
{
    return wrong && !strcmp(wrong, how);
}

static struct ints *list(int size, int a, int b)
{
    struct ints *l = malloc(sizeof *l + 2 * sizeof(int));

    l->size = size;
    l->data[0] = a;
    l->data[1] = b;
    return l;
}

/* As TFLite's SetTensorToDynamic. */
static void make_dynamic(char *t)
{
    if (KIND_OF_MEMORY(t) == DYNAMIC)
        return;
    DATA(t) = NULL;
    KIND_OF_MEMORY(t) = DYNAMIC;
}

static int prepare_node(char *c, int n)
{
    char *x = TENSOR(c, nodes[n].in), *y = TENSOR(c, nodes[n].out);

    if (nodes[n].builtin == GREATER)
        return 0;
    make_dynamic(y);
    if (is_wrong("early"))
        return AT(resize_fn, c, 32)(c, x, list(2, 1, 1));
    return nodes[n].builtin == CAST ? AT(resize_fn, c, 32)(c, y, copy_of(DIMS(x))) : 0;
}

static int where(char *c, char *x, char *y)
{
    const int rank = DIMS(x)->size, rows = DIMS(x)->data[0], columns = DIMS(x)->data[1];
    const char *v = DATA(x);
    int64_t *to;
    int n = 0;

    if (rank != 2)
        return 1;
    for (int i = 0; i < rows * columns; i++)
        n += v[i];
    if (AT(resize_fn, c, 32)(c, is_wrong("input") ? x : y, list(2, n, is_wrong("negative") ? -2 : 2)))
        return 1;
    to = DATA(y);
    for (int i = 0; i < rows * columns; i++)
        if (v[i]) {
            *to++ = i / columns;
            *to++ = i % columns;
        }
    if (is_wrong("dims")) {
        free(DIMS(y));
        DIMS(y) = NULL;
    }
    if (is_wrong("rank"))
        DIMS(y)->size = 99;
    if (is_wrong("bytes"))
        BYTES(y) += 8;
    if (is_wrong("data")) {
        free(DATA(y));
        DATA(y) = NULL;
    }
    return 0;
}

/* As TFLite's TfLiteTensorReset: all that the tensor had is given back. */
static int move_texts(const char *x, char *y)
{
    void *text = malloc(BYTES(x) + 1);
    struct ints *dims = list(1, DIMS(x)->data[0] * (DIMS(x)->size > 1 ? DIMS(x)->data[1] : 1), 0);

    memcpy(text, DATA(x), BYTES(x));
    if (KIND_OF_MEMORY(y) == DYNAMIC)
        free(DATA(y));
    free(DIMS(y));
    free(AT(void *, y, 104));
    AT(void *, y, 104) = NULL;
    DIMS(y) = dims;
    DATA(y) = text;
    BYTES(y) = BYTES(x);
    KIND_OF_MEMORY(y) = DYNAMIC;
    if (is_wrong("string"))
        ((int32_t *)text)[2] = 1 << 30;
    return 0;
}

static int run_node(char *c, int n)
{
    char *x = TENSOR(c, nodes[n].in), *y = TENSOR(c, nodes[n].out);

    if (nodes[n].builtin == WHERE)
        return where(c, x, y);
    if (nodes[n].builtin == RESHAPE)
        return move_texts(x, y);
    if (nodes[n].builtin == GREATER)
        return memset(DATA(y), 2, BYTES(y)) == NULL;
    if (BYTES(x) != 2 * BYTES(y))
        return 1;
    for (size_t i = 0; i < BYTES(x) / sizeof(int64_t); i++)
        ((float *)DATA(y))[i] = (float)((const int64_t *)DATA(x))[i];
    return 0;
}

static void *init(char *c, const char *data, size_t bytes)
{
    (void)c;
    return bytes ? NULL : (void *)data;
}

static int prepare_kernel(char *c, char *node)
{
    const struct ints *all = AT(struct ints *, AT(char *, node, 32), 8);
    int st = 0;

    prepares++;
    for (int i = 0; i < all->size && !st; i++)
        st = prepare_node(c, all->data[i]);
    return st;
}

static int invoke(char *c, char *node)
{
    const struct ints *all = AT(struct ints *, AT(char *, node, 32), 8);
    int st = 0;

    invokes++;
    for (int i = 0; i < all->size && !st; i++) {
        /* What goes from node to node within is the delegate's own to prepare. */
        if (i && nodes[all->data[i]].builtin == CAST)
            st = prepare_node(c, all->data[i]);
        if (!st)
            st = run_node(c, all->data[i]);
    }
    return st;
}

static int takes(char *c, const char *node, int builtin)
{
    static const struct {
        const char *name;
        int builtin, from, to;
    } known[] = {{"WHERE", WHERE, BOOL, INT64}, {"CAST", CAST, INT64, FLOAT32}, {"RESHAPE", RESHAPE, STRING, STRING}};
    const char *x = TENSOR(c, AT(struct ints *, node, 0)->data[0]), *y = TENSOR(c, AT(struct ints *, node, 8)->data[0]);

    if (is_wrong("bool"))
        return builtin == GREATER;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (builtin == known[i].builtin && AT(int, x, 0) == known[i].from && AT(int, y, 0) == known[i].to)
            return !take || !strcmp(take, known[i].name);
    return 0;
}

static int prepare(char *c, char *d)
{
    const struct kind kind = {.old = {init, NULL, prepare_kernel, invoke, NULL, 51, "Shaper", 1}};
    struct ints *plan, *some = calloc(1, sizeof *some + MAX * sizeof(int));
    struct kind *k;
    char *node;
    int st;

    if ((st = AT(plan_fn, c, 8)(c, &plan)))
        return st;
    plan = copy_of(plan);
    for (int i = 0; i < plan->size && !st; i++) {
        const int n = plan->data[i];

        if (n >= MAX || (st = AT(node_fn, c, 56)(c, n, &node, &k)) || !takes(c, node, k->old.builtin))
            continue;
        nodes[n].builtin = k->old.builtin;
        nodes[n].in = AT(struct ints *, node, 0)->data[0];
        nodes[n].out = AT(struct ints *, node, 8)->data[0];
        some->data[some->size++] = n;
        if (!together) {
            st = AT(replace_fn, c, 64)(c, kind, some, d);
            some->size = 0;
        }
    }
    if (some->size && !st)
        st = AT(replace_fn, c, 64)(c, kind, some, d);
    free(plan);
    free(some);
    return st;
}

EXPORT char *tflite_plugin_create_delegate(const char *const *keys, const char *const *values, size_t n,
                                           void (*report)(const char *))
{
    char *d = calloc(1, 56);
    const struct {
        const char *name, **to;
    } known[] = {{"take", &take}, {"together", &together}, {"count", &count}, {"wrong", &wrong}};

    (void)report;
    AT(int64_t, d, 40) = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (!strcmp(known[k].name, keys[i]))
                *known[k].to = strdup(values[i]);
        if (!strcmp(keys[i], "flags"))
            AT(int64_t, d, 40) = atol(values[i]);
    }
    AT(void *, d, 8) = (void *)prepare;
    return d;
}

EXPORT void tflite_plugin_destroy_delegate(char *d)
{
    if (count)
        fprintf(stderr, "%ld prepared, %ld run\n", prepares, invokes);
    free(d);
}
