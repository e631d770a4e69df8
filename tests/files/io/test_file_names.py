import pytest

from facility.files.io.file_names import safe_file_name


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("h100-10k", "h100-10k"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "facility"),
        ("", "facility"),
        ("CON", "facility"),
        ("lpt1.txt", "facility"),
        (".hidden", "hidden"),
        ("a\x00b\nc", "a-b-c"),
        ("Halle Süd 1", "Halle Süd 1"),
        ("x" * 300, "x" * 80),
        ("C:\\temp\\x", "C-temp-x"),
    ],
)
def test_file_names_stay_in_their_folder(wanted: str, expected: str) -> None:
    assert safe_file_name(wanted) == expected
