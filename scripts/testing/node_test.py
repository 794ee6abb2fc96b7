# SPDX-License-Identifier: MIT
"""Which Node tests the report page: a choice that must not end in silence."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import node


class Log:
    """Stands for one that runs `node --version`: here a file named node holds its version."""

    def run(self, _, path, *words):
        return 0, Path(shutil.which("node", path=path.removeprefix("PATH="))).read_text()


class NodeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name) / "build"
        self.own = Path(folder.name) / "own"
        for patch in (mock.patch.object(node, "BUILD", self.build), mock.patch.dict(os.environ, PATH=str(self.own))):
            patch.start()
            self.addCleanup(patch.stop)

    def put(self, folder, version, programs=("node", "npm")):
        folder.mkdir(parents=True)
        for program in programs:
            (folder / program).write_text(version)
            (folder / program).chmod(0o755)

    def test_the_machines_own_is_taken_where_it_is_new_enough(self):
        self.put(self.own, "v20.19.0\n")
        self.put(self.build / "venv-node/bin", "v24.1.0\n")
        self.assertEqual(node.npm_command(Log()), ["env", f"PATH={self.own}", "npm", "--prefix", "web"])

    def test_an_old_one_or_one_without_npm_gives_way_to_the_provided_one(self):
        for version, programs in (("v20.18.3\n", ("node", "npm")), ("v18.20.4\n", ("node", "npm")), ("v24.1.0\n", ("node",)), ("", ())):
            with self.subTest(version=version):
                shutil.rmtree(self.own, ignore_errors=True)
                shutil.rmtree(self.build, ignore_errors=True)
                self.put(self.own, version, programs)
                self.put(self.build / "venv-node/bin", "v24.1.0\n")
                self.assertEqual(node.npm_command(Log())[1], f"PATH={self.build / 'venv-node/bin'}:{self.own}")

    def test_without_any_there_is_no_command(self):
        self.put(self.own, "v18.20.4\n")
        self.assertIsNone(node.npm_command(Log()))
