// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceTransfer

/// What a source names, which decides how a run treats its photos.
package enum SourceType: Sendable {
    /// A service or a site, whose pages are requested.
    case service
    /// The built-in demo service, which the caller must start.
    case demo
    /// A list of photos on any hosts.
    case list
    /// Files in local folders.
    case folder
    /// The photos of a mirror.
    case mirror
    /// Objects in a bucket.
    case bucket
    /// The photos of a program's own feed.
    case program
    /// An argument that cannot be opened.
    case unreadable

    /// Whether its pages are read without requests to photo services.
    package var isLocal: Bool { self == .list || isFolder }

    /// Whether its photos are files in local folders.
    package var isFolder: Bool { self == .folder || self == .mirror }

    /// Whether its pages are those of a server, which may contain the user's secrets.
    var hasServer: Bool { !isFolder && self != .bucket && self != .program }
}

/// A kind of source: a named service, a list, a folder, a bucket, the address of a feed.
///
/// To add one, write a type that conforms, in its own file, and add it to ``Source/kinds``.
protocol SourceKind: Sendable {
    /// The words that name a source of this kind, if any.
    static var names: [String] { get }
    /// Parses a SOURCE argument; returns `nil` for another kind's argument, and throws if it is invalid.
    init?(_ text: String) throws(SourceError)
    var type: SourceType { get }
    /// The addresses that the user named, which may be on a private network.
    var trustedAddresses: [String] { get }
    /// The limits that the source's hosts and terms ask for.
    var politeness: Politeness { get }
    /// A digest that changes when the same argument refers to different pages.
    var fingerprint: String { get }
    /// A note that says which of the user's keys goes to which host, if the user's own file decides that.
    var keyNote: String? { get }
    /// A note that names a better source of the same photos, if there is one.
    var advice: String? { get }
    /// Opens the feeds: one, or those of several lists, each with its list as its source.
    func feeds(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> [SourceFeed]
}

/// A kind of source with one feed.
protocol SingleFeedKind: SourceKind {
    /// A text that is the same for sources whose ids mean the same photos; empty if only this source's ids do.
    var idScope: String { get }
    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed
}

extension SingleFeedKind {
    var idScope: String { "" }

    func feeds(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> [SourceFeed] {
        [SourceFeed(try feed(through: transfers, options: options), idScope: idScope, politeness: politeness)]
    }
}

extension SourceKind {
    static var names: [String] { [] }
    var type: SourceType { .service }
    var trustedAddresses: [String] { [] }
    var politeness: Politeness { Politeness() }
    var fingerprint: String { "" }
    var keyNote: String? { nil }
    var advice: String? { nil }
}

/// A SOURCE argument that cannot be opened, with a message for the user.
package struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, with a suggestion if there is one.
    package var message: String
    /// Whether this machine prevents reading the source, for example by its permissions.
    package var isLocal: Bool
    /// How the user may avoid the error.
    package var hint: Hint?

    package init(_ message: String, isLocal: Bool = false, hint: Hint? = nil) {
        self.message = Userinfo.removed(fromText: message)
        (self.isLocal, self.hint) = (isLocal, hint)
    }

    package var description: String { message }
}

/// Returns the names of objects.
package typealias NameLister = @Sendable (CancellationToken) -> Result<[String], FileError>

/// Opens sources in buckets.
///
/// The caller supplies it because this module does not know buckets.
package protocol BucketOpening: Sendable {
    /// Creates a feed of the pictures below a location.
    func pictures(at location: String) throws(SourceError) -> any Feed

    /// Returns a function that lists the names of all objects below a location; it blocks the calling thread.
    func names(below location: String) throws(SourceError) -> NameLister

    /// Returns a function that opens a list.
    func opener(ofListAt location: String) throws(SourceError) -> ListOpener

    /// Returns a function that opens a list in a Parquet file, of which it requests parts.
    func parts(ofListAt location: String) throws(SourceError) -> PartsOpener
}

/// A feed that a run reads, with the rules of its source.
package struct SourceFeed: Sendable {
    package var feed: any Feed
    /// The SOURCE, or the list in it, that its photos state; `nil` in a run that reads only this feed.
    package var source: String?
    /// A text that is the same for feeds whose ids mean the same photos.
    package var idScope: String
    /// The limits that its hosts and terms ask for.
    package var politeness: Politeness
    /// The maximum number of photos that a run takes from it; `nil` for all.
    package var cap: Int?

    /// The host of the SOURCE, whose pages name the photos; `nil` for the user's own lists.
    package var page: String?

    package init(_ feed: any Feed, idScope: String = "", politeness: Politeness = Politeness()) {
        (self.feed, self.idScope, self.politeness) = (feed, idScope, politeness)
    }
}

extension [SourceFeed] {
    /// The names of the feeds, each once, in their order.
    package var names: [String] {
        var names: [String] = []
        for name in map(\.feed.name) where !names.contains(where: { $0 === name }) { names.append(name) }
        return names
    }
}
