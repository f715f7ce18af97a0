"""Archives that are the same whenever and by whomever they are packed."""

import gzip
import hashlib
import io
import tarfile


def pack(files, epoch, prefix=""):
    """Returns a tar archive of files: names in it, by order, each with its path or its bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, source in sorted(files.items()):
            entry = tarfile.TarInfo(prefix + name)
            entry.mtime = epoch
            if isinstance(source, bytes):
                entry.size, entry.mode = len(source), 0o644
                archive.addfile(entry, io.BytesIO(source))
            elif source.is_symlink():
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, str(source.readlink()), 0o777
                archive.addfile(entry)
            elif source.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                content = source.read_bytes()
                entry.size, entry.mode = len(content), source.stat().st_mode & 0o755
                archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def compress(content):
    return gzip.compress(content, compresslevel=6, mtime=0)


def tree(folder):
    """Returns everything in a folder, by path in it."""
    return {str(path.relative_to(folder)): path for path in folder.rglob("*")}


def sha256(content):
    return hashlib.sha256(content).hexdigest()
