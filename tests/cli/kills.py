# SPDX-License-Identifier: MIT
"""Ends `hqe prune POOL -o out.json --report out.html` and `hqe digest POOL -o out.digest` at random moments, by kill -9, SIGTERM
and SIGHUP in turn: each file is then whole, the old one or the new one. kills_test.py does so a few times, check_kills.py
(`make soak`) 1,000 times."""

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


def make_pool(binary, home):
    pool = pathlib.Path(home) / "pool"
    synth = [binary, "synth", "--models", "12", "--samples", "2000", "--classes", "4", "-o", pool, "--quiet"]
    subprocess.run(list(map(str, synth)), check=True, stdout=subprocess.DEVNULL)
    return pool


class Killer:
    """One command, ended again and again. `files`: what it writes, in that order, and what lies there before."""

    def __init__(self, home, chosen, words, files):
        self.home = pathlib.Path(home)
        self.random = chosen
        self.old = files
        self.first = next(iter(files))
        self.words = list(map(str, [*words, "--quiet"]))
        begin = time.monotonic()
        subprocess.run(self.words, check=True, stdout=subprocess.DEVNULL)
        self.seconds = time.monotonic() - begin
        # A run gives the same bytes each time, so what is there before it is called old.
        self.new = {path: path.read_bytes() for path in self.old}
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
        self.seen[f"{number.name}: {self.words[1]}: {self.outcome(number, process.returncode, err)}"] += 1
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
        is_new = [content[path] == self.new[path] for path in self.old]
        assert is_new == sorted(is_new, reverse=True), "a later file is new and an earlier one old"
        word = f"{sum(is_new)} of {len(is_new)} new"
        if code == 0:
            assert all(is_new) and err == ""
        elif number == signal.SIGKILL or code == -number:
            # Before the command watches signals, or when it insists on the second, it just dies.
            assert code == -number, (code, err)
        else:
            assert code == 128 + number, (code, err)
            said = f"{self.first} was already written" if is_new[0] else "nothing was written"
            assert said in err or all(is_new), (err, word)
        return word

    def parts(self):
        return [path for path in self.home.iterdir() if ".part" in path.name]


def killer_of_prune(binary, pool, chosen):
    study, page = pool.parent / "out.json", pool.parent / "out.html"
    killer = Killer(pool.parent, chosen, [binary, "prune", pool, "-o", study, "--report", page],
                    {study: b'{"old": true}\n', page: b"<!doctype html><title>old</title></html>\n"})
    assert json.loads(killer.new[study])["command"] == "prune"
    assert killer.new[page].rstrip().endswith(b"</html>")
    return killer


def killer_of_digest(binary, pool, chosen):
    path = pool.parent / "out.digest"
    killer = Killer(pool.parent, chosen, [binary, "digest", pool, "-o", path], {path: b"an old digest\n"})
    told = subprocess.run([str(binary), "inspect", str(path), "--json"], check=True, stdout=subprocess.PIPE)
    assert json.loads(told.stdout)["pool"]["samples"] == 2000
    return killer


def run(binary, moments, seed=1):
    """How often what was seen."""
    with tempfile.TemporaryDirectory(prefix="hqe-kills-") as home:
        pool, chosen = make_pool(binary, home), random.Random(seed)
        killers = [killer_of_prune(binary, pool, chosen), killer_of_digest(binary, pool, chosen)]
        for i in range(moments):
            killers[i // len(SIGNALS) % len(killers)].moment(SIGNALS[i % len(SIGNALS)])
        return sum((killer.seen for killer in killers), Counter())
