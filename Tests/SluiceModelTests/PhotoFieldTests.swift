// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceModel

@Suite("Photo fields", .timeLimit(.minutes(10))) struct PhotoFieldTests {
    @Test("The list has every fact of a photo, each once")
    func complete() {
        // Swift's own mirror names the stored properties.
        let properties = Swift.Mirror(reflecting: PhotoFacts()).children.compactMap(\.label)
        #expect(PhotoField.all.count == properties.filter { $0 != "invalidReason" }.count)
        #expect(Set(PhotoField.all.map(\.name)).count == PhotoField.all.count)
        let paths = PhotoField.all.map { field -> AnyKeyPath in
            switch field.property {
            case .text(let path): path
            case .number(let path): path
            }
        }
        #expect(Set(paths).count == paths.count)
    }

    @Test("A field reads the property that it writes")
    func reading() {
        for field in PhotoField.all {
            var photo = Photo(id: "a")
            switch field.property {
            case .text(let path): photo[keyPath: path] = "b"
            case .number(let path): photo[keyPath: path] = 7
            }
            #expect(field.text(of: photo) == (field.isNumber ? nil : "b"))
            #expect(field.number(of: photo) == (field.isNumber ? 7 : nil))
            #expect(PhotoField.all.filter { $0.value(of: photo) != nil } == [field])
        }
    }

    @Test("A photo whose facts were removed is equal to one without facts, and copies do not share changes")
    func removal() {
        let plain = Photo(id: "a", url: "https://example.org/a.jpg")
        var photo = plain
        photo.caption = "A lake"
        photo.width = 3
        let stated = photo
        (photo.caption, photo.width) = (nil, nil)
        #expect(stated.caption == "A lake" && stated.width == 3 && stated != plain)
        #expect(photo == plain && photo.hashValue == plain.hashValue)
    }

    @Test("A photo is coded as one object with its facts, and those that are missing are omitted")
    func coding() throws {
        for caption in ["A lake", nil] {
            var photo = Photo(id: "a", url: "https://example.org/a.jpg")
            photo.caption = caption
            let data = try JSONEncoder().encode(photo)
            let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(Set(members.keys) == Set(["id", "variants"] + (caption.map { _ in ["caption"] } ?? [])))
            #expect(members["caption"] as? String == caption)
            #expect(try JSONDecoder().decode(Photo.self, from: data) == photo)
        }
    }

    @Test("Names are spelt as their places need them, and a link refers to a field with an address")
    func names() {
        for field in PhotoField.all {
            #expect(field.name.utf8.allSatisfy { ("a"..."z").contains(Character(.init($0))) || $0 == 0x5F })
            #expect(field.listNames.allSatisfy { $0.allSatisfy { ("a"..."z").contains($0) } })
            #expect(field.isNumber == [.side, .date].contains(field.kind))
            guard case .ofFeed(_, _, let link?) = field.gallery else { continue }
            #expect(PhotoField.all.first { $0.name == link }?.kind == .link)
        }
        let listNames = PhotoField.all.flatMap(\.listNames)
        #expect(Set(listNames).count == listNames.count)
        #expect(PhotoField.field(\.camera).name == "camera")
    }

    @Test("The documentation names every field where users need it")
    func documentation() throws {
        func page(_ name: String) throws -> String {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation")
            return try String(contentsOf: folder.appending(path: name).standardized, encoding: .utf8)
        }
        let (lists, names, upkeep) = (try page("lists.md"), try page("names.md"), try page("upkeep.md"))
        for field in PhotoField.all {
            if !field.listNames.isEmpty { #expect(lists.contains("`\(field.name)`"), "\(field.name)") }
            if field.uses.contains(.fileName) { #expect(names.contains("{\(field.name)}"), "\(field.name)") }
            if field.manifest != .absent { #expect(upkeep.contains("`\(field.name)`"), "\(field.name)") }
        }
    }
}
