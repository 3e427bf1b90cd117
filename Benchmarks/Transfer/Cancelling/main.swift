// SPDX-License-Identifier: MIT

// Calls off one of many transfers that stand half way, and then all of a host, and prints how long each took.
//
// Usage: cancelling OUT     (addresses come on standard input, an empty line behind them, and a line when all are half way;
// its end lets the program end, once the others have)

import Glibc
import SluiceModel
import SluiceTransfer

let called = Locked<(loads: Set<String>, end: CheckedContinuation<Void, Never>?)>(([], nil))
let done = Locked(0)

/// How many milliseconds go by until all of the loads have ended.
@MainActor func milliseconds(endingAll names: Set<String>, _ cancel: () -> Void) async -> Double {
    let start = ContinuousClock.now
    await withCheckedContinuation { continuation in
        called.withLock { $0 = (names, continuation) }
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
    let last = called.withLock { called -> CheckedContinuation<Void, Never>? in
        guard called.loads.remove(load.name) != nil, called.loads.isEmpty else { return nil }
        defer { called.end = nil }
        return called.end
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
print("{\"one\": \(one), \"host\": \(many), \"count\": \(ofHost.count), \"early\": \(done.withLock(\.self))}")
fflush(nil)
while readLine() != nil {}
await loader.drained()
print("{\"done\": \(done.withLock(\.self))}")
