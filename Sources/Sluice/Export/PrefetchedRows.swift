// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel

/// The rows of an export, which another thread reads with their pictures while earlier rows are written.
///
/// At most two batches are in memory: the one that is written and the one that is read.
struct PrefetchedRows {
    private struct Batch: Sendable {
        var rows: ArraySlice<DatasetRow> = []
        /// The broken files after the last row.
        var brokenFiles: [String] = []
        var error: MirrorError?
        /// Whether no batch follows.
        var isLast = false
    }

    /// The limits of a batch: enough that waiting for the other thread costs little.
    private static let maximumRows = 64
    private static let maximumBytes = 16 << 20

    private let source: Locked<DatasetRows>
    private let ahead = Locked<Batch?>(nil)
    private let queue = DispatchQueue(label: "sluice.export")
    private let token: CancellationToken
    private var batch = Batch()

    init(_ rows: DatasetRows, token: CancellationToken) {
        source = Locked(rows)
        self.token = token
        startReading()
    }

    /// The broken files since the last row; complete after the last one.
    var brokenFiles: [String] { batch.brokenFiles }

    /// Returns the next row; `nil` after the last one, or if the token is cancelled.
    mutating func next() throws(MirrorError) -> DatasetRow? {
        while batch.rows.isEmpty, !batch.isLast {
            // The queue is serial, so this waits for the batch.
            queue.sync {}
            batch = ahead.withLock { $0.take() } ?? Batch(isLast: true)
            if let error = batch.error { throw error }
            if !batch.isLast { startReading() }
        }
        return token.isCancelled ? nil : batch.rows.popFirst()
    }

    private func startReading() {
        queue.async { [source, ahead, token] in
            let batch = source.withLock { rows in Self.batch(of: &rows, token) }
            ahead.withLock { $0 = batch }
        }
    }

    private static func batch(of rows: inout DatasetRows, _ token: CancellationToken) -> Batch {
        var batch = Batch()
        var bytes = 0
        do throws(MirrorError) {
            while batch.rows.count < maximumRows, bytes < maximumBytes {
                guard let row = try rows.next(token: token) else {
                    batch.isLast = true
                    break
                }
                bytes += row.picture?.content?.count ?? 0
                batch.rows.append(row)
            }
        } catch {
            batch.error = error
        }
        batch.brokenFiles = rows.brokenFiles
        return batch
    }
}
