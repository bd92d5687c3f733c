"""Made by tools/make_holidays.py from holidays.txt; do not edit."""

FIXED = {
    (1, 1): "New Year",
    (5, 1): "Labour Day",
    (5, 8): "Victory Day",
    (8, 15): "Assumption",
    (11, 1): "All Saints",
    (12, 25): "Christmas Day",
    (12, 26): "Saint Stephen",
}

MOVING = {
    -2: "Good Friday",
    1: "Easter Monday",
    39: "Ascension",
    50: "Whit Monday",
}
