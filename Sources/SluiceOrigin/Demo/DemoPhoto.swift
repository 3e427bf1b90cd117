// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What the demo service knows of one photo; all of it follows from the number.
struct DemoPhoto {
    /// A rendition: its name, its greatest width, and its quality.
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
    let painting: Painting
    let format: PictureFormat
    let likes: Int

    init(number: Int) {
        var dice = Dice(seed: number, 0xFACE)
        self.number = number
        id = Self.id(Dice.scramble(0x51_1CE &+ UInt64(number)))
        format = Self.format(number)
        painting = Painting(number: number, isCutOut: format.keepsAlpha)
        likes = dice.whole(3...4200)
    }

    /// Eleven characters, as video and photo services make them: 64 bits, six at a time.
    private static func id(_ bits: UInt64) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<11).map { letters[Int(bits >> UInt64($0 * 6) & 63)] })
    }

    /// Of ten photos six are baseline JPEGs, two progressive ones, one is a PNG and one a WebP.
    ///
    /// One JPEG in eight was taken with the camera turned, each way in turn; one PNG in three is cut out.
    private static func format(_ number: Int) -> PictureFormat {
        let (block, place) = ((number - 1) / 10, (number - 1) % 10)
        switch place {
        case 5: return PictureFormat(.png, keepsAlpha: block % 3 == 1)
        case 8: return PictureFormat(.webp)
        default:
            let index = block * 8 + (place < 5 ? place : place < 8 ? place - 1 : place - 2)
            let orientation = index % 8 == 2 ? 2 + index / 8 % 7 : 1
            return PictureFormat(.jpeg, isProgressive: place == 3 || place == 7, exifOrientation: orientation)
        }
    }

    /// The newest photo has the number 1.
    var created: DemoDate {
        DemoDate(seconds: 1_751_270_400 - number * 91_357)
    }

    func width(_ rendition: Rendition) -> Int { min(rendition.width, painting.width) }

    func path(_ rendition: Rendition) -> String { "/images/\(id)/\(rendition.name).\(format.kind.fileExtension)" }

    /// Writes the photo as its service tells of it.
    func write(to json: inout JSONWriter, base: String) {
        let words = DemoWords(number: number)
        let person = DemoPerson(Int(Dice.scramble(UInt64(number) &+ 77) % UInt64(DemoPerson.count)))
        json.object { json in
            json.member("id", id)
            json.member("created_at", created.iso)
            json.member("updated_at", created.iso)
            json.member("width", painting.width)
            json.member("height", painting.height)
            json.member("color", painting.color.hex)
            json.member(null: "blur_hash")
            if let description = words.description {
                json.member("description", description)
            } else {
                json.member(null: "description")
            }
            json.member("alt_description", words.alternative)
            json.member("likes", likes)
            json.member(
                "urls",
                object: { json in
                    for rendition in Rendition.all { json.member(rendition.name, base + path(rendition)) }
                })
            json.member(
                "links",
                object: { json in
                    json.member("self", "\(base)/photos/\(id)")
                    json.member("html", "\(base)/view/\(id)")
                })
            json.member(
                "user",
                object: { json in
                    json.member("id", Self.id(Dice.scramble(fingerprint(person.username.utf8))))
                    json.member("username", person.username)
                    json.member("name", person.name)
                    json.member("links", object: { json in json.member("html", "\(base)/@\(person.username)") })
                })
        }
    }
}

extension PictureFormat.Kind {
    /// What files of this kind end in.
    var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The media type.
    var mediaType: String { "image/\(rawValue)" }
}
