#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# teflon_test.sh BUILD QEMU - a delegate of somebody else's without its device: Mesa's Teflon, which Debian 13 has for arm64, in the
# arm64 programs of BUILD under QEMU. Debian's archive is asked for it and for the libraries that it wants, into a folder that goes.
# shellcheck disable=SC2317  # functions are called through try
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1 qemu=$2
. scripts/lib/try.sh
root=$tmp/sysroot delegate=/usr/lib/teflon/libteflon.so

fetch() {
    sh scripts/package/sysroot.sh arm64 "$root" trixie mesa-teflon-delegate libepoxy0 libcjson1 libpng16-16t64 libjpeg62-turbo &&
        [ -f "$root$delegate" ]
}

# The library says what it lacks; then one sentence of ours, and the status of a run that failed.
without_device() {    # without_device TOOL FLAG...
    tool=$1
    shift
    "$qemu" -L "$root" "$build/$tool" "$@" --external_delegate_path="$delegate" >"$tmp/said" 2>&1
    status=$?
    cat "$tmp/said"
    [ "$status" -eq 4 ] && [ "$(grep -c "^ERROR: external delegate $delegate: it makes no delegate\$" "$tmp/said")" -eq 1 ]
}

try "Debian 13 has Teflon" fetch
if [ "$failed" -eq 0 ]; then
    try "models" "$qemu" -L "$root" "$build/make_models" --cli "$tmp"
    try "benchmark_model" without_device benchmark_model --graph="$tmp/add.tflite"
    try "inference_diff" without_device inference_diff --model_file="$tmp/add.tflite"
    try "op_coverage" without_device op_coverage "$tmp/add.tflite"
fi
finish
