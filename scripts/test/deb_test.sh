#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb_test.sh BUILD [root] - packs what BUILD has as Debian packages, asks lintian, and unpacks them. With `root` they are installed
# into a Debian made anew by debootstrap, with what they depend on, and the tools, manuals and completions are used there.
#
# What lacks a tool, root's rights or Debian's archive is said in a line NOT RUN. The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
. scripts/lib/try.sh
. scripts/package/debian_root.sh
version=$(sed -n 's/^#define DG_VERSION_STRING *"\(.*\)"/\1/p' lib/api/delegauge.h)
soname=$(basename "$build"/installed/libdelegauge.so.*)

absent() {    # absent WHAT WHY
    echo "NOT RUN ($1): $2"
    skipped=$((skipped + 1))
    finish
}

packs() {
    VERSION=$version SONAME=$soname sh scripts/package/deb.sh "$build" "$tmp/deb" \
        benchmark_model benchmark_compare inference_diff op_coverage eval_classification eval_detection eval_segmentation
}

clean() {    # of errors and warnings
    lintian --allow-root --fail-on error,warning "$tmp"/deb/*.changes
}

# An empty description is an error that lintian must see.
sees_error() {
    mkdir "$tmp/bad"
    dpkg-deb -R "$tmp"/deb/delegauge_*.deb "$tmp/bad/tree" && sed -i '/^ /d' "$tmp/bad/tree/DEBIAN/control" &&
        dpkg-deb -Znone -b "$tmp/bad/tree" "$tmp/bad/delegauge.deb" >/dev/null || return 1
    ! lintian --allow-root --fail-on error,warning "$tmp/bad/delegauge.deb"
}

holds() {    # holds PACKAGE PATTERN...
    dpkg-deb -c "$tmp/deb/$1"_*.deb >"$tmp/files" || return 1
    shift
    for pattern; do grep -q -- "$pattern" "$tmp/files" || { echo "no $pattern"; return 1; }; done
}

depends() {    # depends PACKAGE ON
    dpkg-deb -f "$tmp/deb/$1"_*.deb Depends | grep -w -- "$2"
}

command -v dh >/dev/null || absent deb "there is no debhelper (Debian package debhelper)"
command -v lintian >/dev/null || absent deb "there is no lintian (Debian package lintian)"
try "packages" packs
[ "$failed" -eq 0 ] || finish
so=${soname#libdelegauge.so.}
if [ "${2:-}" != root ]; then
    try "lintian finds nothing" clean
    try "lintian would find a fault" sees_error
    try "the tools' package" holds delegauge ' ./usr/bin/benchmark_model$' ' ./usr/share/man/man1/adb_run.1.gz$' \
        ' ./usr/share/bash-completion/completions/op_coverage$' ' ./usr/share/zsh/vendor-completions/_op_coverage$' \
        'delegauge/libdelegauge_gpu.so$' ' ./usr/share/delegauge/report.schema.json$'
    try "the library's package" holds "libdelegauge$so" "/$soname\$"
    try "the developers' package" holds libdelegauge-dev ' ./usr/include/delegauge.h$' '/libdelegauge.a$' \
        '/pkgconfig/delegauge.pc$' "/libdelegauge.so -> $soname\$"
    try "the tools depend on libepoxy" depends delegauge libepoxy0
    try "development files depend on the library" depends libdelegauge-dev "libdelegauge$so (= $version)"
    finish
fi

# ---- in a Debian of its own ----

root=$tmp/root
inside() { LC_ALL=C.UTF-8 chroot "$root" "$@"; }

installs() {
    cp "$tmp"/deb/*.deb "$root/tmp/" && rm -f "$root/etc/dpkg/dpkg.cfg.d/"*exclude* &&
        inside sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            man-db bash-completion gcc libc6-dev pkg-config /tmp/*.deb'
}

completes() {
    # shellcheck disable=SC2016  # expanded there
    inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader benchmark_model
        COMP_WORDS=(benchmark_model --use_); COMP_CWORD=1; compopt() { :; }; _benchmark_model; echo "${COMPREPLY[@]}"' >"$tmp/said"
    cat "$tmp/said"
    grep -q -w -e '--use_gpu' "$tmp/said"
}

# Without a driver it says so (status 3), and computes on the CPU.
# shellcheck disable=SC2016  # expanded there
builds_example() {
    cp bench/example/run_model.c "$root/tmp/" &&
        inside sh -c 'cc -o /tmp/run_model /tmp/run_model.c $(pkg-config --cflags --libs delegauge)' &&
        "$build/make_models" --cli "$root/tmp/models" >/dev/null &&
        inside sh -c '/tmp/run_model /tmp/models/add.tflite' >"$tmp/said" &&
        grep '^CPU: output 0 ' "$tmp/said"
}

why=$(debian_root "$root") || absent root "$why"
try "installs into a clean Debian" installs
try "benchmark_model --help" inside benchmark_model --help
try "man benchmark_model" sh -c "LC_ALL=C.UTF-8 chroot '$root' man -P cat benchmark_model | grep -e --use_gpu"
try "man adb_run" sh -c "LC_ALL=C.UTF-8 chroot '$root' man -P cat adb_run | grep -e --taskset"
try "completion of --use_" completes
try "the example with the installed library" builds_example
try "the packages go" inside dpkg --purge delegauge libdelegauge-dev "libdelegauge$so"
try "nothing is left" sh -c "! find '$root/usr' -name '*delegauge*' | grep ."
finish
