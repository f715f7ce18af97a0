// Written by schema.mjs from the server's OpenAPI document; do not edit.

export interface components {
    schemas: {
        /** @description A whole analysis. */
        AnalysisAnswer: {
            /** @description The last hints. */
            final: components["schemas"]["HintsAnswer"];
            /** @description The hints as they improved, up to the last 100 updates. */
            updates: components["schemas"]["HintsAnswer"][];
        };
        /** @description An event of a stream of `analysis`. */
        AnalysisEvent: {
            /** @description JSON: an `AnalysisUpdate`, or the `Problem` of an `error`. */
            data: string;
            /** @description The kind of the event. */
            event: components["schemas"]["AnalysisEventKind"];
            /** @description Counts the updates; `end` for the last event. */
            id: string;
            /**
             * Format: int32
             * @description How long to wait before reconnecting, in milliseconds.
             */
            retry: number;
        };
        /**
         * @description The kind of an event.
         * @enum {string}
         */
        AnalysisEventKind: "update" | "final" | "error";
        /** @description One line of a stream of `analysis` in `application/x-ndjson`. */
        AnalysisLine: components["schemas"]["AnalysisUpdate"] | {
            /** @description Why. */
            error: components["schemas"]["Problem"];
        };
        /**
         * @description A position to find the best moves of, and how often to report them.
         * @example {
         *       "limits": {
         *         "timeMs": 500
         *       },
         *       "moves": [
         *         "c3-2r"
         *       ],
         *       "reportIntervalMs": 100
         *     }
         */
        AnalysisQuestion: {
            /** @description Only these moves are considered. */
            allowMoves?: string[] | null;
            /** @description These moves are not considered. */
            avoidMoves?: string[] | null;
            /**
             * Format: int32
             * @description As in a question for hints.
             */
            count?: number | null;
            detail?: components["schemas"]["Detail"] | null;
            /**
             * Format: int32
             * @description As in a question for hints.
             */
            level?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /** @description As in a question for hints. */
            policy?: boolean | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /**
             * Format: uint64
             * @description At most one update per interval, the latest one; the first and the last are sent at
             *     once. Every improvement by default.
             */
            reportIntervalMs?: number | null;
            /**
             * Format: uint64
             * @description As in a question for hints.
             */
            seed?: number | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description The hints found so far. */
        AnalysisUpdate: components["schemas"]["HintsAnswer"] & {
            /** @description Whether this is the last update. */
            final: boolean;
        };
        /** @description How a batch ended. */
        BatchDone: {
            /** Format: int64 */
            answered: number;
            /** Format: int64 */
            cancelled: number;
            /**
             * @description Whether the whole body was read. False if an error or a shutdown came first:
             *     unanswered questions may be sent again.
             */
            complete: boolean;
            /** Format: int64 */
            failed: number;
        };
        /** @description One line of the response to a batch. */
        BatchLine: {
            /** @description As the call of the question's kind answers. */
            answer: Record<string, never>;
            /** @description As in the question. */
            id: string;
        } | {
            /** @description Why. */
            error: components["schemas"]["Problem"];
            /** @description As in the question, where one could be found. */
            id?: string | null;
            /**
             * Format: int64
             * @description The line of the question, from 1.
             */
            line?: number | null;
        } | {
            /** @description Its id. */
            cancelled: string;
        } | {
            /** @description Counts so far. */
            progress: components["schemas"]["BatchProgress"];
        } | {
            /** @description Final counts. */
            done: components["schemas"]["BatchDone"];
        };
        /** @description Progress of a batch. */
        BatchProgress: {
            /** Format: int64 */
            answered: number;
            /** Format: int64 */
            cancelled: number;
            /** Format: int64 */
            failed: number;
            /**
             * Format: int64
             * @description Questions that are read and still unanswered.
             */
            pending: number;
        };
        /**
         * @description Whether a value is proven.
         * @enum {string}
         */
        Certainty: "proven" | "estimate";
        /** @description Moves of a position, side by side. */
        ComparisonAnswer: {
            /** @description The expected line after the best move, starting with the move itself. */
            bestLine: string[];
            /** @description The best of all legal moves. */
            bestMove: string;
            /**
             * @description The best move in a player's words, in the language of the request; empty if the game
             *     has none.
             */
            bestMoveText: string;
            /** @description In the order of `compareMoves`. */
            comparisons: components["schemas"]["MoveComparison"][];
            /** @description The value of the position. */
            evaluation: components["schemas"]["Evaluation"];
            /** @description As in the response of `position`. */
            key: string;
            /** @description The position after `moves`, in canonical form. */
            position: string;
            /** @description Id of the seat whose turn it is. */
            toMove: string;
        };
        /**
         * @description Moves of a position to compare.
         * @example {
         *       "compareMoves": [
         *         "d4-1l",
         *         "c4-1r"
         *       ],
         *       "limits": {
         *         "timeMs": 500
         *       },
         *       "moves": [
         *         "c3-2r"
         *       ]
         *     }
         */
        ComparisonQuestion: {
            /** @description 2 to 8 different legal moves. */
            compareMoves?: string[] | null;
            limits?: components["schemas"]["Limits"] | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /**
         * @description How much a hint reveals.
         * @enum {string}
         */
        Detail: "nudge" | "area" | "move" | "line";
        /**
         * @description The value of a position or move. An estimate never contradicts a proof.
         * @example {
         *       "certainty": "proven",
         *       "depth": 3,
         *       "outcome": "win",
         *       "pliesToEnd": 3,
         *       "scores": {
         *         "b": 0,
         *         "w": 1
         *       },
         *       "source": "search"
         *     }
         */
        Evaluation: {
            /** @description Whether the value is proven. */
            certainty: components["schemas"]["Certainty"];
            /**
             * Format: int32
             * @description Search depth in plies.
             */
            depth: number;
            outcome: components["schemas"]["Outcome"] | null;
            /**
             * Format: int32
             * @description Plies to the end of the game with best play, where known.
             */
            pliesToEnd: number | null;
            /**
             * @description Expected score of every seat, 0 to 1, by seat id, independent of whose
             *     turn it is.
             */
            scores: {
                [key: string]: number;
            };
            /** @description Where the value comes from. */
            source: components["schemas"]["Source"];
        };
        /** @description The evaluation of a position. */
        EvaluationAnswer: {
            /** @description The value of the position. */
            evaluation: components["schemas"]["Evaluation"];
            /** @description As in the response of `position`. */
            key: string;
            /** @description The position after `moves`, in canonical form. */
            position: string;
            /** @description Id of the seat whose turn it is, or would be. */
            toMove: string;
        };
        /**
         * @description A position to evaluate.
         * @example {
         *       "limits": {
         *         "timeMs": 500
         *       },
         *       "moves": [
         *         "c3-2r"
         *       ]
         *     }
         */
        EvaluationQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description What is known of each move of a position. */
        ExplorationAnswer: {
            /**
             * Format: int64
             * @description Recorded games that continued from this or a symmetric position.
             */
            games: number;
            /** @description As in the response of `position`. */
            key: string;
            /**
             * @description One entry per distinct move: moves that lead to the same or a symmetric position
             *     share one. Ordered by number of games, then by value for the seat to move. Pages
             *     may overlap if games are recorded meanwhile.
             */
            moves: components["schemas"]["ExploredMove"][];
            /** @description Empty on the last page. */
            nextPageToken: string;
            /** @description The position after `moves`, in canonical form. */
            position: string;
            /** @description Id of the seat whose turn it is. */
            toMove: string;
            /**
             * Format: int64
             * @description Number of distinct moves on all pages; 0 if the game is over.
             */
            total: number;
        };
        /**
         * @description A position whose moves to explore.
         * @example {
         *       "moves": [
         *         "c3-2r"
         *       ],
         *       "pageSize": 20
         *     }
         */
        ExplorationQuestion: {
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /**
             * Format: uint32
             * @description Maximum number of moves on this page; the server's maximum by default.
             */
            pageSize?: number | null;
            /**
             * @description `nextPageToken` of the previous page; the rest of the question must be the
             *     same.
             */
            pageToken?: string | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description What is known of a move. */
        ExploredMove: {
            /**
             * @description Other moves that lead to the same position or a symmetric one. Not listed where
             *     there are more than 2,000 legal moves.
             */
            equivalents: string[];
            /**
             * @description The best known value: a proof before an estimate, a deeper search before a
             *     shallower one; static if nothing else is known.
             */
            evaluation: components["schemas"]["Evaluation"];
            /**
             * Format: int64
             * @description Recorded games with this move.
             */
            games: number;
            /** @description In canonical notation. */
            move: string;
            /**
             * Format: double
             * @description Share of the distinct replies whose value is proven; 1 if the move's own value is
             *     proven.
             */
            provenShare: number;
            /** @description Their mean result per seat, 0 to 1; empty without games. */
            scores: {
                [key: string]: number;
            };
        };
        /** @description A game that is served. */
        Game: {
            /**
             * @description ABI version that the rule set was built for.
             * @example 1.0
             */
            abi: string;
            /**
             * @description Optional capabilities of the rule set: `search`, `symmetry`, `layout`,
             *     `reasons`, `threats`. Hints and evaluations work without any of them; without
             *     `threats` only the wins of the seat to move are known.
             */
            capabilities: string[];
            /**
             * @description Identifies the game in paths.
             * @example pentago
             */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Ids of the seats of the default variant, in playing order. */
            seats: string[];
            /** @description The default variant comes first. */
            variants: components["schemas"]["Variant"][];
            /** @description Version of the rule set. */
            version: string;
        };
        /** @description A game with its rules, notation and board. */
        GameAnswer: components["schemas"]["Game"] & {
            layout: components["schemas"]["Layout"] | null;
            /** @description How positions and moves are written. */
            notation: string;
            /** @description The codes of the rule set's reasons; empty if it does not list them. */
            reasonCodes: components["schemas"]["ReasonCode"][];
            /** @description How the game is played. */
            rules: string;
            /** @description The kinds of the rule set's threats; empty if it does not list them. */
            threatKinds: components["schemas"]["ThreatKind"][];
            /** @description The boards of variants that differ from it, by variant id. */
            variantLayouts: {
                [key: string]: components["schemas"]["Layout"];
            };
        };
        /** @description How a game ended. */
        GameOutcome: {
            /** @description Places by seat id; 1 is best, ties share a place. */
            places: {
                [key: string]: number;
            };
            /** @description Scores by seat id, 0 to 1. */
            scores: {
                [key: string]: number;
            };
            /** @description A sentence for players, in the language of the request. */
            text: string;
        };
        /** @description The games that are served. */
        GamesAnswer: {
            /** @description Sorted by id. */
            games: components["schemas"]["Game"][];
        };
        /** @description A suggested move. */
        Hint: {
            /** @description Ids of the points to look at, for the detail `area`. */
            area: string[];
            /** @description Other moves that lead to the same position or a symmetric one. */
            equivalents: string[];
            /** @description The value of the move. */
            evaluation: components["schemas"]["Evaluation"];
            /** @description The expected line, starting with the move itself. */
            line: string[];
            /** @description In canonical notation; empty if `detail` withholds it. */
            move: string;
            /**
             * @description The move in a player's words, in the language of the request: `b2, then block 1
             *     turned left`. Empty if the game has none, or `detail` withholds the move.
             */
            moveText: string;
            /** @description The most important comes first. */
            reasons: components["schemas"]["MoveReason"][];
        };
        /** @description The best moves. */
        HintsAnswer: {
            /** @description Whether the result comes from the cache. */
            cached: boolean;
            /**
             * Format: int32
             * @description Completed search depth in plies.
             */
            depth: number;
            /**
             * Format: double
             * @description Time from the arrival of the request to the response.
             */
            elapsedMs: number;
            /** @description The value of the position. */
            evaluation: components["schemas"]["Evaluation"];
            /** @description Best first; below level 10 in the order in which that level would choose. */
            hints: components["schemas"]["Hint"][];
            /** @description As in the response of `position`. */
            key: string;
            /**
             * Format: int64
             * @description Positions visited.
             */
            nodes: number;
            /** @description With `policy`, every different move that was valued, best first; else empty. */
            policy: components["schemas"]["PolicyMove"][];
            /** @description The position after `moves`, in canonical form. */
            position: string;
            stopReason: components["schemas"]["StopReason"] | null;
            /** @description Id of the seat whose turn it is. */
            toMove: string;
        };
        /**
         * @description A position to find the best moves of.
         * @example {
         *       "count": 3,
         *       "limits": {
         *         "timeMs": 500
         *       },
         *       "moves": [
         *         "c3-2r"
         *       ]
         *     }
         */
        HintsQuestion: {
            /** @description Only these moves are considered. */
            allowMoves?: string[] | null;
            /** @description These moves are not considered. */
            avoidMoves?: string[] | null;
            /**
             * Format: int32
             * @description Number of hints, 1 by default. Moves that lead to the same or a symmetric
             *     position count as one.
             */
            count?: number | null;
            detail?: components["schemas"]["Detail"] | null;
            /**
             * Format: int32
             * @description Playing strength, 1 to 10; 10, the default, is full strength. Lower levels search
             *     less deeply, overlook moves and misjudge others. Levels from 6 play every win in
             *     one, levels from 8 every proven win. `limits` can only make a level weaker.
             */
            level?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /**
             * @description Whether to value every different move (up to 1,000) and give each a probability.
             *     Valuing them all takes more of the limits than finding the best. Not with a `level`
             *     below 10 or a `detail` that withholds moves.
             */
            policy?: boolean | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /**
             * Format: uint64
             * @description Seed of the choices of levels below 10: the same seed and limits give the same
             *     choice. Random by default, so that bots vary.
             */
            seed?: number | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description What was counted in a game. */
        JudgeAnswer: {
            /** @description By seat id. */
            seats: {
                [key: string]: components["schemas"]["SeatJudgement"];
            };
        };
        /**
         * @description A game whose decisions are judged; a kind of question of batches.
         * @example {
         *       "limits": {
         *         "nodes": 20000
         *       },
         *       "moves": [
         *         "c3-2r",
         *         "d4-1l",
         *         "c4-1r"
         *       ]
         *     }
         */
        JudgeQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            /**
             * @description The moves of the game, or of its beginning. Those that are not legal are counted as
             *     illegal attempts and skipped; moves after the end of the game are ignored.
             */
            moves?: string[] | null;
            /** @description Position that the game began with; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /**
         * @description A board as data, for drawing. Coordinates are in units of about one cell, x to the
         *     right, y downwards, from 0, 0 to width, height. Colours are `#rrggbb` or empty.
         */
        Layout: {
            /** @description Groups of points. */
            blocks: components["schemas"]["LayoutBlock"][];
            /** @description Lines between points. */
            edges: components["schemas"]["LayoutEdge"][];
            /**
             * Format: double
             * @description Height of the drawing.
             */
            height: number;
            /** @description Text beside the board. */
            labels: components["schemas"]["LayoutLabel"][];
            /** @description Kinds of pieces. */
            pieces: components["schemas"]["LayoutPiece"][];
            /** @description Points that may hold pieces. */
            points: components["schemas"]["LayoutPoint"][];
            /**
             * Format: double
             * @description Width of the drawing.
             */
            width: number;
        };
        /** @description A group of points, drawn as a rectangle behind them. */
        LayoutBlock: {
            /** @description `#rrggbb` or empty. */
            colour: string;
            /**
             * Format: double
             * @description Extent downwards.
             */
            height: number;
            /** @description As used in moves; may be empty. */
            id: string;
            /** @description Ids of points. */
            points: string[];
            /**
             * Format: double
             * @description Extent to the right.
             */
            width: number;
            /**
             * Format: double
             * @description Left edge.
             */
            x: number;
            /**
             * Format: double
             * @description Top edge.
             */
            y: number;
        };
        /** @description A line between two points, by their ids. */
        LayoutEdge: {
            /** @description Id of a point. */
            from: string;
            /** @description Id of a point. */
            to: string;
        };
        /** @description Text beside the board, centred at a point. */
        LayoutLabel: {
            /** @description The text. */
            text: string;
            /**
             * Format: double
             * @description Centre, from the left.
             */
            x: number;
            /**
             * Format: double
             * @description Centre, from the top.
             */
            y: number;
        };
        /** @description A kind of piece. */
        LayoutPiece: {
            /** @description `#rrggbb` or empty. */
            fill: string;
            /** @description As used in positions and in `board`. */
            id: string;
            /** @description Drawn on the piece; may be empty. */
            label: string;
            /** @description Display name. */
            name: string;
            /** @description Id of the seat that owns it; empty if none does. */
            seat: string;
            /** @description `disc`, `ring`, `square` or `spot`. */
            shape: string;
            /** @description `#rrggbb` or empty. */
            stroke: string;
        };
        /** @description A point that may hold pieces. */
        LayoutPoint: {
            /** @description `#rrggbb` or empty. */
            colour: string;
            /** @description As used in moves. */
            id: string;
            /**
             * Format: double
             * @description Radius of the point as drawn.
             */
            radius: number;
            /** @description `hidden`, `hole`, `cell` or `stop`. */
            shape: string;
            /**
             * Format: double
             * @description Centre, from the left.
             */
            x: number;
            /**
             * Format: double
             * @description Centre, from the top.
             */
            y: number;
        };
        /**
         * @description Limits of a search, which stops at the first one it reaches. Values above
         *     the server's maximums are lowered to them. Without any, the time is 1,000 ms.
         */
        Limits: {
            /**
             * Format: uint32
             * @description Search depth in plies.
             */
            depth?: number | null;
            /**
             * Format: uint64
             * @description Positions visited. With this limit alone, equal requests get equal
             *     responses.
             */
            nodes?: number | null;
            /**
             * Format: uint64
             * @description Time from the arrival of the request to the response.
             */
            timeMs?: number | null;
        };
        /** @description One of the moves that are compared. */
        MoveComparison: {
            /**
             * Format: int32
             * @description Index into `line` from which it differs from `bestLine`; null if it does not.
             */
            differsAt: number | null;
            /** @description Its value, from the same search as the other moves. */
            evaluation: components["schemas"]["Evaluation"];
            /**
             * @description The expected line, starting with the move itself; up to the end of the game for a
             *     proven win or loss.
             */
            line: string[];
            /** @description In canonical notation. */
            move: string;
            /**
             * @description The move in a player's words, in the language of the request; empty if the game has
             *     none.
             */
            moveText: string;
            /**
             * @description Verified facts. In games with the capability `threats`, a move that is proven
             *     worse than the best one may also have `block_missed` (another side already had a
             *     win in one, and the move does not stop it) and `undone_by` (the move threatens to
             *     win, and the reply stops that), with the cells of that win. Where nothing is
             *     proven, the only reason is `estimate`.
             */
            reasons: components["schemas"]["MoveReason"][];
            /** @description The best reply; empty if the move ends the game. */
            reply: string;
            /** @description The reply in words. */
            replyText: string;
        };
        /**
         * @description The name of a played move's quality. With n sides the losses are 2/n of these.
         * @enum {string}
         */
        MoveLabel: "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "only_move" | "forced" | "missed_win" | "slower_win" | "lost_anyway";
        /** @description Why a move is good or bad. */
        MoveReason: {
            /** @description Ids of points of the layout. */
            cells: string[];
            /**
             * @description One of the game's `reasonCodes`. For moves that the rule set does not explain, the
             *     server reports what is proven: `wins`, `forced_win`, `draws`, `loses`,
             *     `only_move`.
             */
            code: string;
            /** @description A sentence for players, in the language of the request. */
            text: string;
        };
        /** @description A page of legal moves. */
        MovesAnswer: {
            /** @description As in the response of `position`. */
            key: string;
            /**
             * @description With `texts`, the moves in a player's words, in the same order and in the language
             *     of the request; empty where the game has none. Else there are no texts.
             */
            moveTexts: string[];
            /**
             * @description In canonical order.
             * @example [
             *       "a1-1l",
             *       "a1-1r"
             *     ]
             */
            moves: string[];
            /** @description Empty on the last page. */
            nextPageToken: string;
            /**
             * Format: int64
             * @description Number of moves on all pages.
             */
            total: number;
        };
        /**
         * @description Which legal moves to list.
         * @example {
         *       "pageSize": 100,
         *       "position": "6/6/6/6/6/6 w",
         *       "prefix": "c3-"
         *     }
         */
        MovesQuestion: {
            /**
             * @description Only the first of several moves that lead to the same position. This plays every
             *     move, so more than 1,000,000 of them are refused as `too_large`; narrow them down
             *     with `prefix`.
             */
            distinct?: boolean | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /**
             * Format: uint32
             * @description Maximum number of moves on this page; the server's maximum by default.
             */
            pageSize?: number | null;
            /**
             * @description `nextPageToken` of the previous page; the rest of the question must be the
             *     same.
             */
            pageToken?: string | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Only moves whose text has this prefix. */
            prefix?: string | null;
            /** @description Whether to give the moves in a player's words as well. */
            texts?: boolean | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /**
         * @description The result for the side to move.
         * @enum {string}
         */
        Outcome: "win" | "draw" | "loss";
        /** @description A move with its value, and a probability that is derived from the values. */
        PolicyMove: {
            /**
             * @description Other moves that lead to the same position or a symmetric one; they share the
             *     probability.
             */
            equivalents: string[];
            /** @description The value of the move. */
            evaluation: components["schemas"]["Evaluation"];
            /** @description In canonical notation. */
            move: string;
            /**
             * Format: double
             * @description Proportional to exp(score / 0.05) of the expected score, with n sides exp(score · n /
             *     0.1): a move worth 0.05 less is e times less probable. Proven wins share everything;
             *     proven losses get 0 while there are other moves. All add up to 1. It is no share of
             *     visits: the searches do not try moves in proportion to their worth.
             */
            probability: number;
        };
        /** @description The facts of a position. */
        PositionAnswer: {
            /** @description Piece ids by point id of the layout. Empty points are left out. */
            board: {
                [key: string]: string[];
            };
            /**
             * @description Equal for equal and symmetric positions of a variant. Callers may send it as the
             *     header `x-pentad-key`, so that a proxy sends questions about such positions to one
             *     replica; the server itself does not read it.
             * @example 14d9232a37a15fa0a5c789198c11f42a
             */
            key: string;
            /**
             * Format: int64
             * @description Number of legal moves.
             */
            legalMoveCount: number;
            outcome: components["schemas"]["GameOutcome"] | null;
            /**
             * @description The position after `moves`, in canonical form.
             * @example 6/6/2w3/6/6/6 b
             */
            position: string;
            /** @description Id of the seat whose turn it is, or would be. */
            toMove: string;
        };
        /**
         * @description A position of the game.
         * @example {
         *       "moves": [
         *         "c3-2r"
         *       ],
         *       "position": "6/6/6/6/6/6 w"
         *     }
         */
        PositionQuestion: {
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /**
         * @description Why a request failed.
         * @example {
         *       "detail": "moves[1] `c3-1r`: c3 is occupied",
         *       "field": "moves[1]",
         *       "index": 1,
         *       "reason": "illegal_move",
         *       "requestId": "5b3f0c9d2a71e846",
         *       "status": 422,
         *       "title": "Illegal move",
         *       "type": "/docs/errors/illegal_move"
         *     }
         */
        Problem: {
            /**
             * Format: int32
             * @description Position of the offending character in that field, from 1.
             */
            column?: number | null;
            /** @description Describes this error. */
            detail: string;
            /** @description The invalid part of the request: `moves[1]`, `limits.timeMs`. */
            field?: string | null;
            /** @description Index of the move in its list, from 0. */
            index?: number | null;
            /** @description From a closed list, the same in gRPC. */
            reason: components["schemas"]["Reason"];
            /** @description Id of the request, also in the header `x-request-id` and in the server's log. */
            requestId: string;
            /**
             * Format: int64
             * @description How long to wait before a retry.
             */
            retryAfterMs?: number | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The same for every problem of this type. */
            title: string;
            /**
             * @description The path of a page on this server about the reason: `/docs/errors/` and the
             *     reason. `about:blank` for errors of HTTP itself: an unknown path, method, media
             *     type or host name, or a web page that may not call. Programs decide by `reason`.
             */
            type: string;
        };
        /** @description A position that exactly one distinct move wins in time, proven for every defence. */
        Puzzle: {
            /**
             * Format: double
             * @description `pliesToEnd` plus the binary logarithm of one more than the number of moves that
             *     look at least even to a search one ply deep and do not win in time.
             */
            difficulty: number;
            /** @description Every first move that wins in time. They lead to the same or symmetric positions. */
            firstMoves: string[];
            /** @description As in the response of `position`. */
            key: string;
            /**
             * Format: int32
             * @description Index into `moves` of the move that was played here; null if no game was given.
             */
            moveIndex: number | null;
            /**
             * Format: int32
             * @description Plies to the end of the game.
             */
            pliesToEnd: number;
            /** @description In canonical form. */
            position: string;
            /**
             * @description Lines from the first move to the end of the game, the winner's moves and the
             *     defences in turn: one for every distinct first defence, and more for other replies
             *     that also win. Later defences are proven as well; each line shows one of the
             *     longest.
             */
            solutions: string[][];
            /** @description The code of the first reason for the winning move. */
            theme: string;
            /** @description Id of the seat to move, which wins. */
            toMove: string;
        };
        /** @description An event of a stream of `puzzles`. */
        PuzzleEvent: {
            /** @description JSON: a `PuzzleMessage`, or the `Problem` of an `error`. */
            data: string;
            /** @description The kind of the event. */
            event: components["schemas"]["PuzzleEventKind"];
            /** @description Counts the events; `end` for the last one. */
            id: string;
            /**
             * Format: int32
             * @description How long to wait before reconnecting, in milliseconds.
             */
            retry: number;
        };
        /**
         * @description The kind of an event of a search for puzzles.
         * @enum {string}
         */
        PuzzleEventKind: "puzzle" | "progress" | "final" | "error";
        /** @description One line of a stream of `puzzles` in `application/x-ndjson`. */
        PuzzleLine: components["schemas"]["PuzzleMessage"] | {
            /** @description Why. */
            error: components["schemas"]["Problem"];
        };
        /** @description A message of a search for puzzles. */
        PuzzleMessage: {
            /** @description A puzzle. */
            puzzle: components["schemas"]["Puzzle"];
        } | {
            /** @description Progress, at intervals. */
            progress: components["schemas"]["PuzzleProgress"];
        } | {
            /** @description The last message. */
            final: components["schemas"]["PuzzleProgress"];
        };
        /** @description Progress of a search for puzzles. */
        PuzzleProgress: {
            /**
             * Format: int32
             * @description Puzzles found.
             */
            found: number;
            /**
             * Format: int64
             * @description Positions examined.
             */
            lookedAt: number;
            /**
             * Format: int32
             * @description Puzzles requested.
             */
            wanted: number;
        };
        /**
         * @description Which puzzles to look for.
         * @example {
         *       "count": 1,
         *       "limits": {
         *         "nodes": 20000
         *       },
         *       "seed": 7,
         *       "totalTimeMs": 5000
         *     }
         */
        PuzzleQuestion: {
            /**
             * Format: int32
             * @description Number of puzzles, 1 by default.
             */
            count?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            /**
             * Format: int32
             * @description Maximum plies to the end, 1 to 5; 3 by default. With more than two sides only 1 is
             *     possible, and the default. Wins in five plies are rare and slow to prove: finding one
             *     in Pentago may take a minute.
             */
            maxPlies?: number | null;
            /**
             * Format: int32
             * @description Minimum plies to the end; `maxPlies` by default.
             */
            minPlies?: number | null;
            /**
             * @description A game to look through. Without moves, games between low levels are played from
             *     the position.
             */
            moves?: string[] | null;
            /** @description Position that games begin with; the start by default. */
            position?: string | null;
            /**
             * Format: uint64
             * @description Seed of the games that are played: the same seed and node limits give the same
             *     games. Random by default.
             */
            seed?: number | null;
            /** @description Only puzzles with this theme, a reason code. */
            theme?: string | null;
            /**
             * Format: uint64
             * @description Time for all puzzles, a minute by default: fewer than `count` may have been found by
             *     then.
             */
            totalTimeMs?: number | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description All puzzles of a search. */
        PuzzlesAnswer: {
            /** @description What was searched in all. */
            final: components["schemas"]["PuzzleProgress"];
            /** @description In the order in which they were found. */
            puzzles: components["schemas"]["Puzzle"][];
        };
        /**
         * @description The closed list of reasons.
         * @enum {string}
         */
        Reason: "unknown_game" | "unknown_variant" | "bad_position" | "bad_move" | "bad_argument" | "illegal_move" | "game_over" | "too_large" | "overloaded" | "rate_limited" | "deadline" | "ruleset_fault" | "ruleset_unavailable" | "unauthenticated" | "internal";
        /** @description A code that reasons for moves carry. */
        ReasonCode: {
            /**
             * @description As in reasons.
             * @example only_move
             */
            code: string;
            /** @description Describes moves with this code. */
            description: string;
            /** @description Whether its reasons may name cells. */
            namesCells: boolean;
        };
        /** @description A whole review. */
        ReviewAnswer: {
            /** @description The moves that were reviewed, in playing order. */
            moves: components["schemas"]["ReviewedMove"][];
            /** @description The totals. */
            summary: components["schemas"]["ReviewSummary"];
        };
        /** @description An event of a stream of `review`. */
        ReviewEvent: {
            /** @description JSON: a `ReviewMessage`, or the `Problem` of an `error`. */
            data: string;
            /** @description The kind of the event. */
            event: components["schemas"]["ReviewEventKind"];
            /** @description Counts the events; `end` for the last one. */
            id: string;
            /**
             * Format: int32
             * @description How long to wait before reconnecting, in milliseconds.
             */
            retry: number;
        };
        /**
         * @description The kind of an event of a review.
         * @enum {string}
         */
        ReviewEventKind: "move" | "progress" | "final" | "error";
        /** @description One line of a stream of `review` in `application/x-ndjson`. */
        ReviewLine: components["schemas"]["ReviewMessage"] | {
            /** @description Why. */
            error: components["schemas"]["Problem"];
        };
        /** @description A message of a review. */
        ReviewMessage: {
            /** @description A move; the last move of the game comes first. */
            move: components["schemas"]["ReviewedMove"];
        } | {
            /** @description After every move. */
            progress: components["schemas"]["ReviewProgress"];
        } | {
            /** @description The last message. */
            summary: components["schemas"]["ReviewSummary"];
        };
        /** @description Progress of a review. */
        ReviewProgress: {
            /**
             * Format: int32
             * @description Moves reviewed.
             */
            done: number;
            /** @description The totals of the moves reviewed so far. */
            summary: components["schemas"]["ReviewSummary"];
            /**
             * Format: double
             * @description Estimated time to the end, from the time that the moves so far took.
             */
            timeLeftMs: number;
            /**
             * Format: int32
             * @description Moves to review.
             */
            total: number;
        };
        /**
         * @description A game to review: `moves` played from `position`.
         * @example {
         *       "limits": {
         *         "timeMs": 200
         *       },
         *       "moves": [
         *         "c3-2r",
         *         "d4-1l",
         *         "a1-3r"
         *       ]
         *     }
         */
        ReviewQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            /** @description The moves to review, in playing order. */
            moves?: string[] | null;
            /** @description Position that the game began with; the start by default. */
            position?: string | null;
            /**
             * Format: uint64
             * @description Time for the whole review. Each move gets its share of the time left.
             */
            totalTimeMs?: number | null;
            /** @description Indices into `moves` of the moves to review, from 0; all by default. */
            turns?: number[] | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description The totals of a review. */
        ReviewSummary: {
            /** @description Whether every move, or each of `turns`, was reviewed; false if the deadline came first. */
            complete: boolean;
            /**
             * @description Expected scores by seat id before the first move and after each, for a graph: one
             *     more than there are moves. Empty objects where a position was not reviewed.
             */
            scores: {
                [key: string]: number;
            }[];
            /** @description Totals by seat id. */
            seats: {
                [key: string]: components["schemas"]["SeatReview"];
            };
            /** @description Indices of the moves that gave the lead away, ascending. */
            turningPoints: number[];
        };
        /** @description The verdict on a move that was played. */
        ReviewedMove: {
            /** @description The value of the played move, for the seat that moved. */
            after: components["schemas"]["Evaluation"];
            /**
             * @description The value of the best move, for the seat that moved, from the same search as
             *     `after`.
             */
            before: components["schemas"]["Evaluation"];
            /** @description The expected line after the best move, starting with the move itself. */
            bestLine: string[];
            /** @description The best move; the played one if none is better. */
            bestMove: string;
            /** @description The best move in words. */
            bestMoveText: string;
            /**
             * Format: int32
             * @description Index into `moves`, from 0.
             */
            index: number;
            label: components["schemas"]["MoveLabel"] | null;
            /**
             * Format: double
             * @description Expected score of the best move minus that of the played one, for the seat that
             *     moved. 0 if it was the best or the only one.
             */
            loss: number;
            /** @description In canonical notation. */
            move: string;
            /**
             * @description The move in a player's words, in the language of the request; empty if the game has
             *     none.
             */
            moveText: string;
            /**
             * Format: double
             * @description By how much searches disagree about the values that `loss` compares; 0 if they are
             *     proven.
             */
            noise: number;
            /** @description Why the played move is good or bad. */
            reasons: components["schemas"]["MoveReason"][];
            /** @description The reply that punishes a bad move; empty for others. */
            reply: string;
            /** @description The reply in words. */
            replyText: string;
            /** @description Id of the seat that moved. */
            seat: string;
        };
        /**
         * @description Decisions of one seat, by what was proven before and after them. Counts of several games
         *     may be added.
         */
        SeatJudgement: {
            /**
             * Format: int32
             * @description Attempts that were not legal.
             */
            illegal: number;
            /**
             * Format: int32
             * @description Moves in positions worth a draw, or a shared or lower place, that kept it.
             */
            keptDraw: number;
            /**
             * Format: int32
             * @description Moves in won positions that kept the win.
             */
            keptWin: number;
            /**
             * Format: int32
             * @description Moves in lost positions: there was nothing to lose.
             */
            lostBefore: number;
            /**
             * Format: int32
             * @description Legal moves.
             */
            moves: number;
            /**
             * Format: double
             * @description Score of the game; null if it did not come to its end.
             */
            score: number | null;
            /**
             * Format: int32
             * @description Moves in such positions that did not.
             */
            threwAwayDraw: number;
            /**
             * Format: int32
             * @description Moves in won positions that did not.
             */
            threwAwayWin: number;
            /**
             * Format: int32
             * @description Moves before or after which nothing is proven.
             */
            unknown: number;
        };
        /** @description How well a seat played. */
        SeatReview: {
            /**
             * Format: double
             * @description 100 · max(0, 1 − loss / stake): 100 is perfect, 0 is as good as a random mover. Null
             *     if `stake` does not exceed `noise`: there was too little to give away.
             */
            accuracy: number | null;
            /** @description How often each label was given, by its name. */
            labels: {
                [key: string]: number;
            };
            /**
             * Format: double
             * @description What the seat gave away in all its moves, as far as each loss exceeds its noise.
             *     Forced moves and moves in lost positions do not count.
             */
            loss: number;
            /**
             * Format: double
             * @description The noise of these moves together: the root of the sum of its squares.
             */
            noise: number;
            /**
             * Format: double
             * @description What a random mover would have given away in those moves.
             */
            stake: number;
        };
        /**
         * @description Where a value comes from.
         * @enum {string}
         */
        Source: "terminal" | "book" | "solver" | "search" | "static";
        /**
         * @description Why a search stopped.
         * @enum {string}
         */
        StopReason: "proven" | "time" | "nodes" | "depth" | "deadline" | "load" | "shutdown";
        /**
         * @description A win of one seat.
         * @example {
         *       "cells": [
         *         "a3",
         *         "b3",
         *         "c3",
         *         "d3",
         *         "e3"
         *       ],
         *       "kind": "placing",
         *       "move": "e3",
         *       "plies": 1,
         *       "score": 1,
         *       "seat": "b",
         *       "stoppedBy": [
         *         "e1",
         *         "e3-1l"
         *       ]
         *     }
         */
        Threat: {
            /**
             * @description Ids of points of the layout: the points of the pieces that make the win, and the
             *     empty points that they need. Empty for a forced win.
             */
            cells: string[];
            /**
             * @description One of the game's `threatKinds`; `forced` for a win that a search has proven;
             *     `winning` in games without the capability `threats`.
             */
            kind: string;
            /**
             * @description The first move of the win, as the seat would play it. If several moves make the
             *     same win, one of them.
             */
            move: string;
            /**
             * Format: int32
             * @description Plies to the win with best play, including the move; 1 for a win at once.
             */
            plies: number;
            /**
             * Format: double
             * @description The minimum score of the seat, above 0: 1 for a win, less if others may share it
             *     or better places are taken.
             */
            score: number;
            /** @description Id of the seat. */
            seat: string;
            /**
             * @description Moves of the seat to move after which this win is gone; empty for wins of its own
             *     side and for forced wins. Of moves that lead to the same position, only the first
             *     is listed.
             */
            stoppedBy: string[];
        };
        /** @description A kind of threat. */
        ThreatKind: {
            /** @description Describes such a win. */
            description: string;
            /**
             * @description As in threats.
             * @example placing
             */
            kind: string;
        };
        /** @description The wins that each seat would have if it were its turn. */
        ThreatsAnswer: {
            /** @description As in the response of `position`. */
            key: string;
            /** @description The position after `moves`, in canonical form. */
            position: string;
            /**
             * @description Ids of the seats whose wins are known, in playing order: all if the game has the
             *     capability `threats`, otherwise the seat to move.
             */
            seats: string[];
            /**
             * @description Moves of the seat to move after which no seat of another side has a win at once,
             *     old or new; empty if there is no such threat or no move helps. Of moves that lead
             *     to the same position, only the first is listed.
             */
            stopsAll: string[];
            /**
             * @description Those of the seat to move first, then in playing order; wins at once before
             *     forced ones. A finished game has none.
             */
            threats: components["schemas"]["Threat"][];
            /** @description Id of the seat whose turn it is, or would be. */
            toMove: string;
            /**
             * @description Whether a list was truncated: more than 64 threats of the own side or of all others,
             *     or more than 256 moves that stop one.
             */
            truncated: boolean;
        };
        /**
         * @description A position to find the threats of.
         * @example {
         *       "position": "wwww2/6/bbbb2/6/6/6 w"
         *     }
         */
        ThreatsQuestion: {
            /**
             * Format: int32
             * @description Plies within which to find wins. 1, the default, finds wins at once, without a
             *     search. For more, each seat without a win at once is given the turn, and that
             *     position is searched.
             */
            depth?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            /** @description Moves played from the position; none by default. */
            moves?: string[] | null;
            /** @description Position in the game's notation; the start by default. */
            position?: string | null;
            /** @description Id of the variant; the game's first by default. */
            variant?: string | null;
        };
        /** @description A variant of a game. */
        Variant: {
            /** @description Identifies the variant in requests. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Display names of the seats, by seat id. */
            seatNames: {
                [key: string]: string;
            };
            /** @description Ids of the seats, in playing order. Scores and places are keyed by them. */
            seats: string[];
            /**
             * @description The side each seat plays for, by seat id. Seats of the same side win and
             *     lose together.
             */
            sides: {
                [key: string]: number;
            };
            /** @description A one-sentence description. */
            summary: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getDiagram: {
        parameters: {
            query?: {
                /** @description Id of the variant; the game's first by default. */
                variant?: string;
                /** @description Position in the game's notation; the start by default. */
                position?: string;
                /** @description Moves played from the position; none by default. */
                moves?: string[];
                /** @description Width in pixels, 480 by default. */
                size?: number;
                /** @description Ids of points to ring, such as the `cells` of a reason. */
                highlight?: string[];
                /** @description Arrows from point to point: `a1-c3`. */
                arrows?: string[];
                /** @description Whether to shade the points that the last of `moves` changed. */
                lastMove?: boolean;
                /** @description Colours around the board; light by default. */
                theme?: "light" | "dark";
            };
            header?: {
                /** @description The language of texts for players (reasons, outcomes, names of seats, pieces and variants), as in RFC 9110: `en`, `sv`, `fi`, `de`, `fr`. Anything else gets English, in which problems always are. */
                "Accept-Language"?: string;
            };
            path: {
                /**
                 * @description Id of the game
                 * @example pentago
                 */
                game: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    /** @description How long the response may be reused. */
                    "Cache-Control"?: string;
                    /** @description The language of the texts for players. */
                    "Content-Language"?: string;
                    /** @description Send it as `If-None-Match` to get 304 if nothing has changed. */
                    ETag?: string;
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    /** @description How long the response may be reused. */
                    "Cache-Control"?: string;
                    /** @description The language of the texts for players. */
                    "Content-Language"?: string;
                    /** @description Send it as `If-None-Match` to get 304 if nothing has changed. */
                    ETag?: string;
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed: `bad_position`, `bad_move` or `bad_argument` */
            400: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: the server requires a token */
            401: {
                headers: {
                    /** @description `Bearer`, with what is wrong with the token. */
                    "WWW-Authenticate"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `bad_argument`: web pages of this origin may not call */
            403: {
                headers: {
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unknown_game` or `unknown_variant` */
            404: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `too_large` */
            413: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `bad_argument`: the server is not known by this host name */
            421: {
                headers: {
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `illegal_move` or `game_over` */
            422: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `overloaded` or `rate_limited`, with Retry-After */
            429: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description Seconds to wait before a retry. */
                    "Retry-After"?: number;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `ruleset_fault` or `ruleset_unavailable` */
            503: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `deadline` */
            504: {
                headers: {
                    /** @description What is left of it, and the seconds until all of it is there: `"cpu";r=5100;t=9`. */
                    RateLimit?: string;
                    /** @description The caller's quota, if it has one: `"cpu";q=6000;w=60;qu="cpu-ms"` are 6,000 ms of CPU time in 60 s. */
                    "RateLimit-Policy"?: string;
                    /** @description The caller's if it sent one; also in the server's log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
