# SPDX-License-Identifier: Apache-2.0
# roff.awk - text as manual pages want it, for man.awk and man_help.awk.
function roff(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    sub(/^[.']/, "\\\\\\&&", s)
    return s
}
