/* SPDX-License-Identifier: Apache-2.0 */
/* boundary_reshapes_test.c - heads that are reshaped and joined, or dealt out to blocks of pixels, to leave the graph, and inputs
 * that are reshaped, against the CPU. */
#include "lib/gl/testing/test_session.h"

#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/gl/run/executable_impl.h"
#include "lib/session/session_impl.h"

/* Parts of [batch, 3 + k, 5, 6], reshaped to [batch, (3 + k) * 10, 3] and joined, but for a single one. */
struct head_case {
    uint32_t parts;
    int32_t batch;
    enum tensor_type type;
    bool kept;   /* the first of the reshaped is an output, too, by way of NEG */
    bool shared; /* the first part is an output, too */
    bool dynamic_batch;
    enum activation act; /* of the join */
    uint32_t copies;     /* what is left to copy */
};

#define MOST 4

static int32_t reshaped(struct builder *b, int32_t x, enum tensor_type type, const int32_t dim[3])
{
    const int32_t y = build_tensor(b, "r", type, dim, 3);

    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, build_const(b, "to", TYPE_INT32, SHAPE(3), dim)), INDICES(y));
    return y;
}

/* t of x: by what no reshape changes places with, but for integers. */
static void make_part(struct builder *b, int32_t x, int32_t t, enum tensor_type type)
{
    static const struct opt_pool_2d largest = {PAD_SAME, 1, 1, 3, 3, ACT_NONE};

    build_op(b, type == TYPE_FLOAT32 ? BUILTIN_MAX_POOL_2D : BUILTIN_NEG, 1, type == TYPE_FLOAT32 ? &largest : NULL, INDICES(x),
             INDICES(t));
}

static void build_heads(struct builder *b, const struct head_case *c)
{
    int32_t x[MOST], r[MOST], rows = 0, y, neg, first = -1;

    builder_init(b, "heads");
    for (uint32_t k = 0; k < c->parts; k++) {
        const int32_t high = 3 + (int32_t)k, t = build_tensor(b, "t", c->type, SHAPE(c->batch, high, 5, 6));

        x[k] = build_tensor(b, "x", c->type, SHAPE(c->batch, high, 5, 6));
        make_part(b, x[k], t, c->type);
        first = k ? first : t;
        r[k] = reshaped(b, t, c->type, (int32_t[]){c->batch, high * 10, 3});
        rows += high * 10;
    }
    y = c->parts > 1 ? build_tensor(b, "y", c->type, SHAPE(c->batch, rows, 3)) : r[0];
    if (c->parts > 1)
        build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 1, .activation = c->act}, r, c->parts,
                 INDICES(y));
    build_inputs(b, x, c->parts);
    if (c->kept) {
        neg = build_tensor(b, "kept", c->type, SHAPE(c->batch, 30, 3));
        build_op(b, BUILTIN_NEG, 1, NULL, INDICES(r[0]), INDICES(neg));
        build_outputs(b, INDICES(y, neg));
    } else if (c->shared) {
        build_outputs(b, INDICES(y, first));
    } else {
        build_outputs(b, INDICES(y));
    }
}

/* A number for each element that a half holds, negative ones among them. */
static void fill(struct session *s)
{
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *t = session_input(s, i);

        for (size_t k = 0; k < t->bytes / 4; k++) {
            const int32_t n = ((int32_t)k + 600 * (int32_t)i) % 2048 * (k % 3 ? 1 : -1);

            if (t->type == TYPE_INT32)
                ((int32_t *)t->data)[k] = n;
            else
                ((float *)t->data)[k] = (float)n;
        }
    }
}

static uint32_t copies_of(struct session *s)
{
    const struct profile_row *rows;
    struct err err;
    uint32_t copies = 0;
    size_t n;

    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n; i++)
        copies += *rows[i].why_copy != '\0';
    return copies;
}

/* by_cpu: what moves the first output. */
static void check(struct builder *b, struct gpu_options o, uint32_t nodes, uint32_t copies, bool by_cpu)
{
    struct test_pair p = test_pair_start(b, o, nodes);
    const uint32_t n = copies_of(p.gpu);

    assert_int_equal(gl_is_laid_out(((const struct gpu_kernel *)p.gpu->plan.steps[0].kernel)->executable, true, 0), by_cpu);
    test_pair_run(&p, fill);
    test_pair_same(&p);
    if (!o.policy->textures && n != copies)
        fail_msg("%u dispatches only copy, %u expected", n, copies);
    test_pair_stop(&p);
}

static struct gl_policy policy_with(bool host_layout, bool textures)
{
    struct gl_context *c = test_open_context();
    struct gl_policy policy = c->limits.policy;

    policy.host_layout = host_layout;
    policy.textures = textures;
    gl_context_close(c);
    return policy;
}

/* Set before all tests, as the rest of a policy is the device's. */
enum { BY_DISPATCH, BY_CPU, OF_TEXTURES };
static struct gl_policy policies[3];

static int set_policies(void **state)
{
    (void)state;
    policies[BY_DISPATCH] = policy_with(false, false);
    policies[BY_CPU] = policy_with(true, false);
    policies[OF_TEXTURES] = policy_with(false, true);
    return 0;
}

static const struct gpu_options ways[] = {
    {.device = -1, .policy = &policies[BY_DISPATCH]},
    {.device = -1, .policy = &policies[BY_CPU]},
    {.device = -1, .policy = &policies[OF_TEXTURES]},
    {.device = -1, .policy = &policies[BY_CPU], .precision = GPU_PRECISION_FP16_STORAGE},
    {.device = -1, .policy = &policies[BY_CPU], .loop_times = 2}, /* dispatches do what the CPU could */
};

static void heads_leave_without_copies(void **state)
{
    static const struct head_case cases[] = {
        {1, 1, TYPE_FLOAT32, .copies = 0},
        {2, 1, TYPE_FLOAT32, .copies = 0},
        {3, 1, TYPE_FLOAT32, .copies = 0},
        {2, 1, TYPE_INT32, .copies = 0},
        {1, 2, TYPE_FLOAT32, .copies = 0},
        {4, 1, TYPE_FLOAT32, .copies = 4},                       /* more buffers than each device has */
        {2, 2, TYPE_FLOAT32, .copies = 2},                       /* joined, the batches of one are not side by side */
        {2, 1, TYPE_FLOAT32, .kept = true, .copies = 1},         /* whose reader reads it reshaped */
        {2, 1, TYPE_FLOAT32, .act = ACT_RELU, .copies = 2},      /* which the join computes */
        {2, 1, TYPE_FLOAT32, .dynamic_batch = true, .copies = 2} /* nor are those of another batch */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            const struct head_case *c = &cases[i];
            struct gpu_options o = ways[way];
            struct builder b;

            /* Softpipe may die of divisions by numbers that are known only while running (policy.c), as in reshapes of these. */
            if (c->dynamic_batch && o.precision && o.policy->even_stores)
                continue;
            build_heads(&b, c);
            o.dynamic_batch = c->dynamic_batch;
            check(&b, o, 2 * c->parts + (c->parts > 1) + c->kept, c->copies, way == 1 || way == 3);
        }
}

/* [batch, 3, 70, block * block * channels] to [batch, 3 * block, 70 * block, channels]. */
struct block_case {
    int32_t batch, block, channels;
    enum tensor_type type;
    bool of_input; /* and not of what is computed */
    bool reshaped; /* behind it */
    bool shared;   /* what is dealt out is an output, too */
    bool read;     /* the pixels are read, too */
    bool dynamic_batch;
    uint32_t copies;
};

static uint32_t build_blocks(struct builder *b, const struct block_case *c)
{
    const int32_t n = c->block, deep = n * n * c->channels;
    uint32_t nodes = 1;
    int32_t x, t, y, more = -1;

    builder_init(b, "blocks");
    x = t = build_tensor(b, "x", c->type, SHAPE(c->batch, 3, 70, deep));
    if (!c->of_input) {
        t = build_tensor(b, "t", c->type, SHAPE(c->batch, 3, 70, deep));
        make_part(b, x, t, c->type);
        nodes++;
    }
    y = build_tensor(b, "y", c->type, SHAPE(c->batch, 3 * n, 70 * n, c->channels));
    build_op(b, BUILTIN_DEPTH_TO_SPACE, 1, &(struct opt_depth_to_space){n}, INDICES(t), INDICES(y));
    if (c->read) {
        more = build_tensor(b, "more", c->type, SHAPE(c->batch, 3 * n, 70 * n, c->channels));
        make_part(b, y, more, c->type);
        nodes++;
    }
    if (c->reshaped) {
        y = reshaped(b, y, c->type, (int32_t[]){c->batch, 7, 30 * n * n * c->channels});
        nodes++;
    }
    build_inputs(b, INDICES(x));
    build_outputs(b, (int32_t[]){y, c->shared ? t : more}, 1 + (c->shared || c->read));
    return nodes;
}

static void pixels_leave_without_copies(void **state)
{
    static const struct block_case cases[] = {
        {1, 2, 1, TYPE_FLOAT32, .copies = 0},
        {2, 2, 2, TYPE_FLOAT32, .copies = 0},
        {1, 3, 3, TYPE_FLOAT32, .copies = 0},
        {2, 4, 5, TYPE_INT32, .copies = 0},
        {1, 2, 6, TYPE_FLOAT32, .copies = 0},
        {1, 2, 4, TYPE_FLOAT32, .copies = 0}, /* whoever makes them stores them there */
        {1, 2, 3, TYPE_FLOAT32, .of_input = true, .copies = 0},
        {1, 2, 3, TYPE_FLOAT32, .reshaped = true, .copies = 0},
        {1, 2, 3, TYPE_FLOAT32, .shared = true, .copies = 0},
        {1, 2, 3, TYPE_FLOAT32, .read = true, .copies = 1},
        {1, 2, 3, TYPE_FLOAT32, .dynamic_batch = true, .copies = 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            struct builder b;
            const uint32_t nodes = build_blocks(&b, &cases[i]);
            struct gpu_options o = ways[way];

            o.dynamic_batch = cases[i].dynamic_batch;
            check(&b, o, nodes, cases[i].copies, way == 1 || way == 3);
        }
}

/* y has the shape of what is dealt out, and not its order: no buffer takes that in its place. */
static void buffers_take_dealt_out_pixels(void **state)
{

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct delegate_buffer buffer = {.layout = DELEGATE_DENSE, .bytes = 2 * 4 * 4 * 4};
        float got[2 * 4 * 4], *want;
        struct test_pair p;
        struct builder b;
        struct err err;
        int32_t x, t, y, z;

        builder_init(&b, "back");
        x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 4, 4));
        t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, 2, 4, 4));
        make_part(&b, x, t, TYPE_FLOAT32);
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 4, 8, 1));
        build_op(&b, BUILTIN_DEPTH_TO_SPACE, 1, &(struct opt_depth_to_space){2}, INDICES(t), INDICES(y));
        z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, 2, 4, 4));
        build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(y, build_const(&b, "to", TYPE_INT32, SHAPE(4), (int32_t[]){1, 2, 4, 4})),
                 INDICES(z));
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(z));
        p = test_pair_start(&b, (struct gpu_options){.device = -1, .policy = &policies[i]}, 3);
        TEST_OK(p.d->ops->buffer_new(p.d, buffer.bytes, &buffer.id, &err), err);
        TEST_OK(session_bind_output(p.gpu, 0, &buffer, &err), err);
        test_pair_run(&p, fill);
        want = session_output(p.cpu, 0)->data;
        TEST_OK(p.d->ops->buffer_read(p.d, buffer.id, got, sizeof got, &err), err);
        assert_memory_equal(got, want, sizeof got);
        TEST_OK(session_bind_output(p.gpu, 0, NULL, &err), err);
        p.d->ops->buffer_free(p.d, buffer.id);
        test_pair_stop(&p);
    }
}

/* Blocks of two rows and three columns, of a transposed convolution by phases. */
static void phases_leave_without_copies(void **state)
{
    const struct opt_transpose_conv conv = {.padding = PAD_VALID, .stride_height = 2, .stride_width = 3};

    (void)state;
    for (int by_cpu = 0; by_cpu < 2; by_cpu++) {
        struct gl_policy policy = policies[by_cpu];
        struct gpu_options o = {.device = -1, .policy = &policy};
        float weights[2 * 2 * 3 * 4];
        int32_t x, w, y;
        struct builder b;

        policy.straight_code = true;
        for (int i = 0; i < 2 * 2 * 3 * 4; i++)
            weights[i] = (float)(i % 7 - 3);
        builder_init(&b, "phases");
        x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 30, 50, 4));
        w = build_const(&b, "w", TYPE_FLOAT32, SHAPE(2, 2, 3, 4), weights);
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 60, 150, 2));
        build_op(&b, BUILTIN_TRANSPOSE_CONV, 1, &conv,
                 INDICES(build_const(&b, "shape", TYPE_INT32, SHAPE(4), (int32_t[]){1, 60, 150, 2}), w, x), INDICES(y));
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y));
        check(&b, o, 1, 0, by_cpu);
    }
}

/* y is the largest of each column of an input's reshape, which the input's transfer makes unless it is read as it is, too. */
static void inputs_enter_reshaped(void **state)
{

    (void)state;
    for (uint32_t again = 0; again < 2; again++) {
        struct builder b;
        int32_t x, r, y, z;

        builder_init(&b, "input");
        x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 3, 10));
        r = reshaped(&b, x, TYPE_FLOAT32, (int32_t[]){1, 12, 5});
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 5));
        z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, 2, 3, 10));
        build_op(&b, BUILTIN_REDUCE_MAX, 1, NULL, INDICES(r, build_const(&b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){1})),
                 INDICES(y));
        if (again)
            build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(z));
        build_inputs(&b, INDICES(x));
        if (again)
            build_outputs(&b, INDICES(y, z));
        else
            build_outputs(&b, INDICES(y));
        check(&b, (struct gpu_options){.device = -1, .policy = &policies[BY_DISPATCH]}, 2 + again, again, false);
    }
}

/* What is kept under another shape is in no slices of the tensor's; its dense order is. */
static void buffers_take_them_dense(void **state)
{
    const struct head_case two = {2, 1, TYPE_FLOAT32, .copies = 0}, one = {1, 1, TYPE_FLOAT32, .copies = 0};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct delegate_buffer buffer = {.layout = DELEGATE_SLICES};
        float got[70 * 3], *want;
        struct test_pair p;
        struct builder b;
        struct err err;

        build_heads(&b, i % 2 ? &two : &one);
        p = test_pair_start(&b, (struct gpu_options){.device = -1, .policy = &policies[i / 2]}, i % 2 ? 5 : 2);
        buffer.bytes = 70 * 4 * 4;
        TEST_OK(p.d->ops->buffer_new(p.d, buffer.bytes, &buffer.id, &err), err);
        assert_int_equal(session_bind_output(p.gpu, 0, &buffer, &err), ST_UNSUPPORTED);
        buffer.layout = DELEGATE_DENSE;
        TEST_OK(session_bind_output(p.gpu, 0, &buffer, &err), err);
        test_pair_run(&p, fill);
        want = session_output(p.cpu, 0)->data;
        TEST_OK(p.d->ops->buffer_read(p.d, buffer.id, got, session_output(p.cpu, 0)->bytes, &err), err);
        assert_memory_equal(got, want, session_output(p.cpu, 0)->bytes);
        TEST_OK(session_bind_output(p.gpu, 0, NULL, &err), err);
        test_pair_run(&p, fill);
        test_pair_same(&p);
        p.d->ops->buffer_free(p.d, buffer.id);
        test_pair_stop(&p);
    }
}

/* Of an output that is joined of it and others: then the CPU has not all of these in its buffer of values. */
static void a_part_may_lie_in_a_buffer(void **state)
{
    const struct head_case c = {2, 1, TYPE_FLOAT32, .shared = true};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct delegate_buffer buffer = {.layout = DELEGATE_SLICES, .bytes = 2 * 3 * 5 * 16};
        struct test_pair p;
        struct builder b;
        struct err err;

        build_heads(&b, &c);
        p = test_pair_start(&b, (struct gpu_options){.device = -1, .policy = &policies[i]}, 5);
        assert_int_equal(copies_of(p.gpu), 0);
        TEST_OK(p.d->ops->buffer_new(p.d, buffer.bytes, &buffer.id, &err), err);
        TEST_OK(session_bind_output(p.gpu, 1, &buffer, &err), err);
        test_pair_run(&p, fill);
        assert_memory_equal(session_output(p.gpu, 0)->data, session_output(p.cpu, 0)->data, session_output(p.cpu, 0)->bytes);
        TEST_OK(session_bind_output(p.gpu, 1, NULL, &err), err);
        p.d->ops->buffer_free(p.d, buffer.id);
        test_pair_run(&p, fill);
        test_pair_same(&p);
        test_pair_stop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_leave_without_copies),    cmocka_unit_test(pixels_leave_without_copies),
        cmocka_unit_test(buffers_take_dealt_out_pixels), cmocka_unit_test(phases_leave_without_copies),
        cmocka_unit_test(inputs_enter_reshaped),         cmocka_unit_test(buffers_take_them_dense),
        cmocka_unit_test(a_part_may_lie_in_a_buffer),
    };

    return cmocka_run_group_tests(tests, set_policies, NULL);
}
