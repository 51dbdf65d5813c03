#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_identify.sh [lookup3|seeds|misuse]: logs that another implementation made (identify_log.py)
# must be named as what they are; what is no hash, or too little, must not.
. cmodel/test/cli_lib.sh

log() { python3 cmodel/test/identify_log.py "$@" >"$DIR/o.csv"; }
# named CODE VERDICT TEXT... : exit code, first line, and each text at the start of a line.
named() {
    local want=$1 verdict=$2 code=0 text
    shift 2
    "$EGRET" hash --quick --identify "$DIR/o.csv" >"$DIR/out" 2>"$DIR/err" || code=$?
    holds "$what: exit code $code, $(head -1 "$DIR/out" "$DIR/err")" \
        [ "$code:$(head -1 "$DIR/out")" = "$want:$verdict" ]
    for text in "$@"; do
        grep -qE "^ *$text( |,|$)" "$DIR/out" && good || bad "$what: no '$text': $(cat "$DIR/out")"
    done
}
# seed_in SEED: the seed is in a class that is printed.
seed_in() {
    awk -v seed=$(($1)) '
        function hex(s,   i, v) { v = 0; for (i = 3; i <= length(s); i++)
            v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
        function band(a, b,   r, p) { r = 0; p = 1; while (a && b) { if (a % 2 && b % 2) r += p
            a = int(a / 2); b = int(b / 2); p *= 2 } return r }
        $1 == "seed" && $2 == "&" && band(seed, hex($3)) == hex($5) { found = 1 }
        $1 == "seed" && $2 ~ /^0x/ && hex($2) == seed { found = 1 }
        END { exit !found }' "$DIR/out" && good || bad "$what: seed $1: $(grep seed "$DIR/out")"
}

random_logs() {
    local n=0 a layout rotation seed
    for a in crc16 crc16-ccitt crc32 crc32c toeplitz xor16 xor32; do
        for layout in record ipv4-5tuple rss-ipv4; do
            n=$((n + 1))
            seed=$((n * 2654435761 % 4294967296))
            rotation=$((n * 5 % 14))
            local fields=src_ip,dst_ip,l4_src_port,l4_dst_port
            what="$a $layout"
            log algorithm=$a layout=$layout seed=$seed rotation=$rotation log_seed=$n fields=$fields
            # The plainest words for bits 13 .. 15 are those of a shift.
            if [ $rotation = 13 ]; then
                named 0 identified "algorithm  $a" 'mapping    multiply-shift-16' 'rotation   0'
            else
                named 0 identified "algorithm  $a" "rotation   $rotation" 'mapping    mask'
            fi
            grep -qE "(layout     $layout|same as    $a, $layout)" "$DIR/out" && good ||
                bad "$what: layout"
            seed_in $seed
        done
    done
}

case ${1:-} in
lookup3)
    what='lookup3, small seed, subset'
    log algorithm=lookup3 layout=record seed=4242 rotation=7 fields=src_ip,l4_src_port
    named 0 identified 'algorithm  lookup3' 'layout     record' 'fields     SRC_IP,L4_SRC_PORT' \
        'rotation   7' 'seed       0x00001092'
    what='lookup3 mod 6'
    log algorithm=lookup3 seed=0xdeadbeef mapping=modulo members=6 rotation=3
    named 0 identified 'algorithm  lookup3' 'mapping    modulo' 'seed       0xdeadbeef'
    what='lookup3 shift by 7'
    log algorithm=lookup3 seed=77 mapping=multiply-shift-16 members=7 rotation=16
    named 0 identified 'algorithm  lookup3' 'rotation   16' 'seed       0x0000004d'
    # Tables of any ports, over the record and over the 5-tuple.
    what='lookup3, table of 16'
    log algorithm=lookup3 layout=record seed=4242 rotation=7 mapping=table:4 members=5 count=100
    named 0 identified 'algorithm  lookup3' 'layout     record' 'rotation   7' \
        'mapping    table of 16 buckets' 'seed       0x00001092'
    what='lookup3, table of 64, common seed'
    log algorithm=lookup3 layout=ipv4-5tuple seed=0xcafebabe mapping=table:6 members=8 count=900
    named 0 identified 'algorithm  lookup3' 'layout     ipv4-5tuple' 'rotation   0' \
        'mapping    table of 64 buckets' 'seed       0xcafebabe'
    # One wrong choice, another seed, or too few rows, and none is named; what was not looked for
    # is told.
    what='lookup3, table, one wrong choice'
    log algorithm=lookup3 layout=record seed=4242 rotation=7 mapping=table:4 members=5 count=100 \
        flip=1
    named 1 none 'searched     lookup3 with such a seed and a table of up to 16 buckets'
    what='lookup3, table, large seed'
    log algorithm=lookup3 layout=record seed=70000 mapping=table:4 members=5 count=100
    named 1 none 'not searched lookup3 with a table and another seed'
    what='lookup3, table, few rows'
    log algorithm=lookup3 layout=record seed=4242 mapping=table:5 members=20 count=30
    named 1 none 'not searched lookup3 with a table: too few rows'
    what='lookup3, hashes'
    log algorithm=lookup3 seed=65535 mapping=hash count=6 layout=record rotation=16
    named 0 identified 'algorithm  lookup3' 'rotation   16' 'mapping    hash' \
        'seed       0x0000ffff'
    ;;
seeds)
    # Seeds that only the search over all finds: low half, high half; ports and hashes.
    for how in 'mask 0' 'multiply-shift-16 16' 'hash 0'; do
        read -r mapping rotation <<<"$how"
        log algorithm=lookup3 seed=0x02345678 mapping=$mapping rotation=$rotation
        code=0
        "$EGRET" hash --identify "$DIR/o.csv" --layout ipv4-5tuple >"$DIR/out" || code=$?
        holds "$how: $code" [ "$code:$(head -1 "$DIR/out")" = 0:identified ]
        holds "$how: seed" grep -q '^  seed       0x02345678$' "$DIR/out"
    done
    # On a terminal it says how far it is, and the line goes away.
    log algorithm=lookup3 layout=ipv4-5tuple seed=0x05000001
    python3 - "$EGRET" hash --identify "$DIR/o.csv" --layout ipv4-5tuple >"$DIR/tty" 2>&1 <<'END'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(
    ["sh", "-c", '"$@" >/dev/null', "sh", *sys.argv[1:]])))
END
    holds "progress: $(tail -c 100 "$DIR/tty")" \
        grep -qa $'\rlookup3: 1 % of the seeds.*\r\033\\[K$' "$DIR/tty"
    ;;
misuse)
    refuse() { # TEXT, the file's text
        printf "$2" >"$DIR/bad.csv"
        expect 2 "$1" "$EGRET" hash --identify "$DIR/bad.csv"
    }
    refuse 'bad.csv:1: no header line' ''
    refuse 'bad.csv:1: no column is a hash field' 'port\n1\n'
    refuse "neither 'hash' nor 'port'" 'src_ip\n10.0.0.1\n'
    refuse "bad.csv:3: SRC_IP '10.0.0' is no address" 'src_ip,port\n10.0.0.1,1\n10.0.0,1\n'
    refuse "bad.csv:2: L4_SRC_PORT '65536' is no number of 16 bits" 'l4_src_port,port\n65536,1\n'
    refuse "bad.csv:2: port 'x' is no port" 'l4_src_port,port\n6,x\n'
    refuse "bad.csv:2: hash '123456789' is not 1 to 8" 'l4_src_port,hash\n6,123456789\n'
    refuse 'bad.csv:2: 1 cells, and the header has 2' 'l4_src_port,port\n6\n'
    refuse 'no observation' 'l4_src_port,port\n1,drop\n2,-\n'
    refuse 'a quote is not closed' 'l4_src_port,port\n1,"2\n'
    log count=12
    expect 2 'none of the members' "$EGRET" hash --identify "$DIR/o.csv" --members 1,2
    expect 2 'different ports' "$EGRET" hash --identify "$DIR/o.csv" --members 1,1
    expect 2 'has no column' "$EGRET" hash --identify "$DIR/o.csv" --fields rdma_bth_opcode
    expect 2 'unknown layout' "$EGRET" hash --identify "$DIR/o.csv" --layout x
    expect 2 'goes with' "$EGRET" hash --identify "$DIR/o.csv" --algorithm crc32
    expect 2 'are for --identify' "$EGRET" hash --quick --hex 00 --algorithm crc32
    expect 1 'ambiguous' "$EGRET" hash --identify "$DIR/o.csv"
    log mapping=modulo members=6 count=80
    expect 0 'mapping    modulo' "$EGRET" hash --identify "$DIR/o.csv" --layout ipv4-5tuple
    ;;
*)
    random_logs
    what='published vector'
    # The published Toeplitz values with ports, IPv4 (docs/spec/hash.md names the source).
    cat >"$DIR/o.csv" <<'END'
src_ip,dst_ip,l4_src_port,l4_dst_port,hash
66.9.149.187,161.142.100.80,2794,1766,51ccc178
199.92.111.2,65.69.140.83,14230,4739,c626b0ea
24.19.198.95,12.22.207.184,12898,38024,5c2b394a
38.27.205.30,209.142.163.6,48228,2217,afc7327f
153.39.163.191,202.188.127.2,44251,1303,10e828a2
END
    named 0 identified 'algorithm  toeplitz' 'key        published 40 bytes' 'layout     rss-ipv4' \
        'fields     SRC_IP,DST_IP,L4_SRC_PORT,L4_DST_PORT' 'seed       0x00000000'
    what='symmetric key'
    log algorithm=toeplitz key=6d5a layout=rss-ipv4 seed=3
    named 0 identified 'key        symmetric'
    what='modulo 3'
    log algorithm=crc32 mapping=modulo members=3 rotation=9 count=100
    named 0 identified 'algorithm  crc32' 'mapping    modulo' \
        'same as    crc32, ipv4-5tuple, rotation 9, modulo'
    four=src_ip,dst_ip,l4_src_port,l4_dst_port
    for m in 6 7 12 14; do
        what="modulo $m"
        log algorithm=crc32 mapping=modulo members=$m rotation=9 seed=0x12345678 count=100
        named 0 identified 'algorithm  crc32' 'mapping    modulo' 'rotation   9'
        seed_in 0x12345678
        what="multiply-shift $m"
        log algorithm=crc16 mapping=multiply-shift-16 members=$m seed=0x1234 count=100 \
            layout=rss-ipv4 fields=$four columns=$four
        named 0 identified 'algorithm  crc16'
        grep -qE 'multiply-shift-16' "$DIR/out" && good || bad "$what: $(cat "$DIR/out")"
        seed_in 0x1234
    done
    what='table of 16 buckets'
    log algorithm=crc32c mapping=table:4 members=5 count=300 rotation=2 seed=9
    named 0 identified 'algorithm  crc32c' 'rotation   2' 'mapping    table of 16 buckets'
    what='packed'
    log algorithm=crc32 layout=packed fields=dst_ip,l4_dst_port,src_ip seed=5 rotation=11
    named 0 identified 'layout     packed' 'fields     DST_IP,L4_DST_PORT,SRC_IP' 'rotation   11'
    what='IPv6'
    log algorithm=toeplitz layout=rss-ipv6 ipv6=1 fields=src_ip,dst_ip,l4_src_port,l4_dst_port
    named 0 identified 'algorithm  toeplitz' 'layout     rss-ipv6'
    what='QP and opcode'
    all=src_ip,dst_ip,ip_protocol,l4_src_port,l4_dst_port,rdma_bth_dest_qp,rdma_bth_opcode
    log layout=record columns=$all fields=dst_ip,rdma_bth_dest_qp,rdma_bth_opcode
    named 0 identified 'fields     DST_IP,RDMA_BTH_DEST_QP,RDMA_BTH_OPCODE'
    what='unknown Toeplitz key'
    key=$(python3 -c 'import random; print(random.Random(5).randbytes(16).hex())')
    log algorithm=toeplitz layout=rss-ipv4 fields=src_ip,dst_ip,l4_src_port,l4_dst_port key=$key
    named 0 identified 'key        solved: 98 bits determined, 0 not' 'layout     rss-ipv4'
    # Key bits 29 .. 126 of the log's own key, those before and behind unknown.
    grep -q "^  key        0000000[0-7]${key:8:23}" "$DIR/out" && good ||
        bad "$what: $key $(grep key "$DIR/out")"
    log algorithm=toeplitz layout=rss-ipv4 fields=src_ip,dst_ip,l4_src_port,l4_dst_port key=$key \
        count=30
    what='key of too few'
    named 1 none
    for n in 1 2 3; do
        what="random $n"
        log mapping=random log_seed=$n
        named 1 none
        what="one wrong choice $n"
        log flip=1 log_seed=$n algorithm=crc32
        named 1 none
        what="ten observations $n"
        log count=10 log_seed=$n
        named 1 ambiguous
    done
    # Affine in the fields, by sums of bits that no hash of the library takes.
    what='affine'
    awk 'function bit(v, n) { return int(v / 2 ^ n) % 2 }
        BEGIN { print "l4_src_port,l4_dst_port,port"; srand(7)
            for (i = 0; i < 200; i++) { s = int(rand() * 65536); d = int(rand() * 65536)
                x = (bit(s, 0) + bit(s, 7) + bit(d, 3)) % 2
                y = (bit(s, 2) + bit(d, 14) + bit(d, 1) + 1) % 2
                z = (bit(s, 11) + bit(s, 12) + bit(d, 9) + bit(s, 1)) % 2
                print s "," d "," x + 2 * y + 4 * z } }' >"$DIR/o.csv"
    named 1 none \
        'affine       all choices are one affine function of the fields: a CRC, matrix or key .*'
    what='no function'
    printf 'src_ip,port\n10.0.0.1,1\n10.0.0.2,0\n10.0.0.1,2\n' >"$DIR/o.csv"
    named 1 none 'lines 2 and 4 have equal fields'
    ;;
esac
finish
