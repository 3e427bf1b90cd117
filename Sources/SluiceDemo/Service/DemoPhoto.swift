// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// A photo of the demo service; its number determines every property.
struct DemoPhoto {
    /// A rendition: its name, its maximum width in pixels, and its quality.
    struct Rendition {
        let name: String
        let width: Int
        let quality: Int

        static let all = [
            Rendition(name: "raw", width: .max, quality: 92), Rendition(name: "full", width: .max, quality: 85),
            Rendition(name: "regular", width: 1080, quality: 82), Rendition(name: "small", width: 400, quality: 80),
            Rendition(name: "thumb", width: 200, quality: 76),
        ]
    }

    let number: Int
    let id: String
    let picture: GeneratedPicture
    let format: PictureFormat
    let likes: Int

    init(number: Int) {
        var random = SeededRandom(seed: number, 0xFACE)
        self.number = number
        id = Self.id(SplitMix64.mix(0x51_1CE &+ UInt64(number)))
        format = Self.format(number)
        picture = GeneratedPicture(number: number, isCutOut: format.keepsAlpha)
        likes = random.integer(in: 3...4200)
    }

    /// Returns an identifier of eleven characters, six bits each, as video and photo services use.
    private static func id(_ bits: UInt64) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<11).map { letters[Int(bits >> UInt64($0 * 6) & 63)] })
    }

    /// Returns the format of a photo: of ten, six are baseline JPEGs, two progressive JPEGs, one PNG and one WebP.
    ///
    /// One JPEG in eight has an EXIF orientation other than 1, cycling through all of them. One PNG in three is cut
    /// out.
    private static func format(_ number: Int) -> PictureFormat {
        let (block, position) = ((number - 1) / 10, (number - 1) % 10)
        switch position {
        case 5: return PictureFormat(.png, keepsAlpha: block % 3 == 1)
        case 8: return PictureFormat(.webp)
        default:
            let index = block * 8 + (position < 5 ? position : position < 8 ? position - 1 : position - 2)
            let orientation = index % 8 == 2 ? 2 + index / 8 % 7 : 1
            return PictureFormat(.jpeg, isProgressive: position == 3 || position == 7, exifOrientation: orientation)
        }
    }

    /// The date of creation; photo 1 is the newest.
    var created: UTCTime {
        UTCTime(secondsSince1970: 1_751_270_400 - number * 91_357)
    }

    func width(_ rendition: Rendition) -> Int { min(rendition.width, picture.width) }

    func path(_ rendition: Rendition) -> String { "/images/\(id)/\(rendition.name).\(format.kind.fileExtension)" }

    /// Writes the photo as the service lists it.
    func write(to json: inout JSONWriter, base: String) {
        let caption = DemoCaption(number: number)
        let person = DemoPerson(Int(SplitMix64.mix(UInt64(number) &+ 77) % UInt64(DemoPerson.count)))
        json.object { json in
            json.member("id", id)
            json.member("created_at", created.text)
            json.member("updated_at", created.text)
            json.member("width", picture.width)
            json.member("height", picture.height)
            json.member("color", picture.color.hex)
            json.member(null: "blur_hash")
            if let description = caption.description {
                json.member("description", description)
            } else {
                json.member(null: "description")
            }
            json.member("alt_description", caption.alternative)
            json.member("likes", likes)
            json.object("urls") { json in
                for rendition in Rendition.all { json.member(rendition.name, base + path(rendition)) }
            }
            json.object("links") { json in
                json.member("self", "\(base)/photos/\(id)")
                json.member("html", "\(base)/view/\(id)")
            }
            json.object("user") { json in
                json.member("id", Self.id(SplitMix64.mix(stableHash(person.username.utf8))))
                json.member("username", person.username)
                json.member("name", person.name)
                json.object("links") { json in json.member("html", "\(base)/@\(person.username)") }
            }
        }
    }
}

struct DemoPerson {
    let name: String
    let username: String

    private static let first = [
        "Ada", "Bram", "Cleo", "Davi", "Esme", "Farid", "Greta", "Hugo", "Inés", "Jun", "Kaya", "Linus", "Mirela",
        "Noor",
        "Oskar", "Priya", "Quim", "Runa", "Søren", "Tamsin", "Umi", "Vera", "Wendel", "Yara",
    ]
    private static let last = [
        "Ashdown", "Bellweather", "Castellan", "Duskin", "Everhart", "Fairlamb", "Gorse", "Hollin", "Ivarsen",
        "Jessamy",
        "Kestrelly", "Lindqvane", "Marlowe-Pike", "Northey", "Okonwood", "Penhallow", "Quarles", "Rowanby",
        "Silverbeck",
        "Thornaby", "Underhay", "Vantongeren", "Wraxley", "Zellweg",
    ]
    static let count = 40

    /// Creates the person with a number from 0.
    init(_ number: Int) {
        let first = Self.first[number % Self.first.count]
        let last = Self.last[(number * 7 + number / Self.first.count) % Self.last.count]
        name = "\(first) \(last)"
        let ascii = "\(first)\(last)".lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }
        username = String(String.UnicodeScalarView(ascii))
    }
}

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
