// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// Smooth noise over a line or a plane, from -1 to 1.
///
/// It uses no table and no libm, so it gives the same bits on every machine.
struct Noise: Sendable {
    let seed: UInt64

    init(_ random: inout SeededRandom) { seed = random.next() }

    func callAsFunction(_ x: Float) -> Float {
        let cell = x.rounded(.down)
        let t = Self.eased(x - cell)
        let left = lattice(Int(cell), 0)
        return left + (lattice(Int(cell) + 1, 0) - left) * t
    }

    func callAsFunction(_ x: Float, _ y: Float) -> Float {
        let column = x.rounded(.down)
        let row = y.rounded(.down)
        let tx = Self.eased(x - column)
        let ty = Self.eased(y - row)
        let (i, j) = (Int(column), Int(row))
        let top = lattice(i, j) + (lattice(i + 1, j) - lattice(i, j)) * tx
        let bottom = lattice(i, j + 1) + (lattice(i + 1, j + 1) - lattice(i, j + 1)) * tx
        return top + (bottom - top) * ty
    }

    /// Sums octaves of one-dimensional noise; each has twice the frequency and `roughness` times the amplitude of the
    /// last.
    func fractal(_ x: Float, octaves: Int, roughness: Float) -> Float {
        var (sum, strength, scale) = (Float(0), Float(1), Float(1))
        for octave in 0..<octaves {
            sum += self(x * scale + Float(octave) * 17.3) * strength
            strength *= roughness
            scale *= 2
        }
        return sum
    }

    /// Sums octaves of two-dimensional noise.
    func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var (sum, strength, scale) = (Float(0), Float(0.55), Float(1))
        for _ in 0..<octaves {
            sum += self(x * scale, y * scale) * strength
            strength *= 0.5
            scale *= 2
        }
        return sum
    }

    private func lattice(_ i: Int, _ j: Int) -> Float {
        let point =
            UInt64(bitPattern: Int64(i)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(j))
            &* 0xC2B2_AE3D_27D4_EB4F
        return Float(SplitMix64.mix(point ^ seed) >> 40) / 8_388_608 - 1
    }

    private static func eased(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}

/// Approximates the sine of `turns` full turns; the same on every machine.
func wave(_ turns: Float) -> Float {
    let t = turns - turns.rounded(.down)
    let half = t < 0.5 ? t : t - 0.5
    let parabola = 16 * half * (0.5 - half)
    let rounder = parabola * (0.775 + 0.225 * parabola)
    return t < 0.5 ? rounder : -rounder
}

/// Returns a smooth step from 0 to 1 while `value` goes from `low` to `high`.
func ramp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    let t = max(0, min(1, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)
}
