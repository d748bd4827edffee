/* SPDX-License-Identifier: Apache-2.0 */
/* test_session.c - models, sessions and the comparison of two. */
#include "lib/gl/testing/test_session.h"

#include <math.h>

#include "lib/delegate/delegate.h"

int32_t test_image(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(1, H, W, C));
}

int32_t test_weights(struct builder *b, const int32_t *dim, int32_t rank, uint64_t seed)
{
    size_t n = 1;
    float *data;
    int32_t t;

    for (int32_t i = 0; i < rank; i++)
        n *= (size_t)dim[i];
    assert_non_null(data = calloc(n, sizeof *data));
    for (size_t i = 0; i < n; i++)
        data[i] = (float)(test_random(&seed) % 2001) / 5000 - 0.2f;
    t = build_const(b, "weights", TYPE_FLOAT32, dim, rank, data);
    free(data);
    return t;
}

/* All of x. An ellipsis that stands for one axis though all four are named, as TFLite has it, leaves the last index over,
 * which the GPU's kernel does not know; here it names no element. */
void test_on_cpu(struct builder *b, int32_t x, int32_t y)
{
    static const int32_t begin[] = {0, 0, 0, 0, 1 << 20}, stride[] = {1, 1, 1, 1, 1};
    const struct opt_strided_slice opt = {.begin_mask = 7, .end_mask = 7, .ellipsis_mask = 8};
    const int32_t at = build_const(b, "begin", TYPE_INT32, SHAPE(5), begin);

    build_op(b, BUILTIN_STRIDED_SLICE, 1, &opt, INDICES(x, at, at, build_const(b, "stride", TYPE_INT32, SHAPE(5), stride)),
             INDICES(y));
}

struct loaded test_small_network(void)
{
    struct builder b;
    int32_t x, t, y;

    builder_init(&b, "small");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(3, 5));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(3, 5));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(3, 5));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){3})), INDICES(y));
    build_ends(&b, INDICES(x), INDICES(y));
    return load(&b);
}

struct session *test_start(const struct loaded *l, struct delegate *d)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err = {""};

    TEST_OK(session_new(l->model, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

void test_fill(struct session *s, double phase)
{
    for (uint32_t i = 0; i < session_n_inputs(s); i++)
        for (size_t k = 0; session_input(s, i)->type == TYPE_FLOAT32 && k < tensor_elems(session_input(s, i)); k++)
            ((float *)session_input(s, i)->data)[k] = (float)sin((double)k + phase + i);
}

void test_compare(struct session *gpu, struct session *cpu, double phase)
{
    struct err err = {""};

    test_fill(gpu, phase);
    test_fill(cpu, phase);
    TEST_OK(session_run(cpu, &err), err);
    TEST_OK(session_run(gpu, &err), err);
    for (uint32_t o = 0; o < session_n_outputs(cpu); o++) {
        const float *a = session_output(cpu, o)->data, *b = session_output(gpu, o)->data;

        for (size_t i = 0; i < tensor_elems(session_output(cpu, o)); i++)
            if (!(fabs((double)a[i] - (double)b[i]) <= 1e-5))
                fail_msg("output %u at %zu: CPU %g, GPU %g", o, i, (double)a[i], (double)b[i]);
    }
}

uint32_t test_dispatches(const struct loaded *l, struct gpu_options o, const char *label)
{
    struct delegate *d = test_open_gpu(o);
    struct session *cpu = test_start(l, NULL), *s = test_start(l, d);
    const struct profile_row *rows;
    struct err err;
    uint32_t found = 0;
    size_t n;

    test_compare(s, cpu, 1);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        found += rows[i].detail && !strncmp(rows[i].detail, label, strlen(label));
    session_free(s);
    delegate_close(d);
    session_free(cpu);
    return found;
}

struct test_pair test_pair_start(struct builder *b, struct gpu_options o, uint32_t n_delegated)
{
    struct test_pair p = {.d = test_open_gpu(o)};

    p.l = load(b);
    p.gpu = test_start(&p.l, p.d);
    p.cpu = test_start(&p.l, NULL);
    assert_int_equal(session_partitioning(p.gpu)->n_delegated, n_delegated);
    return p;
}

void test_pair_run(const struct test_pair *p, void (*fill)(struct session *s))
{
    struct err err;

    fill(p->gpu);
    fill(p->cpu);
    TEST_OK(session_run(p->gpu, &err), err);
    TEST_OK(session_run(p->cpu, &err), err);
}

void test_pair_same(const struct test_pair *p)
{
    for (uint32_t k = 0; k < session_n_outputs(p->cpu); k++)
        if (memcmp(session_output(p->gpu, k)->data, session_output(p->cpu, k)->data, session_output(p->cpu, k)->bytes) != 0)
            fail_msg("output %u differs", k);
}

void test_pair_stop(struct test_pair *p)
{
    session_free(p->gpu);
    session_free(p->cpu);
    unload(&p->l);
    delegate_close(p->d);
}

struct delegate *test_open_best(void)
{
    return test_open_gpu((struct gpu_options){.device = -1});
}
