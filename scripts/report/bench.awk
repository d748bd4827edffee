# SPDX-License-Identifier: Apache-2.0
# bench.awk - what bench.sh takes from the output of benchmark_model, whose profile's columns are between tabs.
#
#   awk -F '\t' -f bench.awk RUN                    eight words: median, best and init in ms, memory in MB, limit in percent,
#                                                   GFLOP/s of large convolutions and their share of the peak in percent,
#                                                   precision in force; "-" for what it does not say
#   awk -F '\t' -v compare=1 -f bench.awk RUN RUN   the operators that the second computes in another way, each way once

function field(name,    i, f) {
    for (i = 2; i <= split($0, word, " "); i++)
        if (split(word[i], f, "=") == 2 && f[1] == name)
            return f[2] + 0
    return ""
}

function ms_of(us) { return us == "" ? "-" : sprintf("%.*f", us < 10000 ? 3 : 2, us / 1000) }

function shown(format, value) { return value == "" ? "-" : sprintf(format, value) }

FNR == 1 { run++ }

/^INFO: count=/ {
    median = field("median")
    best = field("min")
    if (median == "")
        median = best = field("curr")
}
/^INFO: Inference timings in us: Init: / { split($0, word, " "); init = word[7] + 0 }
/^INFO: GPU memory \(MB\): / { memory = field("tensors") + field("constants") + field("staging") }
/^INFO: GPU precision: / { split($0, word, " "); precision = word[4] }
/^INFO: Delegate: .*; a probe of the device: / { sub(/.*; a probe of the device: /, ""); peak = $0 + 0 }
/^INFO: Delegate: .* % of the profiled time$/ { n = split($0, word, " "); limit = word[n - 5] + 0 }

/^=+ / { in_rows = /Work by row/ }
in_rows && NF == 12 && $3 !~ /\[/ {
    sub(/^ */, "", $3)
    rows[run]++
    type[run, rows[run]] = $3
    way[run, rows[run]] = $12
    if ($3 == "CONV_2D" && $6 >= 10) {
        macs += $6
        ms += $5
    }
}

# Where operators were merged otherwise, rows do not go together: then all ways of the second are told.
function tell_ways(    i, same) {
    same = rows[1] == rows[2]
    for (i = 1; i <= rows[2]; i++)
        same = same && type[1, i] == type[2, i]
    for (i = 1; i <= rows[2]; i++)
        if (!same || way[1, i] != way[2, i])
            times[sprintf("%s: %s%s", type[2, i], same ? way[1, i] " -> " : "", way[2, i])]++
    for (i in times)
        printf "    %d x %s\n", times[i], i
}

END {
    if (compare) {
        tell_ways()
        exit
    }
    flops = ms ? 2 * macs / ms : ""
    print ms_of(median), ms_of(best), shown("%.1f", init == "" ? "" : init / 1000), shown("%.1f", memory),
        shown("%.1f", limit), shown("%.1f", flops), shown("%.1f", flops != "" && peak ? 100 * flops / peak : ""),
        precision == "" ? "fp32" : precision
}
