//! The child process: loads the library and checks it.

use std::error::Error;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;

use pentad_conformance::{Checkpoint, ConformanceReport, Trace, check_traced};
use pentad_host::{Confinement, Ruleset};

use super::record::Record;
use super::{CheckArgs, Message};

/// More than the checks need.
const MEMORY_BYTES_MAX: u64 = 4 << 30;

pub(super) fn run(args: &CheckArgs) -> Result<(), Box<dyn Error>> {
    let to_parent = ToParent::take_over()?;
    // Before the library is loaded, which ends the access to files.
    let checked = args.options().map_err(Into::into).and_then(|options| {
        let ruleset = load(args, &to_parent.record)?;
        Ok::<_, Box<dyn Error>>(check_traced(&ruleset, &options, &to_parent))
    });
    to_parent.send(&match checked {
        Ok(report) => Message::Complete(report),
        Err(error) => Message::Refused(error.to_string()),
    })?;
    Ok(())
}

fn load(args: &CheckArgs, record: &Record) -> Result<std::sync::Arc<Ruleset>, Box<dyn Error>> {
    let variant = args.variant.as_deref().unwrap_or_default();
    record.note_checkpoint(&Checkpoint {
        law: "loads",
        variant,
        found_at: "loading the library",
        position: "",
        moves: &[],
    });
    record.note_call("load", "");
    // Confined as in a worker process of the server.
    let ruleset = Ruleset::load_confined(&args.file, &Confinement::full(MEMORY_BYTES_MAX))?;
    if let Some(variant) = &args.variant
        && ruleset.variant_idx(variant).is_none()
    {
        let known: Vec<&str> = ruleset.variants().iter().map(|variant| variant.id.as_str()).collect();
        return Err(format!("no variant `{variant}`; there are {}", known.join(", ")).into());
    }
    Ok(ruleset)
}

/// Channels to the parent: messages and the record.
struct ToParent {
    messages: File,
    record: Record,
}

impl ToParent {
    /// Uses standard output and input for them. What the library prints goes to
    /// standard error, and its standard input is empty.
    fn take_over() -> io::Result<ToParent> {
        // The check ends with its parent.
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        let messages = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        rustix::stdio::dup2_stdout(io::stderr())?;
        let record = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(ToParent { messages, record: Record::open(record)? })
    }

    fn send(&self, message: &Message) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        (&self.messages).write_all(&line)
    }
}

impl Trace for ToParent {
    fn checking(&self, at: &Checkpoint<'_>) {
        self.record.note_checkpoint(at);
    }

    fn calling(&self, call: &'static str, argument: &str) {
        self.record.note_call(call, argument);
    }

    fn progressed(&self, report: &ConformanceReport) {
        // Without a parent the last message fails as well, and ends the check.
        let _ignored = self.send(&Message::Progress(report.clone()));
    }
}
