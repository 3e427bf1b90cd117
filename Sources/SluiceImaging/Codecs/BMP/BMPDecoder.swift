// SPDX-License-Identifier: MIT

/// Decodes bitmaps; reads rows where they are, and keeps pixels that are stored in runs in memory.
struct BMPDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let bitmap = try BMPHeader(&window)
        var info = ImageInfo(format: .bmp, width: bitmap.width, height: bitmap.height)
        info.hasAlpha = bitmap.hasAlpha
        info.hasProfile = bitmap.profile != nil
        var header = ImageHeader(info)
        if let profile = bitmap.profile { header.profileRanges = [profile] }
        let (pixels, overflow) = bitmap.width.multipliedReportingOverflow(by: bitmap.height)
        header.wholeImageBytes = bitmap.storage == .runs && !overflow ? pixels : bitmap.rowBytes
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        let bitmap = try BMPHeader(&window)
        guard bitmap.storage != .runs else {
            try info.check(limits)
            var runs = BMPRuns(bitmap)
            return try runs.decode(&window, watchdog: watchdog)
        }
        let (bytes, overflow) = bitmap.rowBytes.multipliedReportingOverflow(by: bitmap.height)
        guard !overflow, bitmap.start <= input.count, bytes <= input.count - bitmap.start else {
            throw ImagingError(.truncated, "\(input.count) bytes")
        }
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        var window = ByteWindow(job.input, span: 65536)
        let bitmap = try BMPHeader(&window)
        if bitmap.storage == .runs { return try decodeRuns(bitmap, job, &window, into: receiver) }
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        let shape = RowShape(of: job.header.info, width: bitmap.width, height: bitmap.height)
        try receiver.begin(shape)
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            for number in 0..<bitmap.height {
                try job.watchdog.check(row: number)
                let stored = try bitmap.row(number, &window)
                bitmap.unpack(stored, into: row)
                row.withSpan(0..<row.count) { receiver.receive($0) }
            }
        }
        let notes = flaw == nil && damage == nil ? bitmap.notes(fileBytes: job.input.count) : []
        return DecodeOutcome(notes: notes, damage: flaw ?? damage)
    }

    private func decodeRuns(
        _ bitmap: BMPHeader, _ job: DecodeJob, _ window: inout ByteWindow, into receiver: some RowReceiving
    ) throws(ImagingError) -> DecodeOutcome {
        let shape = RowShape(of: job.header.info, width: bitmap.width, height: bitmap.height)
        try receiver.begin(shape)
        var runs = BMPRuns(bitmap)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try runs.decode(&window, watchdog: job.watchdog)
        }
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        for number in 0..<bitmap.height {
            try job.watchdog.check(row: number)
            runs.withRow(bitmap.isTopDown ? number : bitmap.height - 1 - number) { bitmap.paint($0, into: row) }
            row.withSpan(0..<row.count) { receiver.receive($0) }
        }
        return DecodeOutcome(notes: damage == nil ? runs.notes : [], damage: damage)
    }
}

extension BMPHeader {
    /// A note about bytes after the pixels, which may be those of the picture; many writers add up to three.
    fileprivate func notes(fileBytes count: Int) -> [String] {
        let surplus = count - start - rowBytes * height
        return surplus > 3 && profile == nil ? ["\(surplus) bytes after the pixels of the BMP"] : []
    }

    /// Reads a stored row; rows count from the top of the picture.
    fileprivate func row(_ number: Int, _ window: inout ByteWindow) throws(ImagingError) -> ArraySlice<UInt8> {
        try window.bytes(at: start + (isTopDown ? number : height - 1 - number) * rowBytes, count: rowBytes)
    }

    /// Returns the bits of a pixel with channels.
    fileprivate func pixel(_ column: Int, in row: ArraySlice<UInt8>) -> UInt32 {
        let bytes = bits / 8
        let first = row.startIndex + column * bytes
        return (0..<bytes).reduce(0) { $0 | UInt32(row[first + $1]) << UInt32($1 * 8) }
    }

    /// Unpacks a stored row to RGB or RGBA.
    fileprivate func unpack(_ row: ArraySlice<UInt8>, into target: borrowing SampleBuffer<UInt8>) {
        let channels = hasAlpha ? 4 : 3
        precondition(target.count == width * channels && row.count == rowBytes, "the row is of the shape")
        if storage == .palette {
            for column in 0..<width {
                let bit = column * bits
                let byte = Int(row[row.startIndex + bit / 8])
                let number = byte >> (8 - bits - bit % 8) & (1 << bits - 1)
                for channel in 0..<3 { unsafe target.base[column * 3 + channel] = palette[number * 3 + channel] }
            }
        } else if bits == 24 || bits == 32 && !hasAlpha && masks[0].bits == 0xFF0000 && masks[2].bits == 0xFF {
            let bytes = bits / 8
            for column in 0..<width {
                let first = row.startIndex + column * bytes
                for channel in 0..<3 { unsafe target.base[column * 3 + channel] = row[first + 2 - channel] }
            }
        } else {
            for column in 0..<width {
                let pixel = pixel(column, in: row)
                for channel in 0..<channels {
                    unsafe target.base[column * channels + channel] = masks[channel].value(of: pixel)
                }
            }
        }
    }

    /// Turns the colour numbers of a row into RGB.
    fileprivate func paint(_ numbers: Span<UInt8>, into target: borrowing SampleBuffer<UInt8>) {
        precondition(target.count == numbers.count * 3, "the row is of the shape")
        for column in numbers.indices {
            let color = Int(numbers[column]) * 3
            for channel in 0..<3 { unsafe target.base[column * 3 + channel] = palette[color + channel] }
        }
    }
}

extension ImageFormat {
    /// BMP, the bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(named: "bmp")
}

extension Codec {
    static let bmp = Codec(
        format: .bmp, title: "BMP", mediaType: "image/bmp", fileExtensions: ["bmp"],
        // OS/2 has the hot spot of a pointer in the fields that Windows reserves.
        signatures: [
            ImageSignature((0, Array("BM".utf8)), (6, [0, 0, 0, 0])),
            ImageSignature((0, Array("BM".utf8)), (14, [12, 0, 0, 0]), (22, [1, 0])),
        ], decoder: BMPDecoder(),
        statedSize: sizeOfBitmap, makeTestFile: { bmpTestFile })

    /// The self-test's picture with 24 bits per pixel, from top to bottom.
    private static var bmpTestFile: [UInt8] {
        let header = [40, 16, -16, 24 << 16 | 1, 0, 0, 0, 0, 0, 0].flatMap(little)
        let pixels = stride(from: 0, to: testPicture.bytes.count, by: 3).flatMap {
            testPicture.bytes[$0..<$0 + 3].reversed()
        }
        return Array("BM".utf8) + [54 + pixels.count, 0, 54].flatMap(little) + header + pixels
    }

    private static func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
