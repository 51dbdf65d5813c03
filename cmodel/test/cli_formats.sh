#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_formats.sh: egret trace import and stats: Chakra, GOAL, HPCC and NCCL. Own samples always,
# with `data` the public ones where EGRET_DATA has them.
. cmodel/test/cli_lib.sh

S=cmodel/test/corpus
at=(--topology fat-tree:4 --at edge:0 --scheme dr -o "$DIR/t.pcap")

if [ "${1:-}" = data ]; then
    data=${EGRET_DATA:-../shared/data}
    if [ ! -d "$data/chakra" ] || [ ! -d "$data/goal" ]; then
        echo 'SKIP: EGRET_DATA has no chakra and goal folders'
        exit 77
    fi
    # Known: 112 sends of 131072 bytes; one collective of 1 MiB at each of 8 ranks.
    expect 0 'chakra, 8 files, 8 ranks, 112 messages, 14680064 bytes' "$EGRET" trace import \
        --check "$data"/chakra/custom_allreduce.*.et
    expect 0 '"sends": 112,' "$EGRET" trace stats --json "$data"/chakra/custom_allreduce.*.et
    expect 0 '"recvs": 112,' "$EGRET" trace stats --json "$data"/chakra/custom_allreduce.*.et
    expect 0 '"compute_nodes": 56,' "$EGRET" trace stats --json \
        "$data"/chakra/custom_allreduce.*.et
    while read -r file kind; do
        expect 0 "$(printf '%-12s' "$kind") 8 calls, 8388608 bytes" "$EGRET" trace stats \
            "$data/chakra/$file".*.et
    done <<<'all_reduce all-reduce
all_to_all all-to-all
all_gather all-gather
reduce_scatter reduce-scatter'
    # A tree of 32 ranks has 31 edges.
    expect 0 'goal, 1 file, 32 ranks, 31 messages, 31 bytes' "$EGRET" trace import --check \
        "$data/goal/binary_tree_32.goal"
    "$EGRET" trace import "$data"/chakra/all_to_all.*.et --topology fat-tree:4 --at edge:0 \
        --scheme flowlet -o "$DIR/a.pcap"
    # Hosts 0 and 1 send 1 MiB / 8 to 7 others each, 32 packets of 4096.
    holds 'packets of all_to_all' [ "$("$EGRET" trace dump "$DIR/a.pcap" |
        grep -c ' packet ')" -ge $((2 * 7 * 32)) ]
    expect 0 '' "$EGRET" trace import "$data/goal/binary_tree_32.goal" --topology fat-tree:8 \
        --at agg:0 --scheme dr -o "$DIR/g.pcap"
    finish
    exit
fi

expect 0 'goal, 1 file, 3 ranks, 2 messages, 120 bytes' "$EGRET" trace import --check \
    $S/goal/small.goal
expect 0 'messages     2 of 20 to 100 bytes, 120 bytes in all' "$EGRET" trace stats \
    $S/goal/small.goal
gzip -c $S/goal/small.goal >"$DIR/small.goal.gz"
expect 0 'goal, 1 file, 3 ranks, 2 messages, 120 bytes' "$EGRET" trace import --check \
    "$DIR/small.goal.gz"
head -c 100 "$DIR/small.goal.gz" >"$DIR/cut.gz"
expect 2 'cut.gz: byte ' "$EGRET" trace import --check "$DIR/cut.gz"
piped 0 'goal, 1 file, 3 ranks' "$DIR/small.goal.gz" "$EGRET" trace import --check -
expect 0 'nccl, 1 file, 2 ranks' "$EGRET" trace import --check $S/nccl/init.txt
# Lines of a log: whole up to 65535 bytes, also if what counts is far behind; a longer one, or one
# that a zero byte ends early, may hide a call, and is refused.
far() {
    sed -n 1,3p $S/nccl/init.txt
    printf '%*s ' "$1" noise
    sed -n '4,$p' $S/nccl/init.txt
}
whole=$("$EGRET" trace import --check $S/nccl/init.txt)
length=$(sed -n 4p $S/nccl/init.txt | wc -c)
for n in 4090 5000 $((65535 - length)); do
    far $n >"$DIR/far.txt"
    expect 0 "${whole#*: }" "$EGRET" trace import --check "$DIR/far.txt"
done
far $((65536 - length)) >"$DIR/far.txt"
holds 'a line of 65536 bytes' [ "$(sed -n 4p "$DIR/far.txt" | wc -c)" = 65537 ]
expect 2 'far.txt:4: a line of more than 65535 bytes' "$EGRET" trace import --check "$DIR/far.txt"
far 10 | sed '4s/noise/no\x00ise/' >"$DIR/far.txt"
expect 2 'far.txt:4: byte 7 of the line is zero' "$EGRET" trace import --check "$DIR/far.txt"
expect 2 'flow.txt:5: text behind the last flow (--allow-trailing)' "$EGRET" trace import \
    $S/hpcc/flow.txt "${at[@]}"
nothing_left t.pcap
expect 0 'hpcc, 1 file, 4 ranks, 2 messages, 4294968297 bytes' "$EGRET" trace import --check \
    --allow-trailing $S/hpcc/flow.txt
expect 0 'chakra, 1 file, 1 rank, ' "$EGRET" trace import --check $S/chakra/one.et
expect 0 '' "$EGRET" trace import $S/goal/small.goal "${at[@]}" --no-compute
expect 2 'only Chakra traces and NCCL logs' "$EGRET" trace import --check $S/goal/small.goal \
    $S/hpcc/flow.txt
# A comment that is longer than what is looked at.
{
    printf '# %150000s\n' x
    printf 'Nodes 2\nConnections 1\n0->1 start 0 size 1000\n'
} >"$DIR/comment.cm"
expect 0 'cm, 1 file, 2 ranks' "$EGRET" trace import --check "$DIR/comment.cm"
expect 2 'is a topology' "$EGRET" trace import --check tb/traces/leaf_spine.topo
expect 2 'is a stimulus already' "$EGRET" trace import --check "$DIR/t.pcap"
expect 2 'only one input can be standard input' "$EGRET" trace import --check - -
expect 2 'only one input can be standard input' "$EGRET" trace stats - -
expect 2 'writes nothing: -o' "$EGRET" trace import --check $S/goal/small.goal "${at[@]}"
echo 'hello' >"$DIR/hello"
expect 2 'is in no format' "$EGRET" trace import --check "$DIR/hello"
expect 2 'the output is the input' "$EGRET" trace import --topology fat-tree:4 --at edge:0 \
    --scheme dr "$DIR/small.goal.gz" "$DIR/hello" -o "$DIR/hello"
expect 2 "no kind of collective" "$EGRET" trace import --check $S/nccl/init.txt --algorithm a=ring
expect 2 "'allreduce' is there twice" "$EGRET" trace import --check $S/nccl/init.txt \
    --algorithm allreduce=ring,allreduce=direct
expect 2 "unknown algorithm 'x'" "$EGRET" trace import --check $S/nccl/init.txt \
    --algorithm allreduce=x
expect 0 'nccl' "$EGRET" trace import --check $S/nccl/init.txt \
    --algorithm allreduce=halving-doubling,allgather=ring
# Many files: ranks in the order of the shell, 10 before 2.
for i in $(seq 0 299); do cp $S/chakra/one.et "$DIR/many.$i.et"; done
expect 2 "node 2: process group '7' has other ranks elsewhere" \
    "$EGRET" trace import --check "$DIR"/many.*.et \
    --comm-groups <(echo '{"7": [1]}')
finish
