"""What nodes read of a brand."""

from impasto import Brand, File


def font(name):
    return File(asset_id=f"{name} id", media_type="font/ttf", name=name)


def test_the_first_color_and_font_are_the_main_ones():
    files = (font("Acme Sans-400.ttf"), font("Acme Serif-400.ttf"), font("Acme Sans-700italic.ttf"))
    brand = Brand(palette=("#112233", "#445566"), fonts=("Acme Sans", "Acme"), font_files=files)
    assert (brand.main_color, brand.main_font) == ("#112233", "Acme Sans")
    assert brand.main_font_files == (files[0], files[2])


def test_a_brand_without_colors_and_fonts_has_no_main_ones():
    brand = Brand(font_files=(File(asset_id="a", media_type="font/ttf"), font("Acme-400.ttf")))
    assert (brand.main_color, brand.main_font, brand.main_font_files) == ("", "", ())
