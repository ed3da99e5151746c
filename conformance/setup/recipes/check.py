"""Looks at rendered recipes with the tools that read them. Runs in the environment of recipe-tools.txt.

check.py ARCHIVE FOLDER [--build]     --build: also builds the Conan package, and the port as vcpkg would
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = pathlib.Path(sys.executable).parent
sys.path.insert(0, str(HERE))
import render  # noqa: E402

# What the package indexes of conda-forge add to a recipe.
CONDA_FORGE = {"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"], "python": ["3.13.* *_cp313"]}
# CMake's names of what the command is compiled of, and conda-forge's.
COMPILED_IN = {"cli11": "cli11", "fmt": "fmt", "nlohmann_json": "nlohmann_json", "pugixml": "pugixml"}
COMPILED_IN["tomlplusplus"] = "tomlplusplus"


def run(*command, **options):
    """What it printed, "" if it ended well."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    return "" if done.returncode == 0 else f"{' '.join(map(str, command))}:\n{done.stdout[-3000:]}"


def dockerfile(folder):
    return run(TOOLS / "hadolint", "--no-color", folder / "Dockerfile")


def conda(folder):
    import rattler_build

    text = (folder / "conda/recipe.yaml").read_text(encoding="utf-8")
    try:
        variants = rattler_build.Stage0Recipe.from_yaml(text).render(rattler_build.VariantConfig(CONDA_FORGE))
    except Exception as error:
        return f"conda/recipe.yaml: {error}"
    recipe = json.loads(json.dumps(variants[0].recipe.to_dict(), default=str))
    host = json.dumps(recipe["requirements"]["host"])
    table = (HERE.parent / "dependencies.txt").read_text(encoding="utf-8")
    needed = {line.split()[0] for line in table.splitlines() if line and not line.startswith("#")}
    missing = [COMPILED_IN[name] for name in sorted(needed) if f'"{COMPILED_IN[name]}' not in host]
    return f"conda/recipe.yaml: host lacks {', '.join(missing)}" if missing else ""


def vcpkg_manifest(folder):
    try:
        manifest = json.loads((folder / "vcpkg/vcpkg.json").read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        return f"vcpkg/vcpkg.json: {error}"
    missing = [name for name in ("name", "version", "description", "license", "supports") if not manifest.get(name)]
    return f"vcpkg/vcpkg.json lacks {', '.join(missing)}" if missing else ""


def port(archive, folder, build):
    """The port, with what vcpkg's functions do written out in vcpkg/functions.cmake."""
    work = folder / "port"
    command = ["cmake", f"-DARCHIVE={archive}", f"-DWORK={work}", f"-DPORT={folder}/vcpkg/portfile.cmake"]
    command += [f"-DVERSION={render.version()}", f"-DBUILD={'ON' if build else 'OFF'}"]
    return run(*command, "-P", HERE / "vcpkg/functions.cmake")


def conan(folder, build):
    environment = {**os.environ, "CONAN_HOME": str(folder / "conan")}
    program = str(TOOLS / "conan")
    complaint = run(program, "profile", "detect", "--force", env=environment)
    if not complaint:
        command = ["create", "--no-remote"] if build else ["export"]
        options = ["-s", "compiler.cppstd=20", "-s:b", "compiler.cppstd=20"] if build else []
        complaint = run(program, command[0], HERE / "conan", *command[1:], *options, env=environment)
    return complaint


def main():
    parser = argparse.ArgumentParser(description="Looks at rendered recipes.")
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    folder, archive = options.folder.resolve(), options.archive.resolve()
    render.render(archive, folder)
    complaints = [
        dockerfile(folder),
        conda(folder),
        vcpkg_manifest(folder),
        port(archive, folder, options.build),
        conan(folder, options.build),
    ]
    print("\n".join(filter(None, complaints)) or "Dockerfile, conda, vcpkg, Conan: nothing to object to")
    return 1 if any(complaints) else 0


if __name__ == "__main__":
    sys.exit(main())
