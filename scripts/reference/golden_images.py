#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""golden_images.py DIR - writes with Pillow the images that cmd/input/image_test.c reads, and with NumPy what they must become.

X.png.npy and the like: the pixels that Pillow decodes X.png to, UINT8 [height,width,channels]. resized_*.npy: the picture
at another size by the formula of cmd/input/image_input.h, computed anew here; where it grows, Pillow's own bilinear filter must
agree. """
import os
import struct
import sys
import zlib

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 7, 5


def picture():
    """Smooth enough for JPEG, with no two pixels alike."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.stack([x * 40 + y, 255 - y * 50 - x, (x + y) * 20 + 5], axis=-1).astype("u1")


def bilinear(image, height, width):
    """Half-pixel centers, edges repeated; float64."""
    def taps(new, old):
        at = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
        low = np.floor(at).astype(int)
        return low, np.minimum(low + 1, old - 1), at - low

    y0, y1, fy = taps(height, image.shape[0])
    x0, x1, fx = taps(width, image.shape[1])
    f = image.astype("f8")
    fx = fx[None, :, None]
    above = f[y0][:, x0] * (1 - fx) + f[y0][:, x1] * fx
    below = f[y1][:, x0] * (1 - fx) + f[y1][:, x1] * fx
    fy = fy[:, None, None]
    return above * (1 - fy) + below * fy


def chunk(kind, data):
    """One of PNG's."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, bits, color, rows):
    """A PNG of any kind: Pillow writes no 16-bit RGB."""
    head = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def main():
    """All of them."""
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, name)

    rgb = picture()
    image = Image.fromarray(rgb)
    alpha = np.concatenate([rgb, 255 - rgb[..., :1]], axis=-1)
    image.save(path("rgb.png"), optimize=True)
    image.convert("L").save(path("gray.png"), optimize=True)
    image.convert("1").save(path("bits.png"), optimize=True)
    image.quantize(16).save(path("palette.png"), optimize=True)
    Image.fromarray(alpha).save(path("rgba.png"), optimize=True)
    image.save(path("rgb.jpg"), quality=95, optimize=True)
    image.save(path("progressive.jpg"), quality=90, progressive=True)
    image.convert("L").save(path("gray.jpg"), quality=90, optimize=True)
    image.save(path("rgb.bmp"))
    image.quantize(16).save(path("palette.bmp"))
    Image.fromarray(alpha).save(path("rgba.bmp"))
    image.save(path("rgb.ppm"))
    image.convert("L").save(path("gray.pgm"))
    for name in sorted(os.listdir(folder)):
        if name.endswith((".npy", "16.png")):
            continue
        with Image.open(path(name)) as read:
            kind = {"1": "L", "P": "RGB"}.get(read.mode, read.mode)
            pixels = np.asarray(read.convert(kind))
        if name == "rgba.bmp":
            pixels = pixels[..., :3]
        np.save(path(name + ".npy"), pixels.reshape(HEIGHT, WIDTH, -1))

    wide = (rgb.astype(">u2") * 256 + 100).astype(">u2")
    rows = b"".join(b"\0" + row.tobytes() for row in wide)
    with open(path("rgb16.png"), "wb") as file:
        file.write(png(WIDTH, HEIGHT, 16, 2, rows))
    np.save(path("rgb16.png.npy"), np.floor(wide.astype("f8") * 255 / 65535 + 0.5).astype("u1"))

    for height, width in ((10, 9), (3, 4), (1, 1)):
        resized = bilinear(rgb, height, width)
        if height >= HEIGHT and width >= WIDTH:
            other = np.asarray(image.resize((width, height), Image.Resampling.BILINEAR)).astype("f8")
            assert np.abs(other - resized).max() <= 1.01, "Pillow's filter is another"
        np.save(path(f"resized_{height}_{width}.npy"), resized.astype("f4"))


if __name__ == "__main__":
    main()
