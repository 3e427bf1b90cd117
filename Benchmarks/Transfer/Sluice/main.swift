// SPDX-License-Identifier: MIT

// Downloads files with the library. It hashes them, writes them under temporary names, and does not flush them.
//
// Usage: transfer OUT WIDTH PER-HOST [CA-FILE] <LIST     (one URL per line; files are named by line number)

import Glibc
import SluiceTransfer
import Synchronization

let arguments = CommandLine.arguments
let folder = arguments[1]
let (width, perHost) = (Int(arguments[2])!, Int(arguments[3])!)

var guarding = AddressGuard()
guarding.allowsPrivate = true
guarding.ports = Set(1...65535)
var options = TransferOptions(userAgent: "Sluice/benchmark")
options.addressGuard = guarding
options.connections = width
if arguments.count > 4 { options.certificates = TrustedCertificates(file: arguments[4]) }

let failed = Atomic(0)
let bytes = Atomic(0)
let loader = try Loader(
    into: folder, width: width, hosts: HostRules(perHost: perHost), options: options, flushing: false
) { event in
    switch event {
    case .ended(_, .success(.complete(let response))): bytes.add(response.bytes, ordering: .relaxed)
    case .ended(let load, let end):
        failed.add(1, ordering: .relaxed)
        print("\(load.request.url): \(end)")
    default: break
    }
}

var number = 0
let start = ContinuousClock.now
while let line = readLine() {
    number += 1
    await loader.load(Request(line), as: "\(number)")
}
await loader.waitUntilIdle()
let wall = (ContinuousClock.now - start) / .seconds(1)
guard failed.load(ordering: .relaxed) == 0 else { exit(3) }
print(
    """
    {"seconds": \(wall), "cpu": \(Double(clock()) / 1_000_000), "files": \(number), \
    "bytes": \(bytes.load(ordering: .relaxed))}
    """)
