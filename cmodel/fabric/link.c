/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c: queues that are full, marks, links that are down.
 */
#include "link.h"
#include "sample.h"

static bool lost(struct fab_worker *w, uint64_t now, const struct fab_packet *packet)
{
    if (w->fabric->spec.transport == EGRET_TRANSPORT_IDEAL) {
        egret_fab_notice(w, now, packet);
    }
    return false;
}

bool egret_fab_unusual(struct fab_worker *w, struct fab_link *l, uint64_t now, uint64_t start,
                       struct fab_packet *packet)
{
    const struct egret_fabric_spec *spec = &w->fabric->spec;
    uint64_t wait = start - now;
    uint64_t serial = fab_serial_ps(l, packet->length);
    /* A dead link takes nothing and holds nothing: what has not left when it goes down is gone. */
    if (start + serial > l->down_at) {
        l->dead++;
        return lost(w, now, packet);
    }
    if (wait + serial > l->buffer_ps) {
        uint16_t header = (uint16_t)spec->header_bytes;
        if (!spec->trim || (packet->flags & (FAB_ACK | FAB_TRIMMED)) || packet->length <= header ||
            wait + fab_serial_ps(l, header) > l->buffer_ps) {
            l->lost++;
            return lost(w, now, packet);
        }
        packet->flags |= FAB_TRIMMED;
        packet->length = header;
        l->trimmed++;
    }
    if (wait >= l->ecn_ps && !(packet->flags & FAB_ACK)) {
        packet->flags |= FAB_ECN;
        l->marked++;
    }
    if (w->samples) {
        egret_fab_sample(w, l, start, fab_serial_ps(l, packet->length));
    }
    return true;
}

bool egret_fab_send(struct fab_worker *w, struct fab_link *l, uint64_t now,
                    struct fab_packet *packet)
{
    return fab_send(w, l, now, packet);
}
