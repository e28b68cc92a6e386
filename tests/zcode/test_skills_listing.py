"""The listing of skills: lines, cuts, order and budget."""

import pytest
import regex
from promptdag.inputs.zcode import Skill
from promptdag.sections.zcode.skills import SkillListing, cut_to, listed, skill_line

from .flows import ENVIRONMENT, built


def skill(name: str, description: str = "does it", **more: str) -> Skill:
    """Return a skill in a folder of its name."""
    return Skill(name=name, description=description, path=f"/s/{name}/SKILL.md", **more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 10, "a" * 10),
        ("a" * 11, "a" * 7 + "..."),
        ("aaaaaa👩‍👩‍👧bbbb", "aaaaaa..."),
        ("aaaaaae\u0301bbbb", "aaaaaa..."),
        ("aaaaa🇩🇪🇫🇷bb c", "aaaaa🇩🇪..."),
        ("👨🏽‍👩🏽‍👧🏽‍👦🏽", "..."),
        ("😀" * 11, "😀" * 7 + "..."),
    ],
)
def test_a_cut_keeps_its_limit_and_whole_graphemes(text: str, expected: str) -> None:
    """The mark counts; families, flags and accents are not taken apart."""
    assert cut_to(text, 10) == expected


def test_every_cut_ends_between_graphemes() -> None:
    """For each limit, what is kept is a run of whole graphemes and never too long."""
    text = "né 👩‍👩‍👧 한국 🇩🇪🇫🇷 क्षि é" * 3
    whole = regex.findall(r"\X", text)
    starts = {"".join(whole[:count]) for count in range(len(whole) + 1)}
    for limit in range(3, len(text)):
        found = cut_to(text, limit)
        assert len(found) <= limit
        assert found.removesuffix("...") in starts


def test_a_description_of_one_line_is_cut_with_its_hint() -> None:
    """White space is folded first; the hint is joined before the cut."""
    line = skill_line(skill("a", "two\n\n  lines\t", when_to_use=" when\nasked "))
    assert line == "- a: two lines - when asked (file: /s/a/SKILL.md)"
    assert skill_line(skill("a", "d" * 249, when_to_use="w")).startswith(
        "- a: " + "d" * 247 + "..."
    )


def test_a_skill_without_a_description_has_no_colon() -> None:
    """Nothing stands where there is nothing to say."""
    assert skill_line(skill("a", " ")) == "- a (file: /s/a/SKILL.md)"


def test_an_alias_is_told_only_where_it_differs() -> None:
    """A blank qualified name is none."""
    assert "loadable" not in skill_line(skill("a", qualified_name="a"))
    assert "loadable" not in skill_line(skill("a", qualified_name=" "))
    assert skill_line(skill("a", "b", qualified_name="p:a")) == (
        "- p:a: b (also loadable as a) (file: /s/a/SKILL.md)"
    )


def test_skills_are_sorted_alike_in_every_locale() -> None:
    """Case is folded first, then code points decide."""
    names = ("Zeta", "éclair", "alpha", "Alpha", "zeta", "beta", "Straße", "strasse")
    lines = listed(tuple(map(skill, names)), 20_000).lines
    assert [line.split(":")[0][2:] for line in lines] == [
        *("Alpha", "alpha", "beta", "Straße", "strasse", "Zeta", "zeta", "éclair")
    ]


def test_the_budget_is_inclusive_and_then_every_description_goes() -> None:
    """At the limit all is shown; one character less, and the names alone are."""
    skills = (skill("a"), skill("b", "longer than that"))
    full = listed(skills, 20_000)
    size = len("\n".join(full.lines))
    assert listed(skills, size) == full
    assert listed(skills, size - 1) == SkillListing(
        ("- a (file: /s/a/SKILL.md)", "- b (file: /s/b/SKILL.md)"), 0
    )


def test_the_names_are_bounded_too_and_what_is_left_out_is_counted() -> None:
    """For every budget, the lines fit and no skill is lost without being counted."""
    skills = tuple(skill(f"{number:02}" * (1 + number % 3)) for number in range(40))
    for budget in range(0, 1500, 7):
        found = listed(skills, budget)
        assert len("\n".join(found.lines)) <= budget
        assert len(found.lines) + found.left_out == 40
    assert listed(skills, 0) == SkillListing((), 40)


def test_the_prompt_says_how_many_were_left_out() -> None:
    """The line stands at the end; without a single line too."""
    many = [one.model_dump() for one in (skill("a"), skill("b"), skill("c"))]
    signals = {"envInfo": ENVIRONMENT, "skills": many}
    flow = built("zcode", "skeleton")
    some = flow.compose(signals | {"skillsMetadataBudget": 25}).value("skills_text")
    none = flow.compose(signals | {"skillsMetadataBudget": 0}).value("skills_text")
    assert some == ("⟦skills.heading⟧\n\n- a (file: /s/a/SKILL.md)\n⟦skills.left_out⟧ 2")
    assert none == "⟦skills.heading⟧\n\n⟦skills.left_out⟧ 3"
