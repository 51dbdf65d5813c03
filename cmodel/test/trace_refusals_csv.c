/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals_csv.c: one wrong thing in a log of observed choices.
 */
#define _POSIX_C_SOURCE 200809L
#include "../trace/identify.h"
#include "trace_refusals.h"

static void observed(const void *text, size_t n, const char *reason)
{
    struct egret_observations o;
    FILE *f = fmemopen((void *)(uintptr_t)text, n, "rb");
    error.text[0] = '\0';
    if (!CHECK(&t, f != NULL)) {
        return;
    }
    int code = egret_identify_read_file(f, "t", &o, &error);
    (void)fclose(f);
    if (reason) {
        said(code, reason);
    } else if (!CHECK(&t, code == EGRET_OK)) {
        printf("%s\n", error.text);
    }
    egret_observations_free(&o);
}
#define OBSERVED(text, reason) observed(text, sizeof(text) - 1u, reason)

static void csv(void)
{
    static char row[70000];
    OBSERVED("\n\n", "t:3: no header line");
    OBSERVED("a,b\n1,2\n", "t:1: no column is a hash field: src_ip, dst_ip, ip_protocol, "
                           "l4_src_port, l4_dst_port, rdma_bth_dest_qp, rdma_bth_opcode");
    OBSERVED("src_ip\n1.2.3.4\n", "t:1: the header has neither 'hash' nor 'port'");
    OBSERVED("src_ip,hash\n1.2.3,1\n", "t:2: SRC_IP '1.2.3' is no address");
    OBSERVED("dst_ip,hash\n1.2.3.4,1\n\nx,1\n", "t:4: DST_IP 'x' is no address");
    OBSERVED("ip_protocol,hash\n256,1\n", "t:2: IP_PROTOCOL '256' is no number of 8 bits");
    OBSERVED("l4_src_port,hash\n65536,1\n", "t:2: L4_SRC_PORT '65536' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n0x10000,1\n", "t:2: L4_SRC_PORT '0x10000' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n0xg,1\n", "t:2: L4_SRC_PORT '0xg' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n,1\n", "t:2: L4_SRC_PORT '' is no number of 16 bits");
    OBSERVED("l4_src_port,hash\n18446744073709551617,1\n",
             "t:2: L4_SRC_PORT '18446744073709551617' is no number of 16 bits");
    OBSERVED("rdma_bth_dest_qp,hash\n16777216,1\n",
             "t:2: RDMA_BTH_DEST_QP '16777216' is no number of 24 bits");
    OBSERVED("l4_src_port,hash\n1,123456789\n",
             "t:2: hash '123456789' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,hash\n1,0x\n", "t:2: hash '0x' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,hash\n1,12G4\n", "t:2: hash '12G4' is not 1 to 8 hexadecimal digits");
    OBSERVED("l4_src_port,port\n1,256\n", "t:2: port '256' is no port: 0 to 255, drop or -");
    OBSERVED("l4_src_port,port\n1,255,\n", "t:2: 3 cells, and the header has 2");
    OBSERVED("l4_src_port,port\n1,DROP\n2,-\n", "t:4: no observation");
    OBSERVED("l4_src_port,port\n1,drop\n2,255\n", NULL);
    OBSERVED("l4_src_port,hash\n0xAbC,0XfFfFfFfF\n", NULL);
    /* Quotes, blanks, line ends. */
    OBSERVED("\xef\xbb\xbf\"l4_src_port\" ,\t\"po\"\"rt\",port\r\n1,\"a\nb , c\" , 7 \r\n", NULL);
    OBSERVED("\xef\xbb\xbdl4_src_port,port\n1,2\n", "t:1: not text");
    OBSERVED("\xefx,port\n1,2\n", "t:1: not text");
    OBSERVED("\xef\xbb\xbex,port\n1,2\n", "t:1: not text");
    OBSERVED("l4_src_port,port\n1,2\r3\n", "t:2: port '2?3' is no port: 0 to 255, drop or -");
    OBSERVED("l4_src_port,port\n0Xff,2\n0,3", NULL);
    OBSERVED("l4_src_port,port\n\"1\"2,2\n", "t:2: text behind a closing quote");
    OBSERVED("l4_src_port,port\n1\"2\",2\n", "t:2: a quote inside a cell");
    OBSERVED("l4_src_port,port\n1,\"2\n", "t:2: a quote is not closed");
    OBSERVED("l4_src_port,port\n1,\"2\r\n\"", "t:2: port '2?"
                                              "?' is no port: 0 to 255, drop or -");
    OBSERVED("l4_src_port,port\n1,\0\n", "t:2: a NUL byte: not text");
    OBSERVED("l4_src_port,port\n1 1,2\n", "t:2: L4_SRC_PORT '1 1' is no number of 16 bits");
    memset(row, ',', 64);
    observed(row, 64, "t:1: more than 64 cells");
    memset(row, 'a', sizeof row);
    observed(row, sizeof row, "t:1: a row of more than 65534 bytes");
    /* A file that cannot be read: what is open for writing alone. */
    struct egret_observations o;
    FILE *f = fopen("/dev/null", "wb");
    CHECK(&t, f && egret_identify_read_file(f, "t", &o, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "t: Bad file descriptor") == 0);
    if (f) {
        (void)fclose(f);
    }
    CHECK(&t, egret_observations_read("none/such", &o, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strcmp(error.text, "none/such: No such file or directory") == 0);
}

int main(void)
{
    csv();
    return trace_result(&t);
}
