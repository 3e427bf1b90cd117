// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// An invented caption that fits a generated picture.
struct DemoCaption {
    /// The alternative text, which describes the picture.
    let alternative: String
    /// The photographer's description; some photos have none.
    let description: String?

    private static let places = [
        "Tarn Vale", "Kestrel Pass", "Lowen", "Marrow Bay", "Ostwick", "Fern Hollow", "Sable Point", "Harrow Moor",
        "Lake Imber", "Coldspring", "Pell Island", "Grey Gate", "Little Anvil", "Sandrook", "Upper Thistle",
        "Quillport",
    ]

    init(number: Int) {
        let motif = Motif(number: number)
        let time = Scene(motif: motif, number: number).lighting.name
        var random = SeededRandom(seed: number, 0x30DD5)
        let (subjects, sentences) = Self.texts(motif)
        alternative = random.element(of: subjects) + (time.isEmpty ? "" : " \(time)")
        let sentence = random.element(of: sentences) + " " + random.element(of: Self.places)
        // Two photos in five have no description, as on real services.
        description = random.happens(withProbability: 0.4) ? nil : sentence
    }

    /// The alternative texts of a motif, and the beginnings of its descriptions, which end with a place.
    private static func texts(_ motif: Motif) -> (subjects: [String], sentences: [String]) {
        switch motif {
        case .mountains:
            (
                ["mountain ridges", "a range of blue mountains", "layered hills", "distant peaks"],
                ["Ridge behind ridge near", "The long way home over", "Haze in the valleys below", "High above"]
            )
        case .lake:
            (
                ["a still lake and its mountains", "hills mirrored in calm water", "a lake without a ripple"],
                ["Not a breath of wind at", "Twice the mountains of", "The water holds still at", "The ferry to"]
            )
        case .forest:
            (
                ["rows of pines", "a pine forest on a slope", "conifers in thin fog"],
                ["The wood above", "Pines near", "Owls, and no path: south of", "The quiet road to"]
            )
        case .paper:
            (
                ["waves of cut paper", "layered paper hills", "curved sheets of coloured paper"],
                [
                    "Six sheets and a steady hand in", "Paper sea,", "Found in a shop in",
                    "Cut and stacked on a wet day in",
                ]
            )
        }
    }
}
