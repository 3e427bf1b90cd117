// SPDX-License-Identifier: MIT

import SluiceOrigin

/// Serves photos once the gate opens, and never those below /late.
struct HeldPhotos: OriginService {
    let gate = OriginGate()
    let never = OriginGate()

    func reply(to request: OriginRequest) -> OriginReply {
        var reply = OriginReply(type: "image/png", onePixel)
        reply.gate = request.path.hasPrefix("/late") ? never : gate
        return reply
    }
}
