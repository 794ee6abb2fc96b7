# SPDX-License-Identifier: MIT
"""What hqe raises. The messages are those of the command; docs/python.md has the table."""

from __future__ import annotations

from typing import Any

from hqe import _core


def _unicode(value: Any) -> str:
    """The text of a value; halves of characters, which only Python knows, as escapes."""
    return str(value).encode("utf-8", "backslashreplace").decode()


class Error(Exception):
    """Base of everything that hqe raises on purpose. Strangers' names in the message are escaped
    where they would move the cursor or cannot be seen, and cut where they are long."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*(_core.message_text(_unicode(one)) for one in arguments))


class UsageError(Error, ValueError):
    """Something was asked that cannot be done: an option out of range, a vote that the pool's kind
    does not allow, a request too large. The command exits with 2."""


class InputError(Error, ValueError):
    """A file or an array is not what it should be, or a file changed while it was read. The command
    exits with 3."""


class OutputError(Error, OSError):
    """A result could not be written. Whatever was there before is untouched. The command exits
    with 1."""


class Cancelled(Error):
    """The work was interrupted."""
