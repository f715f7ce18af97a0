//! `pentad.layout/1`.

use std::ffi::c_void;
use std::ptr;

use pentad_abi as abi;

use super::{Plugin, catch_panic, lookup};
use crate::abilities::{Board, Layout};

/// The extension, if that is its id.
pub fn extension<P: Plugin<Rules: Layout>>(id: &[u8]) -> Option<*const c_void> {
    lookup(id, abi::LAYOUT_1, const { &Table::<P>::LAYOUT })
}

struct Table<P>(P);

impl<P: Plugin<Rules: Layout>> Table<P> {
    const LAYOUT: abi::Layout = abi::Layout { board: Some(board::<P>), pieces: Some(pieces::<P>) };
}

/// A board, and the tables of the ABI that point into it. Both live as long as
/// the variant, which is for ever.
#[derive(Debug)]
pub struct BoardTables {
    points: Vec<abi::Point>,
    edges: Vec<abi::Edge>,
    blocks: Vec<abi::Block>,
    labels: Vec<abi::Label>,
    pieces: Vec<abi::Piece>,
    /// What the texts and indices above point into; never changed.
    board: Board,
}

// SAFETY: the pointers lead into `board`, which is owned, never changed and
// never moved out of its heap buffers.
unsafe impl Send for BoardTables {}
// SAFETY: as above.
unsafe impl Sync for BoardTables {}

impl BoardTables {
    fn new(board: Board) -> Self {
        let text = |text: &String| abi::Str::new(text);
        let point = |p: &crate::Point| abi::Point {
            id: text(&p.id),
            x: p.x,
            y: p.y,
            radius: p.radius,
            shape: p.shape as u32,
            reserved: 0,
            colour: text(&p.colour),
        };
        let block = |b: &crate::Block| abi::Block {
            id: text(&b.id),
            x: b.x,
            y: b.y,
            width: b.width,
            height: b.height,
            colour: text(&b.colour),
            points: b.points.as_ptr(),
            n_points: b.points.len() as u64,
        };
        let piece = |p: &crate::Piece| abi::Piece {
            id: text(&p.id),
            name: text(&p.name),
            fill: text(&p.fill),
            stroke: text(&p.stroke),
            label: text(&p.label),
            shape: p.shape as u32,
            seat: p.seat.unwrap_or(abi::NO_SEAT),
        };
        BoardTables {
            points: board.points.iter().map(point).collect(),
            edges: board.edges.iter().map(|&(from, to)| abi::Edge { from, to }).collect(),
            blocks: board.blocks.iter().map(block).collect(),
            labels: board.labels.iter().map(|l| abi::Label { text: text(&l.text), x: l.x, y: l.y }).collect(),
            pieces: board.pieces.iter().map(piece).collect(),
            board,
        }
    }

    fn abi(&self) -> abi::Board {
        abi::Board {
            width: self.board.width,
            height: self.board.height,
            points: self.points.as_ptr(),
            n_points: self.points.len() as u64,
            edges: self.edges.as_ptr(),
            n_edges: self.edges.len() as u64,
            blocks: self.blocks.as_ptr(),
            n_blocks: self.blocks.len() as u64,
            labels: self.labels.as_ptr(),
            n_labels: self.labels.len() as u64,
            pieces: self.pieces.as_ptr(),
            n_pieces: self.pieces.len() as u64,
        }
    }
}

unsafe extern "C" fn board<P: Plugin<Rules: Layout>>(variant: u32, out: *mut abi::Board) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        let tables = instance.board.get_or_init(|| BoardTables::new(instance.rules.board()));
        // SAFETY: the host passes `out` writable.
        unsafe { out.write(tables.abi()) };
        Ok(())
    })
}

unsafe extern "C" fn pieces<P: Plugin<Rules: Layout>>(
    variant: u32,
    position: *const u8,
    out: *const abi::Placer,
) -> abi::Status {
    catch_panic(ptr::null_mut(), || {
        let instance = P::instances().get(variant)?;
        // SAFETY: the host passes a position of this variant and a placer.
        let (position, out) = unsafe { (instance.read(position)?, &*out) };
        let mut stop = 0;
        instance.rules.pieces(&position, &mut |point, piece| {
            if stop == 0 {
                // SAFETY: the host's placer takes any numbers.
                stop = unsafe { (out.place)(out.ctx, point as u32, piece as u32) };
            }
        });
        if stop == 0 { Ok(()) } else { Err(abi::STOPPED) }
    })
}
