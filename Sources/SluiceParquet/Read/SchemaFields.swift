// SPDX-License-Identifier: MIT

/// The fields of a schema that have values, in the order of the columns.
struct SchemaFields {
    private static let maxDepth = 64

    /// The fields; each has one column.
    private(set) var fields: [ParquetField] = []
    private let elements: [SchemaElement]
    /// The number of the next element.
    private var next = 1

    /// The groups around an element.
    private struct Context {
        var names: [String] = []
        var depth = 0
        /// How many of the groups may be missing or repeated.
        var definition = 0
        /// How many of the groups are repeated.
        var repetition = 0
        /// The number of the repeated group, and the definition level at which it has an element.
        var list: ParquetField.List?
    }

    init(_ elements: [SchemaElement]) throws(ParquetError) {
        self.elements = elements
        guard let root = elements.first else { throw .invalid("it has no schema") }
        for _ in 0..<max(root.children, 0) { try add(Context()) }
    }

    /// Adds the fields of the next element.
    ///
    /// With `isNamed`, its name is part of the path.
    private mutating func add(_ outer: Context, isNamed: Bool = true) throws(ParquetError) {
        guard outer.depth < Self.maxDepth else { throw .unsupported("its schema is nested too deeply") }
        guard next < elements.count else { throw .invalid("its schema is truncated") }
        let element = elements[next]
        var context = outer
        context.depth += 1
        if isNamed { context.names.append(element.name) }
        if element.repetition != .required { context.definition += 1 }
        if element.repetition == .repeated {
            context.repetition += 1
            context.list = ParquetField.List(number: next, definition: context.definition)
        }
        next += 1
        guard element.children > 0 else { return add(element, context) }
        if element.isList, element.children == 1, next < elements.count, elements[next].repetition == .repeated {
            return try addList(element.name, context)
        }
        // A map contains a repeated group with its keys and values.
        if element.isMap, element.children == 1 { return try add(context, isNamed: false) }
        for _ in 0..<element.children { try add(context) }
    }

    /// Adds the elements of a list, whose path is that of the list.
    ///
    /// A list contains a repeated group with its elements; in old files the repeated field may be the element itself.
    private mutating func addList(_ name: String, _ outer: Context) throws(ParquetError) {
        let repeated = elements[next]
        guard repeated.children == 1, !["array", "\(name)_tuple"].contains(repeated.name) else {
            return try add(outer, isNamed: false)
        }
        var context = outer
        context.depth += 1
        context.definition += 1
        context.repetition += 1
        context.list = ParquetField.List(number: next, definition: context.definition)
        next += 1
        try add(context, isNamed: false)
    }

    private mutating func add(_ element: SchemaElement, _ context: Context) {
        var values = ValueType(physical: .byteArray, length: 0, meaning: .text)
        var problem: String?
        do throws(UnreadableValues) { values = try element.values() } catch { problem = error.reason }
        if context.repetition > 1 { problem = "it is a list in a list" }
        fields.append(
            ParquetField(
                name: context.names.joined(separator: "."), problem: problem, column: fields.count, values: values,
                definition: context.definition, list: context.list))
    }
}
