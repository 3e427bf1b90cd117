// SPDX-License-Identifier: MIT

extension ImageFormat {
    /// The size that the header of a file states, for some formats that are only recognised; `nil` for others.
    ///
    /// The header is not checked any further.
    package func statedSize(ofFileAt descriptor: Int32) -> (width: Int, height: Int)? {
        do throws(ImagingError) {
            var window = ByteWindow(try ImageInput(descriptor: descriptor))
            let size = try Codecs.codec(of: self).statedSize?(&window)
            return size.flatMap { (1..<1 << 30).contains($0.width) && (1..<1 << 30).contains($0.height) ? $0 : nil }
        } catch {
            return nil
        }
    }
}

extension Codec {
    /// Reads the size of a bitmap, whose height is below zero if its rows go from top to bottom.
    @Sendable static func sizeOfBitmap(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        let values = try window.bytes(at: 18, count: 8)
        let height = Int32(truncatingIfNeeded: values.suffix(4).number(bigEndian: false))
        return (Int(values.prefix(4).number(bigEndian: false)), Int(height.magnitude))
    }

    @Sendable static func sizeOfPhotoshop(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        (try window.uint32(at: 18), try window.uint32(at: 14))
    }

    /// Reads the size of a JPEG 2000 from its header box, which is near the start.
    @Sendable static func sizeOfJPEG2000(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        let start = try window.bytes(at: 0, count: min(window.count, 512))
        guard let name = start.firstRange(of: Array("ihdr".utf8)) else { return nil }
        let box = name.upperBound - start.startIndex
        return (try window.uint32(at: box + 4), try window.uint32(at: box))
    }
}
