//! The law of the notation of positions.

use pentad_model::rng::Rng;

use crate::sample::{CheckResult, Sample, in_call};

pub(super) fn round_trip(sample: &Sample<'_>, _rng: &mut Rng) -> CheckResult {
    let text = sample.text()?;
    let read = sample
        .rules
        .parse(sample.variant, &text)
        .map_err(|error| format!("its own text `{text}` does not parse: {error}"))?;
    if read != *sample.position {
        return Err(format!("the bytes differ after parsing `{text}`"));
    }
    let again = sample.rules.format(sample.variant, &read).map_err(in_call("format"))?;
    if again != text {
        return Err(format!("formatted as `{text}`, and after parsing that as `{again}`"));
    }
    Ok(())
}
