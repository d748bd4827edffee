#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh BUILD - the tools on MobileNet v1, each command printed before what it says.
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

# Measures for a report alone.
report_gpu() {
    report=$1
    shift
    set -- "$build/benchmark_model" --graph="$model" --use_gpu=true --num_runs=20 --enable_op_profiling=true --json="$report" "$@"
    printf '\n$ %s >%s\n' "$*" "$build/demo/log"
    "$@" >"$build/demo/log" 2>&1 || { status=$?; cat "$build/demo/log"; return $status; }
}

# What choosing another kernel of convolutions by hand does; status 1 is a regression.
show_comparison() {
    mkdir -p "$build/demo"
    report_gpu "$build/demo/old.json" || return
    report_gpu "$build/demo/new.json" --gpu_variant=conv:4x1 || return
    status=0
    show "$build/benchmark_compare" "$build/demo/old.json" "$build/demo/new.json" || status=$?
    [ $status -le 1 ] || return $status
}

show "$build/benchmark_model" --graph="$model" --num_threads=2
show_gpu "$build/benchmark_model" --graph="$model" --use_gpu=true --num_runs=10 --enable_op_profiling=true
show_gpu "$build/inference_diff" --model_file="$model" --delegate=gpu --num_runs=3
show "$build/op_coverage" --graph="$model"
show_comparison || { status=$?; [ $status -eq 3 ] || exit $status; }
