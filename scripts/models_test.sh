#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# models_test.sh BUILD MODELS - runs the tools over real models where there are any.
#
# Every file of MODELS/bad must end in a right run or in one sentence and exit status 2, within the time limit. Models with
# golden outputs (MODELS/../golden/check.py, which needs python3 and cc) must give them, on the CPU and on the GPU.
set -u
build=$1
models=$2
passed=0 failed=0 skipped=0
log=$build/log/models.out
float_tol=1e-4 gpu_tol=2e-4

if [ ! -d "$models" ]; then
    echo "no models in $models"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

fail() {
    failed=$((failed + 1))
    printf 'FAIL %s\n' "$1"
}

# One run each; 124 is timeout's own status.
for f in "$models"/bad/*; do
    timeout 60 "$build/benchmark_model" --graph="$f" --num_runs=1 --warmup_runs=0 --min_secs=0 --warmup_min_secs=0 >"$log" 2>&1
    status=$?
    case $status in
    0) passed=$((passed + 1)) ;;
    2) if [ "$(grep -c '^ERROR: ' "$log")" -eq 1 ]; then
           passed=$((passed + 1))
       else
           fail "$f: exit status 2 without one sentence: $(tail -n 2 "$log")"
       fi ;;
    *) fail "$f: exit status $status: $(tail -n 2 "$log")" ;;
    esac
    timeout 60 "$build/op_coverage" --graph="$f" >"$log" 2>&1
    status=$?
    case $status in
    0 | 2) passed=$((passed + 1)) ;;
    *) fail "op_coverage $f: exit status $status: $(tail -n 2 "$log")" ;;
    esac
done

# check WHAT FLAGS...: adds up what check.py says.
check() {
    echo "$1:"
    shift
    python3 "$models/../golden/check.py" --bin "$build/benchmark_model" --quiet "$@" >"$log" 2>&1
    cat "$log"
    line=$(tail -n 1 "$log")
    case $line in
    *passed*failed*skipped*)
        set -- $line
        passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5)) ;;
    *) fail "check.py: $line" ;;
    esac
}

if [ -f "$models/../golden/check.py" ] && command -v python3 >/dev/null && command -v cc >/dev/null; then
    check "CPU, reference kernels" --tol $float_tol --flags=--cpu_kernels=reference
    check "CPU, fast kernels" --tol $float_tol --int-tol 0 --flags=--cpu_kernels=fast
    if "$build/benchmark_model" --list_gpus >/dev/null 2>&1; then
        check "GPU, float32" --only 'float/*' --tol $gpu_tol --flags=--use_gpu=true
    else
        skipped=$((skipped + 1))
    fi
else
    skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
