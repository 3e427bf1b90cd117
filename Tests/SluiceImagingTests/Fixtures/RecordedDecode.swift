// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Everything that a decode yields, for comparisons of two decoders.
struct RecordedDecode: Equatable {
    private(set) var rows: [UInt8] = []
    private(set) var notes: [String] = []
    private(set) var error: ImagingError.Code?
    private(set) var message: String?
    /// The number of times that the receiver learned the shape of the rows.
    private(set) var beginnings = 0

    init(_ decoder: some ImageDecoding, _ job: DecodeJob) {
        let recorder = RowRecorder()
        do throws(ImagingError) {
            notes = try decoder.decode(job, into: recorder).notes
        } catch {
            (self.error, message) = (error.code, "\(error)")
        }
        (rows, beginnings) = (recorder.bytes, recorder.beginnings)
    }

    /// Whether both decodes yield the same; one that fails may have delivered fewer rows.
    func agrees(with other: RecordedDecode) -> Bool {
        let common = error == nil ? max(rows.count, other.rows.count) : min(rows.count, other.rows.count)
        return (notes, error, message) == (other.notes, other.error, other.message)
            && rows.prefix(common) == other.rows.prefix(common)
    }
}

/// Collects rows.
final class RowRecorder: RowReceiving {
    private(set) var bytes: [UInt8] = []
    private(set) var rowCount = 0
    private(set) var beginnings = 0

    func begin(_ shape: RowShape) { beginnings += 1 }

    func receive(_ row: Span<UInt8>) {
        rowCount += 1
        unsafe row.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
