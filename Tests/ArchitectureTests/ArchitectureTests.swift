// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks imports against the module graph of `Documentation/Architecture.md`, and the limits on file and function
/// size.
@Suite("Architecture", .timeLimit(.minutes(10))) struct ArchitectureTests {
    /// The modules of this package that each module may import.
    static let arrows: [String: Set<String>] = [
        "SluiceModel": [],
        "SluiceFiles": ["SluiceModel"],
        "SluiceParquet": ["SluiceModel", "SluiceFiles"],
        "SluiceCookies": ["SluiceModel", "SluiceFiles"],
        "SluiceTransfer": ["SluiceModel", "SluiceFiles", "SluiceCookies"],
        "SluiceBrowser": ["SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer"],
        "SluiceFeeds": ["SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceTransfer", "SluiceBrowser"],
        "SluiceImaging": [],
        "SluiceStore": ["SluiceModel", "SluiceFiles", "SluiceTransfer"],
        "SluiceLedger": ["SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceStore"],
        "SluiceGallery": ["SluiceModel", "SluiceFiles", "SluiceStore"],
        "SluiceOrigin": ["SluiceFiles", "SluiceModel"],
        "SluiceDemo": ["SluiceModel", "SluiceOrigin"],
        "SluiceEngine": [
            "SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer", "SluiceBrowser", "SluiceStore",
            "SluiceFeeds", "SluiceImaging",
            "SluiceLedger", "SluiceGallery", "SluiceOrigin", "SluiceDemo",
        ],
        "Sluice": [
            "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceBrowser", "SluiceStore",
            "SluiceFeeds",
            "SluiceImaging", "SluiceLedger", "SluiceGallery", "SluiceOrigin",
        ],
        "SluiceCluster": [
            "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceCookies", "SluiceTransfer", "SluiceStore",
            "SluiceFeeds",
            "SluiceLedger",
        ],
        "SluiceDatasets": [
            "SluiceEngine", "SluiceModel", "SluiceFiles", "SluiceParquet", "SluiceTransfer", "SluiceStore",
            "SluiceFeeds", "SluiceImaging", "SluiceLedger", "SluiceGallery",
        ],
        "SluiceBench": [
            "SluiceModel", "SluiceFiles", "SluiceTransfer", "SluiceImaging", "SluiceOrigin", "SluiceDemo",
        ],
        // The command uses the values and options of lower modules, but reaches their work through these.
        "SluiceCLI": [
            "Sluice", "SluiceCluster", "SluiceDatasets", "SluiceBench", "SluiceEngine", "SluiceFeeds",
            "SluiceImaging", "SluiceModel",
        ],
    ]

    /// The C modules that each module may import: only SluiceImaging imports codecs, only SluiceLedger SQLite, and so
    /// on.
    static let libraries: [String: Set<String>] = [
        "SluiceFiles": ["CLinux", "CZlib", "CZstd"],
        "SluiceParquet": ["CLibraries", "CBrotli", "CZlib", "CZstd"],
        "SluiceCookies": ["CLibraries", "CCrypto", "CPSL", "CSQLite"],
        "SluiceTransfer": ["CLibraries", "CLinux", "CCurl", "CCrypto"],
        "SluiceBrowser": ["CSandbox"],
        "SluiceStore": ["CCrypto"],
        "SluiceFeeds": ["CLibraries", "CXML2", "CZlib", "CZstd"],
        "SluiceImaging": [
            "CSluice", "CLibraries", "CJPEG", "CPNG", "CWebP", "CAVIF", "CTIFF", "CLCMS", "CZlib",
        ],
        "SluiceLedger": ["CSQLite"],
        "SluiceOrigin": ["CLibraries", "CMicrohttpd", "CZlib"],
        "SluiceEngine": ["CLibraries", "CLinux", "CSandbox"],
        "Sluice": ["CLinux"],
    ]

    /// The modules of the system that any module may import; not Foundation, because it slows down the command's start.
    ///
    /// Only SluiceSystem, which exports it under one name for all systems, imports the system's C library.
    static let platform: Set<String> = ["Dispatch", "SluiceSystem", "Synchronization"]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    static let sources = root.appending(path: "Sources")

    @Test("Every folder of Sources is a known module or C library")
    func modules() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let known = Set(Self.arrows.keys).union(Self.libraries.values.joined()).union(["SluiceSystem"])
        #expect(Set(folders) == known)
    }

    @Test("Every import follows the module graph", arguments: arrows.keys.sorted())
    func imports(module: String) throws {
        let allowed = Self.platform.union(Self.arrows[module] ?? []).union(Self.libraries[module] ?? [])
        for file in try Self.files(in: module, suffix: "swift") {
            for (number, line) in file.lines.enumerated() {
                guard let imported = Self.importedModule(line) else { continue }
                #expect(allowed.contains(imported), "\(file.name):\(number + 1) imports \(imported)")
                if imported.hasPrefix("C"), imported != "CSluice" || module != "SluiceImaging" {
                    #expect(line.contains("internal import"), "\(file.name):\(number + 1) exposes a C library")
                }
            }
        }
    }

    /// The modules whose declarations appear in the interface of no library product.
    static let internalModules = [
        "SluiceBench", "SluiceDemo", "SluiceGallery", "SluiceLedger", "SluiceOrigin", "SluiceParquet", "SluiceStore",
    ]

    @Test("Modules outside the libraries' interfaces declare nothing public", arguments: internalModules)
    func access(module: String) throws {
        for file in try Self.files(in: module, suffix: "swift") {
            for (number, line) in file.lines.enumerated() where !line.contains("//") {
                #expect(!line.contains(/^ *(@\w+ )*(final |static |indirect )?public\b/), "\(file.name):\(number + 1)")
            }
        }
    }

    @Test("Only the command prints", arguments: arrows.keys.sorted().filter { $0 != "SluiceCLI" })
    func printing(module: String) throws {
        for file in try Self.files(in: module, suffix: "swift") {
            for (number, line) in file.lines.enumerated()
            where line.contains("(") && line.contains(/\b(debugPrint|print|dump)\(/) {
                Issue.record("\(file.name):\(number + 1) prints: \(line)")
            }
        }
    }

    @Test(
        "No file is longer than 600 lines, and each begins with the licence",
        arguments: arrows.keys.sorted() + ["CLibraries", "CSandbox", "CSluice"])
    func files(module: String) throws {
        for suffix in ["swift", "c", "h"] {
            for file in try Self.files(in: module, suffix: suffix) {
                #expect(file.lines.count <= 600, "\(file.name) has \(file.lines.count) lines")
                #expect(file.lines.first == "// SPDX-License-Identifier: MIT", "\(file.name)")
            }
        }
    }

    @Test("No function is longer than 60 lines", arguments: arrows.keys.sorted())
    func functions(module: String) throws {
        for file in try Self.files(in: module, suffix: "swift") {
            for (start, length) in Self.functions(in: file.lines) {
                #expect(length <= 60, "\(file.name):\(start + 1) is \(length) lines long")
            }
        }
    }

    @Test("Swift files do not use setjmp or longjmp")
    func jumps() throws {
        for module in Self.arrows.keys {
            for file in try Self.files(in: module, suffix: "swift") {
                #expect(
                    !file.lines.contains { $0.contains("jmp") && !$0.contains("//") }, "\(file.name)")
            }
        }
    }

    @Test("Every C function that returns a status catches the jumps of the codec that it calls")
    func statusFunctions() throws {
        var count = 0
        // libde265, libjxl and libtiff return their errors and never jump.
        let others = ["hevc.c", "jxl.c", "tiff_reader.c"]
        for file in try Self.files(in: "CSluice", suffix: "c") where !others.contains(where: file.name.hasSuffix) {
            let starts = file.lines.indices.filter { file.lines[$0].hasPrefix("csluice_status csluice_") }
            for start in starts {
                let body = file.lines[start...].prefix { $0 != "}" }
                // `write_all` itself catches the jumps of its codec calls.
                let catches = body.contains {
                    $0.contains("CATCH(") || $0.contains("setjmp(") || $0.contains("write_all(")
                }
                #expect(catches, "\(file.name):\(start + 1)")
                count += 1
            }
        }
        #expect(count >= 11)
    }

    @Test("Codecs call back into C only: no Swift function is passed to them")
    func callbacks() throws {
        for file in try Self.files(in: "SluiceImaging", suffix: "swift") {
            for (number, line) in file.lines.enumerated() {
                #expect(
                    !["@convention(c)", "@_cdecl", "@c ", "@c("].contains { line.contains($0) },
                    "\(file.name):\(number + 1)")
            }
        }
    }

    @Test("Every test has a time limit: its own, its suite's or the one of the suite that its suite extends")
    func timeLimits() throws {
        let tests = Self.root.appending(path: "Tests")
        let files = try Self.files(in: "", of: tests, suffix: "swift").filter { !$0.name.contains("/Sources/") }
        let attributes = files.map { Self.outerAttributes(in: $0.lines) }
        let limited = Set(attributes.joined().filter { $0.text.contains(".timeLimit(") }.map { $0.type })
        #expect(limited.contains("CommandTests") && limited.count > 100)
        for (file, attributes) in zip(files, attributes) {
            for attribute in attributes where !attribute.text.contains(".timeLimit(") {
                Issue.record("\(file.name): \(attribute.text) has no .timeLimit")
            }
            var outer = ""
            for (number, line) in file.lines.enumerated() {
                if let type = Self.outerType(line) { outer = type }
                if line.hasPrefix("    "), line.contains("@Test"), !line.contains("\"@Test") {
                    let isLimited = limited.contains(outer)
                    #expect(isLimited, "\(file.name):\(number + 1) is in no suite with a .timeLimit")
                }
            }
        }
    }

    /// The `@Suite` and `@Test` attributes at the left margin, each with the type that it belongs to.
    private static func outerAttributes(in lines: [String]) -> [(text: String, type: String)] {
        lines.indices.filter { lines[$0].hasPrefix("@Suite") || lines[$0].hasPrefix("@Test") }.map { start in
            let end = lines[start...].firstIndex { outerType($0) != nil || $0.hasPrefix("func ") } ?? start
            return (lines[start...end].joined(separator: " "), outerType(lines[end]) ?? "")
        }
    }

    /// The type that a line at the left margin declares or extends.
    private static func outerType(_ line: String) -> String? {
        guard let first = line.first, first != " ", first != "/" else { return nil }
        return line.firstMatch(of: /(?:^|\s)(?:struct|class|enum|actor|extension) (\w+)/).map { String($0.1) }
    }

    struct SourceFile {
        var name: String
        var lines: [String]
    }

    static func files(in module: String, of root: URL = sources, suffix: String) throws -> [SourceFile] {
        let folder = root.appending(path: module)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".\(suffix)") }.map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return SourceFile(name: "\(module)/\(name)", lines: text.components(separatedBy: "\n"))
        }
    }

    private static func importedModule(_ line: String) -> String? {
        guard line.contains("import ") else { return nil }
        let pattern =
            /^\s*(?:@\w+ )*(?:public |package |internal |fileprivate |private )?import (?:struct |class |enum |func )?(\w+)/
        return line.firstMatch(of: pattern).map { String($0.1) }
    }

    /// Each function's first line and length, found by indentation, which the formatter makes exact.
    private static func functions(in lines: [String]) -> [(start: Int, length: Int)] {
        lines.indices.compactMap { start in
            let line = lines[start]
            // A regular expression for each line would take seconds, so test for the words first.
            guard line.contains("func ") || line.contains("init"),
                line.contains(/^\s*(?:[@\w()]+ )*(?:func |init[?(<]|deinit)/)
            else { return nil }
            let indent = line.prefix { $0 == " " }
            // A requirement of a protocol and a function of one line end before the brace of their type.
            let end = lines[start...].firstIndex { $0.hasSuffix("}") && $0.prefix { $0 == " " }.count <= indent.count }
            guard let end, lines[end] == "\(indent)}" else { return nil }
            return (start, end - start + 1)
        }
    }
}
