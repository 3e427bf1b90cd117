// SPDX-License-Identifier: MIT

internal import SluiceModel

// Hosts that send a photo only if the request names the page that shows it.

extension Transfers {
    /// Adds the page to a request if the host refused the photo without it, or another photo before.
    func addReferrer(to spec: inout RequestSpec, of request: Request, isNeeded: Bool) {
        guard isNeeded || referrerHosts.withLock({ $0.contains(spec.address.host) }),
            let line = referrer(of: request, for: spec)
        else { return }
        spec.headers.append(line)
    }

    /// Whether a host refuses a photo that it may send if the request names the page, which is tried once.
    ///
    /// Remembers the hosts for which that helped.
    @inline(never) func asksForReferrer(_ response: RawResponse, to spec: RequestSpec, of request: Request) -> Bool {
        if spec.namesReferrer, response.isSuccess {
            referrerHosts.withLock { _ = $0.insert(spec.address.host) }
        }
        return response.status == 403 && !RateLimit(response.headers).isUsedUp
            && referrer(of: request, for: spec) != nil
    }

    /// Returns the header that names the page, as browsers send it: other origins learn the page's origin only, and
    /// unencrypted requests nothing about an encrypted page.
    private func referrer(of request: Request, for spec: RequestSpec) -> String? {
        guard !spec.namesReferrer, let page = request.referrer.flatMap({ WebAddress($0) }),
            ["http", "https"].contains(page.scheme), page.scheme == "http" || spec.address.scheme == "https"
        else { return nil }
        let sent = page.hasOrigin(of: spec.address) ? page : WebAddress("/", relativeTo: page)
        return sent.map { "Referer: \($0.text)" }
    }
}

extension RequestSpec {
    /// Whether a header of the user or of the page names the page.
    fileprivate var namesReferrer: Bool { headers.contains { $0.lowercased().hasPrefix("referer:") } }
}
