"""What a database refuses, as coded errors: out of reach, locked, read only, full, damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

from facility.core.errors import FacilityError

_LOCKED = ("is locked", "locknotavailable", "deadlock", "serializationfailure", "querycanceled")
_READ_ONLY = ("readonly database", "readonlysqltransaction", "insufficientprivilege")
_FULL = ("database or disk is full", "diskfull", "outofmemory")
_DAMAGED = ("not a database", "malformed", "no such table", "undefinedtable", "no such column")


@contextmanager
def reported(where: str) -> Iterator[None]:
    """Turn what the database refuses into a coded error; `where` names the store.

    Raises ``STORE_LOCKED``, ``STORE_READ_ONLY``, ``STORE_FULL``, ``STORE_DAMAGED`` or
    ``STORE_UNREACHABLE``, with exit code 6.
    """
    try:
        yield
    except NoConnection:
        raise _locked(where) from None
    except DBAPIError as error:
        raise refusal_of(error.orig, where) from None
    except SQLAlchemyError as error:
        raise refusal_of(error, where) from None


def refusal_of(error: BaseException | None, where: str) -> FacilityError:
    """Return the coded error of what a driver raised."""
    said = " ".join(str(error).split())
    known = f"{type(error).__name__} {said}".lower()
    if any(word in known for word in _LOCKED):
        return _locked(where)
    if any(word in known for word in _READ_ONLY):
        return FacilityError(
            "STORE_READ_ONLY",
            where,
            "the store can be read, not written.",
            "Mend the permissions of the file and its folder, or of the database role.",
        )
    if any(word in known for word in _FULL):
        return FacilityError(
            "STORE_FULL",
            where,
            "there is no space left to save in.",
            "Free some; nothing that was saved before is lost.",
        )
    if any(word in known for word in _DAMAGED):
        return damaged(where, said[:160])
    return FacilityError(
        "STORE_UNREACHABLE",
        where,
        f"the store cannot be opened or used: {said[:160]}.",
        "Check the path or address, and that the database runs.",
    )


def _locked(where: str) -> FacilityError:
    return FacilityError(
        "STORE_LOCKED",
        where,
        "somebody else is writing, and did not finish in time.",
        "Try again; nothing was saved by this call.",
    )


def damaged(where: str, reason: str) -> FacilityError:
    """Return the error of a file or database that is no sound store."""
    return FacilityError(
        "STORE_DAMAGED",
        where,
        f"this is no store of projects, or it is damaged: {reason}.",
        "Give another path, or restore a backup into a new store.",
    )
