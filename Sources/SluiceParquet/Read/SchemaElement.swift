// SPDX-License-Identifier: MIT

/// An element of a Parquet file's schema: the root, a group or a column.
struct SchemaElement {
    /// The annotations that older writers use.
    private enum Converted: Int {
        case utf8 = 0
        case map, mapKeyValue, list, enumeration, decimal, date, timeMillis, timeMicros, timestampMillis
        case timestampMicros, uint8, uint16, uint32, uint64, int8, int16, int32, int64, json, bson, interval
    }

    /// The annotation of newer writers, by its number in the format.
    private enum Logical: Int {
        case string = 1
        case map, list, enumeration, decimal, date, time, timestamp
        case integer = 10
        case unknown, json, bson, uuid, float16
    }

    private(set) var name = ""
    private(set) var children = 0
    private(set) var repetition = Repetition.required
    private var physical: PhysicalType?
    private var length = 0
    /// The digits of a decimal number after its point.
    private var scale = 0
    private var converted: Converted?
    private var logical: (id: Int, isSigned: Bool, perSecond: Int)?

    /// Whether it is a group that stands for a list.
    var isList: Bool { logical?.id == Logical.list.rawValue || converted == .list }

    /// Whether it is a group that stands for a map.
    var isMap: Bool {
        logical?.id == Logical.map.rawValue || converted.map { [.map, .mapKeyValue].contains($0) } == true
    }

    init(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .int32):
                let code = try reader.integer()
                guard let physical = PhysicalType(rawValue: code) else {
                    throw .unsupported("a column has the type \(code)")
                }
                self.physical = physical
            case (2, .int32): length = try reader.integer()
            case (3, .int32):
                guard let repetition = Repetition(rawValue: try reader.integer()) else {
                    throw .invalid("a column has an unknown repetition")
                }
                self.repetition = repetition
            case (4, .binary): name = try reader.text()
            case (5, .int32): children = try reader.integer()
            case (6, .int32): converted = Converted(rawValue: try reader.integer())
            case (7, .int32): scale = try reader.integer()
            case (10, .structure): try readLogical(&reader)
            default: return false
            }
            return true
        }
    }

    /// How the values of a column become text; throws if they cannot.
    func values() throws(UnreadableValues) -> ValueType {
        guard let physical else { throw UnreadableValues("it has no type") }
        if physical == .fixedLengthByteArray, !(1...(1 << 20)).contains(length) {
            throw UnreadableValues("its values have an invalid length")
        }
        let meaning = if let decimal { decimal } else { try meaning(of: physical) }
        return ValueType(physical: physical, length: length, meaning: meaning)
    }

    /// The meaning of a decimal number; `nil` for other values.
    private var decimal: ValueType.Meaning? {
        let isDecimal = logical.map { $0.id == Logical.decimal.rawValue } ?? (converted == .decimal)
        return isDecimal && (0...38).contains(scale) && physical != .int96 ? .decimal(scale: scale) : nil
    }

    private func meaning(of physical: PhysicalType) throws(UnreadableValues) -> ValueType.Meaning {
        switch physical {
        case .boolean: return .boolean
        case .float, .double: return .floating
        case .int96: return .time(perSecond: 1_000_000_000)
        case .byteArray, .fixedLengthByteArray:
            let texts: [Logical] = [.string, .enumeration, .json, .unknown]
            let older: [Converted] = [.utf8, .enumeration, .json]
            let isText =
                logical.map { Logical(rawValue: $0.id).map(texts.contains) ?? false }
                ?? converted.map(older.contains) ?? true
            guard isText else { throw UnreadableValues("its type is not supported") }
            return logical == nil && converted == nil ? .bytes : .text
        case .int32, .int64:
            if let logical {
                switch Logical(rawValue: logical.id) {
                case .timestamp where logical.perSecond > 0: return .time(perSecond: logical.perSecond)
                case .date: return .date
                case .integer: return logical.isSigned ? .signed : .unsigned
                case .unknown: return .signed
                default: throw UnreadableValues("its type is not supported")
                }
            }
            switch converted {
            case nil, .int8, .int16, .int32, .int64: return .signed
            case .uint8, .uint16, .uint32, .uint64: return .unsigned
            case .timestampMillis: return .time(perSecond: 1000)
            case .timestampMicros: return .time(perSecond: 1_000_000)
            case .date: return .date
            default: throw UnreadableValues("its type is not supported")
            }
        }
    }

    /// Reads a union: the number of its only field is the annotation.
    private mutating func readLogical(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            var (isSigned, perSecond) = (true, 0)
            defer { logical = (id, isSigned, perSecond) }
            guard type == .structure, id == Logical.integer.rawValue || id == Logical.timestamp.rawValue else {
                return false
            }
            let isTime = id == Logical.timestamp.rawValue
            try reader.structure { (id, type, reader) throws(ParquetError) in
                if !isTime, id == 2 { isSigned = type == .yes }
                guard isTime, id == 2, type == .structure else { return false }
                try reader.structure { (id, _, _) throws(ParquetError) in
                    perSecond = [1: 1000, 2: 1_000_000, 3: 1_000_000_000][id] ?? 0
                    return false
                }
                return true
            }
            return true
        }
    }
}

/// The reason why the values of a column cannot be read.
struct UnreadableValues: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
