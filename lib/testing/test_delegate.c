/* SPDX-License-Identifier: Apache-2.0 */
/* test_delegate.c - the chain model and the delegate that runs CPU kernels. */
#include "lib/testing/test_delegate.h"

void build_chain(struct builder *b)
{
    int32_t x, a, m, c, y;

    builder_init(b, "chain");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(LEN));
    a = build_tensor(b, "a", TYPE_FLOAT32, SHAPE(LEN));
    m = build_tensor(b, "b", TYPE_FLOAT32, SHAPE(LEN));
    c = build_tensor(b, "c", TYPE_FLOAT32, SHAPE(LEN));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(LEN));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(a));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(a), INDICES(m));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(m), INDICES(c));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(c, a), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

struct loaded load_chain(void)
{
    struct builder b;

    build_chain(&b);
    return load(&b);
}

struct session *load_and_prepare(struct builder *b, const struct session_options *opt, struct loaded *l)
{
    struct session *s;
    struct err err = {""};

    *l = load(b);
    TEST_OK(session_new(l->model, opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

/* What it makes of a partition. */
struct fake_kernel {
    struct delegate_kernel head;
    struct fake *owner;
    const struct partition *part;
    void **memory; /* of what is made inside and used inside alone */
    uint32_t n_memory;
    struct delegate_timing *timings;
};

/* delegate_ops.claim: by name. */
static enum status fake_claim(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err)
{
    char name[64];

    (void)err;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        snprintf(name, sizeof name, " %s ", g->nodes[i].name);
        if (claims[i].owner || claims[i].barred)
            continue;
        if (strstr(((struct fake *)d)->takes, name))
            claims[i].owner = d;
        else
            reason_set(&claims[i].why, REASON_UNSUPPORTED_OPERATOR, "not in the list");
    }
    return ST_OK;
}

/* delegate_kernel_ops.free: takes the memory back from the tensors that still point to it. */
static void fake_free(struct delegate_kernel *head)
{
    struct fake_kernel *k = (struct fake_kernel *)head;

    for (uint32_t i = 0; i < k->n_memory; i++) {
        for (uint32_t j = 0; j < k->part->n_nodes; j++)
            if (k->part->nodes[j]->out[0]->data == k->memory[i])
                k->part->nodes[j]->out[0]->data = NULL;
        free(k->memory[i]);
    }
    k->owner->freed++;
    free(k->memory);
    free(k->timings);
    free(k);
}

/* delegate_kernel_ops.invoke: prepares and runs the CPU kernels on one thread, then errs as told. */
static enum status fake_invoke(struct delegate_kernel *head, struct err *err)
{
    struct fake_kernel *k = (struct fake_kernel *)head;
    struct threads *t;
    enum status st = threads_new(1, &t, err);

    if (k->owner->fail_invoke)
        st = err_set(err, ST_FAILED, "invoke fails as told");
    for (uint32_t i = 0; !st && i < k->part->n_nodes; i++) {
        struct node *n = k->part->nodes[i];
        struct cpu_call call = {.node = n, .threads = t};

        if (!(st = cpu_prepare(&call, err)))
            st = cpu_run(&call, err);
        free(call.packed);
        if (k->owner->off && !strcmp(n->name, k->owner->off))
            *(float *)n->out[0]->data += k->owner->by;
    }
    threads_free(t);
    return st;
}

static void fake_facts(const struct delegate_kernel *k, struct delegate_facts *to)
{
    (void)k;
    FACTS(to, {"work.programs", "programs", 1}, {"compile", "ns", 1000});
}

static bool is(const struct node *n, const char *name)
{
    return name && !strcmp(n->name, name);
}

static enum status fake_profile(struct delegate_kernel *head, const struct delegate_timing **rows, size_t *n,
                                struct delegate_overhead *overhead, struct err *err)
{
    struct fake_kernel *k = (struct fake_kernel *)head;
    enum status st = fake_invoke(head, err);

    free(k->timings);
    k->timings = calloc(2 * k->part->n_nodes, sizeof *k->timings);
    *n = 0;
    for (uint32_t i = 0; i < k->part->n_nodes; i++) {
        const struct delegate_timing t = {.kind = k->part->nodes[i]->name,
                                          .label = "piece",
                                          .why_copy = is(k->part->nodes[i], k->owner->copies) ? "it is asked to" : "",
                                          .nodes = (const struct node *const *)&k->part->nodes[i],
                                          .n_nodes = 1,
                                          .halves = k->owner->halves,
                                          .ns = 1000 * (i + 1),
                                          .timed = true};

        k->timings[(*n)++] = t;
        if (is(k->part->nodes[i], k->owner->splits))
            k->timings[(*n)++] = t;
    }
    *rows = k->timings;
    overhead->write_ns += 100;
    overhead->wait_ns += 200;
    overhead->read_ns += 300;
    return st;
}

static bool fake_program(const struct delegate_kernel *head, uint32_t i, struct delegate_program *out)
{
    (void)head;
    *out = (struct delegate_program){i ? "second" : "first", 10 + i, i == 1};
    return i < 2;
}

static const struct delegate_kernel_ops fake_kernel_ops = {
    .invoke = fake_invoke,
    .profile = fake_profile,
    .facts = fake_facts,
    .program = fake_program,
    .free = fake_free,
};

/* delegate_ops.init: refuses as a driver would. Fails the test where the partition is another delegate's. */
static enum status fake_init(struct delegate *d, const struct graph *g, const struct partition *p, struct reason *refused,
                             struct delegate_kernel **out, struct err *err)
{
    struct fake *f = (struct fake *)d;
    struct fake_kernel *k;

    (void)g;
    assert_ptr_equal(p->delegate, d);
    if (f->fail_init)
        return err_set(err, ST_FAILED, "init fails as told");
    k = calloc(1, sizeof *k);
    k->head.ops = &fake_kernel_ops;
    k->memory = calloc(p->n_nodes, sizeof *k->memory);
    k->owner = f;
    k->part = p;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (f->refuses && !strcmp(p->nodes[i]->name, f->refuses))
            reason_set(&refused[p->nodes[i]->index], REASON_DRIVER, "no driver takes it");
    f->inited++;
    *out = &k->head;
    return ST_OK;
}

/* delegate_ops.prepare: gives inner values memory. */
static enum status fake_prepare(struct delegate *d, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    struct fake *f = (struct fake *)d;

    (void)err;
    f->prepared++;
    for (uint32_t i = 0; i < n; i++) {
        struct fake_kernel *k = (struct fake_kernel *)kernels[i];

        for (uint32_t j = 0; j < k->part->n_nodes; j++) {
            struct node *node = k->part->nodes[j];

            if (!node->out[0]->data) /* an inner value: the session placed only what crosses the border */
                node->out[0]->data = k->memory[k->n_memory++] = calloc(1, node->out[0]->bytes + 1);
        }
    }
    return ST_OK;
}

const struct delegate_ops fake_ops = {.claim = fake_claim, .init = fake_init, .prepare = fake_prepare};

struct fake fake_delegate(const char *takes)
{
    static const struct delegate_type type = {.name = "fake", .label = "FAKE"};

    return (struct fake){.base = {.type = &type, .ops = &fake_ops, .device = "no device"}, .takes = takes};
}
