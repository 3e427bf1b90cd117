// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// `hf://datasets/OWNER/NAME[@REVISION]/data/*.parquet`: the lists in a data set of Hugging Face that match a pattern.
struct DatasetFilesSource: SingleFeedKind {
    /// The maximum number of pages of the listing.
    private static let maxPages = 1000
    private static let scheme = "hf://datasets/"
    static let hub = "https://huggingface.co"

    private let location: String
    private let site: String
    /// `OWNER/NAME`.
    private let dataset: String
    private let revision: String
    private let pattern: PathPattern

    /// Reads a pattern, and refuses other texts of this scheme; the address of a file is completed before.
    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("hf://") else { return nil }
        guard let source = DatasetFilesSource(text, site: Self.hub) else {
            throw SourceError(
                "cannot open '\(text)': it names no file or pattern in a data set, e.g. "
                    + "\(Self.scheme)OWNER/NAME/data/*.parquet")
        }
        self = source
    }

    /// Reads a pattern of files at a site; `nil` for other texts.
    init?(_ text: String, site: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", maxSplits: 2).map(String.init)
        guard parts.count == 3, let pattern = PathPattern(ofNames: parts[2]) else { return nil }
        let name = parts[1].split(separator: "@", maxSplits: 1).map(String.init)
        guard let first = name.first else { return nil }
        (location, self.site, self.pattern) = (text, site, pattern)
        dataset = "\(parts[0].percentEncoded())/\(first.percentEncoded())"
        // A branch whose name has slashes is written with %2F.
        revision = name.count > 1 ? name[1] : "main"
    }

    var trustedAddresses: [String] { ["\(site)/datasets/\(dataset)"] }

    /// Lists may name photos on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        let host = WebAddress(site)?.host ?? "feed"
        return JoinedLists(host, at: location, pattern) { (token) throws(Failure) in
            try await names(through: transfers, options: options, token: token)
        } opening: { [options = options.joinedLists] name in
            let address = "\(site)/datasets/\(dataset)/resolve/\(revision)\(Self.path(name))"
            return SyndicationFeed(location: .address(address), transfers: transfers, options: options)
        }
    }

    /// Returns the names of the files in the pattern's folder, which the service lists page by page.
    private func names(
        through transfers: Transfers, options: FeedOptions, token: CancellationToken
    ) async throws(Failure) -> [String] {
        let query = pattern.isDeep ? "?recursive=true" : ""
        let first = "\(site)/api/datasets/\(dataset)/tree/\(revision)\(Self.path(pattern.folder))\(query)"
        var names: [String] = []
        var next = WebAddress(first)
        for _ in 0..<Self.maxPages {
            guard let address = next else { break }
            var request = Request(address.text, limit: 16 << 20, timeout: .seconds(60))
            request.acceptsCompression = true
            let response = try await transfers.fetch(request, token: token)
            guard let entries = (try? JSON(parsing: response.body))?.elements else {
                throw Failure(.feedParse, "the listing of '\(location)' is not a JSON array")
            }
            names += entries.filter { $0["type"]?.text == "file" }.compactMap { $0["path"]?.text }
            let link = LinkHeader(response.headers.all("link"))["next"].flatMap { WebAddress($0, relativeTo: address) }
            next = link.flatMap { $0.hasOrigin(of: address) ? $0 : nil }
        }
        return names
    }

    /// The encoded path of a name, which begins with a slash; empty for an empty name.
    private static func path(_ name: String) -> String {
        name.split(separator: "/").map { "/" + String($0).percentEncoded() }.joined()
    }
}
