#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# teflon_test.sh BUILD QEMU - a delegate of somebody else's without its device: Mesa's Teflon, which Debian 13 has for arm64, in the
# arm64 programs of BUILD under QEMU. Debian's archive is asked for it and for the libraries that it wants, into a folder that goes.
# shellcheck disable=SC2317  # functions are called through try
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1 qemu=$2
. scripts/try.sh
root=$tmp/root delegate=/usr/lib/teflon/libteflon.so

apt() {
    apt-get -qq -oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists="$tmp/lists" \
        -oDir::Cache="$tmp/cache" -oDir::Etc::SourceParts=/nonexistent -oDir::Etc::SourceList="$tmp/sources" \
        -oAPT::Sandbox::User=root "$@"
}

fetch() {
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$keys] http://deb.debian.org/debian trixie main" >"$tmp/sources"
    mkdir -p "$tmp/lists/partial" "$tmp/cache/archives/partial" "$tmp/debs" "$root" && apt update && (cd "$tmp/debs" &&
        apt download mesa-teflon-delegate libc6 libdrm2 libexpat1 libzstd1 zlib1g libgcc-s1 libstdc++6 libepoxy0 libcjson1) ||
        return 1
    for deb in "$tmp"/debs/*.deb; do dpkg-deb -x "$deb" "$root" || return 1; done
    ln -sfn usr/lib "$root/lib" && [ -f "$root$delegate" ]
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
    try "models" "$qemu" -L / "$build/make_models" --cli "$tmp"
    try "benchmark_model" without_device benchmark_model --graph="$tmp/add.tflite"
    try "inference_diff" without_device inference_diff --model_file="$tmp/add.tflite"
    try "op_coverage" without_device op_coverage "$tmp/add.tflite"
fi
finish
