// SPDX-License-Identifier: MIT

internal import SluiceModel

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
