import io

import pytest
from PIL import Image
from tests.fakes.heif import heic
from tests.fakes.media import mp4

from impasto_nodes.media.errors import NotMedia
from impasto_nodes.media.probe import probe
from impasto_nodes.media.video.video_reader import size_of


def avif():
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(out, "AVIF")
    return out.getvalue()


@pytest.mark.parametrize("data", [heic(), heic(brands=b"mif1heicmif1"), avif()], ids=["heic", "heif", "avif"])
@pytest.mark.parametrize("read", [probe, size_of])
def test_image_in_a_video_container_is_not_taken_for_video(tmp_path, data, read):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(NotMedia, match="not a video"):
        read(path)


def test_video_is_probed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(mp4())
    assert probe(path).media_type == "video/mp4"
