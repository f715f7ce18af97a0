//! Extracts questions from query parameters, as strictly as from a body.
//!
//! Lists are repeated (`moves=a&moves=b`) or separated by commas (`moves=a,b`).
//! A `+` in a move is written `%2B`: a plain `+` means a space.

use std::str::FromStr;

use axum::extract::FromRequestParts;
use http::request::Parts;
use percent_encoding::percent_decode_str;

use crate::calls::analysis::AnalysisQuestion;
use crate::calls::evaluation::EvaluationQuestion;
use crate::calls::hints::{Detail, HintsQuestion};
use crate::calls::legal_moves::MovesQuestion;
use crate::calls::limits::Limits;
use crate::calls::position::PositionQuestion;
use crate::calls::threats::ThreatsQuestion;
use crate::error::ApiError;

/// The parameters not taken yet. Handlers take what they know and call
/// [`finish`](Self::finish), which refuses the rest.
pub(crate) struct Params(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Params::parse(parts.uri.query().unwrap_or_default())
    }
}

impl Params {
    pub(crate) fn parse(query: &str) -> Result<Params, ApiError> {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name).ok_or_else(|| ApiError::bad_request("", "the name of a parameter is not UTF-8"))?;
            let value = decode(value).ok_or_else(|| ApiError::bad_request(&name, format!("`{name}` is not UTF-8")))?;
            Ok((name, value))
        });
        pairs.collect::<Result<_, _>>().map(Params)
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        let mut values = self.take(name);
        match values.len() {
            0 | 1 => Ok(values.pop()),
            n => Err(ApiError::bad_request(name, format!("`{name}` is given {n} times"))),
        }
    }

    pub(crate) fn list(&mut self, name: &str) -> Option<Vec<String>> {
        let values = self.take(name);
        let items = values.iter().flat_map(|value| value.split([',', ' '])).filter(|item| !item.is_empty());
        (!values.is_empty()).then(|| items.map(str::to_owned).collect())
    }

    /// A limit, by its name alone or by its path in a body (`limits.timeMs`).
    fn limit<T: FromStr + Default + PartialEq>(&mut self, name: &str) -> Result<Option<T>, ApiError> {
        let path = format!("limits.{name}");
        for name in [path.as_str(), name] {
            match self.number(name)? {
                // Refused here, since the engine knows only one of the names.
                Some(limit) if limit == T::default() => return Err(ApiError::bad_request(name, "must be at least 1")),
                Some(limit) => return Ok(Some(limit)),
                None => {}
            }
        }
        Ok(None)
    }

    pub(crate) fn number<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, ApiError> {
        let parse = |text: String| {
            text.parse()
                .map_err(|_| ApiError::bad_request(name, format!("`{name}` must be a whole number, not `{text}`")))
        };
        self.text(name)?.map(parse).transpose()
    }

    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        let parse = |text: String| match text.as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(ApiError::bad_request(name, format!("`{name}` must be true or false, not `{text}`"))),
        };
        self.text(name)?.map(parse).transpose()
    }

    fn take(&mut self, name: &str) -> Vec<String> {
        self.0.extract_if(.., |(key, _)| key == name).map(|(_, value)| value).collect()
    }

    /// Fails if any parameter is left.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        match self.0.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => {
                let message = format!("unknown parameter `{name}`");
                Err(ApiError::bad_request(name, message))
            }
        }
    }

    pub(crate) fn position(mut self) -> Result<PositionQuestion, ApiError> {
        let question = self.position_fields()?;
        self.finish()?;
        Ok(question)
    }

    pub(crate) fn position_fields(&mut self) -> Result<PositionQuestion, ApiError> {
        Ok(PositionQuestion {
            variant: self.text("variant")?,
            position: self.text("position")?,
            moves: self.list("moves"),
        })
    }

    pub(crate) fn moves(mut self) -> Result<MovesQuestion, ApiError> {
        let PositionQuestion { variant, position, moves } = self.position_fields()?;
        let question = MovesQuestion {
            variant,
            position,
            moves,
            prefix: self.text("prefix")?,
            page_size: self.number("pageSize")?,
            page_token: self.text("pageToken")?,
            distinct: self.flag("distinct")?,
            texts: self.flag("texts")?,
        };
        self.finish()?;
        Ok(question)
    }

    pub(crate) fn evaluation(mut self) -> Result<EvaluationQuestion, ApiError> {
        let PositionQuestion { variant, position, moves } = self.position_fields()?;
        let question = EvaluationQuestion { variant, position, moves, limits: Some(self.limits()?) };
        self.finish()?;
        Ok(question)
    }

    /// `depth` is the question's own here; that of the limits is `limits.depth`.
    pub(crate) fn threats(mut self) -> Result<ThreatsQuestion, ApiError> {
        let PositionQuestion { variant, position, moves } = self.position_fields()?;
        let depth = self.number("depth")?;
        let question = ThreatsQuestion { variant, position, moves, depth, limits: Some(self.limits()?) };
        self.finish()?;
        Ok(question)
    }

    pub(crate) fn hints(mut self) -> Result<HintsQuestion, ApiError> {
        let question = self.hint_fields()?;
        self.finish()?;
        Ok(question)
    }

    pub(crate) fn analysis(mut self) -> Result<AnalysisQuestion, ApiError> {
        let hints = self.hint_fields()?;
        let report_interval_ms = self.number("reportIntervalMs")?;
        self.finish()?;
        Ok(AnalysisQuestion::new(hints, report_interval_ms))
    }

    fn hint_fields(&mut self) -> Result<HintsQuestion, ApiError> {
        let PositionQuestion { variant, position, moves } = self.position_fields()?;
        Ok(HintsQuestion {
            variant,
            position,
            moves,
            limits: Some(self.limits()?),
            count: self.number("count")?,
            level: self.number("level")?,
            seed: self.number("seed")?,
            detail: self.detail()?,
            allow_moves: self.list("allowMoves"),
            avoid_moves: self.list("avoidMoves"),
            policy: self.flag("policy")?,
        })
    }

    fn limits(&mut self) -> Result<Limits, ApiError> {
        Ok(Limits { time_ms: self.limit("timeMs")?, nodes: self.limit("nodes")?, depth: self.limit("depth")? })
    }

    fn detail(&mut self) -> Result<Option<Detail>, ApiError> {
        let parse = |text: String| match text.as_str() {
            "nudge" => Ok(Detail::Nudge),
            "area" => Ok(Detail::Area),
            "move" => Ok(Detail::Move),
            "line" => Ok(Detail::Line),
            _ => {
                let message = format!("`detail` must be nudge, area, move or line, not `{text}`");
                Err(ApiError::bad_request("detail", message))
            }
        };
        self.text("detail")?.map(parse).transpose()
    }
}

fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(|text| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists by repetition and by commas, percent-encoded text, and numbers.
    #[test]
    fn parameters_are_parsed() {
        let query = "position=6%2F6+w&moves=a1-1r,b2-2l&moves=c3-3r&timeMs=50&count=2&detail=area&avoidMoves=d%2B1";
        let question = Params::parse(query).unwrap().hints().unwrap();
        assert_eq!(question.position.as_deref(), Some("6/6 w"));
        assert_eq!(question.moves.unwrap(), ["a1-1r", "b2-2l", "c3-3r"]);
        assert_eq!(question.limits.unwrap().time_ms, Some(50));
        let limits = Params::parse("limits.timeMs=50&limits.nodes=7").unwrap().limits().unwrap();
        assert_eq!((limits.time_ms, limits.nodes, limits.depth), (Some(50), Some(7), None));
        assert_eq!((question.count, question.detail), (Some(2), Some(Detail::Area)));
        assert_eq!(question.avoid_moves.unwrap(), ["d+1"]);
    }

    /// Every error names the parameter.
    #[test]
    fn errors_name_the_parameter() {
        for (query, field) in [
            ("position=a&position=b", "position"),
            ("colour=red", "colour"),
            ("timeMs=soon", "timeMs"),
            ("timeMs=-1", "timeMs"),
            ("timeMs=0", "timeMs"),
            ("limits.timeMs=0", "limits.timeMs"),
            ("count=", "count"),
            ("position=%ff", "position"),
            ("detail=all", "detail"),
        ] {
            let error = Params::parse(query).and_then(Params::hints).unwrap_err();
            assert_eq!(error.details().field.as_deref(), Some(field), "{query}: {error}");
        }
        let error = Params::parse("distinct=maybe").and_then(Params::moves).unwrap_err();
        assert_eq!(error.to_string(), "`distinct` must be true or false, not `maybe`");
    }
}
