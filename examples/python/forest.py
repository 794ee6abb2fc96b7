# SPDX-License-Identifier: MIT
"""A random forest of 200 trees, pruned to 20."""

from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from hqe.sklearn import prune_forest

X, y = load_digits(return_X_y=True)
X_train, X_rest, y_train, y_rest = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
X_choose, X_test, y_choose, y_test = train_test_split(X_rest, y_rest, test_size=0.5, random_state=0)

forest = RandomForestClassifier(200, random_state=0).fit(X_train, y_train)
smaller = prune_forest(forest, X_choose, y_choose, size=20, detail=False)
first = RandomForestClassifier(20, random_state=0).fit(X_train, y_train)

for name, one in {"200 trees": forest, "pruned to 20": smaller, "the first 20": first}.items():
    print(
        f"{name:14} {one.score(X_choose, y_choose):.4f} where it was chosen, "
        f"{one.score(X_test, y_test):.4f} on new samples"
    )
assert type(smaller) is RandomForestClassifier and len(smaller.estimators_) == 20
