// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Recipe") struct RecipeTests {
    private static let least =
        #"{"recipe":"x","base":"https://a.test","listings":{"all":{"path":"/"}},"photo":{"id":"id"},"variants":{"full":"url"}}"#

    private func problems(_ text: String) -> [String] {
        do throws(RecipeProblems) {
            _ = try Recipe(Array(text.utf8))
            return []
        } catch {
            return error.all.map(\.description)
        }
    }

    @Test("What is wrong is told with line and column, all of it at once")
    func lines() {
        let text = """
            {
              "recipe": "x", "base": "ftp://a.test",
              "listings": { "all": { "path": "/", "ordr": "o" } },
              "paging": { "by": "pages", "perPage": 0 },
              "photo": { "caption": "a..b", "author": { "path": "a", "value": "b" } },
              "variants": { "full": { "template": "{a" } },
              "variant": "small",
              "secure": "yes",
              "manners": { "interval": "1s" }
            }
            """
        #expect(
            problems(text) == [
                "line 2, column 26: base: takes an address that begins with https://",
                "line 3, column 47: listings.all.ordr: is no member of it (did you mean order?)",
                "line 4, column 21: paging.by: takes page, link, url, cursor, continue, ids, tree, none (did you mean page?)",
                "line 4, column 41: paging.perPage: takes a whole number from 1 on",
                "line 5, column 12: photo.id: is missing",
                "line 5, column 25: photo.caption: is no path: names stand between dots, elements in brackets",
                "line 5, column 43: photo.author: takes one of path, value and template",
                "line 6, column 39: variants.full.template: is no template: places are paths between braces",
                "line 7, column 14: variant: takes variants' names, with bars between them; small is none",
                "line 8, column 13: secure: takes true or false",
                "line 9, column 28: manners.interval: takes a number of seconds",
            ])
    }

    @Test(
        "What no recipe can be without is named",
        arguments: [
            ("", "line 1, column 1: expected a value"), ("[]", "line 1, column 1: takes an object"),
            (#"{"recipe":"x","recipe":"y"}"#, "line 1, column 11: recipe: stands there twice"),
            (
                least.replacing("\"photo\"", with: "\"photos\""),
                "line 1, column 80: photos: is no member of it (did you mean photo?)"
            ),
            (
                least.dropLast() + #","key":{"environment":"A"}}"#,
                "line 1, column 123: key: takes one of header and query"
            ),
            (String(least.dropLast()) + #","paging":{"by":"ids"}}"#, "line 1, column 126: paging.path: is missing"),
        ])
    func needed(text: String, problem: String) {
        #expect(problems(text).contains(problem), "\(problems(text))")
    }

    @Test("The schema has the members that recipes have, and no others")
    func schemaMembers() throws {
        let schema = try Schema("recipe")
        let members: [(String?, [String])] = [
            (nil, Recipe.members), ("listing", RecipeListing.members), ("paging", RecipePaging.members),
            ("key", RecipeKey.members), ("token", RecipeKey.tokenMembers), ("manners", RecipeManners.members),
            ("errors", RecipeErrors.members), ("rule", FieldRule.members),
            ("sized", FieldRule.members + VariantRule.members),
        ]
        for (definition, names) in members { #expect(schema.members(of: definition) == Set(names)) }
        let ways = schema.root["$defs"]?["paging"]?["properties"]?["by"]?["enum"]?.elements?.compactMap(\.text)
        #expect(ways == RecipePaging.Way.allCases.map(\.rawValue))
        let photo = schema.root["properties"]?["photo"]?["properties"]
        guard case .object(let fields)? = photo else { throw CocoaError(.fileReadCorruptFile) }
        #expect(fields.map(\.name) == PhotoRules.members)
    }

    @Test("The schema allows every built-in recipe, and refuses what is none")
    func schemaVerdicts() throws {
        let schema = try Schema("recipe")
        for recipe in BuiltIn.all { #expect(try schema.allows(JSON(parsing: recipe.text)), "\(recipe.name)") }
        #expect(try schema.allows(JSON(parsing: Array(Self.least.utf8))))
        let wrong = [
            "{}", "[]", Self.least.replacing(#""recipe":"x""#, with: #""recipe":7"#),
            Self.least.replacing("https:", with: "ftp:"), Self.least.replacing(#""id":"id""#, with: #""di":"id""#),
            String(Self.least.dropLast()) + #","paging":{"by":"pages"}}"#,
        ]
        for wrong in wrong {
            #expect(try !schema.allows(JSON(parsing: Array(wrong.utf8))), "\(wrong)")
        }
    }

    @Test("The documentation names every member, and its recipe is one")
    func documentation() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Documentation/recipes.md"
        )
        .standardized
        let text = try String(contentsOf: path, encoding: .utf8)
        let members =
            Recipe.members + RecipeListing.members + RecipePaging.members + RecipeKey.members + RecipeKey.tokenMembers
            + RecipeManners.members + RecipeErrors.members + FieldRule.members + VariantRule.members
            + PhotoRules.members
        for name in members { #expect(text.contains("`\(name)`") || text.contains("\"\(name)\""), "\(name)") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "    {" })
        let end = try #require(lines[start...].firstIndex { $0 == "    }" })
        #expect(problems(lines[start...end].joined(separator: "\n")) == [])
    }

    @Test("A key is read from the environment or from a file, and is one word")
    func keys() throws {
        let folder = try TemporaryFolder()
        try Data("  file-key\n".utf8).write(to: URL(filePath: folder.path("key")))
        _ = unsafe setenv("SLUICE_TEST_KEY_A_FILE", folder.path("key"), 1)
        _ = unsafe setenv("SLUICE_TEST_KEY_B", "plain-key", 1)
        _ = unsafe setenv("SLUICE_TEST_KEY_C", "two\r\nX-Other: words", 1)
        func secret(_ name: String, _ more: String = "") throws -> Secret? {
            let key =
                #","key":{"environment":"SLUICE_TEST_KEY_\#(name)","from":"https://a.test/keys","query":"k"\#(more)}}"#
            return try recipe(String(Self.least.dropLast()) + key).key?.secret(for: "x")
        }
        #expect(try secret("A")?.key == "file-key")
        #expect(try secret("B")?.key == "plain-key")
        #expect(throws: SourceError("SLUICE_TEST_KEY_C has no key in it: a key is one word of printable letters")) {
            try secret("C")
        }
        #expect(
            throws: SourceError(
                "x needs a key: put it into SLUICE_TEST_KEY_D, or a file's path into SLUICE_TEST_KEY_D_FILE; get one at https://a.test/keys"
            )
        ) { try secret("D") }
        #expect(try secret("D", #","optional":true"#) == nil)
    }
}
