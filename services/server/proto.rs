//! The contract in `proto/` as Rust types, all but one generated.
//!
//! [`ListLegalMovesResponse`] is written by hand: it wraps the engine's page and
//! is encoded directly from it. With a `String` per move, a page of 288 moves
//! would cost more to build than to compute.

#![allow(missing_docs, unreachable_pub, reason = "the documentation is in the .proto files")]
#![allow(clippy::needless_pass_by_value, clippy::large_enum_variant, reason = "generated")]

use bytes::{Buf, BufMut};
use pentad_engine::MovePage;
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, EncodeError, Message};

tonic::include_proto!("pentad.v1");

/// For gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pentad.bin"));

/// `pentad.v1.ListLegalMovesResponse`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListLegalMovesResponse {
    /// Fields 1 to 3.
    pub page: MovePage,
    /// Field 4.
    pub key: String,
}

impl From<MovePage> for ListLegalMovesResponse {
    fn from(page: MovePage) -> Self {
        ListLegalMovesResponse { key: page.key.map(|key| key.to_string()).unwrap_or_default(), page }
    }
}

const MOVES: u32 = 1;
const TOTAL: u32 = 2;
const NEXT_PAGE_TOKEN: u32 = 3;
const KEY: u32 = 4;

/// Field 1, length-delimited.
const MOVES_KEY: u8 = 0x0a;

impl Message for ListLegalMovesResponse {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        encode_moves(&self.page, buf);
        if self.page.total != 0 {
            encoding::uint64::encode(TOTAL, &self.page.total, buf);
        }
        if !self.page.next_page_token.is_empty() {
            encoding::string::encode(NEXT_PAGE_TOKEN, &self.page.next_page_token, buf);
        }
        if !self.key.is_empty() {
            encoding::string::encode(KEY, &self.key, buf);
        }
    }

    /// Unlike the provided method, does not compute the length of every move
    /// first: tonic's buffer grows.
    fn encode(&self, buf: &mut impl BufMut) -> Result<(), EncodeError> {
        self.encode_raw(buf);
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        let moves: usize =
            self.page.iter().map(|mv| 1 + encoding::encoded_len_varint(mv.len() as u64) + mv.len()).sum();
        let total = if self.page.total == 0 { 0 } else { encoding::uint64::encoded_len(TOTAL, &self.page.total) };
        let text = |tag, text: &String| if text.is_empty() { 0 } else { encoding::string::encoded_len(tag, text) };
        moves + total + text(NEXT_PAGE_TOKEN, &self.page.next_page_token) + text(KEY, &self.key)
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            MOVES => {
                let mut mv = String::new();
                encoding::string::merge(wire_type, &mut mv, buf, ctx)?;
                self.page.push(&mv);
                Ok(())
            }
            TOTAL => encoding::uint64::merge(wire_type, &mut self.page.total, buf, ctx),
            NEXT_PAGE_TOKEN => encoding::string::merge(wire_type, &mut self.page.next_page_token, buf, ctx),
            KEY => encoding::string::merge(wire_type, &mut self.key, buf, ctx),
            _ => encoding::skip_field(wire_type, tag, buf, ctx),
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Batches short moves in an array, so that the buffer checks its capacity once
/// per hundred moves or so rather than three times per move.
fn encode_moves(page: &MovePage, buf: &mut impl BufMut) {
    let mut chunk = [0_u8; 1024];
    let mut used = 0;
    for mv in page.iter() {
        let bytes = mv.as_bytes();
        if bytes.len() >= 128 {
            buf.put_slice(&chunk[..used]);
            used = 0;
            encoding::encode_key(MOVES, WireType::LengthDelimited, buf);
            encoding::encode_varint(bytes.len() as u64, buf);
            buf.put_slice(bytes);
            continue;
        }
        let end = used + 2 + bytes.len();
        if end > chunk.len() {
            buf.put_slice(&chunk[..used]);
            used = 0;
        }
        let end = used + 2 + bytes.len();
        chunk[used] = MOVES_KEY;
        chunk[used + 1] = bytes.len() as u8;
        chunk[used + 2..end].copy_from_slice(bytes);
        used = end;
    }
    buf.put_slice(&chunk[..used]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message as prost would generate it.
    #[derive(Clone, PartialEq, Message)]
    struct Reference {
        #[prost(string, repeated, tag = "1")]
        moves: Vec<String>,
        #[prost(uint64, tag = "2")]
        total: u64,
        #[prost(string, tag = "3")]
        next_page_token: String,
        #[prost(string, tag = "4")]
        key: String,
    }

    /// Bytes, length and decoding agree with generated code, for short, long
    /// and no moves.
    #[test]
    fn agrees_with_generated_code() {
        let long = "x".repeat(300);
        let many: Vec<String> = (0..700).map(|idx| format!("c3-{idx}")).collect();
        let cases: [(Vec<&str>, u64, &str, &str); 4] = [
            (vec![], 0, "", ""),
            (vec!["c3-2r", "", "pass"], 3, "", "0123456789abcdef0123456789abcdef"),
            (vec!["a", &long, "b"], 3, "token", ""),
            (many.iter().map(String::as_str).collect(), 2000, "700", "00ff"),
        ];
        for (moves, total, token, key) in cases {
            let mut ours = ListLegalMovesResponse::default();
            moves.iter().for_each(|mv| ours.page.push(mv));
            ours.page.total = total;
            ours.page.next_page_token = token.to_owned();
            ours.key = key.to_owned();
            let reference = Reference {
                moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
                total,
                next_page_token: token.to_owned(),
                key: key.to_owned(),
            };
            let bytes = reference.encode_to_vec();
            assert_eq!(ours.encode_to_vec(), bytes);
            assert_eq!(ours.encoded_len(), bytes.len());
            assert_eq!(ListLegalMovesResponse::decode(&bytes[..]).unwrap(), ours);
        }
    }
}
