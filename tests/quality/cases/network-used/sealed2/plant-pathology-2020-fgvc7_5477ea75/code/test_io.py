from unittest import mock
import io
import urllib.request


def test_reader_accepts_urls():
    fake = io.BytesIO(b"a,b\n1,2\n")
    with mock.patch("urllib.request.urlopen", return_value=fake) as opener:
        assert urllib.request.urlopen("https://example.org/t.csv").read().startswith(b"a,b")
    opener.assert_called_once()
