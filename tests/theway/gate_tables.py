"""When each gate of theway is open: its arguments, and the answer."""

from promptdag.sections.theway.environment import ShownMemory

TABLES: dict[str, list[tuple[dict[str, object], bool]]] = {
    "custom_intro": [
        ({"harness_intro": None}, False),
        ({"harness_intro": ""}, True),
        ({"harness_intro": "You are a specialist."}, True),
    ],
    "has_memory": [
        ({"memory": ""}, False),
        ({"memory": " \n"}, True),
        ({"memory": "be concise"}, True),
    ],
    "memory_is_cut": [
        ({"shown_memory": ShownMemory("all of it", 0)}, False),
        ({"shown_memory": ShownMemory("", 1)}, True),
        ({"shown_memory": ShownMemory("a part", 2)}, True),
    ],
    "has_lineage": [
        ({"lineage": None}, False),
        ({"lineage": ""}, False),
        ({"lineage": " \n\t"}, False),
        ({"lineage": "node id: n1"}, True),
    ],
}
