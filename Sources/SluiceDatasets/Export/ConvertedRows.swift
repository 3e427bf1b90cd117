// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// The rows of an export, some of whose pictures are converted to another format while earlier rows are written.
struct ConvertedRows {
    private let store: any Store
    private let options: DatasetOptions
    private let recoder: PictureRecoder?
    private var rows: PrefetchedRows
    private var waiting: [(row: DatasetRow, conversion: PictureRecoder.Pending?)] = []

    init(
        _ rows: DatasetRows, from store: any Store, _ options: DatasetOptions, token: CancellationToken
    ) {
        self.rows = PrefetchedRows(rows, token: token)
        self.store = store
        self.options = options
        recoder = options.recodedFormat.map {
            PictureRecoder(to: $0, isolation: options.isolation, memory: options.memory, token: token)
        }
    }

    /// The broken files since the last row.
    var brokenFiles: [String] { rows.brokenFiles }

    /// Returns the next row with its conversion, if it needs one; `nil` after the last one.
    mutating func next() throws(MirrorError) -> (row: DatasetRow, conversion: PictureRecoder.Pending?)? {
        // One more than are converted at a time, so that no core waits for the disk.
        let depth = recoder.map { $0.width + 1 } ?? 1
        while waiting.count < depth, let row = try rows.next() {
            waiting.append((row, startConversion(of: row)))
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private func startConversion(of row: DatasetRow) -> PictureRecoder.Pending? {
        guard let recoder, let picture = row.picture, picture.needsConversion(options) else { return nil }
        return recoder.start { [store] () throws(FileError) in try store.openComplete(picture.file) }
    }
}

extension DatasetRow {
    /// Waits for a conversion, and replaces the picture by its result, or by its failure.
    mutating func finish(_ conversion: PictureRecoder.Pending, to format: ImageFormat) throws(Failure) {
        do throws(Failure) {
            let converted = try conversion.picture()
            picture = Picture(
                file: StoredFile(
                    path: picture?.file.path ?? "", bytes: converted.bytes.count,
                    sha256: SHA256.digest(of: converted.bytes)),
                format: format.name, width: converted.width, height: converted.height, content: converted.bytes)
        } catch {
            guard error.scope == .item else { throw error }
            picture = nil
            conversionFailure = error
        }
    }
}
