# SPDX-License-Identifier: Apache-2.0
# adb_json.awk LOOKS [REPORT] - the JSON report with what adb_run.sh knows of the device as environment/adb, null until then;
# without one a line: "yes", "no" or "-" (nothing is known), and by what the run was throttled.
#
# Lines of LOOKS: seconds since the epoch, kHz of the fastest CPU, the GPU's clock (Hz, kHz or MHz as its driver says it), the
# highest thermal zone (degrees Celsius or thousandths); "-" for what the device does not tell. The variable works is gpu where the
# GPU had the work: then its clock counts, and not that of the CPU, which has little to do after the start; else that of the CPU.

function text(s) { gsub(/[\\"]/, "\\\\&", s); gsub(/[[:cntrl:]]/, " ", s); return "\"" s "\"" }
function number(s) {    # its digits: awk may print a large number otherwise
    if (s !~ /^[0-9]+$/) return "null"
    sub(/^0+/, "", s)
    return s == "" ? 0 : s
}
function degrees(s) { return s !~ /^[0-9]+$/ ? "null" : s >= 1000 ? s / 1000 : s + 0 }

# The middle one of column c of the looks from..to; 0 where one of them is not known.
function median(c, from, to,    i, j, v, n, sorted) {
    for (i = from; i <= to; i++) {
        v = value[i, c]
        if (v !~ /^[0-9]+$/) return 0
        for (j = n++; j > 0 && sorted[j - 1] > v + 0; j--) sorted[j] = sorted[j - 1]
        sorted[j] = v + 0
    }
    return n ? sorted[int(n / 2)] : 0
}

# Which part of clock c the last third of the run lacks against the first; the first look and the last were taken around it.
# "null" with fewer than two looks a third.
function lost(c,    third, first, last) {
    third = int((looks - 2) / 3)
    if (third < 2 || !(first = median(c, 2, 1 + third)) || !(last = median(c, looks - third, looks - 1))) return "null"
    return last < first ? 1 - last / first : 0
}

# By what, in words; "no", or "-" where nothing is known.
function throttled(part,    why) {
    if (before != "" && after != "" && after + 0 > before + 0) why = "thermal status " before " before and " after " after it"
    if (part + 0 > 0.15) why = sprintf("%s%s clock %.0f %% lower at its end", why (why ? ", " : ""), toupper(works), part * 100)
    return why ? "yes " why : part == "null" ? "-" : "no"
}

function member(comma,    i, verdict) {
    verdict = throttled(lost(works == "gpu" ? 3 : 2))
    printf "\t\t\"adb\":\t{\n\t\t\t\"serial\":\t%s,\n\t\t\t\"model\":\t%s,\n", text(serial), text(model)
    printf "\t\t\t\"android\":\t%s,\n\t\t\t\"abi\":\t%s,\n\t\t\t\"screen\":\t%s,\n", text(android), text(abi), text(screen)
    printf "\t\t\t\"cpu_mask\":\t%s,\n\t\t\t\"fixed_performance\":\t%s,\n", text(mask), fixed ? "true" : "false"
    printf "\t\t\t\"thermal_status\":\t{\"before\": %s, \"after\": %s},\n", number(before), number(after)
    printf "\t\t\t\"clock_lost\":\t{\"cpu\": %s, \"gpu\": %s},\n", lost(2), lost(3)
    printf "\t\t\t\"throttled\":\t%s,\n\t\t\t\"looks\":\t[", \
        verdict == "-" ? "null" : verdict == "no" ? "false" : "true"
    for (i = 1; i <= looks; i++)
        printf "%s\n\t\t\t\t{\"seconds\": %.2f, \"cpu_khz\": %s, \"gpu_clock\": %s, \"hottest_celsius\": %s}", (i > 1 ? "," : ""), \
            value[i, 1] - value[1, 1], number(value[i, 2]), number(value[i, 3]), degrees(value[i, 4])
    printf "]\n\t\t}%s\n", comma
}

BEGIN { if (works == "") works = "cpu" }
FILENAME == ARGV[1] { if (NF == 4) { looks++; for (c = 1; c <= 4; c++) value[looks, c] = $c; } next }
!done && /^[\t ]*"adb":[\t ]*null,?$/ { member(/,$/ ? "," : ""); done = 1; next }
{ print }
END { if (ARGC == 2) print throttled(lost(works == "gpu" ? 3 : 2)); else exit !done }
