// SPDX-License-Identifier: MIT

extension Colorimetry.Primaries {
    /// The matrix from light of these primaries to CIE XYZ, row by row; white has the brightness 1.
    var matrixToXYZ: [Double] {
        let columns = [red, green, blue].map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let unscaled = (0..<3).flatMap { row in columns.map { $0[row] } }
        let whiteXYZ = [white.x / white.y, 1, (1 - white.x - white.y) / white.y]
        let amounts = Self.product(Self.inverse(unscaled), whiteXYZ)
        return unscaled.indices.map { unscaled[$0] * amounts[$0 % 3] }
    }

    /// The matrix from light of these primaries to light of others with the same white, row by row.
    func matrix(to other: Self) -> [Double] {
        let (here, back) = (matrixToXYZ, Self.inverse(other.matrixToXYZ))
        let columns = (0..<3).map { column in Self.product(back, [here[column], here[column + 3], here[column + 6]]) }
        return (0..<3).flatMap { row in columns.map { $0[row] } }
    }

    private static func product(_ matrix: [Double], _ vector: [Double]) -> [Double] {
        (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix[row * 3 + $1] * vector[$1] } }
    }

    private static func inverse(_ m: [Double]) -> [Double] {
        /// The determinant of what remains without a row and a column, with its sign.
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3 * 3, (row + 2) % 3 * 3)
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return m[r1 + c1] * m[r2 + c2] - m[r1 + c2] * m[r2 + c1]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[$1] * cofactor(0, $1) }
        return (0..<3).flatMap { row in (0..<3).map { cofactor($0, row) / determinant } }
    }
}
