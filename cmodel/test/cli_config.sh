#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_config.sh: egret config on files of settings; --config-file; docs/config.md against the table.
source "$(dirname "$0")/cli_lib.sh"
files=cmodel/test/config

# refuse PLACE TEXT: the YAML on standard input is refused there, for that reason.
refuse() {
    cat >"$DIR/x.yaml"
    expect 2 "$DIR/x.yaml:$1" "$EGRET" config validate "$DIR/x.yaml"
    holds "$1: reason: $(cat "$DIR/err")" grep -qF -- "$2" "$DIR/err"
}
accept() {
    cat >"$DIR/x.yaml"
    expect 0 good "$EGRET" config validate "$DIR/x.yaml"
}
writes() { "$EGRET" config emit "$1" | grep -v '^#' | cut -d ' ' -f 1,2; }

# ---- refusals, each with its line and column ----
printf '' | refuse 1:1: empty
refuse 1:1: 'wrong type, wanted keys and values' <<<'- 1'
printf 'seed: 1\nhash: {algoritm: crc32}\n' | refuse 2:8: "did you mean algorithm?"
printf 'seed: 1\nzzzzzzzz: 2\n' | refuse 2:1: "unknown key 'zzzzzzzz'"
printf 'seed: 1\nseed: 2\n' | refuse 2:1: 'seed is there twice'
printf 'load:\n  period: 1\n  SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL: 1\n' |
    refuse 3:3: 'period is there twice, also as SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL'
refuse 1:7: 'wrong type, wanted a number' <<<'seed: one'
refuse 1:7: 'wrong type, wanted a number' <<<'seed: "1"'
refuse 1:7: 'wrong type, wanted a number' <<<'seed: 010'
refuse 1:7: 'wrong type, wanted a number' <<<'seed: 99999999999999999999999'
refuse 1:7: 'out of range, below 0' <<<'seed: -1'
refuse 1:7: 'out of range, 0 to 4294967295' <<<'seed: 4294967296'
refuse 1:8: 'wrong type, wanted a list' <<<'ports: 3'
refuse 1:7: 'wrong type, wanted keys and values' <<<'hash: 3'
refuse 1:11: "no configuration 'nosuch'" <<<'hardware: nosuch'
refuse 1:19: "'md5' is none of crc16" <<<'hash: {algorithm: md5}'
refuse 1:17: "unknown field 'TTL'" <<<'hash: {fields: [TTL]}'
refuse 1:25: "'SRC_IP' is there twice" <<<'hash: {fields: [SRC_IP, SRC_IP]}'
refuse 1:13: '1 to 64 bytes of hexadecimal' <<<'hash: {key: abc}'
refuse 1:7: 'key is for algorithm toeplitz' <<<'hash: {key: rss}'
refuse 2:7: 'not in hardware tiny' <<<$'hardware: tiny\nhash: {algorithm: lookup3}'
refuse 1:10: 'thresholds ascend' <<<'classes: {thresholds: [300, 200]}'
refuse 1:27: 'out of range, 0 to 15' <<<'classes: {ordered: [1, 2, 16]}'
refuse 1:7: 'percent and steps say the same thing' <<<'load: {percent: [5], steps: [5]}'
refuse 1:7: 'shares and weights say the same' \
    <<<'load: {past-share: 1, future-share: 1, past-weight: 1}'
refuse 1:7: 'go together' <<<'load: {past-share: 1}'
refuse 1:7: 'they do not fall' <<<'load: {percent: [20, 10]}'
refuse 1:7: 'they do not fall' <<<'load: {steps: [60, 60]}'
refuse 2:7: 'hardware tiny measures no loads' <<<$'hardware: tiny\nload: {preset: sai}'
refuse 1:57: 'the one before comes first' \
    <<<'load: {SAI_ARS_PROFILE_ATTR_QUANT_BAND_3_MIN_THRESHOLD: 7}'
refuse 1:9: 'hardware lab has 16 ports' <<<'ports: [{port: 16}]'
refuse 1:9: 'last is below port' <<<'ports: [{port: 3, last: 2}]'
refuse 1:31: 'port 3 is there twice' <<<'ports: [{port: 2, last: 4},   {port: 3}]'
refuse 1:26: 'out of range, 1 to 10000000 Mbit/s' <<<'ports: [{port: 2, speed: 0G}]'
refuse 1:9: 'port is missing' <<<'ports: [{speed: 1}]'
refuse 1:10: 'scheme is missing' <<<'groups: [{id: 0, members: [1]}]'
refuse 1:10: 'scheme and mode say the same thing' \
    <<<'groups: [{id: 0, scheme: dr, mode: fixed, members: [1]}]'
refuse 1:10: 'contradict each other' \
    <<<'groups: [{id: 0, mode: flowlet-quality, members: [1], flowlet: {path: random}}]'
refuse 1:10: 'group 0 has no members' <<<'groups: [{id: 0, scheme: dr, members: []}]'
refuse 1:10: 'members is missing' <<<'groups: [{id: 0, scheme: dr}]'
refuse 1:10: 'member 16: hardware lab has 16 ports' \
    <<<'groups: [{id: 0, scheme: dr, members: [16]}]'
refuse 1:40: 'out of range, 0 to 63' <<<'groups: [{id: 0, scheme: dr, members: [64]}]'
refuse 1:10: 'member 3 is there twice' <<<'groups: [{id: 0, scheme: dr, members: [3, 3]}]'
refuse 1:10: 'id 32: hardware lab has 32 groups' <<<'groups: [{id: 32, scheme: dr, members: [3]}]'
printf 'groups:\n  - {id: 1, scheme: dr, members: [1]}\n  - {id: 1, scheme: dr, members: [1]}\n' |
    refuse 3:5: 'id 1 is there twice'
printf 'groups:\n  - id: 1\n    scheme: flowlet\n    members: [1, {port: 2, weight: 2}]\n' |
    refuse 4:18: 'scheme flowlet does not look at them'
refuse 1:10: 'flowlet is for scheme flowlet' \
    <<<'groups: [{id: 0, scheme: dr, members: [1], flowlet: {idle: 1}}]'
refuse 1:10: 'drill is for scheme' \
    <<<'groups: [{id: 0, scheme: dr, members: [1], drill: {samples: 1}}]'
refuse 1:10: 'without samples none is remembered' \
    <<<'groups: [{id: 0, scheme: spray-quality, members: [1], drill: {memory: 1}}]'
refuse 2:10: 'hardware tiny has no scheme flowlet' \
    <<<$'hardware: tiny\ngroups: [{id: 0, scheme: flowlet, members: [1]}]'
refuse 1:63: 'a power of two' \
    <<<'groups: [{id: 0, scheme: ecmp, members: [1], buckets: {count: 3}}]'
refuse 1:61: 'fewer than members' \
    <<<'groups: [{id: 0, scheme: ecmp, members: [1, 2, 3], buckets: {count: 2}}]'
printf '%s\n' 'groups:' '  - {id: 0, scheme: ecmp, members: [1], buckets: {base: 8, count: 8}}' \
    '  - {id: 1, scheme: ecmp, members: [1], buckets: {base: 15, count: 2}}' |
    refuse 3:50: 'overlaps those of another group'
printf '%s\n' 'groups:' '  - id: 0' '    scheme: ecmp' '    members: [1]' \
    '    buckets:' '      count: 2048' |
    refuse 6:7: 'take more than NUM_BUCKETS 1024 of hardware lab'
printf '%s\n' 'groups:' '  - id: 0' '    scheme: dr' '    members: [1, {port: 2, weight: 33}]' |
    refuse 2:5: 'more slots than ROW_LEN 32'
refuse 1:14: 'hardware lab has 32 rows' <<<'schedules: [ {row: 32, slots: [1]}]'
printf 'routes:\n  - {prefix: 10.0.0.0/8, group: 3}\n' | refuse 2:5: 'there is no group 3'
routed='groups: [{id: 0, scheme: dr, members: [1]}]'
printf '%s\nroutes:\n  - {prefix: 10.0.0.1/8, group: 0}\n' "$routed" |
    refuse 3:14: 'address has bits beyond the length'
printf '%s\nroutes:\n  - {prefix: 10.0.0.0/33, group: 0}\n' "$routed" |
    refuse 3:14: 'length out of range'
printf '%s\nroutes:\n  - {prefix: 10.0.0/8, group: 0}\n' "$routed" | refuse 3:14: 'is no address'
printf '%s\nroutes:\n  - {prefix: 10.0.0.0/8, group: 0, key: 64}\n' "$routed" |
    refuse 3:5: 'hardware lab has 64 keys'
twice='  - {prefix: 10.0.0.0/8, group: 0}'
printf '%s\nroutes:\n%s\n%s\n' "$routed" "$twice" "$twice" |
    refuse 4:5: 'this prefix is there twice'
refuse 1:1: 'there is no group 9' <<<'default-group: 9'
# What could blow up.
refuse 1:7: 'anchors and tags are not read' <<<'seed: &a 1'
printf 'seed: 1\nhash: {seed: *a}\n' | refuse 2:14: 'aliases are not read'
refuse 1:7: 'anchors and tags are not read' <<<'seed: !!int 1'
printf 'seed: 1\n---\nseed: 2\n' | refuse 2:1: 'a second document'
{ printf '[%.0s' {1..20000}; } | refuse 1:13: 'nested too deep'
printf 'seed: 1\n\tx: 2\n' | refuse 2:1: 'found a tab character'
printf 'seed: \x80\n' >"$DIR/x.yaml"
expect 2 'byte' "$EGRET" config validate "$DIR/x.yaml"
head -c 5000000 /dev/zero | tr '\0' '#' >"$DIR/x.yaml"
expect 2 'more than 4194304 bytes' "$EGRET" config validate "$DIR/x.yaml"
expect 2 'No such file' "$EGRET" config validate "$DIR/none.yaml"

# ---- what is good ----
for f in all edge_dr; do
    expect 0 'good: hardware lab' "$EGRET" config validate "$files/$f.yaml"
    "$EGRET" config show "$files/$f.yaml" >"$DIR/full.yaml"
    "$EGRET" config show "$DIR/full.yaml" >"$DIR/again.yaml"
    holds "$f: shown settings read back as equal" cmp -s "$DIR/full.yaml" "$DIR/again.yaml"
    writes "$files/$f.yaml" >"$DIR/a"
    writes "$DIR/full.yaml" >"$DIR/b"
    holds "$f: and make the same writes" cmp -s "$DIR/a" "$DIR/b"
    holds "$f: writes" test -s "$DIR/a"
done
for p in sai cisco-aci cisco-nxos conga htsim-ar; do
    expect 0 'load:' "$EGRET" config presets "$p"
    cp "$DIR/out" "$DIR/preset.yaml"
    "$EGRET" config emit "$DIR/preset.yaml" >"$DIR/a"
    echo "load: {preset: $p}" >"$DIR/b.yaml"
    "$EGRET" config emit "$DIR/b.yaml" >"$DIR/b"
    holds "preset $p" cmp -s "$DIR/a" "$DIR/b"
done
expect 2 'not ' "$EGRET" config presets nosuch
# The trace library's own set-up of a switch: the same writes in the same order.
make() {
    "$EGRET" trace make --topology fat-tree:8 --collective permutation --bytes 4096 --at edge:0 "$@"
}
make --scheme dr --seed 1 -o "$DIR/t.pcap"
"$EGRET" trace dump "$DIR/t.pcap" | sed -n 's/.* write addr=\(.*\) data=\(.*\)/\1 \2/p' >"$DIR/b"
writes "$files/edge_dr.yaml" >"$DIR/a"
holds 'writes of trace make' cmp -s "$DIR/a" "$DIR/b"
# The forms of the output.
"$EGRET" config emit "$files/edge_dr.yaml" --hex |
    sed '1d; s,\(.\{6\}\)\(.\{8\}\) .*,\1 \2,' >"$DIR/b"
holds 'hex' cmp -s "$DIR/a" "$DIR/b"
"$EGRET" config emit "$files/edge_dr.yaml" --csv |
    sed '1d; s/0x\([^,]*\),0x\([^,]*\),".*"/\1 \2/' >"$DIR/b"
holds 'csv' cmp -s "$DIR/a" "$DIR/b"
"$EGRET" config emit "$files/edge_dr.yaml" -o "$DIR/head.pcap"
# A pcap's records may follow each other: 24 bytes of file header come once.
tail -c +25 "$DIR/t.pcap" | cat "$DIR/head.pcap" - >"$DIR/both.pcap"
expect 0 '' "$EGRET" trace dump "$DIR/both.pcap"
sed -n 's/.* write addr=\(.*\) data=\(.*\)/\1 \2/p' "$DIR/out" >"$DIR/b"
cat "$DIR/a" "$DIR/a" >"$DIR/c"
holds 'pcap' cmp -s "$DIR/b" "$DIR/c"
expect 2 'the output is the input' "$EGRET" config emit "$DIR/x.yaml" -o "$DIR/x.yaml"
expect 2 '' "$EGRET" config emit "$DIR/x.yaml" -o "$DIR/no.pcap"
nothing_left no.pcap
expect 2 'for emit' "$EGRET" config validate "$files/all.yaml" --hex

# ---- SONiC ----
expect 0 'past-weight: 43' "$EGRET" config show "$files/sonic.json"
for want in 'future-weight: 213' 'period: 10000' 'algorithm: crc32' 'fields: [SRC_IP, DST_IP]' \
    'idle: 256000' 'entries: 512' 'path: quality' 'scheme: flowlet'; do
    holds "sonic: $want" grep -qF "$want" "$DIR/out"
done
for want in 'DST_MAC is not hashed' 'table DEVICE_METADATA is ignored' \
    'table ARS_NEXTHOP is ignored' \
    'scaling_factor is ignored' 'primary_path_threshold is ignored'; do
    holds "sonic: note $want" grep -qF "$want" "$DIR/err"
done
expect 0 '' "$EGRET" config show "$files/sonic.json" --quiet
holds 'quiet' test ! -s "$DIR/err"
sonic() {
    cat >"$DIR/x.json"
    expect 2 "$DIR/x.json:$1" "$EGRET" config validate "$DIR/x.json"
}
port='"PORT": {"Ethernet0": {"speed": "400000", "admin_status": "up"}}'
sonic '1:' <<<'{"PORT": }'
sonic ' PORT: no such table' <<<'{}'
sonic ' PORT|Ethernet0|speed: missing' <<<'{"PORT": {"Ethernet0": {}}}'
sonic ' PORT|Eth1: no name like Ethernet0' <<<'{"PORT": {"Eth1": {}}}'
sonic ' ARS_OBJECT|a|flowlet_idle_time: out of range, 2 to 2047' \
    \
    <<<"{$port, \"ARS_OBJECT\": {\"a\": {\"flowlet_idle_time\": \"1\"}},
         \"ARS_INTERFACE\": {\"Ethernet0\": {}}}"
sonic ' ARS_INTERFACE|Ethernet4: there is no such port' \
    <<<"{$port, \"ARS_OBJECT\": {\"a\": {}}, \"ARS_INTERFACE\": {\"Ethernet4\": {}}}"
sonic ' ARS_PROFILE|p|default_ars_object: there is no such object' \
    <<<"{$port, \"ARS_PROFILE\": {\"p\": {\"default_ars_object\": \"q\"}}}"
sonic ' ARS_PROFILE|p|algorithm: there is ewma alone' \
    <<<"{$port, \"ARS_PROFILE\": {\"p\": {\"algorithm\": \"max\"}}}"
sonic '1:' <<<"{$port, $port}"

# ---- --config-file ----
cat >"$DIR/set.yaml" <<'YAML'
hardware: lab
seed: 7
hash: {algorithm: crc32, seed: 3, rotation: 2, fields: [SRC_IP, DST_IP]}
load: {preset: sai, period: 100}
groups:
  - {id: 1, scheme: ecmp, members: [1]}
  - {id: 0, mode: flowlet-quality, members: [4, 5],
     flowlet: {idle: 64000, entries: 256, path: better}}
YAML
hash=(--config lab --seed 7 --hash crc32 --hash-seed 3 --rotation 2 --fields SRC_IP,DST_IP)
make --config-file "$DIR/set.yaml" -o "$DIR/1.pcap"
make "${hash[@]}" --load sai --period 100 --scheme flowlet --flowlet-idle 64000 \
    --flowlet-entries 256 --flowlet-path better -o "$DIR/2.pcap"
holds 'a file as the options' cmp -s "$DIR/1.pcap" "$DIR/2.pcap"
make --config-file "$DIR/set.yaml" --scheme dr --seed 9 -o "$DIR/1.pcap"
make "${hash[@]}" --seed 9 --scheme dr -o "$DIR/2.pcap" 2>/dev/null ||
    make "${hash[@]/7/9}" --scheme dr -o "$DIR/2.pcap"
holds 'options before the file' cmp -s "$DIR/1.pcap" "$DIR/2.pcap"
echo 'classes: {thresholds: [1000], ack-bin: 1, opcodes: [{opcode: 10, flags: 4}]}' >"$DIR/set.yaml"
make --config-file "$DIR/set.yaml" --scheme dr -o "$DIR/1.pcap"
"$EGRET" trace dump "$DIR/1.pcap" >"$DIR/dump"
for want in f00010.*000003e8 f00003.*00000001 f0010a.*00000004; do
    holds "class map: $want" grep -q "write addr=${want/.\*/ data=}" "$DIR/dump"
done
holds 'and the class that it gives' grep -q 'class=4' "$DIR/dump"
expect 2 "$DIR/no.yaml" make --config-file "$DIR/no.yaml" --scheme dr -o "$DIR/1.pcap"

# ---- docs ----
"$EGRET" config schema >"$DIR/schema.json"
holds 'docs/config.schema.json is fresh' cmp -s "$DIR/schema.json" docs/config.schema.json
while IFS=$'\t' read -r path name of; do
    case $path in
    *': '*) row="| \`$name\` | value \`${path#*: }\` of \`${path%%: *}\` | $of |" ;;
    *) row="| \`$name\` | \`$path\` | $of |" ;;
    esac
    holds "docs/config.md: $row" grep -qxF -- "$row" docs/config.md
done < <("$EGRET" config keys)
rows=$(sed -n '/^## 3/,/^## 4/p' docs/config.md | grep -c '^| `')
holds 'and no more rows' test "$rows" = "$("$EGRET" config keys | wc -l)"
sed -n '/^```yaml/,/^```/p' docs/config.md | grep -v '^```' >"$DIR/x.yaml"
expect 0 good "$EGRET" config validate "$DIR/x.yaml"
accept <<<'seed: 1'
finish
