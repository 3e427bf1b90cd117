// SPDX-License-Identifier: MIT

internal import CSluice

/// PNG through libpng: rows are streamed, but an interlaced picture is put together in memory first.
struct PNGDecoder: PictureDecoding {
    let format = ImageFormat.png

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try Self.checkSubstance(job)
        return try unsafe job.source.withInput { input throws(ImagingError) in
            let reader = try unsafe PNGReader(input)
            if job.salvages { try reader.salvage() }
            let shape = try reader.start()
            let rows = Self.rowShape(shape)
            try receiver.begin(rows)
            let damage = try damage(isKept: job.salvages) { () throws(ImagingError) in
                if shape.passes > 1 {
                    try readPasses(reader, Int(shape.passes), rows, job, receiver)
                } else {
                    try readRows(reader, rows, job, receiver)
                }
                try reader.finish()
            }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: damage)
        }
    }

    /// Interlaced rows wait for each other.
    func memory(for header: PictureHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        let shape = RowShape(of: header.info, width: size.width, height: size.height)
        return header.info.isProgressive ? shape.rowBytes * shape.height : 0
    }

    /// Refuses a picture that no zlib could unpack from so few bytes, before memory is taken for it.
    private static func checkSubstance(_ job: DecodeJob) throws(ImagingError) {
        let info = job.header.info
        let least = info.width * info.bitDepth / 8 * info.height
        guard least / 1032 > job.source.count else { return }
        try Completeness.check(job.source, info, limits: job.limits, watch: job.watch)
        throw ImagingError(.corrupt, "\(job.source.count) bytes cannot hold \(info.width)x\(info.height) pixels")
    }

    private static func rowShape(_ shape: csluice_png_shape) -> RowShape {
        let layout: PixelLayout = shape.channels == 1 ? .grey : shape.channels == 3 ? .rgb : .rgba
        var rows = RowShape(width: Int(shape.width), height: Int(shape.height), layout: layout)
        rows.depth = Int(shape.depth)
        return rows
    }

    private func readRows(
        _ reader: borrowing PNGReader, _ shape: RowShape, _ job: DecodeJob, _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        for number in 0..<shape.height {
            try job.watch.check(row: number)
            try reader.readRow(into: row)
            row.withSpan(0..<row.count) { receiver.receive($0) }
        }
    }

    private func readPasses(
        _ reader: borrowing PNGReader, _ passes: Int, _ shape: RowShape, _ job: DecodeJob,
        _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let picture = SampleBuffer<UInt8>(count: shape.rowBytes * shape.height, zero: 0)
        var isEmpty = true
        let damage = try damage(isKept: job.salvages) { () throws(ImagingError) in
            for _ in 0..<passes {
                for number in 0..<shape.height {
                    try job.watch.check(row: number)
                    try reader.readRow(into: picture, at: number * shape.rowBytes)
                    isEmpty = false
                }
            }
        }
        if let damage, isEmpty { throw damage }
        for number in 0..<shape.height {
            picture.withSpan(number * shape.rowBytes..<(number + 1) * shape.rowBytes) { receiver.receive($0) }
        }
        if let damage { throw damage }
    }
}
