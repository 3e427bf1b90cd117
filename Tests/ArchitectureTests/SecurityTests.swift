// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The tests that the documents about security name as proofs.
@Suite("Security documents", .timeLimit(.minutes(5))) struct SecurityTests {
    private static let documents = ["SECURITY.md", "Documentation/security.md"]

    @Test("Every test that a document names exists", arguments: documents)
    func tests(document: String) throws {
        var count = 0
        for line in try Self.lines(of: document) {
            var text = ""
            for match in line.matches(of: /`([A-Za-z0-9\/]*)(?:\.([A-Za-z0-9]+))?`/) {
                // `.name` alone names another test of the same file.
                if !match.1.isEmpty {
                    guard let file = Self.file(ofTest: match.1), match.2 != "swift" else { continue }
                    text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                }
                count += 1
                #expect(
                    match.2.map { text.contains("func \($0)(") } ?? !text.isEmpty,
                    "\(document) names \(match.0), which does not exist")
            }
        }
        #expect(count > 40)
    }

    @Test("Every row of SECURITY.md's tables of claims and promises names a test")
    func rows() throws {
        var heads: [Substring] = []
        for line in try Self.lines(of: "SECURITY.md") where line.hasPrefix("|") {
            if line.hasSuffix("| test |") { heads.append(line) }
            guard !heads.isEmpty, !line.hasSuffix("| test |"), !line.hasPrefix("|---") else { continue }
            let cell = line.dropLast(2).split(separator: " | ").last.map(String.init) ?? ""
            #expect(cell.contains("`"), "\(line)")
        }
        #expect(heads.count == 2)
    }

    /// Returns the file that `Folder/File` names; `nil` if the folder is not one of tests.
    private static func file(ofTest path: Substring) -> URL? {
        let tests = ArchitectureTests.root.appending(path: "Tests")
        guard let slash = path.firstIndex(of: "/"), slash > path.startIndex,
            FileManager.default.fileExists(atPath: tests.appending(path: path[..<slash]).path)
        else { return nil }
        return tests.appending(path: "\(path).swift")
    }

    private static func lines(of document: String) throws -> [Substring] {
        try String(contentsOf: ArchitectureTests.root.appending(path: document), encoding: .utf8).split(separator: "\n")
    }
}
