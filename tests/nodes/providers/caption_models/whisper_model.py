"""A tiny Whisper model in CTranslate2's own format, whose weights make it say the same few words.

Feed-forward layers and self-attention are zero. What is left of a decoder step is the token before plus the
position, and each position's vector is that of the token that has to come next. The decoder attends to the
moment at which a word of `WORDS` is said, and its values are zero: attention gives the times of the words.
"""

from pathlib import Path
from typing import Any

import numpy as np
from ctranslate2.specs.whisper_spec import WhisperSpec
from faster_whisper.tokenizer import _LANGUAGE_CODES
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

WIDTH, MELS, FRAMES, LENGTH = 64, 80, 1500, 448
WORDS = ("Rain", " on", " the", " window.")
SAID_AT = (0.4, 0.8, 1.2, 1.6)
"""The second at which each word is said, after the beginning of a window."""
BEGIN, END = "<|0.20|>", "<|1.80|>"
_TEXT_TOKENS = 50_257
_TIMES = 1501


def write_model(folder: Path, language: str = "en") -> Path:
    """Write a model that hears `WORDS` in every recording, and the language that is given."""
    tokens = _tokens()
    spec = _spec(tokens, language)
    spec.register_vocabulary(tokens)
    at = tokens.index("<|en|>")
    spec.config.suppress_ids = spec.config.suppress_ids_begin = []
    spec.config.lang_ids = list(range(at, at + len(_LANGUAGE_CODES)))
    spec.config.alignment_heads = [(0, 0)]
    folder.mkdir(parents=True, exist_ok=True)
    spec.validate()
    spec.optimize()
    spec.save(str(folder))
    _tokenizer(tokens).save(str(folder / "tokenizer.json"))
    return folder


def _tokens() -> list[str]:
    plain = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain += [f"w{number}" for number in range(_TEXT_TOKENS - len(WORDS) - len(plain) - 1)]
    plain.append("")  # by this token CTranslate2 knows a model of many languages
    codes = ["en", *(code for code in _LANGUAGE_CODES if code != "en")]
    special = ["<|endoftext|>", "<|startoftranscript|>", *(f"<|{code}|>" for code in codes)]
    special += ["<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>"]
    times = [f"<|{number * 0.02:.2f}|>" for number in range(_TIMES)]
    return [*(word.replace(" ", "Ġ") for word in WORDS), *plain, *special, "<|notimestamps|>", *times]


def _tokenizer(tokens: list[str]) -> Tokenizer:
    known = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(known, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = tokens[_TEXT_TOKENS:]
    tokenizer.add_special_tokens([AddedToken(one, special=True) for one in special])
    return tokenizer


def _spec(tokens: list[str], language: str) -> Any:
    spec = WhisperSpec(1, 1, 1, 1)
    random = np.random.default_rng(1)
    rows = random.standard_normal((len(tokens), WIDTH)).astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    rows *= np.sqrt(WIDTH) / np.linalg.norm(rows, axis=1, keepdims=True)
    number = {token: at for at, token in enumerate(tokens)}
    said = [f"<|{language}|>", "<|transcribe|>", BEGIN, *(word.replace(" ", "Ġ") for word in WORDS), END]
    places = np.zeros((LENGTH, WIDTH), np.float32)
    for place in range(LENGTH):
        token = said[place] if place < len(said) else "<|endoftext|>"
        places[place] = 20 * rows[number[token]]

    encoder, decoder = spec.encoder, spec.decoder
    _convolution(encoder.conv1, MELS)
    _convolution(encoder.conv2, WIDTH)
    moments = _moments()
    encoder.position_encodings.encodings = moments
    _norm(encoder.layer_norm)
    for layer in encoder.layer:
        _attention(layer.self_attention, ["qkv", "out"])
        _feed_forward(layer.ffn)
    decoder.embeddings.weight = rows
    decoder.position_encodings.encodings = places
    decoder.projection.weight = rows
    _norm(decoder.layer_norm)
    for layer in decoder.layer:
        _attention(layer.self_attention, ["qkv", "out"])
        _attention(layer.attention, ["q", "kv", "out"])
        _feed_forward(layer.ffn)
        spoken = rows[: len(WORDS)]
        seen = moments[[round(second * FRAMES / 30) for second in SAID_AT]]
        layer.attention.linear[0].weight = (seen.T @ np.linalg.pinv(spoken).T).astype(np.float32)
        layer.attention.linear[1].weight[:WIDTH] = np.eye(WIDTH, dtype=np.float32)
    return spec


def _moments() -> Any:
    """A vector for each moment that an encoder knows, close to those of the moments around it."""
    frames, centres = np.arange(FRAMES)[:, None], np.arange(WIDTH)[None, :] * 2
    near = np.exp(-(((frames - centres) / 6.0) ** 2))
    return (4 * (near - near.mean(axis=1, keepdims=True))).astype(np.float32)


def _convolution(spec: Any, width: int) -> None:
    spec.weight = np.zeros((WIDTH, width, 3), np.float32)
    spec.bias = np.zeros(WIDTH, np.float32)


def _norm(spec: Any) -> None:
    spec.gamma, spec.beta = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)


def _attention(spec: Any, parts: list[str]) -> None:
    _norm(spec.layer_norm)
    for linear, part in zip(spec.linear, parts, strict=True):
        size = WIDTH * {"qkv": 3, "kv": 2}.get(part, 1)
        linear.weight, linear.bias = np.zeros((size, WIDTH), np.float32), np.zeros(size, np.float32)


def _feed_forward(spec: Any) -> None:
    _norm(spec.layer_norm)
    spec.linear_0.weight = np.zeros((4 * WIDTH, WIDTH), np.float32)
    spec.linear_0.bias = np.zeros(4 * WIDTH, np.float32)
    spec.linear_1.weight = np.zeros((WIDTH, 4 * WIDTH), np.float32)
    spec.linear_1.bias = np.zeros(WIDTH, np.float32)
