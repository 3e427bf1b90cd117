// SPDX-License-Identifier: MIT

extension Picture {
    /// The pixels as a camera would store them, so that a viewer who obeys `orientation` (EXIF, 1 to 8) sees this picture.
    ///
    /// From 5 on, width and height change places.
    public func stored(asOrientation orientation: Int) -> Picture {
        guard (2...8).contains(orientation) else { return self }
        let swaps = orientation >= 5
        let storedWidth = swaps ? height : width
        let storedHeight = swaps ? width : height
        // Where the upright picture's first pixel is read, and how far the next one in a stored row or column lies.
        let mirrorsX = [2, 3, 6, 7].contains(orientation)
        let mirrorsY = [3, 4, 7, 8].contains(orientation)
        let start = (mirrorsX ? width - 1 : 0) + (mirrorsY ? height - 1 : 0) * width
        let alongX = mirrorsX ? -1 : 1
        let alongY = (mirrorsY ? -1 : 1) * width
        let (columnStep, rowStep) = swaps ? (alongY, alongX) : (alongX, alongY)
        let turned = unsafe [UInt8](unsafeUninitializedCapacity: rgba.count) { target, count in
            unsafe rgba.withUnsafeBytes { source in
                var to = 0
                for row in 0..<storedHeight {
                    var from = start + row * rowStep
                    for _ in 0..<storedWidth {
                        let pixel = unsafe source.load(fromByteOffset: from * 4, as: UInt32.self)
                        unsafe UnsafeMutableRawBufferPointer(target).storeBytes(
                            of: pixel, toByteOffset: to, as: UInt32.self)
                        from += columnStep
                        to += 4
                    }
                }
            }
            count = rgba.count
        }
        return Picture(width: storedWidth, height: storedHeight, rgba: turned)
    }
}
