// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Reduces failures of the same cause at the same host to a few lines and one that counts the others.
struct RepeatedFailures: Sendable {
    private struct Kind: Hashable {
        let result: LogLine.Result
        let cause: Cause
    }

    private struct Key: Hashable {
        let kind: Kind
        /// `nil` for all hosts after the first few with this cause.
        let host: String?
        /// Whether the host was given up before the photos, so that no line says more than the one about the host.
        var isGivenUp = false
    }

    private struct Group: Sendable {
        var count = 0
        /// The numbers of the first photos without a line.
        var numbers: [Int] = []
        /// The line of the last photo without one.
        var last: LogLine?
        var failure: Failure
    }

    /// The number of photos of a group that get lines of their own.
    private static let maximumLines = 3
    /// The number of photos that the line for the others names.
    private static let maximumNumbers = 5
    /// The number of hosts with the same cause that get groups of their own; the others share one.
    private static let maximumHosts = 10

    private let style: Style
    private var hosts: [Kind: Int] = [:]
    private var groups: [Key: Group] = [:]
    /// The groups in the order of their first photos.
    private var order: [Key] = []
    /// The hosts that were given up, by the detail of the failures of their other photos.
    private var givenUp: [String: String] = [:]

    init(style: Style) { self.style = style }

    /// Records that a host was given up, whose other photos fail with the same failure.
    mutating func recordGivenUp(_ host: String, because failure: Failure) { givenUp[failure.detail] = host }

    /// Returns the line for a photo's result; `nil` if it needs none or a later line will count it.
    mutating func line(for outcome: ItemOutcome, of item: Item) -> LogLine? {
        guard let result = LogLine.Result(outcome), let line = LogLine(outcome, of: item, style: style),
            let failure = outcome.receipt.failure
        else { return nil }
        // The line about the run's end has the reason, for example a full disk.
        guard failure.scope == .item else { return nil }
        let kind = Kind(result: result, cause: failure.cause)
        let key =
            givenUp[failure.detail].map { Key(kind: kind, host: $0, isGivenUp: true) }
            ?? key(of: kind, at: outcome.receipt.failedHost)
        if groups[key] == nil {
            groups[key] = Group(failure: failure)
            order.append(key)
        }
        groups[key]?.count += 1
        let shown = key.isGivenUp ? 0 : Self.maximumLines
        guard let count = groups[key]?.count, count > shown else { return line }
        if count <= shown + Self.maximumNumbers { groups[key]?.numbers.append(item.seq) }
        groups[key]?.last = line
        return nil
    }

    private mutating func key(of kind: Kind, at host: String) -> Key {
        let own = Key(kind: kind, host: host)
        if groups[own] != nil { return own }
        guard hosts[kind, default: 0] < Self.maximumHosts else { return Key(kind: kind, host: nil) }
        hosts[kind, default: 0] += 1
        return own
    }

    /// Returns a line for each group with photos that have none, and forgets all groups.
    mutating func remainingLines() -> [LogLine] {
        defer { (groups, order, hosts) = ([:], [], [:]) }
        return order.compactMap { key in
            guard let group = groups[key], let last = group.last else { return nil }
            let count = key.isGivenUp ? group.count : group.count - Self.maximumLines
            guard count > 1 || key.isGivenUp else { return last }
            return LogLine(last.importance, text(of: group, key, count: count))
        }
    }

    /// For example `failed: 72 more photos with http-404 at a.example (photos 4, 5, 7, …): the photo no longer exists`.
    private func text(of group: Group, _ key: Key, count: Int) -> String {
        let numbers = group.numbers.map(String.init) + (count > group.numbers.count ? ["…"] : [])
        let place = key.host.map { $0.isEmpty ? "" : " at \(escaped($0))" } ?? " at other hosts"
        if key.isGivenUp, let host = key.host {
            let photos = "\(counted(count, "photo")) of \(escaped(host)), which was given up"
            return "\(key.kind.result.painted(style)) \(photos) (photos \(numbers.joined(separator: ", ")))"
        }
        let cause = key.kind.cause
        let fix =
            group.failure.hint.map { escaped($0.text) } ?? cause.remedy.options.map { "retry with \($0)" }
            ?? cause.meaning
        return "\(key.kind.result.painted(style)) \(count) more photos with \(cause.name)\(place) "
            + "(photos \(numbers.joined(separator: ", "))): \(fix)"
    }
}

/// Reduces the pauses of each host to a few log lines: the first, the tenth, the hundredth and so on, and a total.
struct RepeatedPauses: Sendable {
    private struct Host: Sendable {
        var count = 0
        /// The number of pauses that the last line reported.
        var reported = 0
        var time = Duration.zero
        var failure: Failure
    }

    /// The maximum number of hosts, which bounds memory; pauses of further hosts are not reduced.
    private static let maximumHosts = 1000
    /// Shorter pauses are not worth a line.
    private static let minimum = Duration.seconds(1)

    private var hosts: [String: Host] = [:]

    /// Returns the line for a pause; `nil` if a later line will count it, or says that the host does not exist.
    mutating func line(for host: String, _ duration: Duration, because failure: Failure) -> LogLine? {
        guard duration >= Self.minimum, failure.hint != .checkHostName else { return nil }
        guard hosts[host] != nil || hosts.count < Self.maximumHosts else {
            return LogLine(pauseOf: host, count: 1, time: duration, because: failure)
        }
        var pauses = hosts[host] ?? Host(failure: failure)
        pauses.count += 1
        pauses.time += duration
        pauses.failure = failure
        defer { hosts[host] = pauses }
        guard pauses.count == 1 || pauses.count >= pauses.reported * 10 else { return nil }
        pauses.reported = pauses.count
        return LogLine(pauseOf: host, count: pauses.count, time: pauses.time, because: failure)
    }

    /// Forgets a host that was given up, whose line says more than the number of its pauses.
    mutating func remove(_ host: String) { hosts[host] = nil }

    /// Returns a line for each host with pauses that no line has reported, and forgets all hosts.
    mutating func remainingLines() -> [LogLine] {
        defer { hosts = [:] }
        return hosts.filter { $0.value.count > $0.value.reported }.sorted { $0.key < $1.key }.map { name, host in
            LogLine(pauseOf: name, count: host.count, time: host.time, because: host.failure)
        }
    }
}
