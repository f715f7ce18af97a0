//! Answers, written once for both edges.
//!
//! The messages of gRPC and the JSON objects of REST have the same fields. They
//! differ in how a type is represented (a protobuf enum is a number, a nested
//! message an option, a JSON object keeps its order), which `into` and `collect`
//! bridge. Each edge brings its types under the same names into scope.

/// Defines the conversions for the types in scope. `$stop` represents a stop reason
/// that may be missing.
macro_rules! answers {
    (stop_reason: $stop:expr) => {
        pub(crate) fn game(ruleset: &Ruleset, language: pentad_model::i18n::Language) -> Game {
            let info = ruleset.info();
            let words = Translations { catalogue: ruleset.catalogue(), language };
            Game {
                id: info.id.clone(),
                name: info.name.clone(),
                version: info.version.clone(),
                abi: abi(info),
                seats: ruleset.variants().first().map(seat_ids).unwrap_or_default(),
                variants: ruleset.variants().iter().map(|it| variant(it, words)).collect(),
                capabilities: capabilities(info).map(Into::into).collect(),
            }
        }

        fn variant(variant: &host::Variant, words: Translations<'_>) -> Variant {
            let seats = &variant.seats;
            Variant {
                id: variant.id.clone(),
                name: words.of("variant", &variant.id, "", &variant.name),
                seats: seat_ids(variant),
                summary: words.of("variant", &variant.id, ".summary", &variant.summary),
                seat_names: seats.iter().map(|seat| (seat.id.clone(), words.of_seat(seat))).collect(),
                sides: seats.iter().map(|seat| (seat.id.clone(), seat.side)).collect(),
            }
        }

        fn layout(variant: &host::Variant, words: Translations<'_>) -> Option<Layout> {
            let board = variant.board.as_ref()?;
            let point = |point: &pentad_model::Point| LayoutPoint {
                id: point.id.clone(),
                x: point.x,
                y: point.y,
                radius: point.radius,
                shape: labels::point_shape(point.shape).into(),
                colour: point.colour.clone(),
            };
            let edge = |&(from, to): &(u32, u32)| LayoutEdge { from: point_id(board, from), to: point_id(board, to) };
            let block = |block: &pentad_model::Block| LayoutBlock {
                id: block.id.clone(),
                x: block.x,
                y: block.y,
                width: block.width,
                height: block.height,
                colour: block.colour.clone(),
                points: block.points.iter().map(|point| point_id(board, *point)).collect(),
            };
            let label = |label: &pentad_model::Label| LayoutLabel { text: label.text.clone(), x: label.x, y: label.y };
            let piece = |piece: &pentad_model::Piece| LayoutPiece {
                id: piece.id.clone(),
                name: words.of("piece", &piece.id, "", &piece.name),
                fill: piece.fill.clone(),
                stroke: piece.stroke.clone(),
                label: piece.label.clone(),
                shape: labels::piece_shape(piece.shape).into(),
                seat: piece.seat.map(|seat| seat_id(variant, seat as usize)).unwrap_or_default(),
            };
            Some(Layout {
                width: board.width,
                height: board.height,
                points: board.points.iter().map(point).collect(),
                edges: board.edges.iter().map(edge).collect(),
                blocks: board.blocks.iter().map(block).collect(),
                labels: board.labels.iter().map(label).collect(),
                pieces: board.pieces.iter().map(piece).collect(),
            })
        }

        fn reason_codes(ruleset: &Ruleset) -> Vec<ReasonCode> {
            let reason_code = |known: &pentad_model::ReasonCode| ReasonCode {
                code: known.code.clone(),
                description: known.description.clone(),
                names_cells: known.names_points,
            };
            ruleset.reason_codes().iter().map(reason_code).collect()
        }

        /// The boards that differ from the default variant's, by variant id.
        fn variant_layouts<C: FromIterator<(String, Layout)>>(
            variants: &[host::Variant],
            words: Translations<'_>,
        ) -> C {
            let others = variants.iter().filter(|variant| variant.board != variants[0].board);
            others.filter_map(|variant| Some((variant.id.clone(), layout(variant, words)?))).collect()
        }

        pub(crate) fn position_answer(description: engine::Description) -> PositionAnswer {
            let variant = &*description.variant;
            let outcome = |outcome: pentad_model::Outcome| GameOutcome {
                scores: scores(variant, &outcome.scores),
                places: by_seat(variant, outcome.places),
                text: outcome.text,
            };
            let board = pieces_by_point(variant.board.as_ref(), &description.pieces);
            PositionAnswer {
                to_move: seat_id(variant, description.to_move),
                legal_move_count: description.n_legal_moves,
                outcome: description.outcome.map(outcome),
                board: board.into_iter().map(|(point, ids)| (point, pieces(ids))).collect(),
                position: description.position,
                key: description.key.to_string(),
            }
        }

        pub(crate) fn evaluation_answer(value: engine::PositionValue) -> EvaluationAnswer {
            let variant = &*value.variant;
            EvaluationAnswer {
                evaluation: evaluation(variant, &value.evaluation).into(),
                to_move: seat_id(variant, value.to_move),
                position: value.position,
                key: value.key.to_string(),
            }
        }

        fn evaluation(variant: &host::Variant, evaluation: &search::Evaluation) -> Evaluation {
            let certainty = match evaluation.certainty {
                search::Certainty::Proven => Certainty::Proven,
                search::Certainty::Estimate => Certainty::Estimate,
            };
            let outcome = |outcome| match outcome {
                search::Wdl::Win => Outcome::Win,
                search::Wdl::Draw => Outcome::Draw,
                search::Wdl::Loss => Outcome::Loss,
            };
            let source = match evaluation.source {
                search::Source::Terminal => Source::Terminal,
                search::Source::Book => Source::Book,
                search::Source::Solver => Source::Solver,
                search::Source::Search => Source::Search,
                search::Source::Static => Source::Static,
            };
            Evaluation {
                certainty: certainty.into(),
                outcome: evaluation.outcome.map(|it| outcome(it).into()),
                plies_to_end: evaluation.plies_to_end,
                scores: scores(variant, &evaluation.scores),
                source: source.into(),
                depth: evaluation.depth,
            }
        }

        pub(crate) fn hints_answer(hints: engine::Hints) -> HintsAnswer {
            let variant = &*hints.variant;
            HintsAnswer {
                hints: hints.hints.into_iter().map(|found| hint(variant, found)).collect(),
                evaluation: evaluation(variant, &hints.evaluation).into(),
                stop_reason: $stop(hints.stop.and_then(stop_reason)),
                depth: hints.depth,
                nodes: hints.nodes,
                elapsed_ms: elapsed_ms(hints.elapsed),
                cached: hints.cached,
                position: hints.position,
                to_move: seat_id(variant, hints.to_move),
                key: hints.key.to_string(),
            }
        }

        pub(crate) fn analysis_update(hints: engine::Hints) -> AnalysisUpdate {
            let r#final = hints.stop.is_some();
            AnalysisUpdate { hints: hints_answer(hints).into(), r#final }
        }

        fn reasons(reasons: Vec<pentad_model::Reason>) -> Vec<MoveReason> {
            let reason = |it: pentad_model::Reason| MoveReason { code: it.code, text: it.text, cells: it.points };
            reasons.into_iter().map(reason).collect()
        }

        fn hint(variant: &host::Variant, hint: engine::Hint) -> Hint {
            Hint {
                r#move: hint.mv,
                evaluation: evaluation(variant, &hint.evaluation).into(),
                line: hint.line,
                reasons: reasons(hint.reasons),
                equivalents: hint.equivalents,
                area: hint.area,
            }
        }

        fn reviewed_move(variant: &host::Variant, it: engine::ReviewedMove) -> ReviewedMove {
            ReviewedMove {
                index: index(it.move_idx),
                seat: seat_id(variant, it.seat),
                r#move: it.mv,
                loss: rounded(it.loss),
                label: move_label(it.label),
                before: evaluation(variant, &it.before).into(),
                after: evaluation(variant, &it.after).into(),
                best_move: it.best_move,
                best_line: it.best_line,
                reply: it.reply,
                reasons: reasons(it.reasons),
            }
        }

        fn review_progress(variant: &host::Variant, it: engine::ReviewProgress) -> ReviewProgress {
            ReviewProgress {
                done: index(it.done),
                total: index(it.total),
                time_left_ms: elapsed_ms(it.time_left),
                summary: review_summary(variant, it.summary).into(),
            }
        }

        fn review_summary(variant: &host::Variant, summary: engine::ReviewSummary) -> ReviewSummary {
            let seat = |it: &engine::SeatReview| SeatReview {
                accuracy: it.accuracy().map(rounded),
                labels: it.labels.iter().map(|(label, count)| (label.as_str().to_owned(), *count)).collect(),
                loss: rounded(it.loss),
                stake: rounded(it.stake),
            };
            let score_point = |it: Option<search::Scores>| score_point(it.map(|it| scores(variant, &it)));
            ReviewSummary {
                seats: by_seat(variant, summary.seats.iter().map(seat)),
                turning_points: summary.turning_points.into_iter().map(index).collect(),
                scores: summary.scores.into_iter().map(score_point).collect(),
                complete: summary.is_complete,
            }
        }

        pub(crate) fn comparison_answer(comparison: engine::Comparison) -> ComparisonAnswer {
            let variant = &*comparison.variant;
            let compared = |it: engine::ComparedMove| MoveComparison {
                r#move: it.mv,
                evaluation: evaluation(variant, &it.evaluation).into(),
                reply: it.reply,
                line: it.line,
                differs_at: it.differs_at.map(index),
                reasons: reasons(it.reasons),
            };
            ComparisonAnswer {
                comparisons: comparison.moves.into_iter().map(compared).collect(),
                best_move: comparison.best_move,
                position: comparison.position,
                to_move: seat_id(variant, comparison.to_move),
                best_line: comparison.best_line,
                evaluation: evaluation(variant, &comparison.evaluation).into(),
                key: comparison.key.to_string(),
            }
        }

        pub(crate) fn exploration_answer(exploration: engine::Exploration) -> ExplorationAnswer {
            let variant = &*exploration.variant;
            let explored = |it: engine::ExploredMove| ExploredMove {
                r#move: it.mv,
                equivalents: it.equivalents,
                games: it.games,
                scores: it.scores.map_or_else(|| std::iter::empty().collect(), |it| scores(variant, &it)),
                evaluation: evaluation(variant, &it.evaluation).into(),
                proven_share: rounded(it.proven_share),
            };
            ExplorationAnswer {
                moves: exploration.moves.into_iter().map(explored).collect(),
                total: exploration.total,
                next_page_token: exploration.next_page_token,
                games: exploration.games,
                position: exploration.position,
                to_move: seat_id(variant, exploration.to_move),
                key: exploration.key.to_string(),
            }
        }

        fn puzzle(variant: &host::Variant, it: engine::Puzzle) -> Puzzle {
            Puzzle {
                position: it.position,
                to_move: seat_id(variant, it.to_move),
                solutions: it.solutions.into_iter().map(solution_line).collect(),
                theme: it.theme,
                difficulty: rounded(it.difficulty),
                plies_to_end: it.plies_to_end,
                first_moves: it.first_moves,
                move_index: it.move_idx.map(index),
                key: it.key.to_string(),
            }
        }

        fn puzzle_progress(it: engine::PuzzleProgress) -> PuzzleProgress {
            PuzzleProgress { found: index(it.found), wanted: index(it.wanted), looked_at: it.looked_at }
        }

        fn stop_reason(stop: engine::StopReason) -> Option<StopReason> {
            Some(match stop {
                engine::StopReason::Proven => StopReason::Proven,
                engine::StopReason::Time => StopReason::Time,
                engine::StopReason::Nodes => StopReason::Nodes,
                engine::StopReason::Depth => StopReason::Depth,
                engine::StopReason::Deadline => StopReason::Deadline,
                engine::StopReason::Load => StopReason::Load,
                engine::StopReason::Shutdown => StopReason::Shutdown,
                // There is no caller left to receive it.
                engine::StopReason::Cancelled => return None,
            })
        }
    };
}

pub(super) use answers;
