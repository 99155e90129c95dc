"""Prints where `make python` installs: where the interpreter looks for packages, for everybody or, where that is not ours to write
to, for this user."""

import os
import site
import sysconfig

folder = sysconfig.get_path("platlib")
existing = folder
while not os.path.exists(existing):
    existing = os.path.dirname(existing)
print(folder if os.access(existing, os.W_OK) else site.getusersitepackages())
