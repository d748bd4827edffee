#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""detectors.py --freeze=FOLDER MODELS - writes testdata/detection: pictures of colored blocks, their boxes in three forms, and the
figures that pycocotools gives for the detectors of make_models (a folder of them, MODELS), run by LiteRT.
detectors.py MODEL… [--program=EVAL_DETECTION] [--preprocess=PRESET] - runs each model on the same pictures by LiteRT and by
eval_detection (build/eval_detection), and compares the detections, box by box.

Preprocessing, heads, suppression and the way back to the picture are written here a second time, in NumPy.
annotations/instances.json has the form of COCO, truth.pb and truth.pbtxt that of TensorFlow Lite's ObjectDetectionGroundTruth.
Needs numpy, pillow, pycocotools, ai-edge-litert and tflite of PyPI.
"""
import argparse
import contextlib
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import preprocess

CATEGORIES = ((1, "red"), (2, "green"), (3, "blue"))
SIZES = ((48, 48), (64, 40), (40, 64), (32, 32), (90, 60), (50, 50), (36, 72), (33, 31))
MODELS = {"ssd": "tflite", "ssd_reversed": "tflite", "plain": "tflite", "yolo": "yolo", "yolo_last": "stretch", "nms_free": "yolo",
          "detr": "detr", "detr_none": "detr"}
KEYS = ("ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "ar_1", "ar_10", "ar_100", "ar_small", "ar_medium", "ar_large")


# ---- pictures and their boxes ----

def draw(rng, width, height):
    """A picture of blocks near the cells of the detectors, and for each block its color and box."""
    pixels = np.full((height, width, 3), rng.integers(30, 70, 3), np.uint8)
    blocks = []
    for _ in range(rng.integers(1, 5)):
        w, h = (round(side * rng.uniform(0.36, 0.5)) for side in (width, height))
        x, y = (round(side * (rng.integers(0, 4) + rng.uniform(0.5, 0.9)) / 4 - part / 2)
                for side, part in ((width, w), (height, h)))
        x, y = min(max(x, 0), width - w), min(max(y, 0), height - h)
        color = int(rng.integers(0, 3))
        pixels[y:y + h, x:x + w] = rng.integers(10, 90, 3)
        pixels[y:y + h, x:x + w, color] = rng.integers(190, 256)
        blocks.append((color, [int(v) for v in (x, y, w, h)]))
    return pixels, blocks


def varint(value):
    """A whole number of protocol buffers."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def piece(number, data):
    """A field of bytes."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def write_messages(folder, images, annotations):
    """ObjectDetectionGroundTruth, binary and as text."""
    binary, text = b"", ""
    for image in images:
        body, lines = b"", ""
        for a in (a for a in annotations if a["image_id"] == image["id"]):
            x, y, w, h = a["bbox"]
            sides = (y / image["height"], (y + h) / image["height"], x / image["width"], (x + w) / image["width"])
            box = b"".join(varint(i + 1 << 3 | 5) + struct.pack("<f", s) for i, s in enumerate(sides))
            body += piece(1, varint(1 << 3) + varint(a["category_id"]) + piece(2, box))
            names = ("top", "bottom", "left", "right")
            lines += "  objects {\n    class_id: %d\n    bounding_box {\n%s    }\n  }\n" % (
                a["category_id"], "".join(f"      normalized_{n}: {s!r}\n" for n, s in zip(names, sides)))
        body += piece(2, image["file_name"].encode()) + varint(3 << 3) + varint(image["id"])
        binary += piece(1, body)
        text += "detection_results {\n%s  image_name: \"%s\"\n  image_id: %d\n}\n" % (lines, image["file_name"], image["id"])
    with open(os.path.join(folder, "annotations", "truth.pb"), "wb") as f:
        f.write(binary)
    with open(os.path.join(folder, "annotations", "truth.pbtxt"), "w", encoding="ascii") as f:
        f.write(text)


def write_pictures(folder):
    """All but the figures."""
    rng = np.random.default_rng(4949)
    images, annotations = [], []
    for inner in ("images", "annotations"):
        os.makedirs(os.path.join(folder, inner), exist_ok=True)
    for i, (width, height) in enumerate(SIZES):
        pixels, blocks = draw(rng, width, height)
        name = f"{i:02}.png"
        Image.fromarray(pixels).save(os.path.join(folder, "images", name), optimize=True)
        images.append({"id": 7 * i + 3, "file_name": name, "width": width, "height": height})
        for color, (x, y, w, h) in blocks if i != 5 else ():  # picture 5 has no boxes
            annotations.append({"id": len(annotations) + 1, "image_id": 7 * i + 3, "category_id": CATEGORIES[color][0],
                                "bbox": [x, y, w, h], "area": w * h, "iscrowd": 0})
    truth = {"images": images, "categories": [{"id": i, "name": n} for i, n in CATEGORIES], "annotations": annotations}
    with open(os.path.join(folder, "annotations", "instances.json"), "w", encoding="ascii") as f:
        json.dump(truth, f, separators=(",", ":"))
        f.write("\n")
    write_messages(folder, images, annotations)


# ---- inputs ----

def prepared(preset, pixels, side_w, side_h, kind):
    """The input [H,W,3], and (scale x, scale y, left, top) of pixels in it."""
    h, w = pixels.shape[:2]
    where = (side_w / w, side_h / h, 0, 0)
    if preset == "detr":
        x = np.asarray(Image.fromarray(pixels).resize((side_w, side_h), Image.BILINEAR))
    elif preset == "tflite":
        x = preprocess.bilinear(pixels, side_h, side_w)
    else:
        x = preprocess.resized(preset, pixels, side_w, side_h)
    if preset in ("yolo", "yolox"):
        scale = min(side_w / w, side_h / h)
        left, top = (round((side - round(v * scale)) / 2 - 0.1) for side, v in ((side_w, w), (side_h, h)))
        where = (scale, scale, 0, 0) if preset == "yolox" else (scale, scale, left, top)
    return preprocess.numbers(preset, x, "UINT8" if kind == np.uint8 else "FLOAT32"), where


# ---- heads ----

def corners_of(centers):
    """Corners of boxes with center and size."""
    return np.concatenate([centers[:, :2] - centers[:, 2:] / 2, centers[:, :2] + centers[:, 2:] / 2], 1)


def overlap(a, b):
    """Intersection over union of corners."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(w, 0) * max(h, 0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def suppressed(found):
    """By class, above 0.7; the 300 best."""
    kept = []
    for one in sorted(found, key=lambda f: -f[1]):
        if len(kept) < 300 and not any(k[2] == one[2] and overlap(k[0], one[0]) > 0.7 for k in kept):
            kept.append(one)
    return kept


def each_class(boxes, scores):
    """A detection for each box and class."""
    return [(boxes[i], scores[i, c], c) for i, c in zip(*np.nonzero(scores >= 0.001))]


def cells(width, height):
    """Left and top of cells, in cells, and their stride."""
    rows = [(x, y, s) for s in (8, 16, 32) for y in range(height // s) for x in range(width // s)]
    return np.array(rows, np.float64)


def decoded(name, outputs, width, height):
    """(corners in the input's pixels, score, class) of outputs [(name, values)]."""
    values = [np.asarray(v, np.float64) for _, v in outputs]
    sides = np.array([width, height, width, height], np.float64)
    if len(values) == 4:
        where = {"ssd_reversed": (3, 2, 1, 0), "plain": (1, 3, 0, 2)}.get(name, (0, 1, 2, 3))
        boxes, classes, scores, count = (values[i].reshape(-1, 4) if i == where[0] else values[i].reshape(-1) for i in where)
        n = int(count[0])
        return [(boxes[i][[1, 0, 3, 2]] * sides, scores[i], int(classes[i])) for i in range(n)]
    if len(values) == 2:
        boxes, logits = (values if values[0].shape[-1] == 4 and name != "detr_none" else values[::-1])
        boxes, logits = corners_of(boxes[0]) * sides, logits[0]
        if name == "detr_none":
            share = np.exp(logits - logits.max(1, keepdims=True))
            share = share / share.sum(1, keepdims=True)
            return [(b, s[:-1].max(), int(s[:-1].argmax())) for b, s in zip(boxes, share)]
        share = 1 / (1 + np.exp(-logits)) if logits.min() < 0 or logits.max() > 1 else logits
        return [(boxes[i], share[i, c], c) for i in range(len(boxes)) for c in range(share.shape[1])]
    rows = values[0][0]
    if rows.shape[-1] == 85 and len(rows) == len(cells(width, height)):
        grid = cells(width, height)
        boxes = np.concatenate([(rows[:, :2] + grid[:, :2]) * grid[:, 2:], np.exp(rows[:, 2:4]) * grid[:, 2:]], 1)
        return suppressed(each_class(corners_of(boxes), rows[:, 5:] * rows[:, 4:5]))
    if rows.shape[1] == 6:
        unit = sides if np.abs(rows[:, :4]).max() <= 2 else 1
        return [(r[:4] * unit, r[4], int(r[5])) for r in rows if r[4] >= 0.001]
    rows = rows if rows.shape[0] > rows.shape[1] else rows.T
    unit = sides if np.abs(rows[:, :4]).max() <= 2 else 1
    return suppressed(each_class(corners_of(rows[:, :4] * unit), rows[:, 4:]))


# ---- runs ----

def category_of(outputs, found, truth):
    """The id of a class: 80 classes leave COCO's gaps out; TFLite's operator begins behind the background."""
    if len(outputs) == 1 and outputs[0][1].shape[-1] == 85:
        return [i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83)][found]
    if len(outputs) == 4:
        return found + 1
    return truth["categories"][found]["id"] if found < len(truth["categories"]) else None


def run_model(path, name, preset, folder, truth):
    """Detections in the form of COCO's results."""
    runner = Interpreter(path, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    runner.allocate_tensors()
    source, results = runner.get_input_details()[0], []
    first = source["shape"][1] == 3
    side_h, side_w = (int(v) for v in (source["shape"][2:4] if first else source["shape"][1:3]))
    for image in truth["images"]:
        pixels = np.asarray(Image.open(os.path.join(folder, "images", image["file_name"])).convert("RGB"))
        x, (sx, sy, left, top) = prepared(preset, pixels, side_w, side_h, source["dtype"])
        runner.set_tensor(source["index"], (x.transpose(2, 0, 1) if first else x)[None])
        runner.invoke()
        outputs = [(o["name"], runner.get_tensor(o["index"])) for o in runner.get_output_details()]
        found = sorted(decoded(name, outputs, side_w, side_h), key=lambda f: -f[1])[:300]
        for (x0, y0, x1, y1), score, kind in found:
            x0, x1, y0, y1 = (x0 - left) / sx, (x1 - left) / sx, (y0 - top) / sy, (y1 - top) / sy
            if preset in ("yolo", "yolox"):
                x0, x1 = (min(max(v, 0), image["width"]) for v in (x0, x1))
                y0, y1 = (min(max(v, 0), image["height"]) for v in (y0, y1))
            category = category_of(outputs, kind, truth)
            if category in [c["id"] for c in truth["categories"]]:
                results.append({"image_id": image["id"], "category_id": category, "score": float(score),
                                "bbox": [float(x0), float(y0), float(x1 - x0), float(y1 - y0)]})
    return results


def figures(truth, results):
    """The twelve of pycocotools."""
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = truth
        coco.createIndex()
        judge = COCOeval(coco, coco.loadRes(results), "bbox")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    return judge.stats


def freeze(folder, models):
    """Everything in testdata/detection."""
    write_pictures(folder)
    with open(os.path.join(folder, "annotations", "instances.json"), encoding="ascii") as f:
        truth = json.load(f)
    with open(os.path.join(folder, "figures.txt"), "w", encoding="ascii") as f:
        for name, preset in MODELS.items():
            results = run_model(os.path.join(models, name + ".tflite"), name, preset, folder, truth)
            values = figures(truth, results)
            f.write(f"{name} {preset} {len(results)} " + " ".join(f"{k}={v:.6f}" for k, v in zip(KEYS, values)) + "\n")


# ---- comparison ----

def compare(path, program, preset, folder, truth, truth_path):
    """Prints the largest differences; false if a detection of either is not one of the other."""
    name = os.path.splitext(os.path.basename(path))[0]
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "found.json")
        command = [program, path, f"--ground_truth={truth_path}", f"--ground_truth_images_path={folder}/images",
                   f"--save_detections={out}", "--cpu_kernels=reference", f"--preprocess={preset}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name}: {done.stderr.strip()}")
            return False
        with open(out, encoding="ascii") as f:
            ours = json.load(f)
    theirs, left, box, score = run_model(path, name, preset, folder, truth), list(ours), 0.0, 0.0
    for one in theirs:
        alike = [o for o in left if o["image_id"] == one["image_id"] and o["category_id"] == one["category_id"]]
        if not alike:
            print(f"{name}: {one} is not found")
            return False
        best = min(alike, key=lambda o: max(abs(np.array(o["bbox"]) - one["bbox"]).max(), abs(o["score"] - one["score"])))
        left.remove(best)
        box, score = max(box, abs(np.array(best["bbox"]) - one["bbox"]).max()), max(score, abs(best["score"] - one["score"]))
    print(f"{name}: {len(theirs)} and {len(ours)} detections; boxes differ by {box:.3g} pixels, scores by {score:.3g}")
    return not left and box < 0.5 and score < 0.01


def main():
    """Freeze or compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--freeze")
    parser.add_argument("--program", default="build/eval_detection")
    parser.add_argument("--preprocess")
    given = parser.parse_args()
    if given.freeze:
        freeze(given.freeze, given.models[0])
        return
    with tempfile.TemporaryDirectory() as folder:
        write_pictures(folder)
        path, good = os.path.join(folder, "annotations", "instances.json"), True
        with open(path, encoding="ascii") as f:
            truth = json.load(f)
        for model in given.models:
            name = os.path.splitext(os.path.basename(model))[0]
            if name not in MODELS:
                truth["categories"] = [{"id": i, "name": f"class {i}"} for i in range(1, 91) if
                                       i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83)]
                with open(path, "w", encoding="ascii") as f:
                    json.dump(truth, f)
            preset = given.preprocess or MODELS.get(name, "yolox" if "yolox" in name else "tflite")
            good &= compare(model, given.program, preset, folder, truth, path)
    sys.exit(not good)


if __name__ == "__main__":
    main()
