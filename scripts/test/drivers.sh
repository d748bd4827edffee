#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drivers.sh BUILD [DRIVER...] - unit tests of lib/gl ($TESTS), opcheck, the conformance cases and a network on each GL driver of
# Mesa: llvmpipe softpipe zink. Zink runs over lavapipe (Debian package mesa-vulkan-drivers). One that is not installed is told in
# a line NOT RUN, and counts as skipped.
#
# What fails through a driver's own fault stands in testdata/gpu/DRIVER_cases.txt and DRIVER_conformance.txt, with the reason at the
# top; opcheck --record_faults writes them. The last line is "N passed, N failed, N skipped".
set -u
build=$1
shift
passed=0 failed=0 skipped=0
log=$build/log/drivers
mkdir -p "$log"
unset GALLIUM_DRIVER MESA_LOADER_DRIVER_OVERRIDE LIBGL_ALWAYS_SOFTWARE REQUIRE_GPU

# Zink asks for a folder of the user's session and complains where there is none.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    XDG_RUNTIME_DIR=$(mktemp -d) || exit 1
    export XDG_RUNTIME_DIR
    trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

# try DRIVER SUITE ARGUMENTS...
try() {
    name=$1-$2
    driver=$1
    shift 2
    env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$driver" REQUIRE_GPU=1 "$build/opcheck" --gpu "$@" >"$log/$name" 2>&1
    status=$?
    # shellcheck disable=SC2046  # three words
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log/$name" | tail -n 1)
    if [ $# -lt 3 ]; then
        set -- 0 1 0
        tail -n 5 "$log/$name"
    elif [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "$3"
    fi
    grep -e '^FAIL' -e '^NOT RUN (' "$log/$name" | head -n 40
    printf '%-44s %4d passed, %d failed, %d skipped\n' "$name" "$1" "$2" "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# try_tests DRIVER: each binary counts once.
try_tests() {
    for t in ${TESTS-}; do
        out=$log/$1-$(basename "$t")
        if env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$1" REQUIRE_GPU=1 "$t" >"$out" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $t on $1"
            grep -E 'FAILED|ERROR' "$out" | head -n 5
        fi
    done
}

# try_network DRIVER: what goes wrong only after many dispatches (zink forgot the sixth set of uniforms of a program).
try_network() {
    if env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$1" "$build/inference_diff" --delegate=gpu \
        --num_runs=2 --tolerance=1e-4 --model_file="$build/models/mobilenet_v1_1.0_224.tflite" >"$log/$1-network" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL mobilenet_v1_1.0_224 on $1"
        tail -n 3 "$log/$1-network"
    fi
}

[ $# -gt 0 ] || set -- llvmpipe softpipe zink
for d; do
    # What another driver answers would prove nothing.
    if ! env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$d" "$build/benchmark_model" --list_gpus 2>&1 | grep -q "^0: $d"; then
        echo "NOT RUN ($d): this driver does not open; on Debian: apt install libgl1-mesa-dri mesa-vulkan-drivers"
        skipped=$((skipped + 1))
        continue
    fi
    try_tests "$d"
    modes=all,texture,fetched,copied,halves
    [ "$d" != zink ] || modes=default,buffer,texture,fetched,copied # each shader is compiled twice there
    try "$d" cases --modes=$modes
    try "$d" conformance --modes=default --conformance=testdata/conformance
    [ "$d" = softpipe ] || try_network "$d"      # minutes there
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
