// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Network options", .timeLimit(.minutes(10))) struct NetworkOptionsTests {
    @Test(
        "An invalid option is refused before the mirror is created, and the message says which",
        arguments: [
            ("cannot allow address", "10.0.0.0/33"), ("cannot resolve", "a:b:1.2.3.4"),
            ("cannot resolve", "a:80:b.example"),
            ("cannot use the proxy", "ftp://proxy"), ("cannot use the proxy", "not a proxy"),
            ("cannot read certificate file", "/nowhere/ca.pem"),
        ])
    func refusals(message: String, value: String) async {
        var options = MirrorOptions()
        switch message {
        case "cannot allow address": options.network.allowedAddresses = [value]
        case "cannot resolve": options.network.resolved = [value]
        case "cannot use the proxy": options.network.proxy = value
        default: options.network.certificates = value
        }
        let error = await #expect(throws: MirrorError.self) {
            try await PhotoMirror(of: "demo", into: "/nowhere/mirror", options: options).run()
        }
        #expect(error?.code == .usage && error?.message.hasPrefix(message) == true, "\(String(describing: error))")
    }

    @Test(
        "The limit of open files reduces the concurrency, with a note",
        arguments: [
            (1024, 16, 16), (1024, 160, 160), (1024, 161, 160), (256, 512, 32), (64, 16, 1), (20000, 4096, 3322),
            (.max, 4096, 4096),
        ])
    func descriptors(maximum: Int, requested: Int, width: Int) {
        let limit = DescriptorLimit(maximum: maximum)
        #expect(limit.width(for: requested) == width)
        let note =
            "concurrency reduced from \(requested) to \(width): the limit of open files is \(maximum) (ulimit -n)"
        #expect(limit.note(for: requested) == (width < requested ? note : nil))
    }
}
