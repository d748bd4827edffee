#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dist.py BUILD OUT TOOL... - a release of what BUILD has: a tarball, a wheel for pip, an SPDX SBOM and SHA256SUMS, in OUT.
dist.py --android ABI BUILD OUT - likewise of the programs that make android has put into BUILD, which is what adb_run.sh --bins=
takes: a tarball and its SBOM. CJSON=DIR has the cJSON.h that they were built with, whose notice goes along.

The programs bring the libraries that no system has for sure (all but the C library's) in lib/delegauge, where `make dist` has told
them to look (RPATH $ORIGIN/../lib/delegauge); the wheel's platform is the oldest C library that all of it runs with, by the
versions of its symbols. Equal files give equal archives: order, owners, modes and times (SOURCE_DATE_EPOCH, else the last
commit's) are settled here. VERSION and SONAME come from make; CC finds libraries and STRIP strips; RUN=DIR has tools that run on
this machine, where BUILD is for another, and SYSROOT that one's libraries with dpkg's list of them. Prints what it wrote.
"""
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from datetime import datetime, timezone
from base64 import urlsafe_b64encode
from pathlib import Path

# Of the C library and the compiler: every system has them.
SYSTEM = re.compile(r"^(lib(c|m|dl|rt|pthread|gcc_s)\.so\.\d|ld-linux.*\.so\.\d)")
MACHINES = {"X86-64": "x86_64", "AArch64": "aarch64"}
LICENSES = {"libcjson1": "MIT", "libepoxy0": "MIT", "cJSON": "MIT", "libpng16-16": "libpng-2.0", "zlib1g": "Zlib",
            "libjpeg62-turbo": "IJG AND BSD-3-Clause AND Zlib"}
LIBRARIES = "lib/delegauge"
SYSROOT = Path(os.environ.get("SYSROOT") or "/").resolve()
# In the place of a link, where the wheel is installed or linked to.
ADB_RUN = b'#!/bin/sh\nexec sh "$(dirname "$(readlink -f "$0")")/../share/delegauge/adb_run.sh" "$@"\n'


def output(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path):
    """The libraries that an ELF file names."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", str(path)))


def is_elf(path):
    """Whether it is a program or a shared library."""
    with open(path, "rb") as f:
        return f.read(4) == b"\x7fELF"


def machine_of(path):
    """x86_64, aarch64."""
    name = re.search(r"Machine:\s*(.*)", output("readelf", "-hW", str(path))).group(1)
    return next(m for word, m in MACHINES.items() if word in name)


def stage(build, root, tools):
    """Installs into root, stripped and relocatable."""
    environment = dict(os.environ, BUILD=build, PREFIX="/", DESTDIR=str(root), LIBDIR="lib")
    subprocess.run(["sh", "scripts/package/install.sh", *tools], check=True, env=environment, stdout=subprocess.DEVNULL)
    strip = os.environ.get("STRIP", "strip")
    for path in [p for p in root.rglob("*") if p.is_file() and not p.is_symlink()]:
        if is_elf(path):
            subprocess.run([strip, str(path)], check=True)
        elif path.suffix == ".a":
            subprocess.run([strip, "--strip-debug", "--enable-deterministic-archives", str(path)], check=True)
    pc = root / "lib/pkgconfig/delegauge.pc"
    pc.write_text(re.sub(r"^prefix=.*", "prefix=${pcfiledir}/../..", pc.read_text(), flags=re.M), encoding="utf-8")


def time_of_sources():
    """The last commit's; the header's where git has none."""
    if shutil.which("git"):
        found = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout
    return Path("lib/api/delegauge.h").stat().st_mtime


def package_of(path):
    """The Debian package of a library and its version; the file's name where there is none."""
    if not shutil.which("dpkg-query"):
        return path.name, None
    query = ["dpkg-query", f"--admindir={SYSROOT}/var/lib/dpkg"]
    # A link may lead out of the folder, and the folder be reached by one.
    names = ["/" + str(p.relative_to(SYSROOT)) for p in (path.absolute(), path.resolve()) if p.is_relative_to(SYSROOT)]
    for name in names + [n.removeprefix("/usr") for n in names[-1:]]:
        found = subprocess.run([*query, "-S", name], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0]
            return package.split(":")[0], output(*query, "-W", "-f=${Version}", package)
    return path.name, None


def bundle(root):
    """Copies what programs and libraries need beside the system's; {package: version}."""
    packages = {}
    todo = [p for p in root.rglob("*") if p.is_file() and not p.is_symlink() and is_elf(p)]
    own = {p.name for p in todo}
    while todo:
        for name in needed(todo.pop()):
            target = root / LIBRARIES / name
            if SYSTEM.match(name) or name in own or target.exists():
                continue
            source = Path(output(*os.environ.get("CC", "cc").split(), f"-print-file-name={name}").strip())
            if not source.is_absolute():
                sys.exit(f"dist.py: no {name} for this machine, which the programs need")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o644)
            package, version = package_of(source)
            packages[package] = version
            notice = SYSROOT / "usr/share/doc" / package / "copyright"
            if notice.exists():
                (root / "share/doc/delegauge/third-party").mkdir(exist_ok=True)
                shutil.copyfile(notice, root / "share/doc/delegauge/third-party" / package)
            todo.append(target)
    return packages


def glibc(root):
    """The newest version of the C library's symbols that anything wants, as (2, 34)."""
    versions = {(2, 17)}
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink() and is_elf(path):
            found = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "-VW", str(path)))
            versions |= {(int(a), int(b)) for a, b in found}
    return max(versions)


def digest(path, kind):
    """Of a file, in hexadecimal."""
    return hashlib.new(kind, path.read_bytes()).hexdigest()


def sbom(root, name, version, packages, epoch):
    """SPDX 2.3: the files, and whose libraries are among them."""
    files = sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink())
    sums = sorted(digest(p, "sha1") for p in files)
    code = hashlib.sha1("".join(sums).encode()).hexdigest()
    listed = [{"SPDXID": f"SPDXRef-File-{i}", "fileName": f"./{p.relative_to(root)}",
               "checksums": [{"algorithm": kind.upper(), "checksumValue": digest(p, kind)} for kind in ("sha1", "sha256")],
               "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"} for i, p in enumerate(files)]
    own = {"SPDXID": "SPDXRef-Package-delegauge", "name": "delegauge", "versionInfo": version, "downloadLocation": "NOASSERTION",
           "filesAnalyzed": True, "packageVerificationCode": {"packageVerificationCodeValue": code},
           "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "licenseInfoFromFiles": ["NOASSERTION"],
           "copyrightText": "NOASSERTION", "hasFiles": [f["SPDXID"] for f in listed]}
    others = [{"SPDXID": f"SPDXRef-Package-{p}", "name": p, **({"versionInfo": v} if v else {}), "downloadLocation": "NOASSERTION",
               "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": LICENSES.get(p, "NOASSERTION"),
               "copyrightText": "NOASSERTION"} for p, v in sorted(packages.items())]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])] + [(own["SPDXID"], "CONTAINS", p["SPDXID"]) for p in others]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{code}",
            "creationInfo": {"created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Tool: delegauge-dist.py"]},
            "packages": [own, *others], "files": listed,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def write_tarball(root, path, top, epoch):
    """All of root below the folder top."""
    def settled(info):
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        info.mtime = epoch
        info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
        return info

    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        tar.add(root, top, recursive=False, filter=settled)
        for p in sorted(root.rglob("*")):
            tar.add(p, f"{top}/{p.relative_to(root)}", recursive=False, filter=settled)
    path.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=epoch))


def wheel_files(root, version, tag, tools):
    """(name, content, executable) of all but RECORD. What programs are built with stays out, and links, which wheels have not."""
    data = f"delegauge-{version}.data"
    for tool in tools:
        yield f"{data}/scripts/{tool}", (root / "bin" / tool).read_bytes(), True
    yield f"{data}/scripts/adb_run", ADB_RUN, True
    yield f"{data}/scripts/delegauge", (root / "bin/delegauge").read_bytes(), True
    for p in sorted(root.rglob("*")):
        name = str(p.relative_to(root))
        if p.is_file() and not p.is_symlink() and name.startswith(("share/", f"{LIBRARIES}/", "lib/libdelegauge_gpu")):
            yield f"{data}/data/{name}", p.read_bytes(), bool(p.stat().st_mode & 0o100)
    info = f"delegauge-{version}.dist-info"
    yield f"{info}/METADATA", (f"Metadata-Version: 2.1\nName: delegauge\nVersion: {version}\nLicense: Apache-2.0\n"
                               "Summary: Benchmarks and compares TensorFlow Lite models on CPU and GPU (OpenGL ES)\n"
                               "Requires-Python: >=3\nDescription-Content-Type: text/markdown\n\n"
                               "The tools benchmark_model, inference_diff, op_coverage, benchmark_compare, "
                               "eval_classification, eval_detection and eval_segmentation.\n").encode(), False
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: delegauge\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False


def write_wheel(root, out, version, machine, tools, epoch):
    """Python neither matters nor is needed once it is installed: py3-none."""
    major, minor = glibc(root)
    tag = f"py3-none-manylinux_{major}_{minor}_{machine}"
    path = out / f"delegauge-{version}-{tag}.whl"
    record = io.StringIO()
    time = datetime.fromtimestamp(max(epoch, 315532800), timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        def add(name, content, executable):
            entry = zipfile.ZipInfo(name, time)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            z.writestr(entry, content)

        for name, content, executable in wheel_files(root, version, tag, tools):
            add(name, content, executable)
            checksum = urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.write(f"{name},sha256={checksum},{len(content)}\n")
        own = f"delegauge-{version}.dist-info/RECORD"
        record.write(f"{own},,\n")
        add(own, record.getvalue().encode(), False)
    return path


def stage_android(build, root):
    """The programs, which are stripped as they are, and notices; {package: version} of what is linked into them."""
    programs = sorted(p for p in build.iterdir() if p.is_file() and os.access(p, os.X_OK) and is_elf(p)) if build.is_dir() else []
    if not programs:
        sys.exit(f"dist.py: no programs in {build}: make android")
    root.mkdir()
    for p in programs:
        shutil.copy(p, root)
    header = Path(os.environ["CJSON"], "cJSON.h").read_text(encoding="utf-8")
    (root / "third-party").mkdir()
    (root / "third-party/cJSON").write_text(re.search(r"/\*(.*?)\*/", header, re.S).group(1), encoding="utf-8")
    shutil.copy("LICENSE", root)
    return {"cJSON": ".".join(re.findall(r"#define CJSON_VERSION_\w+ (\d+)", header))}


def release(out, name, epoch, fill):
    """Tarball and SBOM, in out, of what fill, which returns {package: version}, puts into a folder; the old ones go."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob(f"{name}*"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        packages = fill(root)
        document = json.dumps(sbom(root, name, os.environ["VERSION"], packages, epoch), indent=1) + "\n"
        (out / f"{name}.spdx.json").write_text(document, encoding="utf-8")
        write_tarball(root, out / f"{name}.tar.gz", name, epoch)


def main():
    """Everything, and then the sums of it."""
    os.umask(0o022)
    version = os.environ["VERSION"]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or time_of_sources())
    if sys.argv[1] == "--android":
        abi, build, out = sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
        release(out, f"delegauge-{version}-android-{abi}", epoch, lambda root: stage_android(build, root))
    else:
        build, out, tools = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
        machine = machine_of(Path(build) / tools[0])
        for old in list(out.glob(f"*{machine}*.whl")):
            old.unlink()

        def fill(root):
            stage(build, root, tools)
            packages = bundle(root)
            write_wheel(root, out, version, machine, tools, epoch)
            return packages

        release(out, f"delegauge-{version}-linux-{machine}", epoch, fill)
    files = sorted(p for p in out.iterdir() if p.suffix in (".gz", ".whl", ".json"))
    (out / "SHA256SUMS").write_text("".join(f"{digest(p, 'sha256')}  {p.name}\n" for p in files), encoding="utf-8")
    print("\n".join(str(p) for p in [*files, out / "SHA256SUMS"]))


main()
