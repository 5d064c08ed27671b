"""Errors of brands."""

from impasto_server.http.errors import Conflict, Forbidden, Invalid, NotFound


class BrandNotFound(NotFound):
    """The brand does not exist or belongs to another user."""

    def __init__(self, brand_id: str) -> None:
        super().__init__("brand", brand_id[:100])


class BrandVersionNotFound(NotFound):
    """The brand has no such version."""

    def __init__(self, ref: str) -> None:
        super().__init__("version of the brand", ref)


class ExampleBrand(Forbidden):
    """The built-in example cannot be changed."""

    code = "example_brand"

    def __init__(self) -> None:
        super().__init__("This brand is an example. Duplicate it to get your own copy.")


class NothingToPublish(Conflict):
    """The draft is the same as the newest published version."""

    code = "nothing_to_publish"

    def __init__(self, version: int) -> None:
        super().__init__(f"The draft is the same as version {version}.")


class NeverPublished(Conflict):
    """The brand has no published version that the draft could return to, or that a launch could use."""

    code = "brand_not_published"

    def __init__(self, name: str) -> None:
        super().__init__(f"The brand '{name}' has no published version yet. Publish it first.")


class FontInvalid(Invalid):
    """A font file is none that the user has uploaded."""

    code, title = "font_invalid", "Not a font"

    def __init__(self, index: int) -> None:
        sentence = "A font file must be one that you uploaded to a brand."
        path = f"font_files.{index}"
        super().__init__(sentence, errors=[{"path": path, "code": self.code, "message": sentence}])


class LogoInvalid(Invalid):
    """A logo is not an image of the user's library."""

    code, title = "logo_invalid", "Not a logo"

    def __init__(self, field: str) -> None:
        sentence = "A logo must be an image in your library: PNG, JPEG or WebP."
        super().__init__(sentence, errors=[{"path": field, "code": self.code, "message": sentence}])
