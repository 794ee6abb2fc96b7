# SPDX-License-Identifier: MIT
"""The contract once more, plainly: sets of samples as Python integers, nothing shared with the engine.

Used to check pinned outputs: slow where the engine is fast, and short enough to read.
"""

import ast
import itertools
import math
import struct
import tomllib

CODES = {"f4": "f", "f8": "d", "f2": "e", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B"}


def read_npy(path):
    """Rows as lists, or a list of numbers."""
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    shape, code = header["shape"], CODES[header["descr"][1:]]
    numbers = struct.unpack(f"<{math.prod(shape)}{code}", data[10 + length:])
    if len(shape) == 1:
        return list(numbers)
    return [numbers[row * shape[1]:(row + 1) * shape[1]] for row in range(shape[0])]


class PlainPool:
    """A label or probability pool, as spec sections 1 and 2 read it."""

    def __init__(self, folder, selection_pool=None):
        """Ties are broken by the correct counts on `selection_pool`, its own where that is None."""
        settings = tomllib.loads((folder / "pool.toml").read_text())
        self.kind, self.names = settings["kind"], settings["models"]
        assert self.kind in ("labels", "probabilities"), self.kind
        self.truth = read_npy(folder / "labels.npy")
        self.rows = [read_npy(folder / f"{name}.npy") for name in self.names]
        self.said = self.rows if self.kind == "labels" else [[max(range(len(row)), key=lambda c, row=row: (row[c], -c)) for row in rows]
                                                             for rows in self.rows]
        self.samples = len(self.truth)
        self.fails = [self.samples_where(lambda s, said=said: said[s] != self.truth[s]) for said in self.said]
        self.correct = [self.samples - fails.bit_count() for fails in self.fails]
        self.standing = selection_pool.correct if selection_pool else self.correct

    def samples_where(self, holds):
        return int("".join("1" if holds(s) else "0" for s in reversed(range(self.samples))) or "0", 2)

    def team_correct(self, team):
        """Plurality with ties by accuracy for labels, soft for probabilities, sample by sample."""
        return sum(self.answer(team, s) == self.truth[s] for s in range(self.samples))

    def answer(self, team, s):
        if self.kind == "probabilities":
            sums = [sum_in_order(self.rows[m][s][c] for m in team) for c in range(len(self.rows[0][s]))]
            return max(range(len(sums)), key=lambda c: (sums[c], -c))
        votes = {}
        for m in team:
            if self.said[m][s] >= 0:
                count, backing = votes.get(self.said[m][s], (0, 0))
                votes[self.said[m][s]] = (count + 1, backing + self.standing[m])
        return max(votes, key=lambda c: (*votes[c], -c)) if votes else None


def sum_in_order(values):
    total = 0.0
    for value in values:
        total += value
    return total


class PlainScorer:
    """Diversity on the failures of each focal model, or on all samples (spec sections 3 and 4)."""

    def __init__(self, pool):
        self.pool = pool
        self.models = range(len(pool.names))
        labels = sorted({label for said in pool.said for label in said})
        self.says = [[pool.samples_where(lambda s, m=m, label=label: pool.said[m][s] == label) for label in labels]
                     for m in self.models]
        self.agree = {(i, j): pool.samples_where(lambda s, i=i, j=j: pool.said[i][s] == pool.said[j][s])
                      for i, j in itertools.combinations(self.models, 2)}
        self.tables = {}

    def table(self, focal):
        """What a pair does on the samples that `focal` fails on: n, fails of each, both, kappa."""
        if focal not in self.tables:
            where = self.pool.fails[focal]
            n = where.bit_count()
            alone = [(where & self.pool.fails[m]).bit_count() for m in self.models]
            counts = [[(where & said).bit_count() for said in self.says[m]] for m in self.models]
            both, kappa = {}, {}
            for i, j in itertools.combinations(self.models, 2):
                both[i, j] = (where & self.pool.fails[i] & self.pool.fails[j]).bit_count()
                by_chance = sum(a * b for a, b in zip(counts[i], counts[j]))
                agreed = (where & self.agree[i, j]).bit_count()
                kappa[i, j] = 1.0 if by_chance == n * n else (agreed / n - by_chance / n ** 2) / (1 - by_chance / n ** 2)
            self.tables[focal] = n, alone, both, kappa
        return self.tables[focal]

    def diversity(self, metric, team, focal):
        n, alone, both, kappa = self.table(focal)
        pairs = list(itertools.combinations(team, 2))
        if metric == "CK":
            return 1 - sum(kappa[pair] for pair in pairs) / len(pairs)
        differ = sum(alone[i] + alone[j] - 2 * both[i, j] for i, j in pairs)
        if metric == "BD":
            return differ / (len(pairs) * n)
        if metric == "KW":
            return differ / (n * len(team) ** 2)
        p1 = sum(alone[m] for m in team) / (len(team) * n)
        p2 = 2 * sum(both[pair] for pair in pairs) / (len(team) * (len(team) - 1) * n)
        return 1 - p2 / p1

    def focal_scores(self, metric, teams):
        """FQ of each team, scaled over `teams`: Algorithm 1, line by line."""
        raw = [{f: self.diversity(metric, team, f) for f in team if self.pool.fails[f]} for team in teams]
        low, high = {}, {}
        for values in raw:
            for f, q in values.items():
                low[f], high[f] = min(q, low.get(f, q)), max(q, high.get(f, q))
        scores = []
        for team, values in zip(teams, raw):
            total = weight_sum = 0.0
            for f, q in values.items():
                below = sum(self.pool.correct[m] < self.pool.correct[f] for m in team)
                equal = sum(self.pool.correct[m] == self.pool.correct[f] for m in team)
                weight = below + (equal + 1) / 2
                scaled = 0.5 if high[f] - low[f] <= 1e-12 else (q - low[f]) / (high[f] - low[f])
                total, weight_sum = total + weight * scaled, weight_sum + weight
            scores.append(total / weight_sum if values else 0.0)
        return scores


def prune(scorer, metric, size, beta):
    """Algorithm 2: the tiers as (size, candidates, pruned), and the kept teams of the last with their scores."""
    tiers, kept = [], {(m,): 0.0 for m in scorer.models}
    for tier in range(2, size + 1):
        if tier == 2:
            candidates = list(itertools.combinations(scorer.models, 2))
        else:
            candidates = [(*team, m) for team in kept for m in range(team[-1] + 1, len(scorer.models))
                          if all((*team[:place], *team[place + 1:], m) in kept for place in range(tier - 1))]
        scores = scorer.focal_scores(metric, candidates)
        count = math.floor(beta * len(candidates) + 1e-9)
        # The lowest score goes first, among equals the later team.
        order = sorted(range(len(candidates)), key=lambda place: (round(scores[place], 12), [-m for m in candidates[place]]))
        gone = set(order[:count])
        kept = {team: scores[place] for place, team in enumerate(candidates) if place not in gone}
        tiers.append((tier, len(candidates), count))
    return tiers, kept
