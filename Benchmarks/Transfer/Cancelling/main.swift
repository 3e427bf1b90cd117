// SPDX-License-Identifier: MIT

// Cancels one of many transfers that are halfway, and then all of a host, and prints the time that each took.
//
// Usage: cancelling OUT
//
// Standard input has the URLs, an empty line, and another line as soon as all transfers are halfway. The program ends
// when standard input ends and all transfers have ended.

import Glibc
import SluiceTransfer
import Synchronization

let cancelled = Mutex<(loads: Set<String>, end: CheckedContinuation<Void, Never>?)>(([], nil))
let done = Mutex(0)

/// Cancels loads and returns the milliseconds until all of them have ended.
@MainActor func milliseconds(endingAll names: Set<String>, _ cancel: () -> Void) async -> Double {
    let start = ContinuousClock.now
    await withCheckedContinuation { continuation in
        cancelled.withLock { $0 = (names, continuation) }
        cancel()
    }
    return (ContinuousClock.now - start) / .milliseconds(1)
}

var guarding = AddressGuard()
guarding.allowsPrivate = true
guarding.ports = Set(1...65535)
var options = TransferOptions(userAgent: "Sluice/benchmark")
options.addressGuard = guarding

var urls: [String] = []
while let line = readLine(), !line.isEmpty { urls.append(line) }

let loader = try Loader(
    into: CommandLine.arguments[1], width: urls.count, hosts: HostRules(perHost: urls.count), options: options,
    flushing: false
) { event in
    guard case .ended(let load, let end) = event else { return }
    if case .success = end { done.withLock { $0 += 1 } }
    let last = cancelled.withLock { cancelled -> CheckedContinuation<Void, Never>? in
        guard cancelled.loads.remove(load.name) != nil, cancelled.loads.isEmpty else { return nil }
        defer { cancelled.end = nil }
        return cancelled.end
    }
    last?.resume()
}

var ids: [Loader.ID] = []
for (number, url) in urls.enumerated() { ids.append(await loader.load(Request(url), as: "\(number)")) }
_ = readLine()
let host = urls[1].split(separator: "/")[1].split(separator: ":")[0]
let ofHost = urls.indices.filter { urls[$0].contains("//\(host):") }
let one = await milliseconds(endingAll: ["0"]) { loader.cancel(ids[0]) }
let many = await milliseconds(endingAll: Set(ofHost.map(String.init))) { loader.cancel(host: String(host)) }
print("{\"one\": \(one), \"host\": \(many), \"count\": \(ofHost.count), \"early\": \(done.withLock { $0 })}")
fflush(nil)
while readLine() != nil {}
await loader.waitUntilIdle()
print("{\"done\": \(done.withLock { $0 })}")
