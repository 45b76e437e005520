"""Canonical JSON is that of RFC 8785, and a document's digest leaves out itself alone."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.sealing import canonical, digest_of, document_digest, number, read_once

# RFC 8785, appendix B: the bits of a number and how it is written.
VECTORS = """\
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2
"""


@pytest.mark.parametrize("line", VECTORS.splitlines())
def test_numbers_are_written_as_the_standard_says(line):
    bits, written = line.split()

    assert number(struct.unpack(">d", bytes.fromhex(bits))[0]) == written


def test_the_example_of_the_standard_is_written_as_there():
    content = json.loads(
        r'{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],'
        r' "string": "\u20ac$\u000F\u000aA\u0027\u0042\u0022\u005c\\\"\/",'
        r' "literals": [null, true, false]}'
    )

    assert canonical(content) == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_names_are_in_the_order_of_their_utf_16_units():
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]  # RFC 8785, 3.2.3
    written = canonical(dict.fromkeys(names, 0))

    assert list(json.loads(written)) == [
        "\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"
    ]  # fmt: skip


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(-(2**53), 2**53)  # beyond, the digits of a number are those of another integer
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=40)
@given(JSON)
def test_canonical_json_reads_back_as_it_was(value):
    assert json.loads(canonical(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_another_program_wrote_anew_has_the_same_form(value):
    assert number(json.loads(number(value))) == number(value)


@settings(max_examples=40)
@given(JSON)
def test_spaces_and_order_do_not_change_a_digest(value):
    def turned(one):
        if isinstance(one, dict):
            return {k: turned(v) for k, v in reversed(one.items())}
        return [turned(v) for v in one] if isinstance(one, list) else one

    spaced = json.loads(json.dumps(turned(value), indent=3))

    assert digest_of(spaced) == digest_of(value)


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        canonical([float("nan")])


def test_a_documents_digest_leaves_out_itself_and_nothing_else():
    content = {"a": 1, "seal": {"inputs": [], "document": "x"}}

    assert document_digest(content) == document_digest(
        {"a": 1, "seal": {"inputs": [], "document": "y"}}
    )
    assert document_digest(content) != document_digest(
        {"a": 2, "seal": {"inputs": [], "document": "x"}}
    )
    assert document_digest(content) != document_digest(
        {"a": 1, "seal": {"inputs": [1], "document": "x"}}
    )


def test_a_name_that_stands_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        read_once('{"a": 1, "b": {"c": 1, "c": 2}}')
