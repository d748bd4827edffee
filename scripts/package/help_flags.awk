# SPDX-License-Identifier: Apache-2.0
# help_flags.awk HELP - the flags of a script, from its --help, as a tool's --list_flags has them, for completion.awk.
#
# "--flag=a|b|MASK" takes these words, those in small letters; "--flag=DIR" a path; "--flag" and nothing behind it takes nothing,
# "-s SERIAL" its next word.
BEGIN { OFS = "\t"; print "name", "type", "file", "bounds", "default", "given", "value", "help" }
/^  -/ {
    help = $0
    sub(/^  -[^ ]*( [A-Z]+)? +/, "", help)
    flag = $1
    sub(/^--?/, "", flag)
    value = flag ~ /=/ ? substr(flag, index(flag, "=") + 1) : $2 ~ /^[A-Z]+$/ ? $2 : ""
    sub(/=.*/, "", flag)
    path = value == "DIR" && flag != "device_dir" ? "read" : ""
    words = value ~ /\|/ ? value : ""
    gsub(/\|?[A-Z]+/, "", words)
    print flag, value == "" ? "none" : words != "" ? "word" : "text", path, words, "", "0", "", help
}
