"""What is shown of the library's report on a file."""

from typing import Any

import pytest

from impasto_server.content_credentials.report import report_of

GENERATED = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
MANIFEST: dict[str, Any] = {
    "claim_generator_info": [{"name": "Impasto", "version": "1.2"}, {"name": "other"}],
    "signature_info": {"issuer": "Acme", "common_name": "Acme signer", "time": "2026-11-22T03:26:00Z"},
    "assertions": [
        {
            "label": "c2pa.actions.v2",
            "data": {
                "actions": [
                    {"action": "c2pa.opened", "when": "2026-11-21T00:00:00Z"},
                    {
                        "action": "c2pa.created",
                        "softwareAgent": {"name": "flux"},
                        "digitalSourceType": GENERATED,
                    },
                ]
            },
        },
        {
            "label": "org.impasto.lineage",
            "data": {
                "provider": "replicate",
                "model": "flux-1",
                "agent": "Jugs",
                "version": 3,
                "aiMade": "yes",
            },
        },
        {"label": "cawg.metadata", "data": {"dc:creator": ["Acme", "Mara"]}},
    ],
}


def shown(manifest: dict[str, Any] = MANIFEST, **others: Any) -> dict[str, Any]:
    """Return the report on a store whose active manifest is this one."""
    store = {"active_manifest": "m", "manifests": {"m": manifest, **others.pop("manifests", {})}, **others}
    found = report_of(store)
    assert found is not None
    return found


def lineage(**data: Any) -> dict[str, Any]:
    return {"assertions": [{"label": "org.impasto.lineage", "data": data}]}


def actions(*found: Any, label: str = "c2pa.actions.v2") -> dict[str, Any]:
    return {"assertions": [{"label": label, "data": {"actions": list(found)}}]}


def creators(found: Any) -> dict[str, Any]:
    return {"assertions": [{"label": "cawg.metadata", "data": {"dc:creator": found}}]}


def codes(*found: str) -> list[dict[str, str]]:
    return [{"code": code} for code in found]


def test_report_shows_signer_generator_step_and_actions() -> None:
    assert shown(validation_state="Trusted") == {
        "state": "trusted",
        "problems": [],
        "signer": "Acme",
        "signer_name": "Acme signer",
        "signed_at": "2026-11-22T03:26:00Z",
        "generator": "Impasto",
        "generator_version": "1.2",
        "organization": "Acme",
        "creators": ["Acme", "Mara"],
        "provider": "replicate",
        "model": "flux-1",
        "agent": "Jugs",
        "agent_version": 3,
        "source_type": "trainedAlgorithmicMedia",
        "ai_made": "yes",
        "actions": [
            {"action": "c2pa.opened", "agent": None, "source_type": None},
            {"action": "c2pa.created", "agent": "flux", "source_type": "trainedAlgorithmicMedia"},
        ],
        "sources": [],
    }


def test_manifest_without_claims_has_a_report_without_values() -> None:
    found = shown({"label": "m"})
    assert (found.pop("state"), found.pop("problems"), found.pop("creators")) == ("invalid", [], [])
    assert (found.pop("actions"), found.pop("sources")) == ([], [])
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    "store",
    [
        {},
        {"manifests": {"m": MANIFEST}},
        {"active_manifest": "x", "manifests": {"m": MANIFEST}},
        {"active_manifest": "m", "manifests": [MANIFEST]},
        {"active_manifest": "m", "manifests": {"m": "text"}},
    ],
)
def test_store_without_an_active_manifest_has_no_report(store: dict[str, Any]) -> None:
    assert report_of(store) is None


@pytest.mark.parametrize(
    ("said", "state"), [("Trusted", "trusted"), ("Valid", "valid"), ("Invalid", "invalid"), (None, "invalid")]
)
def test_state_is_that_of_the_verification(said: str | None, state: str) -> None:
    assert shown(validation_state=said)["state"] == state


def test_problems_are_named_once_and_an_unknown_signer_is_none() -> None:
    many = [f"code{number}" for number in range(12)]
    failure = codes("signingCredential.untrusted", "code0", "code0", *many)
    found = shown(validation_results={"activeManifest": {"failure": [*failure, {"code": 7}, "text"]}})
    assert found["problems"] == many[:10]


@pytest.mark.parametrize(
    ("manifest", "name", "value"),
    [
        (lineage(aiMade="no"), "ai_made", "no"),
        (lineage(aiMade="partly"), "ai_made", "partly"),
        (lineage(aiMade="perhaps"), "ai_made", None),
        (actions({"digitalSourceType": GENERATED}), "ai_made", "yes"),
        (actions({"digitalSourceType": "composite"}), "ai_made", None),
        (actions({"digitalSourceType": "x"}, {"digitalSourceType": "y"}), "source_type", "x"),
        (actions({"softwareAgent": "painter"}), "model", "painter"),
        (actions({}, {"softwareAgent": {"name": "painter"}}), "model", "painter"),
        (actions({}, {"when": "yesterday"}), "signed_at", "yesterday"),
        (actions({"action": "c2pa.drawn"}, label="c2pa.actions"), "actions",
         [{"action": "c2pa.drawn", "agent": None, "source_type": None}]),
        (actions("text"), "actions", [{"action": "", "agent": None, "source_type": None}]),
        (lineage(version="3b"), "agent_version", "3b"),
        (lineage(version=0), "agent_version", 0),
        (lineage(version=True), "agent_version", None),
        (lineage(agent="a" * 201), "agent", "a" * 200),
        (lineage(agent=""), "agent", None),
        (lineage(agent=["a"]), "agent", None),
        ({"claim_generator_info": ["text"]}, "generator", None),
        (creators("Mara"), "creators", []),
        (creators([7, "Mara"]), "creators", ["Mara"]),
        (creators(list("abcdef")), "creators", list("abcde")),
    ],
)  # fmt: skip
def test_claims_of_any_shape_are_read(manifest: dict[str, Any], name: str, value: Any) -> None:
    assert shown({"label": "m", **manifest})[name] == value


def test_number_of_actions_is_bounded() -> None:
    assert len(shown(actions(*[{}] * 21))["actions"]) == 20


def source(**others: Any) -> dict[str, Any]:
    return {"title": "image", "format": "image/png", "relationship": "parentOf", "label": "i", **others}


def with_source(given: dict[str, Any], state: str = "Trusted", **validated: Any) -> dict[str, Any]:
    """Return what is reported on the only source of a manifest; `s` is the source's own manifest."""
    manifests = {"s": {**lineage(aiMade="yes", model="flux"), "signature_info": {"issuer": "Acme"}}}
    found = shown(
        {"ingredients": [given]}, manifests=manifests, validation_state=state, validation_results=validated
    )
    (reported,) = found["sources"]
    return dict(reported)


def test_source_is_shown_with_its_own_claim() -> None:
    assert with_source(source(active_manifest="s", instance_id="urn:impasto:asset:a1")) == {
        "title": "image", "media_type": "image/png", "relationship": "parentOf", "asset_id": "a1",
        "state": "valid", "signer": "Acme", "model": "flux", "ai_made": "yes", "sources": [],
    }  # fmt: skip
    assert with_source({"instance_id": "xmp:a1"}) == {
        "title": None, "media_type": None, "relationship": "componentOf", "asset_id": None, "state": "none",
        "signer": None, "model": None, "ai_made": None, "sources": [],
    }  # fmt: skip


TRUSTED, UNTRUSTED = "signingCredential.trusted", "signingCredential.untrusted"


@pytest.mark.parametrize(
    ("recorded", "found", "signer_state", "state"),
    [
        ({"success": codes(TRUSTED)}, {}, "Trusted", "trusted"),
        ({"success": codes(TRUSTED)}, {}, "Valid", "valid"),
        ({"success": codes(TRUSTED)}, {"failure": codes(UNTRUSTED)}, "Trusted", "valid"),
        ({"success": codes(TRUSTED), "failure": codes(UNTRUSTED)}, {}, "Trusted", "valid"),
        ({}, {"success": codes(TRUSTED)}, "Valid", "trusted"),
        ({"failure": codes(UNTRUSTED)}, {}, "Trusted", "valid"),
        ({"failure": codes("changed")}, {"success": codes(TRUSTED)}, "Trusted", "invalid"),
        ({}, {"failure": codes("changed")}, "Trusted", "invalid"),
        ({}, {}, "Trusted", "valid"),
    ],
)
def test_state_of_a_source_is_what_is_proven(
    recorded: dict[str, Any], found: dict[str, Any], signer_state: str, state: str
) -> None:
    given = source(active_manifest="s", validation_results={"activeManifest": recorded})
    address = "self#jumbf=/c2pa/m/c2pa.assertions/i"
    deltas = [{"ingredientAssertionURI": address, "validationDeltas": found}]
    assert with_source(given, signer_state, ingredientDeltas=deltas)["state"] == state


@pytest.mark.parametrize(
    ("made", "ai_made"),
    [
        ([], None), (["yes"], "yes"), (["partly"], "partly"), (["yes", "yes"], "partly"),
        (["yes", "no"], "partly"), (["no"], None),
    ],
)  # fmt: skip
def test_file_without_a_claim_of_ai_is_classified_by_its_sources(
    made: list[str], ai_made: str | None
) -> None:
    manifests = {f"s{at}": lineage(aiMade=each) for at, each in enumerate(made)}
    ingredients = [source(active_manifest=label) for label in manifests]
    assert shown({"label": "m", "ingredients": ingredients}, manifests=manifests)["ai_made"] == ai_made
    outer = {"label": "m", "ingredients": [{"active_manifest": "o"}]}
    found = shown(outer, manifests={**manifests, "o": {"label": "o", "ingredients": ingredients}})
    assert found["sources"][0]["ai_made"] == found["ai_made"] == ai_made, "also by sources of a source"
    said = {**lineage(aiMade="no"), "ingredients": ingredients}
    assert shown(said, manifests=manifests)["ai_made"] == "no"


def test_sources_of_sources_are_bounded_in_number_and_depth() -> None:
    manifests = {
        "wide": {"ingredients": [source(active_manifest="x")] * 5},
        **{f"d{at}": {"ingredients": [source(active_manifest=f"d{at + 1}")]} for at in range(6)},
    }
    found = shown({"ingredients": [source(active_manifest="wide")] * 21}, manifests=manifests)
    assert len(found["sources"]) == 20
    assert len(found["sources"][0]["sources"]) == 4
    level, depth = shown({"ingredients": [source(active_manifest="d0")]}, manifests=manifests), 0
    while level["sources"]:
        (level,), depth = level["sources"], depth + 1
    assert depth == 4
