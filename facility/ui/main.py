"""The pages of the app, and what stands beside all of them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from facility.ui import displays, sidebar

_PAGES = Path(__file__).with_name("views")

st.set_page_config(page_title="facility", page_icon="⚡", layout="wide")
page = st.navigation(
    [
        st.Page(
            _PAGES / "quick_design.py", title="Quick design", icon=":material/bolt:", default=True
        ),
        st.Page(
            _PAGES / "power_network.py",
            title="Power",
            icon=":material/account_tree:",
            url_path="power",
        ),
        st.Page(
            _PAGES / "panel_schedules.py",
            title="Panels",
            icon=":material/table_rows:",
            url_path="panels",
        ),
        st.Page(
            _PAGES / "cooling.py", title="Cooling", icon=":material/mode_fan:", url_path="cooling"
        ),
        st.Page(
            _PAGES / "cooling_compare.py",
            title="Compare cooling",
            icon=":material/compare_arrows:",
            url_path="compare-cooling",
        ),
        st.Page(
            _PAGES / "ride_through.py",
            title="Ride-through",
            icon=":material/timeline:",
            url_path="ride-through",
        ),
        st.Page(
            _PAGES / "load_motion.py",
            title="Job load",
            icon=":material/ssid_chart:",
            url_path="load-that-moves",
        ),
        st.Page(
            _PAGES / "year.py", title="Year", icon=":material/calendar_month:", url_path="year"
        ),
        st.Page(_PAGES / "ranges.py", title="Ranges", icon=":material/tune:", url_path="ranges"),
        st.Page(
            _PAGES / "assumptions.py",
            title="Checks & assumptions",
            icon=":material/fact_check:",
            url_path="assumptions",
        ),
    ],
    position="top",
)
sidebar.show()
displays.refusals()
page.run()
