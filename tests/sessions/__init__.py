"""One sample of every schema, opened for ever: ``1.0.h5`` was written by the first lab that had schema 1.0.

``python -m tests.sessions`` writes the sample of the present schema. It is run once for each schema number, before
the first release that has it; a sample that is there is never written again.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
