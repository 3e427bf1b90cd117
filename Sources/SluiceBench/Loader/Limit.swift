// SPDX-License-Identifier: MIT

/// What keeps a point from being faster, as far as its figures tell.
public enum Limit: String, Sendable, Hashable, CaseIterable {
    /// The origin's bandwidth of all connections together.
    case bandwidth
    /// The processors, with the origin's work on them.
    case processors
    /// The workers that decode.
    case decoding
    /// Retries and waiting for what never comes.
    case faults
    /// The setting itself: every slot is busy, and each load takes as long as one alone does.
    case slots
    /// Every slot is busy, and each load takes longer than one alone: the hosts or what lies between.
    case hosts
    /// None of these: the start and the end of the sample, in which slots are empty.
    case ends

    /// The first of these that a point's figures show, from what is scarcest.
    init(_ use: Use, latency: Double, alone: Double?, lost: Double) {
        if use.line >= 0.85 {
            self = .bandwidth
        } else if use.decoders >= 0.9 {
            self = .decoding
        } else if use.loaderCPU + use.originCPU >= 0.85 {
            self = .processors
        } else if lost >= 0.4 {
            self = .faults
        } else if use.slots >= 0.75 {
            self = alone.map { latency <= $0 * 1.25 } ?? false ? .slots : .hosts
        } else {
            self = .ends
        }
    }

    /// In a few words.
    public var words: String {
        switch self {
        case .bandwidth: "the bandwidth of all connections"
        case .processors: "the processors"
        case .decoding: "decoding"
        case .faults: "faults and retries"
        case .slots: "this setting's slots"
        case .hosts: "the hosts"
        case .ends: "start and end of a sample"
        }
    }
}
