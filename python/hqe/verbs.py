# SPDX-License-Identifier: MIT
"""The verbs of the command, with its options spelled alike. Defaults are read from the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hqe import _core
from hqe._files import files_of
from hqe._options import PRUNE, SCORE, Member, filled, size_word, thread_count, words
from hqe._progress import Progress, listener
from hqe.documents import Cascades, Explanation, Front, Inspection
from hqe.errors import UsageError
from hqe.pool import Pool
from hqe.record import Record, read_document
from hqe.results import Combined, Comparison, Evaluation, Scores, Sweep
from hqe.study import Study
from hqe.team import Team, TeamLike, find_team

Sizes = int | str | Sequence[int] | range
Fractions = float | str | Sequence[float]


@filled
def prune(
    pool: Pool,
    size: int | str | None = PRUNE.size,
    beta: Fractions = PRUNE.beta,
    metrics: str | Sequence[str] | None = None,
    vote: str | None = PRUNE.vote,
    test: Pool | None = None,
    *,
    by: str = PRUNE.by,
    choose: str = PRUNE.choose,
    prefer: str = PRUNE.prefer,
    vote_weights: str | Sequence[float] | None = None,
    ties: str = PRUNE.ties,
    weights: str = PRUNE.weights,
    scale: str = PRUNE.scale,
    keep: int | None = PRUNE.keep,
    keep_last_tier: bool = PRUNE.keep_last_tier,
    max_candidates: int = PRUNE.max_candidates,
    max_evaluate: int = PRUNE.max_evaluate,
    sample: str | None = PRUNE.sample,
    seed: int | None = None,
    require: Member | Sequence[Member] = (),
    exclude: Member | Sequence[Member] = (),
    budget: Mapping[str, float] | None = None,
    detail: bool = True,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Study:
    """Prune a pool and judge the result: which small team is as good as all of it, or better.

    size: members wanted; None: $size, at most half of the models; "auto": the smallest size whose best
        consensus team reaches the entire ensemble.
    beta: share of each tier that is pruned; 0.1 or "10%", one a tier, or "auto".
    metrics: what to prune by: $metrics; None: the focal ones.
    vote: $votes; None: soft where there are scores.
    test: a pool on which the teams that were chosen on `pool` are counted too.
    by: "hierarchical", or "mean": keep what scores above the mean of all teams.
    choose: what is recommended: by "evidence" what proves itself on halves of the samples, among all
        teams up to the size, single models and the entire ensemble; by "consensus" the best team
        that most focal metrics kept.
    prefer: of choices that are as good: "accuracy", or "cost" for the cheapest.
    vote_weights: of the weighted vote: "accuracy", "log-odds" of the accuracies, or one number a model.
    ties: who wins a tie of label votes: "accuracy" or "label".
    weights: of focal models in a score: "rank" or "uniform".
    scale: scale focal scores over a tier's "candidates" or over "all" teams of that size.
    keep: a tier keeps at most so many teams.
    keep_last_tier: do not prune the last tier.
    max_candidates: refuse a tier with more candidates.
    max_evaluate: above so many teams of a size, leave out what needs the accuracy of all.
    sample, seed: "100x3": score on samples of failures, as the paper's authors do.
    require, exclude: models, by id or name, that every team must, or must not, have.
    budget: limits of a team's costs, such as {"params": 1e8}.
    detail: also keep what pictures and the report need: every scored team.
    threads: 0: every core. Results do not depend on it.
    progress: True for a bar, or a function of stage, done and total.
    options: whatever else `hqe prune --help` offers, with `_` for `-`.

    >>> import numpy as np, hqe
    >>> right = np.random.default_rng(1).random((5, 300)) < 0.75
    >>> study = hqe.prune(hqe.Pool(right, kind="correctness"), size=2, metrics="F-GD")
    >>> study.selections["F-GD"]
    <hqe.Selection F-GD: 9 teams, best (1, 4)>
    >>> study.consensus is None
    True
    """
    core = _core.prune_options(
        words(
            dict(
                size=size, beta=beta, metrics=metrics, vote=vote, by=by, choose=choose,
                prefer=prefer, vote_weights=vote_weights, ties=ties, weights=weights, scale=scale, keep=keep, keep_last_tier=keep_last_tier,
                max_candidates=max_candidates, max_evaluate=max_evaluate, sample=sample, seed=seed,
                require=require, exclude=exclude, budget=budget, **options,
            )
        ),
        True,
        detail,
    )  # fmt: skip
    test_core = None if test is None else test._core
    with listener(progress) as hear:
        answer = _core.prune(pool._core, core, test_core, thread_count(threads), hear)
    return Study(answer, files_of(pool, test))


def score(
    pool: Pool,
    size: Sizes,
    metrics: str | Sequence[str] | None = None,
    *,
    focal: bool = SCORE.focal,
    weights: str = SCORE.weights,
    sample: str | None = SCORE.sample,
    seed: int | None = None,
    max_candidates: int = SCORE.max_candidates,
    threads: int = 0,
    progress: Progress = None,
) -> Scores:
    """Diversity of every team of a size, or of a range of sizes: "2:4" or range(2, 5).

    `metrics` are those of `prune`, and those of docs/metrics.md that are for scores alone; None:
    those of `prune`.
    `focal` adds the unscaled scores on each focal model's failures.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]]), kind="correctness")
    >>> scores = hqe.score(pool, 2, metrics=["BD", "GD"])
    >>> scores.teams, scores["BD"]
    ([(0, 1), (0, 2), (1, 2)], array([0.5, 0.5, 0.5]))
    """
    options = _core.score_options(
        words(
            dict(
                size=size_word(size), metrics=metrics, focal=focal, weights=weights, sample=sample,
                seed=seed, max_candidates=max_candidates,
            )
        )
    )  # fmt: skip
    with listener(progress) as hear:
        return Scores(_core.score(pool._core, options, thread_count(threads), hear))


def evaluate(
    pool: Pool,
    size: Sizes | None = None,
    teams: Iterable[TeamLike] = (),
    vote: str | None = PRUNE.vote,
    *,
    vote_weights: str | Sequence[float] | None = None,
    ties: str | None = None,
    max_candidates: int = SCORE.max_candidates,
    threads: int = 0,
    progress: Progress = None,
) -> Evaluation:
    """Exact correct counts of listed teams, of all teams of a size, or (neither) of every team.

    teams: ids or names, an `hqe.Team`, or the path of a team file or study.
    vote_weights: as of `prune`; with one team alone also one number a member, in its order.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]]), kind="correctness")
    >>> hqe.evaluate(pool, teams=[(0, 1, 2), ["model_2"]]).correct.tolist()
    [2, 3]
    """
    asked = dict(
        size=size_word(size), vote=vote, vote_weights=vote_weights, ties=ties,
        max_candidates=max_candidates,
    )  # fmt: skip
    options = _core.evaluate_options(words(asked), [find_team(pool, team) for team in teams], pool.model_count)
    with listener(progress) as hear:
        core = _core.evaluate(pool._core, options, thread_count(threads), hear)
    return Evaluation(core, pool.sample_count)


def sweep(
    pool: Pool,
    size: Sizes,
    beta: Fractions,
    *,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Sweep:
    """Precision, recall and number selected for each pair of size and beta.

    `size` is "3:6", range(3, 7) or a list, `beta` "0.05:0.35:0.05" or a list; ranges in words
    include their ends. Further options are those of `prune`.

    >>> import numpy as np, hqe
    >>> right = np.random.default_rng(1).random((6, 300)) < 0.75
    >>> pool = hqe.Pool(right, kind="correctness")
    >>> rows = hqe.sweep(pool, "2:3", [0.1, 0.2], metrics="F-GD").rows
    >>> [(row.size, row.beta, row.selected) for row in rows]
    [(2, 0.1, 14), (2, 0.2, 12), (3, 0.1, 15), (3, 0.2, 8)]
    """
    asked = dict(words(dict(size=size_word(size), beta=beta)))
    if set(asked) != {"size", "beta"}:
        raise UsageError("sweep needs sizes and betas, such as '3:5' and '0.05:0.35:0.05'")
    sizes = _core.parse_sizes("size", asked["size"])
    betas = _core.parse_fraction_range("beta", asked["beta"])
    core = _core.prune_options(words(options), False, False)
    with listener(progress) as hear:
        document = _core.sweep(pool._core, sizes, betas, core, thread_count(threads), hear)
    return Sweep(read_document(document))


def inspect(pool: Pool, *, threads: int = 0, progress: Progress = None) -> Inspection:
    """What is in the pool and what looks wrong with it.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]]), kind="correctness")
    >>> [model.correct for model in hqe.inspect(pool).models]
    [2, 2, 2]
    """
    with listener(progress) as hear:
        return Inspection(read_document(_core.inspect(pool._core, thread_count(threads), hear)))


def explain(
    pool: Pool,
    teams: Iterable[TeamLike],
    *,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Explanation:
    """Why each team was kept, pruned or cut. Further options are those of `prune`.

    >>> import numpy as np, hqe
    >>> right = np.random.default_rng(1).random((5, 300)) < 0.75
    >>> pool = hqe.Pool(right, kind="correctness")
    >>> answer = hqe.explain(pool, [(2, 4)], size=2, metrics="F-GD")
    >>> answer.teams[0].opinions[0].fate
    'kept'
    """
    found = [find_team(pool, team) for team in teams]
    if not found:
        raise UsageError("explain needs teams, such as [(0, 2, 5)]")
    wanted = [ids for ids, _ in found]
    files = [file for _, file in found if file is not None]
    if files:
        votes = {name: options.get(name) for name in ("vote", "vote_weights", "ties")}
        _core.check_votes(words(votes), files)
        first = Team(files[0])
        options = dict(vote=first.vote, ties=first.ties) | options
    core = _core.prune_options(words(options), False, False)
    with listener(progress) as hear:
        document = _core.explain(pool._core, wanted, core, thread_count(threads), hear)
    return Explanation(read_document(document))


def compare(
    pool: Pool,
    size: int | None = None,
    methods: str | Sequence[str] | None = None,
    test: Pool | None = None,
    *,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Comparison:
    """A fair tournament of pruning methods: each chooses on some samples, others judge it.

    `methods` are those of docs/methods.md; None: all. Without `test`, repeated seeded splits judge.
    Further options are those of the command's `compare`: `repeats`, `seed`, `beta`, `keep`,
    `budget`, `vote`, `max_evaluate`, `time_limit`, `no_times`.

    >>> import numpy as np, hqe
    >>> right = np.random.default_rng(1).random((5, 300)) < 0.75
    >>> pool = hqe.Pool(right, kind="correctness")
    >>> answer = hqe.compare(pool, size=2, methods=["random", "exhaustive"], repeats=2)
    >>> sorted(row.method for row in answer.methods)
    ['exhaustive', 'random']
    """
    core = _core.compare_options(words(dict(size=size, methods=methods, **options)))
    test_core = None if test is None else test._core
    with listener(progress) as hear:
        answer = _core.compare(pool._core, core, test_core, thread_count(threads), hear)
    return Comparison(answer, files_of(pool, test))


@filled
def front(
    pool: Pool,
    *,
    cascade: bool = False,
    team: TeamLike | None = None,
    test: Pool | None = None,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Front | Cascades:
    """The Pareto front of accuracy against each cost. Options are those of the command's `front`:
    `vote` and its kin, above $models models `size` and `seed`.

    cascade: the front of one team's expected cost in its place, where members run one after another
        and stop once the first of them agree, or are sure enough. Not exact, but for its first row.
        `team`: None for the one that `prune` recommends. `test` judges; without it, a half does.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]]), kind="correctness")
    >>> [(one.team, one.correct) for one in hqe.front(pool).fronts[0].teams]
    [((0,), 2), ((0, 1, 2), 3)]
    >>> hqe.front(pool, cascade=True, team=[0, 1, 2]).rows[0].says
    'exact exit'
    """
    core = _core.front_options(words(options))
    if not cascade and (team is not None or test is not None):
        raise UsageError("team and test of front go with cascade=True")
    wanted, file = (None, None) if team is None else find_team(pool, team)
    voting = words({name: options[name] for name in ("vote", "vote_weights", "ties") if name in options})
    test_core = None if test is None else test._core
    with listener(progress) as hear:
        count = thread_count(threads)
        if not cascade:
            return Front(read_document(_core.front(pool._core, core, count, hear)))
        answer = _core.cascade(pool._core, wanted, file, voting, core, test_core, count, hear)
    return Cascades(answer, files_of(pool, test))


def order(
    pool: Pool,
    team: TeamLike,
    vote: str | None = PRUNE.vote,
    test: Pool | None = None,
    *,
    vote_weights: str | Sequence[float] | None = None,
    ties: str | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Record:
    """In which order to run a team's members, stopping where the rest cannot change the answer:
    `early_exit` has `order`, `expected_models`, `expected_cost` and `decided_after`, chosen on
    `pool` and judged on `test`, or by halves (`held_out`). team, vote_weights: as of `apply`.

    >>> import numpy as np, hqe
    >>> pool = hqe.Pool(np.array([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 0]]), labels=[1, 1, 1, 0])
    >>> hqe.order(pool, team=[0, 1, 2], vote="majority").early_exit.order
    [0, 2, 1]
    """
    asked = words(dict(vote=vote, vote_weights=vote_weights, ties=ties))
    ids, file = find_team(pool, team)
    test_core = None if test is None else test._core
    with listener(progress) as hear:
        document = _core.order(pool._core, ids, file, asked, test_core, thread_count(threads), hear)
    return read_document(document)


def apply(
    pool: Pool,
    team: TeamLike,
    vote: str | None = PRUNE.vote,
    *,
    vote_weights: str | Sequence[float] | None = None,
    ties: str | None = None,
    scores: bool = True,
    threads: int = 0,
    progress: Progress = None,
) -> Combined:
    """The combined predictions of one team; the pool needs no labels.

    team: ids or names, an `hqe.Team`, or the path of a team file or study, which say how the team
        votes: its members go by their names, and its scores are at its temperature.
    vote_weights: as of `prune`, or one number a member, in the team's order.
    scores: False leaves scores, probabilities and margins of a vote of scores out: a digest has the rest.

    >>> import numpy as np, hqe
    >>> scores = np.array([[[0.9, 0.1], [0.4, 0.6]], [[0.2, 0.8], [0.3, 0.7]]])
    >>> hqe.apply(hqe.Pool(scores, labels=[0, 1]), team=[0, 1]).labels
    array([0, 1], dtype=int32)
    """
    asked = words(dict(vote=vote, vote_weights=vote_weights, ties=ties))
    ids, file = find_team(pool, team)
    with listener(progress) as hear:
        core = _core.apply(pool._core, ids, file, asked, bool(scores), thread_count(threads), hear)
    summary = read_document(core.summary())
    found = core.scores
    return Combined(
        team=core.team,
        vote=core.vote,
        correct=summary.correct,
        labels=core.labels,
        scores=found.reshape(pool.sample_count, -1) if len(found) else None,
        probabilities=core.probabilities if len(found) else None,
        margins=core.margins if len(core.margins) else None,
        agreeing=core.agreeing,
        expected=summary.expected,
        warnings=summary.warnings,
    )
