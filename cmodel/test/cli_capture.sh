#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_capture.sh [tshark]: egret trace import of captures: their frames behind a set-up, and their
# messages. With `tshark`: captures that Wireshark's programs have written.
. cmodel/test/cli_lib.sh

TOPOLOGY=(--topology fat-tree:4 --at edge:0 --scheme ecmp)

# packets FILE: a stimulus's packets, time and what the front end sees, without their ordinals.
packets() { "$EGRET" trace dump "$1" | sed -n 's/^[0-9]* \(.* packet \)tag=[0-9]* /\1/p'; }
writes() { "$EGRET" trace dump "$1" | sed -n 's/^[0-9]* [0-9]* \(write .*\)$/\1/p'; }

# Frames without a set-up: those of a stimulus, as a capture of the wire would have them.
"$EGRET" trace make "${TOPOLOGY[@]}" --collective permutation --bytes 20000 --seed 1 --no-acks \
    -o "$DIR/made.pcap"

# strip FILE: a nanosecond pcap without its event frames.
strip() {
    python3 -c '
import struct, sys
data = open(sys.argv[1], "rb").read()
out, at = data[:24], 24
while at < len(data):
    n = struct.unpack("<I", data[at + 8:at + 12])[0]
    if data[at + 28:at + 30] != b"\x88\xb5":
        out += data[at:at + 16 + n]
    at += 16 + n
sys.stdout.buffer.write(out)' "$1"
}
if ! command -v python3 >/dev/null; then
    echo 'SKIP: python3 is not installed'
    exit 77
fi
strip "$DIR/made.pcap" >"$DIR/wire.pcap"
packets "$DIR/made.pcap" >"$DIR/want"
holds 'there are packets' [ "$(wc -l <"$DIR/want")" -gt 5 ]

if [ "${1:-}" = tshark ]; then
    for tool in editcap text2pcap tshark mergecap; do
        if ! command -v $tool >/dev/null; then
            echo "SKIP: $tool is not installed"
            exit 77
        fi
    done
    # pcapng with nanoseconds, and pcap with microseconds, by another writer.
    editcap -F pcapng "$DIR/wire.pcap" "$DIR/wire.pcapng"
    editcap -F pcap "$DIR/wire.pcap" "$DIR/micro.pcap"
    for form in wire.pcapng micro.pcap; do
        expect 0 '' "$EGRET" trace import "$DIR/$form" --frames "${TOPOLOGY[@]}" -o "$DIR/o.pcap"
        packets "$DIR/o.pcap" >"$DIR/got"
        if [ $form = micro.pcap ]; then
            sed -E 's/^([0-9]+)[0-9]{3} /\1000 /; s/^[0-9]{1,3} /0 /' "$DIR/want" >"$DIR/w"
        else
            cp "$DIR/want" "$DIR/w"
        fi
        holds "$form: the same packets" cmp -s "$DIR/w" "$DIR/got"
    done
    # Interfaces of two link types in one file, which libpcap refuses.
    editcap -T rawip4 -C 14 -L "$DIR/wire.pcap" "$DIR/raw.pcapng"
    mergecap -F pcapng -w "$DIR/two.pcapng" "$DIR/wire.pcapng" "$DIR/raw.pcapng"
    expect 0 '' "$EGRET" trace import "$DIR/two.pcapng" --frames "${TOPOLOGY[@]}" -o "$DIR/o.pcap"
    packets "$DIR/o.pcap" | sort >"$DIR/got"
    sort "$DIR/want" "$DIR/want" >"$DIR/twice"
    holds 'two link types: each packet twice' cmp -s "$DIR/twice" "$DIR/got"
    # The frames of the output, as tshark reads them: byte for byte those of the capture.
    tshark -r "$DIR/o.pcap" -Y infiniband -T fields -e ip.src -e infiniband.bth.psn 2>/dev/null |
        sort -u >"$DIR/theirs"
    tshark -r "$DIR/wire.pcap" -Y infiniband -T fields -e ip.src -e infiniband.bth.psn \
        2>/dev/null | sort -u >"$DIR/ours"
    holds 'tshark reads the same' cmp -s "$DIR/ours" "$DIR/theirs"
    holds 'tshark reads something' [ -s "$DIR/ours" ]
    finish
    exit
fi

# The set-up of a switch, as trace make writes it, then the very frames.
expect 0 '' "$EGRET" trace import "$DIR/wire.pcap" --frames "${TOPOLOGY[@]}" --seed 1 \
    -o "$DIR/o.pcap"
holds 'the same stimulus' cmp -s "$DIR/made.pcap" "$DIR/o.pcap"
expect 0 '' "$EGRET" trace import "$DIR/wire.pcap" --frames --setup "$DIR/made.pcap" \
    -o "$DIR/o.pcap"
holds 'the same stimulus from another' cmp -s "$DIR/made.pcap" "$DIR/o.pcap"
expect 0 '' "$EGRET" model --config lab "$DIR/o.pcap"
expect 0 '' "$EGRET" trace import "$DIR/wire.pcap" --frames --setup tb/traces/edge_dr.pcap \
    -o "$DIR/o.pcap"
writes tb/traces/edge_dr.pcap >"$DIR/w"
writes "$DIR/o.pcap" >"$DIR/got"
holds 'the set-up of edge_dr' cmp -s "$DIR/w" "$DIR/got"
holds 'its packets' [ "$(packets "$DIR/o.pcap" | wc -l)" = "$(wc -l <"$DIR/want")" ]
piped 0 '' "$DIR/wire.pcap" "$EGRET" trace import - --frames "${TOPOLOGY[@]}" -o "$DIR/o.pcap"
holds 'the same from a pipe' cmp -s "$DIR/made.pcap" "$DIR/o.pcap"
expect 0 '' "$EGRET" trace import "$DIR/wire.pcap" --frames "${TOPOLOGY[@]}" --limit 3 \
    -o "$DIR/o.pcap"
holds 'three packets' [ "$(packets "$DIR/o.pcap" | wc -l)" = 3 ]

# --config-file: the set-up is that of the same settings as options, and options come first.
cat >"$DIR/set.yaml" <<'YAML'
hardware: tor64
seed: 7
hash: {algorithm: crc32, seed: 3, rotation: 2, fields: [SRC_IP, DST_IP]}
load: {preset: sai, period: 100}
classes: {thresholds: [1000], ack-bin: 1, opcodes: [{opcode: 10, flags: 4}]}
groups:
  - {id: 0, mode: flowlet-quality, members: [4, 5],
     flowlet: {idle: 64000, entries: 256, path: better}}
YAML
frames=(trace import "$DIR/wire.pcap" --frames --topology fat-tree:4 --at edge:0)
options=(--config tor64 --seed 7 --hash crc32 --hash-seed 3 --rotation 2 --fields SRC_IP,DST_IP)
flowlet=(--load sai --period 100 --scheme flowlet --flowlet-idle 64000 --flowlet-entries 256
    --flowlet-path better)
# The addresses that are written, but those of the class map, which no option gives.
writes_but_classes() {
    writes "$1" | grep -vE '^write addr=(00000d|f0000[234]|f0001.|f001..) '
}
expect 0 'frames alone have no ticks' "$EGRET" "${frames[@]}" --config-file "$DIR/set.yaml" \
    -o "$DIR/file.pcap"
expect 0 '' "$EGRET" "${frames[@]}" "${options[@]}" "${flowlet[@]}" -o "$DIR/o.pcap"
writes_but_classes "$DIR/file.pcap" >"$DIR/got"
writes_but_classes "$DIR/o.pcap" >"$DIR/w"
holds 'settings as options' cmp -s "$DIR/w" "$DIR/got"
holds 'and there are some' [ "$(wc -l <"$DIR/w")" -gt 100 ]
for want in f00010.*000003e8 f00003.*00000001 f0010a.*00000004; do
    holds "class map: $want" grep -q "^write addr=${want/.\*/ data=}" <(writes "$DIR/file.pcap")
done
holds 'the very frames' [ "$(packets "$DIR/file.pcap" | wc -l)" = "$(wc -l <"$DIR/want")" ]
expect 0 '' "$EGRET" model --config tor64 "$DIR/file.pcap"
expect 0 '' "$EGRET" "${frames[@]}" --config-file "$DIR/set.yaml" --scheme dr --seed 9 \
    -o "$DIR/file.pcap"
expect 0 '' "$EGRET" "${frames[@]}" "${options[@]/#7/9}" --scheme dr -o "$DIR/o.pcap"
writes_but_classes "$DIR/file.pcap" >"$DIR/got"
writes_but_classes "$DIR/o.pcap" >"$DIR/w"
holds 'options before the file' cmp -s "$DIR/w" "$DIR/got"
piped 0 '' "$DIR/set.yaml" "$EGRET" "${frames[@]}" --config-file - --scheme dr --seed 9 \
    -o "$DIR/o.pcap"
holds 'settings from a pipe' cmp -s "$DIR/file.pcap" "$DIR/o.pcap"
expect 2 "$DIR/no.yaml: " "$EGRET" "${frames[@]}" --config-file "$DIR/no.yaml" -o "$DIR/n.pcap"
expect 2 'wire.pcap: byte ' "$EGRET" "${frames[@]}" --config-file "$DIR/wire.pcap" -o "$DIR/n.pcap"
expect 2 'set.yaml: the output is the input' "$EGRET" "${frames[@]}" \
    --config-file "$DIR/set.yaml" -o "$DIR/set.yaml"
echo 'hardware: huge' >"$DIR/bad.yaml"
expect 2 'bad.yaml:1:11: ' "$EGRET" "${frames[@]}" --config-file "$DIR/bad.yaml" -o "$DIR/n.pcap"
# One standard input cannot be both.
expect 2 'only one input can be standard input' "$EGRET" trace import - --frames --config-file - \
    --topology fat-tree:4 --at edge:0 -o "$DIR/n.pcap"
expect 2 'only one input can be standard input' "$EGRET" trace import - --config-file - \
    --topology fat-tree:4 --at edge:0 -o "$DIR/n.pcap"
expect 2 'only one input can be standard input' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --config-file - --topology - --at edge:0 -o "$DIR/n.pcap"
# What would be passed over in silence beside the set-up of a stimulus.
for other in --config-file=/dev/null --scheme=dr --at=edge:0; do
    expect 2 "either --setup or ${other%%=*}" "$EGRET" trace import "$DIR/wire.pcap" --frames \
        --setup "$DIR/made.pcap" "$other" -o "$DIR/n.pcap"
done
nothing_left n.pcap
expect 0 'differ in the seed of crc32c only' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --topology fat-tree:4 --at agg:0 --scheme ecmp -o "$DIR/o.pcap"

# A recorded stimulus: its events are refused, or pass.
expect 2 'byte 24: a frame of EtherType 0x88b5, an event of a stimulus: --events takes them' \
    "$EGRET" trace import "$DIR/made.pcap" --frames "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
nothing_left n.pcap
expect 0 '' "$EGRET" trace import "$DIR/made.pcap" --frames --events --setup "$DIR/made.pcap" \
    -o "$DIR/o.pcap"
holds 'the set-up twice' [ "$(writes "$DIR/o.pcap" | wc -l)" = \
    $((2 * $(writes "$DIR/made.pcap" | wc -l))) ]

# Messages: WRITE Only of each 4096 bytes of payload; a permutation of 16 hosts, two at an edge.
expect 0 '' "$EGRET" trace import "$DIR/wire.pcap" "${TOPOLOGY[@]}" --no-acks -o "$DIR/o.pcap"
holds 'the messages are as many packets' [ "$(packets "$DIR/o.pcap" | wc -l)" -gt 0 ]
corpus=cmodel/test/corpus/capture
# A WRITE of RETH length 4096 from the first host to the second: four packets of 1024 bytes.
expect 0 '' "$EGRET" trace import $corpus/nano.pcap "${TOPOLOGY[@]}" --payload 1024 --no-acks \
    -o "$DIR/o.pcap"
holds 'four packets' [ "$(packets "$DIR/o.pcap" | wc -l)" = 4 ]
head -c 140 $corpus/nano.pcap >"$DIR/short.pcap"
expect 2 'short.pcap: byte 120: the file ends inside a record' "$EGRET" trace import \
    "$DIR/short.pcap" "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
expect 2 'short.pcap: byte 120: the file ends inside a record' "$EGRET" trace import \
    "$DIR/short.pcap" --frames "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
nothing_left n.pcap
head -c 24 $corpus/nano.pcap >"$DIR/none.pcap"
expect 2 'none.pcap: no RoCEv2 message: 0 frames' "$EGRET" trace import "$DIR/none.pcap" \
    "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
# What is odd and no error.
{ cat "$DIR/none.pcap" && tail -c +121 $corpus/nano.pcap; } >"$DIR/headless.pcap"
expect 0 'headless.pcap: packets missing: 0, sent again: 0; messages not complete: 1' \
    "$EGRET" trace import "$DIR/headless.pcap" "${TOPOLOGY[@]}" -o "$DIR/o.pcap"

# What is in it: a RETH of 4096 bytes and one packet more of that WRITE, one queue pair.
expect 0 'capture, 1 file, 2 ranks, 1 message, 4096 bytes' "$EGRET" trace import --check \
    $corpus/nano.pcap
expect 0 'messages     1 of 4096 bytes, 4096 bytes in all' "$EGRET" trace stats \
    $corpus/nano.pcap
for want in 'ranks        2' 'frames       2 of 2 records' \
    'RoCEv2       2 packets of 1 queue pair' 'kinds        1 write, 0 sends, 0 reads'; do
    holds "stats: $want" grep -qxF "$want" "$DIR/out"
done
"$EGRET" trace stats --json "$DIR/wire.pcap" >"$DIR/stats.json"
cat >"$DIR/stats.py" <<'PY'
import json, sys
s, packets = json.load(open(sys.argv[1])), int(sys.argv[2])
c = s["capture"]
assert s["format"] == "capture" and s["ranks"] == 3 and s["messages"] == s["sends"] == packets
assert s["bytes"] == 2 * 20000 and s["largest"] == 4096 and s["collectives"] == {}
assert c["writes"] == c["frames"] == c["records"] == c["rocev2_packets"] == packets
assert c["queue_pairs"] == 2 and c["missing"] == c["incomplete"] == c["sent_again"] == 0
PY
holds 'stats --json' python3 "$DIR/stats.py" "$DIR/stats.json" "$(wc -l <"$DIR/want")"
expect 2 'none.pcap: no RoCEv2 message' "$EGRET" trace stats "$DIR/none.pcap"
expect 2 'byte 120: the file ends inside a record' "$EGRET" trace stats --json "$DIR/short.pcap"
expect 2 'one capture at a time' "$EGRET" trace stats "$DIR/wire.pcap" "$DIR/wire.pcap"
gzip -c "$DIR/wire.pcap" >"$DIR/wire.pcap.gz"
expect 2 'wire.pcap.gz: is a capture, packed or from a pipe' "$EGRET" trace stats \
    "$DIR/wire.pcap.gz"

# Usage.
expect 2 'neither pcap nor pcapng' "$EGRET" trace import tb/traces/triggers.cm --frames \
    "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
expect 2 '--setup is for --frames' "$EGRET" trace import "$DIR/wire.pcap" --setup "$DIR/made.pcap" \
    -o "$DIR/n.pcap"
expect 2 '--events is for --frames' "$EGRET" trace import "$DIR/wire.pcap" --events \
    "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
expect 2 'either --setup or --topology' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --setup "$DIR/made.pcap" "${TOPOLOGY[@]}" -o "$DIR/n.pcap"
expect 2 'only one input can be' "$EGRET" trace import - --frames --setup - -o "$DIR/n.pcap"
expect 2 '-o FILE is missing' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --setup "$DIR/made.pcap"
expect 2 'the output is the input' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --setup "$DIR/made.pcap" -o "$DIR/wire.pcap"
expect 2 'no set-up: no event before a packet' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --setup "$DIR/headless.pcap" -o "$DIR/n.pcap"
expect 2 '--at edge:8: fat-tree:4 has 8 of them' "$EGRET" trace import "$DIR/wire.pcap" --frames \
    --topology fat-tree:4 --at edge:8 --scheme dr -o "$DIR/n.pcap"
expect 2 'No such file' "$EGRET" trace import "$DIR/absent.pcap" --frames "${TOPOLOGY[@]}" \
    -o "$DIR/n.pcap"
expect 2 "$DIR: byte 0: Is a directory" "$EGRET" trace import "$DIR" --frames "${TOPOLOGY[@]}" \
    -o "$DIR/n.pcap"
nothing_left n.pcap
finish
