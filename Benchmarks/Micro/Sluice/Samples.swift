// SPDX-License-Identifier: MIT

import SluiceModel

/// Photos and receipts with the metadata of a typical photo service.
enum Samples {
    static func photo(_ number: Int) -> Photo {
        var photo = Photo(
            id: "photo-\(number)",
            variants: [
                Variant(name: "raw", url: "https://photos.example/\(number)/raw?a=1", width: 4000, height: 3000),
                Variant(name: "small", url: "https://photos.example/\(number)/small"),
            ])
        (photo.width, photo.height) = (4000, 3000)
        photo.caption = "A lake at dawn, number \(number), with fog over the water"
        photo.author = "Ada Lovelace"
        photo.authorURL = "https://photos.example/@ada"
        photo.pageURL = "https://photos.example/photos/\(number)"
        photo.license = "CC BY 4.0"
        photo.licenseURL = "https://creativecommons.org/licenses/by/4.0/"
        photo.attribution = "Photo by Ada Lovelace"
        photo.color = "#112233"
        return photo
    }

    static func page(_ number: Int, of count: Int) -> Page {
        Page(
            number: number, photos: (0..<count).map { photo(number * count + $0) },
            next: Cursor(rawValue: "\(number + 1)"), total: 1_000_000)
    }

    static func receipt(_ stem: String) -> Receipt {
        let hash = String(repeating: "a5", count: 32)
        var receipt = Receipt(.done)
        receipt.variant = "raw"
        receipt.url = "https://photos.example/raw"
        receipt.finalURL = "https://cdn.example/raw"
        receipt.status = 200
        receipt.original = StoredFile(path: "originals/\(stem).jpg", bytes: 132_203, sha256: hash)
        (receipt.format, receipt.width, receipt.height) = ("jpeg", 1080, 720)
        receipt.color = "#aabbcc"
        receipt.placeholder = "3OcRJYB4d3h/iIeHeEh3eIhw+j2w"
        receipt.phash = "0123456789abcdef"
        receipt.thumbs = [
            Thumb(
                size: "256", width: 256, height: 171, format: "jpeg",
                file: StoredFile(path: "thumbs/256/\(stem).jpg", bytes: 8211, sha256: hash))
        ]
        return receipt
    }

    /// A page of 30 photos as a service returns it.
    static let json: [UInt8] = {
        let photos = (0..<30).map { number in
            """
            {"id":"\(number)","created_at":"2025-01-02T03:04:05Z","width":4000,"height":3000,"color":"#112233",\
            "description":"A lake at dawn \\u2014 number \(number)","likes":\(number * 7),"tags":["lake","dawn","fog"],\
            "urls":{"raw":"https://photos.example/\(number)?raw=1","full":"https://photos.example/\(number)?full=1",\
            "regular":"https://photos.example/\(number)?w=1080","small":"https://photos.example/\(number)?w=400"},\
            "user":{"id":"u\(number)","name":"Ada Lovelace","links":{"html":"https://photos.example/@ada"}}}
            """
        }
        return Array("{\"total\":1000000,\"results\":[\(photos.joined(separator: ","))]}".utf8)
    }()
}
