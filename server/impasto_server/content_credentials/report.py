"""Reduces the library's report on a file to what is shown: bounded in size, and only what it proves.

The signer of the file wrote everything in it except the state: `trusted` if an authority of this installation
signed the unchanged file, `valid` if another authority did, else `invalid`.
"""

from collections.abc import Iterator
from typing import Any

from impasto_server.content_credentials.claims import (
    ASSET_URN,
    DIGITAL_SOURCE_TYPES,
    LINEAGE_LABEL,
    ai_made_of,
)

_MAX_TEXT = 200
_MAX_SOURCES = 20
_MAX_NESTED_SOURCES = 4
_MAX_ACTIONS = 20
_MAX_PROBLEMS = 10
_MAX_CREATORS = 5
_MAX_DEPTH = 4
_STATES = {"Trusted": "trusted", "Valid": "valid"}
_UNTRUSTED = "signingCredential.untrusted"  # says that the signer is unknown here, not that anything is wrong
_TRUSTED = "signingCredential.trusted"
_GENERATIVE = ("yes", "partly")


def report_of(store: dict[str, Any]) -> dict[str, Any] | None:
    """Return the report on the active manifest of a store, or None if there is none."""
    manifests = _dict(store.get("manifests"))
    active = _dict(manifests.get(str(store.get("active_manifest"))))
    if not active:
        return None
    claim = _claim_of(active)
    validated = _dict(store.get("validation_results"))
    results = _dict(validated.get("activeManifest"))
    problems = [code for code in _codes(results.get("failure")) if code != _UNTRUSTED]
    state = _STATES.get(str(store.get("validation_state")), "invalid")
    of_manifest = _Sources(manifests, _findings(validated)).of
    sources = list(of_manifest(str(store.get("active_manifest")), is_trusted=state == "trusted"))
    return {
        "state": state,
        "problems": list(dict.fromkeys(problems))[:_MAX_PROBLEMS],
        **claim,
        "ai_made": claim["ai_made"] or _inherited(sources),
        "sources": sources,
    }


def _claim_of(manifest: dict[str, Any]) -> dict[str, Any]:
    signature = _dict(manifest.get("signature_info"))
    actions = list(_actions(manifest))
    lineage = _assertion(manifest, LINEAGE_LABEL)
    types = [action["source_type"] for action in actions if action["source_type"]]
    source_type = types[0] if types else None
    claimed, creators = lineage.get("aiMade"), _creators(manifest)
    generator = next(iter(_list(manifest.get("claim_generator_info"))), None)
    return {
        "signer": _text(signature.get("issuer")),
        "signer_name": _text(signature.get("common_name")),
        "signed_at": _text(signature.get("time"))
        or next((action["when"] for action in actions if action["when"]), None),
        "generator": _text(_dict(generator).get("name")),
        "generator_version": _text(_dict(generator).get("version")),
        "organization": next(iter(creators), None),
        "creators": creators,
        "provider": _text(lineage.get("provider")),
        "model": _text(lineage.get("model"))
        or next((each["agent"] for each in actions if each["agent"]), None),
        "agent": _text(lineage.get("agent")),
        "agent_version": _version(lineage.get("version")),
        "source_type": source_type,
        "ai_made": claimed
        if claimed in (*_GENERATIVE, "no")
        else (ai_made_of(source_type) if source_type else None),
        "actions": [
            {"action": each["action"], "agent": each["agent"], "source_type": each["source_type"]}
            for each in actions
        ],
    }


def _actions(manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    found = _assertion(manifest, "c2pa.actions.v2") or _assertion(manifest, "c2pa.actions")
    for action in map(_dict, _list(found.get("actions"))[:_MAX_ACTIONS]):
        agent = action.get("softwareAgent")
        source_type = _text(action.get("digitalSourceType"))
        yield {
            "action": _text(action.get("action")) or "",
            "agent": _text(agent if isinstance(agent, str) else _dict(agent).get("name")),
            "source_type": source_type.removeprefix(DIGITAL_SOURCE_TYPES) if source_type else None,
            "when": _text(action.get("when")),
        }


class _Sources:
    """The sources of the manifests in a store, with what was verified about each of them just now."""

    def __init__(self, manifests: dict[str, Any], findings: dict[str, dict[str, Any]]) -> None:
        self._manifests = manifests
        self._findings = findings

    def of(self, manifest: str, *, is_trusted: bool, depth: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the sources of a manifest, with theirs; `is_trusted` says that its signer is."""
        if depth >= _MAX_DEPTH:
            return
        found = _list(_dict(self._manifests.get(manifest)).get("ingredients"))
        for given in map(_dict, found[: _MAX_SOURCES if depth == 0 else _MAX_NESTED_SOURCES]):
            label = str(given.get("active_manifest"))
            own = _dict(self._manifests.get(label))
            claim = _claim_of(own) if own else None
            identity = _text(given.get("instance_id")) or ""
            state = self._state(manifest, given, is_trusted=is_trusted) if own else "none"
            inner = list(self.of(label, is_trusted=state == "trusted", depth=depth + 1)) if own else []
            yield {
                "title": _text(given.get("title")),
                "media_type": _text(given.get("format")),
                "relationship": _text(given.get("relationship")) or "componentOf",
                "asset_id": identity.removeprefix(ASSET_URN) if identity.startswith(ASSET_URN) else None,
                "state": state,
                "signer": claim["signer"] if claim else None,
                "model": claim["model"] if claim else None,
                "ai_made": (claim["ai_made"] if claim else None) or _inherited(inner),
                "sources": inner,
            }

    def _state(self, manifest: str, given: dict[str, Any], *, is_trusted: bool) -> str:
        """Return what is proven about the credentials of a source.

        A manifest records what its signer found when the source was used, and a finding is in what this
        verification differs. Anyone can write a record: only one of a trusted signer makes a source trusted.
        """
        recorded = _dict(_dict(given.get("validation_results")).get("activeManifest"))
        found = self._findings.get(f"self#jumbf=/c2pa/{manifest}/c2pa.assertions/{given.get('label')}", {})
        failures = [*_codes(recorded.get("failure")), *_codes(found.get("failure"))]
        if [code for code in failures if code != _UNTRUSTED]:
            return "invalid"
        recorded_as_trusted = _TRUSTED in _codes(recorded.get("success")) and _UNTRUSTED not in failures
        if _TRUSTED in _codes(found.get("success")) or (is_trusted and recorded_as_trusted):
            return "trusted"
        return "valid"


def _findings(validated: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return, for each source's address, in what this verification differs from its record."""
    return {
        str(each.get("ingredientAssertionURI")): _dict(each.get("validationDeltas"))
        for each in map(_dict, _list(validated.get("ingredientDeltas")))
    }


def _inherited(sources: list[dict[str, Any]]) -> str | None:
    """Return whether AI made a part, for a file that does not say it of itself."""
    made = [source["ai_made"] for source in sources]
    if any(each in _GENERATIVE for each in made):
        return "yes" if len(made) == 1 and made[0] == "yes" else "partly"
    return None


def _creators(manifest: dict[str, Any]) -> list[str]:
    names = _list(_assertion(manifest, "cawg.metadata").get("dc:creator"))[:_MAX_CREATORS]
    return [name for each in names if (name := _text(each))]


def _assertion(manifest: dict[str, Any], label: str) -> dict[str, Any]:
    for each in map(_dict, _list(manifest.get("assertions"))):
        if each.get("label") == label:
            return _dict(each.get("data"))
    return {}


def _codes(found: Any) -> list[str]:
    return [code for each in _list(found) if (code := _text(_dict(each).get("code")))]


def _version(value: Any) -> int | str | None:
    return value if type(value) is int else _text(value)


def _text(value: Any) -> str | None:
    return value[:_MAX_TEXT] if isinstance(value, str) and value else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
