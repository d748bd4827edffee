/* SPDX-License-Identifier: Apache-2.0 */
/* eval_classification.c - how often a classifier is right about a folder of pictures, on a delegate and on the CPU. */
#include "cmd/classification/eval_classification.h"

#include "cmd/host/say.h"

static enum status check_flags(const struct classification *e, struct err *err)
{
    const struct classification_flags *f = &e->flags;
    const struct eval_flags *of_all = &e->base.flags;

    if (*f->image && (*of_all->images || *f->truth || *of_all->denylist || *f->csv || *f->output || *f->proto || *of_all->answers ||
                      *of_all->merge || *of_all->shard))
        return err_set(err, ST_USAGE, "--image is about one picture: it goes with no flag of a folder of them");
    if (!*f->image && !*of_all->images)
        return err_set(err, ST_USAGE, "--ground_truth_images_path=FOLDER is needed: the pictures (or --image=FILE: one)");
    if (*f->real && (*f->truth || f->label_format == LABELS_TEXT))
        return err_set(err, ST_USAGE, "--real_labels has the ground truth, as numbers: it goes with no %s",
                       *f->truth ? "--ground_truth_labels" : "--label_format=text");
    return ST_OK;
}

static enum status open_pictures(struct classification *e, struct err *err)
{
    const enum status st = classification_list(e, err);

    e->n_ranks = e->among ? e->n_among : e->labels.n;
    if (e->n_ranks > (uint32_t)e->flags.num_ranks)
        e->n_ranks = (uint32_t)e->flags.num_ranks;
    return st ? st : eval_begin(&e->base, err);
}

static enum status open_all(struct classification *e, struct err *err)
{
    enum status st;

    if ((st = eval_check_flags(&e->base, err)) || (st = check_flags(e, err)) || (st = eval_open(&e->base, err)))
        return st;
    return *e->flags.image ? classification_names(e, err) : open_pictures(e, err);
}

static void say_data(const struct classification *e)
{
    char left[EVAL_LEFT_SIZE] = "";

    eval_say_preprocessing(&e->base);
    if (*e->flags.image)
        return;
    eval_say_left(e->unlabelled, "without a label", left);
    eval_say_left(e->flags.unknown_labels == UNKNOWN_IS_SKIPPED ? e->unknown : 0, "with an unknown label", left);
    eval_say_pictures(&e->base, left);
    say_info("Ground truth: %s by %s, %u classes", e->format == LABELS_TEXT ? "names of classes" : "numbers of classes",
             e->by_folder ? "the pictures' folders"
             : e->by_name ? "the pictures' names"
                          : "the order of the pictures",
             e->labels.n);
}

static int evaluate(struct classification *e)
{
    struct err err;
    enum status st;

    if ((st = open_all(e, &err)))
        return say_error(st, &err);
    say_data(e);
    if (*e->flags.image) {
        if ((st = classification_run_one(e, &err)) || (st = classification_report_one(e, &err)))
            return say_error(st, &err);
        return 0;
    }
    if ((!e->base.merging && (st = eval_run(&e->base, &err))) || (st = classification_count(e, &err)) ||
        (st = classification_report(e, &err)) || (st = classification_write_protos(e, &err)))
        return say_error(st, &err);
    return eval_finish(&e->base);
}

int main(int argc, char **argv)
{
    static struct classification e = {
        .base = {.tool = {.cli = {.tool = "eval_classification",
                                  .summary = "how often an image classifier is right about a folder of pictures",
                                  .operand = "MODEL.tflite",
                                  .help = &classification_help},
                          .delegate_types = delegate_types},
                 .task = &classification_task},
    };
    int code = eval_tool_begin(&e.base, classification_flag_table, &e.flags, argc, argv);

    if (code == TOOL_GO_ON)
        code = evaluate(&e);
    eval_free(&e.base);
    return tool_end(&e.base.tool, code);
}
