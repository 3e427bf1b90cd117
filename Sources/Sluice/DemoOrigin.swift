// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceOrigin

/// The demo service with Sluice's image encoders.
///
/// It connects two modules that do not depend on each other.
enum DemoOrigin {
    /// Starts the demo service on a free port of this machine.
    static func start() throws(MirrorError) -> OriginServer {
        do throws(OriginError) {
            return try OriginServer(DemoService(encode: encode))
        } catch {
            throw MirrorError(.local, "cannot start the demo service: \(error)")
        }
    }

    private static let encode: BitmapEncoder = { picture, format in
        var encoder = ImageEncoder(ImageFormat(format.kind))
        encoder.quality = format.quality
        encoder.isProgressive = format.isProgressive
        encoder.keepsAlpha = format.keepsAlpha
        encoder.orientation = format.exifOrientation
        return try encoder.encode(picture.rgba, width: picture.width, height: picture.height)
    }
}

extension ImageFormat {
    fileprivate init(_ kind: PictureFormat.Kind) {
        switch kind {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        }
    }
}
