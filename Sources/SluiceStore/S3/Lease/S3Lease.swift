// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// The reason why a lease cannot be taken.
package enum LeaseError: Error, Sendable {
    /// Another writer holds it, with its state at this place; it expires after `seconds` unless it is renewed.
    case held(by: String, seconds: Int?)
    /// The location has objects of others.
    case notEmpty
    /// The service ignores conditions, so that two writers could overwrite each other's objects.
    case ignoresConditions
    case file(FileError)
}

/// The right of one process to write to a location in a bucket: an object that it renews, and that another process
/// takes over after it has expired.
///
/// The service decides who gets it, by conditions on the object's version, and tells the lease's age by its own clock.
/// The holder stops writing before the lease expires. Methods block the calling thread, and may be called from any.
package final class S3Lease: Sendable {
    static let name = "\(LocalStore.stateFolder)/lease"
    /// How many other writers may come first in one attempt to take the lease.
    private static let maxRaces = 3
    private static let noVersion = "\"00000000000000000000000000000000\""

    private struct State {
        var record: LeaseRecord
        var etag: String
        /// Until when this process may write.
        var deadline: ContinuousClock.Instant
        /// The record of the last update if that failed; the service may have stored it.
        var unconfirmed: LeaseRecord?
    }

    private let client: S3Client
    private let location: S3Location
    private let state: Locked<State>
    /// Held during requests that replace the object.
    private let updates = Locked(())
    /// The record that this lease has replaced; `nil` if there was none.
    package let earlier: LeaseRecord?

    private var key: String { location.key(of: Self.name) }

    /// The record as this process has last stored it.
    package var record: LeaseRecord { state.withLock { $0.record } }

    /// Takes the lease of a location for a writer.
    ///
    /// If there is none, the location must be empty. Tests whether the service honours conditions.
    package init(
        of bucket: S3Bucket, for holder: String, at place: String, lasting seconds: Int, allowsUnsafeCommits: Bool
    ) throws(LeaseError) {
        (client, location) = (bucket.client, bucket.location)
        let key = location.key(of: Self.name)
        var record = LeaseRecord(holder: holder, place: place, ledger: holder, seconds: seconds)
        for _ in 0..<Self.maxRaces {
            let start = ContinuousClock.now
            let current = try Self.available(bucket, for: holder)
            if let current {
                (record.ledger, record.number) = (current.record.ledger, current.record.number + 1)
                record.publication = current.record.publication
            }
            let etag = try Self.inBucket(location) { () throws(S3Error) in
                try bucket.client.replace(key, current?.etag, with: record.bytes)
            }
            guard let etag else { continue }
            earlier = current?.record
            state = Locked(State(record: record, etag: etag, deadline: Self.deadline(from: start, record)))
            let isHonoured = try honoursConditions()
            guard !isHonoured, !allowsUnsafeCommits else { return }
            if current == nil { try? client.delete(key) }
            throw .ignoresConditions
        }
        throw .held(by: "another run that has just begun", seconds: nil)
    }

    /// Returns the record of a location that a writer could take the lease of; `nil` if no writer has used it.
    package static func record(of bucket: S3Bucket, for holder: String) throws(LeaseError) -> LeaseRecord? {
        try available(bucket, for: holder)?.record
    }

    /// Returns the lease; throws if another writer holds it, or if there is none and the location is not empty.
    private static func available(_ bucket: S3Bucket, for holder: String) throws(LeaseError) -> StoredLease? {
        if let current = try reading(bucket) {
            try checkAvailable(current, for: holder)
            return current
        }
        try checkEmpty(bucket)
        return nil
    }

    /// Throws if another writer holds the lease.
    private static func checkAvailable(_ current: StoredLease, for holder: String) throws(LeaseError) {
        let record = current.record
        guard record.holder != holder, !record.isReleased else { return }
        // Dates have whole seconds.
        let rest = current.age.map { record.seconds + 1 - $0 }
        guard let rest, rest < 0 else { throw .held(by: record.place, seconds: rest) }
    }

    private static func checkEmpty(_ bucket: S3Bucket) throws(LeaseError) {
        let names = try inBucket(bucket.location) { () throws(S3Error) in
            var listing = S3Listing(bucket.client, prefix: bucket.location.keyPrefix, isFolder: true, pageSize: 2)
            return try listing.next()?.names ?? []
        }
        let own = bucket.location.key(of: "\(LocalStore.stateFolder)/")
        guard names.allSatisfy({ $0 == own }) else { throw .notEmpty }
    }

    /// Whether the service refuses to replace the lease on false conditions.
    private func honoursConditions() throws(LeaseError) -> Bool {
        // Other bytes than those of the lease, so that a refusal is not taken for the lost response of an upload.
        var record = state.withLock { $0.record }
        record.number += 1
        let bytes = record.bytes
        return try Self.inBucket(location) { () throws(S3Error) in
            for version in [nil, Self.noVersion] where try client.replace(key, version, with: bytes) != nil {
                return false
            }
            return true
        }
    }

    private static func reading(_ bucket: S3Bucket) throws(LeaseError) -> StoredLease? {
        try inBucket(bucket.location) { () throws(S3Error) in try StoredLease(in: bucket) }
    }

    private static func inBucket<Value>(
        _ location: S3Location, _ body: () throws(S3Error) -> Value
    ) throws(LeaseError) -> Value {
        do throws(S3Error) { return try body() } catch {
            throw .file(error.fileError("use", location.description, bucket: location.bucket))
        }
    }

    /// The end of three quarters of the lease: the rest is for requests in flight.
    private static func deadline(
        from start: ContinuousClock.Instant, _ record: LeaseRecord
    ) -> ContinuousClock.Instant { start + .seconds(record.seconds) * 3 / 4 }

    // MARK: Use

    /// Whether this process may write.
    package var isHeld: Bool { state.withLock { $0.deadline } > .now }

    /// Throws if this process must not write any more.
    func check() throws(FileError) {
        guard !isHeld else { return }
        let reason = "the lease was lost: another run may write to the location now"
        throw S3Error.invalid(reason)
            .fileError("write to", location.description, bucket: location.bucket)
    }

    /// Creates the lease valid again from now.
    ///
    /// It is lost if another writer has replaced it. If the request fails otherwise, it stays valid until its deadline.
    package func renew() { update { _ in } }

    /// Records that this writer has the newest ledger, and its copy in the bucket if that is new.
    package func takeLedger(publishedAs publication: String? = nil) {
        update { record in
            record.ledger = record.holder
            record.publication = publication ?? record.publication
        }
    }

    /// Lets other writers take the lease.
    package func release() {
        update { $0.isReleased = true }
        state.withLock { $0.deadline = .now }
    }

    /// Replaces the object by a changed record; only one thread at a time does so.
    private func update(_ change: (inout LeaseRecord) -> Void) {
        updates.withLock { _ in
            let start = ContinuousClock.now
            let state = state.withLock { $0 }
            guard state.deadline > start else { return }
            var record = state.unconfirmed ?? state.record
            record.number += 1
            change(&record)
            do throws(S3Error) {
                let etag = try client.replace(key, state.etag, with: record.bytes, after: state.unconfirmed?.bytes)
                self.state.withLock { [record] in
                    $0 = State(
                        record: record, etag: etag ?? state.etag,
                        deadline: etag == nil ? start : Self.deadline(from: start, record))
                }
            } catch {
                // The next renewal may succeed.
                self.state.withLock { [record] in $0.unconfirmed = record }
            }
        }
    }
}

/// A lease as the service has it.
struct StoredLease: Sendable {
    let record: LeaseRecord
    let etag: String
    /// The time since its last renewal in seconds, by the service's clock; `nil` if the service does not tell.
    let age: Int?

    /// Reads the lease of a location; `nil` if there is none.
    init?(in bucket: S3Bucket) throws(S3Error) {
        let object: (bytes: [UInt8], headers: HeaderFields)
        do throws(S3Error) {
            object = try bucket.client.getWithHeaders(
                bucket.location.key(of: S3Lease.name), limit: LeaseRecord.limit)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        guard let record = LeaseRecord(object.bytes), let etag = object.headers["etag"] else {
            throw .invalid("the lease is malformed")
        }
        (self.record, self.etag) = (record, etag)
        let times = ["date", "last-modified"].compactMap { object.headers[$0].flatMap { parseHTTPDate($0) } }
        age = times.count == 2 ? times[0] - times[1] : nil
    }
}

extension S3Client {
    /// Stores an object if it has this version, or if it does not exist for `nil`; returns its new version, or `nil` if
    /// the condition is false.
    ///
    /// The object may also have the bytes of an earlier call that failed.
    fileprivate func replace(
        _ key: String, _ version: String?, with bytes: [UInt8], after earlier: [UInt8]? = nil
    ) throws(S3Error) -> String? {
        do throws(S3Error) {
            return try put(bytes, to: key, condition: version.map { .version($0) } ?? .absent)
        } catch {
            guard error.status == 412 || error.isMissing else { throw error }
            guard error.attempt > 1 || earlier != nil else { return nil }
            // An earlier attempt or call, whose response was lost, may have stored it.
            let current = try getWithHeaders(key, limit: LeaseRecord.limit)
            guard current.bytes != bytes else { return current.headers["etag"] }
            guard current.bytes == earlier, let version = current.headers["etag"] else { return nil }
            return try replace(key, version, with: bytes)
        }
    }
}

extension S3Page {
    fileprivate var names: [String] { objects.map(\.key) + folders }
}

extension S3Bucket {
    /// The record of the last writer of the location; `nil` if there was none.
    package func leaseRecord() throws(FileError) -> LeaseRecord? {
        do throws(S3Error) { return try StoredLease(in: self)?.record } catch {
            throw error.fileError("open", location.description, bucket: location.bucket)
        }
    }
}

/// The content of a lease object.
package struct LeaseRecord: Sendable, Hashable {
    /// The writer that holds the lease: a text that no other writer has.
    package var holder: String
    /// Where the holder keeps its state, for messages.
    package var place: String
    /// The writer that has the newest ledger: the holder, or an earlier one whose ledger the holder has yet to load.
    package var ledger: String
    /// The name of the newest copy of a ledger in the bucket, which ledgers that descend from it know; `nil` if an
    /// earlier version has stored it.
    package var publication: String?
    /// How long the lease is valid after each renewal, in seconds.
    package var seconds: Int
    /// Whether the holder has ended, so that another writer need not wait.
    package var isReleased = false
    /// The number of renewals, which makes each version different.
    var number = 0

    /// The largest record in bytes.
    static let limit = 8 << 10

    init(holder: String, place: String, ledger: String, seconds: Int) {
        (self.holder, self.place, self.ledger, self.seconds) = (holder, place, ledger, seconds)
    }

    /// Parses a record; `nil` if it is malformed.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let holder = json["holder"]?.text,
            let place = json["place"]?.text, let ledger = json["ledger"]?.text,
            let seconds = json["seconds"]?.quantity, let number = json["number"]?.quantity
        else { return nil }
        self.init(holder: holder, place: place, ledger: ledger, seconds: seconds)
        publication = json["publication"]?.text
        (isReleased, self.number) = (json["released"] == .bool(true), number)
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", 1)
            object.member("holder", holder)
            object.member("place", place)
            object.member("ledger", ledger)
            object.member("publication", publication)
            object.member("seconds", seconds)
            object.member("released", isReleased)
            object.member("number", number)
        }
        writer.newline()
        return writer.bytes
    }
}
