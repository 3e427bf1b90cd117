// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Source titles", .timeLimit(.minutes(10))) struct SourceTitleTests {
    @Test(
        "The title comes from the source, without scheme, credentials, query and extensions",
        arguments: [
            ("demo", "Demo"), ("lake_photos-2024", "Lake photos 2024"), ("NASA", "NASA"), ("élan/", "Élan"),
            ("/data/lists/lake_photos.csv.gz", "Lake photos"), ("Ferien.2024", "Ferien.2024"),
            ("photos/a and 2 more", "A and 2 more"), ("unsplash:lakes", "Unsplash:lakes"),
            ("https://user:secret@www.example.org/photos.rss?key=secret#top", "example.org/photos.rss"),
            ("iiif:https://example.org/collection/top/", "example.org/collection/top"),
            ("https://commons.example/wiki/Category:K%C3%B6ln", "commons.example/wiki/Category:Köln"),
            ("https://example.org/%FF%", "example.org/%FF%"), ("s3://bucket/2024/", "bucket/2024"),
        ])
    func titles(source: String, title: String) {
        #expect(SourceTitle.text(of: source) == title)
    }

    @Test("A source without a name has no title", arguments: ["-", "", ".", "..", "/", "https://", "../.."])
    func lacksTitle(source: String) {
        #expect(SourceTitle.text(of: source) == nil)
    }
}
