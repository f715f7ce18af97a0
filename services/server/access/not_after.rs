//! Expiry of a certificate, from its DER encoding (RFC 5280).
//!
//! rustls verifies the certificates of peers and does not expose the dates of the server's own.

const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The field `version`, which certificates of version 1 do not have.
const VERSION: u8 = 0xa0;
const SECONDS_PER_DAY: i64 = 86_400;

/// Returns `notAfter` in seconds since 1970, `None` for a malformed certificate.
pub(super) fn not_after_s(certificate: &[u8]) -> Option<i64> {
    time_s(certificate, 1)
}

/// Returns `notBefore`, as [`not_after_s`].
pub(super) fn not_before_s(certificate: &[u8]) -> Option<i64> {
    time_s(certificate, 0)
}

/// Returns a time of the field `validity`.
fn time_s(certificate: &[u8], idx: usize) -> Option<i64> {
    let (_, certificate) = Der(certificate).next()?;
    let (_, signed) = Der(certificate).next()?;
    let mut fields = Der(signed).skip_while(|(tag, _)| *tag == VERSION);
    // Serial number, signature algorithm, issuer, validity.
    let (_, validity) = fields.nth(3)?;
    let (tag, time) = Der(validity).nth(idx)?;
    let time = std::str::from_utf8(time).ok()?;
    match tag {
        // Years from 1950 to 2049.
        UTC_TIME => seconds(if *time.as_bytes().first()? < b'5' { "20" } else { "19" }, time),
        GENERALIZED_TIME => seconds("", time),
        _ => None,
    }
}

/// Elements of a DER sequence: tag and contents.
struct Der<'a>(&'a [u8]);

impl<'a> Iterator for Der<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let mut len = usize::from(first);
        if first >= 0x80 {
            let (digits, behind) = rest.split_at_checked(usize::from(first & 0x7f).min(5))?;
            len =
                digits.iter().try_fold(0_usize, |len, digit| len.checked_mul(256)?.checked_add(usize::from(*digit)))?;
            rest = behind;
        }
        let (contents, behind) = rest.split_at_checked(len)?;
        self.0 = behind;
        Some((tag, contents))
    }
}

/// Parses `YYYYMMDDHHMMSSZ`, whose first digits are in `century`.
fn seconds(century: &str, time: &str) -> Option<i64> {
    let text = format!("{century}{time}");
    let digits = text.strip_suffix('Z').filter(|digits| digits.len() == 14 && digits.is_ascii())?;
    let number = |from: usize, to: usize| digits[from..to].parse::<i64>().ok();
    let days = days_since_1970(number(0, 4)?, number(4, 6)?, number(6, 8)?);
    Some(days * SECONDS_PER_DAY + number(8, 10)? * 3_600 + number(10, 12)? * 60 + number(12, 14)?)
}

/// Counts days in the Gregorian calendar, with years that begin in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    #[test]
    fn dates_are_read() {
        let expected = [
            ((1970, 1, 1), 0),
            ((1999, 12, 31), 946_598_400),
            ((2024, 2, 29), 1_709_164_800),
            ((2049, 12, 31), 2_524_521_600),
            // From 2050 on the encoding differs.
            ((2050, 1, 1), 2_524_608_000),
            ((2100, 3, 1), 4_107_542_400),
        ];
        for ((year, month, day), expected) in expected {
            let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a valid name");
            params.not_before = date_time_ymd(1970, 1, 2);
            params.not_after = date_time_ymd(year, month, day);
            let key = KeyPair::generate().expect("a key");
            let certificate = params.self_signed(&key).expect("a certificate");
            assert_eq!(not_after_s(certificate.der()), Some(expected), "{year}-{month}-{day}");
            assert_eq!(not_before_s(certificate.der()), Some(SECONDS_PER_DAY));
        }
    }

    /// Malformed certificates have no date, wherever they end.
    #[test]
    fn truncated_certificates_are_rejected() {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(["localhost".to_owned()]).expect("a valid name");
        let certificate = params.self_signed(&key).expect("a certificate");
        let der = certificate.der();
        assert!((0..der.len()).all(|len| not_after_s(&der[..len]).is_none()));
        assert_eq!(not_after_s(&[0x30, 0xff, 1, 2, 3]), None);
    }
}
