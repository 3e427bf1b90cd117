// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Camera facts", .timeLimit(.minutes(5))) struct CameraFactsTests {
    @Test("Camera, lens, exposure and date are read, and the place only if it is wanted", arguments: [true, false])
    func facts(bigEndian: Bool) throws {
        let block = EXIFBlocks.camera(bigEndian: bigEndian)
        let camera: [CameraFacts.Fact] = [
            CameraFacts.Fact(name: "DateTimeOriginal", value: .text("2024:05:06 07:08:10")),
            CameraFacts.Fact(name: "ISOSpeedRatings", value: .integer(400)),
            CameraFacts.Fact(name: "LensModel", value: .text("Petzval 85mm")),
            CameraFacts.Fact(name: "Make", value: .text("Kodak")),
            CameraFacts.Fact(name: "Model", value: .text("Brownie No. 2")),
        ]
        #expect(CameraFacts(block, withPlace: false)?.facts == camera)
        // 1 degree, 1 minute and 1 second
        let place = CameraFacts.Fact(name: "GPSLatitude", value: .text("1.016944"))
        #expect(CameraFacts(block, withPlace: true)?.facts == [camera[0], place] + camera[1...])
    }

    @Test("Exposures are fractions, other numbers are decimal, and an impossible number is left out")
    func numbers() throws {
        func rational(_ tag: Int, _ numerator: UInt8, _ denominator: UInt8) -> EXIFReader.Entry {
            EXIFReader.Entry(tag: tag, type: 5, count: 1, value: [0, 0, 0, numerator, 0, 0, 0, denominator])
        }
        let block = EXIFBlocks.block(
            main: [], exif: [rational(0x829A, 1, 250), rational(0x829D, 28, 10), rational(0x920A, 5, 0)])
        let expected = [
            CameraFacts.Fact(name: "ExposureTime", value: .text("1/250")),
            CameraFacts.Fact(name: "FNumber", value: .decimal(2.8)),
        ]
        #expect(CameraFacts(block, withPlace: true)?.facts == expected)
    }

    @Test("Damaged blocks crash nothing")
    func damage() throws {
        let block = EXIFBlocks.camera()
        for offset in block.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var changed = block
                changed[offset] = value
                _ = CameraFacts(changed, withPlace: true)
            }
            _ = CameraFacts(Array(block.prefix(offset)), withPlace: true)
        }
    }
}
