"""Every edit is saved as a revision, beside the page; what is not saved is said and kept."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from facility.core.errors import FacilityError
from facility.ui.session import saver as saving
from facility.ui.session.saver import Saver


def refusal(code: str = "STORE_UNREACHABLE") -> FacilityError:
    return FacilityError(code, "store", "no.", "Mend it.")


def settled(saver: Saver) -> str:
    """Return the status once nothing is under way."""
    assert saver._idle.wait(5.0)
    return saver.status


def test_edits_are_saved_in_their_order() -> None:
    saver, saved = Saver(), []
    for number in range(20):
        saver.add(lambda n=number: saved.append(n))
    assert settled(saver) == "saved"
    assert saved == list(range(20))
    assert saver.count == 0


def test_a_slow_save_does_not_hold_the_page() -> None:
    saver, gate = Saver(), threading.Event()
    saver.add(lambda: gate.wait(5.0) and None)
    assert saver.status == "saving"
    saver.add(lambda: None)
    assert saver.count == 2
    gate.set()
    assert settled(saver) == "saved"


def test_what_fails_is_kept_in_its_order_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    saver, saved, broken = Saver(), [], [True]

    def step(number: int) -> Callable[[], None]:
        def save() -> None:
            if broken:
                raise refusal()
            saved.append(number)

        return save

    saver.add(step(1))
    saver.add(step(2))
    assert settled(saver) == "failed"
    assert saver.count == 2
    saver.retry_if_due()
    assert saver.status == "failed"
    broken.clear()
    saver.retry_if_due()
    assert not saved
    monkeypatch.setattr(saving, "RETRY_S", 0.0)
    saver.retry_if_due()
    assert settled(saver) == "saved"
    assert saved == [1, 2]


def test_a_conflict_waits_for_a_decision() -> None:
    saver, calls = Saver(), []

    def conflict() -> None:
        calls.append(1)
        raise refusal("STORE_CONFLICT")

    saver.add(conflict)
    assert settled(saver) == "conflict"
    saver.add(lambda: calls.append(2))
    assert (saver.count, calls) == (2, [1])
    saver.drop()
    assert (saver.status, saver.count) == ("saved", 0)
    saver.add(lambda: calls.append(3))
    assert settled(saver) == "saved"
    assert calls == [1, 3]


def test_a_defect_is_told_and_not_for_ever_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    saver = Saver()
    saver.add(lambda: [][0])
    assert settled(saver) == "failed"
    assert saver.error is not None
    assert saver.error.code == "SAVE_FAILED"


def test_what_is_let_go_while_it_is_saved_takes_nothing_else_with_it() -> None:
    saver, gate, saved = Saver(), threading.Event(), []
    saver.add(lambda: gate.wait(5.0) and None)
    saver.drop()
    saver.add(lambda: saved.append(1))
    gate.set()
    assert settled(saver) == "saved"
    assert saved == [1]
