// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One way of loading: what a sweep varies.
public struct LoaderSetting: Sendable, Hashable {
    /// How many loads are under way at once.
    public var concurrency: Int
    /// How many of them one host has; `nil` for all.
    public var perHost: Int?
    /// What is spoken with hosts: `auto`, `1.1` or `2`.
    public var http: String
    /// The side of the thumbnails that are made of what arrives; `nil` makes none.
    public var thumbnails: Int?
    /// How many pictures are decoded at once.
    public var workers: Int
    /// With how many loads it begins, if it finds by itself how many should be under way, up to ``concurrency``.
    public var adaptsFrom: Int?

    /// How many loads a host may have.
    var width: Int { width(hosts: 1) }

    /// How many loads so many hosts may have together.
    func width(hosts: Int) -> Int { min(concurrency, perHost.map { $0 * hosts } ?? concurrency) }

    /// What differs from others of its sweep, in a few words: `64, 2 decoders`.
    public func label(among settings: [LoaderSetting]) -> String {
        var words = [adaptsFrom == nil ? "\(concurrency)" : "auto"]
        func isVaried<Value: Hashable>(_ path: KeyPath<LoaderSetting, Value>) -> Bool {
            Set(settings.map { $0[keyPath: path] }).count > 1
        }
        if isVaried(\.perHost) { words.append(perHost.map { "\($0) a host" } ?? "any a host") }
        if isVaried(\.http) { words.append("HTTP \(http)") }
        if isVaried(\.thumbnails) { words.append(thumbnails.map { "thumbnails \($0)" } ?? "no thumbnails") }
        if isVaried(\.workers) { words.append("\(workers) decoding") }
        return words.joined(separator: ", ")
    }

    /// Whether as much is loaded at once as with another, whatever is made of it.
    func loads(as other: LoaderSetting) -> Bool {
        adaptsFrom == nil && concurrency == other.concurrency && perHost == other.perHost && thumbnails == nil
    }

    /// The same with another concurrency, which stays: the settings that a knee is looked for among.
    func with(concurrency: Int) -> LoaderSetting {
        var setting = self
        setting.concurrency = concurrency
        setting.adaptsFrom = nil
        return setting
    }
}

extension LoaderSetting {
    init(_ json: JSON) throws(BenchError) {
        concurrency = try json.count("concurrency")
        perHost = json["per_host"]?.integer
        http = try json.string("http")
        thumbnails = json["thumbnails"]?.integer
        workers = try json.count("workers")
        adaptsFrom = json["adapts_from"]?.integer
    }

    func write(to json: inout JSONWriter) {
        json.member("concurrency", concurrency)
        json.member("per_host", perHost)
        json.member("http", http)
        json.member("thumbnails", thumbnails)
        json.member("workers", workers)
        json.member("adapts_from", adaptsFrom)
    }
}
