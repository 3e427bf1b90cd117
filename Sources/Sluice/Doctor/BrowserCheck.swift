// SPDX-License-Identifier: MIT

internal import SluiceBrowser
internal import SluiceModel

/// Checks that the installed browser starts in its sandbox and without a network.
enum BrowserCheck {
    private static let name = "browser"

    @Sendable static func run() -> [HealthCheckResult] {
        guard let browser = try? InstalledBrowser() else {
            return [
                HealthCheckResult(
                    name, .ok, "none is installed; only pages that scripts build need one (package chromium)")
            ]
        }
        let answer = OneShot<HealthCheckResult>()
        Task {
            do throws(Failure) {
                let (version, isIsolated) = try await browser.examine()
                let network = isIsolated ? "" : ", without a network namespace"
                answer.set(HealthCheckResult(name, .ok, "\(browser.path) is \(version) in its own sandbox\(network)"))
            } catch {
                answer.set(
                    HealthCheckResult(
                        name, .warning, error.detail, advice: "start it by hand, or install another browser"))
            }
        }
        return [answer.waitForValue()]
    }
}
