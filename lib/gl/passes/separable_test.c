/* SPDX-License-Identifier: Apache-2.0 */
/* separable_test.c - which depthwise convolutions are computed in one dispatch with the product behind them, and which are not. */
#include <math.h>
#include <string.h>

#include "bench/models/builder.h"
#include "lib/gl/compile/generate.h"
#include "lib/gl/passes/choose.h"
#include "lib/graph/graph_infer.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

static struct err err;

/* x -> DEPTHWISE_CONV_2D -> CONV_2D, behind which `z` may be added. */
struct pair {
    int32_t size, out; /* of the image, and channels */
    int32_t kernel;    /* of the second */
    enum activation between;
    float weight; /* of the second */
    bool is_output, adds;
    bool inlines, branches; /* numbers are in the text; the device wants no straight code */
    uint32_t lanes;         /* of a workgroup, 0: 128 */
    uint32_t blocks;
    const char *forced;
};

#define CHANNELS 6

static void build(struct builder *b, const struct pair *p)
{
    static float w[64 * 9 * CHANNELS];
    const int32_t n = p->size;
    const struct opt_depthwise_conv_2d depthwise = {.padding = PAD_SAME,
                                                    .stride_width = 1,
                                                    .stride_height = 1,
                                                    .depth_multiplier = 1,
                                                    .activation = p->between,
                                                    .dilation_width_factor = 1,
                                                    .dilation_height_factor = 1};
    const struct opt_conv_2d conv = {
        .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, n, n, CHANNELS));
    const int32_t z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(1, n, n, p->out));
    const int32_t t = build_tensor(b, "t", TYPE_FLOAT32, SHAPE(1, n, n, CHANNELS));
    const int32_t u = build_tensor(b, "u", TYPE_FLOAT32, SHAPE(1, n, n, p->out));
    const int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, n, n, p->out));

    w[0] = 0;
    build_op(b, BUILTIN_DEPTHWISE_CONV_2D, 1, &depthwise,
             INDICES(x, build_const(b, "w", TYPE_FLOAT32, SHAPE(1, 3, 3, CHANNELS), w), -1), INDICES(t));
    w[0] = p->weight;
    build_op(b, BUILTIN_CONV_2D, 1, &conv,
             INDICES(t, build_const(b, "v", TYPE_FLOAT32, SHAPE(p->out, p->kernel, p->kernel, CHANNELS), w), -1), INDICES(u));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(u, p->adds ? z : u), INDICES(y));
    build_inputs(b, INDICES(x, z));
    if (p->is_output)
        build_outputs(b, INDICES(y, t));
    else
        build_outputs(b, INDICES(y));
}

/* The dispatches of the whole graph and what computes the pair: works whose labels begin so, each once. */
static void judge(const struct pair *p, const char *const *labels)
{
    struct gl_limits lim = gl_limits_least;
    struct gl_forced asked = {0};
    const struct gl_recipe how = {.limits = &lim, .forced = &asked};
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    struct partition part = {.n_nodes = 3};
    struct node *nodes[3];
    struct builder b;
    struct loaded l;
    struct graph *g;
    const struct node *stuck;

    lim.policy.straight_code = !p->branches;
    lim.policy.inline_uniforms = p->inlines;
    if (p->lanes)
        lim.group_size[0] = lim.group_invocations = p->lanes;
    lim.storage_blocks = lim.output_resources = p->blocks ? p->blocks : 8;
    TEST_OK(gl_forced_read(p->forced, &asked, &err), err);
    builder_init(&b, "separable");
    build(&b, p);
    l = load(&b);
    TEST_OK(graph_new(l.model, 0, &g, &err), err);
    TEST_OK(graph_infer(g, &err), err);
    for (int i = 0; i < 3; i++)
        nodes[i] = &g->nodes[i];
    part.nodes = nodes;
    part.inputs = g->inputs;
    part.outputs = g->outputs;
    part.n_inputs = g->n_inputs;
    part.n_outputs = g->n_outputs;
    TEST_OK(gl_generate(&how, g, &part, &tried, &draft, &stuck, &err), err);
    for (uint32_t i = 0, k = 0; i < draft.n_dispatches; i++) {
        const struct gl_dispatch *w = &draft.dispatches[i];
        const struct ir_op *op = w->shader.op;

        if (!op)
            continue;
        if (!labels[k] || strncmp(w->label, labels[k], strlen(labels[k])) != 0)
            fail_msg("%s in the place of %s", w->label, labels[k] ? labels[k] : "none");
        k++;
        assert_int_equal(op->n_nodes, labels[1] ? k : 3); /* each its own, the sum with the convolution's */
        assert_ptr_equal(op->nodes[0], nodes[k - 1]);
    }
    arena_free(&draft.arena);
    arena_free(&tried.arena);
    graph_free(g);
    unload(&l);
}

static void is_joined(const struct pair *p)
{
    judge(p, (const char *const[]){p->inlines ? "separable 4x2 +ADD" : "separable 2x2 +ADD", NULL});
}

static void is_apart(const struct pair *p)
{
    judge(p, (const char *const[]){"depthwise ", "conv ", NULL});
}

static void pairs_are_joined_where_it_pays(void **state)
{
    (void)state;
    is_joined(&(struct pair){347, 32, 1});
    is_apart(&(struct pair){346, 32, 1});
    is_apart(&(struct pair){347, 32, 1, .branches = true});
    is_apart(&(struct pair){347, 32, 1, .lanes = 256}); /* the product is a straight line */
    is_joined(&(struct pair){16, 3, 1, .inlines = true});
    is_apart(&(struct pair){15, 3, 1, .inlines = true});
    is_apart(&(struct pair){16, 3, 1, .inlines = true, .branches = true});
    is_joined(&(struct pair){5, 3, 1, .branches = true, .forced = "separable:2x2"});
    is_apart(&(struct pair){347, 32, 1, .forced = "separable:apart"});
}

static void pairs_are_joined_where_they_can_be(void **state)
{
    static const char forced[] = "separable:2x2";

    (void)state;
    is_joined(&(struct pair){16, 32, 1, ACT_RELU6, .forced = forced});
    is_apart(&(struct pair){16, 33, 1, .forced = forced});
    is_apart(&(struct pair){16, 3, 3, .forced = forced});
    is_apart(&(struct pair){16, 3, 1, ACT_TANH, .forced = forced});
    is_apart(&(struct pair){16, 3, 1, .weight = INFINITY, .forced = forced});
    is_apart(&(struct pair){16, 3, 1, .is_output = true, .forced = forced});
    is_joined(&(struct pair){16, 3, 1, .adds = true, .blocks = 5, .forced = forced});
    is_apart(&(struct pair){16, 3, 1, .adds = true, .blocks = 4, .forced = forced});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_joined_where_it_pays),
        cmocka_unit_test(pairs_are_joined_where_they_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
