// SPDX-License-Identifier: MIT

internal import Synchronization

/// How many bytes of bodies have arrived in all transfers so far; whoever asks never waits.
final class Traffic: Sendable {
    private let bytes = Atomic<Int>(0)

    func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }

    var received: Int { bytes.load(ordering: .relaxed) }
}
