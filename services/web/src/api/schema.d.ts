// Written by schema.mjs from /openapi.json.

export interface components {
    schemas: {
        AnalysisAnswer: {
            final: components["schemas"]["HintsAnswer"];
            updates: components["schemas"]["HintsAnswer"][];
        };
        AnalysisEvent: {
            data: string;
            event: components["schemas"]["AnalysisEventKind"];
            id: string;
            retry: number;
        };
        /** @enum {string} */
        AnalysisEventKind: "update" | "final" | "error";
        AnalysisLine: components["schemas"]["AnalysisUpdate"] | {
            error: components["schemas"]["Problem"];
        };
        AnalysisQuestion: {
            allowMoves?: string[] | null;
            avoidMoves?: string[] | null;
            count?: number | null;
            detail?: components["schemas"]["Detail"] | null;
            level?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            policy?: boolean | null;
            position?: string | null;
            reportIntervalMs?: number | null;
            seed?: number | null;
            variant?: string | null;
        };
        AnalysisUpdate: components["schemas"]["HintsAnswer"] & {
            final: boolean;
        };
        BatchDone: {
            answered: number;
            cancelled: number;
            complete: boolean;
            failed: number;
        };
        BatchLine: {
            answer: Record<string, never>;
            id: string;
        } | {
            error: components["schemas"]["Problem"];
            id?: string | null;
            line?: number | null;
        } | {
            cancelled: string;
        } | {
            progress: components["schemas"]["BatchProgress"];
        } | {
            done: components["schemas"]["BatchDone"];
        };
        BatchProgress: {
            answered: number;
            cancelled: number;
            failed: number;
            pending: number;
        };
        /** @enum {string} */
        Certainty: "proven" | "estimate";
        ComparisonAnswer: {
            bestLine: string[];
            bestMove: string;
            bestMoveText: string;
            comparisons: components["schemas"]["MoveComparison"][];
            evaluation: components["schemas"]["Evaluation"];
            key: string;
            position: string;
            toMove: string;
        };
        ComparisonQuestion: {
            compareMoves?: string[] | null;
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            position?: string | null;
            variant?: string | null;
        };
        /** @enum {string} */
        Detail: "nudge" | "area" | "move" | "line";
        Evaluation: {
            certainty: components["schemas"]["Certainty"];
            depth: number;
            outcome: components["schemas"]["Outcome"] | null;
            pliesToEnd: number | null;
            scores: {
                [key: string]: number;
            };
            source: components["schemas"]["Source"];
        };
        EvaluationAnswer: {
            evaluation: components["schemas"]["Evaluation"];
            key: string;
            position: string;
            toMove: string;
        };
        EvaluationQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            position?: string | null;
            variant?: string | null;
        };
        ExplorationAnswer: {
            games: number;
            key: string;
            moves: components["schemas"]["ExploredMove"][];
            nextPageToken: string;
            position: string;
            toMove: string;
            total: number;
        };
        ExplorationQuestion: {
            moves?: string[] | null;
            pageSize?: number | null;
            pageToken?: string | null;
            position?: string | null;
            variant?: string | null;
        };
        ExploredMove: {
            equivalents: string[];
            evaluation: components["schemas"]["Evaluation"];
            games: number;
            move: string;
            provenShare: number;
            scores: {
                [key: string]: number;
            };
        };
        Game: {
            abi: string;
            capabilities: string[];
            id: string;
            name: string;
            seats: string[];
            variants: components["schemas"]["Variant"][];
            version: string;
        };
        GameAnswer: components["schemas"]["Game"] & {
            layout: components["schemas"]["Layout"] | null;
            notation: string;
            reasonCodes: components["schemas"]["ReasonCode"][];
            rules: string;
            threatKinds: components["schemas"]["ThreatKind"][];
            variantLayouts: {
                [key: string]: components["schemas"]["Layout"];
            };
        };
        GameOutcome: {
            places: {
                [key: string]: number;
            };
            scores: {
                [key: string]: number;
            };
            text: string;
        };
        GamesAnswer: {
            games: components["schemas"]["Game"][];
        };
        Hint: {
            area: string[];
            equivalents: string[];
            evaluation: components["schemas"]["Evaluation"];
            line: string[];
            move: string;
            moveText: string;
            reasons: components["schemas"]["MoveReason"][];
        };
        HintsAnswer: {
            cached: boolean;
            depth: number;
            elapsedMs: number;
            evaluation: components["schemas"]["Evaluation"];
            hints: components["schemas"]["Hint"][];
            key: string;
            nodes: number;
            policy: components["schemas"]["PolicyMove"][];
            position: string;
            stopReason: components["schemas"]["StopReason"] | null;
            toMove: string;
        };
        HintsQuestion: {
            allowMoves?: string[] | null;
            avoidMoves?: string[] | null;
            count?: number | null;
            detail?: components["schemas"]["Detail"] | null;
            level?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            policy?: boolean | null;
            position?: string | null;
            seed?: number | null;
            variant?: string | null;
        };
        JudgeAnswer: {
            seats: {
                [key: string]: components["schemas"]["SeatJudgement"];
            };
        };
        JudgeQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            position?: string | null;
            variant?: string | null;
        };
        Layout: {
            blocks: components["schemas"]["LayoutBlock"][];
            edges: components["schemas"]["LayoutEdge"][];
            height: number;
            labels: components["schemas"]["LayoutLabel"][];
            pieces: components["schemas"]["LayoutPiece"][];
            points: components["schemas"]["LayoutPoint"][];
            width: number;
        };
        LayoutBlock: {
            colour: string;
            height: number;
            id: string;
            points: string[];
            width: number;
            x: number;
            y: number;
        };
        LayoutEdge: {
            from: string;
            to: string;
        };
        LayoutLabel: {
            text: string;
            x: number;
            y: number;
        };
        LayoutPiece: {
            fill: string;
            id: string;
            label: string;
            name: string;
            seat: string;
            shape: string;
            stroke: string;
        };
        LayoutPoint: {
            colour: string;
            id: string;
            radius: number;
            shape: string;
            x: number;
            y: number;
        };
        Limits: {
            depth?: number | null;
            nodes?: number | null;
            timeMs?: number | null;
        };
        MoveComparison: {
            differsAt: number | null;
            evaluation: components["schemas"]["Evaluation"];
            line: string[];
            move: string;
            moveText: string;
            reasons: components["schemas"]["MoveReason"][];
            reply: string;
            replyText: string;
        };
        /** @enum {string} */
        MoveLabel: "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "only_move" | "forced" | "missed_win" | "slower_win" | "lost_anyway";
        MoveReason: {
            cells: string[];
            code: string;
            text: string;
        };
        MovesAnswer: {
            key: string;
            moveTexts: string[];
            moves: string[];
            nextPageToken: string;
            total: number;
        };
        MovesQuestion: {
            distinct?: boolean | null;
            moves?: string[] | null;
            pageSize?: number | null;
            pageToken?: string | null;
            position?: string | null;
            prefix?: string | null;
            texts?: boolean | null;
            variant?: string | null;
        };
        /** @enum {string} */
        Outcome: "win" | "draw" | "loss";
        PolicyMove: {
            equivalents: string[];
            evaluation: components["schemas"]["Evaluation"];
            move: string;
            probability: number;
        };
        PositionAnswer: {
            board: {
                [key: string]: string[];
            };
            key: string;
            legalMoveCount: number;
            outcome: components["schemas"]["GameOutcome"] | null;
            position: string;
            toMove: string;
        };
        PositionQuestion: {
            moves?: string[] | null;
            position?: string | null;
            variant?: string | null;
        };
        Problem: {
            column?: number | null;
            detail: string;
            field?: string | null;
            index?: number | null;
            reason: components["schemas"]["Reason"];
            requestId: string;
            retryAfterMs?: number | null;
            status: number;
            title: string;
            type: string;
        };
        Puzzle: {
            difficulty: number;
            firstMoves: string[];
            key: string;
            moveIndex: number | null;
            pliesToEnd: number;
            position: string;
            solutions: string[][];
            theme: string;
            toMove: string;
        };
        PuzzleEvent: {
            data: string;
            event: components["schemas"]["PuzzleEventKind"];
            id: string;
            retry: number;
        };
        /** @enum {string} */
        PuzzleEventKind: "puzzle" | "progress" | "final" | "error";
        PuzzleLine: components["schemas"]["PuzzleMessage"] | {
            error: components["schemas"]["Problem"];
        };
        PuzzleMessage: {
            puzzle: components["schemas"]["Puzzle"];
        } | {
            progress: components["schemas"]["PuzzleProgress"];
        } | {
            final: components["schemas"]["PuzzleProgress"];
        };
        PuzzleProgress: {
            found: number;
            lookedAt: number;
            wanted: number;
        };
        PuzzleQuestion: {
            count?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            maxPlies?: number | null;
            minPlies?: number | null;
            moves?: string[] | null;
            position?: string | null;
            seed?: number | null;
            theme?: string | null;
            totalTimeMs?: number | null;
            variant?: string | null;
        };
        PuzzlesAnswer: {
            final: components["schemas"]["PuzzleProgress"];
            puzzles: components["schemas"]["Puzzle"][];
        };
        /** @enum {string} */
        Reason: "unknown_game" | "unknown_variant" | "bad_position" | "bad_move" | "bad_argument" | "illegal_move" | "game_over" | "too_large" | "overloaded" | "rate_limited" | "deadline" | "ruleset_fault" | "ruleset_unavailable" | "unauthenticated" | "internal";
        ReasonCode: {
            code: string;
            description: string;
            namesCells: boolean;
        };
        ReviewAnswer: {
            moves: components["schemas"]["ReviewedMove"][];
            summary: components["schemas"]["ReviewSummary"];
        };
        ReviewEvent: {
            data: string;
            event: components["schemas"]["ReviewEventKind"];
            id: string;
            retry: number;
        };
        /** @enum {string} */
        ReviewEventKind: "move" | "progress" | "final" | "error";
        ReviewLine: components["schemas"]["ReviewMessage"] | {
            error: components["schemas"]["Problem"];
        };
        ReviewMessage: {
            move: components["schemas"]["ReviewedMove"];
        } | {
            progress: components["schemas"]["ReviewProgress"];
        } | {
            summary: components["schemas"]["ReviewSummary"];
        };
        ReviewProgress: {
            done: number;
            summary: components["schemas"]["ReviewSummary"];
            timeLeftMs: number;
            total: number;
        };
        ReviewQuestion: {
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            position?: string | null;
            totalTimeMs?: number | null;
            turns?: number[] | null;
            variant?: string | null;
        };
        ReviewSummary: {
            complete: boolean;
            scores: {
                [key: string]: number;
            }[];
            seats: {
                [key: string]: components["schemas"]["SeatReview"];
            };
            turningPoints: number[];
        };
        ReviewedMove: {
            after: components["schemas"]["Evaluation"];
            before: components["schemas"]["Evaluation"];
            bestLine: string[];
            bestMove: string;
            bestMoveText: string;
            index: number;
            label: components["schemas"]["MoveLabel"] | null;
            loss: number;
            move: string;
            moveText: string;
            noise: number;
            reasons: components["schemas"]["MoveReason"][];
            reply: string;
            replyText: string;
            seat: string;
        };
        SeatJudgement: {
            illegal: number;
            keptDraw: number;
            keptWin: number;
            lostBefore: number;
            moves: number;
            score: number | null;
            threwAwayDraw: number;
            threwAwayWin: number;
            unknown: number;
        };
        SeatReview: {
            accuracy: number | null;
            labels: {
                [key: string]: number;
            };
            loss: number;
            noise: number;
            stake: number;
        };
        /** @enum {string} */
        Source: "terminal" | "book" | "solver" | "search" | "static";
        /** @enum {string} */
        StopReason: "proven" | "time" | "nodes" | "depth" | "deadline" | "load" | "shutdown";
        Threat: {
            cells: string[];
            kind: string;
            move: string;
            plies: number;
            score: number;
            seat: string;
            stoppedBy: string[];
        };
        ThreatKind: {
            description: string;
            kind: string;
        };
        ThreatsAnswer: {
            key: string;
            position: string;
            seats: string[];
            stopsAll: string[];
            threats: components["schemas"]["Threat"][];
            toMove: string;
            truncated: boolean;
        };
        ThreatsQuestion: {
            depth?: number | null;
            limits?: components["schemas"]["Limits"] | null;
            moves?: string[] | null;
            position?: string | null;
            variant?: string | null;
        };
        Variant: {
            id: string;
            name: string;
            seatNames: {
                [key: string]: string;
            };
            seats: string[];
            sides: {
                [key: string]: number;
            };
            summary: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
