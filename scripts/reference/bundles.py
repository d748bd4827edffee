#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bundles.py BUILD DIR - holds op_coverage --list against zipfile and litert-lm-peek, on bundles of MediaPipe and LiteRT-LM.

Needs the packages mediapipe and litert-lm-builder. DIR has models *.tflite, as make_models --cli writes them; the bundles are made
in a temporary folder. Names, places, sizes and types of all sections must be equal, and a model that --extract_model writes must
have the bytes of the one that was packed. Prints a line per bundle and ends with exit status 1 if one differs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from litert_lm_builder import litertlm_builder, litertlm_peek
from mediapipe.tasks.python.metadata.metadata_writers import model_asset_bundle_utils

NAMES = {"LlmMetadataProto": "LlmMetadata", "HF_Tokenizer_Zlib": "HF_Tokenizer"}


def listed(build, path, out):
    """(place, size, name, type, model type) of each section, as op_coverage has them."""
    subprocess.run([build / "op_coverage", path, "--list", f"--json={out}"], check=True, stdout=subprocess.DEVNULL)
    sections = json.loads(out.read_text(encoding="utf-8"))["sections"]
    return [(s["offset"], s["bytes"], s["name"], s["type"], s["model_type"]) for s in sections]


def by_zipfile(path):
    """The same of an archive; zipfile knows no content, so that the type is that of a file's first bytes."""
    found = []
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        assert archive.testzip() is None
        for entry in archive.infolist():
            file.seek(entry.header_offset + 26)
            name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
            is_model = archive.read(entry)[4:8] == b"TFL3"
            place = entry.header_offset + 30 + name + extra
            found.append((place, entry.file_size, entry.filename, "TFLiteModel" if is_model else "file", None))
    return found


def by_peek(path, text):
    """The same of a LiteRT-LM file, from the text of litert-lm-peek."""
    with open(text, "w", encoding="utf-8") as out:
        litertlm_peek.peek_litertlm_file(str(path), None, out)
    found = []
    for part in re.split(r"\nSection \d+:\n", text.read_text(encoding="utf-8"))[1:]:
        begin, end = (int(re.search(rf"{word} Offset: +(\d+)", part)[1]) for word in ("Begin", "End"))
        kind = re.search(r"Data Type: +(\S+)", part)[1]
        model_type = re.search(r"Key: model_type, Value \(String\): (?:tf_lite_)?(\S+)", part)
        found.append((begin, end - begin, None, NAMES.get(kind, kind), model_type and model_type[1]))
    return found


def make_lm(folder, models, weights):
    """A LiteRT-LM file with a tokenizer, metadata, a model for each type, and the weights of the first."""
    spiece, about = folder / "words.spiece", folder / "about.pbtext"
    spiece.write_bytes(b"words")
    about.write_text("max_num_tokens: 16\n", encoding="utf-8")
    builder = litertlm_builder.LitertLmFileBuilder()
    builder.add_sentencepiece_tokenizer(str(spiece))
    builder.add_llm_metadata(str(about))
    for path, kind in zip(models, litertlm_builder.TfLiteModelType):
        builder.add_tflite_model(str(path), kind)
    builder.add_tflite_weights(str(weights), litertlm_builder.TfLiteModelType.PREFILL_DECODE)
    with open(folder / "b.litertlm", "wb") as out:
        builder.build(out)
    return folder / "b.litertlm"


def check(title, ours, theirs):
    same = ours == theirs
    print(f"{title}: {len(theirs)} sections, {'equal' if same else f'DIFFERENT: {ours} is not {theirs}'}")
    return same


def extracts(build, bundle, number, original, out):
    """Whether section `number`, written as it is, is the original."""
    flags = [f"--extract_model={number}={out}", "--inline_weights=false"]
    subprocess.run([build / "op_coverage", bundle, *flags], check=True, stdout=subprocess.DEVNULL)
    return out.read_bytes() == original.read_bytes()


def main():
    build, models = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    plain = [models / f"{name}.tflite" for name in ("chain", "gather", "quantized", "signatures")]
    fine = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        task, out = folder / "b.task", folder / "out"
        packed = {path.name: path.read_bytes() for path in plain} | {"labels.txt": b"cat\ndog\n"}
        model_asset_bundle_utils.create_model_asset_bundle(packed, str(task))
        fine &= check("MediaPipe", listed(build, task, out), by_zipfile(task))
        nested = folder / "outer.task"
        inner = {"b.task": task.read_bytes(), "c.tflite": packed["chain.tflite"]}
        model_asset_bundle_utils.create_model_asset_bundle(inner, str(nested))
        fine &= check("MediaPipe, nested", [s for s in listed(build, nested, out) if "/" not in s[2] and s[3] != "archive"],
                      by_zipfile(nested)[1:])
        lm = make_lm(folder, plain, models / "outside.bin")
        fine &= check("LiteRT-LM", listed(build, lm, out), by_peek(lm, folder / "peek"))
        written = [extracts(build, task, "gather.tflite", plain[1], out), extracts(build, lm, "embedder", plain[1], out)]
        fine &= check("extracted", written, [True, True])
    sys.exit(not fine)


if __name__ == "__main__":
    main()
