"""Instances that outlive the environments that use them."""

import threading

from siturec_gym.renderers.unrealcv.instances import Instance, launch_of
from siturec_gym.renderers.unrealcv.mapping import Mapping


class InstancePool:
    """Instances that are kept running between renderers, because engines take long to start.

    Safe to use from several threads. Use it in ``with``, or close it.

    Args:
        mapping: How instances are launched.
        size: Width and height for their command lines.
    """

    def __init__(self, mapping: Mapping, size: tuple[int, int]) -> None:
        launch_of(mapping)
        self._mapping, self._size = mapping, size
        self._lock = threading.Lock()
        self._idle: list[Instance] = []
        self._lent: set[Instance] = set()
        self._closed = False

    def acquire(self) -> Instance:
        """An instance for one user: an idle one that still answers, or a new one. Raises RendererError."""
        while (instance := self._taken()) is not None:
            if instance.answers():
                return instance
            with self._lock:
                self._lent.discard(instance)
            instance.stop()
        instance = Instance(self._mapping, self._size)
        with self._lock:
            self._lent.add(instance)
        return instance

    def _taken(self) -> Instance | None:
        """An idle instance, which is then lent; None where there is none."""
        with self._lock:
            if not self._idle:
                return None
            instance = self._idle.pop()
            self._lent.add(instance)
            return instance

    def release(self, instance: Instance) -> None:
        """Give an instance back; it is kept for the next user, or ended where it or the pool has ended."""
        with self._lock:
            self._lent.discard(instance)
            if instance.is_running and not self._closed:
                self._idle.append(instance)
                return
        instance.stop()

    def close(self) -> None:
        """End every instance, lent ones too; harmless when closed."""
        with self._lock:
            self._closed = True
            instances, self._idle = [*self._idle, *self._lent], []
            self._lent.clear()
        for instance in instances:
            instance.stop()

    def __enter__(self) -> "InstancePool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
