// SPDX-License-Identifier: MIT

internal import CLCMS

extension CodecVersion {
    /// All loaded libraries that process images: those of the codecs, and the colour library.
    package static var loaded: [CodecVersion] {
        Codecs.all.compactMap { $0.linkedLibrary ?? $0.loader?.library() }
            + [CodecVersion(name: "lcms2", version: lcms(Int(cmsGetEncodedCMMversion())))]
    }

    /// Formats lcms2's number, for example 2140 as `2.14`.
    private static func lcms(_ number: Int) -> String {
        let minor = number % 1000
        return minor % 10 == 0 ? "\(number / 1000).\(minor / 10)" : "\(number / 1000).\(minor / 10).\(minor % 10)"
    }
}
