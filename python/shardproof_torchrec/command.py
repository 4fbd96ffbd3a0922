"""The command `shardproof`: found, run, and stopped."""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from .errors import Infeasible, NoPlan, OutOfTime, ShardproofError
from .units import in_units

logger = logging.getLogger("shardproof_torchrec")

#: Seconds past its own limit that the program may take before it is asked to stop, and seconds that it has then.
LATE_SECONDS, STOP_SECONDS = 1.0, 20.0

#: Seconds between two looks at what the program says, and how a line of its progress begins.
LOOK_SECONDS, PROGRESS = 0.25, re.compile(r"\d+ s  ·  ")

#: Exit statuses of shardproof.
PROVED, BAD_INPUT, NOT_PROVED, INFEASIBLE = 0, 2, 3, 4

INSTALL = (
    "install it (Node 20; in a checkout of shardproof: npm ci && npm link), "
    "or say where it is: command='node …/dist/src/cli/main.js'"
)


def find_command(given: Union[None, str, Sequence[str]] = None) -> List[str]:
    """The words that start shardproof: those given, those of the environment's SHARDPROOF_COMMAND, `shardproof` on the
    PATH, or that of the nearest `node_modules` from the working directory up. Raises `ShardproofError` without any."""
    named = given if given is not None else os.environ.get("SHARDPROOF_COMMAND")
    if named:
        words = shlex.split(named) if isinstance(named, str) else [str(word) for word in named]
        if words and shutil.which(words[0]) is not None:
            return words
        raise ShardproofError(f"the command {shlex.join(words)!r} is not there; {INSTALL}")
    found = shutil.which("shardproof")
    if found is not None:
        return [found]
    here = Path.cwd()
    for folder in (here, *here.parents):
        local = folder / "node_modules" / ".bin" / "shardproof"
        if local.exists():
            return [str(local)]
    raise ShardproofError(f"no command shardproof on the PATH, and none in a node_modules from {here} up; {INSTALL}")


def plan(
    command: Sequence[str], instance: bytes, time_limit: float, options: Sequence[str], ends: float
) -> Tuple[Dict[str, Any], bool]:
    """The plan file for an instance, and whether its search was stopped early. Raises `Infeasible` and `NoPlan` with
    shardproof's words, and `OutOfTime`.

    `time_limit`: seconds that the program is told. `ends`: when it is over in any case, of `time.monotonic`. Its progress
    is logged. Ctrl-C ends the search, and the best plan so far is the answer; a second one ends it without.
    """
    words = ["plan", "-", "--json", "--quiet", "--progress", "--time-limit", f"{time_limit:.3f}", *options]
    late = time.monotonic() + time_limit + LATE_SECONDS
    status, stopped, out, err = _run([*command, *words], instance, ends, stop_at=min(late, ends))
    if status not in (PROVED, NOT_PROVED, INFEASIBLE):
        how = "refused the options" if status == BAD_INPUT else f"ended with status {status}"
        raise ShardproofError(f"it {how}: {_line(err)}")
    try:
        plan_file = json.loads(out)
        known = plan_file["status"], plan_file["objective"]["value"], plan_file["tables"], plan_file["baseline"]
    except (ValueError, KeyError, TypeError):
        words = shlex.join(command)
        raise ShardproofError(f"{words!r} is not shardproof 0.4 or later: it printed no plan file") from None
    if known[0] == "infeasible":
        raise Infeasible(f"proved: no plan fits: {infeasibility(plan_file)}")
    if known[1] is None:
        raise NoPlan(f"no plan found within {time_limit:.3g} s, and none proved impossible; give it a larger time_limit")
    return plan_file, stopped or bool(plan_file.get("stopped"))


def infeasibility(plan_file: Dict[str, Any]) -> str:
    """Why nothing fits, in shardproof's words: which tables are too much together, and what would be enough."""
    why = plan_file.get("infeasibility") or {}
    conflict = why.get("conflict") or []
    explanation = in_units(why.get("explanation") or "its certificate says so")
    if not conflict:
        return explanation
    shown = ", ".join(conflict[:8]) + (f" and {len(conflict) - 8} more" if len(conflict) > 8 else "")
    return f"{explanation} (too much together: {shown})"


def report(command: Sequence[str], instance: bytes, plan_file: Dict[str, Any], check: bool, ends: float) -> bytes:
    """The page about a plan; `check`: its certificate is checked again, which may take long. Raises `ShardproofError`,
    and `OutOfTime` where it is not there when it `ends`, of `time.monotonic`."""
    with tempfile.TemporaryDirectory(prefix="shardproof-") as folder:
        files = [Path(folder, "plan.json"), Path(folder, "instance.json")]
        files[0].write_text(json.dumps(plan_file))
        files[1].write_bytes(instance)
        words = ["report", str(files[0]), "--instance", str(files[1]), "--quiet", *([] if check else ["--no-check"])]
        # The rest is for starting, and for drawing what was computed.
        words += ["--time-limit", f"{max(0.1, (ends - time.monotonic()) / 2):.3f}"]
        status, _, out, err = _run([*command, *words], b"", ends)
    if status != 0:
        raise ShardproofError(f"its report ended with status {status}: {_line(err)}")
    return out.encode()


def _run(
    words: Sequence[str], given: bytes, ends: float, stop_at: Optional[float] = None
) -> Tuple[int, bool, str, str]:
    """Exit status, whether it was asked to stop, standard output and standard error. `stop_at`: when it is asked to stop
    with what it has; None: it has nothing then. Raises `OutOfTime` where it has not ended when it `ends`.

    Through files and not pipes: neither side waits for the other to read.
    """
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        try:
            # In a session of its own, so that Ctrl-C is ours to pass on.
            child = subprocess.Popen(words, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True)
        except OSError as error:
            raise ShardproofError(f"cannot start {words[0]!r}: {error.strerror or error}; {INSTALL}") from None
        with _ended_with_us(child):
            status, stopped = _wait(child, _Progress(stderr.fileno()), ends, stop_at)
        texts = []
        for file in (stdout, stderr):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return status, stopped, texts[0], texts[1]


def _wait(
    child: "subprocess.Popen[bytes]", progress: "_Progress", ends: float, stop_at: Optional[float]
) -> Tuple[int, bool]:
    stopped = False
    while True:
        try:
            until = ends if stopped or stop_at is None else stop_at
            status = child.wait(max(0.0, min(LOOK_SECONDS, until - time.monotonic())))
            progress.log()
            return status, stopped
        except subprocess.TimeoutExpired:
            progress.log()
            if time.monotonic() < until:
                continue
            if stopped or stop_at is None:
                raise OutOfTime("it did not end in time") from None
            logger.warning("shardproof is past its time limit: asked to stop with the best that it has")
        except KeyboardInterrupt:
            if stopped or stop_at is None:
                raise
            logger.warning("interrupted: shardproof stops with the best plan so far; press Ctrl-C again to end at once")
        _signal(child, signal.SIGINT)
        stopped, ends = True, min(ends, time.monotonic() + STOP_SECONDS)


class _Progress:
    """Logs the lines of progress in a file that the program writes to."""

    def __init__(self, file: int) -> None:
        self._file, self._read, self._rest = file, 0, b""

    def log(self) -> None:
        # Not by reading on: the program writes where the file stands, which both have in common.
        found = os.pread(self._file, 1 << 16, self._read)
        self._read += len(found)
        *lines, self._rest = (self._rest + found).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace")
            if PROGRESS.match(text):
                logger.info("shardproof: %s", text)


@contextmanager
def _ended_with_us(child: "subprocess.Popen[bytes]") -> Iterator[None]:
    """The child does not outlive us: not an exception, and not a SIGTERM, which is how launchers end their workers."""
    before: Any = None
    listens = threading.current_thread() is threading.main_thread()

    def on_term(number: int, frame: Optional[Any]) -> None:
        _signal(child, signal.SIGKILL)
        signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if listens:
        before = signal.signal(signal.SIGTERM, on_term)
    try:
        yield
    finally:
        if listens:
            signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)
        if child.poll() is None:
            _signal(child, signal.SIGKILL)
            child.wait()


def _signal(child: "subprocess.Popen[bytes]", number: int) -> None:
    """To the whole session: the command may be a wrapper (npx, a shell) around the program."""
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def _line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not PROGRESS.match(line)]
    return " ".join(lines[:3])[:500] if lines else "it said nothing"
