"""Run the app: ``streamlit run app.py``."""

import runpy
from pathlib import Path

import facility.ui

runpy.run_path(str(Path(facility.ui.__file__).with_name("main.py")), run_name="__main__")
