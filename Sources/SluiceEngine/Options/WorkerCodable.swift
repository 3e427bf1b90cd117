// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// A value that a decode worker receives.
protocol WorkerCodable {
    /// Encodes or decodes the value.
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed)
}

/// An element of a list that a decode worker receives.
protocol WorkerElement: WorkerCodable {
    /// The initial value to decode into.
    static var placeholder: Self { get }
}

extension WorkerCodable where Self: RawRepresentable<String> {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Bool: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Double: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Int: WorkerElement {
    static var placeholder: Int { 0 }
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Optional: WorkerCodable where Wrapped: WorkerElement {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&self, placeholder: Wrapped.placeholder) { (coder, value) throws(WorkerCoder.Malformed) in
            try value.code(with: &coder)
        }
    }
}

extension Array: WorkerCodable where Element: WorkerElement {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&self, placeholder: Element.placeholder) { (coder, value) throws(WorkerCoder.Malformed) in
            try value.code(with: &coder)
        }
    }
}

extension Set: WorkerCodable where Element: WorkerElement & OptionValue {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        var list = sorted { $0.optionText < $1.optionText }
        try list.code(with: &coder)
        self = Set<Element>(list)
    }
}

extension ThumbnailSize: WorkerElement {
    static var placeholder: ThumbnailSize { ThumbnailSize(width: 1, height: 1) }

    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try width.code(with: &coder)
        try height.code(with: &coder)
    }
}

extension BackgroundColor: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&red)
        try coder.code(&green)
        try coder.code(&blue)
        try coder.code(&alpha)
    }
}

extension WorkerCoder {
    /// Encodes or decodes every thumbnail option.
    mutating func code(
        _ options: inout ThumbnailOptions, in fields: [OptionField<ThumbnailOptions>] = ThumbnailOptions.fields
    ) throws(Malformed) {
        for field in fields { try field.code?(&self, &options) }
    }
}
