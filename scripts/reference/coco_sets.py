#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coco_sets.py [--freeze] [--count=N] [--seed=N] [EVAL_DETECTION] - random ground truth and detections, and what pycocotools says.

Sets are small and hostile: images without boxes, ties, crowds, huge and empty boxes, unknown categories, ids that are 0 or stand
twice. All numbers of eval_detection (build/eval_detection) must have the bits of pycocotools. --freeze writes testdata/coco
instead: NN.truth.json, NN.found.json and NN.txt with the twelve metrics and the precision of each category, in hexadecimal.

    python3 -m venv build/venv && build/venv/bin/pip install pycocotools
    build/venv/bin/python3 scripts/reference/coco_sets.py --count=10000
"""
import argparse
import contextlib
import io
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
except ImportError as error:
    print(f"NOT RUN (coco): {error} (PyPI package pycocotools)")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

KEYS = ("ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "ar_1", "ar_10", "ar_100", "ar_small", "ar_medium", "ar_large")
FROZEN = 16


def box(draw, size, whole):
    """A box that is mostly in the image; sometimes empty, or far larger than it."""
    if draw.random() < 0.05:
        return [float(draw.choice(v)) for v in ((0, 5, -3), (0, 5), (0, 0, 1e6), (0, 1e6, 3))]
    v = [draw.uniform(-5, size), draw.uniform(-5, size), draw.uniform(0, size), draw.uniform(0, size)]
    return [float(round(x)) if whole else round(x, 3) for x in v]


def annotations(draw, images, categories, size, whole):
    """Boxes of the ground truth; a few of them contradict it."""
    found, number = [], draw.choice((0, 1, 1, 1, 1))
    for image in images:
        for _ in range(draw.choice((0, 1, 3, 8, 20) if draw.random() < 0.3 else (0, 1, 2, 5))):
            b = box(draw, size, whole)
            area = draw.choice((b[2] * b[3], b[2] * b[3] * 0.6, 1024, 9216, 0))
            found.append({"id": number, "image_id": image, "category_id": draw.choice(categories), "bbox": b, "area": area,
                          "iscrowd": int(draw.random() < 0.15)})
            number += 1
    for key in ("image_id", "category_id"):
        for _ in range(3 if draw.random() < 0.1 and found else 0):
            found.append({**draw.choice(found), key: 999, "id": number})
            number += 1
    for _ in range(3 if draw.random() < 0.05 and len(found) > 3 else 0):
        draw.choice(found)["id"] = draw.choice(found)["id"]
    draw.shuffle(found)
    return found


def detections(draw, images, categories, truths, size, whole):
    """Boxes near those of the ground truth and elsewhere, often of equal scores, sometimes more than a hundred an image."""
    scores = (0.1, 0.5, 0.9, 0, 1, -1) if draw.random() < 0.4 else None
    found = []
    for image in images:
        mine = [t for t in truths if t["image_id"] == image]
        for _ in range(draw.choice((0, 1, 4, 10, 130) if draw.random() < 0.1 else (0, 2, 6))):
            b, category = box(draw, size, whole), draw.choice(categories)
            if mine and draw.random() < 0.7:
                near = draw.choice(mine)
                category = near["category_id"] if draw.random() < 0.9 else category
                b = [round(x + draw.gauss(0, 1 + size * draw.random() / 20) * (draw.random() < 0.7), 0 if whole else 3)
                     for x in near["bbox"]]
            found.append({"image_id": image, "category_id": category, "bbox": b,
                          "score": draw.choice(scores) if scores else round(draw.random(), 4)})
    draw.shuffle(found)
    return found


def make(draw):
    """Ground truth and detections, of which there is at least one, since pycocotools fails without."""
    while True:
        images = draw.sample(range(-5, 50) if draw.random() < 0.3 else range(1, 40), draw.choice((1, 2, 4, 8)))
        categories = draw.sample(range(1, 91), draw.choice((1, 2, 3, 7)))
        size, whole = draw.choice((20, 100, 640)), draw.random() < 0.5
        truths = annotations(draw, images, categories, size, whole)
        found = detections(draw, images, categories, truths, size, whole)
        if found:
            return {"images": [{"id": i, "width": size, "height": size, "file_name": f"{i}.jpg"} for i in images],
                    "categories": [{"id": c, "name": f"class {c}"} for c in categories], "annotations": truths}, found


def reference(truth, found):
    """The twelve metrics of pycocotools, then the precision of each category."""
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = json.loads(json.dumps(truth))
        coco.createIndex()
        evaluation = COCOeval(coco, coco.loadRes(json.loads(json.dumps(found))), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    precision = evaluation.eval["precision"]
    of_categories = [precision[:, :, k, 0, 2] for k in range(precision.shape[2])]
    return [float(x) for x in evaluation.stats] + [float(numpy.mean(p[p > -1])) if (p > -1).any() else -1.0 for p in of_categories]


def freeze():
    draw, folder = random.Random(48), Path("testdata/coco")
    folder.mkdir(exist_ok=True)
    for n in range(FROZEN):
        truth, found = make(draw)
        (folder / f"{n:02}.truth.json").write_text(json.dumps(truth, separators=(",", ":")) + "\n")
        (folder / f"{n:02}.found.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
        (folder / f"{n:02}.txt").write_text("\n".join(x.hex() for x in reference(truth, found)) + "\n")
    print(f"{folder}: {FROZEN} sets")


def ours(program, truth, found, folder):
    """The same numbers by eval_detection."""
    paths = [Path(folder, name) for name in ("truth.json", "found.json", "report.json")]
    paths[0].write_text(json.dumps(truth))
    paths[1].write_text(json.dumps(found))
    done = subprocess.run([program, f"--ground_truth={paths[0]}", f"--detections={paths[1]}", f"--json={paths[2]}"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    report = json.loads(paths[2].read_text())
    return [-1.0 if x is None else float(x)
            for x in [report["metrics"][key] for key in KEYS] + [c["ap"] for c in report["categories"]]]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program", nargs="?", default="build/eval_detection")
    args = parser.parse_args()
    if args.freeze:
        freeze()
        return 0
    draw, failed = random.Random(args.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(args.count):
            truth, found = make(draw)
            wanted, got = reference(truth, found), ours(args.program, truth, found, folder)
            if wanted != got:
                failed += 1
                print(f"FAIL set {n} of seed {args.seed}: {got}, pycocotools {wanted}")
    print(f"{args.count - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
