// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

extension Failure {
    /// Runs `body` and converts its file error to a failure of the run with the cause `disk`.
    static func onDisk<Value: ~Copyable>(_ body: @autoclosure () throws(FileError) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(.disk, error.description, scope: .run) }
    }

    /// Converts libcurl's result; the cause depends on how far the exchange had come.
    init(_ code: CURLcode, of exchange: HTTPExchange) {
        let specific = exchange.handle.errorMessage
        let message = specific.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : specific
        let host = exchange.spec.address.host
        let bytes = exchange.received
        let size = exchange.announced.map { "\(bytes) of \($0) bytes" } ?? "\(message) after \(bytes) bytes"
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self.init(.dns, message)
        // Without a proxy, the guard checks each connection.
        case CURLE_COULDNT_CONNECT where exchange.addressGuard != nil && exchange.handle.systemError == ECONNREFUSED:
            self.init(.connect, "nothing answers on port \(exchange.spec.address.port) of \(host)")
        case CURLE_COULDNT_CONNECT where exchange.addressGuard != nil:
            let number = Int32(exchange.handle.systemError)
            let reason = unsafe number == 0 ? "" : ": \(String(cString: strerror(number)))"
            self.init(.connect, "cannot connect to port \(exchange.spec.address.port) of \(host)\(reason)")
        case CURLE_COULDNT_CONNECT: self.init(.connect, message)
        case CURLE_OPERATION_TIMEDOUT: self.init(.timeout, "\(host): \(message)")
        case CURLE_PARTIAL_FILE: self.init(.truncated, size)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            // Without a response the connection failed; after its headers, the body is incomplete.
            let isReset = message.contains("reset by peer")
            let verb = isReset ? "reset" : "closed"
            self =
                exchange.status == 0
                ? Failure(.connect, "\(host) \(verb) the connection without a response") : Failure(.truncated, size)
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: self.init(.badFraming, message)
        // libcurl refuses a field after the chunks that is malformed.
        case CURLE_BAD_FUNCTION_ARGUMENT where exchange.hasAllHeaders:
            self.init(.badFraming, "a field after the last chunk is malformed")
        // libcurl 7.88 reports "Out of memory" for a header line of 100 kB, although memory is not short.
        case CURLE_OUT_OF_MEMORY where !exchange.hasAllHeaders, ccurl_too_large:
            self.init(.badHeaders, "a header line is longer than 100 kB, the limit of libcurl")
        // Schemes were checked before, so an "unsupported protocol" is a response that is not HTTP.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: self.init(.badHeaders, message)
        case CURLE_BAD_CONTENT_ENCODING: self.init(.contentEncoding, message)
        case CURLE_URL_MALFORMAT: self.init(.policy, "cannot use the address: \(message)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
            // OpenSSL's codes for an unknown issuer and for a self-signed certificate.
            let hasUnknownIssuer = (18...21).contains(exchange.handle.certificateVerifyResult)
            self.init(.tls, "\(host): \(message)", hint: hasUnknownIssuer ? .trustIssuer : nil)
        default: self.init(.internal, "libcurl \(code.rawValue): \(message)")
        }
    }
}
