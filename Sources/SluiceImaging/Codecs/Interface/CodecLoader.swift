// SPDX-License-Identifier: MIT

/// Loads the library of a codec at run time.
struct CodecLoader: Sendable {
    /// The library's package in Debian.
    let package: String
    /// Loads the library into this process; returns whether it is there.
    let load: @Sendable () -> Bool
    /// The loaded library; `nil` if it is not loaded.
    let library: @Sendable () -> CodecVersion?
}

extension ImageFormat {
    /// The formats that are read only if ``ThumbnailOptions/allowedFormats`` names them, in sandboxed processes.
    public static let restricted = Set(Codecs.all.filter(\.isRestricted).map(\.format))

    /// Loads the libraries of all formats that are not restricted, and the installed ones of `restricted` formats.
    ///
    /// A process calls this before it gives up the right to open files. Name restricted formats only in processes that
    /// can do nothing but decode.
    public static func loadLibraries(withRestricted restricted: Set<ImageFormat>) {
        for codec in Codecs.all where !codec.isRestricted || restricted.contains(codec.format) {
            _ = codec.loader?.load()
        }
    }
}

extension ThumbnailOptions {
    /// Throws `unsupported` if the format is restricted, and not allowed.
    public func check(_ format: ImageFormat) throws(ImagingError) {
        guard ImageFormat.restricted.contains(format), !allowedFormats.contains(format) else { return }
        throw ImagingError(.unsupported, "\(format.title) is read only if it is allowed").of(format)
    }
}
