/* SPDX-License-Identifier: Apache-2.0 */
/* detection_flags.c - the flags of eval_detection alone. */
#include "cmd/detection/eval_detection.h"
#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct detection_flags
#define ROW          FLAG_ROW

const struct flag detection_flag_table[] = {
    ROW(INPUT, "ground_truth", FLAG_READS_PATH, truth, "", "Ground truth",
        "Read images, categories and boxes from this file: COCO's instances_*.json, or TFLite's message "
        "ObjectDetectionGroundTruth, "
        "binary or as text."),
    ROW(INPUT, "ground_truth_proto", FLAG_READS_PATH, truth_proto, "", "Ground truth proto", "Same as --ground_truth."),
    ROW(INPUT, "detections", FLAG_READS_PATH, detections, "", "Detections",
        "Run nothing, and judge the boxes of this file, a list of {\"image_id\", \"category_id\", \"bbox\": [x, y, width, height], "
        "\"score\"}."),
    ROW(INPUT, "model_output_labels", FLAG_READS_PATH, labels, "", "Model output labels",
        "Name the classes by this file, a line for each; categories of the ground truth with these names are meant."),
    ROW(INPUT, "class_map", FLAG_TAKES_WORD("auto", "ids", "coco80", "order", "labels"), class_map, "auto", "Class map",
        "Choose which category a class means: that with its number as id, with its place among COCO's 80 ids or in "
        "the ground truth, "
        "or with its name in --model_output_labels."),
    ROW(INPUT, "class_offset", FLAG_TAKES_TEXT, class_offset, "auto", "Class offset",
        "Add this to classes before. auto: 1 for ids of the tflite head, whose class 0 is the first behind the "
        "background, mostly 0 "
        "else."),
    ROW(MODEL, "head", FLAG_TAKES_WORD("auto", "tflite", "yolo", "yolov5", "yolox", "nms_free", "detr"), head, "auto", "Head",
        "Choose what outputs mean: tflite is TFLite_Detection_PostProcess, yolo that of YOLOv8 and later, nms_free "
        "[1,N,6]; auto: by "
        "their number and shapes."),
    ROW(MODEL, "output_order", FLAG_TAKES_TEXT, output_order, "", "Output order",
        "Name what each output holds, in their order: boxes,classes,scores,count, and - for other ones; without it "
        "the graph says it, "
        "or metadata, or shapes and values."),
    ROW(MODEL, "box_units", FLAG_TAKES_WORD("auto", "normalized", "pixels"), units, "auto", "Box units",
        "Take coordinates as parts of the input's sides, or as its pixels; auto: pixels if one is above 2."),
    ROW(MODEL, "score_function", FLAG_TAKES_WORD("auto", "none", "sigmoid", "softmax"), scores, "auto", "Score function",
        "Apply this to scores; auto: none if they lie between 0 and 1."),
    ROW(MODEL, "min_score", FLAG_TAKES_NUMBER(-1, 1), min_score, "-1", "Min score",
        "Leave out detections with a smaller score; -1: 0.001 for heads of YOLO, else 0."),
    ROW(MODEL, "nms_iou", FLAG_TAKES_NUMBER(0, 1), nms_iou, "0.7", "NMS IoU",
        "Of boxes of a class that overlap by more than this keep the one with the largest score, where the model does not."),
    ROW(MODEL, "max_detections", FLAG_TAKES_INT(1, 100000), max_detections, "300", "Max detections",
        "Keep this many detections of a picture; COCO counts 100 of each category."),
    ROW(OUTPUT, "shown_score", FLAG_TAKES_NUMBER(0, 1), shown_score, "0.3", "Shown score",
        "Count detections from this score on for pictures and for the agreement of two sides; average precision counts all."),
    ROW(OUTPUT, "show_wrong", FLAG_TAKES_INT(0, 1000000), show_wrong, "10", "Show wrong",
        "Print this many pictures with missed and false boxes, the worst first; --json has all."),
    ROW(OUTPUT, "debug_mode", FLAG_TAKES_BOOL, debug_mode, "false", "Debug mode", "Print the detections of each picture."),
    ROW(OUTPUT, "save_detections", FLAG_WRITES_FILE, save, "", "Save detections",
        "Write the detections to this file, in the form of COCO's results, which --detections reads."),
    ROW(OUTPUT, "output_file_path", FLAG_WRITES_FILE, output, "", "Output file path",
        "Write the figures to this file, as TFLite's protocol buffer message EvaluationStageMetrics."),
    ROW(OUTPUT, "proto_output_file_path", FLAG_WRITES_FILE, proto, "", "Proto output file path",
        "Write them to this file, as TFLite's protocol buffer message ObjectDetectionAveragePrecisionMetrics."),
    ROW(JUDGE, "min_ap", FLAG_TAKES_NUMBER(-1, 1), min_ap, "-1", "Min AP",
        "Fail (exit status 1) if the average precision is below this, from 0 to 1; -1: never."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite --ground_truth=instances.json --ground_truth_images_path=FOLDER", "run a detector"},
    {"model.tflite --use_gpu ...", "the GPU, and the CPU on the same pictures"},
    {"--ground_truth=instances.json --detections=results.json", "COCO's figures of a file"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"ground_truth=FILE", "the boxes that are there, as COCO's instances_*.json"},
    {"ground_truth_images_path=FOLDER", "the pictures"},
    {"detections=FILE", "the boxes that were found, as COCO's results"},
    {"preprocess=PRESET", "tflite, yolo, stretch, detr"},
    {"use_gpu", "run on the GPU"},
    {"save_detections=FILE", "write what was found, as COCO's results"},
    {"answers_file=FILE", "a run that was stopped goes on"},
    {"json=FILE", "write the figures as JSON"},
    {0},
};

const struct cli_help detection_help = {examples, most_used};
