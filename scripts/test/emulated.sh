#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emulated.sh BUILD QEMU... - unit tests, opcheck and command lines of the programs in BUILD, each run by QEMU.
#
# Puts a script in the place of each program, into BUILD/emulated; SUITES names other suites of check.sh. There is no GPU, unless
# GPU=1 asks for that of the emulated machine (Mesa's llvmpipe for it): slow.
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
shift
rm -rf "$build/emulated"
mkdir -p "$build/emulated"
# Of the unit tests' program the links to it are called.
find "$build" \( -path "$build/obj" -o -path "$build/gen" -o -path "$build/emulated" \) -prune -o \
    \( -type f -o -path "$build/units/*" -type l \) -perm -100 ! -name '*.so*' -print |
    while IFS= read -r program; do
        script=$build/emulated/${program#"$build/"}
        mkdir -p "${script%/*}"
        # shellcheck disable=SC2016  # expanded there
        # A program that starts itself again by its name starts the script.
        printf '#!/bin/sh\nexec %s -0 "$0" %s "$@"\n' "$*" "$program" >"$script"
        chmod 755 "$script"
    done
tests=$(find "$build/emulated/units" -name '*_test' | LC_ALL=C sort | tr '\n' ' ')
[ "${GPU:-0}" = 1 ] || export __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent
# shellcheck disable=SC2086  # a list of words
BUILD=$build/emulated TESTS=$tests COUNTS=/dev/null MODELS=/nonexistent \
    sh scripts/test/check.sh ${SUITES:-units opcheck command-lines}
