#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_usage.sh: help, wrong arguments, configurations, hashes.
. cmodel/test/cli_lib.sh

expect 0 'usage: egret COMMAND' "$EGRET" --help
for c in 'trace make' 'trace import' 'trace random' 'trace dump' model check hash config; do
    # shellcheck disable=SC2086
    expect 0 "usage: egret $c" "$EGRET" $c --help
    grep -q '^examples:' "$DIR/out" && good || bad "$c --help has no example"
done
expect 2 'command is missing' "$EGRET"
expect 2 "unknown command 'modl'" "$EGRET" modl
expect 2 'trace: make, import' "$EGRET" trace
expect 2 "unknown option '--colour'" "$EGRET" model --colour red
expect 2 'stimulus is missing' "$EGRET" model --config lab
expect 2 '--config is missing' "$EGRET" model x.pcap
expect 2 'unexpected argument' "$EGRET" model a b
expect 2 '--csv needs F' "$EGRET" model --csv
expect 2 'no good value' "$EGRET" trace random --config lab --events -3 -o "$DIR/x"
expect 2 'no good value' "$EGRET" trace make --bytes 5TB
expect 2 'neither a configuration' "$EGRET" model --config labb x.pcap
expect 2 'No such file' "$EGRET" model --config lab "$DIR/none.pcap"
expect 2 'at least 16' "$EGRET" trace random --config lab --events 15 -o "$DIR/x"

# Configurations: every named one can be shown, and read back as a user's file.
expect 0 'tor64' "$EGRET" config list
for c in $("$EGRET" config list); do
    expect 0 'RSP_DEPTH=' "$EGRET" config show "$c"
    cp "$DIR/out" "$DIR/mine.cfg"
    expect 0 'RSP_DEPTH=' "$EGRET" config show "$DIR/mine.cfg"
    holds "config $c" cmp -s "$DIR/out" "$DIR/mine.cfg"
done
printf '# 48 ports\nNUM_PORTS=48 NUM_GROUPS=32 NUM_KEYS=64 NUM_BINS=2\nNUM_ROWS=32 ROW_LEN=64 ' \
    >"$DIR/my48.cfg"
printf 'NUM_BUCKETS=1024 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=126\n' >>"$DIR/my48.cfg"
expect 0 'NUM_PORTS=48' "$EGRET" config show "$DIR/my48.cfg"
expect 0 '' "$EGRET" trace random --config "$DIR/my48.cfg" --events 2000 -o "$DIR/r.pcap"
expect 0 'packets' "$EGRET" model --config "$DIR/my48.cfg" --allow-illegal "$DIR/r.pcap"
sed 's/NUM_PORTS=48/NUM_PORTS=65/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_PORTS is out of its range' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_PORTS=48/NUM_PORT=48/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'bad.cfg:2: unknown parameter NUM_PORT' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_PORTS=48//' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 'NUM_PORTS is missing' "$EGRET" config show "$DIR/bad.cfg"
sed 's/NUM_PORTS=48/NUM_PORTS=many/' "$DIR/my48.cfg" >"$DIR/bad.cfg"
expect 2 "'many' is no number" "$EGRET" config show "$DIR/bad.cfg"
echo 'NUM_PORTS=4' >>"$DIR/my48.cfg"
expect 2 'my48.cfg:4: NUM_PORTS is given twice' "$EGRET" config show "$DIR/my48.cfg"

# Hashes: check values of the published catalogues.
hash() { expect 0 "$1" "$EGRET" hash --hex "${4:-313233343536373839}" --algorithm "$2" ${3:-}; }
hash bb3d crc16
hash 29b1 crc16-ccitt
hash cbf43926 crc32
hash e3069283 crc32c
hash 51ccc178 toeplitz '' 420995bba18e64500aea06e6
hash 323e8fc2 toeplitz '' 420995bba18e6450
hash 17770551 lookup3 '' 466f75722073636f726520616e6420736576656e2079656172732061676f
hash cd628161 lookup3 '--seed 1' 466f75722073636f726520616e6420736576656e2079656172732061676f
hash 1428 xor16 '' 0bb81f90
hash ae5a crc16 '' 0a0000010a00010211c12312b7
hash 95fc619a crc32c '' 0a0000010a00010211c12312b7
expect 0 83e30692 "$EGRET" hash --algorithm crc32c --hex 313233343536373839 --rotation 8
expect 0 1cf96d7c "$EGRET" hash --algorithm crc32c --hex 313233343536373839 --seed 0xffffffff
expect 2 'unknown algorithm' "$EGRET" hash --algorithm md5 --hex 00
expect 2 'even number' "$EGRET" hash --algorithm crc32 --hex 012
expect 2 '--rotation: 0 to 31' "$EGRET" hash --algorithm crc32 --hex 00 --rotation 32
finish
