// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include "forward.h"

#define CRYPTO(type, name, parameters, arguments) FORWARD(clibraries_crypto, type, name, parameters, arguments)

CRYPTO(const EVP_MD *, EVP_md5, (void), ())
CRYPTO(const EVP_MD *, EVP_sha1, (void), ())
CRYPTO(const EVP_MD *, EVP_sha256, (void), ())
CRYPTO(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
CRYPTO(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context))
CRYPTO(int, EVP_MD_CTX_copy_ex, (EVP_MD_CTX *copy, const EVP_MD_CTX *context), (copy, context))
CRYPTO(int, EVP_DigestInit_ex, (EVP_MD_CTX *context, const EVP_MD *type, ENGINE *engine), (context, type, engine))
CRYPTO(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count))
CRYPTO(int, EVP_DigestFinal_ex, (EVP_MD_CTX *context, unsigned char *digest, unsigned *count),
       (context, digest, count))
CRYPTO(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())
CRYPTO(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *context), (context))
CRYPTO(const EVP_CIPHER *, EVP_aes_128_cbc, (void), ())
CRYPTO(int, EVP_DecryptInit_ex,
       (EVP_CIPHER_CTX *context, const EVP_CIPHER *type, ENGINE *engine, const unsigned char *key,
        const unsigned char *start),
       (context, type, engine, key, start))
CRYPTO(int, EVP_DecryptUpdate,
       (EVP_CIPHER_CTX *context, unsigned char *plain, int *plain_count, const unsigned char *bytes, int count),
       (context, plain, plain_count, bytes, count))
CRYPTO(int, EVP_DecryptFinal_ex, (EVP_CIPHER_CTX *context, unsigned char *plain, int *count), (context, plain, count))
CRYPTO(unsigned char *, HMAC,
       (const EVP_MD *type, const void *key, int key_count, const unsigned char *bytes, size_t count,
        unsigned char *digest, unsigned *digest_count),
       (type, key, key_count, bytes, count, digest, digest_count))

FORWARD(clibraries_ssl, int, SSL_pending, (const SSL *connection), (connection))

#endif
