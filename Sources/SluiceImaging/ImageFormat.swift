// SPDX-License-Identifier: MIT

/// An image file format, detected from the file's content and never from its name.
///
/// Each format is described in a folder of `Codecs/`; `ImageFormat.allCases` is the list of all.
public struct ImageFormat: Sendable, Hashable {
    /// The format's name in messages, reports and manifests.
    public let name: String

    init(named name: String) { self.name = name }
}

extension ImageFormat: CustomStringConvertible {
    /// The format's name.
    public var description: String { name }
}
