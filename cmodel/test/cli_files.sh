#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_files.sh: outputs that are inputs or each other, outputs that appear together or not at all,
# input that is checked before anything is written, and what a pipe cannot be spared.
. cmodel/test/cli_lib.sh

make() {
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 64KiB --seed 3 \
        --at edge:2 --scheme dr "$@"
}
make -o "$DIR/p.pcap"
cp "$DIR/p.pcap" "$DIR/keep.pcap"
same() { holds "$1 is as it was" cmp -s "$DIR/$1" "$DIR/$2"; }

# An output that is an input: under its name, another way to it, a link, standard input.
ln "$DIR/p.pcap" "$DIR/hard.pcap"
ln -s p.pcap "$DIR/soft.pcap"
for name in p.pcap ./p.pcap hard.pcap soft.pcap; do
    for o in --csv --pcapng --stats; do
        expect 2 'the output is the input' "$EGRET" model --config lab "$DIR/p.pcap" \
            $o "$DIR/$name"
    done
done
code=0
"$EGRET" model --config lab - --csv "$DIR/p.pcap" <"$DIR/p.pcap" 2>"$DIR/err" || code=$?
holds 'standard input' [ $code = 2 ]
code=0
"$EGRET" model --config lab "$DIR/p.pcap" --csv - >>"$DIR/p.pcap" 2>"$DIR/err" || code=$?
holds 'standard output' [ $code = 2 ]
same p.pcap keep.pcap
"$EGRET" config show lab >"$DIR/my.cfg"
cp "$DIR/my.cfg" "$DIR/keep.cfg"
expect 2 'my.cfg: the output is the input' "$EGRET" model --config "$DIR/my.cfg" "$DIR/p.pcap" \
    --csv "$DIR/my.cfg"
expect 2 'my.cfg: the output is the input' "$EGRET" trace random --config "$DIR/my.cfg" \
    -o "$DIR/my.cfg"
expect 2 'my.cfg: the output is the input' make --config "$DIR/my.cfg" -o "$DIR/my.cfg"
same my.cfg keep.cfg
cp tb/traces/messages.cm tb/traces/leaf_spine.topo "$DIR"
for f in messages.cm leaf_spine.topo; do
    expect 2 "$f: the output is the input" "$EGRET" trace import "$DIR/messages.cm" \
        --topology "$DIR/leaf_spine.topo" --at edge:0 --scheme dr --zero-size 5000 -o "$DIR/$f"
    holds "$f is as it was" cmp -s "$DIR/$f" "tb/traces/$f"
done

# Two outputs with one name, there or not yet there.
for name in new.out ./new.out my.cfg; do
    expect 2 'two outputs are this one file' "$EGRET" model --config lab "$DIR/p.pcap" \
        --csv "$DIR/$name" --pcapng "$DIR/${name#./}"
    expect 2 'two outputs are this one file' "$EGRET" model --config lab "$DIR/p.pcap" \
        --stats "$DIR/$name" --pcapng "$DIR/${name#./}"
done
same my.cfg keep.cfg
nothing_left new.out
expect 0 'chosen 128' "$EGRET" model --config lab "$DIR/p.pcap" --csv /dev/null --pcapng /dev/null

# All outputs or none.
if [ -w /dev/full ]; then
    for o in '--csv t.csv --pcapng /dev/full' '--pcapng t.csv --stats /dev/full' \
        '--stats t.csv --csv /dev/full'; do
        # shellcheck disable=SC2086
        expect 2 '/dev/full: No space left' "$EGRET" model --config lab "$DIR/p.pcap" \
            ${o/t.csv/$DIR/t.csv}
        nothing_left t.csv
    done
fi

# Bad input that can be read twice: nothing on standard output.
head -c $(($(stat -c %s "$DIR/p.pcap") - 5)) "$DIR/p.pcap" >"$DIR/cut.pcap"
quiet() {
    local text=$1
    shift
    expect 2 "$text" "$@"
    holds "nothing is written: $*" [ ! -s "$DIR/out" ]
}
quiet 'cut.pcap: record ' "$EGRET" trace dump "$DIR/cut.pcap"
quiet 'cut.pcap: record ' "$EGRET" model --config lab "$DIR/cut.pcap" --csv -
quiet 'cut.pcap: record ' "$EGRET" model --config lab --allow-illegal "$DIR/cut.pcap" --csv -
for words in 'trace dump -' 'model --config lab - --csv -' 'check --config lab --selector model -'
do
    code=0
    # shellcheck disable=SC2086
    "$EGRET" $words <"$DIR/cut.pcap" >"$DIR/out" 2>"$DIR/err" || code=$?
    holds "$words: 2 and nothing written" [ "$code:$(wc -c <"$DIR/out")" = 2:0 ]
    grep -q '^egret: -: record [0-9]*, offset [0-9]*: frame cut short' "$DIR/err" && good ||
        bad "$words: $(cat "$DIR/err")"
done
"$EGRET" trace dump - <"$DIR/p.pcap" >"$DIR/stdin.txt"
"$EGRET" trace dump "$DIR/p.pcap" | cmp -s - "$DIR/stdin.txt" && good || bad 'standard input'

# A pipe is tested against the configuration too, and says where.
"$EGRET" trace random --config lab --events 3000 --seed 5 -o "$DIR/r.pcap"
where="record [0-9]*, offset [0-9]*: exceeds configuration lab: [A-Za-z_-]*: [a-z]* [a-z]*="
for words in 'model --config lab' 'check --config lab --selector model'; do
    for file in - "$DIR/r.pcap"; do
        # shellcheck disable=SC2086
        piped 2 'exceeds configuration lab: ' "$DIR/r.pcap" "$EGRET" $words "$file"
        grep -q "^egret: $file: $where" "$DIR/err" && good || bad "$words: $(cat "$DIR/err")"
    done
    # shellcheck disable=SC2086
    piped 0 '' "$DIR/r.pcap" "$EGRET" $words --allow-illegal -
done
finish
