# SPDX-License-Identifier: Apache-2.0
# man.awk -v tool=NAME -v version=X.Y.Z HELP FLAGS GUIDE - the manual page of a tool, from what its --help and its --list_flags
# print, with the command lines of its guide and the guide's first transcript as examples; after roff.awk.

function value(type, bounds, file) {
    if (type == "word") { gsub(/\|/, "\\fR|\\:\\fB", bounds); return "\\fB" bounds "\\fR" }
    type = type == "bool" ? "true|false" : type == "int" ? "N" : type == "number" ? "NUMBER" : \
        file ~ /^(read|keep|write|write-report|write-dir)$/ ? "PATH" : "TEXT"
    return "\\fI" type "\\fR"
}

# Once, though both name it: what is right of two blanks tells it in other words.
function add_example(line,    command) {
    command = line
    sub(/^ +/, "", command)
    sub(/  .*/, "", command)
    if (!(command in known)) example[++n_examples] = line
    known[command]
}

FILENAME == ARGV[1] {
    if (FNR == 1) summary = substr($0, index($0, ": ") + 2)
    if (/^usage: /) operands = substr($0, index($0, "<flags>") + 8)
    if (/^Examples:/) { examples = 1; next }
    if (examples && NF == 0) examples = 0
    if (examples) add_example($0)
    if (/^Exit status: /) { exits = substr($0, 14); next }
    if (exits != "" && NF) { sub(/^ +/, ""); exits = exits " " $0 }
    next
}

FILENAME == ARGV[3] {
    sub("build/" tool, tool)
    if (/^```/) { in_block = !in_block; n_blocks += in_block }
    else if (!transcript && in_block && index($0, "$ " tool " ") == 1) transcript = n_blocks
    if (in_block && transcript == n_blocks && !/^```/) shown[++n_shown] = $0
    if (goes_on || !in_block && index($0, "    " tool " ") == 1) add_example(substr($0, 3))
    goes_on = /\\$/ && !in_block
    next
}

FILENAME == ARGV[2] && FNR == 1 {
    FS = "\t"
    printf ".TH %s 1 \"\" \"Delegauge %s\" \"Delegauge\"\n.SH NAME\n%s \\- %s\n", toupper(tool), version, roff(tool), roff(summary)
    printf ".SH SYNOPSIS\n.ad l\n.B %s\n[\\fIflags\\fR] %s\n", roff(tool), operands == "" ? "" : "\\fI" roff(operands) "\\fR"
    printf ".SH OPTIONS\nGiven as \\fB\\-\\-name=value\\fR or \\fB\\-\\-name value\\fR; of flags that are true or false,\n"
    printf "\\fB\\-\\-name\\fR and \\fB\\-\\-no\\-name\\fR do, too. The default stands in parentheses.\n"
    next
}
{ split($0, f, "\t") }
f[1] == "" { next }
f[4] == "fixed" { fixed[++n_fixed] = ".TP\n\\fB\\-\\-" roff(f[1]) "\\fR\n" roff(f[8]); next }
{
    if (!(f[9] in flags)) group[++n_groups] = f[9]
    flags[f[9]] = flags[f[9]] sprintf(".TP\n\\fB\\-\\-%s\\fR=%s%s\n%s\n%s", roff(f[1]), value(f[2], f[4], f[3]), \
        f[5] == "" ? "" : " (" roff(f[5]) ")", roff(f[8]), \
        f[2] != "word" && f[4] != "" ? "Takes values " roff(f[4]) ".\n" : "")
}
END {
    for (i = 1; i <= n_groups; i++) printf ".SS Flags of the group %s\n%s", group[i], flags[group[i]]
    if (n_fixed) print ".SS Flags of TensorFlow Lite's tools that take nothing but their default"
    for (i = 1; i <= n_fixed; i++) print fixed[i]
    if (n_examples) print ".SH EXAMPLES\n.EX"
    for (i = 1; i <= n_examples; i++) print roff(example[i])
    if (n_examples) print ".EE"
    if (n_shown) print ".PP\nWhat it prints:\n.PP\n.EX"
    for (i = 1; i <= n_shown; i++) print roff(shown[i])
    if (n_shown) print ".EE"
    printf ".SH EXIT STATUS\n%s\n", roff(exits)
    printf ".SH SEE ALSO\n.BR benchmark_model (1),\n.BR inference_diff (1),\n.BR op_coverage (1),\n"
    printf ".BR benchmark_compare (1),\n.BR eval_classification (1),\n.BR eval_detection (1),\n.BR eval_segmentation (1)\n.PP\n"
    printf "README.md and the guides among the documents of the package, and the schema of what \\fB\\-\\-json\\fR writes.\n"
}
