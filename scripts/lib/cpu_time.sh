# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2034  # cpu is for those who read this file
# cpu_time.sh - what commands cost a processor, whatever else it does meanwhile: for check.sh and parts.sh.
#
#   . scripts/lib/cpu_time.sh
#   cpu_time FILE             leaves in $cpu the seconds, user and system, of all that this shell has started and waited for; FILE
#                             is scratch, since a shell of its own ($(...)) would not know them
cpu_time() {
    times >"$1"
    cpu=$(awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$1")
}
