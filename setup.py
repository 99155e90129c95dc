"""Builds the module bnnplan._core by CMake. Everything else is in pyproject.toml; the version is that of CMakeLists.txt."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """One module, made where setuptools wants it."""

    def build_extension(self, extension: Extension) -> None:
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        build = Path(os.environ.get("BNNPLAN_BUILD", Path(self.build_temp).resolve() / "cmake"))
        options = [
            "-DCMAKE_BUILD_TYPE=Release", "-DBNNPLAN_TESTS=OFF", "-DBNNPLAN_PYTHON=ON", f"-DPYTHON={sys.executable}",
        ]  # fmt: skip
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", *options], check=True)
        jobs = str(self.parallel or os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", str(build), "-j", jobs, "--target", "bnnplan_python"], check=True)
        made = next((build / "python" / "bnnplan").glob("_core.*.so"))
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(made), str(target))
        if self.debug is None or not self.debug:
            subprocess.run(["strip", "--strip-unneeded", str(target)], check=False)


version = re.search(r"project\(bnnplan VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
setup(version=version[1], ext_modules=[Extension("bnnplan._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
