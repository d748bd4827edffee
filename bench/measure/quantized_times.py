#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quantized_times.py - how long a quantized network takes on the GPU against the float network of the same architecture.

  quantized_times.py [--bin build/benchmark_model] [--rounds 5] [--models DIR] [FLOAT=QUANTIZED ...]

One line for each pair: the median of the float model's times in ms, and those of the quantized model by simulation and exactly as
multiples of it. The three take turns, each `rounds` times for half a second, and times are divided within a round, so that what
else the machine does meets all of them. Exit status: 0 done, 1 a run failed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

PAIRS = [
    "float/mobilenet_v1_0.25_224=quant/mobilenet_v1_0.25_224_quant",
    "float/mlperftiny_resnet8=quant/mlperftiny_resnet8_int8",
    "float/mlperftiny_vww_96_fp32=quant/mlperftiny_vww_96_int8",
    "float/blazeface_front_2019=quant/blazeface_front_128_int8",
    "float/style_transfer_f16_384=quant/style_transfer_quantized_384",
    "float/style_transfer_f16_384=quant/style_transfer_quantized_dynamic",
]


def median_ms(args, name, flags, report):
    command = [args.bin, f"--graph={os.path.join(args.models, name)}.tflite", "--use_gpu", "--num_runs=3", "--min_secs=0.5",
               "--warmup_runs=1", "--warmup_min_secs=0", f"--json={report}", *flags]
    r = subprocess.run(command, capture_output=True, text=True, check=False)
    if r.returncode:
        sys.exit(f"{' '.join(command)}: exit {r.returncode}\n{r.stderr[-400:]}")
    with open(report, encoding="utf-8") as f:
        return json.load(f)["times_us"]["inference"]["median"] / 1000


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", default="build/benchmark_model")
    p.add_argument("--models", default="../shared/models")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("pairs", nargs="*", default=PAIRS)
    args = p.parse_args()
    print(f"{'quantized model':42s} {'float ms':>9s} {'simulate':>9s} {'exact':>9s}")
    with tempfile.TemporaryDirectory() as tmp:
        report = os.path.join(tmp, "report.json")
        for pair in args.pairs:
            base, quantized = pair.split("=")
            times, ratios = [], {"simulate": [], "exact": []}
            for _ in range(args.rounds):
                times.append(median_ms(args, base, [], report))
                for mode, of in ratios.items():
                    of.append(median_ms(args, quantized, [f"--gpu_quant={mode}"], report) / times[-1])
            print(f"{quantized:42s} {statistics.median(times):9.2f} {statistics.median(ratios['simulate']):9.2f}"
                  f" {statistics.median(ratios['exact']):9.2f}", flush=True)


if __name__ == "__main__":
    main()
