"""Client of Pentad, a game-analysis service.

    from pentad import Pentad

    with Pentad("http://127.0.0.1:8080") as pentad:
        answer = pentad.hint("pentago", moves=["c3-2r"])
        print(answer.hints[0].move, answer.evaluation.scores)

`AsyncPentad` has the same methods for asyncio, and `Pentad.local()` starts a server first.
Everything that a call raises is a `PentadError`.
"""

from . import errors, questions, results, types
from ._async.client import AsyncPentad
from ._async.streams import AsyncAnalysisStream, AsyncPuzzleStream, AsyncReviewStream, AsyncStream
from ._local import LocalServer
from ._sync.client import Pentad
from ._sync.streams import AnalysisStream, PuzzleStream, ReviewStream, Stream
from ._version import __version__
from ._wire import Options
from .errors import *
from .questions import *
from .results import *
from .types import Limits

__all__ = [
    "AnalysisStream",
    "AsyncAnalysisStream",
    "AsyncPentad",
    "AsyncPuzzleStream",
    "AsyncReviewStream",
    "AsyncStream",
    "Limits",
    "LocalServer",
    "Options",
    "Pentad",
    "PuzzleStream",
    "ReviewStream",
    "Stream",
    "__version__",
    "errors",
    "questions",
    "results",
    "types",
]
__all__ += errors.__all__ + questions.__all__ + results.__all__
