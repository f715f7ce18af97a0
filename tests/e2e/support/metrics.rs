//! Parses Prometheus' text format.

use std::collections::BTreeMap;

/// The content of `/metrics`.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// HELP text by metric name.
    pub(crate) helps: BTreeMap<String, String>,
    /// TYPE by metric name.
    pub(crate) types: BTreeMap<String, String>,
    pub(crate) samples: Vec<Sample>,
}

#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

impl Metrics {
    pub(crate) fn parse(text: &str) -> Metrics {
        let mut metrics = Metrics::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words[..] {
                ["#", "HELP", name, help] => metrics.helps.insert(name.to_owned(), help.to_owned()),
                ["#", "TYPE", name, kind] => metrics.types.insert(name.to_owned(), kind.to_owned()),
                _ => {
                    metrics.samples.push(Sample::parse(line).unwrap_or_else(|| panic!("not a sample: {line}")));
                    None
                }
            };
        }
        metrics
    }

    /// Returns the samples of a name with at least these labels.
    pub(crate) fn find(&self, name: &str, labels: &[(&str, &str)]) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| {
            let has = |(key, value): &(&str, &str)| sample.labels.get(*key).is_some_and(|found| found == value);
            sample.name == name && labels.iter().all(has)
        })
    }

    /// Returns the sum of the samples of [`find`](Self::find), if there are any.
    pub(crate) fn value(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let values: Vec<f64> = self.find(name, labels).map(|sample| sample.value).collect();
        (!values.is_empty()).then(|| values.iter().sum())
    }

    /// As [`value`](Self::value), or 0 without samples.
    pub(crate) fn count(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.value(name, labels).unwrap_or(0.0)
    }

    /// Returns the number of searching workers.
    pub(crate) fn n_searching(&self) -> f64 {
        ["short", "long", "bulk"].iter().map(|pool| self.count("pentad_workers_busy", &[("pool", pool)])).sum()
    }

    /// Returns every value of a label, sorted.
    pub(crate) fn label(&self, name: &str, label: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            self.find(name, &[]).filter_map(|sample| sample.labels.get(label)).map(String::as_str).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Sample {
    fn parse(line: &str) -> Option<Sample> {
        let (series, value) = line.rsplit_once(' ')?;
        let (name, labels) = match series.split_once('{') {
            Some((name, rest)) => (name, rest.strip_suffix('}')?),
            None => (series, ""),
        };
        // No label of ours holds a quote or a comma.
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=')?;
            Some((key.to_owned(), value.strip_prefix('"')?.strip_suffix('"')?.to_owned()))
        };
        let labels = labels.split(',').filter(|part| !part.is_empty()).map(pair).collect::<Option<_>>()?;
        Some(Sample { name: name.to_owned(), labels, value: value.parse().ok()? })
    }
}
