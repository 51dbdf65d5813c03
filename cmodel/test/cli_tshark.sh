#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_tshark.sh: stimulus and decisions as an independent dissector sees them.
. cmodel/test/cli_lib.sh

if ! command -v tshark >/dev/null; then
    echo 'SKIP: tshark is not installed'
    exit 77
fi
fields() {
    local file=$1 filter=$2
    shift 2
    tshark -r "$file" -Y "$filter" -T fields "$@" 2>/dev/null
}
"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 10002 --at edge:1 \
    --scheme dr --seed 9 -o "$DIR/p.pcap"
"$EGRET" model --config lab "$DIR/p.pcap" --csv "$DIR/p.csv" --pcapng "$DIR/p.pcapng" >/dev/null

# 4 hosts, 3 packets each of 4096, 4096, 1810 bytes, and their acknowledgements.
holds 'data' [ "$(fields "$DIR/p.pcap" 'infiniband.bth.opcode == 10' -e frame.len | sort | uniq -c |
    tr -s ' ' | tr '\n' ';')" = ' 4 1886; 8 4170;' ]
holds 'acks' [ "$(fields "$DIR/p.pcap" 'infiniband.bth.opcode == 17' -e frame.len | sort -u)" = 62 ]
holds 'padding' [ "$(fields "$DIR/p.pcap" 'frame.len == 1886' -e infiniband.bth.padcnt |
    sort -u)" = 2 ]
holds 'RETH' [ "$(fields "$DIR/p.pcap" 'frame.len == 1886' -e infiniband.reth.dmalen |
    sort -u)" = 1810 ]
holds 'checksum' [ -z "$(tshark -r "$DIR/p.pcap" -o ip.check_checksum:TRUE \
    -Y 'ip.checksum.status == 0' 2>/dev/null)" ]
holds 'lengths' [ -z "$(tshark -r "$DIR/p.pcap" -Y '_ws.malformed' 2>/dev/null)" ]
holds 'events' [ "$(fields "$DIR/p.pcap" 'eth.type == 0x88b5' -e frame.number | wc -l)" = \
    "$("$EGRET" trace dump "$DIR/p.pcap" | grep -vc ' packet ')" ]

# Destination QP, opcode and ports: tshark's against ours, packet by packet.
tshark -r "$DIR/p.pcap" -Y infiniband -T fields -e infiniband.bth.destqp -e infiniband.bth.opcode \
    -e udp.srcport -e udp.dstport -e frame.len 2>/dev/null |
    while read -r qp opcode from to length; do
        printf '%06x %02x %04x %04x %d\n' "$qp" "$opcode" "$from" "$to" "$length"
    done >"$DIR/theirs"
"$EGRET" trace dump "$DIR/p.pcap" | sed -n \
    's/.*length=\([0-9]*\) .*record=.\{66\}\(....\)\(....\)\(......\)\(..\)$/\4 \5 \2 \3 \1/p' \
    >"$DIR/ours"
holds 'as many' [ "$(wc -l <"$DIR/ours")" = 24 ]
holds 'same fields' cmp -s "$DIR/ours" "$DIR/theirs"

# pcapng: one interface a port, then drop; the port of every packet as in the CSV; times kept.
tshark -r "$DIR/p.pcapng" -T fields -e frame.interface_name -e frame.time_epoch 2>/dev/null \
    >"$DIR/ng"
holds 'ports' [ "$(cut -f1 "$DIR/ng" | tr '\n' ' ')" = \
    "$(awk -F, 'NR > 1 { printf "port%s ", $7 }' "$DIR/p.csv")" ]
holds 'times' [ "$(cut -f2 "$DIR/ng" | md5sum)" = \
    "$(fields "$DIR/p.pcap" infiniband -e frame.time_epoch | md5sum)" ]
"$EGRET" trace random --config tiny --events 3000 --seed 4 -o "$DIR/r.pcap"
"$EGRET" model --config tiny "$DIR/r.pcap" --allow-illegal --csv "$DIR/r.csv" \
    --pcapng "$DIR/r.pcapng" >/dev/null
tshark -r "$DIR/r.pcapng" -T fields -e frame.interface_id -e frame.interface_name 2>/dev/null |
    sort | uniq -c | awk '{ print $2, $3, $1 }' >"$DIR/ng"
awk -F, 'NR > 1 && $6 != "read" { p = $7 == "drop" ? 4 : $7; n[p]++ }
    END { for (p = 0; p < 5; p++) if (n[p]) print p, (p < 4 ? "port" p : "drop"), n[p] }' \
    "$DIR/r.csv" >"$DIR/want"
holds 'drops' cmp -s "$DIR/ng" "$DIR/want"
if command -v capinfos >/dev/null; then
    capinfos -T -r -S "$DIR/p.pcap" >/dev/null && good || bad 'capinfos'
fi
finish
