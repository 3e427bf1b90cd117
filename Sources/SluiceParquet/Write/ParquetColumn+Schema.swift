// SPDX-License-Identifier: MIT

extension ParquetColumn {
    /// The storage type of the values.
    var physicalType: PhysicalType {
        switch kind {
        case .text, .texts, .bytes: .byteArray
        case .integer, .timestamp: .int64
        case .double: .double
        case .boolean: .boolean
        }
    }

    /// The names from the column to its values; lists have two further levels.
    var path: [String] { (group.map { [$0] } ?? []) + ownPath }

    /// The path without the group.
    private var ownPath: [String] { kind == .texts ? [name, "list", "element"] : [name] }

    /// The number of elements of the schema, without the group.
    var schemaCount: Int { ownPath.count }

    /// The definition level of a missing value in a group that is present.
    var groupLevels: UInt32 { group == nil ? 0 : 1 }

    /// The number of bits of a definition level.
    var definitionWidth: Int { kind == .texts || group != nil ? 2 : 1 }

    /// How the pages are compressed.
    var codec: PageCodec { kind == .bytes ? .uncompressed : .zstd }

    /// Writes the element of a group with this number of members; its type allows missing ones, but no row lacks it.
    static func writeGroup(_ name: String, count: Int, to writer: inout CompactWriter) {
        writer.structure { group in
            group.int32(3, Repetition.optional.rawValue)
            group.binary(4, name.utf8)
            group.int32(5, count)
        }
    }

    /// Writes the elements of the schema.
    func writeSchema(to writer: inout CompactWriter) {
        guard kind == .texts else {
            return Self.writeElement(name, .optional, physicalType, kind: kind, to: &writer)
        }
        writer.structure { list in
            list.int32(3, Repetition.optional.rawValue)
            list.binary(4, name.utf8)
            list.int32(5, 1)
            list.int32(6, ConvertedType.list)
            list.structure(10) { $0.structure(LogicalType.list) { _ in } }
        }
        writer.structure { group in
            group.int32(3, Repetition.repeated.rawValue)
            group.binary(4, ownPath[1].utf8)
            group.int32(5, 1)
        }
        Self.writeElement(ownPath[2], .required, physicalType, kind: .text, to: &writer)
    }

    private enum ConvertedType {
        static let utf8 = 0
        static let list = 3
        static let milliseconds = 9
    }

    private enum LogicalType {
        static let string = 1
        static let list = 3
        static let timestamp = 8
    }

    private static func writeElement(
        _ name: String, _ repetition: Repetition, _ type: PhysicalType, kind: Kind, to writer: inout CompactWriter
    ) {
        writer.structure { element in
            element.int32(1, type.rawValue)
            element.int32(3, repetition.rawValue)
            element.binary(4, name.utf8)
            if kind == .text {
                element.int32(6, ConvertedType.utf8)
                element.structure(10) { $0.structure(LogicalType.string) { _ in } }
            } else if kind == .timestamp {
                element.int32(6, ConvertedType.milliseconds)
                element.structure(10) { type in
                    type.structure(LogicalType.timestamp) { time in
                        time.boolean(1, true)
                        time.structure(2) { unit in unit.structure(1) { _ in } }
                    }
                }
            }
        }
    }
}
