# SPDX-License-Identifier: MIT
"""What the tests of hqe.torch run: by our Python where it has torch, else by Debian's, in one process because torch is
slow to import. Prints what each test raised.

    python torch_ensembles.py FOLDER
"""

import copy
import doctest
import itertools
import pickle
import warnings

import numpy as np
import torch
from torch import nn
from torch_running import report, run_snippets

import hqe
import hqe.torch
from hqe.torch import Ensemble

CLASSES, FEATURES = 4, 6


def samples(count, seed):
    random = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, CLASSES, (count,), generator=random)
    centres = torch.randn(CLASSES, FEATURES, generator=torch.Generator().manual_seed(99))
    return centres[labels] + 1.1 * torch.randn(count, FEATURES, generator=random), labels


def trained(place, softmax):
    """A network that has learnt from samples of its own."""
    torch.manual_seed(place)
    x, y = samples(200, 10 + place)
    network = nn.Sequential(nn.Linear(FEATURES, 5 + place), nn.BatchNorm1d(5 + place), nn.ReLU(), nn.Dropout(0.2),
                            nn.Linear(5 + place, CLASSES))  # fmt: skip
    descent = torch.optim.Adam(network.parameters(), 0.05)
    for _ in range(60):
        descent.zero_grad()
        nn.functional.cross_entropy(network(x), y).backward()
        descent.step()
    return nn.Sequential(network, nn.Softmax(1)) if softmax else network


MODULES = {f"net.{place}": trained(place, place % 2 == 0).eval() for place in range(5)}
X, Y = samples(500, 1)


def shares(module, x=X):
    with torch.no_grad():
        output = module(x)
    return output.double() if isinstance(module[-1], nn.Softmax) else output.double().softmax(1)


def tempered(scores, temperature):
    powers = np.maximum(scores, 1e-15) ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def networks(folder):
    """Trained networks answer as apply does, in every vote; the .onnx files are for others to compare."""
    pool = hqe.Pool({name: shares(module) for name, module in MODULES.items()}, Y)
    for vote in ("soft", "weighted", "plurality", "majority"):
        study = hqe.prune(pool, size=3, vote=vote, choose="consensus")
        combined = hqe.apply(pool, study.best.team, vote, vote_weights=study.best.weights)
        for early_exit in (False, True):
            ensemble = Ensemble(study, MODULES, early_exit=early_exit)
            with torch.no_grad():
                answer = ensemble(X)
            assert (answer.label.numpy() == combined.labels).all(), (vote, early_exit)
            whole = (answer.members_run == 3).numpy()
            assert whole.all() != early_exit and answer.members_run.min() >= 1
            if early_exit:
                mean = answer.members_run.double().mean().item()
                assert abs(mean - study.best.serving.early_exit.expected_models) < 1e-12
            if vote in ("soft", "weighted"):
                expected = tempered(combined.scores, study.best.serving.temperature)
                assert np.abs(answer.probabilities.numpy() - expected)[whole].max() < 1e-12
                assert answer.probabilities.isnan().all(1).numpy().tolist() == (~whole).tolist()
            else:
                assert answer.probabilities is None
    hqe.prune(pool, size=3, choose="consensus").save(folder / "study.json")
    np.save(folder / "x.npy", X.numpy())
    for name, module in MODULES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            axes, names = {"x": {0: "n"}, "y": {0: "n"}}, {"input_names": ["x"], "output_names": ["y"]}
            torch.onnx.export(module, X[:2], str(folder / f"{name}.onnx"), dynamic_axes=axes, opset_version=13, **names)


class Says(nn.Module):
    """Looks its answers up."""

    def __init__(self, rows):
        super().__init__()
        self.register_buffer("rows", torch.as_tensor(rows))
        self.asked = 0

    def forward(self, places):
        self.asked += len(places)
        return self.rows[places]


def team_of(vote, kind, members, correct, weights=None, order=None, ties="accuracy", classes=CLASSES):
    exit = None if order is None else {"order": [f"m{i}" for i in order], "bound": None}
    return {"schema": 1, "command": "team", "kind": kind, "vote": vote, "ties": ties, "class_count": classes, "weights": weights,
            "members": [{"name": f"m{i}", "correct": int(correct[i])} for i in range(members)], "temperature": None,
            "early_exit": exit}  # fmt: skip


def voters(folder):
    """Labels, shares and who runs are those of hqe.Voter on every sample: ties, abstentions, weights, orders."""
    random = np.random.default_rng(3)
    count, places, spared = 400, torch.arange(400), 0
    labels = random.integers(-1, 3, (4, count))
    raw = random.random((4, count, 3)) ** 6
    raw[:, :40] = random.integers(1, 3, (4, 40, 3))  # Ties.
    scores = raw / raw.sum(axis=2, keepdims=True)
    weights = ([0.1, 0.2, 0.3, 0.3], [1.0, 0.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0])
    cases = [("plurality", None, True), ("majority", None, True), ("soft", None, False)]
    cases += [("weighted", one, is_label) for one in weights for is_label in (True, False)]
    for (vote, one, is_label), order, ties in itertools.product(cases, ((0, 1, 2, 3), (3, 1, 0, 2)), ("accuracy", "label")):
        rows = labels if is_label else scores
        correct = [7, 9, 7, 2]
        team = team_of(vote, "labels" if is_label else "probabilities", 4, correct, one, order, ties, 3)
        modules = {f"m{i}": Says(row) for i, row in enumerate(rows)}
        answer = Ensemble(team, modules, early_exit=True)(places)
        every = Ensemble(team, modules)(places)
        # Probabilities may sum to a little more than 1, labels weigh what they weigh.
        voter = hqe.Voter(vote, 4, 3, weights=one, correct=correct, ties=ties, labels=is_label, largest_score=1 if is_label else 1.001)
        run = np.zeros(4, int)
        for sample in range(count):
            voter.clear()
            for place in order:
                voter.add(place, rows[place][sample])
                run[place] += 1
                if voter.is_decided:
                    break
            assert (voter.answer, voter.added) == (answer.label[sample], answer.members_run[sample]), (vote, one, order, sample)
            for place in order[voter.added :]:
                voter.add(place, rows[place][sample])
            assert voter.answer == every.label[sample]
            if not is_label:
                assert (voter.scores() == every.probabilities[sample].numpy()).all()
        asked = [modules[f"m{place}"].asked - count for place in range(4)]
        assert asked == run.tolist()
        spared += 4 * count - sum(asked)
    assert spared > 5 * count


def fine(folder):
    """Weights and counts too large for one integer still break ties."""
    for counts, winner in (((2**40, 2**40 + 1, 5, 5), 1), ((2**40 + 1, 2**40, 5, 5), 0), ((2**40,) * 2 + (5, 5), 0)):
        team = team_of("weighted", "labels", 4, counts, [0.3, 0.3, 0.7, 0.7], classes=2)
        modules = {f"m{i}": Says([i % 2]) for i in range(4)}
        assert Ensemble(team, modules)(torch.tensor([0])).label.tolist() == [winner]


def saved(folder):
    """Modes, weights, pickles and devices are those of any module."""
    study = hqe.prune(hqe.Pool({name: shares(module) for name, module in MODULES.items()}, Y), size=3, choose="consensus")
    names = study.best.names
    ensemble = Ensemble(study, copy.deepcopy(MODULES), early_exit=True)
    assert not any(module.training for module in ensemble.modules())
    keys = list(ensemble.state_dict())
    assert keys == [f"members.{i}.{key}" for i, name in enumerate(names) for key in MODULES[name].state_dict()]
    expected = ensemble(X)
    for other in (pickle.loads(pickle.dumps(ensemble)), copy.deepcopy(ensemble), reloaded(ensemble, folder)):
        answer = other(X)
        assert other.early_exit and (answer.label == expected.label).all() and hqe.Team.from_json(other.team) == study.to_team()
        assert torch.equal(answer.probabilities.nan_to_num(), expected.probabilities.nan_to_num())
    kinds = {name: "probabilities" if isinstance(MODULES[name][-1], nn.Softmax) else "logits" for name in names}
    fresh = Ensemble(study, copy.deepcopy(MODULES), kinds=kinds)
    with torch.no_grad():
        for one in fresh.parameters():
            one.zero_()
    assert (fresh(X).label != expected.label).any()
    assert fresh.load_state_dict(ensemble.state_dict()) is not None
    assert (fresh(X).label == expected.label).all()
    precise = copy.deepcopy(ensemble).to(torch.float64)
    assert (precise(X.double()).label == expected.label).double().mean() > 0.99
    ensemble.train()
    assert all(module.training for module in ensemble.modules())
    answer = ensemble(X)
    assert (answer.members_run == 3).all()  # Everybody runs in training mode, and learns.
    nn.functional.nll_loss(answer.probabilities.log(), Y).backward()
    assert all(one.grad is not None for one in ensemble.parameters())
    assert "soft vote of net." in repr(ensemble)
    assert ensemble.eval()(X[:0]).label.shape == (0,)
    inputs = {"rows": X}
    named = {name: Named(module) for name, module in MODULES.items()}
    assert (Ensemble(study, named, early_exit=True)(inputs).label == expected.label).all()


class Named(nn.Module):
    """Takes a dict, and returns what transformers return."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, inputs):
        return {"logits": self.inner(inputs["rows"])}


def reloaded(ensemble, folder):
    torch.save(ensemble, folder / "ensemble.pt")
    return torch.load(folder / "ensemble.pt")


def refused(folder):
    """What does not fit is named."""
    team = team_of("soft", "probabilities", 2, [1, 1])
    good = nn.Sequential(nn.Linear(FEATURES, CLASSES))

    class Sigmoid(nn.Module):
        def forward(self, x):
            return x[:, :CLASSES].sigmoid()

    class Text(nn.Module):
        def forward(self, x):
            return "text"

    class Broken(nn.Module):
        def forward(self, x):
            return x[:, :CLASSES] * float("nan")

    for modules, message in (
        ({"m0": good}, "none is given for the team's member 'm1'. There are 'm0'"),
        ({"m0": good, "m1": 3}, "'m1' is no torch.nn.Module but a int"),
        ([good, good], "give a dict of torch modules"),
        ({"m0": good, "m1": nn.Linear(FEATURES, 3)}, "model 'm1': returned (500, 3) of torch.float32, not scores of 4 classes"),
        ({"m0": good, "m1": Sigmoid()}, "model 'm1': returned values in [0, 1] that do not sum to 1"),
        ({"m0": good, "m1": Text()}, "model 'm1': returned a str and no tensor"),
        ({"m0": good, "m1": Broken()}, "model 'm1': returned NaN"),
    ):
        raises(message, lambda modules=modules: Ensemble(team, modules)(X))
    Ensemble(team, {"m0": good, "m1": Sigmoid()}, kinds={"m1": "logits"})(X)
    raises("'shares' is none of", lambda: Ensemble(team, {"m0": good, "m1": good}, kinds="shares"))
    raises("'m7' is no member", lambda: Ensemble(team, {"m0": good, "m1": good}, kinds={"m7": "logits"}))
    raises("no probabilities", lambda: Ensemble(team, {"m0": good, "m1": good}, kinds="probabilities")(9 * X))
    labels = team_of("plurality", "labels", 1, [1])
    raises("not labels of 4 classes", lambda: Ensemble(labels, {"m0": Says([4])})(torch.tensor([0])))


def raises(message, work):
    try:
        work()
    except hqe.Error as error:
        assert message in str(error), str(error)
    else:
        raise AssertionError(message)


def docstrings(folder):
    """The module's examples."""
    assert doctest.testmod(hqe.torch).failed == 0


def snippets(folder):
    run_snippets("docs/deploy.md", folder)


if __name__ == "__main__":
    report(networks, voters, fine, saved, refused, docstrings, snippets)
