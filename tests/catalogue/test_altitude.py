"""What the altitude leaves of the ratings of electrical equipment."""

from __future__ import annotations

import pytest

from facility.catalogue.altitude import rating_at


@pytest.mark.parametrize("height_m", range(1000, 5001, 250))
def test_a_ups_loses_as_much_as_the_air_its_density(height_m: int) -> None:
    """ISO 2533: the density falls with (1 - 2.25577e-5 h)^4.25588; the table has two digits."""
    density = ((1.0 - 2.25577e-5 * height_m) / (1.0 - 2.25577e-2)) ** 4.25588
    assert rating_at("UPS", height_m)[0] == pytest.approx(density, abs=0.01)


@pytest.mark.parametrize(
    ("equipment", "height_m", "left"),
    [
        # Eaton: 0.3 % of the nameplate for each 100 m above 1,000 m.
        ("dry-type transformer", 900.0, 1.0),
        ("dry-type transformer", 2600.0, 1.0 - 16 * 0.003),
        # IEEE C57.91, self-cooled: 0.4 %.
        ("liquid-immersed transformer", 2600.0, 1.0 - 16 * 0.004),
        # IEEE C37.13: 1.00, 0.99 and 0.96 at 6,600, 8,500 and 13,000 ft.
        ("LV breaker", 2000.0, 1.0),
        ("LV breaker", 3900.0, 0.96),
    ],
)
def test_what_is_left_of_a_rating(equipment: str, height_m: float, left: float) -> None:
    assert rating_at(equipment, height_m)[0] == pytest.approx(left)
