#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""preprocess.py - writes testdata/preprocess.txt: inputs that other programs make of pictures, for lib/eval/preprocess_test.c.

Resizing is that of Pillow, and of TensorFlow Lite's reference kernel of RESIZE_BILINEAR run by LiteRT; sizes, crops and numbers
follow tflite/tools/evaluation, torchvision's Resize and CenterCrop on Pillow pictures, timm's transforms_imagenet_eval, and the
letterboxes of Ultralytics and YOLOX, in NumPy on float32. A line is: preset, picture's width, height and channels, input's type,
layout, width and height, the hash of its bytes, and its first three numbers. Needs pillow, numpy, ai-edge-litert and tflite of
PyPI.
"""
import math
import sys

import flatbuffers
import numpy as np
import tflite
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)


def picture(width, height, channels):
    """Pixels by a formula that the test repeats."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    return ((x * x * 3 + y * y * 5 + x * y * 7 + c * 50 + 31) % 256).astype(np.uint8)


def resize_model(shape, size, half_pixel):
    """A model of one RESIZE_BILINEAR."""
    b = flatbuffers.Builder(1024)

    def vector(start, items, add):
        start(b, len(items))
        for item in reversed(items):
            add(item)
        return b.EndVector()

    def buffer(data):
        at = b.CreateByteVector(data) if data else None
        tflite.BufferStart(b)
        if at is not None:
            tflite.BufferAddData(b, at)
        return tflite.BufferEnd(b)

    def tensor(name, dims, kind, which):
        at, dims = b.CreateString(name), vector(tflite.TensorStartShapeVector, dims, b.PrependInt32)
        tflite.TensorStart(b)
        tflite.TensorAddShape(b, dims)
        tflite.TensorAddType(b, kind)
        tflite.TensorAddBuffer(b, which)
        tflite.TensorAddName(b, at)
        return tflite.TensorEnd(b)

    float32, int32 = tflite.TensorType.FLOAT32, tflite.TensorType.INT32
    tensors = vector(tflite.SubGraphStartTensorsVector,
                     [tensor("x", shape, float32, 0), tensor("size", [2], int32, 1),
                      tensor("y", [shape[0], *size, shape[3]], float32, 0)], b.PrependUOffsetTRelative)
    tflite.ResizeBilinearOptionsStart(b)
    tflite.ResizeBilinearOptionsAddHalfPixelCenters(b, half_pixel)
    options = tflite.ResizeBilinearOptionsEnd(b)
    ins = vector(tflite.OperatorStartInputsVector, [0, 1], b.PrependInt32)
    outs = vector(tflite.OperatorStartOutputsVector, [2], b.PrependInt32)
    tflite.OperatorStart(b)
    tflite.OperatorAddInputs(b, ins)
    tflite.OperatorAddOutputs(b, outs)
    tflite.OperatorAddBuiltinOptionsType(b, tflite.BuiltinOptions.ResizeBilinearOptions)
    tflite.OperatorAddBuiltinOptions(b, options)
    operators = vector(tflite.SubGraphStartOperatorsVector, [tflite.OperatorEnd(b)], b.PrependUOffsetTRelative)
    ins = vector(tflite.SubGraphStartInputsVector, [0], b.PrependInt32)
    outs = vector(tflite.SubGraphStartOutputsVector, [2], b.PrependInt32)
    tflite.SubGraphStart(b)
    tflite.SubGraphAddTensors(b, tensors)
    tflite.SubGraphAddInputs(b, ins)
    tflite.SubGraphAddOutputs(b, outs)
    tflite.SubGraphAddOperators(b, operators)
    graphs = vector(tflite.ModelStartSubgraphsVector, [tflite.SubGraphEnd(b)], b.PrependUOffsetTRelative)
    tflite.OperatorCodeStart(b)
    tflite.OperatorCodeAddDeprecatedBuiltinCode(b, tflite.BuiltinOperator.RESIZE_BILINEAR)
    tflite.OperatorCodeAddBuiltinCode(b, tflite.BuiltinOperator.RESIZE_BILINEAR)
    tflite.OperatorCodeAddVersion(b, 3)
    codes = vector(tflite.ModelStartOperatorCodesVector, [tflite.OperatorCodeEnd(b)], b.PrependUOffsetTRelative)
    buffers = vector(tflite.ModelStartBuffersVector, [buffer(b""), buffer(np.array(size, np.int32).tobytes())],
                     b.PrependUOffsetTRelative)
    tflite.ModelStart(b)
    tflite.ModelAddVersion(b, 3)
    tflite.ModelAddOperatorCodes(b, codes)
    tflite.ModelAddSubgraphs(b, graphs)
    tflite.ModelAddBuffers(b, buffers)
    b.Finish(tflite.ModelEnd(b), b"TFL3")
    return bytes(b.Output())


def bilinear(pixels, height, width, half_pixel=False):
    """TensorFlow Lite's reference kernel on float32 pixels."""
    runner = Interpreter(model_content=resize_model([1, *pixels.shape], [height, width], half_pixel), num_threads=1,
                         experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    runner.allocate_tensors()
    runner.set_tensor(runner.get_input_details()[0]["index"], pixels[None].astype(np.float32))
    runner.invoke()
    return runner.get_tensor(runner.get_output_details()[0]["index"])[0]


def half_away(v):
    """C's round()."""
    return math.floor(v + 0.5)


def letterboxed(corner, pixels, width, height):
    """To fit, in the middle of gray or in its upper left corner; 8 bits, as OpenCV gives them. YOLOX's has blue first."""
    h, w = pixels.shape[:2]
    scale = min(width / w, height / h)
    wide, high = (max(int(v * scale) if corner else round(v * scale), 1) for v in (w, h))
    left, top = (0, 0) if corner else (round((width - wide) / 2 - 0.1), round((height - high) / 2 - 0.1))
    out = np.full((height, width, pixels.shape[2]), 114, np.uint8)
    out[top:top + high, left:left + wide] = np.rint(bilinear(pixels, high, wide, True)).astype(np.uint8)
    return out[..., ::-1] if corner else out


def resized(preset, pixels, width, height):
    """The part of the picture that the input shows: float32, or Pillow's uint8."""
    h, w = pixels.shape[:2]
    if preset == "tflite":
        side = min(half_away(0.875 * h), half_away(0.875 * w))
        top, left = half_away((h - side) / 2), half_away((w - side) / 2)
        return bilinear(pixels[top:top + side, left:left + side], height, width)
    if preset in ("squash", "stretch"):
        return bilinear(pixels, height, width, True)
    if preset in ("yolo", "yolox"):
        return letterboxed(preset == "yolox", pixels, width, height)
    if preset == "mlperf":
        wide, high = int(width / 0.875), int(height / 0.875)
        ratio_w, ratio_h = np.float32(wide) / np.float32(w), np.float32(high) / np.float32(h)
        if ratio_w >= ratio_h:
            high = half_away(float(np.float32(h) * ratio_w))
        else:
            wide = half_away(float(np.float32(w) * ratio_h))
        out = bilinear(pixels, high, wide)
        top, left = half_away((high - height) / 2), half_away((wide - width) / 2)
    else:
        fraction = float(preset.split(":")[1]) if ":" in preset else 0.875
        size = math.floor(width / fraction) if ":" in preset else half_away(width / fraction)
        wide, high = (size, int(size * h / w)) if w <= h else (int(size * w / h), size)
        image = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
        image = image.resize((wide, high), Image.BICUBIC if ":" in preset else Image.BILINEAR)
        out = np.asarray(image).reshape(high, wide, pixels.shape[2])
        top, left = int(round((high - height) / 2.0)), int(round((wide - width) / 2.0))
    return out[top:top + height, left:left + width]


def numbers(preset, x, kind):
    """The content of the input; a quantized one of torchvision and timm has scale 0.02 and zero point 3 (uint8: 131)."""
    x = x.astype(np.float32)
    if preset in ("tflite", "mlperf", "squash"):
        if kind == "FLOAT32":
            return (x - np.float32(127.5)) * np.float32(1 / 127.5)
        return np.trunc(x - np.float32(128)).astype(np.int8) if kind == "INT8" else np.trunc(x).astype(np.uint8)
    real = x if preset == "yolox" else x / np.float32(255)
    if preset not in ("yolo", "yolox", "stretch"):
        real = (real - MEAN) / STD
    if kind == "FLOAT32":
        return real
    q = real.astype(np.float64) / np.float64(np.float32(0.02))
    q = np.sign(q) * np.floor(np.abs(q) + 0.5) + (3 if kind == "INT8" else 131)
    return np.clip(q, -128, 127).astype(np.int8) if kind == "INT8" else np.clip(q, 0, 255).astype(np.uint8)


def main():
    """All lines."""
    lines = []
    for w, h in ((23, 17), (17, 23), (64, 40), (40, 41), (9, 9), (8, 30), (101, 33)):
        for width, height in ((8, 8), (14, 14), (12, 7)):
            for preset in ("tflite", "mlperf", "torchvision", "timm:0.95", "squash", "stretch", "yolo", "yolox"):
                if width != height and preset in ("torchvision", "timm:0.95"):
                    continue
                for kind in ("FLOAT32", "UINT8", "INT8"):
                    x = numbers(preset, resized(preset, picture(w, h, 3), width, height), kind)
                    for layout in ("NHWC", "NCHW"):
                        data = np.ascontiguousarray(x if layout == "NHWC" else x.transpose(2, 0, 1))
                        value = 0
                        for byte in data.tobytes():
                            value = (value * 31 + byte) & 0xFFFFFFFF
                        first = " ".join(f"{v:.9g}" for v in data.reshape(-1)[:3])
                        lines.append(f"{preset} {w} {h} 3 {kind} {layout} {width} {height} {value:08x} {first}\n")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("# Inputs that other programs make of pictures; written by scripts/reference/preprocess.py.\n")
        file.writelines(lines)


if __name__ == "__main__":
    main()
