// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A catalogue of invented albums and tracks with generated covers.
struct DemoCatalog {
    static let albums = 24
    /// The number of tracks, three per album.
    static let tracks = 72
    private static let qualities = [
        "Paper", "Slow", "Northern", "Hollow", "Second", "Copper", "Quiet", "Salt", "Borrowed", "Winter", "Electric",
        "Velvet",
    ]
    private static let things = [
        "Lanterns", "Harbour", "Machines", "Meridian", "Summer", "Signals", "Orchard", "Weather", "Letters",
        "Cartography",
        "Garden", "Distance", "Bicycle",
    ]
    private static let artists = [
        "The Quiet Meridian", "Odd Harbour", "Mina Falk", "Low Orchard", "Telegraph Hill Choir", "Juniper & Salt",
        "Nine Small Rooms", "Haruko Lane",
    ]

    /// Returns the cover of an album; numbers start at 1.
    static func albumCover(_ number: Int) -> GeneratedPicture? {
        (1...albums).contains(number) ? cover(1000 + number) : nil
    }

    /// Returns the artwork of a track; numbers start at 1.
    static func trackCover(_ number: Int) -> GeneratedPicture? {
        (1...tracks).contains(number) ? cover(2000 + number) : nil
    }

    private static func cover(_ number: Int) -> GeneratedPicture {
        GeneratedPicture(number: number, motif: Motif(number: number), width: 640, height: 640)
    }

    /// Returns the catalogue as JSON.
    static func json(base: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("Albums") { json in for number in 1...albums { writeAlbum(number, to: &json, base) } }
            json.array("Tracks") { json in for number in 1...tracks { writeTrack(number, to: &json, base) } }
        }
        return json.bytes
    }

    private static func writeAlbum(_ number: Int, to json: inout JSONWriter, _ base: String) {
        json.object { json in
            json.member("id", "album-\(number)")
            json.member("name", albumName(number))
            json.member("album_art_work", "\(base)/artwork/album-\(number).jpg")
            json.member("artist", artist(number))
        }
    }

    private static func writeTrack(_ number: Int, to json: inout JSONWriter, _ base: String) {
        let album = (number - 1) / 3 + 1
        json.object { json in
            json.member("id", "track-\(number)")
            json.member(
                "name", "\(things[number * 5 % things.count]) \(["I", "in Blue", "at Night", "(Reprise)"][number % 4])")
            json.member("track_art_work", "\(base)/artwork/track-\(number).jpg")
            json.member("track_album", albumName(album))
            json.member("artist", artist(album))
        }
    }

    private static func albumName(_ number: Int) -> String {
        "\(qualities[number % qualities.count]) \(things[number % things.count])"
    }

    private static func artist(_ number: Int) -> String { artists[number * 3 % artists.count] }
}
