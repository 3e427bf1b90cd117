// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Conditions on the fields of a record: paths with the texts that they must have.
struct FieldConditions: Sendable, Hashable {
    /// What a text must be.
    private enum Pattern: Sendable, Hashable {
        case anything
        case equal(String)
        /// `image/*`: the beginning of the text.
        case prefix(String)
        /// `>960`: a larger number.
        case greater(Int)

        init(_ text: Substring) {
            if text == "*" {
                self = .anything
            } else if text.hasPrefix(">"), let number = Int(text.dropFirst())?.within(Quantity.integers) {
                self = .greater(number)
            } else if text.hasSuffix("*") {
                self = .prefix(String(text.dropLast()))
            } else {
                self = .equal(String(text))
            }
        }

        func accepts(_ path: FieldPath, in context: FieldContext) -> Bool {
            if case .anything = self { return !path.values(in: context).isEmpty }
            guard let text = path.text(in: context) else { return false }
            return switch self {
            case .anything: true
            case .equal(let wanted): text.utf8.elementsEqual(wanted.utf8)
            case .prefix(let wanted): text.utf8.starts(with: wanted.utf8)
            case .greater(let limit): JSON.number(text).anyInteger.map { $0 > limit } == true
            }
        }
    }

    /// The test of a text: a pattern, or with `!` its opposite; `!*` is a missing value.
    private struct Test: Sendable, Hashable {
        var isNegated = false
        var pattern: Pattern

        init(_ text: String) {
            var rest = text[...]
            while rest.utf8.first == UInt8(ascii: "!"), rest.utf8.count > 1 {
                rest.removeFirst()
                isNegated.toggle()
            }
            pattern = Pattern(rest)
        }

        func accepts(_ path: FieldPath, in context: FieldContext) -> Bool {
            pattern.accepts(path, in: context) != isNegated
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
