/* SPDX-License-Identifier: Apache-2.0 */
/* detection_task.c - a picture's answer: its detections; and what the outputs mean. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/detection/eval_detection.h"
#include "cmd/evaluation/eval_decode.h"
#include "cmd/host/say.h"

enum { MOST_TRIES = 16, MOST_BAD_TRIES = 1000 };

/* ---- the model ---- */

static const char *preset_of(const struct evaluation *e)
{
    const enum detector_head asked = ((const struct eval_detection *)e)->flags.head;

    switch (asked ? asked : detector_head_of(e->tool.model, e->tool.subgraph)) {
    case DETECTOR_YOLO:
    case DETECTOR_YOLOV5:
    case DETECTOR_NMS_FREE: return "yolo";
    case DETECTOR_YOLOX: return "yolox";
    case DETECTOR_DETR: return "detr";
    default: return "tflite";
    }
}

static enum status accept_model(struct evaluation *e, struct err *err)
{
    const struct session *s = e->sides[0].session;
    struct preprocess_input place;

    if (session_n_inputs(s) != 1 || !session_input(s, 0))
        return err_set(err, ST_USAGE, "the model has %u inputs; a detector has one, for a picture", session_n_inputs(s));
    if (!session_n_outputs(s) || session_n_outputs(s) > DETECTOR_MOST_OUTPUTS)
        return err_set(err, ST_USAGE, "the model has %u outputs; a detector has one, two or four", session_n_outputs(s));
    return preprocess_place(&e->preprocess, session_input(s, 0), &place, err);
}

const struct tensor *const *detection_outputs(const struct eval_detection *e, uint32_t side,
                                              const struct tensor *out[DETECTOR_MOST_OUTPUTS])
{
    const struct session *s = e->base.sides[side].session;

    for (uint32_t i = 0; i < session_n_outputs(s); i++)
        out[i] = session_output(s, i);
    return out;
}

static enum status make_map(struct eval_detection *e, struct err *err)
{
    const struct detector *d = &e->detector;
    const struct category_map_wish wish = {.kind = e->flags.class_map,
                                           .offset = e->class_offset,
                                           .n_classes = d->n_classes - (d->scores == SCORES_SOFTMAX),
                                           .from_background = d->head == DETECTOR_TFLITE,
                                           .labels = *e->flags.labels ? &e->labels : NULL};

    return category_map_init(&e->map, &wish, &e->data, &e->base.arena, err);
}

static enum status say_outputs(struct eval_detection *e, const struct tensor *const *outputs, struct err *err)
{
    const struct detector *d = &e->detector;
    char text[DETECTOR_TEXT_SIZE], map[CATEGORY_MAP_TEXT];
    const enum status st = make_map(e, err);

    if (st)
        return st;
    say_info("Outputs: %s", detector_text(d, outputs, text));
    say_info("Classes: %s", category_map_text(&e->map, map));
    if (d->head == DETECTOR_YOLO || d->head == DETECTOR_YOLOV5 || d->head == DETECTOR_YOLOX)
        say_info("Detections: scores from %g on, of boxes of a class that overlap by more than %g the best, %u of a picture",
                 d->min_score, d->nms_iou, d->most);
    return ST_OK;
}

/* Runs one picture whose times do not count; *ran tells whether it could be read. */
static enum status try_picture(struct eval_detection *e, const struct picture *p, bool *ran, struct err *err)
{
    struct evaluation *base = &e->base;
    const uint64_t cut = base->n_cut;
    size_t n[MAX_SIDES];
    char path[PATH_MAX];
    enum status st;

    for (uint32_t i = 0; i < base->n_sides; i++)
        n[i] = base->sides[i].samples.n;
    if (snprintf(path, sizeof path, "%s/%s", base->pictures.dir, p->name) >= (int)sizeof path)
        return ST_OK;
    st = eval_run_one(base, path, err);
    *ran = !st;
    for (uint32_t i = 0; i < base->n_sides; i++)
        base->sides[i].samples.n = n[i];
    base->n_cut = cut;
    return st == ST_USAGE || st == ST_IO || st == ST_UNSUPPORTED ? ST_OK : st;
}

static enum status find_outputs(struct eval_detection *e, struct err *err)
{
    const struct session *s = e->base.sides[0].session;
    const struct tensor *outputs[DETECTOR_MOST_OUTPUTS];
    struct detector_model m = {
        .model = e->base.tool.model, .subgraph = e->base.tool.subgraph, .outputs = outputs, .n_outputs = session_n_outputs(s)};
    enum status st = preprocess_place(&e->base.preprocess, session_input(s, 0), &m.input, err);

    detection_outputs(e, 0, outputs);
    if (st || (st = detector_find(&e->detector, &m, err)) || !e->detector.known)
        return st;
    return say_outputs(e, outputs, err);
}

enum status detection_probe(struct eval_detection *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    uint32_t tries = 0, bad = 0, waiting = 0;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < p->n && !st && !e->detector.known && tries < MOST_TRIES && bad < MOST_BAD_TRIES; i++) {
        bool ran = false;

        if (p->list[i].state != PICTURE_WAITS)
            continue;
        waiting++;
        if ((st = try_picture(e, &p->list[i], &ran, err)))
            return st;
        tries += ran;
        bad += !ran;
        st = ran ? find_outputs(e, err) : ST_OK;
    }
    if (st || e->detector.known || !waiting || !tries)
        return st;
    return err_set(err, ST_USAGE,
                   "the outputs of %u pictures do not tell what they mean: name them by --output_order and --box_units", tries);
}

/* ---- answers ---- */

static void put_key(const struct evaluation *base, FILE *to)
{
    const struct eval_detection *e = (const struct eval_detection *)base;
    const struct detection_flags *f = &e->flags;

    fprintf(to, "%d %d %d %d %s %a %a %d %s\n", (int)f->head, (int)f->units, (int)f->scores, (int)f->class_map, f->class_offset,
            f->min_score, f->nms_iou, f->max_detections, f->output_order);
    for (uint32_t i = 0; i < e->labels.n; i++)
        fprintf(to, "%s\n", e->labels.line[i]);
    for (uint32_t i = 0; i < e->data.set.n_categories; i++)
        fprintf(to, "%lld %s\n", (long long)e->data.categories[i].id, e->data.categories[i].name);
    for (uint32_t i = 0; i < base->pictures.n; i++) {
        size_t n;
        const uint32_t image = detected_of(e, &base->pictures.list[i])->image;
        const struct coco_truth *t = coco_truths_of(&e->data, image, &n);

        fprintf(to, "%u %u\n", e->data.images[image].width, e->data.images[image].height);
        for (size_t k = 0; k < n; k++)
            fprintf(to, "%u %a %a %a %a %a %d\n", t[k].category, t[k].box.x, t[k].box.y, t[k].box.w, t[k].box.h, t[k].area,
                    t[k].crowd + 2 * t[k].never_counts);
    }
}

/* The size of a picture: that of its file, of the ground truth if the file has the input itself, or of the input. */
static void find_size(struct eval_detection *e, const struct preprocess_input *in, const struct decoded *one, struct detected *to)
{
    const struct coco_image *image = &e->data.images[to->image];

    to->width = one->width ? one->width : image->width ? image->width : in->width;
    to->height = one->height ? one->height : image->height ? image->height : in->height;
    e->resized += (image->width && image->width != to->width) || (image->height && image->height != to->height);
    coco_place_truths(&e->data, to->image, to->width, to->height);
}

static void debug(const struct eval_detection *e, const struct picture *p, const struct detected *of, uint32_t side)
{
    say_info("Image: %s (%s)", p->name, e->base.sides[side].name);
    for (size_t i = 0; i < of->sides[side].n; i++) {
        const struct coco_detection *d = &of->sides[side].list[i];

        say_info("Object [%zu]  Score: %.6g  Class-ID: %lld  Box: %.2f %.2f %.2f %.2f", i, d->score,
                 (long long)e->data.categories[d->category].id, d->box.x, d->box.y, d->box.w, d->box.h);
    }
}

/* Detections whose class is a category; boxes in pixels of the ground truth's image. */
static enum status keep(struct eval_detection *e, struct detected *of, uint32_t side, struct err *err)
{
    const struct detector *d = &e->detector;
    const struct coco_image *image = &e->data.images[of->image];
    const double wide = image->width ? (double)image->width / of->width : 1,
                 high = image->height ? (double)image->height / of->height : 1;
    struct coco_detection *list = ARENA_ARRAY(&e->base.arena, d->n_found, struct coco_detection);
    size_t n = 0;

    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for the detections of %llu pictures", (unsigned long long)e->base.n_done);
    for (size_t i = 0; i < d->n_found; i++) {
        const struct detector_found *f = &d->found[i];
        const uint32_t category = category_map_find(&e->map, f->class);

        if (category == CATEGORY_NONE)
            e->data.detections_of_unknown_categories += side == 0;
        else
            list[n++] = (struct coco_detection){
                of->image, category, {f->box.x * wide, f->box.y * high, f->box.w * wide, f->box.h * high}, f->score};
    }
    of->sides[side].list = list;
    of->sides[side].n = n;
    return ST_OK;
}

static enum status take(struct evaluation *base, const struct picture *p, const struct decoded *one, uint32_t side, struct err *err)
{
    struct eval_detection *e = (struct eval_detection *)base;
    struct detected *of = detected_of(e, p);
    const struct tensor *outputs[DETECTOR_MOST_OUTPUTS];
    struct detector_picture picture = {.clip = base->preprocess.order == PREPROCESS_LETTERBOX};
    enum status st = preprocess_place(&base->preprocess, &one->input, &picture.input, err);

    if (st)
        return st;
    if (!side)
        find_size(e, &picture.input, one, of);
    picture.width = of->width;
    picture.height = of->height;
    picture.map = preprocess_map_of(&base->preprocess, &picture.input, of->width, of->height);
    detection_outputs(e, side, outputs);
    if ((st = detector_decode(&e->detector, outputs, &picture, err)) || (st = keep(e, of, side, err)))
        return err_prefix(err, st, "%s", base->sides[side].name);
    if (e->flags.debug_mode)
        debug(e, p, of, side);
    return ST_OK;
}

/* Size of the picture; then a semicolon and six numbers for each detection. */
static void put(const struct evaluation *base, const struct picture *p, uint32_t side, FILE *to)
{
    const struct detected *of = detected_of((const struct eval_detection *)base, p);

    fprintf(to, "\t%u,%u", of->width, of->height);
    for (size_t i = 0; i < of->sides[side].n; i++) {
        const struct coco_detection *d = &of->sides[side].list[i];

        fprintf(to, ";%u,%a,%a,%a,%a,%a", d->category, d->box.x, d->box.y, d->box.w, d->box.h, d->score);
    }
}

/* A whole number up to `most`, and the character behind it. */
static bool read_count(char **at, double most, int end, uint32_t *out)
{
    char *behind;
    const double v = strtod(*at, &behind);

    if (behind == *at || !(v >= 0 && v <= most) || v != floor(v) || *behind != end)
        return false;
    *at = behind + (end != 0);
    *out = (uint32_t)v;
    return true;
}

static bool read_detection(struct eval_detection *e, char *text, uint32_t image, struct coco_detection *out)
{
    double *const numbers[] = {&out->box.x, &out->box.y, &out->box.w, &out->box.h, &out->score};

    if (!e->data.set.n_categories || !read_count(&text, e->data.set.n_categories - 1, ',', &out->category))
        return false;
    out->image = image;
    for (int i = 0; i < 5; i++) {
        char *behind;

        *numbers[i] = strtod(text, &behind);
        if (behind == text || !isfinite(*numbers[i]) || *behind != (i < 4 ? ',' : '\0'))
            return false;
        text = behind + (i < 4);
    }
    return true;
}

static bool get(struct evaluation *base, const struct picture *p, uint32_t side, char **fields)
{
    struct eval_detection *e = (struct eval_detection *)base;
    struct detected *of = detected_of(e, p);
    char *rest = fields[0], *size = strsep(&rest, ";");
    size_t n = rest != NULL;
    struct coco_detection *list;

    for (const char *c = rest; c && *c; c++)
        n += *c == ';';
    if (!read_count(&size, UINT32_MAX, ',', &of->width) || !read_count(&size, UINT32_MAX, '\0', &of->height) ||
        !(list = ARENA_ARRAY(&e->base.arena, n, struct coco_detection)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!read_detection(e, strsep(&rest, ";"), of->image, &list[i]))
            return false;
    of->sides[side].list = list;
    of->sides[side].n = n;
    if (!side)
        coco_place_truths(&e->data, of->image, of->width, of->height);
    return true;
}

const struct eval_task detection_task = {.preset = "tflite",
                                         .preset_of = preset_of,
                                         .whole = true,
                                         .accept_model = accept_model,
                                         .put_key = put_key,
                                         .take = take,
                                         .n_fields = 1,
                                         .put = put,
                                         .get = get};
