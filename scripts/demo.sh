#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh BUILD - the three tools on MobileNet v1, each command printed before what it says.
set -eu
build=$1
model=$build/models/mobilenet_v1_1.0_224.tflite

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# Status 3 is "no GPU": the tool has said so, and the rest of the demo does without.
show_gpu() {
    show "$@" || { status=$?; [ $status -eq 3 ] || exit $status; }
}

show "$build/benchmark_model" --graph="$model" --num_threads=2
show_gpu "$build/benchmark_model" --graph="$model" --use_gpu=true --num_runs=10 --enable_op_profiling=true
show_gpu "$build/inference_diff" --model_file="$model" --delegate=gpu --num_runs=3
show "$build/op_coverage" --graph="$model"
