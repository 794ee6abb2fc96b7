# SPDX-License-Identifier: MIT
"""What the command is asked of a pool and of its digests, and that it answers both alike."""

import random
import re
import shutil

from running import commands, hqe

SCORES = "the scores of every class"  # What a digest has not, and every refusal for that says.
SCREEN = "on a screen"  # In the place of a form: what people see who ask for none.


def takes_a_pool():
    """The commands whose usage names a POOL."""
    return {name for name in commands() if "POOL" in hqe(name, "--help", check=0).out.split("usage:")[1].split("\n")[0]}


def questions(models):
    """Every command that takes a pool, in ways that take moments with so many models: words in which POOL is the pool."""
    size = "3" if models <= 14 else "2"
    few = [] if models <= 14 else ["--method", "random", "--method", "most_accurate", "--method", "greedy_forward"]
    prune = ["prune", "POOL", "--size", size]
    compare = ["compare", "POOL", "--size", size, "--repeats", "2", "--no-times", *few]
    front = ["front", "POOL"] if models <= 24 else ["front", "POOL", "--size", size]
    cascade = ["front", "POOL", "--cascade", "--team", "0,1"]
    page = ["--report", "page.html"]
    return [
        ["inspect", "POOL"], ["score", "POOL", "--size", "2"], ["score", "POOL", "--size", "2", "--focal"],
        ["evaluate", "POOL", "--size", "2"], ["evaluate", "POOL", "--size", "2", "--vote", "majority"],
        [*prune, *page], [*prune, "--holdout", "0.3"], [*prune, "--folds", "3"], [*prune, "--stability", "2"],
        [*prune, "--choose", "consensus", "--vote", "plurality", *page], [*prune, "--vote", "majority"],
        [*prune, "--merit", "balanced", "--vote", "weighted"], [*prune, "--merit", "logloss"], [*prune, "--test", "POOL", *page],
        ["sweep", "POOL", "--size", f"2:{size}", "--beta", "0.1"], ["explain", "POOL", "--team", "0,1", "--size", size],
        [*compare, *page], [*compare, "--vote", "majority"], [*compare, "--test", "POOL"],
        [*front, *page], [*front, "--vote", "majority"], cascade, [*cascade, "--vote", "plurality", *page],
        [*cascade, "--vote", "majority", "--test", "POOL"],
        *(["team", "POOL", "--team", "0,1", *vote, "-o", "team.json"] for vote in ([], ["--vote", "plurality"])),
        *(["order", "POOL", "--team", "0,1", *vote] for vote in ([], ["--vote", "plurality"])),
        *(["apply", "POOL", "--team", "0,1", *vote, "-o", "answers.csv"] for vote in ([], ["--vote", "majority"])),
        ["apply", "POOL", "--team", "0,1", "--scores", "-o", "answers.csv"],
        ["apply", "POOL", "--team", "0,1", "-o", "labels.npy"],
    ]  # fmt: skip


def scores_vote(kind, words):
    """Whether what is asked goes by a vote of scores."""
    vote = words[words.index("--vote") + 1] if "--vote" in words else "soft"
    return kind in ("probabilities", "logits") and vote in ("soft", "weighted")


def needs_every_score(words):
    """Of votes of scores: refused on digests."""
    return words[0] == "order" or "--cascade" in words or (words[0] == "apply" and words[-1] != "labels.npy")


def ask(pool, words, form, folder):
    """How the command ends, what it says, and what it writes."""
    folder.mkdir(exist_ok=True)
    named = [pool if word == "POOL" else word for word in words]
    done = hqe(*named, *form, cwd=folder)
    written = {path.name: path.read_text(encoding="latin-1") for path in sorted(folder.iterdir())}
    shutil.rmtree(folder)
    return done.code, done.out, done.err, written


def without_serving(text):
    """A study, a page or a table for people without what a digest cannot tell, which stands on lines of its own."""
    text = re.sub(r'^"serving":.*$', "", text, flags=re.MULTILINE)
    return re.sub(r"^  (calibration|early exit)  .*\n(   +\S.*\n)*", "", text, flags=re.MULTILINE)


def without_temperature(text):
    """A team file, or the table about it, without what a digest cannot tell."""
    text = re.sub(r'"temperature":[^,]*,', '"temperature":null,', text)
    text = re.sub(r'^"early_exit":.*,$', '"early_exit":null,', text, flags=re.MULTILINE)
    text = re.sub(r'^"(checksum|warnings)":.*\n?', "", text, flags=re.MULTILINE)
    text = re.sub(r"\nNotes\n  - The team has no temperature.*\n(    \S.*\n)*", "", text)
    return re.sub(r" at temperature \d+\.\d+|^Run .*\n", "", text, flags=re.MULTILINE)


def expected(kind, words, answer):
    """What a digest answers where the predictions answered that; asserts that those said what digests leave out."""
    code, out, err, written = answer
    if code != 0 or not scores_vote(kind, words) or words[0] not in ("prune", "team"):
        return answer
    blank = without_serving if words[0] == "prune" else without_temperature
    return code, blank(out), err, {name: blank(text) for name, text in written.items()}


def says_null(words, form, answer):
    """What a digest cannot tell is null in every document that it wrote."""
    _, out, _, written = answer
    names = {"prune": ["serving"], "team": ["temperature", "early_exit"]}.get(words[0], [])
    texts = [*written.values(), *([out] if "--json" in form else [])]
    return all(f'"{name}":null' in text for name in names for text in texts)


def without_what_finds_room(text):
    """A screen without what is told in fewer words where there is less room: notes, and who was chosen on other samples."""
    text = re.sub(r"^\d+ notes?: --verbose\.$", "", without_serving(text), flags=re.MULTILINE)
    return re.sub(r" \(of [^)]*(chosen on the rest|which the rule chose on the other half)\)", "", text)


def check_screen(pool, parts, words, wanted, folder):
    """On one screen: all that the predictions' shows, and what finds room where a digest cannot tell something, such as
    notes in the place of their number."""
    key = (*words, SCREEN)
    if key not in wanted:
        wanted[key] = ask(pool, words, [], folder)
    (code, whole, err, written), got = wanted[key], ask(parts, words, [], folder)
    assert (code, err, sorted(written)) == (got[0], got[2], sorted(got[3])), (key, got)
    rest = iter(without_what_finds_room(got[1]).split("\n"))
    missing = [line for line in filter(None, without_what_finds_room(whole).split("\n")) if line not in rest]
    assert not missing, (key, missing, got)


def check_question(kind, pool, parts, question, wanted, folder):
    """Asks both, the pool once for all: `wanted` keeps what it said."""
    words, form = question
    scores = scores_vote(kind, words)
    if words[0] == "prune" and scores and not form:
        check_screen(pool, parts, words, wanted, folder)
        form = ["--verbose"]
    key = (*words, *form)
    if key not in wanted:
        wanted[key] = ask(pool, words, form, folder)
    got = ask(parts, words, form, folder)
    if wanted[key][0] == 0 and scores and needs_every_score(words):
        assert got[0] == 2 and got[1] == "" and SCORES in got[2] and not got[3], (key, got)
        return
    assert (key, *expected(kind, words, got)) == (key, *expected(kind, words, wanted[key]))
    if got[0] == 0 and scores:
        assert says_null(words, form, got), key


def cut(pool, samples, place, chosen):
    """Digests of two to nine ranges of rows, named in another order."""
    cuts = sorted(chosen.sample(range(1, samples), min(1 + chosen.randrange(8), samples - 1)))
    place.mkdir()
    for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, samples])):
        hqe("digest", pool, "--rows", f"{begin}:{end}", "-o", place / f"{9 - number}.digest", "--quiet", check=0)


def check_splits(name, pool, folder, splits, chosen_of):
    """Cuts the pool in so many ways. `chosen_of` gives the questions, with their forms, that one of them is asked."""
    about = hqe("inspect", pool, "--json", check=0).json["pool"]
    every, wanted = questions(len(about["models"])), {}
    for number in range(splits):
        chosen = random.Random(f"{name} {number}")
        place = folder / str(number)
        cut(pool, about["samples"], place, chosen)
        for question in chosen_of(number, every):
            check_question(about["kind"], pool, place, question, wanted, folder / "work")
        shutil.rmtree(place)
    return {key for key in wanted if key[-1] != SCREEN}


FORMS = ([], ["--json"], ["--csv"])  # For people, programs and tables; a command without rows refuses the last.


def by_turns(splits):
    """Each question in each form of one split only, and as many of each: moments for a small pool."""
    def chosen_of(number, every):
        asked = [(words, form) for words in every for form in FORMS]
        return asked[number::splits]
    return chosen_of


def all_of_them(number, every):
    """Every question of every split as a document; over eight splits also as text and as rows."""
    forms = {0: [["--json"], []], 4: [["--json"], ["--csv"]]}
    return [(words, form) for place, words in enumerate(every) for form in forms.get((number + place) % 8, [["--json"]])]
