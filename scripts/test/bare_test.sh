#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bare_test.sh [COMMAND...] - the README's first commands, as they stand there, on a bare machine: in a Debian made anew by
# debootstrap, where nothing is installed but make, and nothing was ever compiled. Each must pass, and within its time.
#
# COMMAND ("make demo") is one of them; without any all are run, in the README's order. Time is that of the processors, as two of
# them share it, since the machine may do other things meanwhile; what apt-get takes counts. Where debootstrap cannot run, this is
# said in a line NOT RUN. The last line is "N passed, N failed, N skipped".
# shellcheck disable=SC2317  # functions are called through try
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/lib/try.sh
. scripts/package/debian_root.sh
. scripts/lib/cpu_time.sh
root=$tmp/root

# The seconds that two processors may take for a command.
most() {
    case $1 in
    'make demo') echo 120 ;;
    'make check') echo 360 ;;
    *) echo "README.md: no time is known for $1" >&2; exit 1 ;;
    esac
}

# The working tree as git has it, and what this machine's Debian has only once it runs.
furnishes() {
    mkdir "$root/src" && git ls-files -z | tar -c --null -T - | tar -x -C "$root/src" &&
        chroot "$root" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends make' </dev/null
}

# inside COMMAND: in the folder of the sources; what is mounted goes with the process.
# shellcheck disable=SC2016  # expanded there
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb unshare --mount sh -c '
        mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" sh -c "cd /src && $1"
    ' "$root" "$1" </dev/null
}

# within COMMAND: what failed, its last lines, and how long it took.
within() {
    limit=$(most "$1") || return 1
    cpu_time "$tmp/times"
    cpu_before=$cpu began=$(date +%s)
    inside "$1" >"$tmp/said" 2>&1
    status=$?
    cpu_time "$tmp/times"
    seconds=$(((cpu - cpu_before) / 2))
    { grep '^FAIL\|^not ok' "$tmp/said"; tail -n 20 "$tmp/said"; } | tee "$tmp/last"
    echo "$1: status $status, $(($(date +%s) - began)) s by the clock, $seconds s on two idle processors ($limit at most)" |
        tee -a "$tmp/told"
    [ "$status" -eq 0 ] && [ "$seconds" -le "$limit" ]
}

commands=$(sed -n '/^    make /s/^    \(make [a-z-]*\) .*/\1/p' README.md | head -n 2)
if [ $# -gt 0 ]; then
    for command; do
        echo "$commands" | grep -qx "$command" || { echo "FAIL $command: the README does not begin with it"; failed=1; finish; }
    done
    commands=$(printf '%s\n' "$@")
fi
if ! why=$(unshare --mount true 2>&1) || ! why=$(debian_root "$root"); then
    echo "NOT RUN (bare): $why"
    skipped=1
    finish
fi
try "a bare Debian" furnishes
echo "$commands" >"$tmp/commands"
while read -r command; do
    try "$command" within "$command"
    cat "$tmp/last"
done <"$tmp/commands"
cat "$tmp/told"
finish
