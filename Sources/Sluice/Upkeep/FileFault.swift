// SPDX-License-Identifier: MIT

/// What is wrong with one file of a mirror.
public struct FileFault: Sendable, Hashable {
    /// The kinds of faults.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The ledger knows it, and it is not there.
        case missing
        /// Its bytes are not those that its receipt tells of.
        case changed
        /// Its bytes are those of its receipt, and cannot be decoded.
        case damaged
        /// It is there, and cannot be read.
        case unreadable
        /// It is there, and the ledger does not know it. Nothing of the mirror's is lost by that.
        case extra
    }

    /// The kind.
    public var kind: Kind
    /// The file, by its path below the mirror's folder.
    public var path: String
    /// The place of the item that it belongs to; `nil` of one that belongs to none.
    public var item: Int?
    /// The evidence in a few words.
    public var detail: String

    init(_ kind: Kind, _ path: String, of item: Int? = nil, _ detail: String = "") {
        self.kind = kind
        self.path = path
        self.item = item
        self.detail = detail
    }
}
