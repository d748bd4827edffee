#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# static_test.sh BUILD [QEMU...] - what `make STATIC=` built in BUILD needs no library, runs (under QEMU, where it is named), gives
# the numbers that it should, and says plainly that it loads no GPU driver and no delegate.
#
# opcheck runs the operators of OPS (default: some whose CPU kernels differ by CPU), all of them with OPS=all.
set -u
build=$(cd "$1" && pwd)
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# check WHAT STATUS TEXT COMMAND...: the command ends with that status and has that text among what it prints.
check() {
    what=$1 status=$2 text=$3
    shift 3
    "$@" >"$tmp/out" 2>&1
    got=$?
    if [ $got -eq "$status" ] && grep -qF -- "$text" "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what: status $got, wanted $status and '$text':"
        tail -n 5 "$tmp/out"
    fi
}

tools='benchmark_model benchmark_compare inference_diff op_coverage eval_classification eval_detection eval_segmentation'
for tool in $tools opcheck; do
    check "$tool has no dynamic section" 0 'no dynamic section' env LC_ALL=C readelf -d "$build/$tool"
done
check 'models are made' 0 '' "$@" "$build/make_models" --cli "$tmp"
model=$(find "$tmp" -name '*.tflite' | LC_ALL=C sort | head -n 1)
for tool in $tools; do
    check "$tool has help" 0 usage: "$@" "$build/$tool" --help
done
check 'coverage is told' 0 Partitions "$@" "$build/op_coverage" "$model"
check 'a model runs' 0 'Inference (avg)' "$@" "$build/benchmark_model" --graph="$model" --num_runs=2 --max_secs=1
check 'the CPU agrees with itself' 0 'avg=' "$@" "$build/inference_diff" --model_file="$model" --delegate=
check 'no GPU' 3 'linked statically and loads no driver' "$@" "$build/benchmark_model" --graph="$model" --use_gpu=true
check 'no delegate' 4 'Dynamic loading not supported' "$@" "$build/benchmark_model" --graph="$model" \
    --external_delegate_path=/nonexistent.so
if [ "${OPS:-}" = all ]; then
    check 'opcheck' 0 passed "$@" "$build/opcheck" --cpu
else
    for op in ${OPS:-CONV_2D FULLY_CONNECTED DEPTHWISE_CONV_2D BATCH_MATMUL}; do
        check "opcheck $op" 0 passed "$@" "$build/opcheck" --cpu --op="$op"
    done
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
