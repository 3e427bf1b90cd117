// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceOrigin

/// The demo service, with its paint and Sluice's codecs: the two rooms know nothing of each other.
enum DemoOrigin {
    /// Serves the demo on a free port of this machine.
    static func start() throws(MirrorError) -> Origin {
        do throws(OriginError) {
            return try Origin(DemoService(encode: encode))
        } catch {
            throw MirrorError(.local, "the demo service cannot start: \(error)")
        }
    }

    private static let encode: EncodePicture = { picture, format in
        var encoder = PictureEncoder(ImageFormat(format.kind))
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
