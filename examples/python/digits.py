# SPDX-License-Identifier: MIT
"""Ten classifiers of handwritten digits: train, prune on one half of the rest, judge on the other."""

from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import hqe
from hqe.sklearn import PrunedVotingClassifier

classifiers = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
    "linear discriminant": LinearDiscriminantAnalysis(),
    "gaussian bayes": GaussianNB(),
    "multinomial bayes": MultinomialNB(),
    "bernoulli bayes": BernoulliNB(binarize=8),
    "3 neighbours": KNeighborsClassifier(3),
    "15 neighbours": KNeighborsClassifier(15),
    "decision tree": DecisionTreeClassifier(random_state=0),
    "random forest": RandomForestClassifier(30, random_state=0),
    "extra trees": ExtraTreesClassifier(30, random_state=0),
}

X, y = load_digits(return_X_y=True)
X_train, X_rest, y_train, y_rest = train_test_split(X, y, train_size=400, random_state=0, stratify=y)
X_choose, X_test, y_choose, y_test = train_test_split(X_rest, y_rest, test_size=0.5, random_state=0)
for classifier in classifiers.values():
    classifier.fit(X_train, y_train)

# With arrays: choose on one half, count on the other.
choose = {name: one.predict_proba(X_choose) for name, one in classifiers.items()}
test = {name: one.predict_proba(X_test) for name, one in classifiers.items()}
study = hqe.prune(
    hqe.Pool(choose, y_choose, kind="probabilities", name="digits"),
    size=4,
    test=hqe.Pool(test, y_test, kind="probabilities", name="digits-test"),
)
print(study)

# The same as an estimator: it takes the fitted ten, and keeps four.
ensemble = PrunedVotingClassifier(list(classifiers.items()), size=4, prefit=True)
ensemble.fit(X_choose, y_choose)
print("kept", list(ensemble.named_estimators_))
print(f"accuracy {ensemble.score(X_test, y_test):.4f}")
assert ensemble.team_ == study.best.team
