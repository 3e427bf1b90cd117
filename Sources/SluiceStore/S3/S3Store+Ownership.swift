// SPDX-License-Identifier: MIT

public import SluiceFiles

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The one writer of a location in a bucket.
public struct S3Owner: Sendable {
    /// A text that no other writer has.
    public var id: String
    /// Where the writer keeps its state, for messages.
    public var place: String

    /// Describes a writer.
    public init(id: String, place: String) {
        self.id = id
        self.place = place
    }
}

/// Why a location cannot be written to.
public enum S3OwnershipError: Error, Sendable {
    /// Another writer owns it, with its state at this place.
    case owned(by: String)
    /// It has objects of others.
    case notEmpty
    /// The service ignores conditions, so that two writers could overwrite each other's objects.
    case ignoresConditions
    case file(FileError)
}

extension S3Store {
    /// The object that names the writer.
    private static let ownerName = "\(LocalStore.stateFolder)/owner"
    /// The largest such object.
    private static let ownerLimit = 8 << 10

    /// Makes `owner` the only writer of the location, for ever.
    ///
    /// With `isNew` the location must be empty. It tests whether the service honours conditions: it stores the name of
    /// the owner twice, and the second time must fail.
    public func claim(
        for owner: S3Owner, isNew: Bool, allowsUnsafeCommits: Bool
    ) throws(S3OwnershipError) {
        let known = try inBucket { () throws(FileError) in try ownerText() }
        if let known, known.prefix(while: { $0 != " " }) != owner.id {
            throw .owned(by: known.drop { $0 != " " }.dropFirst().prefix { !$0.isNewline }.description)
        }
        if isNew {
            let names = try inBucket { () throws(FileError) in try list("").map(\.name) }
            guard names.allSatisfy({ $0 == LocalStore.stateFolder }) else { throw .notEmpty }
        }
        let text = Array("\(owner.id) \(owner.place)\n".utf8)
        func isStored() throws(S3OwnershipError) -> Bool {
            try inBucket { () throws(FileError) in try create(text, as: Self.ownerName) }
        }
        var ignoresConditions = try isStored()
        if known == nil {
            guard ignoresConditions else { throw .owned(by: "another run that has just begun") }
            ignoresConditions = try isStored()
        }
        guard ignoresConditions, !allowsUnsafeCommits else { return }
        if known == nil { try? remove(Self.ownerName) }
        throw .ignoresConditions
    }

    /// The text of the object that names the writer; `nil` if it does not exist.
    private func ownerText() throws(FileError) -> String? {
        do throws(FileError) {
            return String(decoding: try read(Self.ownerName, limit: Self.ownerLimit), as: UTF8.self)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    private func inBucket<Value>(_ body: () throws(FileError) -> Value) throws(S3OwnershipError) -> Value {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
