/* SPDX-License-Identifier: Apache-2.0 */
/* variables_test.c - resource variables on the GPU, in part and whole, against the CPU. */
#include "lib/gl/testing/test_gpu.h"

#include "lib/session/session_impl.h"
#include "lib/testing/test_model.h"

#define LEN 5

static int32_t vector(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(LEN));
}

static int32_t handle(struct builder *b, const char *name)
{
    int32_t h = build_tensor(b, name, TYPE_RESOURCE, SCALAR);

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"box", name}, NULL, 0, INDICES(h));
    return h;
}

static void assign(struct builder *b, int32_t h, int32_t value)
{
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, value), NULL, 0);
}

static int32_t read(struct builder *b, int32_t h)
{
    int32_t y = vector(b, "read");

    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    return y;
}

/* Nodes of `main`: what the test below leaves out on either side. */
#define NODES 14

/* Each run: a, b = b, a + x, where a is read again in between, and c = x, which nothing has set before. */
static struct loaded make_swap(void)
{
    struct builder b;
    int32_t x, a, c, h, old, other, sum, again, y;

    builder_init(&b, "swap");
    x = vector(&b, "x");
    y = vector(&b, "y");
    sum = vector(&b, "sum");
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    a = handle(&b, "a");
    h = handle(&b, "b");
    old = read(&b, a);
    other = read(&b, h);
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(old, x), INDICES(sum));
    assign(&b, a, other);
    again = read(&b, a);
    assign(&b, h, sum);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(again, x), INDICES(y));
    c = handle(&b, "c");
    assign(&b, c, x);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, read(&b, h), read(&b, c), old));
    build_subgraph(&b, "once");
    assign(&b, handle(&b, "a"), build_const(&b, "ten", TYPE_FLOAT32, SHAPE(LEN), (float[]){10, 20, 30, 40, 50}));
    assign(&b, handle(&b, "b"), build_const(&b, "one", TYPE_FLOAT32, SHAPE(LEN), (float[]){1, 2, 3, 4, 5}));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    return load(&b);
}

static struct session *start(const struct model *m, struct delegate *d, struct partition_options p)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}, .partition = p};
    struct session *s;
    struct err err;

    TEST_OK(session_new(m, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static void run_both(struct session *const s[2], float x)
{
    struct err err;

    for (int k = 0; k < 2; k++) {
        float *to = session_input(s[k], 0)->data;

        for (int i = 0; i < LEN; i++)
            to[i] = x + (float)i;
        TEST_OK(session_run(s[k], &err), err);
    }
    for (uint32_t i = 0; i < session_n_outputs(s[0]); i++)
        assert_memory_equal(session_output(s[0], i)->data, session_output(s[1], i)->data, LEN * sizeof(float));
}

/* Whatever nodes the GPU has of those that share variables with the CPU. */
static void any_share_of_the_nodes(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_swap();

    (void)state;
    for (uint32_t first = 1; first < NODES; first++)
        for (uint32_t end = first + 1; end <= NODES; end++) {
            struct session *s[2] = {start(l.model, NULL, (struct partition_options){0}),
                                    start(l.model, gpu, (struct partition_options){.first_node = first, .end_node = end})};
            struct err err;

            for (int run = 0; run < 5; run++) {
                if (run == 2)
                    for (int k = 0; k < 2; k++)
                        session_reset_variables(s[k]);
                if (run == 4)
                    for (int k = 0; k < 2; k++)
                        TEST_OK(session_prepare(s[k], &err), err);
                run_both(s, (float)(run + 1));
            }
            session_free(s[1]);
            session_free(s[0]);
        }
    unload(&l);
    delegate_close(gpu);
}

static void all_of_the_nodes(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_swap();
    struct session *s[2] = {start(l.model, NULL, (struct partition_options){0}),
                            start(l.model, gpu, (struct partition_options){0})};
    const struct profile_row *rows;
    struct err err;
    size_t n;

    (void)state;
    assert_int_equal(session_partitioning(s[1])->n_parts, 1);
    assert_int_equal(session_partitioning(s[1])->n_cpu, 0);
    assert_int_equal(session_partitioning(s[1])->n_folded, 4);
    for (int run = 0; run < 6; run++) {
        run_both(s, (float)(run % 4));
        for (int k = 0; k < 2 && run == 3; k++)
            TEST_OK(session_profile(s[k], &rows, &n, &err), err); /* a run as any other */
    }
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

/* x -> c -> y, or with `unset` c -> y alone. */
static struct loaded make_copy(bool unset)
{
    struct builder b;
    int32_t x, h, y;

    builder_init(&b, "copy");
    x = vector(&b, "x");
    h = handle(&b, "c");
    if (!unset)
        assign(&b, h, x);
    y = read(&b, h);
    if (unset)
        assign(&b, h, x);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* With an input of 7 elements where the file says LEN. */
static void fail_alike(bool unset, bool resized, const char *text)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_copy(unset);

    for (int k = 0; k < 2; k++) {
        struct session *s = start(l.model, k ? gpu : NULL, (struct partition_options){0});
        const int32_t dim = 7;
        struct err err;

        if (resized) {
            TEST_OK(session_resize_input(s, 0, &dim, 1, &err), err);
            TEST_OK(session_prepare(s, &err), err);
        }
        assert_true(!k || session_partitioning(s)->n_parts);
        for (int run = 0; run < 2; run++) {
            assert_int_equal(session_run(s, &err), ST_BAD_MODEL);
            assert_string_equal(err.msg, text);
        }
        session_free(s);
    }
    unload(&l);
    delegate_close(gpu);
}

static void failures_are_those_of_the_cpu(void **state)
{
    (void)state;
    fail_alike(true, false, "node 1 READ_VARIABLE(RESOURCE[]): variable \"box/c\" is read before anything is assigned to it");
    fail_alike(false, true,
               "node 2 READ_VARIABLE(RESOURCE[]): variable \"box/c\" is now FLOAT32[7]; the file says FLOAT32[5] wherever it is "
               "read or assigned");
}

static int32_t bytes(struct builder *b, const char *name)
{
    int32_t t = build_tensor(b, name, TYPE_INT8, SHAPE(LEN));

    build_quant(b, t, 0.125f, 3);
    return t;
}

/* a += x, and 1 to 5 before the first run. */
static struct loaded make_sum(void)
{
    struct builder b;
    int32_t x, a, old, sum, first;

    builder_init(&b, "sum");
    x = bytes(&b, "x");
    old = bytes(&b, "old");
    sum = bytes(&b, "sum");
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    a = handle(&b, "a");
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(a), INDICES(old));
    build_op(&b, BUILTIN_ADD, 2, NULL, INDICES(old, x), INDICES(sum));
    assign(&b, a, sum);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(sum));
    build_subgraph(&b, "once");
    a = handle(&b, "a");
    first = build_const(&b, "one", TYPE_INT8, SHAPE(LEN), (int8_t[]){1, 2, 3, 4, 5});
    build_quant(&b, first, 0.125f, 3);
    assign(&b, a, first);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    return load(&b);
}

/* Three runs with the nodes from `first` to before `end` on the GPU, and without it. */
static void share_integers(const struct loaded *l, struct delegate *gpu, uint32_t first, uint32_t end)
{
    struct session *cpu = start(l->model, NULL, (struct partition_options){0});
    struct session *s = start(l->model, gpu, (struct partition_options){.first_node = first, .end_node = end});
    struct err err;

    assert_int_equal(session_partitioning(s)->n_parts, 1);
    for (int run = 0; run < 3; run++) {
        memcpy(session_input(s, 0)->data, (int8_t[]){-7, 4, 10, 21, 3}, LEN);
        memcpy(session_input(cpu, 0)->data, session_input(s, 0)->data, LEN);
        TEST_OK(session_run(s, &err), err);
        TEST_OK(session_run(cpu, &err), err);
        assert_memory_equal(session_output(cpu, 0)->data, session_output(s, 0)->data, LEN);
    }
    session_free(s);
    session_free(cpu);
}

/* In either way to compute with them; READ_VARIABLE, ADD and ASSIGN_VARIABLE are nodes 2 to 4. */
static void integers_too(void **state)
{
    static const enum gpu_quant ways[] = {GPU_QUANT_SIMULATE, GPU_QUANT_EXACT};
    struct loaded l = make_sum();

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1, .quant = ways[i]});

        for (uint32_t first = 2; first < 5; first++)
            for (uint32_t end = first + 1; end <= 5; end++)
                share_integers(&l, gpu, first, end);
        delegate_close(gpu);
    }
    unload(&l);
}

/* What else has variable "a" in the model below. */
enum beside { NOBODY, BRANCH, DEEP_BRANCH, ANOTHER_SIGNATURE };

/* a += value; y = a * x. */
static void subgraph_with_a(struct builder *b, const char *name, float value)
{
    int32_t x, y, a, sum;

    build_subgraph(b, name);
    x = vector(b, "x");
    y = vector(b, "y");
    sum = vector(b, "sum");
    a = handle(b, "a");
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(read(b, a), build_const(b, "value", TYPE_FLOAT32, SHAPE(1), (float[]){value})),
             INDICES(sum));
    assign(b, a, sum);
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(sum, x), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* y = x, or one of two subgraphs of x. */
static void call(struct builder *b, int32_t chosen, int32_t x, int32_t y, int32_t first)
{
    build_op(b, BUILTIN_IF, 1, &(struct opt_if){.then_subgraph_index = first, .else_subgraph_index = first + 1}, INDICES(chosen, x),
             INDICES(y));
}

/* a += x, first from what CALL_ONCE set, and y = a; and then z = y, which somebody else may have made of it who sees "a". */
static struct loaded make_beside(enum beside who)
{
    struct builder b;
    int32_t x = 0, chosen, a, sum, z;

    builder_init(&b, "beside");
    x = vector(&b, "x");
    chosen = build_tensor(&b, "chosen", TYPE_BOOL, SCALAR);
    sum = vector(&b, "sum");
    z = vector(&b, "z");
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    a = handle(&b, "a");
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(read(&b, a), x), INDICES(sum));
    assign(&b, a, sum);
    if (who == BRANCH || who == DEEP_BRANCH)
        call(&b, chosen, sum, z, who == BRANCH ? 2 : 4);
    else
        build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(sum), INDICES(z));
    build_inputs(&b, INDICES(x, chosen));
    build_outputs(&b, INDICES(z, sum));
    build_subgraph(&b, "once");
    assign(&b, handle(&b, "a"), build_const(&b, "ten", TYPE_FLOAT32, SHAPE(LEN), (float[]){10, 20, 30, 40, 50}));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    if (who == NOBODY)
        return load(&b);
    subgraph_with_a(&b, "then", 2);
    subgraph_with_a(&b, "else", 3);
    for (int i = 0; who == DEEP_BRANCH && i < 2; i++) {
        build_subgraph(&b, i ? "deep else" : "deep then");
        x = vector(&b, "x");
        z = vector(&b, "z");
        call(&b, build_const(&b, "chosen", TYPE_BOOL, SCALAR, &(bool){i}), x, z, 2);
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(z));
    }
    return load(&b);
}

/* Of variable number 0, as the host has it. */
static float host_content(const struct session *s)
{
    return *(const float *)resources_at(s->runtime->resources, 0)->value.data;
}

/* As the last run left it. */
static float content(const struct session *s)
{
    struct err err;

    TEST_OK(resource_fetch(resources_at(s->runtime->resources, 0), &err), err);
    return host_content(s);
}

static void variables_stay_where_nobody_else_has_them(void **state)
{
    static const struct partition_options all = {0};
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});

    (void)state;
    for (int who = NOBODY; who <= ANOTHER_SIGNATURE; who++) {
        const bool stays = who == NOBODY || who == ANOTHER_SIGNATURE;
        struct loaded l = make_beside((enum beside)who);
        struct session *s[2] = {start(l.model, NULL, all), start(l.model, gpu, all)};

        for (int run = 0; run < 9; run++) {
            bool anew;

            *(bool *)session_input(s[0], 1)->data = *(bool *)session_input(s[1], 1)->data = run % 3 == 0;
            if (run == 3 || run == 4)
                for (int k = 0; k < 2; k++)
                    session_reset_variables(s[k]);
            gpu->traffic = (struct delegate_traffic){0};
            run_both(s, (float)(run + 1));
            anew = run == 0 || run == 3 || run == 4; /* what CALL_ONCE sets is brought there */
            assert_int_equal(gpu->traffic.written, 4 * LEN * (1 + !stays + anew));
            assert_int_equal(gpu->traffic.read, 2 * 4 * LEN);
            if (run % 2) /* else it is left there */
                assert_float_equal(content(s[1]), stays ? 10 : host_content(s[0]), 0);
        }
        session_free(s[1]);
        session_free(s[0]);
        unload(&l);
    }
    delegate_close(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_stay_where_nobody_else_has_them),
        cmocka_unit_test(any_share_of_the_nodes),
        cmocka_unit_test(all_of_the_nodes),
        cmocka_unit_test(integers_too),
        cmocka_unit_test(failures_are_those_of_the_cpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
