/* SPDX-License-Identifier: Apache-2.0 */
/* conv_shared.c - CONV_2D on GL by workgroups whose invocations share memory: weights, sums, or both operands of a product. */
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv.h"
#include "kernels_gl/matmul/product_shared.h"
#include "lib/gl/codegen/shader.h"

/* ---- straight lines ---- */

#define MOST_SLICES    4   /* of an invocation: more take longer to compile than they save */
#define MOST_PRODUCTS  512 /* steps times slices of a straight line: two and a half seconds to compile */
#define MOST_ELSEWHERE 96  /* on a device that gains nothing by straight code: an Adreno's compiler takes over a minute for 459 */
#define MOST_AT_ONCE   192 /* of a layer that reads an image, where programs should be few */
#define LEAST_STRAIGHT 128 /* pixels, for which a workgroup's weights are staged */
#define STRAIGHT_LANES 256
#define FEW_STEPS      16 /* up to which reads of weights are much of what tiles take */

/* Slices of output channels that an invocation computes: in as few groups as may be, as few as cover them. */
static int32_t straight_slices(const struct ir_op *op)
{
    const int32_t n = ir_slices(op->out->shape), groups = (n + MOST_SLICES - 1) / MOST_SLICES;

    return (n + groups - 1) / groups;
}

/* As few workgroups as may be, and no more lanes than they need; the same for all large images, which share programs. */
static int32_t straight_lanes(const struct ir_op *op)
{
    const int64_t n = (int64_t)op->out->shape.h * op->out->shape.w, groups = (n - 1) / STRAIGHT_LANES + 1;

    return groups > 10 ? STRAIGHT_LANES : (int32_t)(((n + groups - 1) / groups + 7) / 8 * 8);
}

static int64_t straight_groups(const struct ir_op *op)
{
    const int32_t slices = straight_slices(op);

    return (ir_slices(op->out->shape) + slices - 1) / slices;
}

bool conv_fits_straight(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct conv *c = op->attr;
    const struct ir_shape y = op->out->shape;
    const int64_t products = conv_steps(op) * straight_slices(op), lanes = straight_lanes(op), pixels = (int64_t)y.h * y.w;
    const int64_t slices = straight_groups(op) * (int64_t)y.b;

    return (pixels + lanes - 1) / lanes <= lim->group_count[0] && slices <= lim->group_count[2] && lim->group_count[1] > 0 &&
           lanes <= lim->group_size[0] && lanes <= lim->group_invocations && !c->parts.n && !conv_any_rows(op, lim) &&
           products <= (lim->policy.straight_code ? MOST_PRODUCTS : MOST_ELSEWHERE) && 64 * products <= lim->shared_bytes &&
           window_all_finite(c->w, conv_weights(op));
}

/* Of the vectors that a step reads. */
static int32_t straight_channels(const struct ir_op *op)
{
    const int32_t c = op->in[0]->shape.c;

    return c < 4 ? c : 4;
}

bool conv_is_straight_alike(const struct ir_op *a, const struct ir_op *b)
{
    const struct ir_window *v = a->attr, *w = b->attr;

    return straight_slices(a) == straight_slices(b) && straight_lanes(a) == straight_lanes(b) && v->kernel_h == w->kernel_h &&
           v->kernel_w == w->kernel_w && ir_slices(a->in[0]->shape) == ir_slices(b->in[0]->shape) &&
           straight_channels(a) == straight_channels(b);
}

/* The layer that reads an image: its loops over taps of a single slice are mostly loop. */
static bool reads_image(const struct ir_op *op)
{
    const int64_t steps = conv_steps(op);

    return ir_slices(op->in[0]->shape) == 1 && steps > 1 && steps * straight_slices(op) <= MOST_AT_ONCE;
}

/* In ns, measured on llvmpipe (bench/RESULTS.md), per vector of the output; of one batch only: work() of conv.c says why. */
uint64_t conv_straight_saves(const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;
    const uint64_t steps = (uint64_t)conv_steps(op), pixels = (uint64_t)y.h * (uint64_t)y.w;

    if (pixels < LEAST_STRAIGHT)
        return 0;
    return pixels * (uint64_t)ir_slices(y) * (reads_image(op) ? 5 * steps : steps <= FEW_STEPS ? 11 : 3);
}

/* In ns, measured on llvmpipe. */
uint64_t conv_straight_costs(const struct ir_op *op)
{
    return 50000000 + 5000000 * (uint64_t)conv_steps(op) * (uint64_t)straight_slices(op);
}

bool conv_straight_pays(const struct ir_op *op, const struct gl_limits *lim)
{
    const uint64_t saves = conv_straight_saves(op);

    return lim->policy.straight_code && saves &&
           (lim->policy.inline_uniforms || reads_image(op) || ir_pays(saves, conv_straight_costs(op)));
}

bool conv_is_straight(const struct ir_op *op, const struct gl_limits *lim)
{
    return conv_fits_straight(op, lim) && conv_straight_pays(op, lim);
}

/* Filter rows, columns and slices of input channels in the order in which the weights lie. */
static void define_steps(struct gl_shader *p, const struct ir_window *w, int32_t x_slices)
{
    struct text *t = &p->defines;
    int32_t step = 0;

    text_add(t, "#define READ_ALL ");
    for (int32_t i = 0; i < w->kernel_h; i++) {
        text_add(t, "BEGIN_ROW(%d) ", (int)i);
        for (int32_t j = 0; j < w->kernel_w; j++)
            for (int32_t s = 0; s < x_slices; s++)
                text_add(t, "STEP(%d, inputs%d, column%d, has_column%d) ", (int)step++, (int)s, (int)j, (int)j);
        text_add(t, "END ");
    }
    text_add(t, "\n");
}

void conv_emit_straight(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const channels[] = {NULL, "CHANNELS_1", "CHANNELS_2", "CHANNELS_3", "CHANNELS_4"};
    const struct ir_window *w = op->attr;
    const struct ir_shape y = op->out->shape;
    const int32_t slices = straight_slices(op), steps = (int32_t)conv_steps(op), lanes = straight_lanes(op);

    gl_source_of(p, (const char *const[]){conv_place_comp, window_reads_comp, conv_straight_comp}, 3);
    conv_bind(p, op, 0);
    gl_define_text(p, "ADDS_BIAS", "true");
    gl_define_text(p, "CHANNELS", channels[straight_channels(op)]);
    GL_DEFINES(p, "LANES STEPS SLICES", lanes, steps, slices);
    gl_define_named(p, "EACH_SLICE", slices, "sum");
    gl_define_named(p, "EACH_COLUMN", w->kernel_w, "column has_column");
    gl_define_named(p, "EACH_INPUT", ir_slices(op->in[0]->shape), "inputs");
    define_steps(p, w, ir_slices(op->in[0]->shape));
    gl_shared(p, 64u * (uint32_t)(steps * slices));
    gl_group(p, (uint32_t)lanes, 1);
    gl_grid_of(p, y.b, 1, y.h * y.w, (int32_t)straight_groups(op));
}

uint64_t conv_staging(const struct ir_op *op)
{
    const uint64_t vectors = 4 * (uint64_t)conv_steps(op) * (uint64_t)straight_slices(op), lanes = (uint64_t)straight_lanes(op);

    return GL_PASSES((vectors + lanes - 1) / lanes);
}

/* ---- a workgroup for each vector of a small image ---- */

#define LANES       64
#define LANES_PARTS 8  /* that its sums are added up in: PARTS of the template */
#define LANES_STEPS 32 /* that are worth a workgroup */

bool conv_fits_lanes(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct conv *c = op->attr;
    const struct ir_shape y = op->out->shape;

    return (int64_t)y.h * y.w < 16 && conv_steps(op) >= LANES_STEPS && !c->tile && !c->parts.n && !conv_any_rows(op, lim) &&
           (int64_t)ir_slices(y) * y.b <= lim->group_count[2] && lim->group_size[0] >= LANES && lim->group_invocations >= LANES &&
           lim->shared_bytes >= 16 * LANES && window_all_finite(c->w, conv_weights(op));
}

/* Without lanes there are few invocations with long sums, and neighbours read weights far from each other. On a CPU each invocation
 * has its own cache. Each pixel reads all weights. */
bool conv_lanes_pay(const struct ir_op *op, const struct gl_limits *lim)
{
    return !lim->policy.software && (int64_t)op->out->shape.h * op->out->shape.w < 4;
}

void conv_emit_lanes(struct gl_shader *p, const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;

    gl_source_with(p, conv_place_comp, conv_lanes_comp);
    conv_bind(p, op, 0);
    gl_define_text(p, "ADDS_BIAS", "true");
    GL_DEFINES(p, "LANES PARTS", LANES, LANES_PARTS);
    gl_shared(p, 16 * LANES);
    gl_group(p, LANES, 1);
    gl_grid_of(p, y.b, y.h * y.w, LANES, ir_slices(y));
}

uint64_t conv_lanes(const struct ir_op *op)
{
    return GL_PASSES(((uint64_t)conv_steps(op) + LANES - 1) / LANES) + GL_PASSES(LANES / LANES_PARTS) + GL_PASSES(LANES_PARTS);
}

/* ---- blocks of a product ---- */

static struct product product_of(const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;

    return (struct product){
        .rows = (int64_t)y.h * y.w, .slices = ir_slices(y), .depth = ir_slices(op->in[0]->shape), .images = 1, .batches = y.b};
}

bool conv_fits_shared(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct conv *c = op->attr;
    const struct product m = product_of(op);

    return conv_is_pointwise(op) && !c->parts.n && !conv_any_rows(op, lim) && product_fits_shared(&m, lim) &&
           window_all_finite(c->w, conv_weights(op));
}

bool conv_shared_pays(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct product m = product_of(op);

    return product_pays_shared(&m, lim);
}

void conv_emit_shared(struct gl_shader *p, const struct ir_op *op)
{
    const struct product m = product_of(op);

    gl_source_of(p, (const char *const[]){conv_place_comp, conv_shared_comp, product_shared_comp}, 3);
    conv_bind(p, op, 0);
    gl_define_text(p, "ADDS_BIAS", "true");
    product_emit_shared(p, &m);
}

uint64_t conv_shared(const struct ir_op *op)
{
    const struct product m = product_of(op);

    return product_shared_passes(&m);
}
