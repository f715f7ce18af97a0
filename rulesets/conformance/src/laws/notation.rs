//! Positions as text.

use pentad_search::rng::Rng;

use crate::site::{Held, Site, told};

pub(super) fn round_trip(site: &Site<'_>, _rng: &mut Rng) -> Held {
    let text = site.text()?;
    let read = site.ruleset.parse(site.variant, &text).map_err(|error| format!("its own text is refused: {error}"))?;
    if read != *site.position {
        return Err(format!("bytes differ after reading `{text}` back"));
    }
    let again = site.ruleset.format(site.variant, &read).map_err(told("format"))?;
    if again != text {
        return Err(format!("written as `{text}`, then as `{again}`"));
    }
    Ok(())
}
