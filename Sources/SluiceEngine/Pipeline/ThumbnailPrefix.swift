// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceTransfer

/// Stops a download when its first bytes suffice for the thumbnails.
struct ThumbnailPrefix: PrefixReading {
    private var prefix: SufficientPrefix

    init(_ options: ThumbnailOptions) { prefix = SufficientPrefix(options) }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> SufficientPart? {
        unsafe prefix.receive(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
        return prefix.count.map {
            SufficientPart(
                length: $0, ending: prefix.ending,
                previewed: prefix.previewed.map { PreviewedPhoto(width: $0.width, height: $0.height) })
        }
    }
}
