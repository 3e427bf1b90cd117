// SPDX-License-Identifier: MIT
#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
