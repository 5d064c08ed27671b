"""The litellm adapter for images."""

import asyncio
import base64
import binascii
import io
from pathlib import Path
from typing import Any

from impasto import Context, Image
from impasto_nodes.media.image.masking import see_through
from impasto_nodes.media.image.normalize_image import plain
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.download import download, store_image
from impasto_nodes.providers.errors import (
    BadRequest,
    CorruptOutput,
    GenerationFailed,
    Moderated,
    UnsupportedRatio,
)
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.image_price import image_price
from impasto_nodes.providers.litellm.image_settings import OPENAI_IMAGE_SETTINGS
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.litellm.openai_image import generate_image
from impasto_nodes.providers.paid_calls import paid_call
from impasto_nodes.providers.protocols import ImageRequest, ImageResult
from impasto_nodes.providers.registry import find_model

_GPT_SIZES = {"1:1": "1024x1024", "3:2": "1536x1024", "2:3": "1024x1536"}
_TIMEOUT_SECONDS = 300.0


class LiteLLMImage:
    """An `ImageProvider` for any provider of images that litellm supports."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """Generate the images in as many calls as the model needs; some make one image a call.

        Each image is remembered when it is stored, so that a retry requests and pays only for missing ones.
        In a run with a budget, an image of "auto" quality has the best one that the budget allows.
        """
        access = await access_to(self.provider, context)
        shape = self._shape(request)
        context.record_generation(
            provider=self.provider,
            model=request.model,
            prompt=request.prompt,
            method="edited" if request.image else "generated",
        )
        # Journals of runs in progress hold this name: it stays as it is.
        memo = f"pictures {self.provider} {request.model}"
        done = await context.recall(memo) or {"images": [], "usd": 0.0}
        images: list[Image] = done["images"]
        usd: float = done["usd"]
        for place, image in zip(request.places, images, strict=False):
            context.preview(image, place=place)
        while len(images) < request.n_images:
            context.progress(len(images) / request.n_images, f"{len(images)} of {request.n_images}")
            items, charged = await self._paid(access, request, shape, request.n_images - len(images), context)
            usd += charged
            for item in items[: request.n_images - len(images)]:
                place = request.places[len(images)]
                images.append(await self._store(item, len(images), access, context))
                await context.remember(memo, {"images": images, "usd": usd})
                context.preview(images[-1], place=place)
        return ImageResult(
            images=tuple(images), provider=self.provider, model=request.model, usd=usd, is_charged=True
        )

    async def _paid(
        self, access: Access, request: ImageRequest, shape: dict[str, Any], n: int, context: Context
    ) -> tuple[list[Any], float]:
        """Call the model within the budget; return its images, and what was charged for them."""
        asked = 1 if self.provider == "gemini" else n
        price = image_price(self.provider, request)
        max_usd, min_usd = (price.max_usd(asked), price.at_least(asked)) if price else (None, None)
        async with paid_call(context, max_usd, at_least=min_usd) as call:
            shape = shape | (price.quality_within(asked, call.max_usd) if price else {})
            answer = await self._call(access, request, shape, n, context)
            made = len(answer.data)
            usd = _charged(answer) or (price.likely(made) if price else 0.0)
            call.charge(usd, images=made)
            return self._items(answer, request.model), usd

    def _shape(self, request: ImageRequest) -> dict[str, Any]:
        listed = find_model("image", self.provider, request.model)
        if listed and listed.ratios and request.aspect_ratio not in listed.ratios:
            raise UnsupportedRatio(self.provider, listed.title, request.aspect_ratio, listed.ratios)
        if self.provider == "gemini":
            return {"imageConfig": {"aspectRatio": request.aspect_ratio}}
        if request.aspect_ratio not in _GPT_SIZES:
            raise UnsupportedRatio(self.provider, request.model, request.aspect_ratio, list(_GPT_SIZES))
        return {"size": _GPT_SIZES[request.aspect_ratio]}

    async def _call(
        self, access: Access, request: ImageRequest, shape: dict[str, Any], n: int, context: Context
    ) -> Any:
        headers = {"Idempotency-Key": f"{context.idempotency_key}:{n}"}
        arguments = {"prompt": _prompt(request), **shape, **self._model_settings(request)}
        async with map_exceptions(self.provider, request.model, access.key):
            if request.image is None and self.provider != "gemini":
                return await generate_image(
                    full_name(self.provider, request.model),
                    {"model": request.model, "n": n, **arguments},
                    key=access.key,
                    address=access.address,
                    headers=headers,
                    timeout_seconds=_TIMEOUT_SECONDS,
                )
            litellm = await library()
            arguments |= {
                "model": full_name(self.provider, request.model),
                "n": 1 if self.provider == "gemini" else n,
                "api_key": access.key,
                "timeout": _TIMEOUT_SECONDS,
                "max_retries": 0,
                "extra_headers": headers,
                **({"api_base": access.address} if access.address else {}),
            }
            if request.image is None:
                return await litellm.aimage_generation(**arguments)
            if request.masked is not None:
                files = {"image": _file(request.masked.picture, "image.png")}
                if self.provider != "gemini":
                    mask = await asyncio.to_thread(see_through, request.masked.mask)
                    files["mask"] = _file(mask, "mask.png")
                return await litellm.aimage_edit(**files, **arguments)
            source = await context.read(request.image), request.image.media_type
            media_type, data = await asyncio.to_thread(plain, *source)
            image = _file(data, f"image.{media_type.rpartition('/')[2]}")
            return await litellm.aimage_edit(image=image, **arguments)

    def _model_settings(self, request: ImageRequest) -> dict[str, Any]:
        """Return the model's own settings. Others are refused: litellm would take them as arguments."""
        unknown = sorted(set(request.model_settings) - set(OPENAI_IMAGE_SETTINGS))
        if unknown:
            known = sorted(OPENAI_IMAGE_SETTINGS)
            raise BadRequest(self.provider, f"unknown settings {unknown}; the known ones are {known}")
        return dict(request.model_settings)

    def _items(self, answer: Any, model: str) -> list[Any]:
        if answer.data:
            return list(answer.data)
        if self.provider == "gemini" and not answer.usage.output_tokens:
            # Gemini's safety filter returns neither an image nor a reason.
            raise Moderated(self.provider, "no image and no reason")
        raise GenerationFailed(self.provider, model, f"no images: {str(answer)[:200]}")

    async def _store(self, item: Any, index: int, access: Access, context: Context) -> Image:
        path = Path(context.temp_dir) / f"output-{index}"
        if item.b64_json:
            await asyncio.to_thread(self._write_decoded, item.b64_json, path)
        elif item.url:
            await download(item.url, path, self.provider, context, trusted=access.address)
        else:
            raise CorruptOutput(self.provider, "an image", "neither its data nor its address")
        return await store_image(path, self.provider, context, f"image-{index + 1}")

    def _write_decoded(self, text: str, path: Path) -> None:
        try:
            path.write_bytes(base64.b64decode(text, validate=True))
        except binascii.Error as error:
            raise CorruptOutput(self.provider, "an image", str(error)) from None


def _file(data: bytes, name: str) -> io.BytesIO:
    file = io.BytesIO(data)
    file.name = name
    return file


def _charged(answer: Any) -> float:
    """Return the price of the answer's counted tokens in US dollars; 0 if it counts none."""
    cost = answer._hidden_params.get("response_cost") if answer.usage.output_tokens else None
    return float(cost or 0.0)


def _prompt(request: ImageRequest) -> str:
    exclusions = f"\nLeave out: {request.negative_prompt}" if request.negative_prompt else ""
    return request.prompt + exclusions
