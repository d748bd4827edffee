#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# delegauge.sh COMMAND [ARGUMENTS] - the tools by short names; delegauge --help lists them.
set -eu

usage() {
    cat <<'END'
usage: delegauge COMMAND [flags and files of the command]

Runs one of the tools by a short name. Flags, output and exit status are those of the tool; its own name works as well.

  bench       benchmark_model: how fast is a model, on the CPU or a GPU?
  coverage    op_coverage: which operators will run on the GPU, which not, and why?
  diff        inference_diff: how far are the GPU's results from the CPU's?
  compare     benchmark_compare: what became slower between reports?
  ab          two commands of benchmark_model by turns, and their comparison
  board       one page of a folder of reports: models by devices (needs Python)
  eval KIND   eval_KIND, as eval_classification: how good are the results on a data set?
  help        with a command: the flags of that command, as COMMAND --help

delegauge bench model.tflite --use_gpu
delegauge diff model.tflite --delegate=gpu --per_op
delegauge help coverage

  --help      print this text
  --version   print the version

Exit status: that of the tool; 2 for an unknown command.
END
}

# tool_of COMMAND: nothing for others
tool_of() {
    case $1 in
        bench | benchmark | benchmark_model) echo benchmark_model ;;
        coverage | ops | op_coverage) echo op_coverage ;;
        diff | inference_diff) echo inference_diff ;;
        compare | benchmark_compare) echo benchmark_compare ;;
        eval_*) echo "$1" ;;
    esac
}

folder=$(dirname "$(readlink -f "$0" 2>/dev/null || echo "$0")")

# run_script INTERPRETER NAME ARGUMENTS: a script that is installed, or in the sources; it finds the tools that lie beside this one
run_script() {
    with=$1 name=$2
    shift 2
    [ ! -x "$folder/benchmark_compare" ] || export PATH="$folder:$PATH"
    for reports in "$folder/../share/delegauge/scripts/report" "$folder/../report"; do
        [ ! -f "$reports/$name" ] || exec "$with" "$reports/$name" "$@"
    done
    echo "ERROR: delegauge: $name is not installed in $folder/../share/delegauge/scripts/report" >&2
    exit 2
}

# run TOOL ARGUMENTS: the one that lies beside this script, else that of PATH
run() {
    name=$1
    shift
    [ ! -x "$folder/$name" ] || exec "$folder/$name" "$@"
    exec "$name" "$@"
}

help=
command=${1:-}
[ $# -eq 0 ] || shift
case $command in
    '') usage >&2; exit 2 ;;
    -h | --help) usage; exit 0 ;;
    --version) run benchmark_model --version ;;
    help)
        [ $# -gt 0 ] || { usage; exit 0; }
        command=$1 help=--help
        shift
        ;;
esac
if [ "$command" = eval ]; then
    [ $# -gt 0 ] || { echo "ERROR: delegauge eval is followed by a KIND: classification, detection or segmentation" >&2; exit 2; }
    command=eval_$1
    shift
fi
case $command in
    ab) run_script sh ab.sh ${help:+"$help"} "$@" ;;
    board) run_script python3 board.py ${help:+"$help"} "$@" ;;
esac
tool=$(tool_of "$command")
if [ -z "$tool" ]; then
    echo "ERROR: delegauge has no command '$command': bench, coverage, diff, compare, ab, board and eval are there" >&2
    exit 2
fi
run "$tool" ${help:+"$help"} "$@"
