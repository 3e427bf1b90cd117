// SPDX-License-Identifier: MIT

/// Counts a mirror's photos by what hosts and files state about their use.
package struct UsageSummary: Sendable {
    /// The photos of a host with statements.
    package struct Counts: Sendable, Hashable {
        /// Those that the host delivered.
        package var photos = 0
        /// Those that are reserved from the training of models.
        package var reserved = 0
        /// Those that were not downloaded, because `robots.txt` or `X-Robots-Tag` forbids it.
        package var skipped = 0
        /// The number of photos by the rule of a statement; a photo may have several.
        package var rules: [String: Int] = [:]

        package var all: Int { photos + skipped }

        package init() {}

        fileprivate mutating func add(_ other: Counts) {
            photos += other.photos
            reserved += other.reserved
            skipped += other.skipped
            rules.merge(other.rules, uniquingKeysWith: +)
        }
    }

    /// The largest number of hosts with counts of their own.
    package static let maxHosts = 20

    /// The counts of all hosts.
    package private(set) var total = Counts()
    /// The hosts with the most of these photos, in descending order; the host of a local file has no name.
    package private(set) var hosts: [(name: String, counts: Counts)] = []
    /// The number of all other hosts, and their sums.
    package private(set) var others: (count: Int, sum: Counts)?

    /// Counts photos that have the same terms and the same host.
    package init(_ terms: some Sequence<(host: String, usage: String, photos: Int, skipped: Int)>) {
        var all: TextMap<Counts> = [:]
        for (host, usage, photos, skipped) in terms {
            let terms = UsageTerms(text: usage)
            var counts = Counts()
            (counts.photos, counts.skipped) = (photos, skipped)
            counts.reserved = terms.reservesTraining ? photos : 0
            for rule in Set<String>(terms.statements.flatMap(\.rules)) { counts.rules[rule] = photos + skipped }
            total.add(counts)
            all[host, default: Counts()].add(counts)
        }
        let sorted = all.map { (name: $0.key, counts: $0.value) }
            .sorted { ($1.counts.all, ExactText($0.name)) < ($0.counts.all, ExactText($1.name)) }
        hosts = Array(sorted.prefix(Self.maxHosts))
        guard sorted.count > Self.maxHosts else { return }
        var sum = Counts()
        for host in sorted[Self.maxHosts...] { sum.add(host.counts) }
        others = (sorted.count - Self.maxHosts, sum)
    }

    package init() {}
}

extension UsageTerms.Statement {
    private static let words = ["noai", "noimageai", "noml"]
    /// The names of statements; others may be in a mirror that a stranger made.
    private static let names: Set = [
        "robots.txt", "x-robots-tag", "content-usage", "tdm-reservation", "tdm-policy", robots + "content-usage",
        robots + "content-signal", robots + "license", reservationFile + "tdm-reservation",
        reservationFile + "tdm-policy", "iptc data-mining", "c2pa.training-mining", "cawg.training-mining", page,
    ]

    /// The rules to count: the statement's name, and for `X-Robots-Tag` the words that reserve training.
    fileprivate var rules: [String] {
        guard Self.names.contains(name) else { return ["other"] }
        guard name == "x-robots-tag" else { return [name] }
        let found = value.lowercased().split { ", \t:".contains($0) }.map(String.init).filter(Self.words.contains)
        return found.isEmpty ? [name] : found.map { "\(name) \($0)" }
    }
}
