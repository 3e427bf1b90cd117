// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceBench

/// Tests the exported page in a browser.
@Suite("Result page", .timeLimit(.minutes(10)), .serialized, .enabled(if: Browser.isWanted)) struct ResultPageTests {
    @Test("The page shows its charts, loads no other files, and follows the light or dark colour scheme")
    func page() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        try Samples.report().export(as: .html, to: file.path)
        try await withBrowser { browser in
            try await browser.open(file.absoluteString)
            let charts = try await browser.value("document.querySelectorAll('svg').length", as: Int.self)
            // One throughput chart, and a latency and a utilization chart for each of the two curves.
            #expect(charts == 5)
            // All lines lie within their charts, and each throughput line has an interval.
            let outside = try await browser.value(
                """
                [...document.querySelectorAll('svg')].filter((svg) => {
                  const box = svg.getBoundingClientRect();
                  return box.height < 100 || [...svg.querySelectorAll('polyline')].some((line) => {
                    const own = line.getBoundingClientRect();
                    return own.width < 100 || own.top < box.top || own.bottom > box.bottom;
                  });
                }).length
                """, as: Int.self)
            #expect(outside == 0)
            let first = "document.querySelector('svg')"
            #expect(try await browser.value("\(first).querySelectorAll('polyline').length", as: Int.self) == 2)
            #expect(try await browser.value("\(first).querySelectorAll('polygon').length", as: Int.self) == 2)
            let rows = try await browser.value("document.querySelectorAll('tbody tr').length", as: Int.self)
            #expect(rows == 6)
            let text = try await browser.value("document.body.innerText", as: String.self)
            #expect(text.contains("A <processor> & more"))
            var grounds: Set<String> = []
            for scheme in ["light", "dark"] {
                try await browser.command(
                    "Emulation.setEmulatedMedia",
                    ["features": [["name": "prefers-color-scheme", "value": scheme]]])
                grounds.insert(
                    try await browser.value("getComputedStyle(document.body).backgroundColor", as: String.self))
            }
            #expect(grounds.count == 2)
            #expect(try await browser.complaints() == [])
            #expect(try await browser.requests().allSatisfy { $0.hasPrefix("file://") || $0.hasPrefix("about:") })
        }
    }
}
