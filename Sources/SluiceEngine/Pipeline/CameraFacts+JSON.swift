// SPDX-License-Identifier: MIT

package import SluiceImaging
internal import SluiceModel

extension CameraFacts {
    package var json: String {
        var writer = JSONWriter()
        writer.object { object in
            for fact in facts {
                switch fact.value {
                case .text(let text): object.member(fact.name, text)
                case .integer(let number): object.member(fact.name, number)
                case .decimal(let number): object.member(fact.name, decimal: number)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
