"""Sign-in: who a visitor is, and the way in and out with a provider on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from facility.files.store.opening import open_store
from facility.files.store.records import Role
from facility.ui.session.identity import visitor_of
from tests.cli.helpers import SHORT
from tests.files.store.edited import expire
from tests.ui.browsing import Watched, enter, field, free_port, is_saved, served, visit
from tests.ui.provider import CLIENT, PASSWORD, Provider, provided

Claims = dict[str, object]
ANN: Claims = {
    "sub": "1",
    "name": "Ann Example",
    "email": "Ann@Example.org",
    "email_verified": True,
}
BOB: Claims = {**ANN, "sub": "2", "name": "Bob Example", "email": "bob@example.org"}


def test_a_verified_address_is_who_somebody_is() -> None:
    found = visitor_of({**ANN, "iss": "https://id.example.org/one"})
    assert (found.id, found.name, found.single) == ("ann@example.org", "Ann Example", False)


@pytest.mark.parametrize("verified", [False, None, "false", "yes", 1.5])
def test_an_address_that_nobody_verified_is_not(verified: object) -> None:
    claims = {**ANN, "email_verified": verified, "iss": "https://id.example.org/one/"}
    assert visitor_of(claims).id == "1 at id.example.org/one"
    assert visitor_of(claims, trusted=True).id == "ann@example.org"


def test_the_same_subject_of_two_providers_is_two_people() -> None:
    ids = {visitor_of({"sub": "1", "iss": f"https://id.example.org/{n}"}).id for n in range(2)}
    assert len(ids) == 2


@pytest.mark.parametrize("sub", ["x" * 5000, "two\nlines", "\ud800"])
def test_any_claim_becomes_a_name_that_the_store_keeps(sub: str) -> None:
    found = visitor_of({"sub": sub, "iss": "https://id.example.org", "name": sub})
    assert found.id.isprintable()
    assert found.name.isprintable()
    assert 0 < len(found.id) <= 120
    assert 0 < len(found.name) <= 120


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with provided() as found:
        yield found


@pytest.fixture(scope="module")
def address(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the app with sign-in on."""
    folder = tmp_path_factory.mktemp("secrets")
    port = free_port()
    (folder / "secrets.toml").write_text(
        f"""
        [auth]
        redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
        cookie_secret = "of these tests alone, and long enough"
        client_id = "{CLIENT}"
        client_secret = "{PASSWORD}"
        server_metadata_url = "{provider.address}/.well-known/openid-configuration"
        """
    )
    patch = pytest.MonkeyPatch()
    patch.setenv("STREAMLIT_SECRETS_FILES", str(folder / "secrets.toml"))
    patch.setenv("PYTHONWARNINGS", "ignore")
    with patch.context() as environment:
        environment.setenv("FACILITY_STORE", str(folder / "projects.sqlite"))
        environment.setenv("STORE_OF_TESTS", str(folder / "projects.sqlite"))
        with served(port=port) as found:
            yield found
    patch.undo()


@pytest.mark.browser
def test_nothing_is_seen_before_the_sign_in_and_after_the_sign_out(
    provider: Provider, address: str, browser: Browser
) -> None:
    visitor = Watched(browser)
    page = visitor.page
    page.goto(address)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.get_by_role("navigation", name="App pages").count() == 0
    assert page.get_by_role("heading", name="Summary").count() == 0

    provider.claims, provider.forged = ANN, True
    with page.expect_response(lambda answer: "/oauth2callback?" in answer.url):
        page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{address}/")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.get_by_text("Ann Example").count() == 0

    provider.forged = False
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Ann Example")).to_be_visible()
    expect(page.get_by_role("heading", name="Summary")).to_be_visible()
    assert "email" in provider.scopes[-1]
    enter(page, "Number of GPUs", "64")
    page.wait_for_url(re.compile("[?&]p="))
    with open_store(Path(os.environ["STORE_OF_TESTS"])) as store:
        (entry,) = store.library("tests", unrestricted=True).entries()
        assert entry.head.who == "ann@example.org"
        assert store.library("ann@example.org").entry(entry.id).role is Role.OWNER

    with page.expect_response(lambda answer: "/oauth2callback" in answer.url):
        page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.goto(address)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert visitor.errors == []
    assert visitor.foreign == []


@pytest.mark.browser
def test_a_project_is_seen_by_whom_it_is_shared_with(
    provider: Provider, address: str, browser: Browser
) -> None:
    provider.claims, provider.forged = BOB, False
    bob, guest = Watched(browser), Watched(browser)
    bob.page.goto(address)
    bob.page.get_by_role("button", name="Sign in").click()
    expect(bob.page.get_by_text("Bob Example")).to_be_visible()
    with open_store(Path(os.environ["STORE_OF_TESTS"])) as store:
        library = store.library("ann@example.org")
        made = library.create(SHORT).id
        bob.page.goto(f"{address}/?p={made}")
        refused = bob.page.get_by_text("Project not available")
        expect(refused).to_be_visible()

        library.sharing.give(made, "bob@example.org", Role.READER)
        bob.page.goto(f"{address}/?p={made}")
        _reads_alone(bob)
        link = f"{address}/?link={library.links.make(made)}"
        guest.page.goto(link)
        _reads_alone(guest)
        assert [revision.number for revision in library.revisions(made)] == [1]
        assert guest.errors == bob.errors == []

        expire(library, made)
        guest.page.reload()
        expect(guest.page.get_by_text("UNKNOWN_LINK")).to_be_visible()
        library.links.renew(made, library.links.all(made)[0].id)
        guest.page.goto(link)
        _reads_alone(guest)
        library.links.revoke(made, library.links.all(made)[0].id)
        guest.page.reload()
        expect(guest.page.get_by_text("UNKNOWN_LINK")).to_be_visible()


def _come(browser: Browser, provider: Provider, address: str, claims: Claims) -> Watched:
    """Return somebody who has signed in."""
    provider.claims, provider.forged = claims, False
    visitor = Watched(browser)
    visitor.page.goto(address)
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_text(str(claims["name"]))).to_be_visible()
    return visitor


@pytest.mark.browser
def test_two_who_signed_in_write_the_project_that_one_shared(
    provider: Provider, address: str, browser: Browser
) -> None:
    ann = _come(browser, provider, address, ANN)
    enter(ann.page, "Number of GPUs", "128")
    is_saved(ann.page, 2)
    ann.page.wait_for_url(re.compile("[?&]p="))
    shared = ann.page.url

    visit(ann.page, "Library", "Revisions")
    ann.page.get_by_role("button", name="Share project …").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="E-mail address").fill("Bob@Example.org")
    dialog.get_by_role("combobox", name="Role").click()
    ann.page.get_by_role("option", name="editor").click()
    dialog.get_by_role("button", name="Assign role").click()
    expect(dialog.get_by_text("bob@example.org", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Create link").click()
    link = dialog.get_by_test_id("stCode")
    expect(link).to_contain_text(f"{address}/?link=")
    guest = Watched(browser)
    guest.page.goto(link.inner_text().strip())
    expect(guest.page.get_by_text("Read-only access.")).to_be_visible()
    dialog.get_by_role("button", name="Revoke").click()
    expect(dialog.get_by_text("No read-only links.")).to_be_visible()
    guest.page.reload()
    expect(guest.page.get_by_text("UNKNOWN_LINK")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)

    bob = _come(browser, provider, address, BOB)
    bob.page.goto(shared)
    expect(field(bob.page, "Number of GPUs")).to_have_value("128")
    enter(bob.page, "Number of GPUs", "256")
    is_saved(bob.page, 3)
    visit(ann.page, "Design")
    enter(ann.page, "Number of GPUs", "512")  # of one who has not seen it
    expect(
        ann.page.get_by_text("Conflict: another user saved first. Your edits are not saved yet.")
    ).to_be_visible()
    expect(ann.page.get_by_text("Revision 3 was saved by bob@example.org")).to_be_visible()
    ann.page.get_by_role("button", name="Accept saved version").click()
    expect(field(ann.page, "Number of GPUs")).to_have_value("256")
    with open_store(Path(os.environ["STORE_OF_TESTS"])) as store:
        library = store.library("bob@example.org")
        made = next(one for one in library.entries() if one.role is Role.EDITOR)
        whos = [one.who for one in library.revisions(made.id)]
        assert whos == ["bob@example.org", "ann@example.org", "ann@example.org"]
    for visitor in (ann, bob, guest):
        assert visitor.errors == []
        assert visitor.foreign == []


def _reads_alone(visitor: Watched) -> None:
    """Assert that the shared project is shown with grey inputs, and that it is said why."""
    gpus = field(visitor.page, "Number of GPUs")
    expect(gpus).to_have_value("64")
    expect(gpus).to_be_disabled()
    expect(visitor.page.get_by_text("Read-only access.")).to_be_visible()
