//! `pentad.v1.ListLegalMovesResponse`, written by hand.
//!
//! A page has hundreds of moves. With a `String` per move, a page of 288 moves would
//! cost more to build than to compute, so the moves are kept as they are sent.

use bytes::{Buf, BufMut};
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, EncodeError, Message};

/// A page of legal moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListLegalMovesResponse {
    /// Field 1 as it is sent: key, length and text of each move.
    moves: Vec<u8>,
    /// Number of moves on all pages.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// As in DescribePositionResponse.
    pub key: String,
    /// With `texts`, the moves in a player's words.
    pub move_texts: Vec<String>,
}

const MOVES: u32 = 1;
const TOTAL: u32 = 2;
const NEXT_PAGE_TOKEN: u32 = 3;
const KEY: u32 = 4;
const MOVE_TEXTS: u32 = 5;

/// Field 1, length-delimited.
const MOVES_KEY: u8 = 0x0a;

impl ListLegalMovesResponse {
    /// Returns a page without moves, with room for `n_moves` of up to six bytes.
    pub fn with_capacity(n_moves: usize) -> Self {
        ListLegalMovesResponse { moves: Vec::with_capacity(8 * n_moves), ..Self::default() }
    }

    /// Appends a move.
    pub fn push(&mut self, mv: &str) {
        self.moves.push(MOVES_KEY);
        match u8::try_from(mv.len()) {
            Ok(len @ 0..128) => self.moves.push(len),
            _ => encoding::encode_varint(mv.len() as u64, &mut self.moves),
        }
        self.moves.extend_from_slice(mv.as_bytes());
    }

    /// The moves of the page.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut rest = &self.moves[..];
        std::iter::from_fn(move || {
            // `push` has written a key, a length and a text.
            rest = rest.get(1..)?;
            let len = usize::try_from(encoding::decode_varint(&mut rest).ok()?).ok()?;
            let (mv, others) = rest.split_at_checked(len)?;
            rest = others;
            std::str::from_utf8(mv).ok()
        })
    }
}

impl Message for ListLegalMovesResponse {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        buf.put_slice(&self.moves);
        if self.total != 0 {
            encoding::uint64::encode(TOTAL, &self.total, buf);
        }
        if !self.next_page_token.is_empty() {
            encoding::string::encode(NEXT_PAGE_TOKEN, &self.next_page_token, buf);
        }
        if !self.key.is_empty() {
            encoding::string::encode(KEY, &self.key, buf);
        }
        encoding::string::encode_repeated(MOVE_TEXTS, &self.move_texts, buf);
    }

    /// Unlike the provided method, does not compute the length first: tonic's buffer
    /// grows.
    fn encode(&self, buf: &mut impl BufMut) -> Result<(), EncodeError> {
        self.encode_raw(buf);
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        let total = if self.total == 0 { 0 } else { encoding::uint64::encoded_len(TOTAL, &self.total) };
        let text = |tag, text: &String| if text.is_empty() { 0 } else { encoding::string::encoded_len(tag, text) };
        let texts = encoding::string::encoded_len_repeated(MOVE_TEXTS, &self.move_texts);
        self.moves.len() + total + text(NEXT_PAGE_TOKEN, &self.next_page_token) + text(KEY, &self.key) + texts
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
                self.push(&mv);
                Ok(())
            }
            TOTAL => encoding::uint64::merge(wire_type, &mut self.total, buf, ctx),
            NEXT_PAGE_TOKEN => encoding::string::merge(wire_type, &mut self.next_page_token, buf, ctx),
            KEY => encoding::string::merge(wire_type, &mut self.key, buf, ctx),
            MOVE_TEXTS => encoding::string::merge_repeated(wire_type, &mut self.move_texts, buf, ctx),
            _ => encoding::skip_field(wire_type, tag, buf, ctx),
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
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
        #[prost(string, repeated, tag = "5")]
        move_texts: Vec<String>,
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
            let mut ours = ListLegalMovesResponse { total, ..Default::default() };
            moves.iter().for_each(|mv| ours.push(mv));
            ours.next_page_token = token.to_owned();
            ours.key = key.to_owned();
            ours.move_texts = moves.iter().map(|mv| mv.to_uppercase()).collect();
            let reference = Reference {
                moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
                total,
                next_page_token: token.to_owned(),
                key: key.to_owned(),
                move_texts: ours.move_texts.clone(),
            };
            let bytes = reference.encode_to_vec();
            assert_eq!(ours.encode_to_vec(), bytes);
            assert_eq!(ours.encoded_len(), bytes.len());
            assert_eq!(ListLegalMovesResponse::decode(&bytes[..]).unwrap(), ours);
            assert_eq!(ours.iter().collect::<Vec<_>>(), moves);
        }
    }
}
