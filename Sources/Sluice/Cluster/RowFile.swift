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
/// It is a class because a plan has an array of them.
final class RowFileWriter {
    private var file: NewFile?
    private let encoder: ZstdEncoder
    private let bufferSize: Int
    private let hash = SHA256()
    private var rows: [UInt8] = []

    init(_ name: String, in store: any Store, encoder: ZstdEncoder, bufferSize: Int) throws(FileError) {
        file = try store.create(name)
        (self.encoder, self.bufferSize) = (encoder, bufferSize)
    }

    /// Adds a row, which has no line end.
    func add(_ row: ArraySlice<UInt8>) throws(FileError) {
        rows += row
        rows.append(UInt8(ascii: "\n"))
        if rows.count >= bufferSize { try writeOut() }
    }

    /// Completes the file under its temporary name; returns it with the SHA-256 of the rows.
    func stage() throws(FileError) -> (file: StagedFile, sha256: String) {
        // A file without a frame would not be recognised as compressed.
        try writeOut()
        guard let file = file.take() else { preconditionFailure("a file of rows is staged once") }
        return (try file.stage(flushed: false), hash.finish())
    }

    private func writeOut() throws(FileError) {
        hash.update(rows)
        try file?.write(encoder.frame(rows))
        rows.removeAll(keepingCapacity: true)
    }
}

/// Reads a shard's rows in order, in batches.
struct RowFileReader: ~Copyable {
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
                guard let row = PlanRow.item(in: line, ofFeed: plan.feed) else {
                    throw Failure(.feedParse, "a row is malformed")
                }
                rows.append(row)
            }
        } catch {
            throw Self.error(error, file)
        }
        return rows
    }

    /// Throws if the rows of a shard differ from those that were planned.
    static func check(_ shard: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        let file = "\(store.location)/\(Plan.rowsName(of: shard))"
        let hash = SHA256()
        var rows = 0
        var lines = try lines(of: shard, in: store)
        do throws(Failure) {
            while let line = try lines.next() {
                hash.update(Array(line) + [UInt8(ascii: "\n")])
                rows += 1
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
            return try LineReader(try store.open(Plan.rowsName(of: shard)))
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
