"""What is installed is what is in the folders, under one name and nothing beside it."""

import ast
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("dataflows", "inputs", "sections")


def sources(*suffixes: str) -> set[str]:
    """Return the files of the three folders, as a wheel names them."""
    return {
        f"promptdag/{path.relative_to(ROOT).as_posix()}"
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes or path.name in suffixes
    }


def test_the_wheel_holds_every_module_template_page_part_and_allow_list(wheel: Path) -> None:
    """A package that pyproject.toml does not list would be left out in silence."""
    wanted = sources(".py", ".j2", ".scaffold", ".allow", ".css", ".js", ".jinja", "py.typed")
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_the_wheel_holds_nothing_beside_its_package(wheel: Path) -> None:
    """No generic name such as `inputs` or `tests` lands in site-packages."""
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"promptdag"}


def test_pyproject_lists_every_package() -> None:
    """The list of packages is written by hand, and compared with the folders."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = {name.rsplit("/", 1)[0].replace("/", ".") for name in sources(".py")}
    assert set(config["tool"]["setuptools"]["packages"]) == found


def test_no_module_imports_a_folder_by_its_bare_name() -> None:
    """From the root `import sections` would be a second copy of the module."""
    for path in ROOT.rglob("*.py"):
        if ".venv" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            bare = {name.split(".")[0] for name in names} & set(FOLDERS)
            assert not bare, f"{path}: import promptdag.{bare.pop()} in its place"


def test_imports_go_one_way() -> None:
    """`inputs` knows neither of the others, `sections` does not know `dataflows`."""
    above = {"inputs": {"sections", "dataflows"}, "sections": {"dataflows"}, "dataflows": set()}
    for folder, forbidden in above.items():
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.level > 0:
                    first = (node.module or "").split(".")[0]
                    assert first not in forbidden, f"{path}:{node.lineno} imports {first}"
