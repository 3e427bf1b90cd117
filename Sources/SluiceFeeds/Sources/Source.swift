// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CXML2
package import SluiceModel
package import SluiceTransfer

/// A parsed SOURCE argument: a service, a list, a folder, a bucket or the address of a feed.
package struct Source: Sendable {
    /// Every kind of source, each in its own file; the first kind that recognises an argument takes it.
    static let kinds: [any SourceKind.Type] = [
        CatalogSource.self, IIIFSource.self, OAISource.self, RecipeSource.self, BucketSource.self,
        DatasetFilesSource.self, MirrorSource.self, ListFilesSource.self, TrafficSource.self, FolderSource.self,
        ProgramSource.self, SyndicationSource.self, ListSource.self,
    ]

    private let kind: any SourceKind
    /// The SOURCE arguments as they were given; several for named photos, which are one feed.
    package let texts: [String]

    /// Parses a SOURCE argument; throws if no kind recognises it, or if it is invalid for its kind.
    package init(_ given: String) throws(SourceError) {
        let text = SourceAddress.completed(given)
        if let inner = SourceAddress.shown(by: text) {
            throw SourceError("cannot open '\(text)': this page shows another address; give that one: \(inner)")
        }
        if let command = SourceAddress.expansion(of: text) {
            throw SourceError("cannot open '\(text)': it stands for several addresses; to list them, run: \(command)")
        }
        if ListAddress.begins(text.utf8),
            text.split(whereSeparator: \.isWhitespace).dropFirst().contains(where: { ListAddress.begins($0.utf8) })
        {
            throw SourceError("cannot open '\(text)': several addresses in one argument; give each as its own")
        }
        for known in Self.kinds {
            guard let found = try known.init(text) else { continue }
            (kind, texts) = (found, [given])
            return
        }
        // `unsplsh:search/lakes` is a misspelt service, but neither a path nor an address.
        let name = text.prefix { $0 != ":" }
        let rest = text.dropFirst(name.count)
        let hint = SourceAddress.suggestion(for: text).map { "; for a web address, write \($0)" } ?? ""
        if name.contains("/") || name.contains(".") || rest.hasPrefix(":/")
            || ["blob", "data", "magnet"].contains(name.lowercased())
        {
            throw SourceError("cannot open '\(text)': \(SourceAddress.problem(with: text))\(hint)")
        }
        let suggestion = didYouMean(closestMatch(to: String(name), in: Self.names).map { $0 + rest })
        guard hint.isEmpty else { throw SourceError("unknown source '\(text)'\(hint)") }
        throw SourceError(
            "unknown source '\(text)'\(suggestion.isEmpty ? "; run `sluice feeds` to list the sources" : suggestion)")
    }

    /// Parses the SOURCE argument of a plan, whose pages are not read again.
    ///
    /// A list need not exist on this machine.
    package init(planned text: String, isList: Bool) throws(SourceError) {
        if isList { self.init(kind: ListSource(planned: text), texts: [text]) } else { try self.init(text) }
    }

    package init(_ feed: any Feed) {
        self.init(kind: ProgramSource(feed), texts: [ProgramSource.text(of: feed)])
    }

    /// Parses SOURCE arguments; named photos and folders that follow each other become one source.
    ///
    /// Throws if none can be opened. One of several that cannot be opened reports that when it is read.
    package static func all(_ texts: [String]) throws(SourceError) -> [Source] {
        var (all, firstError, failed): ([Source], SourceError?, Int) = ([], nil, 0)
        for text in texts {
            let source: Source
            do throws(SourceError) { source = try Source(text) } catch {
                firstError = firstError ?? error
                failed += 1
                source = Source(kind: UnreadableSource(error), texts: [text])
            }
            if let own = source.kind as? FolderSource, let last = all.last, var folder = last.kind as? FolderSource {
                folder.add(own)
                all[all.count - 1] = Source(kind: folder, texts: last.texts + [text])
            } else {
                all.append(source)
            }
        }
        if let firstError, failed == texts.count { throw firstError }
        return all
    }

    private init(kind: any SourceKind, texts: [String]) { (self.kind, self.texts) = (kind, texts) }

    package var type: SourceType { kind.type }

    /// The names of the built-in services.
    package static var names: [String] { kinds.flatMap { $0.names } }

    /// The versions of the libraries that read feeds, if this process has loaded them.
    package static var loadedLibraries: [LibraryVersion] {
        guard clibraries_is_loaded(clibraries_xml2) else { return [] }
        return [LibraryVersion("libxml2", LIBXML_DOTTED_VERSION)]
    }

    /// The addresses that the user named; they may be on a private network, unlike the links in their replies.
    package var trustedAddresses: [WebAddress] { kind.trustedAddresses.compactMap { WebAddress($0) } }

    /// The hosts of these addresses as names for DNS.
    package var hostNames: TextSet { TextSet(trustedAddresses.map(\.hostName)) }

    /// The limits that the source's hosts and terms ask for.
    package var politeness: Politeness { kind.politeness }

    /// A digest that changes when the same argument refers to different pages, for example after a recipe was edited.
    package var fingerprint: String { kind.fingerprint }

    /// A note that says which key a recipe file sends to which host; `nil` if it sends none.
    package var keyNote: String? { kind.keyNote }

    /// A note that names a better source of the same photos; `nil` if there is none.
    package var advice: String? { kind.advice }

    /// Opens the feed, or those of several lists, each of which has its list as its source.
    package func feeds(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> [SourceFeed] {
        let feeds = try kind.feeds(through: transfers, options: options)
        guard type.hasServer else { return feeds }
        return feeds.map { known in
            var known = known
            known.feed = RedactedFeed(known.feed, through: transfers)
            return known
        }
    }
}

extension Source {
    /// The built-in services, in the order of `sluice feeds`.
    package static var services: [ServiceInfo] { BuiltInRecipes.all.map(ServiceInfo.init) }

    package static var serviceNames: [String] { BuiltInRecipes.names }

    /// Describes a service, given its name or the path of its recipe.
    package static func service(_ text: String) throws(SourceError) -> ServiceInfo {
        if let known = BuiltInRecipes.named(text) { return ServiceInfo(known) }
        guard let bytes = try RecipeFile.read(text) else {
            let suggestion = didYouMean(closestMatch(to: text, in: RecipeSource.names))
            throw SourceError(
                "unknown service '\(text)'\(suggestion.isEmpty ? "; `sluice feeds` lists the services" : suggestion)")
        }
        return ServiceInfo(try RecipeFile.recipe(bytes, path: text))
    }

    /// Returns every problem in a recipe file; empty if the recipe is valid.
    package static func problems(inRecipeAt path: String) throws(SourceError) -> [RecipeDiagnostic] {
        guard let bytes = try RecipeFile.read(path) else {
            throw SourceError("cannot read recipe '\(path)': no such file")
        }
        do throws(InvalidRecipe) {
            _ = try Recipe(bytes)
            return []
        } catch {
            return error.diagnostics
        }
    }
}

extension ServiceInfo {
    fileprivate init(_ recipe: Recipe) {
        self.init(
            name: recipe.name, about: recipe.about, listings: recipe.listings.map { "\(recipe.prefix)\($0.spelling)" },
            variants: recipe.photo.variantNames, defaultVariant: recipe.defaultVariant, recipe: recipe.text)
        keyVariable = recipe.key?.environment
        keyAddress = recipe.key?.from
        needsKey = recipe.key.map { !$0.isOptional } ?? false
        cap = recipe.politeness.cap
        rules = recipe.rules
        terms = recipe.terms
    }
}

/// A SOURCE that cannot be opened, among others that can: its first page reports why.
struct UnreadableSource: SingleFeedKind {
    private let error: SourceError

    var type: SourceType { .unreadable }

    init(_ error: SourceError) { self.error = error }

    /// No argument is of this kind.
    init?(_ text: String) { nil }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed { UnreadableFeed(error) }
}

/// A feed without pages, because its source cannot be opened.
package struct UnreadableFeed: Feed {
    package let name = "unreadable"
    package let defaultVariant = ""
    private let error: SourceError

    /// Creates the feed of a source that this error concerns.
    package init(_ error: SourceError) { self.error = error }

    package func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        throw Failure(error.isLocal ? .disk : .feedParse, error.message, hint: error.hint)
    }
}
