"""The first bytes of a file, judged without the HDF5 library: most wrong and cut files never reach it."""

from __future__ import annotations

from labapp.session.faults import SessionError

MAX_BYTES = 256 * 2**20
SIGNATURE = b"\x89HDF\r\n\x1a\n"
HEADER_BYTES = 48
"""Superblock of version 3 with addresses of 8 bytes (HDF5 file format 3.0, section II.A): signature, version, size of
addresses, size of lengths, flags, then the addresses base, extension, end of file and root group, and a checksum."""


def check(data: bytes) -> None:
    """Raise ``SessionError`` unless the bytes begin as a session does and end where their header says."""
    if len(data) > MAX_BYTES:
        raise too_large(len(data))
    if not data.startswith(SIGNATURE) or data[8:11] not in (b"\x03\x08\x08"[: len(data[8:11])],):
        cut = SIGNATURE.startswith(data[:8])
        raise SessionError(
            "incomplete" if cut and len(data) < HEADER_BYTES else "not_a_session", "no HDF5 header of ours"
        )
    base, end = (int.from_bytes(data[start : start + 8], "little") for start in (12, 28))
    if len(data) < HEADER_BYTES or end > len(data):
        raise SessionError("incomplete", f"{len(data)} bytes of {end}")
    if base or end < len(data):
        raise SessionError("damaged", f"{len(data)} bytes where the header says {end}")


def too_large(size: int) -> SessionError:
    return SessionError("too_large", size=f"{size / 2**20:.0f}", limit=MAX_BYTES // 2**20)
