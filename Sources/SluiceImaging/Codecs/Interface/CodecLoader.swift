// SPDX-License-Identifier: MIT

/// Loads the library of a codec at run time.
///
/// Sluice works without such libraries. It loads them only in sandboxed processes that need them, because they have a
/// poor security record. Pictures of such a format are refused unless the options allow the format.
struct CodecLoader: Sendable {
    /// The library's package in Debian.
    let package: String
    /// Loads the library into this process; returns whether it is there.
    let load: @Sendable () -> Bool
    /// The name and version of the loaded library; `nil` if it is not loaded.
    let version: @Sendable () -> String?
}

extension ImageFormat {
    /// The formats that are read only if ``ThumbnailOptions/allowedFormats`` names them, in sandboxed processes.
    public static let restricted = Set(Codecs.all.filter { $0.loader != nil }.map(\.format))

    /// Loads the installed libraries of restricted formats for this process.
    ///
    /// Call this only in processes that can do nothing but decode.
    public static func loadLibraries(of formats: Set<ImageFormat>) {
        for codec in Codecs.all where formats.contains(codec.format) { _ = codec.loader?.load() }
    }
}

extension ThumbnailOptions {
    /// Throws `unsupported` if the format is restricted, and not allowed.
    public func check(_ format: ImageFormat) throws(ImagingError) {
        guard ImageFormat.restricted.contains(format), !allowedFormats.contains(format) else { return }
        throw ImagingError(.unsupported, "\(format.title) is read only if it is allowed").of(format)
    }
}
