// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Documentation", .timeLimit(.minutes(10))) struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The examples in `Examples.swift`, without their indentation.
    private static func examples() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Examples.swift")
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "    // Example\n").dropFirst().map
        {
            $0.components(separatedBy: "    // End\n")[0].split(separator: "\n").map { $0.dropFirst(4) }
                .joined(separator: "\n")
        }
    }

    /// The Swift code in a Markdown file, without its imports.
    private static func code(in file: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map { block in
            block.components(separatedBy: "\n```")[0].split(separator: "\n").drop { $0.hasPrefix("import ") }
                .joined(separator: "\n")
        }
    }

    private static func pages() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter {
            $0.hasSuffix(".md") && !$0.contains(".build/")
                && ($0 == "README.md" || $0.hasPrefix("Documentation/") || $0.contains(".docc/"))
        }
    }

    @Test("Every Swift example in README, guide and catalogues is compiled by a test")
    func swiftExamples() throws {
        let examples = try Self.examples()
        var count = 0
        for page in try Self.pages() {
            for code in try Self.code(in: page) {
                #expect(
                    examples.contains(code), "\(page) has an example that Examples.swift does not contain:\n\(code)")
                count += 1
            }
        }
        #expect(count > examples.count)
    }

    @Test("The example in the README is short")
    func readme() throws {
        let code = try #require(try Self.code(in: "README.md").first)
        #expect(code.split(separator: "\n").count <= 10)
    }
}
