// SPDX-License-Identifier: MIT

internal import SluiceModel
package import SluiceOrigin

/// A service whose replies a test decides, and a log of its requests.
package final class ScriptedService: OriginService {
    private let answer: @Sendable (OriginRequest) -> OriginReply
    private let log = Locked<[OriginRequest]>([])

    /// Creates a service that calls `answer` for each request, concurrently.
    package init(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) { self.answer = answer }

    /// The requests so far, in order.
    package var requests: [OriginRequest] { log.withLock { $0 } }

    package func forget() { log.withLock { $0 = [] } }

    package func reply(to request: OriginRequest) -> OriginReply {
        log.withLock { $0.append(request) }
        return answer(request)
    }
}
