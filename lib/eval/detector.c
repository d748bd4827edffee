/* SPDX-License-Identifier: Apache-2.0 */
/* detector.c - which output is which. */
#include "lib/eval/detector.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/eval/preprocess_metadata.h"
#include "lib/tensor/real_values.h"

static const char *const role_names[DETECTOR_ROLES] = {"boxes", "classes", "scores", "count"};

/* Words of the flag, without "auto". */
static const char *const head_names[] = {"auto", "tflite", "yolo", "yolov5", "yolox", "nms_free", "detr"};

static void forget_outputs(struct detector *d)
{
    for (int r = 0; r < DETECTOR_ROLES; r++)
        d->output[r] = DETECTOR_NONE;
}

enum status detector_read_order(const char *text, struct detector *d, struct err *err)
{
    forget_outputs(d);
    for (uint32_t i = 0; *text; i++) {
        const size_t n = strcspn(text, ",");
        int r = 0;

        while (r < DETECTOR_ROLES && (strlen(role_names[r]) != n || strncmp(role_names[r], text, n) != 0))
            r++;
        if (r == DETECTOR_ROLES && (n != 1 || *text != '-'))
            return err_set(err, ST_USAGE, "'%.*s': boxes, classes, scores, count or - is expected", (int)(n < 40 ? n : 40), text);
        if (r < DETECTOR_ROLES && d->output[r] != DETECTOR_NONE)
            return err_set(err, ST_USAGE, "%s stands twice", role_names[r]);
        if (r < DETECTOR_ROLES)
            d->output[r] = i;
        text += n + (text[n] == ',');
    }
    d->by = "a flag";
    return ST_OK;
}

/* ---- by the graph ---- */

/* Whether an operator only hands its first input on, in another shape or type. */
static bool hands_on(const struct model *m, const struct model_op *op)
{
    static const int32_t such[] = {BUILTIN_RESHAPE,    BUILTIN_SQUEEZE, BUILTIN_EXPAND_DIMS,
                                   BUILTIN_DEQUANTIZE, BUILTIN_CAST,    BUILTIN_QUANTIZE};

    for (size_t i = 0; i < sizeof such / sizeof *such; i++)
        if (model_op_is(m, op, such[i]))
            return true;
    return false;
}

/* The operator that writes a tensor, and as which output; NULL: none does. */
static const struct model_op *writer_of(const struct model_subgraph *g, int32_t tensor, uint32_t *slot)
{
    for (uint32_t i = g->n_ops; i-- > 0;)
        for (*slot = 0; *slot < g->ops[i].n_outputs; (*slot)++)
            if (g->ops[i].outputs[*slot] == tensor)
                return &g->ops[i];
    return NULL;
}

/* The slot of TFLite_Detection_PostProcess that an output comes from; DETECTOR_NONE: from none. */
static uint32_t slot_of(const struct model *m, const struct model_subgraph *g, int32_t tensor)
{
    for (uint32_t steps = 0; steps < g->n_ops; steps++) {
        uint32_t slot;
        const struct model_op *op = writer_of(g, tensor, &slot);
        const char *custom = op ? m->opcodes[op->opcode].custom : NULL;

        if (custom && !strcmp(custom, "TFLite_Detection_PostProcess"))
            return slot < DETECTOR_ROLES ? slot : DETECTOR_NONE;
        if (!op || !hands_on(m, op) || !op->n_inputs)
            return DETECTOR_NONE;
        tensor = op->inputs[0];
    }
    return DETECTOR_NONE;
}

/* Slots are in the order of the roles. */
static bool by_graph(struct detector *d, const struct model *m, uint32_t subgraph)
{
    const struct model_subgraph *g = &m->subgraphs[subgraph];

    forget_outputs(d);
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        const uint32_t slot = slot_of(m, g, g->outputs[i]);

        if (slot != DETECTOR_NONE)
            d->output[slot] = i;
    }
    d->by = "the operator TFLite_Detection_PostProcess";
    return d->output[DETECTOR_BOXES] != DETECTOR_NONE && d->output[DETECTOR_CLASSES] != DETECTOR_NONE &&
           d->output[DETECTOR_SCORES] != DETECTOR_NONE;
}

/* ---- by metadata ---- */

/* The names that TensorFlow Lite's metadata writer gives, and plainer ones. */
static int role_named(const char *name)
{
    static const struct {
        const char *part;
        enum detector_role role;
    } names[] = {{"location", DETECTOR_BOXES}, {"box", DETECTOR_BOXES},     {"number", DETECTOR_COUNT},   {"count", DETECTOR_COUNT},
                 {"score", DETECTOR_SCORES},   {"class", DETECTOR_CLASSES}, {"categor", DETECTOR_CLASSES}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (const char *at = name; *at; at++)
            if (!strncasecmp(at, names[i].part, strlen(names[i].part)))
                return (int)names[i].role;
    return -1;
}

static bool by_metadata(struct detector *d, const struct detector_model *m)
{
    char name[64];

    forget_outputs(d);
    for (uint32_t i = 0; i < m->n_outputs; i++) {
        const int role = metadata_output_name(m->model, m->subgraph, i, name) ? role_named(name) : -1;

        if (role >= 0 && d->output[role] != DETECTOR_NONE)
            return false;
        if (role >= 0)
            d->output[role] = i;
    }
    d->by = "the model's metadata";
    return d->output[DETECTOR_BOXES] != DETECTOR_NONE && d->output[DETECTOR_CLASSES] != DETECTOR_NONE &&
           d->output[DETECTOR_SCORES] != DETECTOR_NONE;
}

/* ---- by shapes and values ---- */

static int32_t last_dim(const struct tensor *t)
{
    return t->rank ? t->dim[t->rank - 1] : 1;
}

static bool is_whole(const struct tensor *t)
{
    for (size_t i = 0; i < tensor_elems(t); i++) {
        const double v = real_value(t, i);

        if (!(v >= 0) || v != floor(v))
            return false;
    }
    return true;
}

static bool is_falling_share(const struct tensor *t)
{
    for (size_t i = 0; i < tensor_elems(t); i++) {
        const double v = real_value(t, i);

        if (!(v >= 0 && v <= 1) || (i && v > real_value(t, i - 1)))
            return false;
    }
    return true;
}

/* Of two lists: the one of whole numbers is that of classes, the one that falls from 1 or less to 0 that of scores. */
static bool by_values(struct detector *d, const struct detector_model *m, uint32_t a, uint32_t b)
{
    const struct tensor *x = m->outputs[a], *y = m->outputs[b];
    const bool forth = is_whole(x) && is_falling_share(y), back = is_whole(y) && is_falling_share(x);

    if (forth == back)
        return false;
    d->output[DETECTOR_CLASSES] = forth ? a : b;
    d->output[DETECTOR_SCORES] = forth ? b : a;
    d->by = "shapes and values";
    return true;
}

/* [1,N,4], [1] and two of [1,N]. ST_USAGE if the outputs are others; *known if values tell the two apart. */
static enum status by_shapes(struct detector *d, const struct detector_model *m, bool *known, struct err *err)
{
    uint32_t lists[2], n_lists = 0;

    forget_outputs(d);
    for (uint32_t i = 0; i < m->n_outputs; i++) {
        const struct tensor *t = m->outputs[i];

        if (tensor_elems(t) == 1)
            d->output[DETECTOR_COUNT] = i;
        else if (t->rank == 3 && last_dim(t) == 4)
            d->output[DETECTOR_BOXES] = i;
        else if (n_lists < 2 && (size_t)last_dim(t) == tensor_elems(t))
            lists[n_lists++] = i;
    }
    if (d->output[DETECTOR_BOXES] == DETECTOR_NONE || n_lists != 2)
        return err_set(err, ST_USAGE,
                       "the model's %u outputs are none of a detector that this tool knows: boxes [1,N,4], classes "
                       "[1,N], scores [1,N] and a count (--output_order names them)",
                       m->n_outputs);
    *known = by_values(d, m, lists[0], lists[1]);
    return ST_OK;
}

static enum status find_four(struct detector *d, const struct detector_model *m, bool *known, struct err *err)
{
    const bool given = d->by && !strcmp(d->by, "a flag");

    *known = true;
    if (given && (d->output[DETECTOR_BOXES] == DETECTOR_NONE || d->output[DETECTOR_CLASSES] == DETECTOR_NONE ||
                  d->output[DETECTOR_SCORES] == DETECTOR_NONE))
        return err_set(err, ST_USAGE, "--output_order names no boxes, classes or scores");
    if (given || by_graph(d, m->model, m->subgraph) || by_metadata(d, m))
        return ST_OK;
    return by_shapes(d, m, known, err);
}

/* ---- heads of one or two outputs ---- */

/* Rows and columns of an output with ones before them; false: it has other dimensions. */
static bool two_dims(const struct tensor *t, uint32_t *rows, uint32_t *columns)
{
    for (int32_t i = 0; i < t->rank - 2; i++)
        if (t->dim[i] != 1)
            return false;
    if (t->rank < 2 || t->dim[t->rank - 2] < 1 || last_dim(t) < 1)
        return false;
    *rows = (uint32_t)t->dim[t->rank - 2];
    *columns = (uint32_t)last_dim(t);
    return true;
}

/* Cells of strides 8, 16 and 32. */
static uint32_t cells_of(const struct preprocess_input *in)
{
    uint32_t n = 0;

    for (uint32_t stride = 8; stride <= 32; stride *= 2)
        n += (in->width / stride) * (in->height / stride);
    return n;
}

enum { MOST_NMS_FREE = 1000, NMS_FREE_COLUMNS = 6, COCO_CLASSES = 80 };

static enum detector_head head_of_one(const struct detector *d, const struct preprocess_input *in, uint32_t rows, uint32_t columns)
{
    const uint32_t cells = cells_of(in);

    if (columns == NMS_FREE_COLUMNS && rows <= MOST_NMS_FREE)
        return DETECTOR_NMS_FREE;
    if (columns <= 5)
        return DETECTOR_YOLO;
    if (rows == 3 * cells)
        return DETECTOR_YOLOV5;
    if (rows == cells && columns - 5 == COCO_CLASSES)
        return DETECTOR_YOLOX;
    if (rows < columns)
        return DETECTOR_YOLO;
    if (columns - 5 == (d->n_wanted ? d->n_wanted : COCO_CLASSES) || columns - 5 == COCO_CLASSES)
        return rows == cells ? DETECTOR_YOLOX : DETECTOR_YOLOV5;
    return DETECTOR_YOLO;
}

static enum status find_one(struct detector *d, const struct detector_model *m, struct err *err)
{
    const struct tensor *t = m->outputs[0];
    uint32_t rows, columns, before;

    if (!two_dims(t, &rows, &columns))
        return err_set(err, ST_USAGE, "output '%.100s' %s is none of a detector: [1,N,C] is expected", t->name, TENSOR_TEXT(t));
    if (!d->head)
        d->head = head_of_one(d, &m->input, rows, columns);
    d->channels_first = d->head == DETECTOR_YOLO && rows < columns;
    before = d->head == DETECTOR_YOLO ? 4 : 5;
    d->n_boxes = d->channels_first ? columns : rows;
    columns = d->channels_first ? rows : columns;
    if (d->head == DETECTOR_NMS_FREE ? columns != NMS_FREE_COLUMNS : columns <= before)
        return err_set(err, ST_USAGE, "output '%.100s' %s has %u numbers a box, too %s for --head=%s", t->name, TENSOR_TEXT(t),
                       columns, columns <= before ? "few" : "many", head_names[d->head]);
    if (d->head == DETECTOR_YOLOX && d->n_boxes != cells_of(&m->input))
        return err_set(err, ST_USAGE, "output '%.100s' %s: --head=yolox has %u cells for an input of %u x %u", t->name,
                       TENSOR_TEXT(t), cells_of(&m->input), m->input.width, m->input.height);
    forget_outputs(d);
    d->output[DETECTOR_BOXES] = 0;
    d->n_classes = d->head == DETECTOR_NMS_FREE ? 0 : columns - before;
    d->by = "its shape";
    return ST_OK;
}

static enum status find_two(struct detector *d, const struct detector_model *m, struct err *err)
{
    const bool given = d->by && !strcmp(d->by, "a flag");
    uint32_t rows[2], columns[2], boxes = 0;

    for (uint32_t i = 0; i < 2; i++)
        if (!two_dims(m->outputs[i], &rows[i], &columns[i]))
            return err_set(err, ST_USAGE, "output '%.100s' %s is none of a detector: [1,N,C] is expected", m->outputs[i]->name,
                           TENSOR_TEXT(m->outputs[i]));
    if (given && (d->output[DETECTOR_BOXES] > 1 || d->output[DETECTOR_SCORES] > 1))
        return err_set(err, ST_USAGE, "--output_order: boxes and scores are expected for two outputs");
    if (given)
        boxes = d->output[DETECTOR_BOXES];
    else if ((columns[0] == 4) == (columns[1] == 4))
        return err_set(err, ST_USAGE, "outputs of shapes %s and %s: which has the boxes? (--output_order=boxes,scores)",
                       TENSOR_TEXT(m->outputs[0]), TENSOR_TEXT(m->outputs[1]));
    else
        boxes = columns[1] == 4;
    if (columns[boxes] != 4 || rows[0] != rows[1] || columns[!boxes] < 2)
        return err_set(err, ST_USAGE, "boxes are %s, scores %s; [1,N,4] and [1,N,C] are expected", TENSOR_TEXT(m->outputs[boxes]),
                       TENSOR_TEXT(m->outputs[!boxes]));
    forget_outputs(d);
    d->output[DETECTOR_BOXES] = boxes;
    d->output[DETECTOR_SCORES] = !boxes;
    d->by = given ? "a flag" : "their shapes";
    d->n_boxes = rows[0];
    d->n_classes = columns[!boxes];
    return ST_OK;
}

/* ---- units and scores ---- */

/* Element k of box i. */
static double box_value(const struct detector *d, const struct tensor *t, uint32_t i, uint32_t k)
{
    return real_value(t, d->channels_first ? (size_t)k * d->n_boxes + i : (size_t)i * (size_t)last_dim(t) + k);
}

/* The largest coordinate, and the range of scores. */
struct range {
    double largest, low, high;
};

static struct range range_of(const struct detector *d, const struct tensor *boxes, const struct tensor *scores, uint32_t first)
{
    const uint32_t n = (uint32_t)(tensor_elems(boxes) /
                                  (d->channels_first ? tensor_elems(boxes) / d->n_boxes : (size_t)last_dim(boxes)));
    const uint32_t columns = (uint32_t)(d->channels_first ? tensor_elems(scores) / d->n_boxes : (size_t)last_dim(scores));
    struct range r = {0, INFINITY, -INFINITY};

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 4; k++)
            r.largest = fmax(r.largest, fabs(box_value(d, boxes, i, k)));
        for (uint32_t k = first; k < columns && d->n_classes; k++) {
            const double v = box_value(d, scores, i, k);

            r.low = fmin(r.low, v);
            r.high = fmax(r.high, v);
        }
    }
    return r;
}

static void find_units(struct detector *d, const struct detector_model *m)
{
    const struct tensor *boxes = m->outputs[d->output[DETECTOR_BOXES]];
    const bool detr = d->head == DETECTOR_DETR, one = d->head != DETECTOR_TFLITE && !detr;
    const struct tensor *scores = one ? boxes : m->outputs[d->output[DETECTOR_SCORES]];
    const struct range r = range_of(d, boxes, scores, one ? 4 : 0);
    const bool shares = !(r.low < 0) && !(r.high > 1);

    if (!d->units && !(r.largest > 0) && d->head != DETECTOR_TFLITE)
        return;
    if (!d->units)
        d->units = d->head == DETECTOR_YOLOX || r.largest > 2 ? UNITS_PIXELS : UNITS_NORMALIZED;
    if (d->scores)
        return;
    if (!d->n_classes || shares)
        d->scores = SCORES_AS_THEY_ARE;
    else if (detr && (d->n_classes == 92 || (d->n_wanted && d->n_classes == d->n_wanted + 1)))
        d->scores = SCORES_SOFTMAX;
    else
        d->scores = SCORES_SIGMOID;
}

/* ---- all ---- */

enum detector_head detector_head_of(const struct model *m, uint32_t subgraph)
{
    const struct model_subgraph *g = &m->subgraphs[subgraph];
    const struct preprocess any = {.order = PREPROCESS_SQUASH};
    struct detector d = {.head = DETECTOR_AUTO};
    struct preprocess_input in;
    struct err err;
    uint32_t rows, columns;

    if (g->n_outputs == 1 && g->n_inputs == 1 && two_dims(&g->tensors[g->outputs[0]], &rows, &columns) &&
        !preprocess_place(&any, &g->tensors[g->inputs[0]], &in, &err))
        return head_of_one(&d, &in, rows, columns);
    if (g->n_outputs == 1)
        return DETECTOR_YOLO;
    if (g->n_outputs == 2)
        return DETECTOR_DETR;
    return by_graph(&d, m, subgraph) || g->n_outputs == 4 ? DETECTOR_TFLITE : DETECTOR_AUTO;
}

static double least_score(enum detector_head head)
{
    return head == DETECTOR_TFLITE || head == DETECTOR_DETR ? 0 : 0.001;
}

enum status detector_find(struct detector *d, const struct detector_model *m, struct err *err)
{
    enum status st;
    bool known = true;

    for (uint32_t i = 0; i < m->n_outputs; i++)
        if (!m->outputs[i] || !m->outputs[i]->data || m->outputs[i]->type == TYPE_STRING || type_is_complex(m->outputs[i]->type))
            return err_set(err, ST_USAGE, "output %u is none of a detector", i);
    if (m->n_outputs > DETECTOR_MOST_OUTPUTS)
        return err_set(err, ST_USAGE, "the model has %u outputs; a detector has one, two or four", m->n_outputs);
    for (int r = 0; r < DETECTOR_ROLES && d->by && !strcmp(d->by, "a flag"); r++)
        if (d->output[r] != DETECTOR_NONE && d->output[r] >= m->n_outputs)
            return err_set(err, ST_USAGE, "--output_order names %s as output %u, of %u", role_names[r], d->output[r] + 1,
                           m->n_outputs);
    if (d->head == DETECTOR_TFLITE || (!d->head && m->n_outputs > 2)) {
        d->head = DETECTOR_TFLITE;
        st = find_four(d, m, &known, err);
    } else if (d->head == DETECTOR_DETR || (!d->head && m->n_outputs == 2)) {
        if (m->n_outputs != 2)
            return err_set(err, ST_USAGE, "--head=detr has two outputs, the model %u", m->n_outputs);
        d->head = DETECTOR_DETR;
        st = find_two(d, m, err);
    } else if (m->n_outputs != 1) {
        return err_set(err, ST_USAGE, "--head=%s has one output, the model %u", head_names[d->head], m->n_outputs);
    } else {
        st = find_one(d, m, err);
    }
    if (st || !known)
        return st;
    if (d->scores == SCORES_SOFTMAX && d->head != DETECTOR_DETR)
        return err_set(err, ST_USAGE, "--score_function=softmax is for --head=detr, and this is %s", head_names[d->head]);
    find_units(d, m);
    if (d->min_score < 0)
        d->min_score = least_score(d->head);
    d->known = d->units;
    return ST_OK;
}

static void add(char *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(char *out, const char *fmt, ...)
{
    const size_t used = strlen(out);
    va_list args;

    va_start(args, fmt);
    vsnprintf(out + used, DETECTOR_TEXT_SIZE - used, fmt, args);
    va_end(args);
}

const char *detector_text(const struct detector *d, const struct tensor *const *outputs, char out[DETECTOR_TEXT_SIZE])
{
    static const char *const boxes[] = {"",
                                        "top, left, bottom, right",
                                        "center and size",
                                        "center and size",
                                        "center and size of cells",
                                        "left, top, right, bottom",
                                        "center and size"};
    static const char *const scores[] = {"", "", ", sigmoid of scores", ", softmax of scores, the last for none"};

    *out = '\0';
    add(out, "%s: ", head_names[d->head]);
    for (int r = 0; r < DETECTOR_ROLES; r++)
        if (d->output[r] != DETECTOR_NONE)
            add(out, "%s in output %u '%.60s', ", d->head >= DETECTOR_YOLO && d->head <= DETECTOR_NMS_FREE ? "all" : role_names[r],
                d->output[r], outputs[d->output[r]]->name);
    add(out, "by %s; %s, %s%s", d->by, boxes[d->head], d->units == UNITS_PIXELS ? "in pixels of the input" : "normalized",
        scores[d->scores]);
    if (d->n_classes)
        add(out, ", %u classes", d->n_classes - (d->scores == SCORES_SOFTMAX));
    return out;
}

void detector_free(struct detector *d)
{
    free(d->found);
    d->found = NULL;
}
