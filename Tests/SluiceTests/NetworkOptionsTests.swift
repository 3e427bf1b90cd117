// SPDX-License-Identifier: MIT

import Testing

@testable import Sluice

@Suite("Network options") struct NetworkOptionsTests {
    @Test(
        "What cannot be read is refused before anything is made, and names its option",
        arguments: [
            ("--allow-address", "10.0.0.0/33"), ("--resolve", "a:b:1.2.3.4"), ("--resolve", "a:80:b.example"),
            ("--proxy", "ftp://proxy"), ("--proxy", "not a proxy"), ("--ca-file", "/nowhere/ca.pem"),
        ])
    func refusals(option: String, value: String) async {
        var options = MirrorOptions()
        switch option {
        case "--allow-address": options.network.allowedAddresses = [value]
        case "--resolve": options.network.resolved = [value]
        case "--proxy": options.network.proxy = value
        default: options.network.certificates = value
        }
        let error = await #expect(throws: MirrorError.self) {
            try await Mirror(of: "demo", into: "/nowhere/mirror", options: options).run()
        }
        #expect(error?.code == .usage && error?.message.hasPrefix(option) == true, "\(String(describing: error))")
    }

    @Test(
        "A run is as wide as its open files allow, and says so where that is less than was asked for",
        arguments: [
            (1024, 16, 16), (1024, 160, 160), (1024, 161, 160), (256, 512, 32), (64, 16, 1), (20000, 4096, 3322),
            (.max, 4096, 4096),
        ])
    func descriptors(most: Int, wanted: Int, width: Int) {
        let limit = DescriptorLimit(most: most)
        #expect(limit.width(for: wanted) == width)
        let words =
            "at most \(width) of \(wanted) photos at once: this system lets a process open \(most) files (ulimit -n)"
        #expect(limit.note(for: wanted) == (width < wanted ? words : nil))
    }
}
