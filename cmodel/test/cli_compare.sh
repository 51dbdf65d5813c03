#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_compare.sh: egret compare: logs that are equal whatever their form, differences that are found
# at the row where they are, and what is no log.
. cmodel/test/cli_lib.sh

"$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 128KiB --seed 3 \
    --at edge:2 --scheme dr -o "$DIR/p.pcap"
"$EGRET" model --config lab "$DIR/p.pcap" --csv "$DIR/a.csv" >"$DIR/out"
rows=$(($(wc -l <"$DIR/a.csv") - 1))
model=(compare --config lab --stimulus "$DIR/p.pcap")
# change FILE PYTHON: the log, changed: `rows` is a list of dictionaries; `write` writes it.
change() {
    python3 - "$DIR/a.csv" "$DIR/$1" <<END
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
names = list(rows[0])
kind = {}
$2
w = csv.DictWriter(open(sys.argv[2], "w", newline=""), names, extrasaction="ignore", **kind)
w.writeheader()
w.writerows(rows)
END
}

expect 0 "equal: $rows events compared, 0 differ" "$EGRET" compare "$DIR/a.csv" "$DIR/a.csv"
expect 0 'columns: tag group key scheme port reason choice data' "$EGRET" "${model[@]}" "$DIR/a.csv"
expect 0 'columns: cycle' "$EGRET" "${model[@]}" "$DIR/a.csv" --columns cycle
piped 0 "equal: $rows events" "$DIR/a.csv" "$EGRET" "${model[@]}" -
piped 0 "equal: $rows events" "$DIR/p.pcap" "$EGRET" compare --config lab --stimulus - "$DIR/a.csv"
# Other columns in another order, quotes, CR LF (the writer's default), capitals, 0x, an own column.
change b.csv 'names = ["Data", "PORT", "note", "tag"]
for i, r in enumerate(rows):
    r.update(Data="0x" + r["data"].lstrip("0") if r["data"].strip("0") else "0", PORT=r["port"],
             note="a \"b\",\n c", tag=hex(int(r["tag"])) if i % 2 else r["tag"])
kind = {"quoting": csv.QUOTE_ALL}'
expect 0 "equal: $rows packets compared" "$EGRET" "${model[@]}" "$DIR/b.csv"
holds 'common columns' grep -qx 'columns: data port' "$DIR/out"
expect 0 'equal' "$EGRET" compare "$DIR/b.csv" "$DIR/a.csv"

# One port is another one, in row 99 (line 101); two more behind it; the context is right before.
change d.csv 'for i in (99, 150, 160): rows[i]["port"] = "15"'
line=$(sed -n 101p "$DIR/a.csv")
event=${line%%,*}
expect 1 "first difference: event $event: model and $DIR/d.csv:101" "$EGRET" "${model[@]}" \
    "$DIR/d.csv" --context 2
holds 'field by field' grep -qE "^  DIFFERENT port +$(cut -d, -f7 <<<"$line") +15$" "$DIR/out"
holds 'others equal' [ "$(grep -c '^  equal  *[a-z]* ' "$DIR/out")" = 9 ]
holds 'context' [ "$(grep -c "^  equal     event" "$DIR/out")" = 2 ]
holds 'last context' grep -q "^  equal     event $((event - 1)): " "$DIR/out"
holds 'counts' grep -q "^different: $rows events compared, 3 differ, 0 only in model, 0 only" \
    "$DIR/out"
holds 'by column' grep -qF 'port (3 differ)' "$DIR/out"
expect 0 'equal' "$EGRET" "${model[@]}" "$DIR/d.csv" --columns reason,scheme

# Lengths; rows that one side lacks.
change s.csv 'rows = rows[:-5]'
expect 1 "lengths differ: model has $rows events, $DIR/s.csv has $((rows - 5))" \
    "$EGRET" "${model[@]}" "$DIR/s.csv"
expect 0 '5 only in model' "$EGRET" "${model[@]}" --partial "$DIR/s.csv"
expect 1 "5 only in $DIR/a.csv" "$EGRET" compare "$DIR/s.csv" "$DIR/a.csv"
expect 1 "5 only in $DIR/a.csv" "$EGRET" compare --partial "$DIR/s.csv" "$DIR/a.csv"
change h.csv 'del rows[7:9]; del rows[100]'
expect 0 '3 only in model' "$EGRET" "${model[@]}" --partial "$DIR/h.csv"
expect 1 "event $(sed -n 9p "$DIR/a.csv" | cut -d, -f1): model has it" "$EGRET" "${model[@]}" \
    "$DIR/h.csv"
# Tags that wrap at 2^32.
printf 'tag,port\n4294967294,1\n4294967295,2\n0,3\n1,4\n' >"$DIR/w1.csv"
printf 'port,tag\n1,4294967294\n2,4294967295\n4,1\n' >"$DIR/w2.csv"
expect 0 '3 packets compared, 0 differ, 1 only' "$EGRET" compare --partial "$DIR/w1.csv" \
    "$DIR/w2.csv"
# Reads have no ordinal among packets.
"$EGRET" trace random --config tiny --events 3000 --seed 2 -o "$DIR/r.pcap"
"$EGRET" model --config tiny --allow-illegal "$DIR/r.pcap" --csv "$DIR/r.csv" >/dev/null
cut -d, -f3,6,7 "$DIR/r.csv" >"$DIR/t.csv"
holds 'there are reads' grep -q ',read,' "$DIR/r.csv"
expect 0 'equal' "$EGRET" compare --config tiny --allow-illegal --stimulus "$DIR/r.pcap" \
    "$DIR/t.csv"
expect 0 'equal' "$EGRET" compare --config tiny --allow-illegal --stimulus "$DIR/r.pcap" \
    "$DIR/r.csv"
expect 2 'exceeds configuration tiny' "$EGRET" compare --config tiny --stimulus "$DIR/r.pcap" \
    "$DIR/r.csv"
piped 2 'exceeds configuration tiny' "$DIR/r.pcap" "$EGRET" compare --config tiny --stimulus - \
    "$DIR/r.csv"

# Nothing compared, and what is no log.
refuse() { # TEXT, the file's text
    printf "$2" >"$DIR/bad.csv"
    expect 2 "$1" "$EGRET" compare "$DIR/a.csv" "$DIR/bad.csv"
}
refuse 'nothing was compared' 'event,port\n'
refuse 'nothing was compared' 'event,port\n99999999,1\n'
refuse 'bad.csv:1: no header line' ''
refuse "bad.csv:1: the header has no column 'port'" 'event,tag\n1,1\n'
refuse "has neither 'event' nor 'tag'" 'port,x\n1,1\n'
refuse "bad.csv:1: two columns 'port'" 'port,tag,Port\n1,1,1\n'
refuse "bad.csv:3: tag 'x' is no number" 'port,tag\n1,0\n1,x\n'
refuse "bad.csv:2: port '256' is no port" 'port,tag\n256,0\n'
refuse "bad.csv:2: port '' is no port" 'port,tag\n,0\n'
refuse "bad.csv:2: data 'xyz' is not 1 to 8" 'port,tag,data\n1,0,xyz\n'
refuse 'bad.csv:4: tag 1 does not rise' 'port,tag\n1,0\n1,1\n1,1\n'
refuse 'bad.csv:2: 3 cells, and the header has 2' 'port,tag\n1,0,5\n'
refuse 'bad.csv:2: a quote is not closed' 'port,tag\n1,"0\n'
refuse 'bad.csv:2: a NUL byte' 'port,tag\n1,\0000\n'
refuse 'bad.csv:1: more than 64 cells' "$(printf 'a,%.0s' {1..70})"'\n'
expect 2 'No such file' "$EGRET" compare "$DIR/a.csv" "$DIR/none.csv"
expect 2 "has no column 'x'" "$EGRET" compare "$DIR/a.csv" "$DIR/a.csv" --columns port,x
expect 2 'nothing to compare' "$EGRET" compare "$DIR/a.csv" "$DIR/a.csv" --columns event
expect 2 'two logs, or' "$EGRET" compare "$DIR/a.csv"
expect 2 '--config is for --stimulus' "$EGRET" compare --config lab "$DIR/a.csv" "$DIR/a.csv"
expect 2 'only one input' "$EGRET" compare - -
expect 2 '0 to 64' "$EGRET" compare "$DIR/a.csv" "$DIR/a.csv" --context 65
finish
