"""Run the app: ``streamlit run app.py``."""

import streamlit as st

from facility.ui.server.stack import MAIN, MIDDLEWARE, lifespan

app = st.App(MAIN, middleware=MIDDLEWARE, lifespan=lifespan)
