/* SPDX-License-Identifier: Apache-2.0 */
/* eval_segmentation.c - how well a model segments a folder of pictures, on a delegate and on the CPU. */
#include "cmd/segmentation/eval_segmentation.h"

#include <stdlib.h>

#include "cmd/host/say.h"

enum { MOST_COLORS = 256 };

static enum status check_flags(const struct segmentation *e, struct err *err)
{
    const struct segmentation_flags *f = &e->flags;
    const struct eval_flags *of_all = &e->base.flags;

    if (!*of_all->images)
        return err_set(err, ST_USAGE, "--ground_truth_images_path=FOLDER is needed: the pictures");
    if (!*f->truth)
        return err_set(err, ST_USAGE, "--ground_truth_labels_path=FOLDER is needed: a map of labels for each picture");
    if (*of_all->merge && *f->save)
        return err_set(err, ST_USAGE, "--merge runs nothing: it goes with no --save_labels");
    return ST_OK;
}

static enum status check_save(const struct segmentation *e, struct err *err)
{
    struct encoded png;
    struct label_map *map;
    enum status st;

    if (!*e->flags.save)
        return ST_OK;
    if (e->labels.n > MOST_COLORS)
        return err_set(err, ST_USAGE, "--save_labels: a PNG has %d colors, and the model %u classes", MOST_COLORS, e->labels.n);
    if (!(map = label_map_new(1, 1)))
        return err_set(err, ST_NOMEM, "--save_labels: out of memory");
    st = segmentation_png(e, map, &png, err);
    free(map);
    free(png.data);
    return st ? err_prefix(err, st, "--save_labels") : ST_OK;
}

static enum status open_all(struct segmentation *e, struct err *err)
{
    enum status st;

    e->way = e->flags.resize;
    if ((st = eval_check_flags(&e->base, err)) || (st = check_flags(e, err)) || (st = eval_open(&e->base, err)) ||
        (st = segmentation_list(e, err)) || (st = check_save(e, err)))
        return st;
    return eval_begin(&e->base, err);
}

static void say_data(const struct segmentation *e)
{
    char left[EVAL_LEFT_SIZE] = "", text[SEGMENTATION_TEXT_SIZE];

    eval_say_preprocessing(&e->base);
    eval_say_left(e->without_map, "without a map", left);
    eval_say_pictures(&e->base, left);
    say_info("Answer: %s", segmentation_text(e, text));
}

static int evaluate(struct segmentation *e)
{
    struct err err;
    enum status st;

    if ((st = open_all(e, &err)))
        return say_error(st, &err);
    say_data(e);
    if ((!e->base.merging && (st = eval_run(&e->base, &err))) || (st = segmentation_count(e, &err)) ||
        (st = segmentation_report(e, &err)))
        return say_error(st, &err);
    return eval_finish(&e->base);
}

int main(int argc, char **argv)
{
    static struct segmentation e = {
        .base = {.tool = {.cli = {.tool = "eval_segmentation",
                                  .summary = "how well a model segments a folder of pictures: mean IoU, and per class",
                                  .operand = "MODEL.tflite",
                                  .help = &segmentation_help},
                          .delegate_types = delegate_types},
                 .task = &segmentation_task},
    };
    int code = eval_tool_begin(&e.base, segmentation_flag_table, &e.flags, argc, argv);

    if (code == TOOL_GO_ON)
        code = evaluate(&e);
    segmentation_drop_kept(&e);
    free(e.first);
    eval_free(&e.base);
    return tool_end(&e.base.tool, code);
}
