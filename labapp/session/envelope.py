"""The first bytes of a file, judged without the HDF5 library: most wrong and cut files never reach it."""

from __future__ import annotations

from labapp.session.faults import SessionError

MAX_BYTES = 256 * 2**20
SIGNATURE = b"\x89HDF\r\n\x1a\n"
HEADER_BYTES = 48
"""Superblock of version 3 with addresses of 8 bytes (HDF5 file format 3.0, section II.A): signature, version, size of
addresses, size of lengths, flags, then the addresses base, extension, end of file and root group, and a checksum."""


def check(head: bytes, size: int) -> None:
    """Raise ``SessionError`` unless a file of this size begins as a session does and ends where its header says."""
    if size > MAX_BYTES:
        raise too_large(size)
    if not head.startswith(SIGNATURE) or head[8:11] not in (b"\x03\x08\x08"[: len(head[8:11])],):
        cut = SIGNATURE.startswith(head[:8])
        raise SessionError("incomplete" if cut and size < HEADER_BYTES else "not_a_session", "no HDF5 header of ours")
    base, end = (int.from_bytes(head[start : start + 8], "little") for start in (12, 28))
    if size < HEADER_BYTES or end > size:
        raise SessionError("incomplete", f"{size} bytes of {end}")
    if base or end < size:
        raise SessionError("damaged", f"{size} bytes where the header says {end}")


def too_large(size: int) -> SessionError:
    return SessionError("too_large", size=f"{size / 2**20:.0f}", limit=MAX_BYTES // 2**20)
