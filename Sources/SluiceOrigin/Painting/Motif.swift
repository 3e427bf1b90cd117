// SPDX-License-Identifier: MIT

/// What a picture shows.
enum Motif: String, Sendable, CaseIterable {
    case mountains, lake, sea, dunes, forest, night, aurora, city, hills, balloons
    case veil, waves, arches, mosaic, facets, orbs

    /// The motifs of 24 photos in a row: landscapes more often than shapes, and no two of a kind side by side.
    private static let cycle: [Motif] = [
        .mountains, .sea, .mosaic, .forest, .lake, .dunes, .veil, .mountains, .night, .hills, .arches, .lake,
        .city, .balloons, .waves, .sea, .mountains, .facets, .dunes, .lake, .aurora, .forest, .orbs, .hills,
    ]

    /// The motif of a photo.
    init(number: Int) {
        self = Self.cycle[Int((number &- 1).magnitude % UInt(Self.cycle.count))]
    }

    /// Whether it is made of shapes and palettes rather than of land and light.
    var isAbstract: Bool {
        switch self {
        case .veil, .waves, .arches, .mosaic, .facets, .orbs: true
        default: false
        }
    }
}
