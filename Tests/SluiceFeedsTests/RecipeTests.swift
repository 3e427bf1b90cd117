// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Recipe", .timeLimit(.minutes(10))) struct RecipeTests {
    private static let minimal =
        #"{"recipe":"x","base":"https://a.test","listings":{"all":{"path":"/"}},"photo":{"id":"id"},"variants":{"full":"url"}}"#

    private func problems(_ text: String) -> [String] {
        do throws(InvalidRecipe) {
            _ = try Recipe(Array(text.utf8))
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    /// Each problem is located by reading the whole recipe.
    @Test("Reports at most 100 problems")
    func manyProblems() {
        let members = (1...20_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(problems("{\(members)}").count == 100)
    }

    @Test("Refuses numbers that overflow in computations")
    func largeNumbers() {
        let paging = #","paging":{"by":"page","parameter":"p","first":9223372036854775807}}"#
        #expect(
            problems(Self.minimal.dropLast() + paging).map {
                $0.split(separator: ": ").dropFirst().joined(separator: ": ")
            }
                == ["paging.first: expected a whole number of at most 1000000000"])
    }

    @Test("Reports all problems with line and column")
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
              "politeness": { "interval": "1s" },
              "manners": {}
            }
            """
        #expect(
            problems(text) == [
                "line 2, column 26: base: expected an http:// or https:// address",
                "line 3, column 47: listings.all.ordr: unknown member (did you mean order?)",
                "line 4, column 21: paging.by: expected one of page, offset, link, url, cursor, continue, ids, tree, none (did you mean page?)",
                "line 4, column 41: paging.perPage: expected a whole number of at least 1",
                "line 5, column 12: photo.id: missing",
                "line 5, column 25: photo.caption: invalid path: separate names with dots and put elements in brackets",
                "line 5, column 43: photo.author: expected exactly one of path, value and template",
                "line 6, column 39: variants.full.template: invalid template: put paths between braces",
                "line 7, column 14: variant: unknown variant 'small'; separate alternatives with '|'",
                "line 8, column 13: secure: expected true or false",
                "line 9, column 31: politeness.interval: expected a number of seconds",
                "line 10, column 14: manners: unknown member",
            ])
    }

    @Test(
        "Reports missing and duplicate members",
        arguments: [
            ("", "line 1, column 1: expected a value"), ("[]", "line 1, column 1: expected an object"),
            (#"{"recipe":"x","recipe":"y"}"#, "line 1, column 11: recipe: duplicate member"),
            (
                minimal.replacing("\"photo\"", with: "\"photos\""),
                "line 1, column 80: photos: unknown member (did you mean photo?)"
            ),
            (
                minimal.dropLast() + #","key":{"environment":"A"}}"#,
                "line 1, column 123: key: expected either header or query"
            ),
            (String(minimal.dropLast()) + #","paging":{"by":"ids"}}"#, "line 1, column 126: paging.path: missing"),
        ])
    func needed(text: String, problem: String) {
        #expect(problems(text).contains(problem), "\(problems(text))")
    }

    @Test("The schema has exactly the members that recipes have")
    func schemaMembers() throws {
        let schema = try Schema("recipe")
        let members: [(String?, [String])] = [
            (nil, Recipe.members), ("listing", RecipeListing.members), ("paging", RecipePaging.members),
            ("key", RecipeKey.members), ("token", RecipeKey.tokenMembers), ("politeness", RecipePoliteness.members),
            ("errors", RecipeErrorRules.members), ("rule", FieldRule.members),
            ("sized", FieldRule.members + VariantRule.members),
        ]
        for (definition, names) in members { #expect(schema.members(of: definition) == Set(names)) }
        let methods = schema.root["$defs"]?["paging"]?["properties"]?["by"]?["enum"]?.elements?.compactMap(\.text)
        #expect(methods == RecipePaging.Method.allCases.map(\.rawValue))
        let photo = schema.root["properties"]?["photo"]?["properties"]
        guard case .object(let fields)? = photo else { throw CocoaError(.fileReadCorruptFile) }
        #expect(fields.map(\.name) == PhotoRules.members)
    }

    @Test("The schema accepts every built-in recipe and rejects invalid ones")
    func schemaVerdicts() throws {
        let schema = try Schema("recipe")
        for recipe in BuiltInRecipes.all { #expect(try schema.allows(JSON(parsing: recipe.text)), "\(recipe.name)") }
        #expect(try schema.allows(JSON(parsing: Array(Self.minimal.utf8))))
        let wrong = [
            "{}", "[]", Self.minimal.replacing(#""recipe":"x""#, with: #""recipe":7"#),
            Self.minimal.replacing("https:", with: "ftp:"), Self.minimal.replacing(#""id":"id""#, with: #""di":"id""#),
            String(Self.minimal.dropLast()) + #","paging":{"by":"pages"}}"#,
        ]
        for wrong in wrong {
            #expect(try !schema.allows(JSON(parsing: Array(wrong.utf8))), "\(wrong)")
        }
    }

    @Test("The documentation names every member, and its example is a valid recipe")
    func documentation() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Documentation/recipes.md"
        )
        .standardized
        let text = try String(contentsOf: path, encoding: .utf8)
        let members =
            Recipe.members + RecipeListing.members + RecipePaging.members + RecipeKey.members + RecipeKey.tokenMembers
            + RecipePoliteness.members + RecipeErrorRules.members + FieldRule.members + VariantRule.members
            + PhotoRules.members
        for name in members { #expect(text.contains("`\(name)`") || text.contains("\"\(name)\""), "\(name)") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "    {" })
        let end = try #require(lines[start...].firstIndex { $0 == "    }" })
        #expect(problems(lines[start...end].joined(separator: "\n")) == [])
    }

    @Test("Reads a key from the environment or a file; a key must be one word")
    func keys() throws {
        let folder = TemporaryFolder()
        try Data("  file-key\n".utf8).write(to: URL(filePath: folder.path("key")))
        _ = unsafe setenv("X_A_KEY_FILE", folder.path("key"), 1)
        _ = unsafe setenv("X_B_KEY", "plain-key", 1)
        _ = unsafe setenv("X_C_KEY", "two\r\nX-Other: words", 1)
        func secret(_ name: String, _ more: String = "") throws -> Secret? {
            let key =
                #","key":{"environment":"X_\#(name)_KEY","from":"https://a.test/keys","query":"k"\#(more)}}"#
            let recipe = try recipe(String(Self.minimal.dropLast()) + key)
            return try recipe.key?.access(to: recipe)?.secret
        }
        let base = try #require(WebAddress(recipe(Self.minimal).base))
        #expect(try secret("A") == Secret(parameter: "k", "file-key", for: base))
        #expect(try secret("B") == Secret(parameter: "k", "plain-key", for: base))
        #expect(
            throws: SourceError(
                "X_C_KEY does not hold a key: expected one word of printable ASCII characters")
        ) {
            try secret("C")
        }
        #expect(
            throws: SourceError(
                "x requires an API key: set X_D_KEY to the key or X_D_KEY_FILE to a file with it; get one at https://a.test/keys"
            )
        ) { try secret("D") }
        #expect(try secret("D", #","optional":true"#) == nil)
        _ = unsafe setenv("X_E_KEY", "short", 1)
        #expect(
            throws: SourceError("X_E_KEY does not hold a key: it has 5 characters, expected at least 6"),
            "removing a short key from replies would destroy ids and addresses"
        ) { try secret("E") }
    }

    /// A recipe could name any variable, such as `AWS_SECRET_ACCESS_KEY`, or through `SECRET_FILE` any file.
    @Test(
        "A recipe from a file reads only variables that begin with its own name",
        arguments: [
            ("museum", "MUSEUM_KEY", nil), ("museum", "MUSEUM_API_KEY", nil), ("my-museum.2", "MY_MUSEUM_2_KEY", nil),
            ("museum", "MUSEUM__KEY", "own name"), ("museum", "MUSEUM_A_B_KEY", "own name"),
            ("museum", "MUSEUM_SECRET", "own name"), ("museum", "museum_KEY", "own name"),
            ("museum", "KEY", "own name"),
            ("museum", "AWS_SECRET_ACCESS_KEY", "own name"), ("aws", "AWS_SECRET_ACCESS_KEY", "own name"),
            ("aws-secret", "AWS_SECRET_ACCESS_KEY", "another program"), ("openai", "OPENAI_API_KEY", "another program"),
            ("my", "MY_BANK_API_KEY", "own name"), ("_", "__KEY", "own name"), ("é", "É_KEY", "own name"),
            ("ssl", "SSL_CERT", "own name"), ("ssl", "SSL_KEY", "another program"),
            ("pexels", "PEXELS_API_KEY", "built-in service 'pexels' at api.pexels.com"),
            ("museum", "PATH", "own name"),
        ] as [(String, String, String?)])
    func variables(name: String, variable: String, problem: String?) {
        let key = #","key":{"environment":"\#(variable)","from":"https://a.test/keys","query":"k"}}"#
        let text = Self.minimal.replacing(#""recipe":"x""#, with: #""recipe":"\#(name)""#).dropLast() + key
        let found = problems(String(text))
        #expect(found.count == (problem == nil ? 0 : 1))
        #expect(found.allSatisfy { $0.contains("key.environment: ") && $0.contains(problem ?? "") }, "\(found)")
    }

    @Test("A changed copy of a built-in recipe keeps its variables at the same host, and its secret follows the rule")
    func copies() {
        let shown = String(decoding: BuiltInRecipes.named("openverse")?.text ?? [], as: UTF8.self)
        #expect(problems(shown) == [])
        #expect(problems(shown.replacing("//api.openverse.org", with: "//evil.test")).count == 2)
        let key =
            #","key":{"environment":"X_KEY","from":"https://a.test/","query":"k","token":{"address":"/t","secret":"NAME"}}}"#
        let text = String(Self.minimal.dropLast()) + key
        #expect(problems(text.replacing("NAME", with: "X_CLIENT_SECRET")) == [])
        #expect(problems(text.replacing("NAME", with: "GITHUB_TOKEN")).count == 1)
    }

    /// A mirror from someone else may bring a recipe, which its recorded command names.
    @Test("A recipe inside a mirror is refused, also behind a link")
    func recipeInMirror() throws {
        let folder = TemporaryFolder()
        try folder.makeFolder("mirror/.sluice")
        try folder.makeFolder("mirror/deep")
        for name in ["mirror/x.json", "mirror/deep/x.json", "x.json"] {
            try Data(Self.minimal.utf8).write(to: URL(filePath: folder.path(name)))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("linked.json"), withDestinationPath: "mirror/x.json")
        #expect(throws: Never.self) { try Source(folder.path("x.json")) }
        for name in ["mirror/x.json", "mirror/deep/x.json", "linked.json", "mirror/.sluice/../x.json"] {
            let error = #expect(throws: SourceError.self) { try Source(folder.path(name)) }
            #expect(error?.message.contains("it is inside the mirror '") == true)
        }
    }
}
