"""Requests counted for a monitor, over all worker processes of one host together."""

from __future__ import annotations

import bisect
import multiprocessing
from collections.abc import Iterator, Sequence
from multiprocessing.sharedctypes import RawArray, RawValue
from typing import Any

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

# Seconds; a page is to take well under 0.3.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0)
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
WIDTH = len(CLASSES) + len(BUCKETS) + 2
MOST_ENDPOINTS = 128
MOST_WORKERS = 64


class Meter:
    """Counts in memory that the workers share; each worker writes to a row of its own.

    Make it before the workers, and hand it to each. What a worker counted stays when it ends.
    """

    def __init__(self) -> None:
        self._cells = RawArray("d", MOST_WORKERS * MOST_ENDPOINTS * WIDTH)
        self._taken = RawValue("i", 0)
        self._between = multiprocessing.Lock()
        self._row: int | None = None

    def count(self, endpoint: int, status: int, seconds: float) -> None:
        """Count one request of the endpoint with this number; one thread at a time may."""
        if self._row is None:
            self._row = self._take_row()
        start = (self._row * MOST_ENDPOINTS + endpoint) * WIDTH
        self._cells[start + min(max(status // 100, 1), 5) - 1] += 1
        buckets = start + len(CLASSES)
        self._cells[buckets + bisect.bisect_left(BUCKETS, seconds)] += 1
        self._cells[start + WIDTH - 1] += seconds

    def totals(self, endpoint: int) -> list[float]:
        """Add up an endpoint's cells over all workers: classes, buckets, seconds."""
        starts = range(endpoint * WIDTH, len(self._cells), MOST_ENDPOINTS * WIDTH)
        rows = [self._cells[start : start + WIDTH] for start in starts]
        return [sum(column) for column in zip(*rows, strict=True)]

    def _take_row(self) -> int:
        with self._between:
            number = self._taken.value
            self._taken.value = number + 1
        return int(number) % MOST_WORKERS


class RequestCollector:
    """Shows a meter's counts to Prometheus, under the names of the endpoints."""

    def __init__(self, meter: Meter, endpoints: Sequence[str]) -> None:
        self.meter, self.endpoints = meter, endpoints

    def collect(self) -> Iterator[Metric]:
        """Give requests by endpoint and class of status, and how long they took."""
        requests = CounterMetricFamily(
            "lontar_http_requests", "Requests answered", labels=["endpoint", "status"]
        )
        seconds = HistogramMetricFamily(
            "lontar_http_request_seconds", "How long requests took", labels=["endpoint"]
        )
        for number, endpoint in enumerate(self.endpoints):
            cells = self.meter.totals(number)
            classes, buckets = cells[: len(CLASSES)], cells[len(CLASSES) : -1]
            if not any(classes):
                continue
            for name, count in zip(CLASSES, classes, strict=True):
                if count:
                    requests.add_metric([endpoint, name], count)
            seconds.add_metric([endpoint], list(_cumulated(buckets)), cells[-1])
        yield requests
        yield seconds

    def describe(self) -> Any:
        """Nothing is known before it is collected."""
        return []


def _cumulated(buckets: Sequence[float]) -> Iterator[tuple[str, float]]:
    """Give (upper bound, requests up to it), as Prometheus wants them."""
    total = 0.0
    for bound, count in zip([*map(str, BUCKETS), "+Inf"], buckets, strict=True):
        total += count
        yield bound, total
