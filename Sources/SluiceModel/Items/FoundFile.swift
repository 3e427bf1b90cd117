// SPDX-License-Identifier: MIT

/// A file in an adopted folder, and how it compares with the photos.
public struct FoundFile: Sendable, Hashable, Codable {
    /// The result of the comparison.
    public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        /// The file belongs to photos that lack a file.
        case match
        /// The file belongs to a photo that already has one.
        case needless
        /// The file fits several photos, or several files fit one photo; Sluice does not guess.
        case ambiguous
        /// The file belongs to no photo.
        case unknown
    }

    /// The property that identified a file, the strongest first.
    public enum Basis: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hash stated by the feed, or recorded for a file that is now missing.
        case hash
        /// The photo's full address, recorded next to the file by the other tool.
        case address
        /// The last parts of the address's path.
        case name
        /// The feed's id for the photo.
        case id
    }

    /// The path relative to the folder.
    public var path: String
    /// The result of the comparison with the photos.
    public var verdict: Verdict
    /// The property that identified the file; `nil` for an unknown file.
    public var basis: Basis?
    /// The positions of the photos in the mirror; only the first ones if many fit.
    public var items: [Int]

    /// Creates the entry of an unknown file.
    package init(_ path: String) {
        self.path = path
        verdict = .unknown
        items = []
    }
}
