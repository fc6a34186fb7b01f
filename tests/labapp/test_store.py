"""Laws of the store: what was done can be undone, whatever the order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from labapp.store import Store

NUMBERS = st.integers(0, 3)  # few values, so that states come back often
TOKENS = st.sampled_from(["drag a", "drag b"])


def put(value: Any) -> Any:
    return lambda state: value


class StoreMachine(RuleBasedStateMachine):
    """Random gestures against a store, with a plain list of states as the model of its past and future."""

    @initialize(value=NUMBERS)
    def open(self, value: int) -> None:
        self.store = Store(value)
        self.first = self.clean = value
        self.heard = [value]
        self.store.changed.connect(self.heard.append)

    @rule(value=NUMBERS)
    def change(self, value: int) -> None:
        self.store.dispatch(put(value), f"Put {value}")

    @rule(value=NUMBERS, token=TOKENS)
    def drag(self, value: int, token: str) -> None:
        self.store.dispatch(put(value), "Drag", merge=token)

    @rule(token=TOKENS)
    def escape(self, token: str) -> None:
        self.store.take_back(token)

    @rule()
    def undo(self) -> None:
        self.store.undo()

    @rule()
    def redo(self) -> None:
        self.store.redo()

    @rule()
    def undo_and_redo_lead_back(self) -> None:
        before = self.store.state, self.store.undo_label, self.store.redo_label
        if self.store.undo_label:
            self.store.undo()
            self.store.redo()
        assert (self.store.state, self.store.undo_label, self.store.redo_label) == before

    @rule()
    def reset(self) -> None:
        self.store.reset()
        assert self.store.state == self.first

    @rule()
    def save(self) -> None:
        self.store.mark_clean()
        self.clean = self.store.state

    @rule(value=NUMBERS)
    def load(self, value: int) -> None:
        self.store.load(value)
        self.first = self.clean = value
        assert self.store.undo_label == self.store.redo_label == ""

    @rule()
    @precondition(lambda self: self.store.redo_label)
    def redo_all_then_undo_all(self) -> None:
        here = self.store.state
        steps = 0
        while self.store.redo_label:
            self.store.redo()
            steps += 1
        for _ in range(steps):
            self.store.undo()
        assert self.store.state == here

    @invariant()
    def what_was_heard_is_the_state(self) -> None:
        assert self.heard[-1] == self.store.state

    @invariant()
    def clean_says_whether_the_state_is_the_saved_one(self) -> None:
        assert self.store.is_clean == (self.store.state == self.clean)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            while self.store.undo_label:
                self.store.undo()
            assert self.store.state == self.first


TestStoreMachine = StoreMachine.TestCase


@pytest.fixture
def store() -> Store:
    return Store(0)


def test_a_drag_is_one_step(store: Store) -> None:
    for value in (1, 2, 3):
        store.dispatch(put(value), "Move query", merge="drag")
    assert store.undo_label == "Move query"
    store.undo()
    assert (store.state, store.undo_label, store.redo_label) == (0, "", "Move query")
    store.redo()
    assert store.state == 3


def test_a_drag_that_comes_back_is_no_step(store: Store) -> None:
    store.dispatch(put(1), "Move query", merge="drag")
    store.dispatch(put(0), "Move query", merge="drag")
    assert (store.state, store.undo_label) == (0, "")


def test_two_drags_are_two_steps(store: Store) -> None:
    store.dispatch(put(1), "Move query", merge="first")
    store.dispatch(put(2), "Move query", merge="second")
    store.undo()
    assert store.state == 1


def test_a_drag_after_undo_does_not_join_the_step_before(store: Store) -> None:
    store.dispatch(put(1), "Drag", merge="drag")
    store.dispatch(put(2), "Other")
    store.undo()
    store.dispatch(put(3), "Drag", merge="drag")
    store.undo()
    assert store.state == 1


def test_escape_drops_the_drag_alone(store: Store) -> None:
    store.dispatch(put(1), "Before")
    store.dispatch(put(2), "Drag", merge="drag")
    store.take_back("drag")
    assert (store.state, store.undo_label) == (1, "Before")
    store.take_back("drag")
    assert store.state == 1


def test_an_update_that_raises_changes_nothing(store: Store) -> None:
    store.dispatch(put(1), "Before")
    with pytest.raises(ZeroDivisionError):
        store.dispatch(lambda state: state // 0, "Divide")
    assert (store.state, store.undo_label, store.redo_label) == (1, "Before", "")


def test_an_update_that_changes_nothing_is_no_step_and_keeps_what_can_be_redone(store: Store) -> None:
    store.dispatch(put(1), "Put")
    store.undo()
    store.dispatch(put(0), "Nothing")
    assert (store.undo_label, store.redo_label) == ("", "Put")


def test_clean_however_it_was_reached(store: Store) -> None:
    store.dispatch(put(1), "Put")
    assert not store.is_clean
    store.dispatch(put(0), "Back by hand")
    assert store.is_clean


def test_a_write_that_took_a_while_marks_the_state_that_was_written(store: Store) -> None:
    store.dispatch(put(1), "Put")
    written = store.state
    store.dispatch(put(2), "Put")
    store.mark_clean(written)
    assert not store.is_clean
    store.undo()
    assert store.is_clean


def test_reset_is_a_step_that_can_be_undone(store: Store) -> None:
    store.dispatch(put(1), "Put")
    store.reset()
    assert (store.state, store.undo_label) == (0, "Reset")
    store.undo()
    assert store.state == 1
