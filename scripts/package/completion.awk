# SPDX-License-Identifier: Apache-2.0
# completion.awk -v tool=NAME -v shell=bash|zsh|fish [-v commands=TOOLS] - the completion of a tool's flags for that shell, from
# its --list_flags.
#
# A flag's name is completed, then its value: the words that it takes, true or false, or a path. Flags that take nothing but their
# default are left out. With commands, words that tools are called by (NAME, or WORD=NAME), the first of them ends the tool's own
# flags, and what comes behind it is completed as for that tool. A name of one letter stands behind one dash, its value is the next
# word.
BEGIN {
    FS = "\t"
    n_commands = split(commands, command, " ")
    commands = ""
    for (k = 1; k <= n_commands; k++) {
        called[k] = command[k]
        sub(/.*=/, "", called[k])
        sub(/=.*/, "", command[k])
        mapped = mapped || called[k] != command[k]
        commands = commands (k > 1 ? " " : "") command[k]
    }
}
NR == 1 || $1 == "" || $4 == "fixed" { next }
{
    n++
    name[n] = $1
    values[n] = $2 == "bool" ? "true false" : $2 == "word" ? $4 : ""
    gsub(/\|/, " ", values[n])
    path[n] = $3 != ""
    bool[n] = $2 == "bool"
    none[n] = $2 == "none"
    help[n] = $8
    short[n] = length($1) == 1
    dashed[n] = (short[n] ? "-" : "--") $1
}

function bash(    i, flags) {
    for (i = 1; i <= n; i++) flags = flags " " dashed[i] (bool[i] || none[i] || short[i] ? "" : "=")
    printf "_%s()\n{\n", tool
    printf "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flag=\n"
    printf "    COMPREPLY=()\n"
    if (commands != "") {
        printf "    local i command\n    for ((i = 1; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in\n"
        for (i = 1; i <= n_commands; i++) printf "        %s) command=%s ;;\n", command[i], called[i]
        printf "        *) continue ;;\n        esac\n"
        printf "        declare -F \"_$command\" >/dev/null || _completion_loader \"$command\" 2>/dev/null\n"
        printf "        ! declare -F \"_$command\" >/dev/null || \"_$command\"\n        return\n    done\n"
    }
    printf "    # \"=\" is a word of its own.\n"
    printf "    if [[ $word == = ]]; then\n        flag=$before word=\n"
    printf "    elif [[ $before == = ]]; then\n        flag=${COMP_WORDS[COMP_CWORD-2]}\n"
    printf "    elif [[ $before == -* ]]; then\n        flag=$before\n    fi\n"
    printf "    case $flag in\n"
    for (i = 1; i <= n; i++)
        if (none[i]) printf "    --%s) flag= ;;\n", name[i]
        else if (short[i]) printf "    -%s) return ;;\n", name[i]
        else if (values[i] != "")
            printf "    --%s) %s{ COMPREPLY=($(compgen -W '%s' -- \"$word\")); return; } ;;\n", name[i], \
                bool[i] ? "[[ $word == --* ]] || " : "", values[i]
    printf "    esac\n"
    printf "    if [[ $word == --* && -z ${flag%%--*} ]]; then\n"
    printf "        COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n", substr(flags, 2)
    printf "        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
    printf "    else\n"
    if (commands != "")
        printf "        [[ $flag ]] || { COMPREPLY=($(compgen -W '%s' -- \"$word\")); return; }\n", commands
    printf "        compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}\n"
    printf "complete -F _%s %s\n", tool, tool
}

function zsh(    i, text) {
    printf "#compdef %s\n", tool
    if (mapped) printf "local state line\n_arguments -s -C \\\n"
    else printf "_arguments -s \\\n"
    for (i = 1; i <= n; i++) {
        text = help[i]
        gsub(/[][\\:]/, "\\\\&", text) # within [] not every awk knows \]
        gsub(/'/, "'\\''", text)
        if (short[i]) printf "  '-%s+[%s]:%s:' \\\n", name[i], text, name[i]
        else if (none[i]) printf "  '--%s[%s]' \\\n", name[i], text
        else printf "  '--%s=%s[%s]:%s:%s' \\\n", name[i], bool[i] ? "-" : "", text, name[i], \
            values[i] != "" ? "(" values[i] ")" : path[i] ? "_files" : ""
    }
    if (commands != "" && !mapped) printf "  '(-)1:tool:(%s)' \\\n  '*:: :_normal'\n", commands
    else if (commands != "") {
        printf "  '(-)1:command:(%s)' \\\n  '*::argument:->argument'\n", commands
        print "[[ $state == argument ]] || return\ncase $words[1] in"
        for (i = 1; i <= n_commands; i++) printf "%s) words[1]=%s ;;\n", command[i], called[i]
        print "esac\n_normal"
    } else printf "  '*:file:_files'\n"
}

function fish(    i, text, mine) {
    if (commands != "") {
        mine = " -n 'not __fish_seen_subcommand_from " commands "'"
        printf "complete -c %s%s -x -a '%s'\n", tool, mine, commands
        if (!mapped)
            printf "complete -c %s -n '__fish_seen_subcommand_from %s' -x -a '(__fish_complete_subcommand -s)'\n", tool, commands
        for (i = 1; mapped && i <= n_commands; i++)
            printf "complete -c %s -n '__fish_seen_subcommand_from %s' -x -a '(complete -C (%s))'\n", tool, command[i], \
                "string replace -r \"^.*?\\\\b" command[i] " +\" \"" called[i] " \" -- (commandline -cp)"
    }
    for (i = 1; i <= n; i++) {
        text = help[i]
        gsub(/[\\']/, "\\\\&", text)
        printf "complete -c %s%s -%s %s%s -d '%s'\n", tool, mine, short[i] ? "s" : "l", name[i], \
            none[i] ? "" : path[i] ? " -r -F" : \
            values[i] != "" ? (bool[i] ? " -f" : " -x") " -a '" values[i] "'" : " -x", text
    }
}

END { if (shell == "bash") bash(); else if (shell == "zsh") zsh(); else fish() }
