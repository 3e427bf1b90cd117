// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceModel
import Testing

/// The README's example of the library API.
///
/// Compiling it here proves that it is valid.
private enum Example {
    static func run() async throws {
        // README begin
        var options = MirrorOptions()
        options.pages = 3
        let mirror = PhotoMirror(of: "demo", into: "photos", options: options)
        let summary = try await mirror.run { event in
            if case .itemEnded(let item, .done(let receipt)) = event {
                print(item.photo.caption ?? item.photo.id, receipt.original?.path ?? "")
            }
        }
        print("\(summary.done) photos, \(summary.failed) failed, in \(summary.duration)")
        // README end
    }
}

@Suite("README", .timeLimit(.minutes(10))) struct ReadmeTests {
    @Test("The README contains this example")
    func example() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
        let begin = try #require(source.firstIndex { $0.hasSuffix("// README begin") })
        let end = try #require(source.firstIndex { $0.hasSuffix("// README end") })
        let example = source[(begin + 1)..<end].map { String($0.dropFirst(8)) }.joined(separator: "\n")
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
            .standardized
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains("```swift\nimport Sluice\n\n\(example)\n```"))
        #expect(example.components(separatedBy: "\n").count <= 10)
    }
}
