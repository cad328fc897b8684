"""A large first frame for calls that go deep, such as a request."""

from types import FunctionType
from typing import TypeVar

Function = TypeVar("Function")
FRAME_SLOTS = 30_000
"""8 bytes each. All calls below the function then find room in one chunk of Python's stack."""


def in_one_stack_chunk(function: Function) -> Function:
    """Gives the function a frame so large that Python allocates its stack once for each call.

    Python grows its stack by chunks of 16 kB and returns a chunk to the system as soon as the chunk is empty. A loop of
    a template whose calls cross the end of a chunk would allocate and return it at each call (decision 40).
    """
    if isinstance(function, FunctionType):
        function.__code__ = function.__code__.replace(co_stacksize=FRAME_SLOTS)
    return function
