// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import Sluice

/// The names of sidecars in real exports of Google Takeout, and the files that they belong to.
@Suite("Names of sidecars", .timeLimit(.minutes(5))) struct SidecarNameTests {
    @Test(
        "Numbered, shortened and cut names lead to their file, and to its edited copy",
        arguments: [
            (
                "PXL_1.PORTRAIT.jpg.json",
                ["PXL_1.PORTRAIT.jpg", "PXL_1.PORTRAIT-modifi\u{E9}.jpg", "PXL_2.PORTRAIT.jpg"], 2
            ),
            ("DSC_1.JPG(1).json", ["DSC_1(1).JPG", "DSC_1.JPG", "DSC_1(2).JPG"], 1),
            ("Facebook.jpg.supple(1).json", ["Facebook(1).jpg", "Facebook.jpg", "Facebook-edited.jpg"], 1),
            ("Scan35.jpg.supplemental-metadata.json", ["Scan35.jpg", "Scan35-edited.jpg", "Scan35(1).jpg"], 2),
            ("2234089303984509579.supplemental-metadata.json", ["2234089303984509579-edited.jpg"], 1),
            // These are cut after 46 characters.
            (
                "a/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
                ["a/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"], 1
            ),
            (
                "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w01 2.jp.json",
                ["05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w01 2.jpg"], 1
            ),
            (
                "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
                [
                    "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg",
                    "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg",
                ], 1
            ),
            (
                "13039_327707840323_537645323_9470255_27214_n.j(1).json",
                ["13039_327707840323_537645323_9470255_27214_n(1).jpg"], 1
            ),
            // Two files begin like it.
            (
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
                [
                    "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg",
                    "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_Q.jpg",
                ], 0
            ),
            ("short.json", ["shorter.jpg"], 0),
            (
                "20220322.jpg.supplemental-metadata(1).json",
                ["20220322(1).jpg", "20220322-edited(1).jpg", "20220322-edited.jpg"], 2
            ),
            (
                "a.jpg.supplemental-metadata.json",
                ["a.jpg", "a-ha editado.jpg", "a-bearbeitet.jpg", "a-bear.jpg", "a-edited.png"], 3
            ),
            (
                "123456789_123456789_123456789_12345678.jpg.sup.json",
                ["123456789_123456789_123456789_12345678.jpg", "123456789_123456789_123456789_12345678-ha edit.jpg"], 2
            ),
            ("IMG_1.LONG_EXPOSURE-01.COVER..json", ["IMG_1.LONG_EXPOSURE-01.COVER.jpg", "IMG_1.jpg"], 1),
        ])
    func owners(sidecar: String, files: [String], count: Int) {
        let owners = SidecarOwners(TextSet(files)).owners(of: sidecar)
        #expect(owners.count == count && owners.allSatisfy(files.contains), "\(owners)")
        #expect(count == 0 || owners.contains(files[0]))
    }

    // Takeout cuts the name of a sidecar after 46 UTF-16 units, and that of a photo after 51. Numbers come last.
    @Test("Every sidecar of a folder that is named by Takeout's rules leads to its file and its edited copy")
    func wholeFolder() {
        var files: TextSet = []
        var names: TextSet = []
        var sidecars: [(name: String, owners: Set<String>)] = []
        for length in 1...60 {
            for (index, ending) in [".jpg", ".jpeg", ".HEIC", ".PORTRAIT.jpg"].enumerated() {
                let title = String(repeating: "\(index)_\u{E4}", count: 20).prefix(length) + "-\(length)" + ending
                let fileEnding = ending == ".PORTRAIT.jpg" ? ".jpg" : ending
                let stem = title.dropLast(fileEnding.count).prefix(51 - fileEnding.count)
                for number in ["", "(1)", "(12)"] {
                    let file = "Photos from 2024/\(stem)\(number)\(fileEnding)"
                    let copy = "Photos from 2024/\(stem)-edited\(number)\(fileEnding)"
                    let sidecar = (title + ".supplemental-metadata").prefix(46) + number + ".json"
                    // Of photos with the same cut name, only the first one has no number.
                    guard names.insert(String(sidecar)) else { continue }
                    files.insert(file)
                    let isEdited = stem.utf16.count < 40 && number != "(12)" && files.insert(copy)
                    sidecars.append(("Photos from 2024/\(sidecar)", isEdited ? [file, copy] : [file]))
                }
            }
        }
        let index = SidecarOwners(files)
        for sidecar in sidecars { #expect(Set(index.owners(of: sidecar.name)) == sidecar.owners, "\(sidecar.name)") }
    }
}
