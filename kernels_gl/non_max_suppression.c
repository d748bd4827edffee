/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - see non_max_suppression.h; NON_MAX_SUPPRESSION_V4 and V5.
 *
 * A workgroup serves a class: each round its lanes look for the best of the boxes that are left and hold all of them against it.
 * What TensorFlow Lite's queue does to equal scores, which follows from its C++ library, is not done here. */
#include "non_max_suppression.h"

#include "axis_gather.h"
#include "data_movement.h"

#define LANES        128
#define SHARED_BYTES (LANES * (sizeof(float) + sizeof(int32_t)))
#define MOST_BOXES   (LANES * 1024) /* scores that a lane keeps */

static int32_t boxes_per_lane(const struct ir_op *op)
{
    return (op->in[0]->shape.w - 1) / LANES + 1;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct suppression *s = op->attr;

    gl_source(p, non_max_suppression_comp);
    gl_define(p, "LANES", LANES);
    gl_define(p, "PER_LANE", boxes_per_lane(op));
    gl_define(p, "AGAIN", s->again);
    gl_define(p, "SOFT", s->sigma > 0);
    gl_param(p, "OFFSET", s->offset);
    gl_param(p, "MOST", s->most);
    gl_param(p, "NOTHING", s->nothing);
    gl_param_float(p, "IOU_THRESHOLD", s->iou_threshold);
    gl_param_float(p, "SCORE_THRESHOLD", s->score_threshold);
    gl_param_float(p, "SCALE", s->sigma > 0 ? -0.5f / s->sigma : 0);
    gl_input(p, "boxes", op->in[0]);
    gl_input(p, "scores", op->in[1]);
    gl_output(p, "chosen", op->out);
    gl_output(p, "scores_of", op->out2);
    gl_grid_of(p, 1, s->classes, LANES, 1);
    gl_group(p, LANES, 1, 1);
    gl_shared(p, SHARED_BYTES);
}

/* Lanes are halved until one is left; one lane fills what is left at the end. */
static uint64_t iterations(const struct ir_op *op)
{
    const uint64_t rounds = (uint64_t)((const struct suppression *)op->attr)->most, boxes = (uint64_t)boxes_per_lane(op);

    return GL_PASSES(boxes) + GL_PASSES(LANES) + GL_PASSES(rounds, boxes + 9) + GL_PASSES(rounds);
}

static bool has_lanes(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)op;
    return lim->group_invocations >= LANES && lim->group_size[0] >= LANES && lim->shared_bytes >= SHARED_BYTES;
}

static const struct gl_variant variants[] = {{"workgroup", has_lanes, emit, iterations}};
const struct ir_kind gl_kind_suppress = {.name = "non_max_suppression", GL_VARIANTS(variants)};

bool ir_suppress(struct ir *ir, struct ir_value *boxes, struct ir_value *scores, const struct suppression *s,
                 struct ir_value **chosen, struct ir_value **scores_of)
{
    struct ir_op *op;

    *chosen = ir_temp(ir, IR_INT, (struct ir_shape){1, s->classes, s->most + 1, 1});
    *scores_of = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, s->classes, s->most, 1});
    op = *scores_of ? ir_op_new(ir, &gl_kind_suppress, IR_INS(boxes, scores), *chosen, sizeof *s) : NULL;
    if (!op)
        return false;
    *(struct suppression *)op->attr = *s;
    op->out2 = *scores_of;
    return true;
}

bool suppression_fits(int32_t boxes, struct reason *why)
{
    return boxes <= MOST_BOXES ||
           reason_set(why, REASON_DEVICE_LIMIT, "%d boxes are more than %d, the most that a workgroup takes", boxes, MOST_BOXES);
}

/* ---- NON_MAX_SUPPRESSION_V4, V5 ---- */

enum { BOXES, SCORES, MAX_OUTPUT, IOU, SCORE, SIGMA };

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    if (!gl_arity(n, n->n_out == 3 ? 6 : 5, n->n_out == 3 ? 6 : 5, n->n_out, why) || !gl_stored(lim, n, BOXES, MAX_OUTPUT, why))
        return false;
    for (uint32_t i = MAX_OUTPUT; i < n->n_in; i++)
        if (!gl_constant(n, i, "number", why))
            return false;
    for (uint32_t i = IOU; i < n->n_in; i++)
        if (n->in[i]->type != TYPE_FLOAT32)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    if (n->n_in > SIGMA && *(const float *)n->in[SIGMA]->data < 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "sigma is %g", (double)*(const float *)n->in[SIGMA]->data);
    return suppression_fits(n->in[BOXES]->dim[0], why);
}

/* y = `count` elements of x along W, from number `first` on. */
static bool part(struct ir *ir, struct ir_value *x, int32_t first, int32_t count, struct ir_value *y)
{
    struct axis_gather gather = axis_gather_of(1, (int32_t[]){x->shape.w}, (int32_t[]){count});

    return y && (gather.at[0] = ir_range(ir, first, 1, count)) && ir_axis_gather(ir, x, &gather, y);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct suppression s = {
        .classes = 1,
        .most = n->out[0]->dim[0],
        .iou_threshold = *(const float *)n->in[IOU]->data,
        .score_threshold = *(const float *)n->in[SCORE]->data,
        .sigma = n->n_in > SIGMA ? *(const float *)n->in[SIGMA]->data : 0,
        .again = true,
    };
    const int32_t boxes = n->in[BOXES]->dim[0];
    struct ir_value *chosen, *scores_of;

    if (!ir_suppress(ir, ir_in(ir, n, BOXES), ir_reshaped(ir, ir_in(ir, n, SCORES), (struct ir_shape){1, 1, boxes, 1}), &s, &chosen,
                     &scores_of) ||
        !part(ir, chosen, 0, s.most, ir_out(ir, n, 0)) || !part(ir, chosen, s.most, 1, ir_out(ir, n, n->n_out - 1)))
        return ir_nomem(err);
    return n->n_out < 3 || part(ir, scores_of, 0, s.most, ir_out(ir, n, 1)) ? ST_OK : ir_nomem(err);
}

#define SUPPRESSION                                                                                                                \
    {                                                                                                                              \
        .max_version = 1, .out_types = TAKES_FLOAT | TAKES_INT, .accept = accept, .lower = lower                                   \
    }

const struct gl_kernel gl_nms_v4 = SUPPRESSION;
const struct gl_kernel gl_nms_v5 = SUPPRESSION;
