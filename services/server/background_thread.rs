//! A thread that is started up front, for work that blocks.
//!
//! Reloads must work when the system gives no more threads, for example because a rule
//! set has taken them all; tokio's `spawn_blocking` panics then. And a runtime waits for
//! such work when it is dropped, while a process that ends does not wait for a thread.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Runs work in the order of arrival. It ends when this is dropped and all work is done.
#[derive(Debug)]
pub(crate) struct BackgroundThread {
    work: mpsc::Sender<Work>,
}

impl BackgroundThread {
    pub(crate) fn start(name: &str) -> io::Result<BackgroundThread> {
        let (work, received) = mpsc::channel::<Work>();
        let run = move || received.into_iter().for_each(|work| work());
        thread::Builder::new().name(name.to_owned()).spawn(run)?;
        Ok(BackgroundThread { work })
    }

    /// Starts work. Resolves to its result, or to the message of its panic. The work is
    /// done even if the result is not awaited.
    pub(crate) fn run<T, W>(&self, work: W) -> impl Future<Output = Result<T, String>> + Send + use<T, W>
    where
        T: Send + 'static,
        W: FnOnce() -> T + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            let result = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic));
            // Nobody may be waiting.
            let _unawaited = sender.send(result);
        };
        self.work.send(Box::new(work)).expect("the thread ends after this");
        async { receiver.await.expect("the thread sends a result") }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work runs in order, and a panic fails only itself.
    #[tokio::test]
    async fn panics_fail_only_themselves() {
        let thread = BackgroundThread::start("test").unwrap();
        let (first, second) = (thread.run(|| 1), thread.run(|| -> i32 { panic!("on {}", "purpose") }));
        assert_eq!(first.await, Ok(1));
        assert_eq!(second.await, Err("on purpose".to_owned()));
        assert_eq!(thread.run(|| thread::current().name().map(str::to_owned)).await, Ok(Some("test".to_owned())));
    }
}
