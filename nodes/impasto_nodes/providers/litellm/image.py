"""Pictures through litellm."""

import asyncio
import base64
import binascii
import io
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.media.image.normalize_image import plain
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import fetch, keep_image
from impasto_nodes.providers.errors import (
    BadRequest,
    CorruptOutput,
    GenerationFailed,
    Moderated,
    UnsupportedRatio,
)
from impasto_nodes.providers.image import ImageRequest, ImageResult
from impasto_nodes.providers.litellm.errors import told_in_our_words
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.models import find

_GPT_SIZES = {"1:1": "1024x1024", "3:2": "1536x1024", "2:3": "1024x1536"}
_MORE = frozenset(
    {"background", "moderation", "output_compression", "output_format", "quality", "style", "user"}
)
_TIMEOUT = 300.0


class LiteLLMImage:
    """An ImageProvider for any provider of pictures that litellm knows."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """The pictures in as many calls as the model needs: some make one a call.

        Each is remembered when it is kept: a retry asks, and pays, only for those that are missing.
        """
        access = await access_to(self.provider, context)
        shape = self._shape(request)
        context.made_by(provider=self.provider, model=request.model, prompt=request.prompt)
        memory = f"pictures {self.provider} {request.model}"
        made = await context.recall(memory) or {"images": [], "usd": 0.0}
        images: list[Image] = made["images"]
        told: float = made["usd"]
        for place, image in zip(request.places, images, strict=False):
            context.preview(image, place=place)
        while len(images) < request.n_images:
            context.progress(len(images) / request.n_images, f"{len(images)} of {request.n_images}")
            answer = await self._ask(access, request, shape, request.n_images - len(images), context)
            told += _told(answer)
            for item in self._items(answer, request.model)[: request.n_images - len(images)]:
                place = request.places[len(images)]
                images.append(await self._keep(item, len(images), access, context))
                await context.remember(memory, {"images": images, "usd": told})
                context.preview(images[-1], place=place)
        listed = find("image", self.provider, request.model)
        usd = told or len(images) * (listed.usd if listed else 0.0)
        return ImageResult(tuple(images), self.provider, request.model, usd)

    def _shape(self, request: ImageRequest) -> dict[str, Any]:
        listed = find("image", self.provider, request.model)
        if listed and listed.ratios and request.aspect_ratio not in listed.ratios:
            raise UnsupportedRatio(self.provider, listed.title, request.aspect_ratio, listed.ratios)
        if self.provider == "gemini":
            return {"imageConfig": {"aspectRatio": request.aspect_ratio}}
        if request.aspect_ratio not in _GPT_SIZES:
            raise UnsupportedRatio(self.provider, request.model, request.aspect_ratio, list(_GPT_SIZES))
        return {"size": _GPT_SIZES[request.aspect_ratio]}

    async def _ask(
        self, access: Access, request: ImageRequest, shape: dict[str, Any], n: int, context: Context
    ) -> Any:
        litellm = await library()
        arguments = {
            "model": full_name(self.provider, request.model),
            "prompt": _words(request),
            "n": 1 if self.provider == "gemini" else n,
            "api_key": access.key,
            "timeout": _TIMEOUT,
            "max_retries": 0,
            "extra_headers": {"Idempotency-Key": f"{context.idempotency_key}:{n}"},
            **shape,
            **self._more(request),
            **({"api_base": access.address} if access.address else {}),
        }
        async with told_in_our_words(self.provider, request.model, access.key):
            if request.picture is None:
                return await litellm.aimage_generation(**arguments)
            given = await context.read(request.picture), request.picture.media_type
            media_type, data = await asyncio.to_thread(plain, *given)
            file = io.BytesIO(data)
            file.name = f"picture.{media_type.rpartition('/')[2]}"
            return await litellm.aimage_edit(image=file, **arguments)

    def _more(self, request: ImageRequest) -> dict[str, Any]:
        """A person's own settings, of a known few: others would reach litellm itself (an address, a key)."""
        unknown = sorted(set(request.more) - _MORE)
        if unknown:
            raise BadRequest(self.provider, f"unknown settings {unknown}; there are {sorted(_MORE)}")
        return dict(request.more)

    def _items(self, answer: Any, model: str) -> list[Any]:
        items = list(getattr(answer, "data", None) or [])
        if items:
            return items
        if self.provider == "gemini" and not getattr(getattr(answer, "usage", None), "output_tokens", 0):
            raise Moderated(self.provider, "no picture, and not a word why: its safety filter")
        raise GenerationFailed(self.provider, model, f"no pictures: {str(answer)[:200]}")

    async def _keep(self, item: Any, index: int, access: Access, context: Context) -> Image:
        path = Path(context.temp_dir) / f"output-{index}"
        if getattr(item, "b64_json", None):
            path.write_bytes(self._decoded(item.b64_json))
        else:
            await fetch(item.url or "", path, self.provider, context, trusted=access.address)
        return await keep_image(path, self.provider, context, f"picture-{index + 1}")

    def _decoded(self, text: str) -> bytes:
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise CorruptOutput(self.provider, "a picture", str(error)) from None


def _told(answer: Any) -> float:
    """What the answer's own count of tokens comes to; 0 where it has none."""
    counted = getattr(getattr(answer, "usage", None), "output_tokens", 0)
    cost = getattr(answer, "_hidden_params", {}).get("response_cost") if counted else None
    return float(cost or 0.0)


def _words(request: ImageRequest) -> str:
    leave_out = f"\nLeave out: {request.negative_prompt}" if request.negative_prompt else ""
    return request.prompt + leave_out
