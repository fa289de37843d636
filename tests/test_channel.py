"""A client of the fast workers: how answers come, and what happens when a worker dies with a job."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.channel import Channel, FastWorkerLost, HandedOver
from compute_atlas.queries.errors import QueryTooSlow, ServiceUnavailable, TooBusy, UnknownFunction, to_wire
from compute_atlas.queries.frames import (
    DATA,
    END,
    ERROR,
    HAND_OVER,
    LOST,
    PERHAPS_LOST,
    Job,
    decode_job,
    encode_reply,
    encode_task,
)

JOB = Job("query", {"text": "ASK {}"}, "id", 5.0, "ASK {}")


class Worker:
    """A worker that does what the test says."""

    def __init__(self, folder: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "fast"))
        self.socket.settimeout(5)
        self.client = ""

    def take(self) -> int:
        """Return the number of the next job."""
        message, self.client = self.socket.recvfrom(65536)
        job, _, number = decode_job(message)
        assert job == JOB
        return number

    def say(self, kind: int, number: int, payload: bytes = b"") -> None:
        """Send a frame to the client that has asked last."""
        self.socket.sendto(encode_reply(kind, number, payload), self.client)


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker in the folder of the test."""
    worker = Worker(tmp_path)
    with worker.socket:
        yield worker


class Asking(threading.Thread):
    """A client in a thread of its own."""

    def __init__(self, channel: Channel, limit_s: float = 5.0) -> None:
        super().__init__()
        self._channel, self._limit_s = channel, limit_s
        self.answer = b""
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        """Ask."""
        try:
            self.answer = self._channel.ask(JOB, encode_task(JOB), time.monotonic() + self._limit_s)
        except (AtlasError, HandedOver, FastWorkerLost) as error:
            self.error = error


@pytest.fixture
def channel(tmp_path: Path) -> Channel:
    """A way to the worker."""
    return Channel(tmp_path, 0.1)


def test_pieces_are_joined_and_what_belongs_to_an_earlier_job_is_dropped(
    worker: Worker, channel: Channel
) -> None:
    asking = Asking(channel)
    number = worker.take()
    worker.say(END, number - 1, b"stale")
    worker.say(DATA, number, b"a")
    worker.say(END, number, b"b")
    asking.join()
    assert asking.answer == b"ab"


@pytest.mark.parametrize(
    ("kind", "payload", "error"),
    [
        (ERROR, json.dumps(to_wire(UnknownFunction("<f>"))).encode(), UnknownFunction),
        (HAND_OVER, b"", HandedOver),
        (LOST, b"memory", FastWorkerLost),
    ],
)
def test_a_job_that_ends_badly(
    worker: Worker, channel: Channel, kind: int, payload: bytes, error: type[Exception]
) -> None:
    asking = Asking(channel)
    worker.say(kind, worker.take(), payload)
    asking.join()
    assert type(asking.error) is error


def test_a_job_that_may_be_lost_is_asked_for_again(worker: Worker, channel: Channel) -> None:
    asking = Asking(channel)
    first = worker.take()
    worker.say(PERHAPS_LOST, 1)  # long before: of no concern
    worker.say(DATA, first, b"half")
    worker.say(PERHAPS_LOST, time.monotonic_ns())
    second = worker.take()
    worker.say(END, first, b"first")
    worker.say(END, second, b"second")
    asking.join()
    assert asking.answer == b"second"


def test_an_answer_that_does_not_come_is_waited_for_until_the_limit(worker: Worker, channel: Channel) -> None:
    started = time.monotonic()
    asking = Asking(channel, limit_s=0.1)
    worker.take()
    asking.join()
    assert type(asking.error) is QueryTooSlow
    assert 0.1 <= time.monotonic() - started < 0.3


def test_a_place_in_a_full_queue_is_waited_for(tmp_path: Path, worker: Worker) -> None:
    others: list[Asking] = []
    while not any(asking.error for asking in others):
        others.append(Asking(Channel(tmp_path, 0.1)))
        others[-1].join(0.2)
        assert len(others) < 2000
    assert type(others[-1].error) is TooBusy
    late = Asking(Channel(tmp_path, 2.0))
    numbers = [worker.take()]
    worker.say(END, numbers[0])
    for _ in others[:-1]:
        worker.say(END, worker.take(), b"yes")
    for asking in (*others, late):
        asking.join()
    assert late.answer == b"yes"


def test_without_workers_there_is_no_service(tmp_path: Path) -> None:
    asking = Asking(Channel(tmp_path, 0.1))
    asking.join()
    assert type(asking.error) is ServiceUnavailable
