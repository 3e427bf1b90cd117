// SPDX-License-Identifier: MIT

/// The header of a page.
struct DataPageHeader {
    private(set) var type = 0
    private(set) var size = 0
    /// The size in the file.
    private(set) var storedSize = 0
    /// The number of values, including missing ones.
    private(set) var count = 0
    private(set) var encoding = 0
    /// The encoding of definition levels; pages of version 2 always use runs.
    private(set) var levelEncoding = PageEncoding.rle.rawValue
    /// The encoding of repetition levels, likewise.
    private(set) var repetitionEncoding = PageEncoding.rle.rawValue
    /// The lengths of the levels in a page of version 2.
    private(set) var repetitionLength = 0
    private(set) var definitionLength = 0
    /// Whether the values of a page of version 2 are compressed.
    private(set) var isCompressed = true

    init(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .int32): self.type = try reader.integer()
            case (2, .int32): size = try reader.integer()
            case (3, .int32): storedSize = try reader.integer()
            case (5, .structure), (7, .structure): try readFirstVersion(&reader)
            case (8, .structure): try readSecondVersion(&reader)
            default: return false
            }
            return true
        }
        // The numbers may be as large as an integer can be, so their sum may be none.
        guard size >= 0, storedSize >= 0, count >= 0, repetitionLength >= 0, definitionLength >= 0,
            repetitionLength <= min(size, storedSize), definitionLength <= min(size, storedSize) - repetitionLength
        else { throw .invalid("the header of a page has an invalid size") }
    }

    /// Reads the part about a data page of version 1 or a dictionary page.
    private mutating func readFirstVersion(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .int32): count = try reader.integer()
            case (2, .int32): encoding = try reader.integer()
            case (3, .int32): levelEncoding = try reader.integer()
            case (4, .int32): repetitionEncoding = try reader.integer()
            default: return false
            }
            return true
        }
    }

    private mutating func readSecondVersion(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .int32): count = try reader.integer()
            case (4, .int32): encoding = try reader.integer()
            case (5, .int32): definitionLength = try reader.integer()
            case (6, .int32): repetitionLength = try reader.integer()
            case (7, .yes): isCompressed = true
            case (7, .no): isCompressed = false
            default: return false
            }
            return true
        }
    }
}
