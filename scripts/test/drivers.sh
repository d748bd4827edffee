#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# drivers.sh BUILD [DRIVER...] - unit tests of lib/gl ($TESTS), opcheck, the conformance cases and a network on each GL driver:
# Mesa's llvmpipe, softpipe and zink, and angle-lavapipe; and what compilers of GPUs that are not here make of some shaders:
# drm-shim. Zink runs over lavapipe (Debian package mesa-vulkan-drivers). The last two are for those who have built drivers in the
# folder $ZOO (scripts/package/drm_shim.sh). One that is not here is told in a line NOT RUN, and counts as skipped.
#
# testdata/gpu/driver_counts.txt has how many checks must pass at least.
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
ZOO=${ZOO:-${XDG_CACHE_HOME:-$HOME/.cache}/delegauge/drivers}

# Zink asks for a folder of the user's session and complains where there is none.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    XDG_RUNTIME_DIR=$(mktemp -d) || exit 1
    export XDG_RUNTIME_DIR
    trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi

# on DRIVER COMMAND...: the command meets that driver alone.
on() {
    driver=$1
    shift
    case $driver in
    angle-*)
        env LD_LIBRARY_PATH="$ZOO/angle:$ZOO/lvp25" ANGLE_DEFAULT_PLATFORM=vulkan REQUIRE_GPU=1 \
            VK_ICD_FILENAMES="$ZOO/lvp25/lvp25_icd.json" "$@"
        ;;
    *) env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$driver" REQUIRE_GPU=1 "$@" ;;
    esac
}

# absent WHAT WHY
absent() {
    echo "NOT RUN ($1): $2"
    skipped=$((skipped + 1))
}

# try DRIVER SUITE ARGUMENTS...
try() {
    name=$1-$2
    driver=$1
    shift 2
    on "$driver" "$build/opcheck" --gpu "$@" >"$log/$name" 2>&1
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
    least=$(awk -v name="$name" '$1 == name { print $2 }' testdata/gpu/driver_counts.txt)
    if [ "$1" -lt "${least:-0}" ]; then
        echo "FAIL $name: $1 checks passed, testdata/gpu/driver_counts.txt demands $least"
        set -- "$1" "$(($2 + 1))" "$3"
    fi
    printf '%-44s %4d passed, %d failed, %d skipped\n' "$name" "$1" "$2" "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# try_tests DRIVER: each binary counts once.
try_tests() {
    for t in ${TESTS-}; do
        case $1/$t in
        angle-*/*/context_test | angle-*/*/current_test)
            absent "$t on $1" "it asks for OpenGL of the desktop and hides Mesa's drivers, which is nothing to ANGLE"
            continue
            ;;
        esac
        out=$log/$1-$(basename "$t")
        if on "$1" "$t" >"$out" 2>&1; then
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
    if on "$1" "$build/inference_diff" --delegate=gpu \
        --num_runs=2 --tolerance=1e-4 --model_file="$build/models/mobilenet_v1_1.0_224.tflite" >"$log/$1-network" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL mobilenet_v1_1.0_224 on $1"
        tail -n 3 "$log/$1-network"
    fi
}

# What GPUs' compilers make of some shaders, on two devices without their hardware.
try_compilers() {
    python3 scripts/test/zoo_test.py "$build" "${MODELS:-../shared/models}" --drivers="$ZOO" --small >"$log/drm-shim" 2>&1
    # shellcheck disable=SC2046  # three words
    set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log/drm-shim" | tail -n 1)
    [ $# -eq 3 ] || { set -- 0 1 0; tail -n 5 "$log/drm-shim"; }
    grep -e '^FAIL' -e '^NOT RUN (' -e ': FAIL' "$log/drm-shim" | head -n 40
    printf '%-44s %4d passed, %d failed, %d skipped\n' drm-shim "$1" "$2" "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

[ $# -gt 0 ] || set -- llvmpipe softpipe zink angle-lavapipe drm-shim
for d; do
    renderer=$d
    case $d in
    drm-shim | angle-*)
        if [ ! -d "$ZOO" ]; then
            absent "$d" "there is no folder $ZOO (ZOO=...): sh scripts/package/drm_shim.sh makes it"
            continue
        fi
        renderer='ANGLE ('
        ;;
    esac
    if [ "$d" = drm-shim ]; then
        try_compilers
        continue
    fi
    # What another driver answers would prove nothing.
    if ! on "$d" "$build/benchmark_model" --list_gpus 2>&1 | grep -q "^0: $renderer"; then
        case $d in
        angle-*) absent "$d" "this driver does not open: $ZOO has no angle and lvp25; sh scripts/package/drm_shim.sh makes them" ;;
        *) absent "$d" "this driver does not open; on Debian: apt install libgl1-mesa-dri mesa-vulkan-drivers" ;;
        esac
        continue
    fi
    case $d in
    zink) modes=default,buffer,texture,fetched,copied ;; # each shader is compiled twice there
    angle-*) modes=default ;;                           # and translated twice before
    *) modes=all,texture,fetched,copied,halves ;;
    esac
    try_tests "$d"
    try "$d" cases --modes=$modes
    try "$d" conformance --modes=default --conformance=testdata/conformance
    [ "$d" = softpipe ] || try_network "$d"      # minutes there
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
