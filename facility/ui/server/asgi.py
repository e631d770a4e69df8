"""The ASGI app of the server: ``streamlit run`` loads `app` from this file.

`facility.ui.serve` and ``app.py`` start the same app.
"""

from __future__ import annotations

import streamlit as st

from facility.ui.server.stack import MAIN, MIDDLEWARE, lifespan

app = st.App(MAIN, middleware=MIDDLEWARE, lifespan=lifespan)
