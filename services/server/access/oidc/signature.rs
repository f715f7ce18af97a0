//! Verifies RS256 and ES256 with ring, which TLS uses already.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error as SignatureError, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};

/// Verifies only; signing fails.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes `jsonwebtoken` use this module.
pub(super) fn install() {
    // Fails harmlessly from the second call on.
    let _installed = PROVIDER.install_default();
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKeyKind,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    match (algorithm, key.kind()) {
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { .. })
        | (Algorithm::ES256, DecodingKeyKind::SecretOrDer(_)) => {
            Ok(Box::new(RingVerifier { algorithm: *algorithm, key: key.kind().clone() }))
        }
        _ => Err(ErrorKind::UnsupportedAlgorithm.into()),
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), SignatureError> {
        let verified = match &self.key {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
            DecodingKeyKind::SecretOrDer(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
        };
        verified.map_err(|_| SignatureError::new())
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::crypto::verify;

    use super::*;

    /// The example of RFC 7515, A.2.
    const RS256: (&str, &str, &str) = (
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCg\
         NMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665\
         xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuX\
         poQ",
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl\
         fQ",
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1\
         dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzD\
         wusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe7\
         7Rw",
    );
    /// The example of RFC 7515, A.3: the two coordinates, the message and its signature.
    const ES256: (&str, &str, &str) = (
        "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl\
         fQ",
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    );

    /// The published examples are verified; another message, signature or algorithm is not.
    #[test]
    fn published_signatures_are_verified() {
        install();
        let (x, y) = ES256.0.split_once(' ').unwrap();
        let keys = [
            (DecodingKey::from_rsa_components(RS256.0, "AQAB").unwrap(), Algorithm::RS256, RS256),
            (DecodingKey::from_ec_components(x, y).unwrap(), Algorithm::ES256, ES256),
        ];
        for (key, algorithm, (_, message, signature)) in &keys {
            assert!(verify(signature, message.as_bytes(), key, *algorithm).unwrap(), "{algorithm:?}");
            let changed = message.replace("joe", "jim").replace("fQ", "fR");
            assert!(!verify(signature, changed.as_bytes(), key, *algorithm).unwrap(), "{algorithm:?}");
            let changed = signature.replacen('D', "E", 1).replacen('c', "d", 1);
            assert!(!verify(&changed, message.as_bytes(), key, *algorithm).unwrap(), "{algorithm:?}");
            for other in [Algorithm::HS256, Algorithm::RS384, Algorithm::PS256, Algorithm::EdDSA] {
                assert!(verify(signature, message.as_bytes(), key, other).is_err(), "{other:?}");
            }
        }
        let (rsa, ec) = (&keys[0].0, &keys[1].0);
        assert!(verify(RS256.2, RS256.1.as_bytes(), rsa, Algorithm::ES256).is_err());
        assert!(verify(ES256.2, ES256.1.as_bytes(), ec, Algorithm::RS256).is_err());
    }
}
