"""Verification manual: published cases, computed and compared with the published values."""

from facility.study.verification.manual import run_case, run_cases
from facility.study.verification.outcome import CaseOutcome, PublishedCase

__all__ = ["CaseOutcome", "PublishedCase", "run_case", "run_cases"]
