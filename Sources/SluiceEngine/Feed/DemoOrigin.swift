// SPDX-License-Identifier: MIT

internal import SluiceDemo
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceOrigin

/// The demo service with Sluice's image encoders.
///
/// It connects two modules that do not depend on each other.
enum DemoOrigin {
    /// Starts the demo service on a free port of this machine.
    static func start() throws(MirrorError) -> OriginServer {
        do throws(FileError) {
            return try OriginServer(DemoService(encode: encode))
        } catch {
            throw MirrorError(.local, "cannot start the demo service: \(error)")
        }
    }

    private static let encode: BitmapEncoder = { picture, format in
        guard let imageFormat = ImageFormat(rawValue: format.kind.name) else {
            throw ImagingError(.unsupported, format.kind.name)
        }
        var encoder = ImageEncoder(imageFormat)
        encoder.quality = format.quality
        encoder.isProgressive = format.isProgressive
        encoder.keepsAlpha = format.keepsAlpha
        encoder.orientation = format.exifOrientation
        return try encoder.encode(picture.rgba, width: picture.width, height: picture.height)
    }
}
