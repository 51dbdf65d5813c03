/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pcapng.c: decisions as pcapng: interface n is port n, the last one holds the drops.
 *
 * One section, little-endian; nanosecond time stamps (if_tsresol 9), those of the stimulus.
 */
#include <stdio.h>
#include <string.h>

#include "egret/trace.h"
#include "internal.h"

#define BLOCK_SHB 0x0a0d0d0au
#define BLOCK_IDB 1u
#define BLOCK_EPB 6u
#define OPTION_IF_NAME 2u
#define OPTION_IF_TSRESOL 9u

static uint32_t padded(uint32_t n)
{
    return (n + 3u) & ~3u;
}

static void interface_block(struct egret_outfile *f, const char *name)
{
    uint32_t name_len = (uint32_t)strlen(name);
    uint32_t length = 16u + 4u + padded(name_len) + 8u + 4u + 4u;
    uint8_t b[96] = {0};
    put_le32(b, BLOCK_IDB);
    put_le32(b + 4, length);
    put_le16(b + 8, LINKTYPE_ETHERNET);
    put_le32(b + 12, 0); /* no snapshot limit */
    uint8_t *p = b + 16;
    put_le16(p, OPTION_IF_NAME);
    put_le16(p + 2, name_len);
    memcpy(p + 4, name, name_len);
    p += 4u + padded(name_len);
    put_le16(p, OPTION_IF_TSRESOL);
    put_le16(p + 2, 1);
    p[4] = 9; /* nanoseconds */
    p += 8;   /* and four zero bytes: end of options */
    put_le32(p + 4, length);
    egret_outfile_write(f, b, length);
}

void egret_pcapng_header(struct egret_outfile *f, uint32_t num_ports)
{
    uint8_t b[28];
    put_le32(b, BLOCK_SHB);
    put_le32(b + 4, sizeof b);
    put_le32(b + 8, 0x1a2b3c4du); /* byte order */
    put_le16(b + 12, 1);          /* version 1.0 */
    put_le16(b + 14, 0);
    put_le32(b + 16, 0xffffffffu); /* section length unknown */
    put_le32(b + 20, 0xffffffffu);
    put_le32(b + 24, sizeof b);
    egret_outfile_write(f, b, sizeof b);
    for (uint32_t port = 0; port < num_ports; port++) {
        char name[16];
        (void)snprintf(name, sizeof name, "port%u", port & 0xffu);
        interface_block(f, name);
    }
    interface_block(f, "drop");
}

void egret_pcapng_packet(struct egret_outfile *f, uint32_t num_ports,
                         const struct egret_decision *d, const struct egret_frame_view *frame)
{
    uint32_t length = 32u + padded(frame->incl_len);
    uint8_t b[28];
    uint8_t tail[8] = {0};
    uint32_t padding = padded(frame->incl_len) - frame->incl_len;
    put_le32(b, BLOCK_EPB);
    put_le32(b + 4, length);
    put_le32(b + 8, d->port < num_ports ? d->port : num_ports);
    put_le32(b + 12, (uint32_t)(frame->now >> 32));
    put_le32(b + 16, (uint32_t)frame->now);
    put_le32(b + 20, frame->incl_len);
    put_le32(b + 24, frame->orig_len);
    put_le32(tail + padding, length);
    egret_outfile_write(f, b, sizeof b);
    egret_outfile_write(f, frame->bytes, frame->incl_len);
    egret_outfile_write(f, tail, padding + 4u);
}
