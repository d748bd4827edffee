# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# signals.sh - a script that INT, HUP and TERM end together with all that it started, and with nothing else.
#
#   . scripts/lib/signals.sh      the script then ends as such a signal ends any; before that it removes the folder $signals_folder,
#                             where that is set; signals_stop, in a trap of the script's own, ends the others alone
trap 'signals_end INT' INT
trap 'signals_end HUP' HUP
trap 'signals_end TERM' TERM

# The processes that this script has started, and those that these have.
signals_processes() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed -n 's/^\([0-9]*\) (.*) . \([0-9]*\) .*/\1 \2/p' | awk -v root="$$" '
        { parent[$1] = $2 }
        END { for (p in parent) { for (q = parent[p]; q != root && q in parent;) q = parent[q]; if (q == root) print p } }'
}

# Ends what this script has started. TERM is for that, since what a shell starts beside itself ignores INT.
signals_stop() {
    trap '' INT HUP TERM
    # Those that stand still start no other; one that was started meanwhile is found the next time.
    signals_all='' signals_new=1
    while [ -n "$signals_new" ]; do
        signals_new=
        for signals_pid in $(signals_processes); do
            case "$signals_all " in
            *" $signals_pid "*) ;;
            *) ! kill -STOP "$signals_pid" 2>/dev/null || signals_all="$signals_all $signals_pid" signals_new=1 ;;
            esac
        done
    done
    # shellcheck disable=SC2086  # words; some have ended by themselves
    { kill -TERM $signals_all; kill -CONT $signals_all; } 2>/dev/null
    wait
}

# signals_end SIGNAL
signals_end() {
    signals_stop
    [ -z "${signals_folder:-}" ] || rm -rf "$signals_folder"
    trap - EXIT "$1"
    kill -"$1" $$
}
