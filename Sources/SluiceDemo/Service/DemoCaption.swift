// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// An invented caption that fits a generated picture.
struct DemoCaption {
    /// The alternative text, which describes the picture.
    let alternative: String
    /// The photographer's description; some photos have none.
    let description: String?

    /// The alternative texts and the description templates for each motif.
    private static let motifs: [Motif: (alternatives: [String], descriptions: [String])] = [
        .mountains: (
            ["mountain ridges", "a range of blue mountains", "layered hills", "distant peaks"],
            [
                "Ridge behind ridge, {when}.", "The long way home over {place}.", "Haze in the valleys below {place}",
                "Nobody else up here {when}",
            ]
        ),
        .lake: (
            ["a still lake and its mountains", "hills mirrored in calm water", "a lake without a ripple"],
            ["{Place}, {when}: not a breath of wind.", "Twice the mountains", "The water holds still at {place}."]
        ),
        .sea: (
            ["the open sea with an island", "calm water and a low island", "a bay in low light"],
            ["Off {place}, {when}.", "The ferry was late, so I got this.", "Light on the water near {place}"]
        ),
        .dunes: (
            ["sand dunes", "wind-shaped dunes", "bare dunes under a clear sky"],
            ["The wind draws these anew each night.", "Sand, {when}", "South of {place}, two days on foot"]
        ),
        .forest: (
            ["rows of pines", "a pine forest on a slope", "conifers in thin fog"],
            ["The wood above {place}.", "Pines {when}", "You hear the owls before you see a path."]
        ),
        .night: (
            ["a sky full of stars", "the Milky Way above dark hills", "stars over a wooded ridge"],
            ["Four hours of waiting for clouds to leave.", "Above {place} {when}", "No lamp for miles"]
        ),
        .aurora: (
            ["northern lights", "green curtains of light in the sky", "an aurora over dark hills"],
            ["It lasted ten minutes.", "The sky over {place} {when}", "Minus eighteen degrees, worth it"]
        ),
        .city: (
            ["a city's skyline", "towers with lit windows", "rows of tall buildings"],
            ["From the roof on Weaver Street, {when}.", "Somebody is always up.", "{Place} from across the river"]
        ),
        .hills: (
            ["rolling fields with a few trees", "furrowed hills", "green and yellow farmland"],
            ["Fields near {place}, {when}.", "After the first cut of hay", "The quiet road to {place}"]
        ),
        .balloons: (
            ["hot-air balloons over hills", "striped balloons in a wide sky", "a fleet of balloons"],
            ["The festival at {place}.", "Up before everyone else", "Balloons {when}, and not a sound"]
        ),
        .veil: (
            ["soft bands of colour", "a blurred gradient", "veils of warm and cold colour"],
            ["Out of focus on purpose.", "Study in slow colour", "What the curtain did with the light"]
        ),
        .waves: (
            ["waves of cut paper", "layered paper hills", "curved sheets of coloured paper"],
            ["Six sheets and a steady hand.", "Paper sea", "Cut, stacked and lit from the left"]
        ),
        .arches: (
            ["a pattern of arches", "scales of concentric circles", "tiles with rainbow arches"],
            ["From a wall in {place}.", "Tiles, and tiles, and tiles", "Somebody laid these by hand."]
        ),
        .mosaic: (
            ["a mosaic of quarter circles", "geometric tiles", "bold shapes on a grid"],
            ["Found on a school in {place}", "Every tile fits every other.", "Circle, square, triangle"]
        ),
        .facets: (
            ["triangles in shifting colours", "a faceted surface", "a mesh of pastel triangles"],
            ["Foil, folded four hundred times", "Light on a crumpled map", "Facets"]
        ),
        .orbs: (
            ["overlapping translucent discs", "circles of thin colour", "discs in a loose cluster"],
            ["Ink drops on wet paper", "Bubbles, slowed down.", "Circles for a rainy {place} Sunday"]
        ),
    ]

    private static let places = [
        "Tarn Vale", "Kestrel Pass", "Lowen", "Marrow Bay", "Ostwick", "Fern Hollow", "Sable Point", "Harrow Moor",
        "Lake Imber", "Coldspring", "Pell Island", "Grey Gate", "Little Anvil", "Sandrook", "Upper Thistle",
        "Quillport",
    ]

    private static let times = [
        "dawn": "at dawn", "evening": "in the evening", "noon": "at noon", "morning": "in the morning",
        "twilight": "at twilight", "sunset": "at sunset", "mist": "in the mist", "haze": "in the haze",
        "winter": "in winter", "autumn": "in autumn", "spring": "in spring", "dusk": "at dusk", "night": "at night",
        "midnight": "at midnight",
    ]

    init(number: Int) {
        let motif = Motif(number: number)
        let scene = Scene(motif: motif, number: number)
        var random = SeededRandom(seed: number, 0x30DD5)
        let texts = Self.motifs[motif] ?? (["a picture"], ["Untitled"])
        let time = Self.times[scene.lighting.name] ?? ""
        let place = random.element(of: Self.places)
        let subject = random.element(of: texts.alternatives)
        alternative = motif.isAbstract || time.isEmpty ? subject : "\(subject) \(time)"
        let sentence = Self.filled(
            random.element(of: texts.descriptions), ["{when}": time, "{place}": place, "{Place}": place])
        // Two photos in five have no description, as on real services.
        description = random.happens(withProbability: 0.4) ? nil : sentence
    }

    private static func filled(_ template: String, _ values: [String: String]) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open] + (values[String(rest[open...close])] ?? "")
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
