#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_misuse.sh: words that no command, option or value is, at the limits of each; files that are
# none, are given twice, or cannot be written; and what is told where nothing else is.
. cmodel/test/cli_lib.sh

corpus=cmodel/test/corpus
"$EGRET" trace make --topology fat-tree:4 --collective permutation --bytes 4KiB --scheme dr \
    --at edge:0 -o "$DIR/p.pcap"
"$EGRET" model --config lab "$DIR/p.pcap" --csv "$DIR/p.csv" >"$DIR/out"
long=$(printf 'x%.0s' {1..60})

# ---- words ----

expect 2 'trace: make, import, stats, random, dump, cut, merge (see' "$EGRET" trace --frob
expect 2 "unknown command 'trace frob'" "$EGRET" trace frob
expect 0 'usage: egret hash ' "$EGRET" help hash
expect 0 'usage: egret COMMAND' "$EGRET" help trace
expect 2 "unknown command '$long'" "$EGRET" "$long"
expect 2 "unknown option '--$long'" "$EGRET" model --"$long"
expect 2 "unknown option '--=x'" "$EGRET" model --=x
expect 2 "'' is no good value for -o FILE" "$EGRET" trace random --config tiny -o ''
# Letters inserted, removed, replaced or swapped are one mistake each.
for word in modle modl modell mobel omdle; do
    expect 2 "unknown command '$word'; did you mean 'model'?" "$EGRET" $word
done

# ---- values ----

hash=("$EGRET" hash --algorithm crc32c)
for hex in '1!' 1g 123 'G1' '1:' '1`'; do
    expect 2 'not an even number of hexadecimal digits' "${hash[@]}" --hex "$hex"
done
# The published check value of CRC-32C, and the same bytes in both cases.
expect 0 e3069283 "${hash[@]}" --hex 313233343536373839
one=$("${hash[@]}" --hex abcdef)
holds 'both cases' [ "$one" = "$("${hash[@]}" --hex ABCDEF)" ]
holds 'hexadecimal after 0X' \
    [ "$("${hash[@]}" --hex 00 --seed 0X10)" = "$("${hash[@]}" --hex 00 --seed 16)" ]
for seed in 0x '0x 1' 1e3 4294967296 -1 99999999999999999999999; do
    expect 2 'is no good value for --seed' "${hash[@]}" --hex 00 --seed "$seed"
done
digits=$(printf '0%.0s' {1..40})
expect 2 'is no good value for --bytes' "$EGRET" trace make --bytes "${digits}1MiB"
for fields in 'src~ip' 'src{ip' "$long" ,; do
    expect 2 '--fields: no field ' "${hash[@]}" --packets "$DIR/p.pcap" --fields "$fields"
done
model=("$EGRET" model --config lab "$DIR/p.pcap")
for order in spread:1000000001,5 spread:5,1000000001 list:1 spread:1,2,3,4 spread:1 spread:, \
    spread:1,2, list: ring:1,2 "spread:${digits}1,2" spread:1,x; do
    expect 2 '--order' "${model[@]}" --order "$order"
done
expect 0 'order: ' "${model[@]}" --order spread:0,0 --order-keep write-only-free
cp "$DIR/out" "$DIR/free"
expect 0 'order: ' "${model[@]}" --order spread:0,0
holds 'it is what is taken without' cmp -s "$DIR/free" "$DIR/out"
for keep in 0607080910 6 06, 0g ,06; do
    expect 2 '--order-keep is write-only-free, class, or opcodes' "${model[@]}" \
        --order spread:0,0 --order-keep "$keep"
done
import=("$EGRET" trace import --check)
for list in ,=ring allreduce frob=ring allreduce=frob allreduce=ring,allreduce=ring \
    "$long$long=a"; do
    expect 2 '--algorithm' "${import[@]}" --algorithm "$list" $corpus/nccl/init.txt
done
make=("$EGRET" trace make --topology fat-tree:4 --collective permutation --bytes 4KiB --at edge:0
    -o "$DIR/x.pcap" --scheme)
for drill in 3,0 x,0 2,2 2,x 2-0 2,0,0 /,0 '2,/'; do
    expect 2 '--drill is D,M: 0 to 2 samples, 0 or 1 remembered' "${make[@]}" spray-quality \
        --drill "$drill"
done
expect 2 '--drill 0,1: without samples' "${make[@]}" spray-quality --drill 0,1
nothing_left x.pcap
expect 0 '' "${make[@]}" spray-quality --drill 0,0
rm "$DIR/x.pcap"
# By the opcode the packets of a message would part: refused for a hash over the record alone.
ordered=("${make[@]}" ecmp --ordered-below 100 --fields SRC_IP,RDMA_BTH_OPCODE)
expect 2 'by RDMA_BTH_OPCODE the First, Middle and Last of a message would part' "${ordered[@]}"
nothing_left x.pcap
expect 0 '' "${ordered[@]}" --layout ipv4-5tuple
rm "$DIR/x.pcap"
for n in 0 1000000001; do
    expect 2 'bench: --decisions: 1 to 1000000000' "$EGRET" bench --decisions $n
done
expect 2 'neither a configuration' "$EGRET" bench --config "$DIR/none.cfg"
# A link that fails is an uplink of a tier that has some.
for fail in tor:0:0@1us host:0:0 edge:00@1us edge edge:0:0@x; do
    expect 2 '--fail is edge:I:UPLINK@TIME' "$EGRET" fabric --topology leaf-spine:2,2,1 \
        --collective permutation --packets 2 --convergence 1us --fail "$fail"
done

# ---- what a format may be forgiven ----

# Each --allow option forgives what it is for, and nothing else (docs/import.md).
forgiven() { # NAME OPTION: of the --allow options NAME alone makes the file good
    local allow code
    expect 2 "$DIR/$1" "${import[@]}" "$DIR/$1"
    for allow in counts unmatched dangling zero trailing; do
        code=0
        "${import[@]}" --allow-$allow "$DIR/$1" >"$DIR/out" 2>"$DIR/err" || code=$?
        holds "$1: --allow-$allow: $code: $(cat "$DIR/err")" \
            [ $code = $([ $allow = $2 ] && echo 0 || echo 2) ]
    done
}
printf '3\n0 1 3 100 1000 2.0\n' >"$DIR/fewer.txt"
forgiven fewer.txt counts
printf '1\n0 1 3 100 1000 2.0\nmore text\n' >"$DIR/behind.txt"
forgiven behind.txt trailing
printf '1\n0 1 3 100 0 2.0\n' >"$DIR/nothing.txt"
forgiven nothing.txt zero
printf '%s\n' 'num_ranks 2' 'rank 0 {' 'l1: send 10b to 1 tag 0' '}' 'rank 1 {' 'l1: calc 5' '}' \
    >"$DIR/alone.goal"
forgiven alone.goal unmatched
printf '%s\n' 'num_ranks 1' 'rank 0 {' 'l1: calc 5' 'l1 requires l2' '}' >"$DIR/hangs.goal"
forgiven hangs.goal dangling

# ---- files ----

head -c $(($(stat -c %s "$DIR/p.pcap") - 5)) "$DIR/p.pcap" >"$DIR/cut.pcap"
expect 2 'cut.pcap: record ' "${hash[@]}" --packets "$DIR/cut.pcap"
piped 2 '-: record ' "$DIR/cut.pcap" "$EGRET" trace dump -
expect 2 'trace stats: one capture at a time' "$EGRET" trace stats $corpus/capture/{nano,micro}.pcap
expect 2 'trace stats: only one input can be standard input' "$EGRET" trace stats - -
expect 2 'trace import: only one input can be standard input' "${import[@]}" - -
expect 2 'egret: only one input can be standard input' "$EGRET" trace import - --config-file - \
    --topology fat-tree:4 --at edge:0 --scheme dr -o "$DIR/x.pcap"
expect 2 'two outputs are this one file' "${model[@]}" --csv "$DIR/x.pcap" --stats "$DIR/x.pcap"
mkdir "$DIR/folder"
expect 2 'Is a directory' "$EGRET" trace cut "$DIR/folder" --packets 0 -o "$DIR/folder/x.pcap"
expect 2 'folder' "$EGRET" trace cut "$DIR/p.pcap" --packets 0 -o "$DIR/folder"
expect 2 'No such file' "$EGRET" trace cut "$DIR/p.pcap" --packets 0 -o "$DIR/none/x.pcap"
nothing_left x.pcap
holds 'the folder is empty' [ -z "$(ls -A "$DIR/folder")" ]
all=cmodel/test/config/all.yaml
cp $all "$DIR/all.yml"
expect 0 'hardware: lab' "$EGRET" config show "$DIR/all.yml"
cp "$DIR/out" "$DIR/shown"
"$EGRET" config show - <$all >"$DIR/out"
holds 'settings on standard input' cmp -s "$DIR/shown" "$DIR/out"
for form in --hex --csv; do
    expect 0 '' "$EGRET" config emit $all $form -o "$DIR/form"
    "$EGRET" config emit $all $form >"$DIR/out"
    holds "the same in a file: $form" cmp -s "$DIR/form" "$DIR/out"
done
if [ -w /dev/full ]; then
    for what in schema keys "show $all" "emit $all" list; do
        code=0
        "$EGRET" config $what >/dev/full 2>"$DIR/err" || code=$?
        holds "config $what: $code: $(cat "$DIR/err")" [ "$code/$(wc -l <"$DIR/err")" = 2/1 ]
        holds "config $what: reason" grep -q 'No space left on device' "$DIR/err"
    done
    for form in '' --hex --csv; do
        expect 2 '/dev/full: No space left' "$EGRET" config emit $all $form -o /dev/full
    done
    code=0
    "$EGRET" trace stats --json $corpus/nccl/init.txt >/dev/full 2>"$DIR/err" || code=$?
    holds "stats: $code: $(cat "$DIR/err")" [ "$code/$(wc -l <"$DIR/err")" = 2/1 ]
    expect 2 '/dev/full: No space left' "${model[@]}" --vectors /dev/full
fi

# ---- logs ----

compare=("$EGRET" compare)
expect 2 'compare: --allow-illegal is for --stimulus' "${compare[@]}" --allow-illegal \
    "$DIR/p.csv" "$DIR/p.csv"
printf 'event,port\n1,2\n' >"$DIR/a.csv"
printf 'tag,port\n1,2\n' >"$DIR/b.csv"
expect 2 "have neither 'event' nor 'tag' in common" "${compare[@]}" "$DIR/b.csv" "$DIR/a.csv"
printf 'event,port,,\n1,2,7,8\n2,3,7,8\n' >"$DIR/a.csv"
printf 'event,port,,\n1,2,9,8\n2,4,7,8\n' >"$DIR/b.csv"
# Columns without a name are no columns; without context the row before is not shown.
expect 1 'first difference: event 2: ' "${compare[@]}" "$DIR/a.csv" "$DIR/b.csv"
holds 'a row before' grep -q '^  equal     event 1: port=2$' "$DIR/out"
expect 1 'first difference: event 2: ' "${compare[@]}" --context 0 "$DIR/a.csv" "$DIR/b.csv"
holds 'no row before' [ "$(grep -c '^  equal     event' "$DIR/out")" = 0 ]
# A row of context is cut, not the comparison.
names=$(printf 'c%.0s' {1..20})
wide=$(for i in {1..20}; do printf ',%s%d' "$names" $i; done)
cells=$(printf ',%d' {1..20})
printf 'event,port%s\n1,2%s\n2,3%s\n' "$wide" "$cells" "$cells" >"$DIR/a.csv"
printf 'event,port%s\n1,2%s\n2,3%s\n' "$wide" "$cells" "${cells}1" >"$DIR/b.csv"
expect 1 '1 differ' "${compare[@]}" "$DIR/a.csv" "$DIR/b.csv"
holds 'a row of context' [ "$(grep '^  equal     event 1:' "$DIR/out" | wc -c)" -le 252 ]
finish
