// SPDX-License-Identifier: MIT

internal import CSluice

/// JPEG through libjpeg-turbo: rows are streamed, and made smaller by the DCT where less is wanted.
struct JPEGDecoder: PictureDecoding {
    let format = ImageFormat.jpeg

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try unsafe job.source.withInput { input throws(ImagingError) in
            let reader = try unsafe JPEGReader(input, memory: job.limits.memory)
            if job.salvages { reader.salvage() }
            let eighths = Self.eighths(job.header.info, wanted: job.wanted)
            for range in idleScans(job, eighths) { reader.leaveOut(range) }
            let shape = try reader.start(eighths: eighths)
            if shape.several_scans { try absorb(reader, job) }
            try receiver.begin(Self.rowShape(shape, eighths: eighths, job.header.info))
            let damage = try damage(isKept: job.salvages) { () throws(ImagingError) in
                try readRows(reader, shape, job, receiver)
                try reader.finish()
            }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: damage)
        }
    }

    /// The smallest of the sizes that libjpeg makes fast which is still large enough.
    private static func eighths(_ info: ImageInfo, wanted: (width: Int, height: Int)) -> Int {
        [1, 2, 4].first { eighths in
            info.width * eighths >= wanted.width * 8 && info.height * eighths >= wanted.height * 8
        } ?? 8
    }

    func size(of header: PictureHeader, wanted: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let eighths = Self.eighths(header.info, wanted: wanted)
        return ((header.info.width * eighths + 7) / 8, (header.info.height * eighths + 7) / 8)
    }

    /// Nothing is kept of a picture in one scan; of several, every coefficient until the last has come.
    func memory(for header: PictureHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.coefficients * 2
    }

    private static func rowShape(_ shape: csluice_jpeg_shape, eighths: Int, _ info: ImageInfo) -> RowShape {
        let layout: PixelLayout = shape.channels == 1 ? .grey : shape.channels == 3 ? .rgb : .cmyk
        var rows = RowShape(width: Int(shape.width), height: Int(shape.height), layout: layout)
        rows.exactWidth = Double(info.width * eighths) / 8
        rows.exactHeight = Double(info.height * eighths) / 8
        return rows
    }

    /// The scans to leave out; a file that has no end is told so when it is taken in.
    private func idleScans(_ job: DecodeJob, _ eighths: Int) -> [Range<Int>] {
        guard job.header.info.isProgressive, !job.salvages, eighths == 1 || job.isFast else { return [] }
        return (try? JPEGScans(job.source, watch: job.watch))?.idle(eighths: eighths, isFast: job.isFast) ?? []
    }

    /// Takes in all scans before the first row, and counts them: a small file can have very many.
    private func absorb(_ reader: borrowing JPEGReader, _ job: DecodeJob) throws(ImagingError) {
        _ = try damage(isKept: job.salvages) { () throws(ImagingError) in
            try Completeness.check(job.source, job.header.info, limits: job.limits, watch: job.watch)
        }
        while let scan = try reader.absorb() {
            try job.watch.check()
            guard scan <= job.limits.scans else {
                throw ImagingError(.tooManyScans, "more than \(job.limits.scans)")
            }
        }
        try reader.startRows()
    }

    private func readRows(
        _ reader: borrowing JPEGReader, _ shape: csluice_jpeg_shape, _ job: DecodeJob, _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let (height, rowBytes) = (Int(shape.height), Int(shape.width) * Int(shape.channels))
        let rows = SampleBuffer<UInt8>(count: rowBytes * Self.rowsAtOnce, zero: 0)
        let isInverted = shape.channels == 4 && !shape.adobe
        for first in stride(from: 0, to: height, by: Self.rowsAtOnce) {
            try job.watch.check()
            let count = min(Self.rowsAtOnce, height - first)
            try reader.readRows(count, into: rows)
            if isInverted { for sample in 0..<count * rowBytes { unsafe rows.base[sample] = ~rows.base[sample] } }
            for row in 0..<count { rows.withSpan(row * rowBytes..<(row + 1) * rowBytes) { receiver.receive($0) } }
        }
    }

    private static let rowsAtOnce = 8
}
