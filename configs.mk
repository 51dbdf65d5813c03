# SPDX-License-Identifier: Apache-2.0
# Named hardware configurations: the one source of every tool's parameters.
# A configuration is a list of KEY=VALUE; the keys are the Verilog parameters of egret_core.
#   NUM_PORTS    1..64     switch ports
#   NUM_GROUPS   1..1024   next-hop groups, a power of two
#   NUM_KEYS     1..2048   rotation keys of `dr`, a power of two
#   NUM_BINS     1..16     packet size bins, a power of two
#   NUM_ROWS     1..256    schedule rows a bank, a power of two
#   ROW_LEN      1..256    slots a schedule row, a power of two
#   NUM_BUCKETS  1..65536  ecmp buckets, a power of two
#   HASH_KIND    0 fixed (CRC-16/ARC and CRC-32C), 1 programmable GF(2) matrix, 2 lookup3
#   RSP_DEPTH    results in flight and waiting, a power of two, more than the latency
#   SCHEMES      sum of 2^c for each scheme code c that is there: 1 ecmp, 2 spray-rr, 3 dr, 4 fixed,
#                5 entropy, 6 spray-random, 7 spray-quality, 8 flowlet
#   NUM_FLOWLETS entries of the flowlet table, a power of two 16..65536 with scheme 8; 0 without
#   PARITY       1 gives every table and counter a parity bit, and fault writes (0 if not given)
# and, of the RTL alone, with no effect on behaviour:
#   BLOCK_RAM    1 keeps waiting results and the delay of the packet length in block RAM, for a device
#                without LUT RAM and with few registers (0 if not given)
CONFIGS := tiny lab lab_lookup3 tor64 p1 p2 p3 p7

CONFIG_tiny        := NUM_PORTS=4 NUM_GROUPS=4 NUM_KEYS=16 NUM_BINS=2 NUM_ROWS=8 ROW_LEN=8 NUM_BUCKETS=64 HASH_KIND=0 RSP_DEPTH=16 SCHEMES=94 NUM_FLOWLETS=0 BLOCK_RAM=1
CONFIG_lab         := NUM_PORTS=16 NUM_GROUPS=32 NUM_KEYS=64 NUM_BINS=2 NUM_ROWS=32 ROW_LEN=32 NUM_BUCKETS=1024 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=510 NUM_FLOWLETS=1024 PARITY=1
CONFIG_lab_lookup3 := NUM_PORTS=16 NUM_GROUPS=32 NUM_KEYS=64 NUM_BINS=2 NUM_ROWS=32 ROW_LEN=32 NUM_BUCKETS=1024 HASH_KIND=2 RSP_DEPTH=64 SCHEMES=510 NUM_FLOWLETS=1024 PARITY=1
CONFIG_tor64       := NUM_PORTS=64 NUM_GROUPS=128 NUM_KEYS=2048 NUM_BINS=2 NUM_ROWS=64 ROW_LEN=128 NUM_BUCKETS=16384 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=510 NUM_FLOWLETS=32768 PARITY=1
CONFIG_p1          := NUM_PORTS=1 NUM_GROUPS=1 NUM_KEYS=1 NUM_BINS=1 NUM_ROWS=1 ROW_LEN=1 NUM_BUCKETS=1 HASH_KIND=0 RSP_DEPTH=16 SCHEMES=510 NUM_FLOWLETS=16 PARITY=1
CONFIG_p2          := NUM_PORTS=2 NUM_GROUPS=4 NUM_KEYS=8 NUM_BINS=2 NUM_ROWS=2 ROW_LEN=256 NUM_BUCKETS=16 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=446 NUM_FLOWLETS=16 PARITY=1
CONFIG_p3          := NUM_PORTS=3 NUM_GROUPS=4 NUM_KEYS=16 NUM_BINS=2 NUM_ROWS=8 ROW_LEN=8 NUM_BUCKETS=32 HASH_KIND=2 RSP_DEPTH=64 SCHEMES=510 NUM_FLOWLETS=32 PARITY=1
CONFIG_p7          := NUM_PORTS=7 NUM_GROUPS=8 NUM_KEYS=32 NUM_BINS=4 NUM_ROWS=16 ROW_LEN=16 NUM_BUCKETS=128 HASH_KIND=1 RSP_DEPTH=16 SCHEMES=510 NUM_FLOWLETS=64 PARITY=1
