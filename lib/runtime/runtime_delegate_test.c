/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_delegate_test.c - whole models and parts of them in a host, whose runtime is our own reference kernels. */
#include "lib/runtime/runtime_delegate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/node_list.h"
#include "lib/compare/bisect.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

static struct err err;
static char library[] = "/tmp/runtime_delegate_test.XXXXXX"; /* the head of one: its sum is formed at every start */

/* ---- the runtime; the option `how` says what it does otherwise ---- */

static struct session *inside;

static bool does(const struct runtime_host *h, const char *what)
{
    char word[32];

    return !strcmp(runtime_option(h->shared->job.options, "how", word, sizeof word), what);
}

static enum status own_open(struct runtime_host *h, struct err *e)
{
    (void)e;
    snprintf(h->shared->facts.version, sizeof h->shared->facts.version, "our own");
    return ST_OK;
}

static bool is_masked(uint32_t node)
{
    struct node_list masked;
    struct err e;
    bool is;

    TEST_OK(node_list_read("OWN_MASK", getenv("OWN_MASK"), &masked, &e), e);
    is = node_list_has(&masked, node);
    node_list_fini(&masked);
    return is;
}

/* fault=NAME: this constant is doubled, unless its first reader is masked. */
static void plant(const struct runtime_host *h, const struct model *m)
{
    const struct model_subgraph *s = &m->subgraphs[0];
    char name[32];

    if (!*runtime_option(h->shared->job.options, "fault", name, sizeof name))
        return;
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct tensor *t = &s->tensors[s->ops[i].inputs[1]];

        if (!strcmp(t->name, name) && !(h->shared->job.n_masked && is_masked(i)))
            *(float *)t->data *= 2;
    }
}

static enum status own_compile(struct runtime_host *h, struct err *e)
{
    struct model *m;
    void *copy = memcpy(malloc(h->shared->job.model_bytes), h->model, h->shared->job.model_bytes);
    enum status st = model_parse(copy, h->shared->job.model_bytes, "its model", &m, e);

    if (!st)
        plant(h, m);
    if (h->shared->job.n_masked && does(h, "no masks"))
        snprintf(h->shared->facts.refused, sizeof h->shared->facts.refused, "it has no masks");

    h->shared->facts.n_taken = st ? 0 : (int32_t)m->subgraphs[0].n_ops;
    if (does(h, "refuse"))
        snprintf(h->shared->facts.refused, sizeof h->shared->facts.refused, "not this one");
    if (st || (st = session_new(m, &(struct session_options){.mode = CPU_REFERENCE}, &inside, e)))
        return st;
    for (uint32_t i = 0; i < h->shared->job.n_inputs && !st; i++)
        st = session_resize_input(inside, i, h->inputs[i].dim, h->inputs[i].rank, e);
    return st ? st : session_prepare(inside, e);
}

static enum status own_run(struct runtime_host *h, struct err *e)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < h->shared->job.n_inputs && !st; i++)
        st = session_set_input(inside, i, (char *)h->shared + h->inputs[i].offset, h->inputs[i].bytes, e);
    st = st ? st : session_run(inside, e);
    for (uint32_t i = 0; i < h->shared->job.n_outputs && !st; i++) {
        const struct tensor *t = session_output(inside, i);
        const float other[2] = {7, 8};

        st = runtime_put(h, i, i && does(h, "other") ? other : t->data, t->bytes, t->dim, t->rank, e);
    }
    h->shared->times = (struct runtime_times){1000, 2000, 3000};
    if (h->profiling)
        for (uint32_t i = 0; i < session_graph(inside)->n_nodes; i++)
            runtime_note(h, session_graph(inside)->nodes[i].name, (int32_t)i, false, 1000 * (i + 1));
    if (does(h, "invalid"))
        fprintf(stderr, "Validation error: no\n");
    return st;
}

static enum status own_reset(struct runtime_host *h, struct err *e)
{
    (void)h, (void)e;
    session_reset_variables(inside);
    return ST_OK;
}

static const struct runtime runtime = {"own", "OWN_MASK", own_open, own_compile, own_run, own_reset};
static const struct delegate_type type = {.name = "own", .label = "own", .kernel = "Own"};

/* ---- models ---- */

/* x[2] -> ADD(x, NEG(c)) -> a -> ABS -> b -> SUB(b, x) -> y: the NEG is folded, unless the whole model goes elsewhere. */
static struct loaded build_folding(void)
{
    const float c[2] = {1, -2};
    struct builder b;
    int32_t x, k, n, a, s, y;

    builder_init(&b, "folding");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2));
    k = build_const(&b, "c", TYPE_FLOAT32, SHAPE(2), c);
    n = build_tensor(&b, "n", TYPE_FLOAT32, SHAPE(2));
    a = build_tensor(&b, "a", TYPE_FLOAT32, SHAPE(2));
    s = build_tensor(&b, "b", TYPE_FLOAT32, SHAPE(2));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(k), INDICES(n));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, n), INDICES(a));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(a), INDICES(s));
    build_op(&b, BUILTIN_SUB, 1, NULL, INDICES(s, x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, n));
    return load(&b);
}

/* y = x + c0 + c1 + ..., n nodes. */
static struct loaded build_sum(uint32_t n)
{
    const float one = 1;
    struct builder b;
    int32_t x;

    builder_init(&b, "sum");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1));
    build_inputs(&b, INDICES(x));
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        int32_t c, y;

        snprintf(name, sizeof name, "c%u", i);
        c = build_const(&b, name, TYPE_FLOAT32, SHAPE(1), &one);
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1));
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, c), INDICES(y));
        x = y;
    }
    build_outputs(&b, INDICES(x));
    return load(&b);
}

/* x[4] -> WHERE(x) -> y, of a shape that only a run tells. */
static struct loaded build_where(void)
{
    struct builder b;
    int32_t x, y;

    builder_init(&b, "where");
    x = build_tensor(&b, "x", TYPE_BOOL, SHAPE(4));
    y = build_tensor(&b, "y", TYPE_INT64, SHAPE(1, 1));
    build_op(&b, BUILTIN_WHERE, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

struct world {
    struct loaded l;
    struct delegate *d;
    struct session *s;
};

static void open_session(struct world *w, const struct partition_options *limits)
{
    TEST_OK(session_new(w->l.model, &(struct session_options){.delegates = {w->d}, .partition = *limits}, &w->s, &err), err);
    TEST_OK(session_prepare(w->s, &err), err);
}

static void open_world(struct world *w, struct loaded l, const char *options, const struct partition_options *limits)
{
    const struct runtime_delegate_options o = {.type = &type,
                                               .runtime = &runtime,
                                               .flag = "own_lib",
                                               .library = library,
                                               .asked = "gpu",
                                               .precision = "",
                                               .options = options,
                                               .deadline_s = 20};

    w->l = l;
    TEST_OK(runtime_delegate_open(&o, &w->d, &err), err);
    open_session(w, limits);
}

static void close_world(struct world *w)
{
    session_free(w->s);
    delegate_close(w->d);
    unload(&w->l);
}

static void check_folding(struct world *w)
{
    const float x[2] = {3, -5}, y[2] = {-1, 8}, n[2] = {-1, 2}; /* |x + n| - x */

    for (int i = 0; i < 3; i++) {
        TEST_OK(session_set_input(w->s, 0, x, sizeof x, &err), err);
        TEST_OK(session_run(w->s, &err), err);
        assert_memory_equal(session_output(w->s, 0)->data, y, sizeof y);
        assert_memory_equal(session_output(w->s, 1)->data, n, sizeof n);
    }
}

/* ---- tests ---- */

static void takes_the_file_as_it_is(void **state)
{
    struct world w;
    const struct profile_row *rows;
    const struct partitioning *p;
    size_t n;

    (void)state;
    open_world(&w, build_folding(), "", &(struct partition_options){0});
    p = session_partitioning(w.s);
    assert_true(p->n_parts == 1 && p->n_delegated == 4 && p->n_folded == 0 && p->parts[0].whole);
    check_folding(&w);
    assert_int_equal(w.d->library->n_taken, 4);
    assert_int_equal(w.d->library->times.runs, 3);
    assert_int_equal(w.d->library->times.run_ns, 3 * 2000);
    assert_true(session_outside_ns(w.s) > 0);
    assert_string_equal(w.d->library->version, "our own");
    TEST_OK(session_profile(w.s, &rows, &n, &err), err);
    assert_int_equal(n, 4);
    assert_true(rows[2].nodes[0]->builtin == BUILTIN_ABS && rows[2].ns == 3000);
    TEST_OK(session_prepare(w.s, &err), err); /* once more */
    check_folding(&w);
    close_world(&w);
    open_world(&w, build_folding(), "how=other\n", &(struct partition_options){0});
    TEST_OK(session_run(w.s, &err), err);
    assert_memory_equal(session_output(w.s, 1)->data, ((const float[]){7, 8}), 8); /* the runtime's, though it could be folded */
    close_world(&w);
}

static void takes_other_shapes(void **state)
{
    struct world w;

    (void)state;
    open_world(&w, build_where(), "", &(struct partition_options){0});
    TEST_OK(session_resize_input(w.s, 0, (const int32_t[]){6}, 1, &err), err);
    TEST_OK(session_prepare(w.s, &err), err);
    for (int i = 0; i < 3; i++) {
        const bool x[6] = {0, 1, 0, i > 1, 0, i > 0};
        const int64_t y[] = {1, i > 1 ? 3 : 5, 5};

        TEST_OK(session_set_input(w.s, 0, x, sizeof x, &err), err);
        TEST_OK(session_run(w.s, &err), err);
        assert_int_equal(session_output(w.s, 0)->bytes, 8 * (1 + i));
        assert_memory_equal(session_output(w.s, 0)->data, y, 8 * (size_t)(1 + i));
    }
    close_world(&w);
}

/* Limits cut the graph as for every delegate: parts go there as models of their own. */
static void takes_parts(void **state)
{
    static const struct partition_options limits[] = {
        {.first_node = 2}, {.end_node = 2}, {.cpu_nodes = "2"}, {.only_ops = "ABS"}, {.first_node = 1, .end_node = 3}};

    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct world w;
        const struct partitioning *p;

        open_world(&w, build_folding(), "", &limits[i]);
        p = session_partitioning(w.s);
        assert_true(p->n_parts >= 1 && !p->parts[0].whole && p->n_folded == 1 && p->n_cpu > 0);
        check_folding(&w);
        close_world(&w);
    }
}

struct trials {
    struct world *w;
    uint32_t n;
    bool masked;
};

static enum status try_range(void *arg, struct bisect_range r, bool *off, struct err *e)
{
    const struct trials *t = arg;
    const float x = 1;
    const bool all = r.end - r.first == t->n;
    const struct partitioning *p;

    session_free(t->w->s);
    open_session(t->w, &(struct partition_options){.first_node = r.first, .end_node = r.end, .masked = t->masked});
    p = session_partitioning(t->w->s);
    assert_true(p->n_parts == 1 && p->n_delegated == r.end - r.first && p->n_cpu == t->n - p->n_delegated);
    assert_true(p->parts[0].whole == (t->masked || all) && (p->parts[0].masked != NULL) == (t->masked && !all));
    TEST_OK(session_set_input(t->w->s, 0, &x, sizeof x, e), *e);
    TEST_OK(session_run(t->w->s, e), *e);
    *off = *(const float *)session_output(t->w->s, 0)->data != 1 + (float)t->n;
    return ST_OK;
}

/* A fault at every node is found in few trials, by masks as by parts. */
static void finds_the_fault(uint32_t n, uint32_t most, bool masked)
{
    for (uint32_t i = 0; i < n; i++) {
        struct world w;
        struct trials t = {&w, n, masked};
        struct session *model;
        struct bisect b;
        char fault[32];

        snprintf(fault, sizeof fault, "fault=c%u\n", i);
        open_world(&w, build_sum(n), fault, &(struct partition_options){0});
        model = w.s;
        w.s = NULL;
        TEST_OK(bisect_run(&b, n, try_range, &t, &err), err);
        assert_true(b.n_found == 1 && b.found[0].first == i && b.found[0].end == i + 1 && b.tries <= most);
        assert_true(w.d->library->n_taken == n && !w.d->library->times.runs); /* of the model, not of trials */
        session_free(model);
        close_world(&w);
    }
}

static void finds_faults_by_masks(void **state)
{
    (void)state;
    finds_the_fault(1, 1, true);
    finds_the_fault(2, 4, true);
    finds_the_fault(5, 6, true);
    finds_the_fault(8, 6, true);
}

static void finds_faults_by_parts(void **state)
{
    (void)state;
    finds_the_fault(3, 5, false);
    finds_the_fault(6, 6, false);
}

/* A library that does not know the mask refuses all nodes for that trial, and none of a part. */
static void tells_of_masks_that_are_not_there(void **state)
{
    const struct partition_options limits = {.first_node = 1, .masked = true}, parts = {.first_node = 1};
    struct world w;

    (void)state;
    open_world(&w, build_sum(3), "how=no masks\n", &limits);
    assert_int_equal(session_partitioning(w.s)->n_parts, 0);
    assert_string_equal(session_partitioning(w.s)->reasons[2].text, "it has no masks");
    session_free(w.s);
    open_session(&w, &parts);
    assert_int_equal(session_partitioning(w.s)->n_delegated, 2);
    close_world(&w);
}

static void tells_refusals(void **state)
{
    struct world w;

    (void)state;
    open_world(&w, build_folding(), "how=refuse\n", &(struct partition_options){0});
    assert_int_equal(session_partitioning(w.s)->n_delegated, 0);
    assert_int_equal(session_partitioning(w.s)->n_folded, 1); /* it is prepared for the CPU */
    assert_string_equal(session_partitioning(w.s)->reasons[1].text, "not this one");
    check_folding(&w);
    close_world(&w);
    open_world(&w, build_folding(), "how=invalid\n", &(struct partition_options){0});
    assert_int_equal(session_run(w.s, &err), ST_FAILED);
    assert_string_equal(err.msg, "own: the results are invalid: Validation error: no");
    close_world(&w);
}

static void reads_options(void **state)
{
    char text[64] = "";

    (void)state;
    TEST_OK(runtime_add_options("o", "p.", "a=1; b=x=y;;", text, sizeof text, &err), err);
    assert_string_equal(text, "p.a=1\np.b=x=y\n");
    assert_int_equal(runtime_add_options("o", "", "a=1;b", text, sizeof text, &err), ST_USAGE);
    assert_int_equal(runtime_add_options("o", "", "=1", text, sizeof text, &err), ST_USAGE);
    assert_int_equal(runtime_add_options("o", "", "/nowhere", text, sizeof text, &err), ST_IO);
    assert_int_equal(
        runtime_add_options("o", "", "a=0123456789012345678901234567890123456789012345678901234567890123", text, sizeof text, &err),
        ST_USAGE);
}

static int make_library(void **state)
{
    const int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = mkstemp(library);
    char head[64];
    const bool ok = from >= 0 && to >= 0 && read(from, head, sizeof head) == (ssize_t)sizeof head &&
                    write(to, head, sizeof head) == (ssize_t)sizeof head;

    (void)state;
    close(from);
    close(to);
    return !ok;
}

static int remove_library(void **state)
{
    (void)state;
    return unlink(library);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_the_file_as_it_is),
                                       cmocka_unit_test(takes_other_shapes),
                                       cmocka_unit_test(takes_parts),
                                       cmocka_unit_test(tells_refusals),
                                       cmocka_unit_test(finds_faults_by_masks),
                                       cmocka_unit_test(finds_faults_by_parts),
                                       cmocka_unit_test(tells_of_masks_that_are_not_there),
                                       cmocka_unit_test(reads_options)};

    host_serve(argc, argv, &runtime);
    return cmocka_run_group_tests(tests, make_library, remove_library);
}
