# SPDX-License-Identifier: Apache-2.0
# man_help.awk -v tool=NAME -v version=X.Y.Z HELP - the manual page of a script, from its --help: "usage:", what it does, commands
# and flags indented by two, lines that begin with its name as examples, "Exit status, ..."; after roff.awk.

function section(name) {
    if (now != name) print ".SH " name
    now = name
}

NR == 1 { usage = substr($0, length("usage: ") + 1); sub(/^[^ ]* /, "", usage); next }
summary == "" && $0 != "" {
    summary = tolower(substr($0, 1, 1)) substr($0, 2)
    sub(/\..*/, "", summary)
    printf ".TH %s 1 \"\" \"Delegauge %s\" \"Delegauge\"\n.SH NAME\n%s \\- %s\n", toupper(tool), version, tool, roff(summary)
    printf ".SH SYNOPSIS\n.B %s\n%s\n", tool, roff(usage)
    section("DESCRIPTION")
}
/^Exit status/ { section("EXIT STATUS") }
/^  [a-z]+( [A-Z]+)?  / {
    section("COMMANDS")
    command = substr($0, 3)
    sub(/  .*/, "", command)
    print ".TP\n\\fB" command "\\fR"
    sub(/^  [a-z]+( [A-Z]+)? +/, "")
}
substr($0, 1, length(tool) + 1) == tool " " {
    section("EXAMPLES")
    print ".PP\n" roff($0)
    next
}
/^  -/ {
    section("OPTIONS")
    flag = substr($0, 3)
    sub(/  .*/, "", flag)
    print ".TP\n\\fB" roff(flag) "\\fR"
    sub(/^  -[^ ]*( [A-Z]+)? +/, "")
}
$0 != "" { sub(/^ +/, ""); print roff($0) }
