import io

import numpy as np
import pytest

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.audio_samples import SoundError, agreement, sound_of
from detectors.leakage.duplicate_audio import DuplicateAudio
from reports.schema import FileDigest, Outcome, Severity

RATE = 16_000


def tune(seed, seconds=0.6):
    """Make a sound of gliding tones and noise; no two seeds sound alike."""
    random = np.random.default_rng(seed)
    time = np.arange(int(seconds * RATE)) / RATE
    sound = random.normal(size=time.size) * 0.02
    for _ in range(12):
        start, length = random.uniform(0, seconds - 0.1), random.uniform(0.05, 0.3)
        pitch = random.uniform(150, 3500) * (1 + random.normal() * (time - start))
        loud = np.exp(-(((time - start) / length) ** 2)) * random.uniform(0.1, 1)
        sound += loud * np.sin(2 * np.pi * pitch * time + random.uniform(0, 6))
    return sound / np.abs(sound).max() * 0.8


def wav(samples, kind=np.float32, rate=RATE):
    from scipy.io import wavfile

    stream = io.BytesIO()
    if kind is np.float32:
        wavfile.write(stream, rate, samples.astype(kind))
    else:
        wavfile.write(stream, rate, (np.clip(samples, -1, 1) * 32767).astype(kind))
    return stream.getvalue()


def half(samples):
    from scipy.signal import resample_poly

    return resample_poly(samples, 1, 2)


DISGUISES = {
    "equal": wav,
    "16 bit": lambda s: wav(s, np.int16),
    "quieter": lambda s: wav(s * 0.3, np.int16),
    "trimmed": lambda s: wav(s[1237:-801], np.int16),
    "later": lambda s: wav(np.concatenate([np.zeros(1501), s]), np.int16),
    "half the rate": lambda s: wav(half(s), np.int16, RATE // 2),
    "stereo": lambda s: wav(np.stack([s, s], axis=1), np.int16),
    "upside down": lambda s: wav(-s, np.int16),
}


@pytest.fixture
def folder(tmp_path):
    for i in range(28):
        part = tmp_path / ("train" if i < 24 else "test")
        part.mkdir(exist_ok=True)
        (part / f"{i}.wav").write_bytes(wav(tune(i)))
    return tmp_path


def asked(folder, **settings):
    return check(DuplicateAudio(**settings), Dataset.of_folders(folder))


def test_honest_sounds_are_clean(folder):
    answer = asked(folder)

    assert (answer.outcome, answer.findings) == (Outcome.CLEAN, ())


def test_every_disguise_is_heard_through(folder):
    for number, disguise in enumerate(DISGUISES.values()):
        (folder / f"test/copy-{number}.wav").write_bytes(disguise(tune(number)))
    answer = asked(folder)

    [finding] = answer.findings
    assert finding.message.startswith("8 of 12 test sounds")
    assert "1 equal byte for byte" in finding.message
    paths = [e.path for e in finding.evidence if isinstance(e, FileDigest)]
    for right, left in zip(paths[::2], paths[1::2], strict=True):
        assert right == left.replace("train/", "test/copy-")


@pytest.mark.slow
def test_of_other_containers_equal_bytes_are_seen(folder):
    (folder / "train/x.mp3").write_bytes(b"ID3" + bytes(range(200)))
    (folder / "test/y.mp3").write_bytes(b"ID3" + bytes(range(200)))
    [finding, *rest] = asked(folder).findings

    assert "1 equal byte for byte" in finding.message
    assert [f.severity for f in rest] == [Severity.NOTE]  # that they were not decoded


@pytest.mark.slow
def test_silence_is_a_note(folder):
    for part in ("train", "test"):
        (folder / part / "silence.wav").write_bytes(wav(np.zeros(4000)))
    answer = asked(folder)

    assert answer.outcome is Outcome.CLEAN
    assert "silence" in answer.findings[0].message


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"RIFF\xff\xff\xff\xffWAVEfmt ", id="cut"),
        pytest.param(b"not a sound at all", id="text"),
        pytest.param(wav(np.zeros(10), rate=3), id="three-samples-a-second"),
        pytest.param(wav(np.zeros(0)), id="no-samples"),
    ],
)
def test_bytes_that_are_no_sound_are_refused(data):
    with pytest.raises(SoundError):
        sound_of(data)


@pytest.mark.slow
def test_broken_sounds_are_told_and_many_are_never_clean(folder):
    (folder / "test/broken.wav").write_bytes(b"RIFF")
    some = asked(folder)
    for number in range(5):
        (folder / f"test/broken-{number}.wav").write_bytes(b"RIFF")
    many = asked(folder)

    assert (some.outcome, many.outcome) == (Outcome.CLEAN, Outcome.NOT_AVAILABLE)
    assert "1 could not be read" in some.findings[0].message


@pytest.mark.parametrize("shift", [0, 1, 333])
def test_agreement_does_not_mind_a_shift(shift):
    sound = tune(3).astype(np.float32)

    assert agreement(sound, sound[shift:]) > 0.999
    assert agreement(sound[shift:], sound) > 0.999


def test_agreement_of_very_short_sounds_is_none():
    assert agreement(np.ones(5, np.float32), np.ones(5, np.float32)) == 0
