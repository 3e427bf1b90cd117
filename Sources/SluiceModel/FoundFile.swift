// SPDX-License-Identifier: MIT

/// A file of a folder that is adopted, as it was held against the photos.
public struct FoundFile: Sendable, Hashable, Codable {
    /// What was found out about a file.
    public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is the file of photos that have need of it.
        case match
        /// It is of a photo that has its file.
        case needless
        /// It could be of several photos, or is one of several that a photo's could be: nobody guesses.
        case ambiguous
        /// It is of none.
        case unknown
    }

    /// What a file is known by, the strongest first.
    public enum Basis: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hash that the feed states, or that a file had that is missing now.
        case hash
        /// The photo's whole address, which the tool noted beside the file.
        case address
        /// The last parts of the address's path.
        case name
        /// The feed's own name for the photo.
        case id
    }

    /// The path below the folder.
    public var path: String
    /// What was found out.
    public var verdict: Verdict
    /// What it is known by; `nil` of one that is unknown.
    public var basis: Basis?
    /// The photos' places in the mirror; of many that it could be of only the first.
    public var items: [Int]

    /// Describes a file that is not known.
    public init(_ path: String) {
        self.path = path
        verdict = .unknown
        items = []
    }
}
