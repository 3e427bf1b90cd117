// SPDX-License-Identifier: MIT

/// How long the parts of a picture's way to its thumbnails took.
public struct PictureTimes: Sendable, Hashable {
    /// Decoding its rows.
    public var decode = Duration.zero
    /// Scaling them, and turning, cropping and colouring what came of it.
    public var resample = Duration.zero
    /// Encoding the thumbnails.
    public var encode = Duration.zero

    /// Makes the times of a picture that nothing was done with.
    public init() {}

    /// Measures what `body` takes.
    static func measured<Value, Problem: Error>(
        _ part: inout Duration, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        let start = ContinuousClock.now
        defer { part += ContinuousClock.now - start }
        return try body()
    }
}
