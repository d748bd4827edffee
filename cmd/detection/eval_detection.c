/* SPDX-License-Identifier: Apache-2.0 */
/* eval_detection.c - average precision of detected boxes on a data set, as COCO defines it: of a file, or of a model that is run.
 */
#include "cmd/detection/eval_detection.h"

#include <string.h>

#include "cmd/host/say.h"

static enum status check_truth(struct eval_detection *e, struct err *err)
{
    struct detection_flags *f = &e->flags;

    if (*f->truth && *f->truth_proto)
        return err_set(err, ST_USAGE, "--ground_truth and --ground_truth_proto name one file: give either");
    if (!*f->truth)
        f->truth = f->truth_proto;
    return *f->truth ? ST_OK
                     : err_set(err, ST_USAGE,
                               "--ground_truth is missing: a file in the form of COCO's instances_*.json, or TFLite's "
                               "ObjectDetectionGroundTruth");
}

/* --detections runs nothing. */
static enum status check_file(const struct eval_detection *e, struct err *err)
{
    const struct eval_flags *f = &e->base.flags;
    const bool model = *eval_model_path(f) || e->base.tool.cli.n_operands;

    if (model || *f->images || *f->answers || *f->merge || *f->shard || *f->delegate || delegates_wanted(&e->base.tool.delegates) ||
        *e->flags.save || *e->flags.output || *e->flags.proto || *f->html)
        return err_set(err, ST_USAGE,
                       "--detections has what a model found: it goes with no model, pictures, delegate or files of runs");
    return ST_OK;
}

static enum status check_run(struct eval_detection *e, struct err *err)
{
    struct detection_flags *f = &e->flags;
    const struct eval_flags *of_all = &e->base.flags;
    int64_t offset;

    if (!*of_all->images)
        return err_set(err, ST_USAGE,
                       "--detections is missing: a file in the form of COCO's results; or a model and "
                       "--ground_truth_images_path=FOLDER, to run it");
    if (of_all->crop || of_all->crop_fraction > 0)
        return err_set(err, ST_USAGE, "--crop and --crop_fraction: boxes are wanted of the whole picture");
    e->class_offset = CLASS_OFFSET_AUTO;
    if (strcmp(f->class_offset, "auto") != 0) {
        if (!flag_read_int(f->class_offset, -1000, 1000, &offset))
            return err_set(err, ST_USAGE, "--class_offset=%.40s: auto or a number from -1000 to 1000 is expected", f->class_offset);
        e->class_offset = (int32_t)offset;
    }
    e->detector = (struct detector){.head = f->head,
                                    .units = f->units,
                                    .scores = f->scores,
                                    .min_score = f->min_score,
                                    .nms_iou = f->nms_iou,
                                    .most = (uint32_t)f->max_detections};
    if (*f->output_order && detector_read_order(f->output_order, &e->detector, err))
        return err_prefix(err, ST_USAGE, "--output_order");
    return ST_OK;
}

static int judge_file(struct eval_detection *e)
{
    struct err err;
    enum status st;

    if ((st = check_file(e, &err)) || (st = coco_read_truth(e->flags.truth, &e->data, &err)))
        return say_error(st, &err);
    if (e->data.normalized)
        st = err_set(&err, ST_USAGE,
                     "%s: its boxes are parts of pictures, whose sizes only a run tells: --detections needs COCO's form",
                     e->flags.truth);
    if (st || (st = coco_read_detections(e->flags.detections, &e->data, &err)) || (st = detection_count_file(e, &err)) ||
        (st = detection_say(e, &err)))
        return say_error(st, &err);
    return 0;
}

static void say_data(const struct eval_detection *e)
{
    char left[EVAL_LEFT_SIZE] = "", images[SAY_COUNT_SIZE];

    eval_say_preprocessing(&e->base);
    eval_say_left(e->unlisted, "that the ground truth does not list", left);
    eval_say_pictures(&e->base, left);
    say_info("Ground truth: %s, %zu boxes of %u categories", say_count(e->data.set.n_images, "image", images), e->data.set.n_truths,
             e->data.set.n_categories);
    if (e->missing)
        say_warn("%s of the ground truth %s not in the folder, and left out of the figures", say_count(e->missing, "image", images),
                 e->missing == 1 ? "is" : "are");
}

static int run(struct eval_detection *e)
{
    struct evaluation *base = &e->base;
    struct err err;
    enum status st;

    if ((st = eval_check_flags(base, &err)) || (st = check_run(e, &err)) || (st = eval_open(base, &err)) ||
        (st = detection_list(e, &err)) || (st = eval_begin(base, &err)))
        return say_error(st, &err);
    say_data(e);
    if (!base->merging && ((st = detection_probe(e, &err)) || (st = eval_run(base, &err))))
        return say_error(st, &err);
    if ((st = detection_count(e, &err)) || (st = detection_report(e, &err)) || (st = detection_save(e, &err)) ||
        (st = detection_write_protos(e, &err)))
        return say_error(st, &err);
    return eval_finish(base);
}

static int evaluate(struct eval_detection *e)
{
    struct err err;
    const enum status st = check_truth(e, &err);

    if (st)
        return say_error(st, &err);
    return *e->flags.detections ? judge_file(e) : run(e);
}

int main(int argc, char **argv)
{
    static struct eval_detection e = {
        .base = {.tool = {.cli = {.tool = "eval_detection",
                                  .summary = "how well boxes are detected: average precision and recall of COCO",
                                  .operand = "MODEL.tflite",
                                  .help = &detection_help},
                          .delegate_types = delegate_types},
                 .task = &detection_task},
    };
    int code = eval_tool_begin(&e.base, detection_flag_table, &e.flags, argc, argv);

    if (code == TOOL_GO_ON)
        code = evaluate(&e);
    detector_free(&e.detector);
    coco_data_free(&e.data);
    eval_free(&e.base);
    return tool_end(&e.base.tool, code);
}
