//! Legality of moves, rule by rule.

use crate::board::{Figure, Stop, reach};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::BlockPhase;

/// Why a well-formed move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IllegalMove {
    GameOver,
    PassWithMoves,
    MustPass,
    FigureOut(Figure),
    MustMoveOut(Figure),
    NotOnGoal(Figure),
    SameStop(Stop),
    OutOfReach(Figure, Stop),
    SwapNotNamed(Stop),
    NobodyToSwap(Stop),
    NotThere(Figure, Stop),
    Ko(Figure, Figure),
    BlackNotPut(Stop),
    NoBlackToPut,
    NotFree(Stop),
    GreyCount { wanted: u32, found: u32 },
    GreyOutside,
    NoGreyOutside,
    NoGreyAt(Stop),
}

impl Position {
    /// Checks that a move is legal; the error is the first rule that it breaks.
    pub(crate) fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let Some(figure) = mv.figure() else {
            return if self.must_pass() { Ok(()) } else { Err(IllegalMove::PassWithMoves) };
        };
        if self.must_pass() {
            return Err(IllegalMove::MustPass);
        }
        let Some(origin) = self.stop_of(figure) else { return Err(IllegalMove::FigureOut(figure)) };
        let on_goal = self.figures_of(self.to_move()).find(|figure| self.stop_of(*figure) == Some(figure.goal()));
        let phase = match (mv.to(), on_goal) {
            (None, Some(_)) if origin == figure.goal() => self.block_phase_out(figure),
            (_, Some(other)) => return Err(IllegalMove::MustMoveOut(other)),
            (None, None) => return Err(IllegalMove::NotOnGoal(figure)),
            (Some(to), None) => {
                self.check_step(figure, origin, to, mv.swapped_figure())?;
                self.block_phase(figure, to, mv.swapped_figure())
            }
        };
        check_blocks(&phase, mv)
    }

    fn check_step(&self, figure: Figure, origin: Stop, to: Stop, swap: Option<Figure>) -> Result<(), IllegalMove> {
        if to == origin {
            return Err(IllegalMove::SameStop(to));
        }
        let reach = reach(origin, self.occupied());
        if !reach.free.union(reach.blockers).contains(to) {
            return Err(IllegalMove::OutOfReach(figure, to));
        }
        match (self.figures.contains(to), swap) {
            (false, None) => Ok(()),
            (false, Some(_)) => Err(IllegalMove::NobodyToSwap(to)),
            (true, None) => Err(IllegalMove::SwapNotNamed(to)),
            (true, Some(other)) if self.stop_of(other) != Some(to) => Err(IllegalMove::NotThere(other, to)),
            (true, Some(other)) if self.is_ko(figure, other) => Err(IllegalMove::Ko(figure, other)),
            (true, Some(_)) => Ok(()),
        }
    }
}

fn check_blocks(phase: &BlockPhase, mv: Move) -> Result<(), IllegalMove> {
    match (phase.beats_black, mv.black()) {
        (true, None) => return Err(IllegalMove::BlackNotPut(mv.to().unwrap_or(Stop(0)))),
        (false, Some(_)) => return Err(IllegalMove::NoBlackToPut),
        (true, Some(stop)) if !phase.free_for_black().contains(stop) => return Err(IllegalMove::NotFree(stop)),
        _ => {}
    }
    let found = mv.greys().count() as u32;
    if found != phase.n_out {
        return Err(IllegalMove::GreyCount { wanted: phase.n_out, found });
    }
    let mut greys = phase.grey_phase(mv.black());
    for grey in mv.greys() {
        match grey.from {
            Some(_) if greys.any_outside() => return Err(IllegalMove::GreyOutside),
            None if !greys.any_outside() => return Err(IllegalMove::NoGreyOutside),
            Some(from) if !greys.grey.contains(from) => return Err(IllegalMove::NoGreyAt(from)),
            _ => {}
        }
        if !greys.free.contains(grey.to) {
            return Err(IllegalMove::NotFree(grey.to));
        }
        greys = greys.after(grey);
    }
    Ok(())
}
