"""The builds that tests and checks share."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# name: compiler, options for meson
BUILDS = {
    "plain": ("gcc", ["-Doptimization=2", "-Db_ndebug=false"]),
    "sanitized": ("clang", ["-Db_sanitize=address,undefined", "-Db_lundef=false",
                            "-Doptimization=1", "-Db_ndebug=false"]),
}
FOREIGN = ROOT / "build-foreign"  # libraries of the other architecture; see tools/foreign
LINT = ["-Dwerror=true", "-Dlint=true"]


def environment(compiler):
    """With ccache, clones and checks share objects.

    ccache ignores -Werror, which does not change an object, and repeats cached warnings."""
    return {**os.environ, "CC": f"ccache {compiler}" if shutil.which("ccache") else compiler,
            "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1",
            "CCACHE_IGNOREOPTIONS": "-Werror"}


def set_up_foreign():
    """Configures the build for the other architecture, at the default optimization level."""
    subprocess.run([ROOT / "tools/foreign", FOREIGN], check=True)
    directory = ROOT / "build-lint-foreign"
    set_up(directory, "", [*LINT, "--cross-file", str(FOREIGN / "cross.ini"), "-Doptimization=3",
                           "-Ddebug=false"])
    return directory


def set_up(directory, compiler, options):
    """Configures a build directory, unless it has these options already.  Prints Meson's output on
    failure."""
    mark = directory / "options.txt"
    if mark.exists() and mark.read_text() == str(options):
        return
    shutil.rmtree(directory, ignore_errors=True)
    result = subprocess.run(["meson", "setup", str(directory), "-Dtests=enabled", *options],
                            cwd=ROOT, env=environment(compiler), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        print(result.stdout)
        result.check_returncode()
    mark.write_text(str(options))
