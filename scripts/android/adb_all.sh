# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# shellcheck disable=SC2154  # variables of adb_run.sh
# adb_all.sh - the part of adb_run.sh that runs a tool on every device (--all): one after the other or all at once, the table, the
# array.

# Runs this script once for each, with .SERIAL after the name of each file that is written; then the table and the array.
every_device() {
    devices | awk '{ print $1 }' >"$tmp/serials"    # one that is not ready says so and fails
    [ -s "$tmp/serials" ] || die 2 "no device: connect one with USB debugging on (adb devices shows none)"
    words=
    for word; do words="$words $(quote "$word")"; done
    cat >"$tmp/one" <<END
{ DELEGAUGE_SUFFIX=.\$1 DELEGAUGE_GIVEN=$(quote "$tmp")/"\$1.given" \\
        sh $(quote "$here/adb_run.sh") -s "\$1" $flags -- $words 2>&1; echo \$? >$(quote "$tmp")/"\$1.status"; } |
    tee -i $(quote "$tmp")/"\$1.log"
END
    if [ -n "$parallel" ]; then
        command -v parallel >/dev/null || die 2 "--parallel: GNU parallel is not installed"
        parallel --will-cite --line-buffer --tag -j0 -q sh "$tmp/one" <"$tmp/serials"
    else
        while read -r serial; do
            echo "==== $serial"
            sh "$tmp/one" "$serial" </dev/null
        done <"$tmp/serials"
    fi
    side_by_side
    json_array
    exit "$(while read -r serial; do cat "$tmp/$serial.status"; done <"$tmp/serials" | sort -n | tail -n 1)"
}

side_by_side() {
    echo
    printf '%-24s %6s %12s %12s %12s %12s %9s\n' device status 'init (us)' 'first (us)' 'warm-up' average throttled
    while read -r serial; do
        grep 'Inference timings in us: ' "$tmp/$serial.log" | tail -n 1 | sed 's/.*Init: //; s/, [^:]*: / /g' >"$tmp/row"
        [ -s "$tmp/row" ] || echo '- - - -' >"$tmp/row"
        # shellcheck disable=SC2046,SC2183  # four words
        printf '%-24s %6s %12s %12s %12s %12s %9s\n' "$serial" "$(cat "$tmp/$serial.status")" $(cat "$tmp/row") \
            "$(sed 's/ .*//' "$tmp/$serial.given.verdict" 2>/dev/null || echo -)"
    done <"$tmp/serials"
}

# Where the tool, which has read --config, too, was told to write the report.
json_array() {
    json=$(cat "$tmp"/*.given 2>/dev/null | awk -F"$unit" '$1 == "json" { print $3; exit }')
    case $json in *\\*) json=$(printf '%b' "$json") ;; esac
    [ -n "$json" ] && [ "$json" != - ] || return 0
    echo '[' >"$tmp/array"
    comma=''
    while read -r serial; do
        [ -f "$json.$serial" ] || continue
        printf '%s' "$comma" | cat - "$json.$serial" >>"$tmp/array"
        comma=,
    done <"$tmp/serials"
    echo ']' >>"$tmp/array"
    cp "$tmp/array" "$json" || die 2 "cannot write $json"
    while read -r serial; do rm -f "$json.$serial"; done <"$tmp/serials"
}
