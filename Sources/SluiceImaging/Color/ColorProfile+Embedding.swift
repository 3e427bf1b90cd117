// SPDX-License-Identifier: MIT

internal import CLCMS

extension ColorProfile {
    /// More than any screen's or camera's profile has, and than a thumbnail should carry.
    private static var mostBytes: Int { 1 << 20 }

    /// A profile's bytes as any format takes them: without what lies behind it; `nil` if there are too many, or if a
    /// strict reader would refuse them, although lcms2 reads round what is odd.
    func embeddable(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 132 else { return nil }
        func number(_ offset: Int) -> Int { Int(bytes[offset..<offset + 4].number(bigEndian: true)) }
        let count = number(0)
        let tags = number(128)
        let isAligned = bytes[8] < 4 || count % 4 == 0
        guard count <= min(bytes.count, Self.mostBytes), isAligned, tags <= (count - 132) / 12, number(64) < 0xFFFF,
            isPicture
        else {
            return nil
        }
        let isWhole = (0..<tags).allSatisfy { tag in
            let (start, length) = (number(132 + tag * 12 + 4), number(132 + tag * 12 + 8))
            return start <= count && length <= count - start
        }
        return isWhole ? Array(bytes.prefix(count)) : nil
    }

    /// Whether it is of a kind that describes pictures.
    private var isPicture: Bool {
        let kinds = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        let spaces = [cmsSigXYZData, cmsSigLabData]
        return unsafe kinds.contains(cmsGetDeviceClass(handle)) && spaces.contains(cmsGetPCS(handle))
    }
}
