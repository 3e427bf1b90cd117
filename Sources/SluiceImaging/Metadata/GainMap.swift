// SPDX-License-Identifier: MIT

/// A second picture in a file, from which displays of high dynamic range make the first one brighter.
struct GainMap {
    /// The map, a file of its own.
    let input: ImageInput
    let rule: GainMapRule
}

/// Reads and writes gain maps in files of one format.
protocol GainMapHandling: Sendable {
    /// Returns a file's gain map; `nil` if it has none, or one that is damaged.
    func gainMap(in input: ImageInput) -> GainMap?

    /// Returns a file with a gain map, which is a file of the same format.
    func adding(_ map: [UInt8], _ rule: GainMapRule, to file: [UInt8]) -> [UInt8]
}
