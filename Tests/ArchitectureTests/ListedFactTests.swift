// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks that image formats are listed in one place only, so that a new format cannot be forgotten in another.
@Suite("Image formats", .timeLimit(.minutes(10))) struct FormatListTests {
    private static let codecs = "SluiceImaging/Codecs/"

    /// The files that may name several formats, with the reason.
    private static let exceptions: [String: String] = [
        "Sluice/Export/LayoutRules.swift": "the pictures that Hugging Face datasets recognises",
        "SluiceImaging/Codecs/Codecs.swift": "the list",
        "SluiceImaging/ThumbnailOptions.swift": "`auto` writes PNG or JPEG",
        "SluiceModel/Files/StoredFormat.swift":
            "a table for modules below the codecs, which a test compares with the list",
        "SluiceDemo/Service/DemoPhoto.swift": "the fixed content of the demo service",
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardized

    @Test("No switch distinguishes formats")
    func switches() throws {
        let names = try Self.names()
        for (file, lines) in try Self.files() {
            for (number, line) in lines.enumerated() {
                let code = line.drop { $0 == " " }
                guard code.hasPrefix("case .") || code.hasPrefix("case \"") else { continue }
                let label = String(code.prefix { $0 != ":" })
                let found = Self.mentioned(names, in: label)
                #expect(found.isEmpty, "\(file):\(number + 1) switches over \(found.sorted().joined(separator: ", "))")
            }
        }
    }

    @Test("Only the list of codecs names several formats")
    func lists() throws {
        let names = try Self.names()
        for (file, lines) in try Self.files() {
            let found = lines.reduce(into: Set<String>()) { $0.formUnion(Self.mentioned(names, in: $1)) }
            let isAllowed = Self.exceptions[file] != nil || file.hasPrefix("\(Self.codecs)Recognised/")
            #expect(found.count < 2 || isAllowed, "\(file) lists \(found.sorted().joined(separator: ", "))")
        }
    }

    @Test("A codec's types are used in its own folder only, apart from its entry in the list")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.sources.appending(path: Self.codecs).path
        ).filter { !$0.hasSuffix(".swift") && $0 != "Interface" && $0 != "Recognised" }
        #expect(folders.count >= 3)
        for folder in folders {
            let pattern = try Regex("\\b\(folder)[A-Z]\\w+").wordBoundaryKind(.simple)
            for (file, lines) in try Self.files()
            where file.hasPrefix("SluiceImaging/") && !file.hasPrefix("\(Self.codecs)\(folder)/") {
                for (number, line) in lines.enumerated() where line.contains(folder) {
                    let code = Self.withoutComment(line)
                    #expect(!code.contains(pattern), "\(file):\(number + 1) uses a type of \(folder)/")
                }
            }
        }
    }

    @Test("The fuzzer's scripts list no formats")
    func fuzzing() throws {
        let names = try Self.names()
        for file in ["Scripts/fuzz", ".ci/run", "Tests/Fuzz/Sources/Fuzz/SeedFiles.swift"] {
            let text = try String(contentsOf: Self.sources.appending(path: "../\(file)"), encoding: .utf8)
            let words = Set(text.split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: names), "\(file)")
        }
    }

    /// The names of all formats, as their folders declare them.
    private static func names() throws -> Set<String> {
        var names: Set<String> = []
        for (file, lines) in try files() where file.hasPrefix(codecs) {
            for line in lines {
                if let name = line.firstMatch(of: /= ImageFormat\(named: "(\w+)"\)/) { names.insert(String(name.1)) }
            }
        }
        #expect(names.count >= 9)
        return names
    }

    /// Returns the formats that a line of code mentions: as a member, a string or a media type.
    private static func mentioned(_ names: Set<String>, in line: String) -> Set<String> {
        guard names.contains(where: { line.contains($0) }) else { return [] }
        let words = withoutComment(line).matches(of: /(?:\.|"|"image\/)([a-z]+)\b/).map { String($0.1) }
        return names.intersection(words)
    }

    private static func withoutComment(_ line: String) -> Substring {
        line.drop { $0 == " " }.hasPrefix("//") ? "" : line[...]
    }

    /// The Swift files of all modules, by their path in `Sources`.
    private static func files() throws -> [(name: String, lines: [String])] {
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.map { name in
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            return (name, text.components(separatedBy: "\n"))
        }
    }
}

/// The tests that the documents about security name as proofs.
@Suite("Security documents", .timeLimit(.minutes(5))) struct SecurityTests {
    private static let documents = ["SECURITY.md", "Documentation/security.md"]

    @Test("Every test that a document names exists", arguments: documents)
    func tests(document: String) throws {
        var count = 0
        for line in try Self.lines(of: document) {
            var text = ""
            for match in line.matches(of: /`([A-Za-z0-9\/-]*)(?:\.([A-Za-z0-9]+))?`/) {
                // `.name` alone names another test of the same file, and `.txt` a transcript.
                if !match.1.isEmpty {
                    let ending = match.2 == "txt" ? "txt" : "swift"
                    guard let file = Self.file(ofTest: match.1, ending), match.2 != "swift" else { continue }
                    text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                }
                count += 1
                let isThere =
                    match.2 == "txt" ? !text.isEmpty : match.2.map { text.contains("func \($0)(") } ?? !text.isEmpty
                #expect(isThere, "\(document) names \(match.0), which does not exist")
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

    /// Returns the file with the ending that `Folder/File` names; `nil` if the folder is not one of tests.
    private static func file(ofTest path: Substring, _ ending: String) -> URL? {
        let tests = ArchitectureTests.root.appending(path: "Tests")
        guard let slash = path.firstIndex(of: "/"), slash > path.startIndex,
            FileManager.default.fileExists(atPath: tests.appending(path: path[..<slash]).path)
        else { return nil }
        return tests.appending(path: "\(path).\(ending)")
    }

    private static func lines(of document: String) throws -> [Substring] {
        try String(contentsOf: ArchitectureTests.root.appending(path: document), encoding: .utf8).split(separator: "\n")
    }
}
