// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite(
        "Scripts/recordings",
        .enabled(if: PythonPackages.hasFeedparser, "feedparser is not installed (Scripts/setup --tests)"),
        .timeLimit(.minutes(5)))
    struct RecordingsScriptTests {
        private let folder = TemporaryFolder()

        private func save(_ text: String, as name: String) throws {
            let file = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        private func reply(_ body: String, status: Int = 200, to request: String) throws -> String {
            let object: [String: Any] = [
                "request": request, "status": status, "headers": [:] as [String: String], "body": body,
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }

        private func check() throws -> Binary.Result {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Scripts/recordings").standardized.path
            return try Running([folder.url.path], program: script, environment: ["SLUICE": Binary.path]).end()
        }

        /// Returns the cells of a file's line in the table.
        private func cells(_ name: String, in table: String) -> [String] {
            table.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: "  ").map {
                $0.trimmingCharacters(in: .whitespaces)
            } ?? []
        }

        @Test("Counts of a separate program agree, and every error is explained")
        func table() throws {
            try save(
                reply(
                    #"{"total":90,"hits":[{"id":1,"webformatURL":"https://p.test/1.jpg"},{"id":2,"webformatURL":"https://p.test/2.jpg"}]}"#,
                    to: "https://pixabay.com/api/?q=x"), as: "pixabay/1.json")
            try save(reply("Rate Limit Exceeded", status: 403, to: "/photos"), as: "unsplash/1.json")
            try save(
                reply(#"{"id":7,"profile_image":"https://u.test/7.jpg"}"#, to: "/users/ida"), as: "unsplash/2.json")
            try save(
                #"<rss version="2.0"><channel><item><guid>1</guid><enclosure url="https://p.test/a.jpg" type="image/jpeg"/></item></channel></rss>"#,
                as: "feeds/a.xml")
            try save(
                #"""
                {"@context":"http://iiif.io/api/presentation/3/context.json","id":"https://m.test/all","type":"Collection","items":[
                 {"id":"https://m.test/one","type":"Manifest"},{"id":"https://gone.test/two","type":"Manifest"}]}
                """#, as: "iiif/all.json")
            try save(
                #"""
                {"@context":"http://iiif.io/api/presentation/3/context.json","id":"https://m.test/one","type":"Manifest","items":[
                 {"id":"https://m.test/c","type":"Canvas","items":[{"id":"https://m.test/p","type":"AnnotationPage","items":[
                  {"type":"Annotation","motivation":"painting","body":{"id":"https://m.test/1.jpg","type":"Image"}}]}]}]}
                """#, as: "iiif/one.json")
            let result = try check()
            #expect(result.code == 0, "\(result.out)\(result.err)")
            #expect(
                cells("pixabay/1.json", in: result.out).prefix(5) == [
                    "pixabay/1.json", "pixabay:latest", "2", "2", "2",
                ])
            #expect(cells("unsplash/1.json", in: result.out).last?.contains("Rate Limit Exceeded") == true)
            #expect(cells("unsplash/2.json", in: result.out).last == "no listing requests /users/ida")
            #expect(cells("feeds/a.xml", in: result.out).dropFirst() == ["feed", "1", "1", "1"])
            #expect(cells("iiif/one.json", in: result.out).dropFirst() == ["iiif Manifest", "1", "1", "1"])
            #expect(cells("iiif/all.json", in: result.out).dropFirst().prefix(4) == ["iiif Collection", "0", "1", "1"])
        }

        @Test("A reply whose pictures are neither read nor explained fails the script")
        func lost() throws {
            try save(
                #"{"status":200,"headers":{},"body":"{\"works\":[{\"src\":\"https://p.test/1.jpg\"}]}"}"#,
                as: "museum/1.json")
            let result = try check()
            #expect(result.code == 1 && result.out.contains("1 row is wrong"), "\(result.out)\(result.err)")
        }
    }
}
