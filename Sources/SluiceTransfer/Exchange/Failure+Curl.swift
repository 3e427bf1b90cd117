// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

extension Failure {
    /// What libcurl's result means for an exchange, as far as that had come.
    init(_ code: CURLcode, of exchange: Exchange) {
        let said = exchange.handle.words
        let words = said.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : said
        let host = exchange.wish.address.host
        let bytes = exchange.received
        let size = exchange.announced.map { "\(bytes) of \($0) bytes" } ?? "\(words) after \(bytes) bytes"
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self.init(.dns, words)
        case CURLE_COULDNT_CONNECT: self.init(.connect, words)
        case CURLE_OPERATION_TIMEDOUT: self.init(.timeout, "\(host): \(words)")
        case CURLE_PARTIAL_FILE: self.init(.truncated, size)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            // Before a reply it is the connection that broke, behind its head the body.
            self = exchange.status == 0 ? Failure(.connect, words) : Failure(.truncated, size)
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: self.init(.badFraming, words)
        // A header line of 100 kB makes libcurl say "Out of memory", which is not this machine's trouble.
        // Schemes were looked at before: what is "unsupported" here is a reply that is not HTTP at all.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY, CURLE_UNSUPPORTED_PROTOCOL:
            self.init(.badHeaders, words)
        case CURLE_BAD_CONTENT_ENCODING: self.init(.contentEncoding, words)
        case CURLE_URL_MALFORMAT: self.init(.policy, "the address cannot be used: \(words)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
            // OpenSSL's numbers for an issuer that is not known, or is the certificate's own.
            let isUnknown = (18...21).contains(exchange.handle.verdictOnCertificate)
            self.init(.tls, "\(host): \(words)" + (isUnknown ? " (trust its issuer with --ca-file)" : ""))
        default: self.init(.internal, "libcurl \(code.rawValue): \(words)")
        }
    }
}
