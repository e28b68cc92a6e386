"""The official clients take each wire, and send it to a real server as it is."""

import json
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import MessageParam, TextBlockParam, ToolParam
from google import genai
from google.genai.types import Content, GenerateContentConfig
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.responses import FunctionToolParam, ResponseInputItemParam
from promptdag.dataflows import Prompt
from promptdag.dataflows.providers import load_providers
from pydantic import TypeAdapter

from ..flows import built
from .small import EVERYTHING, TOOLS, composed, marked

MARK = {"type": "ephemeral"}
NO_MINIMUM = load_providers({"models": {"gpt-6-sol": {"min_cache_tokens": 0}}})


class Server(HTTPServer):
    """Keeps the bodies that it is sent, and answers that it wants none."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[tuple[str, dict[str, Any]]] = []

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Answers a request with 400: what was sent is all that is wanted."""

    server: Server

    def do_POST(self) -> None:
        """Keep the body."""
        size = int(self.headers["content-length"])
        self.server.bodies.append((self.path, json.loads(self.rfile.read(size))))
        self.send_response(400)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One server for all."""
    made = Server()
    thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


PROMPTS: dict[str, Callable[[], Prompt]] = {
    "theway": lambda: built("theway").compose({"cwd": "/ä", "tools": TOOLS}),
    "small": lambda: composed(marked(MARK, None), *EVERYTHING, a="A", b="B", tools=TOOLS),
    "bare": lambda: composed(marked(None), a="A"),
}


@pytest.fixture(params=PROMPTS)
def prompt(request: pytest.FixtureRequest) -> Prompt:
    """A prompt of a real flow, one with each kind of message, and one of a single block."""
    return PROMPTS[request.param]()


def plain(value: Any) -> Any:
    """Return what JSON keeps of a value."""
    return json.loads(json.dumps(value))


def test_anthropic_sends_the_wire_as_it_is(server: Server, prompt: Prompt) -> None:
    """`client.messages.create(**wire)`."""
    wire = prompt.to_anthropic()
    with (
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
        pytest.raises(anthropic.BadRequestError),
    ):
        client.messages.create(model="m", max_tokens=1, **wire)
    assert server.bodies[-1] == ("/v1/messages", plain(wire) | {"model": "m", "max_tokens": 1})


@pytest.mark.parametrize("model", [None, "gpt-6-sol"])
def test_openai_chat_sends_the_wire_as_it_is(
    server: Server, prompt: Prompt, model: str | None
) -> None:
    """`client.chat.completions.create(**wire)`, with breakpoints and without."""
    wire = prompt.to_openai(model=model, table=NO_MINIMUM)
    with (
        openai.OpenAI(api_key="k", base_url=server.url, max_retries=0) as client,
        pytest.raises(openai.BadRequestError),
    ):
        client.chat.completions.create(model="m", **wire)
    assert server.bodies[-1] == ("/chat/completions", plain(wire) | {"model": "m"})


@pytest.mark.parametrize("model", [None, "gpt-6-sol"])
def test_openai_responses_sends_the_wire_as_it_is(
    server: Server, prompt: Prompt, model: str | None
) -> None:
    """`client.responses.create(**wire)`, with breakpoints and without."""
    wire = prompt.to_responses(model=model, table=NO_MINIMUM)
    with (
        openai.OpenAI(api_key="k", base_url=server.url, max_retries=0) as client,
        pytest.raises(openai.BadRequestError),
    ):
        client.responses.create(model="m", **wire)
    assert server.bodies[-1] == ("/responses", plain(wire) | {"model": "m"})


def test_gemini_sends_what_the_wire_says(server: Server) -> None:
    """`client.models.generate_content(**wire)`; the client spells names and bytes its own way."""
    wire = PROMPTS["small"]().to_gemini()
    options = {"base_url": server.url}
    with (
        genai.Client(api_key="k", http_options=options, vertexai=False) as client,
        pytest.raises(genai.errors.ClientError),
    ):
        client.models.generate_content(model="m", **wire)
    path, body = server.bodies[-1]
    assert path.endswith("models/m:generateContent")
    assert body["systemInstruction"] == {"parts": [{"text": "A"}, {"text": "B"}]}
    (declared,) = body["tools"][0]["functionDeclarations"]
    assert (declared["name"], declared["parameters_json_schema"]) == ("look", {"type": "object"})
    assert [one["role"] for one in body["contents"]] == ["user", "model", "user"]
    called, (answer, image, text) = body["contents"][1]["parts"][1], body["contents"][2]["parts"]
    assert called == {"functionCall": {"id": "t1", "name": "look", "args": {"b": 1, "a": "ä"}}}
    assert answer["functionResponse"]["response"] == {"error": "seen"}
    assert (image["inlineData"]["data"], text) == ("_wA=", {"text": "And?"})


def test_the_types_of_each_client_validate_the_wire(prompt: Prompt) -> None:
    """Every part has a type of the client's that knows all its keys."""
    one = prompt.to_anthropic()
    valid(list[TextBlockParam], one["system"])
    valid(list[MessageParam], one["messages"])
    valid(list[ToolParam], one.get("tools", []))
    for model in (None, "gpt-6-sol"):
        chat = prompt.to_openai(model=model, table=NO_MINIMUM)
        valid(list[ChatCompletionMessageParam], chat["messages"])
        valid(list[ChatCompletionToolParam], chat.get("tools", []))
        items = prompt.to_responses(model=model, table=NO_MINIMUM)
        valid(list[ResponseInputItemParam], items["input"])
        valid(list[FunctionToolParam], items.get("tools", []))
    gemini = prompt.to_gemini()
    GenerateContentConfig.model_validate(gemini["config"])
    for content in gemini["contents"]:
        Content.model_validate(content)


def valid(kind: Any, value: Any) -> None:
    """Check a value against a client's type, and that no key of it is unknown."""
    assert listed(TypeAdapter(kind).validate_python(plain(value))) == plain(value)


def listed(value: Any) -> Any:
    """Return a value with its iterables read: pydantic validates them while they are."""
    if isinstance(value, dict):
        return {name: listed(one) for name, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [listed(one) for one in value]
    return value
