//! The law that messages say the same as the English texts.

use pentad_model::Reason;
use pentad_model::rng::Rng;

use super::search::on_reports;
use crate::report::Failure;
use crate::sample::{CheckResult, VariantSample, in_call};

/// Finished games per variant whose outcomes are compared.
const OUTCOMES_MAX: usize = 50;

/// Checks that the messages of reasons and outcomes say in English what
/// `pentad.reasons/1` and `outcome` say, so that hosts which know only those give the
/// same answers.
pub(super) fn say_the_same(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    let mut results = Vec::new();
    let mut n_outcomes = 0;
    for at in sample.positions {
        let is_over = matches!(rules.scores(variant, &at.position), Ok(Some(_)));
        if is_over && n_outcomes < OUTCOMES_MAX {
            n_outcomes += 1;
            results.push(sample.attempt(at, || {
                let Some(outcome) = rules.outcome(variant, &at.position).map_err(in_call("outcome"))? else {
                    return Ok(());
                };
                let text = rules.outcome_text(variant, &at.position).map_err(in_call("outcome"))?;
                compare("the outcome", &outcome.text, &text)
            }));
        }
    }
    if rules.has_both_reasons() {
        results.extend(on_reports(sample, |position, report| {
            let by_message = rules.explain(variant, position, report).map_err(in_call("explain"))?;
            for (line_idx, reasons) in by_message.iter().enumerate() {
                let by_text = rules.explain_in_text(variant, position, report, line_idx).map_err(in_call("explain"))?;
                let described = |reasons: &[Reason]| {
                    let one = |it: &Reason| format!("{}: {} {:?}", it.code, it.text, it.points);
                    reasons.iter().map(one).collect::<Vec<_>>().join("; ")
                };
                compare("a reason", &described(reasons), &described(&by_text))?;
            }
            Ok(())
        }));
    }
    results
}

fn compare(what: &str, by_message: &str, by_text: &str) -> CheckResult {
    if by_message == by_text {
        return Ok(());
    }
    Err(format!("{what} is {by_message:?} as a message, and {by_text:?} as a text"))
}
