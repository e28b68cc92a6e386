"""The process that takes a snapshot of a revision: run by `revision.py`.

Packages of the checked out tree stand in front of those that are installed; this package itself
stays the one of today, so that a revision that has no review can be reviewed.
"""

import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any


class TreeFinder(MetaPathFinder):
    """Finds packages and modules in a tree by their names, wherever their folders stand in it."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        self.places = places

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of the tree is.

        Raises:
            ModuleNotFoundError: A package of the tree has no such module; that of today, which an
                editable install would find, must not stand in for it.
        """
        place = self.places.get(fullname)
        if place is None:
            if not any(fullname.startswith(f"{one}.") for one in self.places):
                return None
            found = PathFinder.find_spec(fullname, path, target)
            if found is None:
                raise ModuleNotFoundError(f"the revision has no {fullname}", name=fullname)
            return found
        if place.is_file():
            return spec_from_file_location(fullname, place)
        start = place / "__init__.py"
        if start.is_file():
            return spec_from_file_location(fullname, start, submodule_search_locations=[str(place)])
        spec = ModuleSpec(fullname, None, is_package=True)
        spec.submodule_search_locations = [str(place)]
        return spec


def main(asked: dict[str, Any]) -> str:
    """Return the snapshot as JSON.

    Args:
        asked: `places` of the tree's packages, `package` and `folder` of the review of today, and
            the `request`.
    """
    sys.meta_path.insert(0, TreeFinder({name: Path(one) for name, one in asked["places"].items()}))
    # Its `__init__` is not run: it needs more of the engine than an older one may have.
    package = ModuleType(asked["package"])
    package.__path__ = [asked["folder"]]
    parent, _, _ = asked["package"].rpartition(".")
    importlib.import_module(parent)
    sys.modules[asked["package"]] = package
    views = importlib.import_module(f"{asked['package']}.views")
    taking = importlib.import_module(f"{asked['package']}.taking")
    request = views.Request.model_validate(asked["request"])
    module, _, function = request.reference.partition(":")
    builder: Any = importlib.import_module(module)
    for name in function.split("."):
        builder = getattr(builder, name)
    snapshot: str = taking.take(builder(texts=request.texts), request).to_json()
    return snapshot


if __name__ == "__main__":
    question, answer = map(Path, sys.argv[1:])
    answer.write_text(main(json.loads(question.read_text(encoding="utf-8"))), encoding="utf-8")
