//! Stands in for `export` in a server built without the feature `otlp`, which refuses
//! `otlp_endpoint` at start-up: there is never an exporter.

use std::error::Error;
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};

use crate::config::Config;

#[derive(Clone, Debug)]
pub(super) enum Exporter {}

impl Exporter {
    pub(super) fn start(_: &Config) -> Result<Option<Exporter>, Box<dyn Error + Send + Sync>> {
        Ok(None)
    }

    pub(super) async fn shutdown(&self, _: Duration) {
        match *self {}
    }
}

impl SpanProcessor for Exporter {
    fn on_start(&self, _: &mut Span, _: &Context) {
        match *self {}
    }

    fn on_end(&self, _: SpanData) {
        match *self {}
    }

    fn force_flush(&self) -> OTelSdkResult {
        match *self {}
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        match *self {}
    }
}
