#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""android_sizes.py ABI BUILD: sizes of the stripped programs in BUILD, and of the GPU's part in them; status 1 beyond the limits.

The GPU's part is what the linker took of lib/gl, kernels_gl and the shaders, by its map: code, constants and tables, of all that is
in the file. Not counted are strings, which it merges with those of others, relocations, which have no owner there either, and
what is zero at first (.bss) and takes memory alone. On arm64 these files are compiled together at the link (gpu_size in the
Makefile), so that the map calls all of them by one name, and nothing else is. Where the program's segments begin tells its pages'
size, which must be 16 KB."""
import re
import struct
import sys
from pathlib import Path

# The GPU's part ought to have 270,000 bytes at most. Its limits are hardly above what it has, so that any growth is seen.
WHOLE, GPU, PAGE = 3_000_000, {"arm64-v8a": 385_200, "armeabi-v7a": 316_900, "x86_64": 428_500}, 16_384
# LLVM's linker says lto.tmp, or PROGRAM.lto.o since its version 16.
PART = re.compile(r"^ *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +[0-9]+ +(?:lto\.tmp|\S*\.lto\.\S*|ld-temp\.o|\S*obj/(?:lib/gl|kernels_gl|"
                  r"gen/shaders)\S*):\((?!\.bss)", re.MULTILINE)


def page_size(program):
    """The least alignment of the segments to load."""
    data = program.read_bytes()
    wide = data[4] == 2
    start, each, n = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54) if wide else (
        struct.unpack_from("<I", data, 28) + struct.unpack_from("<HH", data, 42))
    segments = [struct.unpack_from("<IIQQQQQQ" if wide else "<IIIIIIII", data, start + i * each) for i in range(n)]
    return min(s[7] for s in segments if s[0] == 1)


abi, build = sys.argv[1], Path(sys.argv[2])
wrong = False
for tool in ("benchmark_model", "benchmark_compare", "inference_diff", "op_coverage", "eval_classification", "eval_detection",
             "eval_segmentation"):
    whole, page = (build / tool).stat().st_size, page_size(build / tool)
    gpu = sum(int(size, 16) for size in PART.findall((build / f"{tool}.map").read_text()))
    print(f"android-check: {abi:12} {tool:18} {whole:9,} bytes of {WHOLE:,}; its GPU part {gpu:7,} of {GPU[abi]:,}; pages {page:,}")
    wrong |= whole > WHOLE or gpu > GPU[abi] or page < PAGE
    # What runs no model has nothing but an empty table of frames.
    if (tool == "benchmark_compare") != (gpu < 64):
        print(f"android-check: {abi}: {'something' if gpu else 'nothing'} of the GPU's objects is in the map of {tool}")
        wrong = True
sys.exit(wrong)
