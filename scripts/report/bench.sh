#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh [--tuned] BUILD - one table: latency on CPU and GPU, init time and GPU memory of the demo models; or, tuned, what
# --gpu_tuning makes of them.
#
# "limit": the least time that the device, as a probe finds it, takes for what the operators ask for, in percent of the time that
# they took in profiled runs. "stored": --gpu_precision=fp16_storage. "fp16": --gpu_precision=fp16, which is "-" where the driver
# does not compute so.
#
# Median of the timed runs, in ms. RUNS (default 20), THREADS (default 1), ONLY (default *, a pattern of models' names), DEVICE (of
# benchmark_model --list_gpus; default: the best) and TUNING (default exhaustive, or fast) come from the environment.
#
# Exit status: 0, 1 a model failed (the end of the table says which), 2 there is no such model, 130 interrupted.
set -eu
table=plain
[ "${1:-}" != --tuned ] || { table=tuned; shift; }
build=${1:-}
case $#$build in
1[!-]*) ;;
*) echo "usage: bench.sh [--tuned] BUILD" >&2; exit 2 ;;
esac
runs=${RUNS:-20}
threads=${THREADS:-1}
tuning=${TUNING:-exhaustive}
case $tuning in fast | exhaustive) ;; *) echo "bench: TUNING=$tuning: fast or exhaustive" >&2; exit 2 ;; esac
DEVICE=${DEVICE:-}
failed=
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# shellcheck disable=SC2034  # signals.sh removes it
signals_folder=$tmp
# shellcheck source=/dev/null
. "$(dirname "$0")/../lib/signals.sh"
out=$tmp/out

# measure LABEL FLAGS...: what a run of $model says, "-" where it says nothing: $median, $best and $init in ms, $memory in MB,
# $limit in percent, $flops (GFLOP/s of convolutions), $peak (their percentage), $precision in force.
measure() {
    label=$1
    shift
    median=- best=- init=- memory=- limit=- flops=- peak=- precision=-
    status=0
    "$build/benchmark_model" --graph="$model" --num_runs="$runs" --min_secs=0 --warmup_min_secs=0 --num_threads="$threads" "$@" \
        >"$out" 2>&1 || status=$?
    [ $status -ne 130 ] || exit 130
    if [ $status -ne 0 ] || ! grep -q '^INFO: count=' "$out"; then
        said=
        [ $status -eq 0 ] || said=$({ grep -m 1 '^ERROR: ' "$out" || tail -n 1 "$out"; } | sed 's/^ERROR: //')
        echo "bench: $name, $label: ${said:-no times: is the disk full?}" >&2
        wrong="$wrong, $label"
        return 0
    fi
    # shellcheck disable=SC2046  # eight words
    set -- $(awk -F '\t' -f "$(dirname "$0")/bench.awk" "$out")
    median=$1 best=$2 init=$3 memory=$4 limit=$5 flops=$6 peak=$7 precision=$8
}

# on_gpu LABEL FLAGS...: measures in precision $asked.
on_gpu() {
    label=$1
    shift
    measure "$label" --use_gpu=true ${DEVICE:+--gpu_device="$DEVICE"} --gpu_precision="$asked" --enable_op_profiling=true "$@"
    [ "$precision" != - ] || precision=$asked
}

plain_head() {
    printf '%-26s %10s %9s   %10s %9s %8s %7s   %10s %9s   %10s %8s\n' "model, $threads thread(s)" \
        'CPU ms' 'init ms' 'GPU ms' 'init ms' 'GPU MB' 'limit %' 'stored ms' 'stored MB' 'fp16 ms' 'fp16 MB'
}

plain_row() {
    measure CPU
    row=$(printf '%-26s %10s %9s' "$name" "$median" "$init")
    for asked in fp32 fp16_storage fp16; do
        median=- init=- memory=- limit=-
        [ -z "$gpu" ] || on_gpu "$asked"
        # The driver does not compute in float16.
        [ $asked != fp16 ] || [ "$precision" != fp16_storage ] || median=- memory=-
        case $asked in
        fp32) row=$(printf '%s   %10s %9s %8s %7s' "$row" "$median" "$init" "$memory" "$limit") ;;
        fp16_storage) row=$(printf '%s   %10s %9s' "$row" "$median" "$memory") ;;
        fp16) row=$(printf '%s   %10s %8s' "$row" "$median" "$memory") ;;
        esac
    done
    echo "$row"
}

plain_end() { :; }

# ---- tuned ----

tuned_head() {
    echo 'convs: convolutions of 10 million multiply-adds and more, tuned; peak: what a probe of the device reaches in float32'
    printf '%-26s %-13s %10s %10s %7s %10s   %14s %7s   %s\n' "model, $tuning tuning" 'precision' \
        'untuned ms' 'tuned ms' 'gain' 'best ms' 'convs GFLOP/s' 'peak %' 'tuned'
}

# Below each row, how often which way to compute an operator was taken instead of another.
tuned_row() {
    for asked in fp32 fp16; do
        on_gpu "$asked untuned"
        untuned=$median
        mark_note "$precision, untuned"
        cp "$out" "$tmp/untuned"
        on_gpu "$asked tuned" --gpu_tuning="$tuning"
        mark_note "$precision, tuned"
        gain=$(echo "$untuned $median" | awk '{ print $1 == "-" || $2 + 0 == 0 ? "-" : sprintf("%.2fx", $1 / $2) }')
        printf '%-26s %-13s %10s %10s %7s %10s   %14s %7s   %s\n' "$name" "$precision" "$untuned" "$median" "$gain" "$best" \
            "$flops" "$peak" "$(sed -n 's/^INFO: Tuned on [^:]*: //p' "$out")"
        [ "$median" = - ] || [ "$untuned" = - ] ||
            awk -F '\t' -v compare=1 -f "$(dirname "$0")/bench.awk" "$tmp/untuned" "$out" | LC_ALL=C sort -b -k 1,1nr -k 2
    done
}

# What ncnn publishes for MobileNet v1 1.0 at 224 x 224 on Vulkan, in ms; that of the RTX 3090 is the best of its runs.
marks() {
    cat <<'END'
RTX 3090|0.60
V100|1.05
Adreno 740|10.9
Mali-G610|9.16
END
}

mark_note() {
    [ "$name" != mobilenet_v1_1.0_224 ] || [ "$best" = - ] || echo "$best|$median|$1" >>"$tmp/ours"
    sed -n 's/^INFO: GPU: //p' "$out" | sed 's/ (TM)//' >>"$tmp/device"
}

# A name is that of this device where no letter, digit or " Ti" goes on with it.
tuned_end() {
    sort -n "$tmp/ours" >"$tmp/sorted" 2>/dev/null || true
    marks | awk -F '|' -v names="$(cat "$tmp/device")" -v ours="$(head -n 1 "$tmp/sorted")" '
        BEGIN { printf "\nThe mark, ncnn on Vulkan, MobileNet v1 1.0 224, ms as published:"; gsub(/\n/, "|", names) }
        { printf("%s %s %s", NR > 1 ? "," : "", $1, $2) }
        match(names, $1 "([^A-Za-z0-9]|$)") && substr(names, RSTART + length($1), 3) != " Ti" { here = $1; mark = $2 }
        END {
            print ""
            if (here != "" && split(ours, run, "|") == 3)
                printf "Here, %s: %s ms in the best run, median %s (%s), so %.2f times as long\n", here, run[1], run[2], run[3],
                    run[1] / mark
        }'
}

# ----

# shellcheck disable=SC2086  # a pattern
set -- "$build"/models/${ONLY:-*}.tflite
[ -e "$1" ] || { echo "bench: there is no model $1" >&2; exit 2; }
"$build/benchmark_model" --list_gpus >"$out" 2>&1 && gpu=yes || gpu=
if [ -n "$gpu" ]; then
    awk -v device="$DEVICE" 'device == "" ? NR == 1 : index($0, device ": ") == 1 { lines = 3 } lines-- > 0' "$out"
elif [ $table = tuned ]; then
    tail -n 1 "$out" >&2
    exit 3
fi
${table}_head
for model; do
    name=$(basename "$model" .tflite)
    wrong=
    ${table}_row
    [ -z "$wrong" ] || failed="$failed, $name (${wrong#, })"
done
${table}_end
[ -z "$failed" ] || { echo "bench: failed: ${failed#, }" >&2; exit 1; }
