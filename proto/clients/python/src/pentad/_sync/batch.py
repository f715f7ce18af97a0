"""Batches: many questions, sent in groups, answered as they finish.

A group is one request with a complete body, so it passes through clients and proxies that do
not read an answer before they have sent the question. The next group is sent when half of
the current one is answered; the server works on it while the rest of the first is read, so
no worker waits. At most two groups are open, and questions are taken from the caller only
when there is room, which bounds memory on both sides.

Questions of a group whose connection breaks, or whose server stops, are sent again.

Written by generate_sync.py from _async/batch.py; do not edit.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator, Mapping
from typing import Any, Final, Generic, TypeVar

from .._wire import LINES, Call, Deadline, decoded
from ..errors import PentadError, StreamCutError, UnreachableError, api_error
from ..questions import BatchResult, Question
from .transport import Transport
from .waiting import Items, iterate

A = TypeVar("A")

# Maximum bytes of a group: it fits into the buffers of a connection, so that sending it
# does not wait for the server to read it.
GROUP_BYTES_MAX: Final = 32 << 10


class _Group(Generic[A]):
    """A request that is being answered."""

    def __init__(self, lines: Generator[Any, None, None], questions: dict[str, Question[A]]) -> None:
        self.lines = lines
        self.pending = questions
        self.size = len(questions)

    @property
    def is_half_answered(self) -> bool:
        return len(self.pending) * 2 <= self.size


class Batch(Generic[A]):
    """The state of a batch."""

    def __init__(
        self,
        transport: Transport,
        questions: Items[Question[A]],
        group_size: int,
        timeout: float | None,
        headers: Mapping[str, str],
    ) -> None:
        self._transport = transport
        self._source = iterate(questions)
        self._has_more = True
        self._group_size = group_size
        self._deadline = Deadline(timeout)
        self._headers = headers
        # Questions to send before those of the source.
        self._again: deque[Question[A]] = deque()
        self._groups: deque[_Group[A]] = deque()
        # False if a second group was refused.
        self._may_overlap = True
        self._n_taken = 0
        # Groups that broke without an answer in between.
        self._n_broken = 0

    def results(self) -> Generator[BatchResult[A], None, None]:
        """Yields the results as they arrive."""
        try:
            while True:
                self._fill()
                if not self._groups:
                    return
                group = self._groups[0]
                line = None
                with contextlib.suppress(UnreachableError):
                    line = next(group.lines, None)
                if line is None:
                    self._end(self._groups.popleft())
                elif (result := self._result(group, line)) is not None:
                    self._n_broken = 0
                    yield result
        finally:
            for group in self._groups:
                group.lines.close()

    def _fill(self) -> None:
        """Opens a group if there is room for one, and questions."""
        is_only = not self._groups
        if not (is_only or (self._may_overlap and len(self._groups) == 1 and self._groups[0].is_half_answered)):
            return
        questions, body = self._take()
        if not questions:
            return
        call = Call("/v1/batch", body, accept=LINES, content_type=LINES, headers=self._headers)
        try:
            response = self._transport.open(call, self._deadline)
        except PentadError:
            if is_only:
                raise
            # The server has no room for another one, or stops: the current group may tell.
            self._again.extendleft(reversed(questions.values()))
            self._may_overlap = False
            return
        self._groups.append(_Group(self._transport.lines(response, self._deadline), questions))

    def _take(self) -> tuple[dict[str, Question[A]], bytes]:
        """Returns the questions of a group by id, and its body."""
        questions: dict[str, Question[A]] = {}
        body = bytearray()
        while len(questions) < self._group_size and len(body) < GROUP_BYTES_MAX:
            question = self._next_question()
            if question is None:
                break
            self._n_taken += 1
            id = str(self._n_taken)
            questions[id] = question
            body += question.line(id)
        return questions, bytes(body)

    def _next_question(self) -> Question[A] | None:
        if self._again:
            return self._again.popleft()
        if self._has_more:
            question = next(self._source, None)
            self._has_more = question is not None
            return question
        return None

    def _end(self, group: _Group[A]) -> None:
        """Keeps the questions of a group that ended early."""
        self._may_overlap = True
        if not group.pending:
            return
        self._n_broken += 1
        if self._n_broken > self._transport.settings.retries:
            raise StreamCutError(f"the batch broke {self._n_broken} times in a row; {len(group.pending)} unanswered")
        self._again.extend(group.pending.values())

    def _result(self, group: _Group[A], line: Mapping[str, Any]) -> BatchResult[A] | None:
        id = line.get("id")
        question = group.pending.pop(id, None) if isinstance(id, str) else None
        if question is not None and "answer" in line:
            return BatchResult(question=question, _answer=decoded(question.decode, line["answer"]))
        if question is not None and "error" in line:
            return BatchResult(question=question, error=api_error(line["error"]))
        if "error" in line:
            # It concerns the whole batch.
            raise api_error(line["error"])
        return None
