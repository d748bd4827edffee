#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""digits.py FOLDER - writes testdata/digits: pictures of digits drawn by this script, two models that TensorFlow's converter makes
of a network trained here on others of them, and the answers of LiteRT's reference kernels, picture by picture.

digits.tflite has float32 on both sides; digits_int8.tflite is quantized, with a uint8 input and a float32 output, and has its
labels in an archive behind it. answers.txt has a line for each model, preset and picture: the first answer, the place of the right
one, and the score. The pictures are hard on purpose: some answers are wrong. Needs tensorflow, ai-edge-litert, pillow, tflite and
numpy of PyPI; weights differ from machine to machine, so that model and answers are made anew together.
"""
import os
import sys
import zipfile

import numpy as np
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

import preprocess

SIDE = 20
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
A_CLASS = 6
# Strokes in a square of 1 x 1: points of each line, from the upper left corner.
STROKES = (
    [[(.5, .1), (.78, .25), (.78, .75), (.5, .9), (.22, .75), (.22, .25), (.5, .1)]],
    [[(.3, .28), (.52, .1), (.52, .9)]],
    [[(.22, .28), (.4, .1), (.65, .1), (.78, .3), (.22, .9), (.8, .9)]],
    [[(.22, .15), (.6, .1), (.76, .28), (.5, .47), (.78, .68), (.6, .9), (.22, .84)]],
    [[(.64, .9), (.64, .1), (.2, .64), (.84, .64)]],
    [[(.76, .1), (.28, .1), (.26, .47), (.6, .42), (.78, .64), (.6, .9), (.22, .84)]],
    [[(.7, .1), (.34, .34), (.24, .66), (.42, .9), (.66, .86), (.76, .66), (.6, .5), (.26, .6)]],
    [[(.2, .1), (.8, .1), (.42, .9)]],
    [[(.5, .48), (.26, .3), (.4, .1), (.62, .1), (.74, .3), (.5, .48), (.22, .7), (.4, .9), (.62, .9), (.78, .7), (.5, .48)]],
    [[(.74, .4), (.4, .5), (.24, .34), (.34, .14), (.58, .1), (.74, .24), (.74, .5), (.56, .9)]],
)


def draw(digit, width, height, rng, hard):
    """A picture [height,width,3], uint8: the digit in its central square, turned, slanted and moved."""
    side = min(width, height) * 0.875
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    u, v = (x + 0.5 - width / 2) / side, (y + 0.5 - height / 2) / side
    turn, slant = rng.normal(0, 0.12 * hard), rng.normal(0, 0.15 * hard)
    scale_x, scale_y = rng.uniform(0.75, 1.1, 2)
    u, v = u - rng.normal(0, 0.04 * hard), v - rng.normal(0, 0.04 * hard)
    u, v = np.cos(turn) * u + np.sin(turn) * v, -np.sin(turn) * u + np.cos(turn) * v
    u, v = (u + slant * v) / scale_x + 0.5, v / scale_y + 0.5
    near = np.full(u.shape, 9.0)
    for line in STROKES[digit]:
        for (ax, ay), (bx, by) in zip(line, line[1:]):
            along = np.clip(((u - ax) * (bx - ax) + (v - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
            near = np.minimum(near, np.hypot(u - ax - along * (bx - ax), v - ay - along * (by - ay)))
    ink = np.clip((rng.uniform(0.05, 0.1) - near) * side + 0.5, 0, 1)[..., None]
    back, front = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    while abs(int(back.sum()) - int(front.sum())) < 240 / hard:
        back, front = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    noise = rng.integers(-2, 3, (height, width, 1)) * (rng.random((height, width, 1)) < 0.15) * int(8 * hard)
    return np.clip(back + (front - back) * ink + noise, 0, 255).astype(np.uint8)


def seen(pixels):
    """What a model sees in training: nearly the preset tflite."""
    h, w = pixels.shape[:2]
    side = round(min(h, w) * 0.875)
    top, left = (h - side) // 2, (w - side) // 2
    image = Image.fromarray(pixels[top:top + side, left:left + side]).resize((SIDE, SIDE), Image.BILINEAR)
    return (np.asarray(image, np.float32) - 127.5) / 127.5


def train(rng):
    """A network of 6,000 weights."""
    xs, ys = [], []
    for _ in range(600):
        for digit in range(10):
            width, height = rng.integers(24, 49, 2)
            xs.append(seen(draw(digit, int(width), int(height), rng, 1.0)))
            ys.append(digit)
    network = tf.keras.Sequential([
        tf.keras.Input((SIDE, SIDE, 3), batch_size=None),
        tf.keras.layers.Conv2D(8, 3, strides=2, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    network.compile(tf.keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
    network.fit(np.stack(xs), np.array(ys), batch_size=64, epochs=6, verbose=2)
    return network, np.stack(xs[:200])


def convert(network, samples, quantized):
    """Batch 1, with constants for weights, by the converter."""
    weights = [tf.constant(w.numpy()) for w in network.weights]

    @tf.function(input_signature=[tf.TensorSpec([1, SIDE, SIDE, 3], tf.float32, name="image")])
    def call(x):
        x = tf.nn.relu(tf.nn.conv2d(x, weights[0], 2, "SAME") + weights[1])
        x = tf.nn.relu(tf.nn.conv2d(x, weights[2], 2, "SAME") + weights[3])
        return tf.nn.softmax(tf.reshape(x, [1, -1]) @ weights[4] + weights[5])

    converter = tf.lite.TFLiteConverter.from_concrete_functions([call.get_concrete_function()])
    if quantized:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([x[None]] for x in samples)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = tf.uint8
    return converter.convert()


def answers(model, folder, names, truth, preset, file, label):
    """A line for each picture, by LiteRT's reference kernels."""
    runner = Interpreter(model_content=model, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    runner.allocate_tensors()
    source, result = runner.get_input_details()[0], runner.get_output_details()[0]
    right = 0
    for name, digit in zip(names, truth):
        pixels = np.asarray(Image.open(os.path.join(folder, name)).convert("RGB"))
        x = preprocess.resized(preset, pixels, SIDE, SIDE)
        if source["dtype"] == np.float32:
            x = preprocess.numbers(preset, x, "FLOAT32")
        elif preset == "tflite":
            x = preprocess.numbers(preset, x, "UINT8")
        else:
            scale, zero = source["quantization"]
            q = preprocess.numbers(preset, x, "FLOAT32").astype(np.float64) / np.float64(np.float32(scale))
            x = np.clip(np.sign(q) * np.floor(np.abs(q) + 0.5) + zero, 0, 255).astype(np.uint8)
        runner.set_tensor(source["index"], x[None])
        runner.invoke()
        scores = runner.get_tensor(result["index"])[0]
        order = np.argsort(-scores, kind="stable")
        place = int(np.where(order == digit)[0][0]) + 1
        right += place == 1
        file.write(f"{label} {preset} {name} {NAMES[order[0]]} {place} {scores[order[0]]:.6f}\n")
    print(f"{label} {preset}: {right} of {len(names)}")


def main():
    """Pictures, labels, models, answers."""
    folder = sys.argv[1]
    images = os.path.join(folder, "images")
    os.makedirs(images, exist_ok=True)
    tf.keras.utils.set_random_seed(49)
    rng = np.random.default_rng(49)
    network, samples = train(rng)
    models = {name: convert(network, samples, name == "digits_int8") for name in ("digits", "digits_int8")}
    for name, model in models.items():
        with open(os.path.join(folder, name + ".tflite"), "wb") as file:
            file.write(model)
    truth = [int(d) for d in rng.permutation(np.repeat(np.arange(10), A_CLASS))]
    names = []
    for i, digit in enumerate(truth):
        width, height = (int(n) for n in rng.integers(22, 44, 2))
        image = Image.fromarray(draw(digit, width, height, rng, 1.5))
        end = {7: "jpg", 21: "jpeg", 33: "bmp", 44: "ppm"}.get(i, "png")
        if i % 10 == 3:
            image = image.convert("L")
        names.append(f"{i:02}.{end}")
        image.save(os.path.join(images, names[-1]), **({"quality": 90} if end.startswith("j") else {}))
    with open(os.path.join(folder, "labels.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(NAMES) + "\n")
    with zipfile.ZipFile(os.path.join(folder, "digits_int8.tflite"), "a") as archive:  # as TensorFlow Lite's metadata writer does
        archive.writestr(zipfile.ZipInfo("labels.txt"), "\n".join(NAMES) + "\n")
    with open(os.path.join(folder, "truth.txt"), "w", encoding="utf-8") as file:
        file.writelines(NAMES[d] + "\n" for d in truth)
    with open(os.path.join(folder, "answers.txt"), "w", encoding="utf-8") as file:
        file.write("# Answers of LiteRT's reference kernels: model, preset, picture, answer, place of the right one, score.\n")
        for label, model in models.items():
            for preset in ("tflite", "torchvision"):
                answers(model, images, names, truth, preset, file, label)


main()
