// SPDX-License-Identifier: MIT

/// Where items are, and what the run's own workers do, as far as it is measured.
enum Stage: Int, CaseIterable {
    /// Items that wait for their first slot.
    case line
    /// Items that have a slot, or rest between two attempts.
    case flight
    /// Items whose photo is there, and that wait for a decoder.
    case decodeLine
    /// Items that have a decoder and wait for memory.
    case memoryLine
    /// Decoders at work.
    case decode
    /// Items that wait to be made safe.
    case ends
    /// The end writer at work: one or none.
    case writer
    /// The walk waits for a page: one or none.
    case feed
    /// The walk waits for room among the items that wait for a slot: one or none.
    case poolRoom
    /// The walk waits for room at the end writer: one or none.
    case endsRoom
}
