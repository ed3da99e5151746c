"""The parts of the night: what they run and in how many units."""

import nightly_checks as checks
import nightly_products as products
import nightly_releases as releases
from nightly_units import Part

PARTS = (
    Part(
        "style", "the formatters and linters, clang-tidy among them, have no objection to any file", 1, checks.run_style
    ),
    Part("wheel", "the wheel for many distributions is made, checked, installed and used", 1, products.run_wheel),
    Part(
        "platforms",
        "every source compiles for macOS; the command for musl and for aarch64 judges dlspec itself",
        len(products.PLATFORMS),
        products.run_platform,
    ),
    Part(
        "recipes", "the Conan package and the port of vcpkg are built, all recipes looked at", 1, products.run_recipes
    ),
    Part("rust", "a plug-in in Rust is built and judged", 1, products.run_rust, products.no_rust),
    Part(
        "slurm",
        "a run of four parts and a search of two, as jobs of Slurm, merged",
        2,
        products.run_slurm,
        products.no_slurm,
    ),
    Part(
        "clean",
        "1,000,000,000 random conforming tensors, of which neither validator may find fault with one",
        100,
        checks.run_clean,
    ),
    Part(
        "samples",
        "the self-test in all circumstances of its sample, conditional faults and repeated runs with whole plans",
        len(checks.SAMPLES),
        checks.run_samples,
    ),
    Part(
        "odd",
        "the whole plan on every subject that is odd and conforms: none may be blamed",
        checks.ODD_UNITS,
        checks.run_odd,
    ),
    Part("mutants", "every mutant of the sources that fuzz/mutants covers: a test must fail", 1, checks.run_mutants),
    Part(
        "faults",
        "every fault of fuzz/mutants/rearrange.txt: a test must fail",
        1,
        lambda unit: checks.run_mutants(unit, "rearrange"),
    ),
    Part(
        "small_world",
        "a seeded tenth of all rearrangements of a small world of rank 4, every engine against the reference",
        checks.SMALL_WORLD_UNITS,
        checks.run_small_world,
    ),
    Part(
        "libfuzzer",
        "two hours of libFuzzer with sanitizers over the fuzz targets",
        24,
        checks.run_libfuzzer,
        checks.no_clang,
    ),
    Part("proofs", "arithmetic of extents and overlaps gives what unbounded integers give", 1, checks.run_proofs),
    Part(
        "reach",
        "every fault of fuzz/mutants/fuzzed.txt is found by its fuzz target from an empty corpus, by each of 5 seeds",
        1,
        checks.run_reach,
        checks.no_clang,
    ),
    Part(
        "builtin", "1,000 runs of `dlspec run builtin` with one seed give one document", 100, checks.run_same("builtin")
    ),
    Part(
        "numpy",
        "200 runs of `dlspec run numpy@latest` with one seed give one document",
        20,
        checks.run_same("numpy@latest"),
    ),
    Part(
        "history",
        "known faults of other libraries are found by the rule that they break, in the releases that have them",
        len(releases.history().subjects()),
        releases.run_history,
    ),
    Part(
        "fleet",
        "every release of conformance/evidence/fleet/subjects.json is judged, and every deviation has its finding",
        len(releases.fleet().subjects.read_subjects()),
        releases.run_fleet,
    ),
    Part(
        "news",
        "the newest releases are judged; what they changed is told, with a proposed baseline, and fails nothing",
        len(releases.pinned()),
        releases.run_news,
    ),
    Part(
        "matrix",
        "the pinned releases exchange arrays, each two libraries in one process, and every failure has its finding",
        len(releases.pairs().read_pairs()),
        releases.run_matrix,
    ),
    Part(
        "reproducers",
        "the stand-alone scripts for what failed show their fault, in the zoo and in these releases",
        len(releases.history().subjects()),
        releases.run_reproducers,
    ),
)
