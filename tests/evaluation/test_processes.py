"""What a worker process sends home when it cannot send what happened."""

import pickle

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.processes import _pickled


class SilentError(Exception):
    """Cannot be pickled, and its text cannot be had."""

    def __reduce__(self):
        raise TypeError("no")

    def __str__(self):
        raise ValueError("no words either")


def test_an_error_that_can_neither_be_sent_nor_read_is_still_told():
    slot, error = pickle.loads(_pickled(None, SilentError()))
    assert slot is None
    assert isinstance(error, RunError)
    assert str(error) == "SilentError: (its text cannot be had: ValueError)"


def test_an_error_that_can_be_sent_arrives_as_it_is():
    _, error = pickle.loads(_pickled(None, RunError("the disk is full")))
    assert (type(error), str(error)) == (RunError, "the disk is full")
