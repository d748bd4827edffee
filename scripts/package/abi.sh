#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh record|check LIBRARY - holds the binary interface of libdelegauge.so against the one on record, that of the last release.
#
# The record, testdata/abi/ARCHITECTURE.xml (RECORD=FILE for another), is what libabigail reads from the library's debug information
# and from delegauge.h: functions with their versions, and every struct that callers see. `check` fails where a function is gone or
# a struct, type or version is another one; functions that were added are no failure. A release records its own, by
# `make abi-record`: the diff shows what changed. Exit status: 0 the same or grown, 1 changed, 2 it could not be compared.
set -u
cd "$(dirname "$0")/../.." || exit 2
architecture=$(readelf -h "$2" 2>/dev/null | sed -n 's/^ *Machine: *//p')
case $architecture in
*X86-64) architecture=x86_64 ;;
AArch64) architecture=aarch64 ;;
*) echo "abi.sh: $2: no library of x86-64 or arm64" >&2; exit 2 ;;
esac
record=${RECORD:-testdata/abi/$architecture.xml}

# Of types that stand in delegauge.h alone.
describe() {
    abidw --headers-dir lib/api --header-file lib/api/delegauge.h --no-corpus-path --no-comp-dir-path --no-show-locs \
        --no-elf-needed \
        --drop-private-types --drop-undefined-syms --exported-interfaces-only --out-file "$2" "$1" &&
        grep -q "name='dg_error'" "$2"
}

case $1 in
record)
    mkdir -p "$(dirname "$record")"
    describe "$2" "$record" || exit 2
    echo "$record: $(grep -c "type='func-type'" "$record") functions"
    ;;
check)
    [ -r "$record" ] || { echo "abi.sh: there is no $record: make abi-record" >&2; exit 2; }
    now=$(mktemp) || exit 2
    trap 'rm -f "$now"' EXIT
    describe "$2" "$now" || { echo "abi.sh: $2 has no debug information" >&2; exit 2; }
    # Both without sources' places: with --headers-dir abidiff would take such types for private ones, and changes for harmless.
    abidiff --no-added-syms "$record" "$now"
    status=$?
    # Bits of abidiff's status: 1 an error, 2 bad usage, 4 another interface, 8 an incompatible one.
    [ $((status & 3)) -eq 0 ] || exit 2
    [ $status -eq 0 ] || exit 1
    ;;
*) echo "usage: abi.sh record|check LIBRARY" >&2; exit 2 ;;
esac
