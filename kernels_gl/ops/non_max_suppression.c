/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - NON_MAX_SUPPRESSION_V4 and V5, and the suppression of detections.
 *
 * A workgroup serves a class. For V4 and V5 its first lane keeps TensorFlow Lite's queue, whose moves decide the order of equal
 * scores: in shared memory, or in a buffer that one dispatch passes to the next. For detections its lanes find the best remaining
 * box in each round and compare all others with it. */
#include "kernels_gl/ops/non_max_suppression.h"

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

#include <string.h>

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

/* All but the template and the outputs. */
static void emit_inputs(struct gl_shader *p, const struct ir_op *op)
{
    const struct suppression *s = op->attr;

    gl_define(p, "LANES", LANES);
    gl_define(p, "AGAIN", s->again);
    gl_param(p, "OFFSET", s->offset);
    gl_param(p, "MOST", s->most);
    gl_param(p, "NOTHING", s->nothing);
    gl_input(p, "boxes", op->in[0]);
    gl_input(p, "scores", op->in[1]);
    emit_numbers(p, op);
    gl_grid_of(p, 1, s->classes, LANES, 1);
    gl_group(p, LANES, 1);
}

static void emit_outputs(struct gl_shader *p, const struct ir_op *op)
{
    gl_output(p, "chosen", op->out);
    gl_output(p, "scores_of", op->out2);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source_of(p, (const char *const[]){workgroup_reduce_comp, overlap_comp, suppression_end_comp, non_max_suppression_comp}, 4);
    emit_inputs(p, op);
    emit_outputs(p, op);
    gl_define(p, "PER_LANE", boxes_per_lane(op));
    gl_shared(p, SHARED_BYTES);
}

/* Lanes are halved until one is left; one lane fills what is left at the end. */
static uint64_t iterations(const struct ir_op *op)
{
    const uint64_t rounds = (uint64_t)((const struct suppression *)op->attr)->most, boxes = (uint64_t)boxes_per_lane(op);

    return GL_PASSES(boxes) + GL_PASSES(LANES) + GL_PASSES(rounds, boxes + 9) + GL_PASSES(rounds);
}

static bool has_lanes(const struct gl_limits *lim)
{
    return lim->group_invocations >= LANES && lim->group_size[0] >= LANES;
}

static bool has_best(const struct ir_op *op, const struct gl_limits *lim)
{
    return !((const struct suppression *)op->attr)->again && has_lanes(lim) && lim->shared_bytes >= SHARED_BYTES;
}

/* ---- the queue ---- */

struct queue {
    uint64_t boxes, chosen; /* chosen: at most */
    bool soft;
};

static struct queue queue_of(const struct ir_op *op)
{
    return (struct queue){(uint64_t)boxes_of(op), (uint64_t)most_chosen(op), is_soft(op)};
}

/* What the lanes share beside the queue; of soft suppression also a factor for each chosen box. */
static uint64_t told_bytes(const struct queue *q)
{
    return 4 * (4 + (q->soft ? 1 + q->chosen : 0));
}

/* And a score and a box for each; of soft suppression also a count. */
static uint64_t queue_bytes(const struct queue *q)
{
    return told_bytes(q) + 4 * (q->soft ? 3 : 2) * q->boxes;
}

static uint64_t levels(const struct queue *q)
{
    uint64_t n = 1;

    while (q->boxes >> n)
        n++;
    return n;
}

static uint64_t kept_per_lane(const struct queue *q)
{
    return (q->chosen - 1) / LANES + 1;
}

/* How often a soft score is multiplied at most: a box meets each chosen one once. */
static uint64_t most_met(const struct queue *q)
{
    return q->soft ? q->boxes * q->chosen : 0;
}

/* A box that comes next is chosen or rejected or, where suppression is soft, has met another one that was chosen. */
static uint64_t most_pops(const struct queue *q)
{
    return q->boxes + q->chosen + most_met(q);
}

/* The queue is gone through once down and twice up, and the chosen boxes that a lane keeps twice. */
static uint64_t passes_of_pop(const struct queue *q)
{
    return 3 * (levels(q) + 1) + 2 * (kept_per_lane(q) + 1) + 1;
}

static void emit_numbers_of_queue(struct gl_shader *p, const struct queue *q)
{
    gl_define_text(p, "COLUMN", "int(gl_WorkGroupID.y)");
    GL_DEFINES(p, "SOFT CHOSEN_MOST KEPT", q->soft, (int32_t)q->chosen, (int32_t)kept_per_lane(q));
}

/* ---- in shared memory ---- */

static void emit_queue(struct gl_shader *p, const struct ir_op *op)
{
    const struct queue q = queue_of(op);

    gl_source_of(p,
                 (const char *const[]){overlap_comp, suppression_end_comp, heap_array_comp, queue_shared_comp, score_heap_comp,
                                       suppression_queue_comp},
                 6);
    emit_inputs(p, op);
    emit_outputs(p, op);
    emit_numbers_of_queue(p, &q);
    gl_define_text(p, "HEAP", "shared");
    gl_define(p, "HEAP_MOST", boxes_of(op));
    gl_define(p, "FROM", 0);
    gl_define_text(p, "TO", "BOXES_W");
    gl_define(p, "POPS", INT32_MAX);
    gl_shared(p, (uint32_t)queue_bytes(&q));
}

static uint64_t queue_iterations(const struct ir_op *op)
{
    const struct queue q = queue_of(op);
    const uint64_t most = (uint64_t)((const struct suppression *)op->attr)->most;

    return GL_PASSES(q.boxes, levels(&q)) + GL_PASSES(most_pops(&q), passes_of_pop(&q)) + most_met(&q) + GL_PASSES(most);
}

static bool has_queue(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct queue q = queue_of(op);

    return ((const struct suppression *)op->attr)->again && has_lanes(lim) && queue_bytes(&q) <= lim->shared_bytes;
}

/* ---- in a buffer ---- */

/* A lane alone makes some million passes a second through such a queue, and devices end dispatches that last seconds. */
#define MOST_PASSES (1 << 20)

/* Each costs as much as an operation of its own, even if nothing is left to do. */
#define MOST_DISPATCHES 64

/* in: those of suppress, and what the dispatch before left, if there was one. out: what queue_memory.comp leaves. */
struct queue_part {
    struct suppression s;   /* first, as in suppress */
    int32_t from, to, pops; /* suppression_queue.comp */
};

/* How the work is divided among dispatches. */
struct division {
    uint64_t boxes, pops; /* of one, which does one of the two */
    uint64_t dispatches;  /* UINT64_MAX: it cannot be */
};

static uint64_t state_length(const struct queue *q)
{
    return q->boxes + 1 + q->chosen + (q->soft ? q->boxes : 0);
}

/* Beside the loops over boxes and pops. */
static uint64_t passes_to_resume(const struct queue *q)
{
    return GL_PASSES(state_length(q) / LANES + 1) + GL_PASSES(kept_per_lane(q));
}

static uint64_t passes_of_part(const struct queue *q, uint64_t boxes, uint64_t pops)
{
    return passes_to_resume(q) + GL_PASSES(boxes, levels(q)) + GL_PASSES(pops, passes_of_pop(q) + (q->soft ? q->chosen + 1 : 0));
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct division divide(const struct queue *q, const struct gl_limits *lim)
{
    const uint64_t most = least(gl_most_passes(lim), MOST_PASSES), none = passes_of_part(q, 0, 0);
    struct division d = {.dispatches = UINT64_MAX};

    if (none >= most)
        return d;
    d.boxes = least((most - none) / (passes_of_part(q, 1, 0) - none), q->boxes);
    d.pops = least((most - none) / (passes_of_part(q, 0, 1) - none), most_pops(q));
    if (d.boxes && d.pops)
        d.dispatches = (q->boxes - 1) / d.boxes + 1 + (most_pops(q) - 1) / d.pops + 1;
    return d;
}

static void emit_part(struct gl_shader *p, const struct ir_op *op)
{
    const struct queue q = queue_of(op);
    const struct queue_part *part = op->attr;
    const bool first = part->to && !part->from;

    gl_source_of(p, (const char *const[]){overlap_comp, queue_memory_comp, score_heap_comp, suppression_queue_comp}, 4);
    emit_inputs(p, op);
    emit_numbers_of_queue(p, &q);
    gl_define(p, "FIRST", first);
    GL_PARAMS(p, "HEAD FROM TO POPS", boxes_of(op), part->from, part->to, part->pops);
    if (!first)
        gl_input(p, "before", op->in[op->n_in - 1]);
    gl_output_read_back(p, "state", op->out);
    gl_shared(p, (uint32_t)told_bytes(&q));
}

static uint64_t part_iterations(const struct ir_op *op)
{
    const struct queue q = queue_of(op);
    const struct queue_part *part = op->attr;

    return passes_of_part(&q, (uint64_t)(part->to - part->from), (uint64_t)part->pops);
}

static const struct gl_variant part_variants[] = {{"memory", NULL, emit_part, .iterations = part_iterations}};
const struct ir_kind gl_kind_suppress_queue = {.name = "suppression_queue", .reads_back = true, GL_VARIANTS(part_variants)};

/* in: what the last dispatch left. */
static void emit_result(struct gl_shader *p, const struct ir_op *op)
{
    const struct queue_part *part = op->attr;

    gl_source(p, queue_result_comp);
    GL_PARAMS(p, "HEAD CHOSEN_MOST MOST NOTHING", part->to, part->s.most < part->to ? part->s.most : part->to, part->s.most,
              part->s.nothing);
    gl_input(p, "state", op->in[0]);
    emit_outputs(p, op);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant result_variants[] = {{"of queue", NULL, emit_result}};
const struct ir_kind gl_kind_suppress_result = {.name = "suppression_result", GL_VARIANTS(result_variants)};

/* NULL: out of memory. */
static struct ir_value *add_part(struct ir *ir, const struct ir_op *op, struct queue_part part, struct ir_value *before)
{
    const struct queue q = queue_of(op);
    struct ir_value *in[2 + NUMBERS + 1], *state;
    uint32_t n_in = op->n_in;
    struct ir_op *one;

    memcpy(in, op->in, n_in * sizeof *in);
    if (before)
        in[n_in++] = before;
    part.s = *(const struct suppression *)op->attr;
    state = ir_temp(ir, IR_INT, (struct ir_shape){1, part.s.classes, (int32_t)state_length(&q), 4});
    if (!(one = ir_op_with(ir, &gl_kind_suppress_queue, in, n_in, state, &part, sizeof part)))
        return NULL;
    return state;
}

static bool expand_queue(struct ir *ir, const struct ir_op *op)
{
    const struct queue q = queue_of(op);
    const struct division d = divide(&q, ir->limits);
    struct ir_value *state = NULL;
    struct ir_op *last;

    for (uint64_t n, from = 0; from < q.boxes; from += n) {
        n = least(d.boxes, q.boxes - from);
        if (!(state = add_part(ir, op, (struct queue_part){.from = (int32_t)from, .to = (int32_t)(from + n)}, state)))
            return false;
    }
    for (uint64_t n, done = 0; done < most_pops(&q); done += n) {
        n = least(d.pops, most_pops(&q) - done);
        if (!(state = add_part(ir, op, (struct queue_part){.pops = (int32_t)n}, state)))
            return false;
    }
    last = ir_op_with(ir, &gl_kind_suppress_result, &state, 1, op->out,
                      IR_ATTR(struct queue_part, .s = *(const struct suppression *)op->attr, .to = boxes_of(op)));
    return last && ir_hand_over(op, last);
}

static bool queue_fits(const struct queue *q, const struct gl_limits *lim, struct reason *why)
{
    const uint64_t dispatches = divide(q, lim).dispatches;

    if (!has_lanes(lim))
        return reason_set(why, REASON_DEVICE_LIMIT, "workgroups of %d are too large", LANES);
    if (told_bytes(q) > lim->shared_bytes)
        return reason_set(why, REASON_DEVICE_LIMIT, "%llu boxes to be chosen softly are more than a workgroup shares memory for",
                          (unsigned long long)q->chosen);
    return dispatches <= MOST_DISPATCHES ||
           reason_set(why, REASON_DEVICE_LIMIT, "%llu boxes, of which %llu are chosen%s, could take more than %d dispatches",
                      (unsigned long long)q->boxes, (unsigned long long)q->chosen, q->soft ? " softly" : "", MOST_DISPATCHES);
}

static bool has_memory(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct queue q = queue_of(op);
    struct reason why;

    return ((const struct suppression *)op->attr)->again && queue_fits(&q, lim, &why);
}

static const struct gl_variant variants[] = {{"queue", has_queue, emit_queue, .iterations = queue_iterations},
                                             {"queue in memory", has_memory, .expand = expand_queue},
                                             {"workgroup", has_best, emit, .iterations = iterations}};
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
    op = *scores_of ? ir_op_with(ir, &gl_kind_suppress, in, n_in, *chosen, s, sizeof *s) : NULL;
    if (!op)
        return false;
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

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *sigma = n->n_in > FIRST_NUMBER + SIGMA ? n->in[FIRST_NUMBER + SIGMA] : NULL;
    float constant;
    struct queue q;

    if (!gl_storable(lim, n, BOXES, MAX_OUTPUT, why))
        return false;
    for (uint32_t i = FIRST_NUMBER; i < n->n_in; i++)
        if (n->in[i]->type != TYPE_FLOAT32)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    constant = sigma && sigma->is_const ? *(const float *)sigma->data : 0;
    if (constant < 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "sigma is %g", (double)constant);
    q = (struct queue){.boxes = (uint64_t)n->in[BOXES]->dim[0], .soft = sigma && (!sigma->is_const || constant > 0)};
    q.chosen = least((uint64_t)n->out[0]->dim[0], q.boxes);
    return suppression_fits(n->in[BOXES]->dim[0], why) && queue_fits(&q, lim, why);
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
