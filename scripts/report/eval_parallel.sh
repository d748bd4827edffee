#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# eval_parallel.sh N COMMAND... - runs an evaluation as N shards side by side by GNU parallel, and reports all of them together.
#
#   scripts/report/eval_parallel.sh 4 build/eval_classification model.tflite --ground_truth_images_path=…
#
# COMMAND is that of eval_classification or eval_segmentation without --answers_file, --shard and --merge. The answers of the
# shards go to EVAL_DIR (a new folder, else the one of that name: shards that were stopped go on there); what a shard prints is in
# EVAL_DIR/I.log. Flags about reports that are written and about demands are the last report's, which runs no delegate.
# EVAL_PARALLEL has further options for parallel, such as --sshloginfile and --workdir for other hosts, where program, model and
# pictures lie under the same paths. The exit status is that of the report, or 4 if a shard failed.
set -u
n=${1:-}
case $n in
'' | *[!0-9]* | 0*) echo 'usage: eval_parallel.sh N COMMAND...' >&2; exit 2 ;;
esac
shift
[ $# -gt 0 ] || { echo 'usage: eval_parallel.sh N COMMAND...' >&2; exit 2; }
command -v parallel >/dev/null || { echo 'eval_parallel.sh: there is no parallel (Debian package parallel)' >&2; exit 2; }
made=
dir=${EVAL_DIR:-}
if [ -z "$dir" ]; then
    dir=$(mktemp -d) made=$dir
    trap 'rm -rf "$made"' EXIT
fi
mkdir -p "$dir" || exit 2

# quoted WORD...: for a shell.
quoted() {
    for word in "$@"; do
        printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
    done
}

# The files that the report writes are not the shards'.
shard=
for word in "$@"; do
    case $word in
    --json=* | --html=* | --markdown=* | --results_csv=* | --output_file_path=* | --proto_output_file_path=* | --min_*) ;;
    *) shard="$shard$(quoted "$word")" ;;
    esac
done
files=''
i=1
while [ $i -le "$n" ]; do
    files="$files,$dir/$i.tsv" i=$((i + 1))
done
at=$(quoted "$dir")
at=${at% }
# shellcheck disable=SC2086 # options are words
if ! seq "$n" | parallel ${EVAL_PARALLEL:-} -j "$n" \
    "$shard --shard={}/$n --min_delegated=0 --answers_file=$at/{}.tsv >$at/{}.log 2>&1"; then
    echo "eval_parallel.sh: a shard failed; the ends of their logs in $dir:" >&2
    for log in "$dir"/*.log; do
        tail -n 1 "$log" >&2
    done
    made=
    exit 4
fi
merge=
for word in "$@"; do
    case $word in
    --use_* | --delegate* | --gpu_* | --dummy_* | --external_* | --xnnpack_* | --save_labels=*) ;;
    *) merge="$merge$(quoted "$word")" ;;
    esac
done
eval "$merge --merge=$(quoted "${files#,}")"
