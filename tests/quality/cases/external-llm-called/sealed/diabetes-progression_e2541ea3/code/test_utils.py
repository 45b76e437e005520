class FakeOpenAI:
    """Stands for nothing remote."""

    def create(self, **kw):
        return "0"


def test_fake():
    assert FakeOpenAI().create(model="none") == "0"
