#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""transforms.py [LIBDELEGAUGE_A] - holds the presets torchvision and timm:FRACTION against the transforms of these packages.

Each picture of SIZES is made by a formula, and becomes an input twice: by the preset (a program that is compiled against
build/libdelegauge.a), and by torchvision.transforms._presets.ImageClassification, which the package's own weights of ResNet have,
or by timm.data.create_transform. Prints the largest difference of each pair; ends with status 1 if any bit differs. Needs torch,
torchvision, timm, pillow and numpy of PyPI, and a C compiler. Run it by `python3 -P`, as statistics.py here has the name of a
module of Python. Pillow 13 resizes high narrow pictures first in height, the versions before never; the presets are those's.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import timm
import torch
import torchvision
from PIL import Image
from timm.data import create_transform
from torchvision.transforms._presets import ImageClassification

SIZES = [(500, 375), (375, 500), (224, 224), (256, 256), (257, 255), (100, 333), (1920, 1080), (640, 427), (31, 47), (1000, 2)]
SIDES = (224, 192, 32)
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include "lib/eval/preprocess.h"

int main(int argc, char **argv)
{
    const uint32_t w = (uint32_t)atoi(argv[2]), h = (uint32_t)atoi(argv[3]);
    const int32_t side = atoi(argv[4]);
    const size_t n = (size_t)w * h * 3, m = (size_t)side * (size_t)side * 3;
    struct tensor t = {.name = "x", .type = TYPE_FLOAT32, .rank = 4, .dim = {1, 3, side, side}, .bytes = m * 4};
    uint8_t *pixels = malloc(n);
    struct preprocess p;
    struct err err;
    size_t cut;

    t.data = malloc(m * 4);
    if (argc != 5 || fread(pixels, 1, n, stdin) != n || preprocess_preset(argv[1], &p, &err))
        return 1;
    p.layout = PREPROCESS_NCHW;
    if (preprocess_run(&p, &(struct pixels){pixels, w, h, 3}, &t, &cut, &err))
        return fprintf(stderr, "%s\n", err.msg), 1;
    return fwrite(t.data, 4, m, stdout) != m;
}
"""


def picture(width, height, seed):
    """Smooth waves with noise on them."""
    y, x, c = np.mgrid[0:height, 0:width, 0:3].astype(np.float64)
    waves = 127.5 + 90 * np.sin(x / (7 + c) + seed) * np.cos(y / (11 - c))
    return np.clip(waves + np.random.default_rng(seed).normal(0, 25, waves.shape), 0, 255).astype(np.uint8)


def transforms(side):
    """Each preset of ours, and the package's transform."""
    yield "torchvision", ImageClassification(crop_size=side, resize_size=round(side / 0.875))
    for fraction, mode in ((0.95, "bicubic"), (0.875, "bicubic"), (1.0, "bicubic")):
        yield f"timm:{fraction:g}", create_transform((3, side, side), interpolation=mode, crop_pct=fraction, is_training=False)


def main():
    """All pictures by all transforms."""
    library = sys.argv[1] if len(sys.argv) > 1 else "build/libdelegauge.a"
    print(f"torch {torch.__version__}, torchvision {torchvision.__version__}, timm {timm.__version__}, "
          f"pillow {Image.__version__}, {torch.backends.cpu.get_cpu_capability()}")
    held, different, worst = 0, 0, {}
    with tempfile.TemporaryDirectory() as tmp:
        source, program = os.path.join(tmp, "one.c"), os.path.join(tmp, "one")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run(["cc", "-std=c11", "-I.", "-o", program, source, library, "-lm"], check=True)
        for side in SIDES:
            for name, transform in transforms(side):
                for seed, (width, height) in enumerate(SIZES):
                    pixels = picture(width, height, seed)
                    out = subprocess.run([program, name, str(width), str(height), str(side)], input=pixels.tobytes(), check=True,
                                         stdout=subprocess.PIPE).stdout
                    ours = np.frombuffer(out, np.float32).reshape(3, side, side)
                    theirs = transform(Image.fromarray(pixels)).numpy()
                    off = float(np.abs(ours.astype(np.float64) - theirs).max())
                    worst[name] = max(worst.get(name, 0), off)
                    held += 1
                    if ours.tobytes() != theirs.tobytes():
                        different += 1
                        print(f"{name}, {width} x {height} to {side}: {np.count_nonzero(ours != theirs)} of {ours.size} numbers "
                              f"differ, by {off:.3g} at most")
    for name, off in worst.items():
        print(f"{name}: largest difference {off:.3g}")
    print(f"{held - different} passed, {different} failed")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
