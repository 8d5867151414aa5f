"""``annotate backup`` and ``annotate restore``: a whole database as one file, and back, on SQLite or PostgreSQL."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.annotate.options import Actions, add_database, present
from homeground.cli.show import add_json, print_json

if TYPE_CHECKING:
    from homeground.annotate.store.archive import Manifest


def declare(actions: Actions) -> None:
    """Declare the arguments."""
    backup = actions.add_parser(
        "backup", help="write the whole database to one file, also while it is served; keep the file safe"
    )
    add_database(backup)
    backup.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="who people are is in it"
    )
    add_json(backup)
    restore = actions.add_parser("restore", help="put a backup into a new database, of either kind")
    restore.add_argument("backup", type=Path, metavar="FILE", help="what 'annotate backup' wrote")
    restore.add_argument(
        "--db", required=True, metavar="URL", help="a new file, or postgresql://user@host/name without rows"
    )
    add_json(restore)


def call(arguments: Namespace) -> int:
    """Write a backup, or put one back."""
    from homeground.annotate.store.backup import backup, restore

    if arguments.action == "backup":
        store = present(arguments)
        manifest = backup(store, arguments.output)
        store.close()
        _say(arguments, manifest, arguments.output, f"written to {arguments.output}")
    else:
        manifest = restore(arguments.backup, arguments.db)
        _say(arguments, manifest, arguments.backup, "restored")
    return 0


def _say(arguments: Namespace, manifest: Manifest, file: Path, done: str) -> None:
    if arguments.json:
        rows = {part.table: part.rows for part in manifest.tables}
        print_json({"file": str(file), "revision": manifest.revision, "rows": rows})
    else:
        print(f"{manifest.rows:,} rows of {len(manifest.tables)} tables {done}")
