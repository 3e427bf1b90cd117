// SPDX-License-Identifier: MIT

extension [Raster] {
    /// The pictures, which have one embedded profile or none, in sRGB; a profile that cannot be used is a note.
    func inSRGB(_ profile: [UInt8]?, by ways: ColorWays, notes: inout [String]) -> [Raster] {
        guard let profile, let layout = first?.layout else { return map(\.withoutInks) }
        let way = ways.way(from: profile, of: layout)
        if let note = way.note { notes.append(note) }
        return map { way.apply($0) }
    }
}
