# SPDX-License-Identifier: MIT
"""Ends `hqe prune POOL -o out.json --report out.html` at random moments, by kill -9, SIGTERM and SIGHUP in turn: each file is
then whole, the old one or the new one. kills_test.py does so a few times, check_kills.py (`make soak`) 1,000 times."""

import json
import pathlib
import random
import signal
import subprocess
import tempfile
import time
from collections import Counter

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)


def heed_signals():
    """In a child: what whoever started us ignores (nohup) would stay ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Killer:
    """One command, ended again and again."""

    def __init__(self, binary, home, seed):
        self.home = pathlib.Path(home)
        self.random = random.Random(seed)
        self.json, self.page = self.home / "out.json", self.home / "out.html"
        pool = self.home / "pool"
        synth = [binary, "synth", "--models", "12", "--samples", "2000", "--classes", "4", "-o", pool, "--quiet"]
        subprocess.run(list(map(str, synth)), check=True, stdout=subprocess.DEVNULL)
        self.words = list(map(str, [binary, "prune", pool, "-o", self.json, "--report", self.page, "--quiet"]))
        begin = time.monotonic()
        subprocess.run(self.words, check=True, stdout=subprocess.DEVNULL)
        self.seconds = time.monotonic() - begin
        # A run gives the same bytes each time, so what is there before it is called old.
        self.new = {path: path.read_bytes() for path in (self.json, self.page)}
        assert json.loads(self.new[self.json])["command"] == "prune"
        assert self.new[self.page].rstrip().endswith(b"</html>")
        self.old = {self.json: b'{"old": true}\n', self.page: b"<!doctype html><title>old</title></html>\n"}
        self.seen = Counter()

    def moment(self, number):
        """Starts the command, ends it by the signal, and looks at what is there."""
        for path, content in self.old.items():
            path.write_bytes(content)
        process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=heed_signals)
        time.sleep(self.random.random() * self.seconds * 1.2)
        process.send_signal(number)
        err = process.communicate(timeout=60)[1].decode()
        self.seen[f"{number.name}: {self.outcome(number, process.returncode, err)}"] += 1
        left = self.parts()
        if number != signal.SIGKILL or process.returncode == 0:
            assert not left, (number, process.returncode, left)
        for path in left:
            path.unlink()
        self.seen["parts left by kill -9"] += len(left)

    def outcome(self, number, code, err):
        content = {path: path.read_bytes() for path in self.old}
        for path in content:
            assert content[path] in (self.old[path], self.new[path]), f"{path.name} is neither old nor new"
        is_new = [content[path] == self.new[path] for path in (self.json, self.page)]
        word = {(False, False): "both old", (True, False): "the study new", (True, True): "both new"}[tuple(is_new)]
        if code == 0:
            assert all(is_new) and err == ""
        elif number == signal.SIGKILL or code == -number:
            # Before the command watches signals, or when it insists on the second, it just dies.
            assert code == -number, (code, err)
        else:
            assert code == 128 + number, (code, err)
            said = f"{self.json} was already written" if is_new[0] else "nothing was written"
            assert said in err or all(is_new), (err, word)
        return word

    def parts(self):
        return [path for path in self.home.iterdir() if ".part" in path.name]


def run(binary, moments, seed=1):
    """How often what was seen."""
    with tempfile.TemporaryDirectory(prefix="hqe-kills-") as home:
        killer = Killer(binary, home, seed)
        for i in range(moments):
            killer.moment(SIGNALS[i % len(SIGNALS)])
        return killer.seen
