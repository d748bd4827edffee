/* SPDX-License-Identifier: Apache-2.0 */
/* detection_postprocess.c - TFLite_Detection_PostProcess: from box encodings, class scores and anchors to detections.
 *
 * Boxes are decoded, then the fast way suppresses overlaps once, each anchor with its best class; the regular way suppresses per
 * class, and what is left is ranked. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/non_max_suppression.h"
#include "lib/base/flexbuffer.h"
#include "lib/gl/lower/quantized.h"

enum { BOXES, SCORES, ANCHORS };
/* An invocation keeps so many classes of its box, 2 KiB: devices have no limit to ask for, and spill or refuse larger arrays. */
#define MOST_RANKED 256

enum { DETECTED_BOXES, DETECTED_CLASSES, DETECTED_SCORES, COUNT };

struct detection {
    int32_t rows;                         /* of the outputs */
    int32_t most, classes, boxes, offset; /* `most`: that are detected; `offset`: columns before the first class */
    int32_t each;                         /* rows of each detection, one for a class */
    bool regular;
    int32_t per_class;
    float scale[4]; /* y, x, h, w */
    float iou_threshold, score_threshold;
};

/* ---- steps of it, one kind; attr is a struct step ---- */

struct step {
    const char *name;        /* what detections.comp computes */
    int32_t offset, classes; /* columns before the classes, and classes */
    int32_t per;             /* boxes chosen of each class, or rows of each detection */
    float scale[4];
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const scales[] = {"SCALE_Y", "SCALE_X", "SCALE_H", "SCALE_W"};
    static const char *const names[] = {"a", "b", "c"};
    const struct step *s = op->attr;

    gl_source_of(p, (const char *const[]){s->classes ? heap_array_comp : "", s->classes ? score_heap_comp : "", detections_comp},
                 3);
    gl_define(p, s->name, 1);
    gl_define_text(p, "HEAP", "");
    gl_define(p, "HEAP_MOST", op->out->shape.c);
    if (s->classes)
        gl_array_stores(p);
    gl_param(p, "OFFSET", s->offset);
    gl_param(p, "CLASSES", s->classes);
    gl_param(p, "PER", s->per);
    for (int i = 0; i < 4; i++)
        gl_param_float(p, scales[i], s->scale[i]);
    for (uint32_t i = 0; i < op->n_in; i++)
        gl_input(p, names[i], op->in[i]);
    gl_output(p, "y", op->out);
    if (op->out2)
        gl_output(p, "z", op->out2);
    gl_grid(p, s->classes ? ir_with(op->out->shape, 3, 1) : op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const uint64_t classes = (uint64_t)((const struct step *)op->attr)->classes, best = (uint64_t)op->out->shape.c;
    uint64_t levels = 1;

    if (!classes)
        return GL_PASSES((uint64_t)op->in[0]->shape.w);
    while (best >> levels)
        levels++;
    return GL_PASSES(classes + 2 * best, 2 * levels) + GL_PASSES(best) + GL_PASSES(best);
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_detections = {.name = "detections", GL_VARIANTS(variants)};

/* y (and z) computed of a, b and c, which may be NULL from b on. False: out of memory. */
static bool step(struct ir *ir, struct step s, struct ir_value *const in[3], struct ir_value *y, struct ir_value *z)
{
    struct ir_op *op = ir_op_with(ir, &gl_kind_detections, in, in[2] ? 3 : in[1] ? 2 : 1, y, &s, sizeof s);

    if (op)
        op->out2 = z;
    return op;
}

#define IN3(...) ((struct ir_value *[3]){__VA_ARGS__})

static struct ir_value *columns(struct ir *ir, enum ir_type type, int32_t rows, int32_t n)
{
    return ir_temp_full(ir, type, (struct ir_shape){1, 1, rows, n});
}

/* ---- the two ways: which box each detection is, of which class, with which score ---- */

struct found {
    struct ir_value *box, *class, *score; /* the latter with as many channels as a detection has classes */
};

static struct suppression suppression_of(const struct detection *d, int32_t classes, int32_t offset, int32_t most)
{
    return (struct suppression){
        .classes = classes, .offset = offset, .most = most, .number = {d->iou_threshold, d->score_threshold}, .nothing = -1};
}

static int32_t ranked_of(const struct detection *d)
{
    return d->each < d->classes ? d->each : d->classes;
}

static bool detect_fast(struct ir *ir, const struct detection *d, struct ir_value *boxes, struct ir_value *scores, struct found *f)
{
    const struct suppression s = suppression_of(d, 1, 0, d->most);
    const int32_t n = ranked_of(d);
    struct ir_value *best = columns(ir, IR_FLOAT, d->boxes, n), *which = columns(ir, IR_INT, d->boxes, n), *unused;

    f->class = columns(ir, IR_INT, d->most, n);
    f->score = columns(ir, IR_FLOAT, d->most, n);
    return which && step(ir, (struct step){"RANK", d->offset, d->classes, 0, {0}}, IN3(scores), best, which) &&
           ir_suppress(ir, boxes, best, NULL, &s, &f->box, &unused) && f->score &&
           step(ir, (struct step){.name = "PICK"}, IN3(f->box, which), f->class, NULL) &&
           step(ir, (struct step){.name = "PICK"}, IN3(f->box, best), f->score, NULL);
}

static bool detect_regular(struct ir *ir, const struct detection *d, struct ir_value *boxes, struct ir_value *scores,
                           struct found *f)
{
    const int32_t per = d->per_class < d->most ? d->per_class : d->most;
    const int32_t all = d->classes * per, most = d->most < all ? d->most : all;
    const struct suppression s = suppression_of(d, d->classes, d->offset, per);
    struct ir_value *chosen, *of, *score, *place;
    struct ir_op *ranked;

    if (!ir_suppress(ir, boxes, scores, NULL, &s, &chosen, &of))
        return false;
    score = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, 1, most});
    place = ir_temp(ir, IR_INT, (struct ir_shape){1, 1, 1, most});
    ranked = place ? ir_op_new(ir, &gl_kind_topk, IR_INS(ir_reshaped(ir, of, (struct ir_shape){1, 1, 1, all})), score, 0) : NULL;
    if (!ranked)
        return false;
    ranked->out2 = place;
    f->score = ir_reshaped(ir, score, (struct ir_shape){1, 1, most, 1});
    place = ir_reshaped(ir, place, (struct ir_shape){1, 1, most, 1});
    f->box = columns(ir, IR_INT, most, 1);
    f->class = columns(ir, IR_INT, most, 1);
    return f->score && place && f->class && f->box &&
           step(ir, (struct step){.name = "PLACES", .per = per}, IN3(place, chosen), f->box, f->class);
}

/* ---- the node ---- */

static struct detection read_options(const struct node *n)
{
    static const char *const scales[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
    struct detection d = {.rows = n->out[DETECTED_BOXES]->dim[1], .boxes = n->in[BOXES]->dim[1]};
    struct flex_map m;
    struct err err;

    if (flex_open(n->custom, n->n_custom, &m, &err))
        return d; /* the op's shape function has opened it */
    d.most = flex_int(&m, "max_detections", 0);
    d.classes = flex_int(&m, "num_classes", 0);
    d.offset = n->in[SCORES]->dim[2] - d.classes;
    d.regular = flex_number(&m, "use_regular_nms", 0) != 0;
    d.each = d.regular ? 1 : flex_int(&m, "max_classes_per_detection", 0);
    d.per_class = flex_int(&m, "detections_per_class", 100);
    d.iou_threshold = (float)flex_number(&m, "nms_iou_threshold", 0);
    d.score_threshold = (float)flex_number(&m, "nms_score_threshold", 0);
    for (int i = 0; i < 4; i++)
        d.scale[i] = (float)flex_number(&m, scales[i], 0);
    return d;
}

/* Decoded boxes of a negative size end a run on the CPU: they come of such anchors. */
static bool sizes_fit(const struct tensor *anchors, struct reason *why)
{
    if (anchors->type != TYPE_FLOAT32)
        return anchors->type == TYPE_UINT8 ||
               reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "anchors of type %s", type_name(anchors->type));
    for (size_t i = 0; i < tensor_elems(anchors); i++)
        if (i % 4 >= 2 && !(((const float *)anchors->data)[i] >= 0))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "anchor %zu has a negative size", i / 4);
    return true;
}

static bool classes_fit(const struct node *n, struct reason *why)
{
    const struct detection d = read_options(n);

    return d.regular || ranked_of(&d) <= MOST_RANKED ||
           reason_set(why, REASON_DEVICE_LIMIT, "%d classes of each detection are more than %d, the most that an invocation ranks",
                      ranked_of(&d), MOST_RANKED);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_runtime(n, BOXES, "boxes", why) || !gl_runtime(n, SCORES, "scores", why) || !gl_constant(n, ANCHORS, "anchors", why) ||
        !gl_storable(lim, n, ANCHORS, 3, why) || !sizes_fit(n->in[ANCHORS], why))
        return false;
    return classes_fit(n, why) && suppression_fits(n->in[BOXES]->dim[1], why);
}

/* y = channel c of rows. */
static bool put_column(struct ir *ir, struct ir_value *rows, int32_t c, int32_t count, struct ir_value *y)
{
    struct axis_gather gather = axis_gather_of(2, (int32_t[]){rows->shape.w, rows->shape.c}, (int32_t[]){count, 1});

    return y && (gather.at[1] = ir_range(ir, c, 1, 1)) && ir_axis_gather(ir, rows, &gather, y);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct detection d = read_options(n);
    struct ir_value *boxes = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, d.boxes, 4});
    struct ir_value *scores = ir_in(ir, n, SCORES), *anchors = ir_in(ir, n, ANCHORS), *rows;
    struct step decode = {.name = "DECODE"};
    struct found f;

    for (int i = 0; i < 4; i++)
        decode.scale[i] = d.scale[i];
    if (anchors)
        anchors->full = true; /* of places a half leaves whole pixels */
    rows = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, d.rows, 4});
    if (!rows || !scores || !anchors || !step(ir, decode, IN3(ir_in(ir, n, BOXES), anchors), boxes, NULL) ||
        !(d.regular ? detect_regular : detect_fast)(ir, &d, boxes, scores, &f) ||
        !step(ir, (struct step){.name = "PUT_BOXES", .per = d.each}, IN3(f.score, f.box, boxes), ir_out(ir, n, DETECTED_BOXES),
              NULL) ||
        !step(ir, (struct step){.name = "PUT_ROWS", .per = d.each}, IN3(f.score, f.box, f.class), rows, NULL))
        return ir_nomem(err);
    return put_column(ir, rows, 0, d.rows, ir_out(ir, n, DETECTED_CLASSES)) &&
                   put_column(ir, rows, 1, d.rows, ir_out(ir, n, DETECTED_SCORES)) &&
                   put_column(ir, rows, 2, 1, ir_out(ir, n, COUNT))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_detection_postprocess = {
    .max_version = 1, .quantized = 1u << TYPE_UINT8, .accept = accept, .lower = lower};

/* ---- of integers, to their reals first ---- */

static bool exact_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!accept(lim, n, why))
        return false;
    for (uint32_t i = 0; i < ANCHORS; i++)
        if (ir_is_quantized(n->in[i]) && !gl_quantized_fits(n->in[i], why))
            return false;
    return true;
}

static enum status exact_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *integers[ANCHORS];
    enum status st = ST_OK;

    ir->lowering.raw = false; /* anchors are reals, too */
    for (uint32_t i = 0; i < ANCHORS; i++) {
        struct ir_value *x = integers[i] = ir_in(ir, n, i), *reals;
        struct ir_op *op;

        if (!x || !ir_is_quantized(n->in[i]))
            continue;
        reals = ir_temp_full(ir, IR_FLOAT, x->shape);
        if ((op = ir_copy(ir, x, reals)))
            op->stores = IR_INT;
        if (!gl_to_reals(ir, op, n->in[i]))
            return ir_nomem(err);
        ir->by_tensor[n->in[i]->index] = reals;
    }
    st = lower(ir, n, err);
    for (uint32_t i = 0; i < ANCHORS; i++)
        ir->by_tensor[n->in[i]->index] = integers[i];
    return st;
}

const struct gl_kernel gl_exact_detection_postprocess = {
    .max_version = 1, .in_types = TAKES_FLOAT | 1u << TYPE_UINT8, .accept = exact_accept, .lower = exact_lower};
