"""What every test may ask for."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

from sources.models import Membership, Project, User
from workbench.celery import app

from .factories import MembershipFactory, ProjectFactory, UserFactory
from .starter_rows import bring_starter_rows

SHARED = Path(__file__).resolve().parents[2] / "shared"

type SignIn = Callable[[User], Client]


# A test that asks for one of these, or is marked so, reads or writes the database.
_DATABASE = frozenset({"db", "transactional_db", "django_db_setup", "live_server", "client"})

_COMMITTING = frozenset({"transactional_db", "live_server"})


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only",
        action="store_true",
        help="leave out tests that touch no database: another database cannot change them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--database-only"):
        return
    kept, left = [], []
    for item in items:
        asked = _DATABASE.intersection(getattr(item, "fixturenames", ()))
        (kept if asked or item.get_closest_marker("django_db") else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real files beside the repository; skips the test where they are absent."""
    if not SHARED.is_dir():
        pytest.skip("no real files beside the repository")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep blobs and uploads of tests out of the data folder; hash passwords fast.

    Static files come from their sources, also in team mode, where nothing was collected.
    """
    folder = tmp_path_factory.mktemp("data")
    blobs = {**settings.STORAGES["blobs"]}
    statics = {"BACKEND": "workbench.statics.VersionedStorage"}
    blobs["OPTIONS"] = {**blobs["OPTIONS"], "location": folder / "blobs"}
    with (
        override_settings(
            STORAGES={**settings.STORAGES, "blobs": blobs, "staticfiles": statics},
            WHITENOISE_USE_FINDERS=True,
            # Each client starts the middleware anew: it must not read all files each time.
            WHITENOISE_AUTOREFRESH=True,
            UPLOAD_DIR=folder / "uploads",
            PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ),
        _own_queue(folder / "spool"),
    ):
        yield


@contextmanager
def _own_queue(spool: Path) -> Iterator[None]:
    """Send messages of tests where no worker of an installation looks for them."""
    if app.conf.broker_url.startswith("spool:"):
        app.conf.broker_url = f"spool://localhost{spool}"
        yield
        return
    app.conf.task_default_queue = f"workbench-test-{uuid.uuid4().hex[:12]}"
    yield
    with suppress(OSError), app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, timeout=2)
        broker.default_channel.queue_delete(app.conf.task_default_queue)


@pytest.fixture(autouse=True)
def _rows_of_a_new_site(request: pytest.FixtureRequest) -> None:
    """Let a test that commits begin with what migrations brought, whichever ran before it."""
    marker = request.node.get_closest_marker("django_db")
    commits = marker is not None and marker.kwargs.get("transaction", False)
    if commits or not _COMMITTING.isdisjoint(request.fixturenames):
        request.getfixturevalue("transactional_db")
        bring_starter_rows()


@pytest.fixture
def project(db: None) -> Project:
    """The project that all people but the outsider and the admin are members of."""
    return ProjectFactory(slug="nsclc", title="NSCLC 2026")


def _member(project: Project, name: str, role: str) -> User:
    return MembershipFactory(project=project, user=UserFactory(username=name), role=role).user


@pytest.fixture
def reviewer(project: Project) -> User:
    return _member(project, "reviewer", Membership.Role.REVIEWER)


@pytest.fixture
def second_reviewer(project: Project) -> User:
    return _member(project, "second_reviewer", Membership.Role.REVIEWER)


@pytest.fixture
def editor(project: Project) -> User:
    return _member(project, "editor", Membership.Role.EDITOR)


@pytest.fixture
def lead(project: Project) -> User:
    return _member(project, "lead", Membership.Role.LEAD)


@pytest.fixture
def admin(db: None) -> User:
    """A person with the site role; member of nothing."""
    return UserFactory(username="admin", is_staff=True, is_superuser=True)


@pytest.fixture
def outsider(db: None) -> User:
    """A reviewer of another project, who must not see ours."""
    other = ProjectFactory(slug="other", title="Another project")
    return _member(other, "outsider", Membership.Role.REVIEWER)


@pytest.fixture
def sign_in() -> SignIn:
    """Give a function: user in, signed-in client out."""

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in


@pytest.fixture
def reviewer_client(reviewer: User, sign_in: SignIn) -> Client:
    return sign_in(reviewer)


@pytest.fixture
def second_reviewer_client(second_reviewer: User, sign_in: SignIn) -> Client:
    return sign_in(second_reviewer)


@pytest.fixture
def editor_client(editor: User, sign_in: SignIn) -> Client:
    return sign_in(editor)


@pytest.fixture
def lead_client(lead: User, sign_in: SignIn) -> Client:
    return sign_in(lead)


@pytest.fixture
def admin_client(admin: User, sign_in: SignIn) -> Client:
    return sign_in(admin)


@pytest.fixture
def outsider_client(outsider: User, sign_in: SignIn) -> Client:
    return sign_in(outsider)
