//! Calls with more than one answer: pages, streams, batches.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use pentad_proto::{
    AnalyzeRequest, AnalyzeResponse, BatchRequest, BatchResponse, ExploreRequest, ExploredMove, FindPuzzlesRequest,
    FindPuzzlesResponse, ListLegalMovesRequest, ReviewRequest, ReviewResponse,
};
use tonic::Streaming;

use crate::{Error, Pentad};

/// Messages of a stream as they arrive. Dropping it cancels the call, and that stops the
/// search.
#[derive(Debug)]
pub struct Messages<M>(Streaming<M>);

impl<M> Stream for Messages<M> {
    type Item = Result<M, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context).map_err(Error::from)
    }
}

impl Pentad {
    /// The legal moves in canonical order; pages are requested as they are needed.
    pub fn legal_moves(
        &self,
        request: ListLegalMovesRequest,
    ) -> impl Stream<Item = Result<String, Error>> + Send + use<> {
        let client = self.clone();
        let pages = stream::try_unfold(Some(request), move |request| {
            let client = client.clone();
            async move {
                let Some(request) = request else { return Ok::<_, Error>(None) };
                let page = client.legal_moves_page(request.clone()).await?;
                let moves: Vec<Result<String, Error>> = page.iter().map(|mv| Ok(mv.to_owned())).collect();
                let token = Some(page.next_page_token).filter(|token| !token.is_empty());
                let next = token.map(|page_token| ListLegalMovesRequest { page_token, ..request });
                Ok(Some((stream::iter(moves), next)))
            }
        });
        pages.try_flatten()
    }

    /// What is known of each distinct move; pages are requested as they are needed.
    pub fn explore(&self, request: ExploreRequest) -> impl Stream<Item = Result<ExploredMove, Error>> + Send + use<> {
        let client = self.clone();
        let pages = stream::try_unfold(Some(request), move |request| {
            let client = client.clone();
            async move {
                let Some(request) = request else { return Ok::<_, Error>(None) };
                let page = client.explore_page(request.clone()).await?;
                let token = Some(page.next_page_token).filter(|token| !token.is_empty());
                let next = token.map(|page_token| ExploreRequest { page_token, ..request });
                Ok(Some((stream::iter(page.moves.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten()
    }

    /// Like [`hint`](Self::hint), but with every improvement as it is found; the last message
    /// is `final`.
    pub async fn analyze(&self, request: AnalyzeRequest) -> Result<Messages<AnalyzeResponse>, Error> {
        let call =
            self.repeated(self.stream_timeout, request, async |mut client, request| client.analyze(request).await);
        call.await.map(Messages)
    }

    /// Reviews a game: moves from the last to the first, progress after each, and a summary.
    pub async fn review(&self, request: ReviewRequest) -> Result<Messages<ReviewResponse>, Error> {
        let call =
            self.repeated(self.stream_timeout, request, async |mut client, request| client.review(request).await);
        call.await.map(Messages)
    }

    /// Finds positions that exactly one distinct move wins.
    pub async fn puzzles(&self, request: FindPuzzlesRequest) -> Result<Messages<FindPuzzlesResponse>, Error> {
        let call =
            self.repeated(self.stream_timeout, request, async |mut client, request| client.find_puzzles(request).await);
        call.await.map(Messages)
    }

    /// Answers any number of questions as they finish. The server stops reading while its
    /// window is full or the answers are not read, and `questions` is then not polled.
    ///
    /// It is not repeated: after a broken connection, send the unanswered questions again.
    pub async fn batch(
        &self,
        questions: impl Stream<Item = BatchRequest> + Send + 'static,
    ) -> Result<Messages<BatchResponse>, Error> {
        let request = self.request(questions, self.stream_timeout);
        Ok(Messages(self.analysis.clone().batch(request).await?.into_inner()))
    }
}
