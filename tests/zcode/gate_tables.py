"""When each gate of zcode's flows is open: its arguments, and the answer."""

from promptdag.inputs.zcode import InstructionSource, Skill
from promptdag.sections.zcode.skills import SkillListing

_SKILL = Skill(name="a", description="b", path="/a/SKILL.md")
_FILE = InstructionSource(file_path="/w/AGENTS.md", file_name="AGENTS.md", content="x")


def _git(flag: bool | None, status: str | None, branch: str | None) -> dict[str, object]:
    return {
        "env_info_is_git_repository": flag,
        "env_info_git_status": status,
        "env_info_git_branch": branch,
    }


def _index(root: bool, branch: bool, lines: str) -> dict[str, object]:
    return {"has_memory_root": root, "memory_has_index": branch, "index_lines": lines}


TABLES: dict[str, list[tuple[dict[str, object], bool]]] = {
    "default_identity": [
        ({"identity_kind": "default"}, True),
        ({"identity_kind": "custom"}, False),
        ({"identity_kind": "actor"}, False),
    ],
    "custom_identity": [
        ({"identity_kind": "default"}, False),
        ({"identity_kind": "custom"}, True),
        ({"identity_kind": "actor"}, False),
    ],
    "actor_identity": [
        ({"identity_kind": "default"}, False),
        ({"identity_kind": "custom"}, False),
        ({"identity_kind": "actor"}, True),
    ],
    "not_actor": [
        ({"identity_kind": "default"}, True),
        ({"identity_kind": "custom"}, True),
        ({"identity_kind": "actor"}, False),
    ],
    "not_custom": [
        ({"identity_kind": "default"}, True),
        ({"identity_kind": "custom"}, False),
        ({"identity_kind": "actor"}, True),
    ],
    "styled": [
        ({"output_style_prompt": None}, False),
        ({"output_style_prompt": ""}, False),
        ({"output_style_prompt": " \n"}, False),
        ({"output_style_prompt": "Short."}, True),
    ],
    "actor_is_named": [
        ({"workflow_actor_name": None}, False),
        ({"workflow_actor_name": ""}, False),
        ({"workflow_actor_name": " "}, False),
        ({"workflow_actor_name": "Ada"}, True),
    ],
    "actor_has_persona": [
        ({"actor_persona": ""}, False),
        ({"actor_persona": "Careful."}, True),
    ],
    "desktop_surface": [
        ({"presentation_surface": None}, False),
        ({"presentation_surface": "terminal"}, False),
        ({"presentation_surface": "ZCODE_DESKTOP"}, False),
        ({"presentation_surface": "zcode_desktop"}, True),
    ],
    "views_have_folder": [
        ({"gen_ui_output_directory": None}, False),
        ({"gen_ui_output_directory": ""}, False),
        ({"gen_ui_output_directory": " "}, False),
        ({"gen_ui_output_directory": "/v"}, True),
    ],
    "has_memory_root": [
        ({"memory_root": None}, False),
        ({"memory_root": ""}, False),
        ({"memory_root": "/m"}, True),
    ],
    "memory_has_index": [
        ({"memory_branch": "default-index"}, True),
        ({"memory_branch": "semantic-recall"}, False),
    ],
    "has_more_directories": [
        ({"env_info_additional_directories": ()}, False),
        ({"env_info_additional_directories": ("/b",)}, True),
    ],
    "in_git_repository": [
        (_git(None, None, None), False),
        (_git(None, None, ""), False),
        (_git(None, None, "main"), True),
        (_git(None, "not_repo", "main"), False),
        (_git(None, "clean", None), True),
        (_git(None, "unknown", None), True),
        (_git(None, "", None), True),
        (_git(False, "dirty", "main"), False),
        (_git(True, "not_repo", None), True),
    ],
    "has_model": [
        ({"model_model_id": None}, False),
        ({"model_model_id": "glm-5"}, True),
    ],
    "has_git_branch": [
        ({"env_info_git_branch": None}, False),
        ({"env_info_git_branch": ""}, False),
        ({"env_info_git_branch": "main"}, True),
    ],
    "has_main_branch": [
        ({"env_info_git_main_branch": None}, False),
        ({"env_info_git_main_branch": ""}, False),
        ({"env_info_git_main_branch": "main"}, True),
    ],
    "has_git_user": [
        ({"env_info_git_user": None}, False),
        ({"env_info_git_user": ""}, False),
        ({"env_info_git_user": "Dev"}, True),
    ],
    "has_instructions": [
        ({"instruction_files": ()}, False),
        ({"instruction_files": (_FILE,)}, True),
    ],
    "has_memory_index": [
        (_index(True, True, "- [A](a.md)"), True),
        (_index(False, True, "- [A](a.md)"), False),
        (_index(True, False, "- [A](a.md)"), False),
        (_index(True, True, ""), False),
    ],
    "has_user_context": [
        ({"has_instructions": False, "has_memory_index": False}, False),
        ({"has_instructions": True, "has_memory_index": False}, True),
        ({"has_instructions": False, "has_memory_index": True}, True),
        ({"has_instructions": True, "has_memory_index": True}, True),
    ],
    "has_current_date": [
        ({"current_date": None}, False),
        ({"current_date": "2026-05-04"}, True),
    ],
    "has_skills": [
        ({"skills": ()}, False),
        ({"skills": (_SKILL,)}, True),
    ],
    "skill_tool_not_denied": [
        ({"guidance_tool_names": None}, True),
        ({"guidance_tool_names": ()}, False),
        ({"guidance_tool_names": ("Read", "skill")}, False),
        ({"guidance_tool_names": ("Read", "Skill")}, True),
    ],
    "has_skill_tool": [
        ({"guidance_tool_names": None}, False),
        ({"guidance_tool_names": ()}, False),
        ({"guidance_tool_names": ("Read", "skill")}, False),
        ({"guidance_tool_names": ("Read", "Skill")}, True),
    ],
    "skills_left_out": [
        ({"skill_listing": SkillListing(("- a",), 0)}, False),
        ({"skill_listing": SkillListing((), 1)}, True),
        ({"skill_listing": SkillListing(("- a",), 2)}, True),
    ],
    "has_agent_prompt": [
        ({"shown_agent_prompt": ""}, False),
        ({"shown_agent_prompt": "Look for the bug."}, True),
    ],
    "has_additional_instructions": [
        ({"additional_instructions": None}, False),
        ({"additional_instructions": ""}, False),
        ({"additional_instructions": " \n"}, False),
        ({"additional_instructions": "Keep the paths."}, True),
    ],
    "has_transcript": [
        ({"transcript_path": None}, False),
        ({"transcript_path": ""}, False),
        ({"transcript_path": "/t.jsonl"}, True),
    ],
    "recent_messages_kept": [
        ({"recent_messages_preserved": False}, False),
        ({"recent_messages_preserved": True}, True),
    ],
    "state_cleared": [
        ({"repl_state_cleared": False}, False),
        ({"repl_state_cleared": True}, True),
    ],
    "followup_suppressed": [
        ({"suppress_followup": False}, False),
        ({"suppress_followup": True}, True),
    ],
}
