// SPDX-License-Identifier: MIT

import SluiceOrigin

/// Photos that come when the gate opens; it never does for those below /late.
struct HeldPhotos: OriginService {
    let gate = OriginGate()
    let never = OriginGate()

    func reply(to request: OriginRequest) -> OriginReply {
        var reply = OriginReply(type: "image/png", onePixel)
        reply.gate = request.path.hasPrefix("/late") ? never : gate
        return reply
    }
}
