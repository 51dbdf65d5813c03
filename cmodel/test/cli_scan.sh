#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_scan.sh: a stimulus that exceeds a configuration is refused by the parameter's name and the
# event's values, before anything is written; what only looks so is not.
. cmodel/test/cli_lib.sh

# stimulus FILE EVENT...: w ADDR DATA, f ADDR DATA (a fault write), r ADDR, port N UP,
# queue N DEPTH, tick, packet LENGTH.
stimulus() {
    python3 - "$@" <<'END'
import struct, sys
kinds = {"w": (1, ">II"), "r": (2, ">I"), "port": (3, ">BB"), "queue": (4, ">BI"), "tick": (5, ">"),
         "f": (6, ">II")}
out = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1)
for event in sys.argv[2:]:
    word, *values = event.split()
    values = [int(v, 0) for v in values]
    if word == "packet":
        frame, length = bytes(12) + b"\x88\xb6" + bytes(46), values[0]
    else:
        kind, fields = kinds[word]
        frame = bytes(12) + b"\x88\xb5\x01" + bytes([kind]) + struct.pack(fields, *values)
        frame, length = frame.ljust(60, b"\0"), 60
    out += struct.pack("<IIII", 0, 0, len(frame), length) + frame
open(sys.argv[1], "wb").write(out)
END
}

# The front end's default route, {key, group}, and number of thresholds; CLASS_ORDERED; a commit.
DEFAULT=0xf00000
THRESHOLDS=0xf00002
ORDERED=0x00000d
GROUP0=0x100000
dr=0x00000003

# refuse CONFIG PARAMETER VALUES EVENT...: refused by name; --allow-illegal lets it through.
refuse() {
    local config=$1 param=$2 values=$3
    shift 3
    stimulus "$DIR/s.pcap" "$@" 'packet 64'
    expect 2 "exceeds configuration $config: $param: $values (--allow-illegal" \
        "$EGRET" model --config "$config" "$DIR/s.pcap" --csv "$DIR/s.csv"
    nothing_left s.csv
    piped 2 "exceeds configuration $config: $param: $values " "$DIR/s.pcap" \
        "$EGRET" check --config "$config" --selector model -
    expect 0 '' "$EGRET" model --config "$config" --allow-illegal "$DIR/s.pcap"
}
take() {
    stimulus "$DIR/s.pcap" "${@:2}" 'packet 64'
    expect 0 '' "$EGRET" model --config "$1" "$DIR/s.pcap"
}

take lab "w $GROUP0 $dr" tick 'queue 15 9' 'port 15 0' "w $DEFAULT 0x3f001f" "r $GROUP0"
refuse lab NUM_GROUPS 'packet group=32 key=0 bin=0' "w $DEFAULT 32"
refuse lab NUM_GROUPS 'write addr=100100 data=00000003' "w 0x100100 $dr"
refuse lab NUM_KEYS 'packet group=0 key=64 bin=0' "w $GROUP0 $dr" "w $DEFAULT 0x400000"
take lab "w $GROUP0 1" "w $DEFAULT 0x400000"
refuse lab NUM_BINS 'packet group=0 key=0 bin=3' "w $GROUP0 $dr" "w $THRESHOLDS 3"
refuse lab NUM_PORTS 'port port=16' 'port 16 1'
refuse lab NUM_PORTS 'queue port=255' 'queue 255 1'
refuse lab read-only 'write addr=000000 data=00000001' 'w 0 1'
for a in 000007 00002d 000038 100007 320000 880520 900003 b00005 d00000 e00000; do
    refuse lab address "write addr=$a data=00000000" "w 0x$a 0"
done
# What spray-quality and flowlet bring: port loads, DRILL's memory, entries and counters.
take lab 'w 0x90003d 0x1fffff' 'w 0xa0001f 0x8000000f' 'w 0xc007fe 0x8fff000f' 'w 0x27 9' \
    'w 0x28 9' 'w 0x37 9'
refuse lab NUM_PORTS 'write addr=900040 data=00000000' 'w 0x900040 0'
refuse lab NUM_PORTS 'write addr=a00000 data=80000010' 'w 0xa00000 0x80000010'
refuse lab NUM_GROUPS 'write addr=a00020 data=00000000' 'w 0xa00020 0'
refuse lab NUM_GROUPS 'write addr=b00100 data=00000000' 'w 0xb00100 0'
refuse lab NUM_FLOWLETS 'write addr=c00800 data=00000000' 'w 0xc00800 0'
refuse lab NUM_PORTS 'write addr=c00000 data=00000010' 'w 0xc00000 0x10'
for a in 900002 b00004 c00001; do
    refuse lab read-only "write addr=$a data=00000000" "w 0x$a 0"
done
for a in 000025 000026 000028 000029 00002a 000031 000037 900000 a00000; do
    refuse tiny SCHEMES "write addr=$a data=00000000" "w 0x$a 0"
done
for a in 000027 b00000 c00000; do
    refuse tiny NUM_FLOWLETS "write addr=$a data=00000000" "w 0x$a 0"
done
# tiny has no entropy: as the scheme of a packet, or of those whose class keeps order.
refuse tiny SCHEMES 'packet group=0 key=0 bin=0' "w $GROUP0 5"
refuse tiny SCHEMES 'packet group=0 key=0 bin=0' "w $GROUP0 0x5003" "w $ORDERED 1"
refuse tiny SCHEMES 'packet group=0 key=0 bin=0' "w $GROUP0 7"
refuse tiny SCHEMES 'packet group=0 key=0 bin=0' "w $GROUP0 8"
take lab "w $GROUP0 7"
take lab "w $GROUP0 8"
take tiny "w $GROUP0 0x5003" "w $ORDERED 2"
take tiny "w $GROUP0 0x3005" "w $ORDERED 1"
take tiny "w $GROUP0 0x3" "w $ORDERED 1"
# Fault writes: only with parity, where a write is legal, and at counters.
refuse tiny PARITY 'fault addr=200000 data=00000001' 'f 0x200000 1'
refuse tiny PARITY 'fault addr=600000 data=00000000' 'f 0x600000 0'
refuse lab NUM_PORTS 'fault addr=200000 data=00000010' 'f 0x200000 16'
refuse lab read-only 'fault addr=500000 data=00000000' 'f 0x500000 0'
refuse lab NUM_KEYS 'packet group=0 key=64 bin=0' "f $GROUP0 $dr" "w $DEFAULT 0x400000"
take lab 'f 0x200000 1' 'f 0x600000 0' 'f 0x700000 0' "f $GROUP0 $dr"
take lab "f $DEFAULT 0x3f001f" "w $GROUP0 $dr"
# Schemes that there are nowhere drop, everywhere.
take tiny "w $GROUP0 0"
take tiny "w $GROUP0 9"
take tiny "w $GROUP0 15"

# What is no stimulus at all.
echo text >"$DIR/text"
expect 2 'text: header, offset 0: no pcap magic' "$EGRET" trace dump "$DIR/text"
expect 2 'text: header, offset 0: no pcap magic' "$EGRET" model --config lab "$DIR/text"
expect 2 'text: header, offset 0: no pcap magic' "$EGRET" check --config lab --selector model \
    --allow-illegal "$DIR/text"
expect 2 "$DIR: Is a directory" "$EGRET" model --config lab "$DIR"
code=0
"$EGRET" model --config lab - <"$DIR" >"$DIR/out" 2>"$DIR/err" || code=$?
holds 'a folder as standard input' [ "$code:$(cat "$DIR/err")" = '2:egret: -: Is a directory' ]
code=0
"$EGRET" model --config lab - <&- >"$DIR/out" 2>"$DIR/err" || code=$?
holds 'no standard input' [ "$code:$(cat "$DIR/err")" = '2:egret: -: Bad file descriptor' ]
finish
