# SPDX-License-Identifier: Apache-2.0
# completion.awk -v tool=NAME -v shell=bash|zsh|fish - the completion of a tool's flags for that shell, from its --list_flags.
#
# A flag's name is completed, then its value: the words that it takes, true or false, or a path. Flags that take nothing but their
# default are left out.
BEGIN { FS = "\t" }
NR == 1 || $1 == "" || $4 == "fixed" { next }
{
    n++
    name[n] = $1
    values[n] = $2 == "bool" ? "true false" : $2 == "word" ? $4 : ""
    gsub(/\|/, " ", values[n])
    path[n] = $3 != ""
    bool[n] = $2 == "bool"
    help[n] = $8
}

function bash(    i, flags) {
    for (i = 1; i <= n; i++) flags = flags " --" name[i] (bool[i] ? "" : "=")
    printf "_%s()\n{\n", tool
    printf "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flag=\n"
    printf "    COMPREPLY=()\n"
    printf "    # \"=\" is a word of its own.\n"
    printf "    if [[ $word == = ]]; then\n        flag=$before word=\n"
    printf "    elif [[ $before == = ]]; then\n        flag=${COMP_WORDS[COMP_CWORD-2]}\n"
    printf "    elif [[ $before == --* ]]; then\n        flag=$before\n    fi\n"
    printf "    case $flag in\n"
    for (i = 1; i <= n; i++)
        if (values[i] != "")
            printf "    --%s) %s{ COMPREPLY=($(compgen -W '%s' -- \"$word\")); return; } ;;\n", name[i], \
                bool[i] ? "[[ $word == --* ]] || " : "", values[i]
    printf "    esac\n"
    printf "    if [[ $word == --* && -z ${flag%%--*} ]]; then\n"
    printf "        COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n", substr(flags, 2)
    printf "        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
    printf "    else\n        compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}\n"
    printf "complete -F _%s %s\n", tool, tool
}

function zsh(    i, text) {
    printf "#compdef %s\n_arguments -s \\\n", tool
    for (i = 1; i <= n; i++) {
        text = help[i]
        gsub(/[][\\:]/, "\\\\&", text) # within [] not every awk knows \]
        gsub(/'/, "'\\''", text)
        printf "  '--%s=%s[%s]:%s:%s' \\\n", name[i], bool[i] ? "-" : "", text, name[i], \
            values[i] != "" ? "(" values[i] ")" : path[i] ? "_files" : ""
    }
    printf "  '*:file:_files'\n"
}

function fish(    i, text) {
    for (i = 1; i <= n; i++) {
        text = help[i]
        gsub(/[\\']/, "\\\\&", text)
        printf "complete -c %s -l %s %s -d '%s'\n", tool, name[i], \
            bool[i] ? "" : path[i] ? "-r -F" : values[i] != "" ? "-x -a '" values[i] "'" : "-x", text
    }
}

END { if (shell == "bash") bash(); else if (shell == "zsh") zsh(); else fish() }
