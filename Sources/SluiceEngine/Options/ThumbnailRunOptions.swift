// SPDX-License-Identifier: MIT

/// Options of a run over local files.
///
/// The defaults are those of the command.
@dynamicMemberLookup
public struct ThumbnailRunOptions: Sendable {
    /// The options that all kinds of runs share, also available as properties of this value.
    public var run = RunOptions()
    /// The maximum number of concurrent decodes; `nil` for the number of cores.
    public var jobs: Int?

    /// Makes the default options.
    public init() { run.maxBytes = 1 << 30 }

    /// Accesses one of the shared options.
    public subscript<Value>(dynamicMember option: WritableKeyPath<RunOptions, Value>) -> Value {
        get { run[keyPath: option] }
        set { run[keyPath: option] = newValue }
    }
}
