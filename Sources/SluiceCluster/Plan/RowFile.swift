// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Writes rows to a compressed file, in frames of a limited size.
///
/// It is a class because a plan has an array of them. ``FrameCompression`` compresses the frames of several files
/// concurrently; without it, ``append(_:)`` does that itself.
final class RowFileWriter {
    /// The last row of a frame may exceed the buffer by about this many bytes.
    private static let usualRowLength = 4 << 10

    private var file: NewFile?
    private let encoder: ZstdEncoder
    private let bufferSize: Int
    private let hash = SHA256()
    private var rows: [UInt8] = []

    init(_ name: String, in store: any Store, encoder: ZstdEncoder, bufferSize: Int) throws(FileError) {
        file = try store.create(name)
        (self.encoder, self.bufferSize) = (encoder, bufferSize)
    }

    /// Whether the rows so far fill a frame.
    var isFull: Bool { rows.count >= bufferSize }

    /// Adds a row, which has no line end.
    ///
    /// If the rows fill a frame, call ``takeRows()``.
    func add(_ row: ArraySlice<UInt8>) {
        rows += row
        rows.append(UInt8(ascii: "\n"))
    }

    func add(_ row: ArraySlice<UInt8>, after number: Int) {
        rows += String(number).utf8
        rows.append(UInt8(ascii: " "))
        add(row)
    }

    /// Removes and returns the rows of the next frame; write it before those of later rows.
    func takeRows() -> [UInt8] {
        hash.update(rows)
        defer {
            rows = []
            rows.reserveCapacity(bufferSize + Self.usualRowLength)
        }
        return rows
    }

    func write(_ frame: [UInt8]) throws(FileError) { try file?.write(frame) }

    /// Adds a row, which has no line end, and writes the rows if they fill a frame.
    func append(_ row: ArraySlice<UInt8>) throws(FileError) {
        add(row)
        if isFull { try writeRows() }
    }

    /// Compresses and writes the rows; also if there are none, since a file without a frame would not be recognised as
    /// compressed.
    func writeRows() throws(FileError) { try write(encoder.frame(takeRows())) }

    /// Completes the file under its temporary name; returns it with the SHA-256 of the rows.
    ///
    /// All rows must have been written.
    func stage() throws(FileError) -> (file: StagedFile, sha256: String) {
        guard rows.isEmpty, let file = file.take() else { preconditionFailure("a file of rows is staged once") }
        return (try file.stage(flushed: false), hash.finish())
    }
}

/// Compresses frames while their files' next rows are made, and writes them in order.
///
/// Memory is bounded, because few frames wait.
struct FrameCompression {
    /// The size of the rows that a task compresses: tasks of less than a few milliseconds may share the core of the
    /// thread that starts them.
    private static let groupSize = 2 << 20
    private static let maxWaitingGroups = 2

    private var files: [RowFileWriter] = []
    private var rows: [[UInt8]] = []
    private var size = 0
    private var waiting: [(files: [RowFileWriter], frames: Task<[[UInt8]], Never>)] = []

    /// Adds the rows of a file's next frame, also if there are none.
    mutating func add(_ rows: [UInt8], to file: RowFileWriter) async throws(FileError) {
        files.append(file)
        self.rows.append(rows)
        size += rows.count
        guard size >= Self.groupSize else { return }
        compress()
        while waiting.count > Self.maxWaitingGroups { try await writeNext() }
    }

    mutating func finish() async throws(FileError) {
        compress()
        while !waiting.isEmpty { try await writeNext() }
    }

    private mutating func compress() {
        let frames = Task { [rows] in
            let encoder = ZstdEncoder()
            return rows.map { encoder.frame($0) }
        }
        waiting.append((files, frames))
        (files, rows, size) = ([], [], 0)
    }

    private mutating func writeNext() async throws(FileError) {
        let (files, frames) = waiting.removeFirst()
        for (file, frame) in zip(files, await frames.value) { try file.write(frame) }
    }
}

/// Reads a shard's rows in order, in batches.
struct RowFileReader: ~Copyable {
    /// The length limit of a row in bytes, above that of any photo.
    private static let maxRowLength = 16 << 20

    private let plan: Plan
    private let shard: Int
    private let file: String
    private var lines: LineReader

    /// Opens the rows of a shard.
    ///
    /// Call ``check(_:of:in:)`` first, which compares them with the plan.
    init(_ shard: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        (self.plan, self.shard, file) = (plan, shard, "\(store.location)/\(Plan.rowsName(of: shard))")
        lines = try Self.lines(of: shard, in: store)
    }

    /// Returns up to `count` further rows; none at the end.
    mutating func next(_ count: Int) throws(MirrorError) -> [PlannedItem] {
        var rows: [PlannedItem] = []
        do throws(Failure) {
            while rows.count < count, let line = try lines.next() {
                rows.append(try Self.item(in: line, of: plan))
            }
        } catch {
            throw Self.error(error, file)
        }
        return rows
    }

    private static func item(in line: ArraySlice<UInt8>, of plan: Plan) throws(Failure) -> PlannedItem {
        guard let row = PlanRow.item(in: line, ofFeed: plan.feed) else {
            throw Failure(.feedParse, "a row is malformed")
        }
        return row
    }

    /// Throws if the rows of a shard differ from those that were planned, or are malformed.
    static func check(_ shard: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        let file = "\(store.location)/\(Plan.rowsName(of: shard))"
        let hash = SHA256()
        var rows = 0
        var lines = try lines(of: shard, in: store)
        do throws(Failure) {
            while let line = try lines.next() {
                // The rows of a plan from a stranger match their digest, whatever they contain.
                _ = try item(in: line, of: plan)
                hash.update(Array(line) + [UInt8(ascii: "\n")])
                rows += 1
                guard rows <= plan.shards[shard].rows else { break }
            }
        } catch {
            throw Self.error(error, file)
        }
        guard rows == plan.shards[shard].rows, hash.finish() == plan.shards[shard].sha256 else {
            throw MirrorError(.usage, "cannot use '\(file)': it was changed after it was planned")
        }
    }

    private static func lines(of shard: Int, in store: any Store) throws(MirrorError) -> LineReader {
        do {
            return try LineReader(try store.open(Plan.rowsName(of: shard)), limit: maxRowLength)
        } catch let error as FileError where error.isMissing {
            throw MirrorError(.usage, "cannot use plan '\(store.location)': \(Plan.rowsName(of: shard)) is missing")
        } catch {
            throw MirrorError(converting: error)
        }
    }

    private static func error(_ failure: Failure, _ file: String) -> MirrorError {
        failure.cause == .feedParse
            ? MirrorError(.usage, "cannot use '\(file)': \(failure.detail)") : MirrorError(.local, failure.detail)
    }
}
