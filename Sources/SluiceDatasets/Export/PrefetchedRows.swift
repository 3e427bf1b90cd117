// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceModel

/// The rows of an export, which another thread reads with their pictures while earlier rows are written.
///
/// The thread reads far ahead, and rarely pauses: threads that wake each other for every batch may share one core.
struct PrefetchedRows {
    private struct Batch: Sendable {
        /// In reverse order, since the last element of an array is moved and not copied.
        var rows: [DatasetRow] = []
        /// The approximate size of the rows in memory.
        var bytes = 0
        /// The broken files after the last row.
        var brokenFiles: [String] = []
        var error: MirrorError?
        var isLast = false
    }

    private struct State {
        var batches: [Batch] = []
        /// The size of the batches.
        var bytes = 0
        var isReading = true
    }

    private static let rowsPerBatch = 64
    /// The size of the batches at which reading pauses; it continues at half of it.
    private static let limit = 16 << 20
    /// The approximate size of a row without its picture.
    private static let rowBytes = 4 << 10

    private let source: Locked<DatasetRows>
    private let state = Locked(State())
    private let available = DispatchSemaphore(value: 0)
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
            available.wait()
            batch = takeBatch()
            if let error = batch.error { throw error }
        }
        guard !token.isCancelled, var row = batch.rows.popLast() else { return nil }
        // Made here, because the other thread has more to do.
        row.addLine()
        return row
    }

    private func takeBatch() -> Batch {
        let (batch, continues) = state.withLock { state in
            let batch = state.batches.removeFirst()
            state.bytes -= batch.bytes
            guard !state.isReading, !(state.batches.last ?? batch).isLast, state.bytes <= Self.limit / 2 else {
                return (batch, false)
            }
            state.isReading = true
            return (batch, true)
        }
        if continues { startReading() }
        return batch
    }

    private func startReading() {
        queue.async { [source, state, available, token] in
            var isReading = true
            while isReading {
                let batch = source.withLock { rows in Self.batch(of: &rows, token) }
                isReading = state.withLock { state in
                    state.batches.append(batch)
                    state.bytes += batch.bytes
                    state.isReading = !batch.isLast && state.bytes < Self.limit
                    return state.isReading
                }
                available.signal()
            }
        }
    }

    private static func batch(of rows: inout DatasetRows, _ token: CancellationToken) -> Batch {
        var batch = Batch()
        do throws(MirrorError) {
            while batch.rows.count < rowsPerBatch, batch.bytes < limit / 2 {
                guard let row = try rows.next(token: token) else {
                    batch.isLast = true
                    break
                }
                batch.bytes += rowBytes + (row.picture?.content?.count ?? 0)
                batch.rows.append(row)
            }
        } catch {
            batch.error = error
            batch.isLast = true
        }
        batch.rows.reverse()
        batch.brokenFiles = rows.brokenFiles
        return batch
    }
}
