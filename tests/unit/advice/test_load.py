"""Reading rule packs: what a good one gives, and the sentence each mistake gets."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.advice import Expect, load_packs
from app.domain.errors import BadInput
from app.domain.fact_kind import number
from app.domain.finding import Source
from tests.kinds import KINDS
from tests.unit.advice.packs import FAMILIES, PACK, RULE, changed, load, write_pack


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rules folder that is used again and again."""
    return tmp_path_factory.mktemp("rules")


def _error(root: Path) -> str:
    with pytest.raises(BadInput) as caught:
        load_packs((root,), FAMILIES, KINDS)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_a_valid_pack_is_read_completely(tmp_path: Path) -> None:
    """Everything a rule says arrives, with its source spelled out and its cases completed."""
    (pack,) = load(tmp_path)
    (rule,) = pack.rules
    assert (pack.family, pack.title) == ("log_reader", "A pack")
    assert (rule.rule_id, rule.version, rule.priority, rule.line) == ("larger-batch", 3, 2, 6)
    assert rule.sources == (Source("A page, Part 1", "https://example.org/page"),)
    assert rule.applies_to.families == ("log_reader",)
    assert [case.expect for case in rule.cases] == [
        Expect.FIRES,
        Expect.FIRES,
        Expect.DOES_NOT_FIRE,
        Expect.NOT_EVALUATED,
    ]
    assert dict(rule.cases[1].facts)["gain_percent"] == 5
    assert dict(rule.cases[0].facts)["factor"] == "ReadBatchSize"
    assert "gain_percent" not in dict(rule.cases[3].facts)


def test_bom_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    """A pack saved by a Windows editor is read like any other."""
    write_pack(tmp_path, b"\xef\xbb\xbf" + PACK.replace("\n", "\r\n").encode())
    assert load_packs((tmp_path,), FAMILIES, KINDS)[0].rules[0].rule_id == "larger-batch"


def test_packs_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    """Loading the same folder twice gives the same packs in the same order."""
    for family, name in (("log_reader", "b.yaml"), ("log_reader", "a.yml"), ("distribution_agent", "z.yaml")):
        text = PACK.replace("id: larger-batch", f"id: rule-{name[0]}")
        write_pack(tmp_path, text, family, name)
    (tmp_path / "README.md").write_text("notes")
    (tmp_path / "log_reader" / "notes.txt").write_text("notes")
    packs = load_packs((tmp_path,), FAMILIES, KINDS)
    assert [Path(pack.file).name for pack in packs] == ["z.yaml", "a.yml", "b.yaml"]
    assert packs == load_packs((tmp_path,), FAMILIES, KINDS)


@pytest.mark.parametrize(
    ("old", "new", "line", "parts"),
    [
        ("    undo:", "    undoing: x\n    undo:", 26, ["larger-batch", '"undoing" is no key']),
        ("    risk: Contention.\n", "", 6, ["larger-batch", '"risk" is missing']),
        ("risk: Contention.", "risk: ''", 25, ["risk: it is empty"]),
        ("gain_percent]\n    wants", "gain_percnt]\n    wants", 11, ['"gain_percnt" is no fact', '"gain_percent"']),
        ("wants: [commands_per_transaction", "wants: [comands", 12, ['"comands" is no fact']),
        ("wants: [commands_per_transaction", "wants: [best_value", 12, ['"best_value" is named twice']),
        ("gain_percent >= 5", "gain_percent >= 'five'", 15, ["mixes numbers, texts and flags"]),
        ("gain_percent >= 5", "gain_percent >=", 15, ["gain_percent >=", "ends too early"]),
        ("gain_percent >= 5", "gain_percent ! 5", 15, ["cannot be read from character"]),
        ("gain_percent >= 5", "rtt_ms >= 5", 15, ['"rtt_ms"', "not among the needs"]),
        ("gain_percent >= 5", "gain_percnt >= 5", 15, ['"gain_percnt"', "is no fact"]),
        ("verdict == 'improvement'", "verdict == 'improvment'", 15, ['never "improvment"', "improvement, worse"]),
        ("verdict == 'improvement'", "verdict == 1", 15, ["must be a text"]),
        ("when: verdict", "when: 5 > 3 #", 15, ["looks at no fact"]),
        ("than {baseline_value}", "than {rtt_ms}", 20, ["because", '"rtt_ms"', "not among the needs"]),
        ("than {baseline_value}", "than {baseline}", 20, ["because", '"baseline" is no fact', '"baseline_value"']),
        ("than {baseline_value}", "than {baseline_value", 20, ["because", "brace is left open"]),
        ("than {baseline_value}", "than {baseline_value:.9f}", 20, ['"{baseline_value:.9f}" is no placeholder']),
        ("It was {gain_percent:.1f}", "It was {reader_wait_share}", 20, ["first sentence", '"reader_wait_share"']),
        ("title: Raise ReadBatchSize to {best_value}", "title: Uses {best_batch}", 9, ["first sentence"]),
        ("sources: [page]", "sources: [pag]", 27, ['no source "pag"', '"page"']),
        ("sources: [page]", "sources: []", 27, ['"sources" is empty']),
        (", section: Part 1, url: https://example.org/page", "", 4, ['source "page" needs a url or a section']),
        ("version: 3", "version: 0", 7, ['"version" must be greater than or equal to 1']),
        ("version: 3", "version: '3'", 7, ['"version" must be a valid integer']),
        ("priority: 2", "priority: 6", 8, ['"priority" must be less than or equal to 5']),
        ("id: larger-batch", "id: Larger Batch", 6, ["lower-case words"]),
        (
            "{engine: sqlserver,",
            "{engine: sqlserver, families: [log_raeder],",
            10,
            ['"log_raeder" is no exp', '"log_reader"'],
        ),
        (
            "{engine: sqlserver,",
            "{engine: sqlserver, families: [distribution_agent],",
            10,
            ["must include the one of its folder"],
        ),
        ("{engine: sqlserver,", "{engine: sqlserver, versions: {from: new},", 10, ['"new" is no server version']),
        ("from: baseline_value", "from: baseline", 17, ["from must be a number or a fact"]),
        ("    from: baseline_value\n", "", 17, ["to needs a from"]),
        ("    parameter: ReadBatchSize\n", "", 6, ["need the parameter"]),
        ("parameter: ReadBatchSize", "parameter: rtt_ms", 16, ['"rtt_ms" must be a text among the needs']),
        ("needs: [verdict, best_differs,", "needs: [verdict,", 15, ['"best_differs"', "not among the needs"]),
        ("best_batch: {value", "rtt_ms: {value", 14, ['"rtt_ms" is a fact already']),
        ("best_value * commands", "verdict * commands", 14, ["the sum", "mixes numbers"]),
        ("best_value * commands_per_transaction", "best_value > 1", 14, ["must give a number"]),
        ("unit: commands}", "unit: pieces}", 14, ['"pieces" is no unit']),
        ("facts: {gain_percent: 5}", "facts: {gain_percent: high}", 32, ["gain_percent", "must be a number"]),
        ("facts: {gain_percent: 5}", "facts: {gain_percent: true}", 32, ["gain_percent", "must be a number"]),
        ("facts: {gain_percent: 5}", "facts: {rtt_ms: 5}", 32, ['"rtt_ms"', "does not look at"]),
        ("facts: {gain_percent: 5}", "facts: {gain: 5}", 32, ['"gain"', "no fact"]),
        ("name: exactly five, expect: fires", "name: exactly five, expect: maybe", 32, ['"expect" must be']),
        ("name: exactly five", "name: a gain", 32, ['case "a gain" occurs twice']),
        ("    priority: 2\n", "    priority: 2\n    priority: 2\n", 9, ['"priority" occurs twice']),
        ("figure: effects", "figure: *nowhere", 28, ["not valid YAML", "nowhere"]),
        ("figure: effects", "figure: [effects", 29, ["not valid YAML"]),
        ("figure: effects", "figure: !!python/name:os.system", 28, ["not valid YAML"]),
        ("title: A pack", "title: &self [*self]", 2, ["refers to itself"]),
        ("title: A pack", "? [a]\n: b", 2, ["plain word"]),
        ("figure: effects", "figure: 2020-99-99", 28, ['"2020-99-99" cannot be read']),
        ("figure: effects", "figure: \x07", 28, ["is not allowed in a text file"]),
    ],
)
def test_a_mistake_is_told_with_line_and_rule(tmp_path: Path, old: str, new: str, line: int, parts: list[str]) -> None:
    """Each mistake in a pack gets one sentence with file, line, and what is wrong."""
    file = write_pack(tmp_path, changed(old, new))
    sentence = _error(tmp_path)
    assert sentence.startswith(f"{file}, line {line}: "), sentence
    for part in parts:
        assert part in sentence


def test_a_rule_without_cases_is_refused(tmp_path: Path) -> None:
    """A rule nobody has tried is no rule."""
    write_pack(tmp_path, PACK[: PACK.index("    cases:\n")] + "    cases: []\n")
    assert 'rule "larger-batch": "cases" is empty' in _error(tmp_path)
    write_pack(tmp_path, PACK[: PACK.index("    cases:\n")])
    assert 'rule "larger-batch": the key "cases" is missing' in _error(tmp_path)


def test_a_rule_that_changes_a_value_must_look_at_the_verdict(tmp_path: Path) -> None:
    """No rule can recommend a change without asking what the measurements show."""
    text = changed("needs: [verdict, best_differs,", "needs: [best_differs,")
    write_pack(tmp_path, text.replace("verdict == 'improvement' and ", ""))
    assert 'must have "verdict" among its needs' in _error(tmp_path)


def test_the_same_id_twice_names_both_places(tmp_path: Path) -> None:
    """A rule id exists once over all packs, whichever folder they lie in."""
    first = write_pack(tmp_path, PACK, "distribution_agent")
    second = write_pack(tmp_path, PACK, "log_reader")
    sentence = _error(tmp_path)
    assert sentence == f'{second}, line 6: rule "larger-batch" exists already in {first}, line 6'


def test_the_same_id_twice_in_one_file_is_refused(tmp_path: Path) -> None:
    """Copying a rule without giving it a new id is noticed."""
    write_pack(tmp_path, PACK + RULE)
    assert 'rule "larger-batch" exists already' in _error(tmp_path)


def test_a_file_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    """A pack saved in an old encoding is refused with the line of the first foreign byte."""
    file = write_pack(tmp_path, b"title: A pack\nsources: \xff\n")
    assert _error(tmp_path) == f"{file}, line 2: the file is not UTF-8 text"


@pytest.mark.parametrize(
    "content", ["", "# only a comment\n", "- a\n- b\n", "just words\n", "title: x\0y\n", "[" * 3000]
)
def test_a_file_that_is_no_pack_is_refused(tmp_path: Path, content: str) -> None:
    """An empty file, a list, words, control characters or brackets without end give a sentence, not a traceback."""
    file = write_pack(tmp_path, content)
    assert str(file) in _error(tmp_path)


def test_aliases_that_multiply_are_refused(tmp_path: Path) -> None:
    """A small file that unfolds into millions of values is refused before it does."""
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 8)]
    write_pack(tmp_path, "a0: &a0 [x, x]\n" + "\n".join(levels))
    assert "too many values" in _error(tmp_path)


@settings(deadline=None, max_examples=200)
@given(
    start=st.integers(0, len(PACK) - 1),
    removed=st.integers(0, 30),
    inserted=st.text("\n :{}[]'\"#&*!|>-%@`,?09a\u00e9\t", max_size=4),
)
def test_no_damage_ends_in_a_traceback(folder: Path, start: int, removed: int, inserted: str) -> None:
    """However a pack is damaged, it is either still a pack or refused with one sentence."""
    write_pack(folder, PACK[:start] + inserted + PACK[start + removed :])
    sentence = _sentence_or_nothing(folder)
    assert sentence == "" or "pack.yaml" in sentence
    assert "\n" not in sentence


def _sentence_or_nothing(root: Path) -> str:
    try:
        load_packs((root,), FAMILIES, KINDS)
    except BadInput as error:
        return str(error)
    return ""


def test_a_folder_that_is_no_family_is_refused(tmp_path: Path) -> None:
    """Rules of an unknown experiment family are not passed over in silence."""
    write_pack(tmp_path, PACK, "log_raeder")
    sentence = _error(tmp_path)
    assert '"log_raeder" is no experiment family' in sentence
    assert "distribution_agent, log_reader" in sentence


def test_rules_of_a_family_that_is_not_installed_are_left_out(tmp_path: Path) -> None:
    """Where folder and rules agree on a family, it is one whose system is missing, and the other rules count."""
    write_pack(tmp_path, PACK, "log_reader")
    write_pack(tmp_path, PACK.replace("{engine: sqlserver,", "{engine: oracle, families: [gone],"), "gone")
    assert [pack.rules[0].applies_to.families for pack in load_packs((tmp_path,), FAMILIES, KINDS)] == [("log_reader",)]


def test_of_several_families_a_rule_counts_for_those_that_are_installed(tmp_path: Path) -> None:
    """A family whose system is missing takes the pack with it for nobody else, and is told; a misspelt one is not."""
    (pack,) = load(tmp_path, changed("{engine: sqlserver,", "{engine: sqlserver, families: [turnstile, log_reader],"))
    assert pack.rules[0].applies_to.families == ("log_reader",)
    assert pack.missing_families == ("turnstile",)
    misspelt = changed("{engine: sqlserver,", "{engine: sqlserver, families: [distribution_agnet, log_reader],")
    with pytest.raises(
        BadInput, match=r'"distribution_agnet" is no experiment family; did you mean "distribution_agent"'
    ):
        load(tmp_path, misspelt)


def test_a_number_is_worked_out_in_a_unit_that_only_facts_have(tmp_path: Path) -> None:
    """A unit is one that can be converted, or that a system declared a fact in."""
    kinds = {**KINDS, "people_waiting": number("people_waiting", "people", "who waits")}
    write_pack(tmp_path, changed("unit: commands}", "unit: people}"))
    (pack,) = load_packs((tmp_path,), FAMILIES, kinds)
    assert pack.rules[0].derived[-1].unit == "people"
    with pytest.raises(BadInput, match='"people" is no unit'):
        load_packs((tmp_path,), FAMILIES, KINDS)


def test_a_missing_or_empty_folder_is_refused(tmp_path: Path) -> None:
    """A program without rules says so at once."""
    with pytest.raises(BadInput, match="does not exist"):
        load_packs((tmp_path / "nowhere",), FAMILIES, KINDS)
    assert "holds no rule pack" in _error(tmp_path)
    (tmp_path / "log_reader").mkdir()
    assert "log_reader holds no rule pack" in _error(tmp_path)


def test_a_pack_outside_a_family_folder_is_refused(tmp_path: Path) -> None:
    """A pack in the wrong place is pointed out, not ignored."""
    (tmp_path / "pack.yaml").write_text(PACK)
    assert "lies in a folder named after its experiment family" in _error(tmp_path)


def test_a_folder_in_place_of_a_pack_is_refused(tmp_path: Path) -> None:
    """What cannot be opened gets a sentence with the system's reason."""
    (tmp_path / "log_reader" / "pack.yaml").mkdir(parents=True)
    assert "cannot be read" in _error(tmp_path)


def test_what_is_quoted_in_a_refusal_is_cut(tmp_path: Path) -> None:
    """A name of a thousand letters leaves room for what is wrong with it."""
    write_pack(tmp_path, changed("gain_percent >= 5", f"{'x' * 1000} >= 5"))
    sentence = _error(tmp_path)
    assert len(sentence) < 500
    assert "is no fact" in sentence
