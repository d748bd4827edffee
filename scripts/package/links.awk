# SPDX-License-Identifier: Apache-2.0
# links.awk -v path=DOCUMENT DOCUMENTS FILE - a document as it is installed: links to files that are not installed become words.
#
# DOCUMENTS lists the paths that are, one a line, as they lie in the sources.

# "cmd/diff/../../README.md" without its "..".
function plain(p,    n, part, i, k, out) {
    n = split(p, part, "/")
    for (i = 1; i <= n; i++)
        if (part[i] == "..") k--
        else if (part[i] != "." && part[i] != "") kept[++k] = part[i]
    for (i = 1; i <= k; i++) out = out (i > 1 ? "/" : "") kept[i]
    return out
}

function is_there(target,    folder) {
    if (target ~ /^[a-z]+:/ || target ~ /^#/) return 1
    sub(/#.*/, "", target)
    folder = path
    if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
    return plain(folder "/" target) in there
}

FNR == NR { there[$0] = 1; next }
/^```/ { code = !code }
{
    out = ""
    while (!code && match($0, /\]\([^() ]+\)/)) {
        before = substr($0, 1, RSTART - 1)
        target = substr($0, RSTART + 2, RLENGTH - 3)
        rest = substr($0, RSTART + RLENGTH)
        if (is_there(target))
            out = out before "](" target ")"
        else if (match(before, /\[[^][]*$/))
            out = out substr(before, 1, RSTART - 1) substr(before, RSTART + 1)
        else
            out = out before
        $0 = rest
    }
    print out $0
}
