#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# optional_test.sh BUILD [every] - what nobody has to have is no failure where it is missing: each such program and Python module is
# hidden, and the suite that would use it must pass, and tell of the package that is not there.
#
# A program is hidden by a PATH without it. Suites that take long are run once with all of theirs hidden, and only with `every`
# (make nightly) with each alone. What is not here anyway needs no hiding. The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
build=$1 # as make has it: by another name of the folder everything would be built anew
cd "$(dirname "$0")/../.." || exit 1
every=${2:-}
. scripts/lib/try.sh

# PATH as it is, in folders of links: ccache goes on to the next compiler of the same name.
mkdir "$tmp/path" "$tmp/python"
hidden_path='' n=0 old_ifs=$IFS
IFS=:
for folder in $PATH; do
    mkdir "$tmp/path/$((n += 1))"
    find -L "$folder" -maxdepth 1 -type f -perm -u+x -exec ln -s -t "$tmp/path/$n" {} + 2>/dev/null
    hidden_path=${hidden_path:+$hidden_path:}$tmp/path/$n
done
IFS=$old_ifs

# Python has no module that HIDDEN names.
cat >"$tmp/python/sitecustomize.py" <<'END'
import os
import sys

for name in os.environ.get("HIDDEN", "").split():
    sys.modules[name] = None
END

# told SUITE PACKAGE...: it passes with what is hidden now, and its last lines name each package; or others, which are not here
# anyway, and for want of which it came no further.
told() {
    PATH=$hidden_path PYTHONPATH=$tmp/python BUILD=$build LOG=$tmp/log JOBS=1 sh scripts/test/check.sh "$1" >"$tmp/said" 2>&1
    status=$?
    cat "$tmp/said"
    shift
    [ "$status" -eq 0 ] || return 1
    sed -n 's/^NOT RUN (.*): .* ([A-Za-z]* package \(.*\))$/\1/p' "$tmp/said" >"$tmp/packages"
    printf '%s\n' "$@" >"$tmp/asked"
    ! grep -qvxFf "$tmp/asked" "$tmp/packages" || return 0
    for package; do grep -qxF "$package" "$tmp/packages" || { echo "nothing tells of $package"; return 1; }; done
}

# without SUITE PROGRAM:PACKAGE...: all of these hidden together.
without() {
    suite=$1 programs='' packages=''
    shift
    for pair; do programs="$programs ${pair%:*}" packages="$packages ${pair#*:}"; done
    for program in $programs; do
        for link in "$tmp/path"/*/"$program"; do [ ! -e "$link" ] || mv "$link" "${link%/*}/.hidden.$program"; done
    done
    # shellcheck disable=SC2086  # words
    try "$suite without$programs" told "$suite" $packages
    for link in "$tmp/path"/*/.hidden.*; do [ ! -e "$link" ] || mv "$link" "${link%/*}/${link##*/.hidden.}"; done
}

# without_modules SUITE MODULE:PACKAGE...
without_modules() {
    suite=$1 HIDDEN='' packages=''
    shift
    for pair; do HIDDEN="$HIDDEN ${pair%:*}" packages="$packages ${pair#*:}"; done
    export HIDDEN
    # shellcheck disable=SC2086  # words
    try "$suite without$HIDDEN" told "$suite" $packages
    unset HIDDEN
}

for program in adb mksh toybox; do without adb $program:$program; done
without deb dh:debhelper
without deb lintian:lintian
install='man:man-db zsh:zsh fish:fish abidiff:abigail-tools c++:g++'
profiles='google.protobuf:protobuf perfetto:perfetto ai_edge_litert:ai-edge-litert'
# shellcheck disable=SC2086  # words
without install $install
# shellcheck disable=SC2086
without_modules profiles $profiles
[ "$every" = every ] || finish
without adb parallel:parallel
for program in $install; do without install "$program"; done
for module in $profiles; do without_modules profiles "$module"; done
without_modules plugin ai_edge_litert:ai-edge-litert
without_modules dist ensurepip:python3-venv
finish
