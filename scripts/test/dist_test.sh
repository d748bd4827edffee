#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist_test.sh BUILD [twice|pipx] - what make dist packs, of what BUILD has: the same bits whenever and wherever it is packed, a
# wheel that pip installs and whose platform is true, a list of contents that is complete. With `twice` the sources of the last
# commit are built in two folders by make dist, and all of both must be equal: half an hour. With `pipx` each tool is run out of
# the wheel as the README says, by pipx from PyPI; without that it is skipped.
#
# The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
. scripts/lib/try.sh
VERSION=$(sed -n 's/^#define DG_VERSION_STRING *"\(.*\)"/\1/p' lib/api/delegauge.h)
SONAME=$(basename "$build"/installed/libdelegauge.so.*)
tools='benchmark_model benchmark_compare inference_diff op_coverage eval_classification eval_detection eval_segmentation'
name=delegauge-$VERSION-linux-$(uname -m)
export VERSION SONAME

# shellcheck disable=SC2086  # words
packs() { python3 scripts/package/dist.py "$build" "$tmp/$1" $tools; }

# From other files with other times, in another place, at another hour.
packs_elsewhere() {
    mkdir "$tmp/copy" "$tmp/copy/installed" && cp "$build"/installed/libdelegauge.* "$tmp/copy/installed" &&
        cp "$build/libdelegauge_gpu.so" "$tmp/copy" && for tool in $tools; do cp "$build/$tool" "$tmp/copy" || return 1; done
    # shellcheck disable=SC2086
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C python3 scripts/package/dist.py "$tmp/copy" "$tmp/second" $tools)
}

same() { diff -r "$1" "$2"; }

# What make android-dist does, with programs of this machine in the place of Android's.
packs_android() { CJSON=$tmp/cjson python3 scripts/package/dist.py --android arm64-v8a "$tmp/$1" "$tmp/android_$2"; }

packs_android_twice() {
    mkdir "$tmp/cjson" "$tmp/programs" && printf '/* a notice */\n#define CJSON_VERSION_MAJOR 1\n' >"$tmp/cjson/cJSON.h" &&
        strip -o "$tmp/programs/op_coverage" "$build/op_coverage" && packs_android programs first &&
        cp -r "$tmp/programs" "$tmp/others" && touch -d '2001-01-01' "$tmp/others/op_coverage" &&
        (umask 077 && packs_android others second)
}

android_is_whole() {
    tar -xzOf "$tmp/android_first/delegauge-$VERSION-android-arm64-v8a.tar.gz" \
        "delegauge-$VERSION-android-arm64-v8a/op_coverage" | cmp - "$tmp/programs/op_coverage" &&
        tar -xzOf "$tmp/android_first/delegauge-$VERSION-android-arm64-v8a.tar.gz" \
            "delegauge-$VERSION-android-arm64-v8a/third-party/cJSON" | grep 'a notice' &&
        (cd "$tmp/android_first" && sha256sum -c SHA256SUMS && [ "$(wc -l <SHA256SUMS)" -eq 2 ])
}

refuses_no_programs() { mkdir "$tmp/none" && ! packs_android none third >"$tmp/said" 2>&1 && grep 'no programs in' "$tmp/said"; }

sees_time() {
    SOURCE_DATE_EPOCH=1000000000 packs third && ! same "$tmp/first" "$tmp/third"
}

sums() { (cd "$tmp/first" && sha256sum -c SHA256SUMS && [ "$(wc -l <SHA256SUMS)" -eq 3 ]); }

# Every file of the tarball stands in the SBOM with its sum, and every library that came along as a package.
listed() {
    python3 - "$tmp/first/$name.spdx.json" "$tmp/x/$name" <<'END'
import hashlib, json, sys
from pathlib import Path
document, root = json.load(open(sys.argv[1])), Path(sys.argv[2])
listed = {f["fileName"]: {c["algorithm"]: c["checksumValue"] for c in f["checksums"]} for f in document["files"]}
there = {f"./{p.relative_to(root)}": hashlib.sha256(p.read_bytes()).hexdigest()
         for p in root.rglob("*") if p.is_file() and not p.is_symlink()}
assert document["spdxVersion"] == "SPDX-2.3" and document["documentNamespace"] and document["creationInfo"]["created"]
assert {n: s["SHA256"] for n, s in listed.items()} == there
ids = {document["SPDXID"]} | {x["SPDXID"] for x in document["packages"] + document["files"]}
assert all(r[k] in ids for r in document["relationships"] for k in ("spdxElementId", "relatedSpdxElement"))
libraries = [p for p in (root / "lib/delegauge").iterdir()]
assert len(document["packages"]) == 1 + len(libraries), (document["packages"], libraries)
END
}

runs() { "$tmp/x/$name/bin/benchmark_model" --version | grep -F " $VERSION"; }

# The newest symbol's version is the platform's, as another tool reads it.
true_platform() {
    newest=$(find "$tmp/x/$name" -type f -exec sh -c 'objdump -T "$1" 2>/dev/null' sh {} \; | grep -o 'GLIBC_[0-9]*\.[0-9]*' |
        sort -Vu | tail -n 1 | sed 's/GLIBC_//; s/\./_/')
    echo "newest $newest"
    ls "$tmp/first/delegauge-$VERSION-py3-none-manylinux_${newest}_$(uname -m).whl"
}

installs() {
    python3 -m venv "$tmp/venv" && "$tmp/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$tmp/first/"*.whl &&
        for tool in $tools; do "$tmp/venv/bin/$tool" --version || return 1; done &&
        "$build/make_models" --cli "$tmp/models" >/dev/null &&
        "$tmp/venv/bin/benchmark_model" --graph="$tmp/models/add.tflite" --num_runs=1 --min_secs=0 --warmup_min_secs=0 &&
        "$tmp/venv/bin/adb_run" --help | grep '^usage: ' && [ -e "$tmp/venv/share/man/man1/benchmark_model.1" ] &&
        "$tmp/venv/bin/pip" check &&
        "$tmp/venv/bin/pip" uninstall --quiet -y delegauge && ! find "$tmp/venv" -name 'benchmark_model*' | grep .
}

# Out of the wheel, in a folder of its own; nothing is left in the user's.
run_by_pipx() { env HOME="$tmp" PIPX_HOME="$tmp/pipx" PIPX_BIN_DIR="$tmp/bin" "$tmp/venv/bin/pipx" run --spec "$wheel" "$@" 2>&1; }

runs_by_pipx() {
    wheel=$(ls "$tmp/first/"*.whl) && "$build/make_models" --cli "$tmp/models" >/dev/null &&
        for tool in $tools; do run_by_pipx "$tool" --version | grep -F " $VERSION" || return 1; done &&
        run_by_pipx adb_run --help | grep '^usage: ' &&
        run_by_pipx benchmark_model --graph="$tmp/models/add.tflite" --num_runs=1 --min_secs=0 --warmup_min_secs=0 |
        grep 'Inference timings in us: Init: '
}

has_status_of_tool() {
    said=$(run_by_pipx op_coverage --graf=x)
    status=$?
    echo "status $status: $said"
    [ "$status" -eq 2 ] && echo "$said" | grep '^ERROR: unknown flag --graf'
}

with_pipx() {
    if ! { python3 -m venv "$tmp/venv" && timeout 300 "$tmp/venv/bin/pip" install --quiet --disable-pip-version-check \
        --timeout 20 --retries 1 pipx; } >"$tmp/log" 2>&1; then
        echo "NOT RUN (pipx): pipx could not be had from PyPI: $(grep . "$tmp/log" | tail -n 1)"
        skipped=$((skipped + 1))
        return
    fi
    try "pipx runs the tools" runs_by_pipx
    try "pipx hands on a tool's status" has_status_of_tool
}

if [ "${2:-}" = pipx ]; then
    try "packs" packs first
    [ "$failed" -ne 0 ] || with_pipx
    finish
fi
if [ "${2:-}" = twice ]; then
    # One commit, whatever is committed meanwhile.
    commit=$(git rev-parse --verify HEAD) || exit 1
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit") || exit 1
    # The libraries of arm64 that make sysroot fetched here; the folders of the archive have none.
    arm64=$PWD/build/sysroot/aarch64-linux-gnu
    [ ! -d "$arm64" ] || export SYSROOT="$arm64"
    export SOURCE_DATE_EPOCH
    for folder in one a/longer/path/two; do
        mkdir -p "$tmp/$folder"
        git archive "$commit" | tar -x -C "$tmp/$folder"
        try "make dist in $folder" "${MAKE:-make}" -C "$tmp/$folder" dist
    done
    try "the same bits from two folders" same "$tmp/one/build/dist/out" "$tmp/a/longer/path/two/build/dist/out"
    if [ -d "$arm64" ] || [ "$(uname -m)" = aarch64 ]; then
        try "arm64 is among them" ls "$tmp/one/build/dist/out/delegauge-$VERSION-linux-aarch64.tar.gz"
    else
        echo "NOT RUN (arm64): there are no libraries of it: make CROSS=aarch64-linux-gnu- sysroot"
        skipped=$((skipped + 1))
    fi
    finish
fi
try "packs" packs first
[ "$failed" -eq 0 ] || finish
try "packs elsewhere" packs_elsewhere
try "the same bits" same "$tmp/first" "$tmp/second"
try "another time is seen" sees_time
try "checksums" sums
try "packs Android's programs" packs_android_twice
try "the same bits of them" same "$tmp/android_first" "$tmp/android_second"
try "all of them is there" android_is_whole
try "no programs for Android" refuses_no_programs
mkdir "$tmp/x" && tar -xzf "$tmp/first/$name.tar.gz" -C "$tmp/x"
try "the SBOM lists what is there" listed
try "the tools of the tarball run" runs
try "the wheel's platform is true" true_platform
if python3 -c 'import ensurepip' 2>/dev/null; then
    try "the wheel installs, runs and goes" installs
else
    echo "NOT RUN (wheel): there is no ensurepip (Debian package python3-venv)"
    skipped=$((skipped + 1))
fi
finish
