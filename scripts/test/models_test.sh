#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# models_test.sh BUILD MODELS [planted] - runs the tools over real models where there are any.
#
# Every file of MODELS/bad must end in a right run or in one message and exit status 2, within the time limit. Models with
# golden outputs (MODELS/../golden/check.py, which needs python3 and cc) must give them, on the CPU and on the GPU. Errors
# planted in three of them must be found; `planted` does this alone, and all of it. What is not there is not run, and lines "NOT
# RUN (WHAT): why" say so. Under sanitizers (SAN) plain loops take minutes on a large model: there the reference kernels run the
# small ones of MODELS/ops.
set -u
build=$1
models=$2
alone=${3:-}
passed=0 failed=0 skipped=0
log=$build/log/models.out
float_tol=1e-4 gpu_tol=2e-4
# Small ones of INT8, UINT8 and INT16 activations; scripts/test/quantized_test.py, nightly, holds all.
quantized='ops/litert_static_w8_a16*,quant/blazeface_front_128_int8,quant/coral_mobilenet_v1_0.25_128_quant'
quantized=$quantized,quant/ds_cnn_small_int16,quant/mlperftiny_kws_int8,quant/mltk_fingerprint_signature
mkdir -p "$build/log"

fail() {
    failed=$((failed + 1))
    printf 'FAIL %s\n' "$1"
}

not_run() {     # not_run WHAT WHY
    skipped=$((skipped + 1))
    printf 'NOT RUN (%s): %s\n' "$1" "$2"
}

# One run each; 124 is timeout's own status.
check_bad() {
    timeout 60 "$build/benchmark_model" --graph="$1" --num_runs=1 --warmup_runs=0 --min_secs=0 --warmup_min_secs=0 >"$log" 2>&1
    status=$?
    case $status in
    0) passed=$((passed + 1)) ;;
    2) if [ "$(grep '^ERROR: ' "$log" | grep -cvx 'ERROR: Benchmarking failed\.')" -eq 1 ]; then
           passed=$((passed + 1))
       else
           fail "$1: exit status 2 without one message: $(tail -n 2 "$log")"
       fi ;;
    *) fail "$1: exit status $status: $(tail -n 2 "$log")" ;;
    esac
    timeout 60 "$build/op_coverage" --graph="$1" >"$log" 2>&1
    status=$?
    case $status in
    0 | 2) passed=$((passed + 1)) ;;
    *) fail "op_coverage $1: exit status $status: $(tail -n 2 "$log")" ;;
    esac
}

# check_golden WHAT FLAGS...: adds up what check.py says.
check_golden() {
    echo "$1:"
    shift
    python3 "$models/../golden/check.py" --bin "$build/benchmark_model" --models "$models" --quiet "$@" >"$log" 2>&1
    cat "$log"
    line=$(tail -n 1 "$log")
    case $line in
    [0-9]*' passed, '[0-9]*' failed, '[0-9]*' skipped')
        # shellcheck disable=SC2086
        set -- $line
        passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5)) ;;
    *) fail "check.py: $line" ;;
    esac
}

# add_up TITLE SCRIPT ARGUMENT...: adds up what a script says.
add_up() {
    echo "$1:"
    script=$2
    shift 2
    python3 "scripts/test/$script" "$build" "$@" >"$log" 2>&1
    cat "$log"
    # shellcheck disable=SC2046
    set -- $(tail -n 1 "$log")
    case $* in
    [0-9]*' passed, '[0-9]*' failed, '[0-9]*' skipped') passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5)) ;;
    *) fail "$script: $*" ;;
    esac
}

# What TFLite's own delegate said of each model, and what its rule set says. Under sanitizers it takes too long.
check_log() {
    if [ ! -f "$models/../golden/tflite_gpu_log.json" ] || ! command -v python3 >/dev/null; then
        not_run models "the rule set tflite-gpu against TFLite's log: no $models/../golden/tflite_gpu_log.json, or no python3"
    elif [ -z "${SAN:-}" ]; then
        add_up "The rule set tflite-gpu" tflite_log_test.py "$models"
    fi
}

# Nodes and dispatches.
check_counts() {
    if [ ! -d "$models/float" ] || ! command -v python3 >/dev/null; then
        not_run models "how much of real models the GPU takes: there is no $models/float, or no python3"
        return
    fi
    add_up "GPU, nodes and dispatches" gpu_counts_test.py "$models"
}

# Small models that stand for faults which users met.
check_cases() {
    if [ ! -d "$models/../cases" ] || ! command -v python3 >/dev/null; then
        not_run models "models that stand for faults: there is no $models/../cases, or no python3"
        return
    fi
    add_up "Models that stand for faults" cases_test.py "$models/../cases"
}

# check_planted MODEL FAULT NODE OUTPUT: an error planted at the node that makes this output is found node by node, by trying
# ranges, and, again node by node, in the part that is cut out of the model.
check_planted() {
    part=$build/log/part.tflite
    plant=--dummy_delegate_options=plant:$2@$4
    rm -f "$part"
    timeout 120 "$build/inference_diff" "$models/float/$1.tflite" --use_dummy_delegate "$plant" --num_runs=1 --repeat=1 --per_op \
        --bisect --extract="$part" >"$log" 2>&1
    status=$?
    timeout 60 "$build/inference_diff" "$part" --use_dummy_delegate "$plant" --num_runs=1 --repeat=1 --per_op >"$log.part" 2>&1
    in_part=$?
    if [ $status -eq 1 ] && [ $in_part -eq 1 ] && grep -q "^! *$3 " "$log" && grep -q "^Off by itself: node $3 " "$log" &&
        grep -q "^! .* $4 " "$log.part"; then
        passed=$((passed + 1))
    else
        fail "$1: $2 at node $3: exit $status, of its part $in_part:
$(grep -hE '^(!|Off|Extracted|Nothing|ERROR)' "$log" "$log.part")"
    fi
}

# check_nowhere MODEL FAULT NODE...: there it would spoil nothing, which is refused.
check_nowhere() {
    what="$1: $2" file=$models/float/$1.tflite fault=$2
    shift 2
    for node; do
        "$build/op_coverage" "$file" --delegate=dummy --dummy_delegate_options="plant:$fault@$node" >"$log" 2>&1
        status=$?
        if [ $status -eq 2 ] && grep -qE 'nothing to plant|cannot be planted here' "$log"; then
            passed=$((passed + 1))
        else
            fail "$what at node $node: exit $status, though the model has no such place: $(tail -n 1 "$log")"
        fi
    done
}

# Each fault in each of the models. MobileNet has no ADD, and what an ADD of face_landmark makes is read once, by a PRELU.
planted() {
    m=mobilenet_v1_0.25_224
    check_planted $m padding 5 MobilenetV1/MobilenetV1/Conv2d_3_depthwise/Relu6
    check_planted $m overflow 10 MobilenetV1/MobilenetV1/Conv2d_5_pointwise/Relu6
    check_planted $m nan 0 MobilenetV1/MobilenetV1/Conv2d_0/Relu6
    check_planted $m swap 28 MobilenetV1/Logits/Conv2d_1c_1x1/BiasAdd
    check_planted $m stale 9 MobilenetV1/MobilenetV1/Conv2d_5_depthwise/Relu6
    check_nowhere $m alias ADD
    m=face_landmark
    check_planted $m padding 7 depthwise_conv2d_1
    check_planted $m overflow 33 p_re_lu_4
    check_planted $m nan 59 channel_padding_2
    check_planted $m swap 45 depthwise_conv2d_5
    check_planted $m stale 26 max_pooling2d_1
    check_nowhere $m alias 11 20 31 40 49 60 69 78 89 98 107 117 126 135 145 154 170 171 198 199
    m=deeplabv3_257_mv_gpu
    check_planted $m alias 16 MobilenetV2/expanded_conv_4/add
    [ -n "$alone" ] || return 0    # of the others each takes 5 s
    check_planted $m padding 4 MobilenetV2/expanded_conv_1/depthwise/Relu6
    check_planted $m overflow 62 image_pooling/Relu
    check_planted $m nan 65 concat
    check_planted $m swap 49 MobilenetV2/expanded_conv_13/project/BatchNorm/FusedBatchNorm
    check_planted $m stale 22 MobilenetV2/expanded_conv_6/depthwise/Relu6
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}

if [ ! -d "$models" ]; then
    not_run models "real models: there is no folder $models (MODELS=DIR names another)"
    finish
fi
if [ -n "${SAN:-}" ]; then
    not_run sanitizers "errors planted in real models"
elif [ ! -f "$models/float/deeplabv3_257_mv_gpu.tflite" ]; then
    not_run models "errors planted in real models: there is no $models/float/deeplabv3_257_mv_gpu.tflite"
else
    planted
fi
[ -z "$alone" ] || finish
n=0
for f in "$models"/bad/*; do
    [ -f "$f" ] || continue
    n=$((n + 1))
    check_bad "$f"
done
[ $n -gt 0 ] || not_run models "broken models: $models/bad holds none"
check_log
check_counts
check_cases
if [ ! -f "$models/../golden/check.py" ]; then
    not_run models "real models against golden outputs: there is no $models/../golden/check.py"
elif ! command -v python3 >/dev/null || ! command -v cc >/dev/null; then
    not_run models "real models against golden outputs: python3 or cc is missing"
else
    if [ -z "${SAN:-}" ]; then
        check_golden "CPU, reference kernels" --tol $float_tol --flags=--cpu_kernels=reference
    else
        check_golden "CPU, reference kernels" --only 'ops/*' --tol $float_tol --flags=--cpu_kernels=reference
        not_run sanitizers "reference kernels on large models"
    fi
    check_golden "CPU, fast kernels" --tol $float_tol --int-tol 0 --flags=--cpu_kernels=fast
    if "$build/benchmark_model" --list_gpus >/dev/null 2>&1; then
        check_golden "GPU, float32" --only 'float/*' --tol $gpu_tol --flags=--use_gpu=true
        check_golden "GPU, quantized" --only "$quantized" --tol $gpu_tol --int-tol 0 --flags=--use_gpu=true
        [ -n "${SAN:-}" ] ||
            add_up "GPU, quantized, in steps" quantized_test.py "$models" 'quant/*mobilenet*v2*' 'quant/mlperftiny_*'
    else
        not_run gpu "real models on the GPU"
    fi
fi
finish
