// SPDX-License-Identifier: MIT

/// A file that replaces a photo in small thumbnails: the photo's metadata, and the picture of its EXIF preview.
///
/// Nothing proves that a preview shows its photo, so everything unusual counts as doubt: another shape, which may have
/// black borders, colours that a profile describes, or a size in the metadata that is not the photo's.
struct JPEGPreview {
    /// The number of the photo's first bytes that the file has: the metadata.
    let metadataCount: Int
    /// The bytes that follow them: the preview without its own metadata.
    let picture: [UInt8]

    /// Reads a photo's bytes up to its first scan; `nil` if the preview is smaller than `minimumSize`, or in doubt.
    init?(in start: [UInt8], _ photo: ImageHeader, minimumSize: (width: Int, height: Int)) {
        guard let exif = photo.exif, let preview = EXIFPreview(in: exif),
            preview.photoSize == (photo.info.width, photo.info.height),
            preview.orientation ?? photo.info.orientation == photo.info.orientation,
            let metadataCount = Self.metadataCount(of: start), let ownCount = Self.metadataCount(of: preview.bytes),
            let own = try? ImageHeader(of: ImageInput(preview.bytes)),
            Self.isUsual(photo), Self.isUsual(own), !own.statesOrientation,
            photo.info.colorModel == own.info.colorModel,
            own.info.width >= minimumSize.width, own.info.height >= minimumSize.height,
            Self.haveSameShape(photo.info, own.info), Self.isComplete(preview.bytes, own.info)
        else { return nil }
        self.metadataCount = metadataCount
        picture = Array(preview.bytes[ownCount...])
        // The thumbnails need the photo's orientation, and possibly its other facts.
        let file = ImageInput(start).prefix(metadataCount, followedBy: picture)
        guard let made = try? ImageHeader(of: file), made.exif == photo.exif else { return nil }
    }

    private static func isUsual(_ header: ImageHeader) -> Bool {
        header.info.format == .jpeg && header.info.bitDepth == 8 && header.info.colorModel != .cmyk
            && !header.info.hasProfile
    }

    /// Whether the preview has the photo's sides in proportion, up to less than a pixel of its shorter one.
    private static func haveSameShape(_ photo: ImageInfo, _ preview: ImageInfo) -> Bool {
        abs(preview.width * photo.height - preview.height * photo.width) < max(photo.width, photo.height)
    }

    private static func isComplete(_ preview: [UInt8], _ info: ImageInfo) -> Bool {
        let watchdog = DecodeWatchdog(.never, seconds: 1)
        do throws(ImagingError) {
            try JPEGDecoder().checkCompleteness(ImageInput(preview), info, limits: ImageLimits(), watchdog: watchdog)
            return true
        } catch {
            return false
        }
    }

    /// Returns the length of a JPEG's application data and comments at its start.
    ///
    /// Returns `nil` without other segments, or for Adobe's data, which may change the meaning of the samples.
    private static func metadataCount(of bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            switch bytes[offset + 1] {
            case 0xEE: return nil
            case 0xE0...0xEF, 0xFE:
                let length = Int(bytes[offset + 2..<offset + 4].number(bigEndian: true))
                guard length >= 2 else { return nil }
                offset += 2 + length
            default: return offset
            }
        }
        return nil
    }
}
