// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Conditions on the fields of a record: paths with the texts that they must have.
struct FieldConditions: Sendable, Hashable {
    /// The test of a text.
    private indirect enum Test: Sendable, Hashable {
        /// Any value.
        case anything
        case equal(String)
        /// `image/*`: the beginning of the text.
        case prefix(String)
        /// `>960`: a larger number.
        case greater(Int)
        /// `!image/*`: not the test that follows; `!*` is a missing value.
        case not(Test)

        init(_ text: String) {
            if text.hasPrefix("!"), text.utf8.count > 1 {
                self = .not(Test(String(text.dropFirst())))
            } else if text == "*" {
                self = .anything
            } else if text.hasPrefix(">"), let number = Int(text.dropFirst()) {
                self = .greater(number)
            } else if text.hasSuffix("*") {
                self = .prefix(String(text.dropLast()))
            } else {
                self = .equal(text)
            }
        }

        func accepts(_ path: FieldPath, in context: FieldContext) -> Bool {
            if case .not(let test) = self { return !test.accepts(path, in: context) }
            if self == .anything { return !path.values(in: context).isEmpty }
            guard let text = path.text(in: context) else { return false }
            return switch self {
            case .anything, .not: true
            case .equal(let wanted): text.utf8.elementsEqual(wanted.utf8)
            case .prefix(let wanted): text.utf8.starts(with: wanted.utf8)
            case .greater(let limit): JSON.number(text).integer.map { $0 > limit } == true
            }
        }
    }

    private struct Condition: Sendable, Hashable {
        var path: FieldPath
        /// The tests, one of which must accept the text.
        var tests: [Test]
    }

    private var conditions: [Condition] = []

    static let none = FieldConditions()
    private init() {}

    /// Reads an object of paths with a text or a list of texts.
    init(_ node: RecipeNode) {
        guard case .object = node.json else {
            node.report("expected an object of paths and texts")
            return
        }
        for (name, child) in node.children {
            guard let path = FieldPath(name) else {
                child.report(RecipeNode.invalidPath)
                continue
            }
            let texts = child.json.elements == nil ? [child] : child.children.map(\.node)
            conditions.append(Condition(path: path, tests: texts.compactMap(\.text).map(Test.init)))
        }
    }

    /// Whether a record meets all conditions.
    func accept(_ context: FieldContext) -> Bool {
        conditions.allSatisfy { condition in condition.tests.contains { $0.accepts(condition.path, in: context) } }
    }
}
