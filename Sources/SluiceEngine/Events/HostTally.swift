// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Counts a run's downloads, failures, retries and pauses per host, from its events.
package struct HostTally: Sendable {
    /// The maximum number of hosts to count separately, so that memory does not grow with the run.
    private static let limit = 10_000
    /// The key for all other hosts.
    ///
    /// It is not a valid host name.
    package static let others = "*"

    private(set) var counts: [String: HostCounts] = [:]

    mutating func count(_ event: Event) {
        switch event {
        case .itemEnded(_, .done(let receipt)):
            count(receipt) { counts in
                counts.done += 1
                counts.bytes += receipt.bytesReceived ?? 0
            }
        case .itemEnded(_, .failed(let receipt)): count(receipt) { $0.failed += 1 }
        case .itemRetried(let item, _, let failure, _):
            count(failure.finalURL ?? item.photo.variants.first?.url) { $0.retried += 1 }
        case .hostPaused(let host, _, _): change(host) { $0.paused += 1 }
        default: break
        }
    }

    private mutating func count(_ receipt: Receipt, _ body: (inout HostCounts) -> Void) {
        count(receipt.finalURL ?? receipt.url, body)
    }

    private mutating func count(_ url: String?, _ body: (inout HostCounts) -> Void) {
        if let host = url.flatMap({ WebAddress($0) })?.host { change(host, body) }
    }

    private mutating func change(_ host: String, _ body: (inout HostCounts) -> Void) {
        let isKnown = counts[host] != nil || counts.count < Self.limit
        body(&counts[isKnown ? host : Self.others, default: HostCounts()])
    }
}

/// The totals of one host in a run.
package struct HostCounts: Sendable, Hashable {
    var done = 0
    /// Photos that failed after all retries.
    var failed = 0
    /// Failed attempts that were followed by a retry.
    var retried = 0
    var paused = 0
    /// Bytes of the downloaded photos.
    var bytes = 0
}
