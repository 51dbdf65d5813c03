#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_refusals.sh: options that do not go together or are out of range, settings that contradict
# each other, and what commands other than fabric take of a file of settings.
. cmodel/test/cli_lib.sh

# ---- hash --identify ----

I=("$EGRET" hash --quick --threads 1 --identify "$DIR/o.csv")
printf 'l4_src_port,src_ip,port\n1,10.0.0.1,4\n2,10.0.0.1,5\n3,10.0.0.1,drop\n' >"$DIR/o.csv"
for o in "--algorithm crc32" "--hex 00" "--packets $DIR/o.csv" "--key 00" "--seed 1" \
    "--rotation 1"; do
    expect 2 'hash: --identify goes with --layout, --fields, --members, --threads' "${I[@]}" $o
done
for o in '--members 1,2' '--threads 2' --quick; do
    expect 2 'hash: --members, --threads and --quick are for --identify' "$EGRET" hash \
        --algorithm crc32 --hex 00 $o
done
expect 2 'hash: --threads: 1 to 64' "$EGRET" hash --threads 65 --identify "$DIR/o.csv"
expect 2 "hash: --layout: unknown layout 'odd'" "${I[@]}" --layout odd
for members in 1,1 1,256 1,x 1,, 1,123456789; do
    expect 2 'hash: --members: different ports, 0 to 255, with commas' "${I[@]}" --members $members
done
expect 2 'hash: --members: two ports at least' "${I[@]}" --members 4
expect 2 'o.csv has no column for one of them' "${I[@]}" --fields dst_ip
expect 2 "--fields: no field 'odd'" "${I[@]}" --fields odd
expect 2 'o.csv: a port was seen that is none of the members' "${I[@]}" --members 4,6
expect 2 'none.csv: No such file' "$EGRET" hash --identify "$DIR/none.csv"
"${I[@]}" >"$DIR/out" 2>"$DIR/err" || true
holds 'what was left out' grep -q '; 1 row without a choice left out' "$DIR/out"
holds 'what is constant' grep -qi '^constant .*src_ip.*: hashed or not' "$DIR/out"

# ---- other commands ----

corpus=cmodel/test/corpus
expect 2 'completion: bash or zsh' "$EGRET" completion fish
expect 2 'config: --csv or --hex' "$EGRET" config emit lab --csv --hex
expect 2 'config: -o, --csv and --hex are for emit' "$EGRET" config show lab --csv
expect 2 'trace stats: a file is missing' "$EGRET" trace stats
expect 2 'trace import: one capture at a time' "$EGRET" trace import --check \
    $corpus/capture/nano.pcap $corpus/capture/nano.pcap
expect 2 'trace import: one capture at a time' "$EGRET" trace import --topology fat-tree:4 \
    --at edge:0 --scheme dr -o "$DIR/x.pcap" $corpus/capture/nano.pcap $corpus/capture/nano.pcap
nothing_left x.pcap
expect 0 '' "$EGRET" config presets
holds 'presets' [ "$(grep -cE '^(sai|cisco-aci|cisco-nxos|conga|htsim-ar) +load' "$DIR/out")" = 5 ]
expect 0 'relaxed      1 time' "$EGRET" trace stats --allow-trailing $corpus/hpcc/flow.txt
printf 'event,port\n' >"$DIR/a.csv"
printf 'tag,port\n1,2\n' >"$DIR/b.csv"
expect 2 "have neither 'event' nor 'tag' in common" "$EGRET" compare "$DIR/a.csv" "$DIR/b.csv"
expect 2 'has no row: nothing was compared' "$EGRET" compare "$DIR/a.csv" "$DIR/a.csv"
printf 'event,port,%040d\n1,2,3\n' 0 >"$DIR/b.csv"
expect 2 "b.csv:1: a column's name of more than 31 bytes" "$EGRET" compare "$DIR/a.csv" "$DIR/b.csv"
# On a terminal a long import says how far it is, and the line goes away.
awk 'BEGIN { print 600000; for (i = 0; i < 600000; i++) print "0 1 3 100 1000 2.000000005" }' \
    >"$DIR/long.txt"
python3 - "$EGRET" "$DIR/long.txt" >"$DIR/tty" 2>&1 <<'END'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(
    ["sh", "-c", '"$1" trace import --check "$2" >/dev/null', "sh", *sys.argv[1:]])))
END
holds "progress: $(tail -c 100 "$DIR/tty")" grep -q $'\rimport [0-9]* of 16 MB.*\r\033\\[K$' \
    "$DIR/tty"

# ---- a selector that fails at a bench ----

if [ "$EGRET" = build/bin/egret ]; then
    FAULTY=build/test/trace_faulty_selector.so
    export EGRET_FAULT=internal:20
    expect 3 "selector $FAULTY: a selector failed" "$EGRET" bench --decisions 1000 \
        --selector "$FAULTY"
    "$EGRET" trace make --topology fat-tree:4 --collective permutation --bytes 256KiB --at edge:0 \
        --scheme dr -o "$DIR/e.pcap"
    export EGRET_FAULT=port:20
    expect 1 'DIFFERENT at event' "$EGRET" check --config lab --decisions --selector "$FAULTY" \
        "$DIR/e.pcap"
    unset EGRET_FAULT
    expect 0 'plain loop' "$EGRET" bench --decisions 1000 --selector "$FAULTY"
fi

# ---- settings ----

# refuse PLACE TEXT YAML
refuse() {
    printf '%s\n' "$3" >"$DIR/x.yaml"
    expect 2 "$DIR/x.yaml:$1: " "$EGRET" config validate "$DIR/x.yaml"
    holds "$1: reason: $(cat "$DIR/err")" grep -qF -- "$2" "$DIR/err"
}
group='groups: [{id: 0, members: [1]'
refuse 1:44 'classes.opcodes: opcode 1 is there twice' \
    'classes: {opcodes: [{opcode: 1, flags: 2}, {opcode: 1, flags: 3}]}'
refuse 1:7 'load: both shares are 0' 'load: {past-share: 0, future-share: 0}'
refuse 1:7 'they do not fall' 'load: {thresholds: [5, 4]}'
refuse 1:10 'entropy-offset is for scheme entropy' "$group, scheme: dr, entropy-offset: 3}]"
refuse 1:35 'schedules: row 1 of bank 0 is there twice' \
    'schedules: [{row: 1, slots: [1]}, {row: 1, slots: [1]}]'
refuse 1:13 'schedules: port 16: hardware lab has 16 ports' 'schedules: [{row: 1, slots: [16]}]'
refuse 1:55 'base and size reach beyond NUM_BUCKETS 1024 of hardware lab' \
    "$group, scheme: ecmp, buckets: {base: 1020, count: 8}}]"
refuse 1:54 'groups.schedule: length is beyond ROW_LEN 32 of hardware lab' \
    "$group, scheme: dr, schedule: {length: 33}}]"
refuse 1:54 'groups.schedule: scheme dr needs rows' "$group, scheme: dr, schedule: {rows: 0}}]"
refuse 1:7 'anchors and tags are not read' 'hash: &a {seed: 1}'
refuse 1:8 'anchors and tags are not read' 'ports: &a []'
refuse 1:8 'anchors and tags are not read' 'ports: !x []'
refuse 1:7 'anchors and tags are not read' 'hash: !x {seed: 1}'
refuse 1:11 'hardware: wrong type, wanted a name' 'hardware: [lab]'
refuse 1:19 'wrong type, wanted a name' 'hash: {algorithm: [crc32]}'
refuse 1:26 'wrong type, wanted Mbit/s, or a number with G or M' 'ports: [{port: 2, speed: 4T}]'
refuse 1:13 '1 to 64 bytes of hexadecimal' 'hash: {key: 0g}'
refuse 1:7 'wrong type, wanted a number' 'seed: 0x'
refuse 1:7 'wrong type, wanted a number' 'seed: 0xg'
refuse 1:7 'wrong type, wanted a number' 'seed: 0x12345678901234567'
refuse 1:7 'wrong type, wanted a number' 'seed: [1]'
refuse 1:60 'thresholds: more than 15 elements' "classes: {thresholds: [$(seq -s, 1 40)]}"
awk 'BEGIN { printf "seed: ["; for (i = 0; i < 1048576; i++) printf "1,"; print "1]" }' \
    >"$DIR/x.yaml"
expect 2 'too many values' "$EGRET" config validate "$DIR/x.yaml"

make=("$EGRET" trace make --topology fat-tree:4 --collective permutation --bytes 4KiB --at edge:0)
# What does nothing of a config_db.json is said.
expect 0 '' "${make[@]}" --config-file cmodel/test/config/sonic.json -o "$DIR/n.pcap"
holds "notes: $(head -c 200 "$DIR/err")" grep -q '^egret: note: .*sonic.json: .* is ignored' \
    "$DIR/err"

# A file of settings and options that say the same: the same stimulus.
same() { # NAME YAML OPTION...
    local name=$1
    printf '%s\n' "$2" >"$DIR/s.yaml"
    shift 2
    "${make[@]}" --config-file "$DIR/s.yaml" -o "$DIR/one.pcap" >"$DIR/out" 2>"$DIR/err" || true
    "${make[@]}" "$@" -o "$DIR/two.pcap" >>"$DIR/out" 2>>"$DIR/err" || true
    holds "$name: $(cat "$DIR/err")" cmp -s "$DIR/one.pcap" "$DIR/two.pcap"
    rm -f "$DIR/one.pcap" "$DIR/two.pcap"
}
lab=$'hardware: lab\n'
same drill "$lab$group, scheme: spray-quality, drill: {samples: 2, memory: 1}}]" \
    --scheme spray-quality --drill 2,1
same 'ordered scheme' "$lab$group, scheme: dr, ordered-scheme: ecmp}]" --scheme dr \
    --ordered-scheme ecmp
key=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
same 'a key and a layout' \
    "${lab}hash: {algorithm: toeplitz, layout: rss-ipv4, key: $key}
$group, scheme: ecmp}]" --scheme ecmp --hash toeplitz --layout rss-ipv4 \
    --key $key
same 'a flowlet that never ends' "$lab$group, scheme: flowlet, flowlet: {idle: never}}]" \
    --scheme flowlet --flowlet-idle never
finish
