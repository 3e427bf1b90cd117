// SPDX-License-Identifier: MIT

/// A time of day and the colours of a landscape at that time.
struct SceneLighting: Sendable {
    /// The time's name for captions, for example `at dawn`.
    let name: String
    /// The sky's colours from the zenith to the horizon.
    let sky: [Color]
    /// The sun's or the moon's colour.
    let sun: Color
    /// The colour of the farthest ridge, which is half haze.
    let far: Color
    /// The colour of the nearest ridge.
    let near: Color
    /// Whether stars are out and lamps are lit.
    let isDark: Bool

    init(_ name: String, sky: [UInt32], sun: UInt32, far: UInt32, near: UInt32, isDark: Bool = false) {
        self.name = name
        self.sky = sky.map(Color.init)
        self.sun = Color(sun)
        self.far = Color(far)
        self.near = Color(near)
        self.isDark = isDark
    }

    /// Returns the sky's colour at a height from 0, the zenith, to 1, the horizon.
    func sky(at height: Float) -> Color {
        let position = max(0, min(0.9999, height)) * Float(sky.count - 1)
        let index = Int(position)
        return sky[index].mixed(sky[index + 1], position - Float(index))
    }

    var haze: Color { sky[sky.count - 1] }

    static let days = [
        SceneLighting(
            "at dawn", sky: [0x2B3A67, 0x7A6C9D, 0xD98C8C, 0xFFCDB2], sun: 0xFFF1D6, far: 0xC99AA0, near: 0x25233F),
        SceneLighting(
            "in the evening", sky: [0x355070, 0x8A6F91, 0xE8957D, 0xFFD29D], sun: 0xFFF3C4, far: 0xD9A184,
            near: 0x33283A),
        SceneLighting(
            "at noon", sky: [0x2F7DBB, 0x7FBCE6, 0xBFE0F2, 0xEAF6FB], sun: 0xFFFDF0, far: 0xA6C4DB, near: 0x17394F),
        SceneLighting(
            "in the morning", sky: [0x0F7486, 0x4FA9AC, 0xA5D8CF, 0xEDF8EF], sun: 0xFFFFF6, far: 0x9CCBC6,
            near: 0x0B3037),
        SceneLighting(
            "at twilight", sky: [0x2A1E5C, 0x6B4490, 0xC0709F, 0xF6B8AE], sun: 0xFFE4CE, far: 0xA880B0, near: 0x1E1337),
        SceneLighting(
            "at sunset", sky: [0x43194A, 0xA63A56, 0xEB6E4B, 0xFFC766], sun: 0xFFF4BC, far: 0xD0694F, near: 0x2A0F2B),
        SceneLighting(
            "in the mist", sky: [0x9DB5AE, 0xBCCBC1, 0xD8E0D3, 0xF1F3E8], sun: 0xFFFFFB, far: 0xC3D0C5, near: 0x2D4841),
        SceneLighting(
            "in the haze", sky: [0x94C2D6, 0xC9D5DB, 0xF4D8C9, 0xFFEFDF], sun: 0xFFFDF4, far: 0xDCBDB8, near: 0x545379),
        SceneLighting(
            "in winter", sky: [0x6E9AC2, 0xA5C4DD, 0xD3E2EE, 0xF9FAFB], sun: 0xFFFFFF, far: 0xC5D4E1, near: 0x304C66),
        SceneLighting(
            "in autumn", sky: [0x6B8EA3, 0xB5B9AC, 0xEACB9D, 0xFBE9CB], sun: 0xFFF8DC, far: 0xD3A06F, near: 0x46231A),
        SceneLighting(
            "in spring", sky: [0x4FA5D1, 0x8CCBE2, 0xC3E6E3, 0xF4F9E2], sun: 0xFFFFEA, far: 0xADD2A6, near: 0x1D3F35),
        SceneLighting(
            "at dusk", sky: [0x0E1D40, 0x2A4A8B, 0x6C8FC4, 0xC6CFE3], sun: 0xF6F5FF, far: 0x6684B4, near: 0x0A1229,
            isDark: true),
        SceneLighting(
            "at night", sky: [0x050A1E, 0x0B1738, 0x1A2F5E, 0x35527F], sun: 0xF4ECD4, far: 0x233A63, near: 0x04070F,
            isDark: true),
    ]

    /// The colours of cut paper, as lightings.
    static let papers = [
        [0xF4F1DE, 0xE07A5F, 0x3D405B, 0x81B29A, 0xF2CC8F], [0xF6EFE0, 0x264653, 0x2A9D8F, 0xE9C46A, 0xE76F51],
        [0xFDF0D5, 0xC1121F, 0x003049, 0x669BBC, 0xE8A951], [0xF1FAEE, 0xE63946, 0xA8DADC, 0x457B9D, 0x1D3557],
        [0xFEFAE0, 0x606C38, 0x283618, 0xDDA15E, 0xBC6C25], [0xEDF6F9, 0x006D77, 0x83C5BE, 0xFFDDD2, 0xE29578],
        [0xF2E9E4, 0x22223B, 0x4A4E69, 0x9A8C98, 0xC9ADA7], [0xFFF3E0, 0xFFB703, 0xFB8500, 0x219EBC, 0x023047],
        [0xF7EDE2, 0xF5CAC3, 0x84A59D, 0xF28482, 0xF6BD60], [0xE8F7F5, 0x0B132B, 0x1C2541, 0x3A506B, 0x5BC0BE],
        [0xFBF3E4, 0x5F0F40, 0x9A031E, 0xFB8B24, 0x0F4C5C], [0xF3F0EA, 0x355070, 0x6D597A, 0xB56576, 0xEAAC8B],
    ].map { (inks: [UInt32]) in
        SceneLighting(
            "", sky: [inks[3], inks[1], inks[4], inks[0]], sun: inks[4], far: inks[1], near: inks[2])
    }
}
