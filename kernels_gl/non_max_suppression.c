/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - see non_max_suppression.h; NON_MAX_SUPPRESSION_V4 and V5.
 *
 * A workgroup serves a class. As V4 and V5 have it its first lane keeps TensorFlow Lite's queue, from whose moves it follows which
 * of equal scores comes first. Where that does not fit, and for detections, its lanes look each round for the best of the boxes
 * that are left and hold all of them against it. */
#include "non_max_suppression.h"

#include "axis_gather.h"
#include "data_movement.h"

#define LANES        128
#define SHARED_BYTES (LANES * (sizeof(float) + sizeof(int32_t)))
#define MOST_BOXES   (LANES * 1024) /* scores that a lane keeps */

static int32_t boxes_of(const struct ir_op *op)
{
    return op->in[0]->shape.w;
}

static int32_t boxes_per_lane(const struct ir_op *op)
{
    return (boxes_of(op) - 1) / LANES + 1;
}

static int32_t most_chosen(const struct ir_op *op)
{
    const struct suppression *s = op->attr;

    return s->most < boxes_of(op) ? s->most : boxes_of(op);
}

static bool is_soft(const struct ir_op *op)
{
    const struct suppression *s = op->attr;

    return s->made[SIGMA] || s->number[SIGMA] > 0;
}

static void emit_numbers(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const names[NUMBERS] = {"IOU_THRESHOLD", "SCORE_THRESHOLD", "SIGMA"};
    static const char *const are_made[NUMBERS] = {"IOU_MADE", "SCORE_MADE", "SIGMA_MADE"};
    static const char *const values[NUMBERS] = {"iou_made", "score_made", "sigma_made"};
    const struct suppression *s = op->attr;
    struct ir_value **in = op->in + 2;

    for (int i = 0; i < NUMBERS; i++) {
        gl_define(p, are_made[i], s->made[i]);
        if (s->made[i])
            gl_input(p, values[i], *in++);
        else
            gl_param_float(p, names[i], s->number[i]);
    }
}

static void emit_with(struct gl_shader *p, const struct ir_op *op, const char *heap, const char *template)
{
    const struct suppression *s = op->attr;

    gl_source_of(p, (const char *const[]){overlap_comp, heap, template}, 3);
    gl_define(p, "LANES", LANES);
    gl_define(p, "AGAIN", s->again);
    gl_define(p, "SOFT", is_soft(op));
    gl_param(p, "OFFSET", s->offset);
    gl_param(p, "MOST", s->most);
    gl_param(p, "NOTHING", s->nothing);
    gl_input(p, "boxes", op->in[0]);
    gl_input(p, "scores", op->in[1]);
    emit_numbers(p, op);
    gl_output(p, "chosen", op->out);
    gl_output(p, "scores_of", op->out2);
    gl_grid_of(p, 1, s->classes, LANES, 1);
    gl_group(p, LANES, 1, 1);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    emit_with(p, op, "", non_max_suppression_comp);
    gl_define(p, "PER_LANE", boxes_per_lane(op));
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

/* A score and a box for each; of soft suppression also a count, and a factor for each chosen box. */
static uint64_t queue_bytes(const struct ir_op *op)
{
    const uint64_t boxes = (uint64_t)boxes_of(op), chosen = (uint64_t)most_chosen(op);

    return 4 * (2 * boxes + (is_soft(op) ? boxes + chosen : 0) + 2);
}

static void emit_queue(struct gl_shader *p, const struct ir_op *op)
{
    emit_with(p, op, score_heap_comp, suppression_queue_comp);
    gl_define_text(p, "HEAP", "shared");
    gl_define(p, "HEAP_MOST", boxes_of(op));
    gl_define(p, "CHOSEN_MOST", most_chosen(op));
    gl_define(p, "KEPT", (most_chosen(op) - 1) / LANES + 1);
    gl_shared(p, (uint32_t)queue_bytes(op));
}

/* A box that comes next is chosen or rejected or, where suppression is soft, has met another one that was chosen. Then the queue is
 * gone through once down and twice up. */
static uint64_t queue_iterations(const struct ir_op *op)
{
    const uint64_t boxes = (uint64_t)boxes_of(op), chosen = (uint64_t)most_chosen(op), met = is_soft(op) ? boxes * chosen : 0;
    const uint64_t kept = (chosen - 1) / LANES + 1, most = (uint64_t)((const struct suppression *)op->attr)->most;
    uint64_t levels = 1;

    while (boxes >> levels)
        levels++;
    return GL_PASSES(boxes, levels) + GL_PASSES(boxes + chosen + met, 3 * (levels + 1) + kept + 2) + met + GL_PASSES(most);
}

static bool has_queue(const struct ir_op *op, const struct gl_limits *lim)
{
    return ((const struct suppression *)op->attr)->again && has_lanes(op, lim) && queue_bytes(op) <= lim->shared_bytes;
}

static const struct gl_variant variants[] = {{"queue", has_queue, emit_queue, .iterations = queue_iterations},
                                             {"workgroup", has_lanes, emit, .iterations = iterations}};
const struct ir_kind gl_kind_suppress = {.name = "non_max_suppression", GL_VARIANTS(variants)};

bool ir_suppress(struct ir *ir, struct ir_value *boxes, struct ir_value *scores, struct ir_value *const numbers[NUMBERS],
                 const struct suppression *s, struct ir_value **chosen, struct ir_value **scores_of)
{
    struct ir_value *in[2 + NUMBERS] = {boxes, scores};
    uint32_t n_in = 2;
    struct ir_op *op;

    for (int i = 0; i < NUMBERS; i++)
        if (s->made[i])
            in[n_in++] = numbers[i];

    *chosen = ir_temp(ir, IR_INT, (struct ir_shape){1, s->classes, s->most + 1, 1});
    *scores_of = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, s->classes, s->most, 1});
    op = *scores_of ? ir_op_new(ir, &gl_kind_suppress, in, n_in, *chosen, sizeof *s) : NULL;
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

/* Behind MAX_OUTPUT: enum suppression_number. */
enum { BOXES, SCORES, MAX_OUTPUT, FIRST_NUMBER };

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    float sigma = 0;

    (void)g;
    if (!gl_arity(n, n->n_out == 3 ? 6 : 5, n->n_out == 3 ? 6 : 5, n->n_out, why) || !gl_stored(lim, n, BOXES, MAX_OUTPUT, why))
        return false;
    for (uint32_t i = FIRST_NUMBER; i < n->n_in; i++)
        if (n->in[i]->type != TYPE_FLOAT32)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    if (n->n_in > FIRST_NUMBER + SIGMA && n->in[FIRST_NUMBER + SIGMA]->is_const)
        sigma = *(const float *)n->in[FIRST_NUMBER + SIGMA]->data;
    if (sigma < 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "sigma is %g", (double)sigma);
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
    struct suppression s = {.classes = 1, .most = n->out[0]->dim[0], .again = true};
    struct ir_value *chosen, *scores_of, *numbers[NUMBERS], *scores = ir_in(ir, n, SCORES);

    for (uint32_t i = 0; FIRST_NUMBER + i < n->n_in; i++) {
        const struct tensor *t = n->in[FIRST_NUMBER + i];

        s.made[i] = !t->is_const;
        if (t->is_const)
            s.number[i] = *(const float *)t->data;
        else if (!(numbers[i] = ir_in(ir, n, FIRST_NUMBER + i)))
            return ir_nomem(err);
    }
    scores = ir_reshaped(ir, scores, (struct ir_shape){1, 1, n->in[BOXES]->dim[0], 1});
    if (!ir_suppress(ir, ir_in(ir, n, BOXES), scores, numbers, &s, &chosen, &scores_of) ||
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
