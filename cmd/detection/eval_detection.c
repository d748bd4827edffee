/* SPDX-License-Identifier: Apache-2.0 */
/* eval_detection.c - average precision of detected boxes on a data set, as COCO defines it. */
#include "cmd/detection/eval_detection.h"

#include "cmd/host/say.h"

static enum status check_flags(const struct detection_flags *f, struct err *err)
{
    if (!*f->ground_truth)
        return err_set(err, ST_USAGE, "--ground_truth is missing: a file in the form of COCO's instances_*.json");
    if (!*f->detections)
        return err_set(err, ST_USAGE, "--detections is missing: a file in the form of COCO's results");
    return ST_OK;
}

static int evaluate(struct eval_detection *e)
{
    struct err err;
    enum status st;

    if ((st = check_flags(&e->flags, &err)) || (st = coco_read_truth(e->flags.ground_truth, &e->data, &err)) ||
        (st = coco_read_detections(e->flags.detections, &e->data, &err)) ||
        (st = coco_evaluate(&e->data.set, &e->arena, &e->metrics, &err)) || (st = detection_say(e, &err)))
        return say_error(st, &err);
    return 0;
}

int main(int argc, char **argv)
{
    static struct eval_detection e = {
        .tool = {.cli = {.tool = "eval_detection",
                         .summary = "how well boxes were detected: average precision and recall of COCO",
                         .help = &detection_help}},
    };
    int code;

    cli_add(&e.tool.cli, detection_flag_table, &e.flags);
    code = tool_begin(&e.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = evaluate(&e);
    coco_data_free(&e.data);
    arena_free(&e.arena);
    return tool_end(&e.tool, code);
}
