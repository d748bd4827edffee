#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD - one table: latency on CPU and GPU, init time and GPU memory of the demo models.
#
# "limit": the least time that the device, as a probe finds it, takes for what the operators ask for, in percent of the time that
# they took in profiled runs.
#
# Median of the timed runs, in ms. RUNS (default 20), THREADS (default 1) and ONLY (default *, a pattern of models' names) come from
# the environment.
set -eu
build=$1
runs=${RUNS:-20}
threads=${THREADS:-1}
out=$build/log/bench.out
mkdir -p "$build/log"

# measure MODEL FLAGS...: prints "median-ms init-ms gpu-MB limit-percent", "-" where there is none.
measure() {
    graph=$1
    shift
    "$build/benchmark_model" --graph="$graph" --num_runs="$runs" --min_secs=0 --warmup_min_secs=0 --num_threads="$threads" "$@" \
        >"$out" 2>&1 || { tail -n 1 "$out" >&2; echo "- - - -"; return 0; }
    awk '/^INFO: count=/ { for (i = 2; i <= NF; i++) { split($i, f, "="); if (f[1] == "median") median = f[2]
                                                       if (f[1] == "curr") same = f[2] } }
         /^INFO: Inference timings in us: Init: / { init = $7 + 0 }
         /^INFO: GPU memory \(MB\): / { for (i = 1; i <= NF; i++) if (split($i, f, "=") == 2 &&
             (f[1] == "tensors" || f[1] == "constants" || f[1] == "staging")) mb += f[2] }
         /^INFO: Delegate: .* % of the profiled time$/ { for (i = 2; i <= NF; i++) if ($i == "%") limit = $(i - 1) }
         END { if (median == "") median = same
               printf "%.2f %.1f %s %s\n", median / 1000, init / 1000, mb ? sprintf("%.1f", mb) : "-",
                      limit == "" ? "-" : sprintf("%.1f", limit) }' "$out"
}

"$build/benchmark_model" --list_gpus >"$out" 2>&1 && gpu=yes || gpu=
[ -n "$gpu" ] && head -n 3 "$out"
printf '%-26s %10s %9s   %10s %9s %8s %7s   %10s %8s\n' \
    "model, $threads thread(s)" 'CPU ms' 'init ms' 'GPU ms' 'init ms' 'GPU MB' 'limit %' 'fp16 ms' 'fp16 MB'
for model in "$build"/models/${ONLY:-*}.tflite; do
    cpu=$(measure "$model")
    full='- - - -' half='- - - -'
    if [ -n "$gpu" ]; then
        full=$(measure "$model" --use_gpu=true --gpu_precision=fp32 --enable_op_profiling=true)
        half=$(measure "$model" --use_gpu=true --gpu_precision=fp16_storage)
    fi
    # shellcheck disable=SC2086
    set -- $cpu $full $half
    printf '%-26s %10s %9s   %10s %9s %8s %7s   %10s %8s\n' \
        "$(basename "$model" .tflite)" "$1" "$2" "$5" "$6" "$7" "$8" "$9" "${11}"
done
