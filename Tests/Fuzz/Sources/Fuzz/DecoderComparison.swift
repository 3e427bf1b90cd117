// SPDX-License-Identifier: MIT

internal import Dispatch

@testable internal import SluiceImaging

/// Compares Sluice's own decoders with libjpeg-turbo and libpng: rows, notes and errors must be the same.
///
/// A decode that fails may have delivered more rows with one of them, because the libraries hold some back.
enum DecoderComparison {
    /// The result of a decode.
    private struct Outcome {
        var rows: [UInt8] = []
        var notes: [String] = []
        var damage: String?
        var error: String?

        func agrees(with other: Outcome) -> Bool {
            guard (notes, damage, error) == (other.notes, other.damage, other.error) else { return false }
            if error == nil { return rows == other.rows }
            let common = min(rows.count, other.rows.count)
            return rows.prefix(common) == other.rows.prefix(common)
        }
    }

    /// Takes parts of the smallest size, so that small inputs have several.
    private static let spareThread = {
        let queue = DispatchQueue(label: "spare")
        var thread = SpareThread { work in
            queue.async(execute: work)
            return true
        }
        (thread.minPixels, thread.partPixels) = (0, 0)
        return thread
    }()

    private final class RowRecorder: RowReceiving {
        private(set) var bytes: [UInt8] = []

        func begin(_ shape: RowShape) throws(ImagingError) {
            precondition(bytes.isEmpty, "rows begin once")
        }

        func receive(_ row: Span<UInt8>) { unsafe row.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) } }
    }

    /// Decodes one input with both decoders; returns -1 to tell libFuzzer not to keep it.
    static func test(_ bytes: [UInt8]) -> Int32 {
        guard let format = ImageFormat(sniffing: bytes), [.jpeg, .png].contains(format),
            let header = try? ImageHeader(of: ImageInput(bytes))
        else {
            return -1
        }
        var limits = ImageLimits()
        limits.pixels = 1_000_000
        limits.memory = 64 << 20
        guard (try? header.info.check(limits)) != nil else { return -1 }
        for eighths in format == .jpeg ? [8, 1, 4, 2] : [8] {
            var job = DecodeJob(
                input: ImageInput(bytes), header: header,
                minimumSize: (max(1, header.info.width * eighths / 8), max(1, header.info.height * eighths / 8)),
                limits: limits, watchdog: DecodeWatchdog(.never, seconds: limits.seconds))
            // The input determines it, so that a difference is reproducible.
            job.salvages = bytes.count & 1 == 1
            let outcome = decode(job)
            job.spareThread = spareThread
            precondition(decode(job).agrees(with: outcome), "one and two threads agree at \(eighths)/8")
            job.usesReference = true
            precondition(decode(job).agrees(with: outcome), "both decoders agree at \(eighths)/8")
        }
        return 0
    }

    private static func decode(_ job: DecodeJob) -> Outcome {
        let recorder = RowRecorder()
        var outcome = Outcome()
        do throws(ImagingError) {
            let result =
                switch job.header.info.format {
                case .png: try PNGDecoder().decode(job, into: recorder)
                default: try JPEGDecoder().decode(job, into: recorder)
                }
            outcome.notes = result.notes
            outcome.damage = result.damage.map { "\($0)" }
        } catch {
            outcome.error = "\(error)"
        }
        outcome.rows = recorder.bytes
        return outcome
    }
}
