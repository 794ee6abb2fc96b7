# SPDX-License-Identifier: MIT
"""A folder of .pt files, as torch.save writes them: opened without torch, without copies.

    python folder_of_pt.py FOLDER       the folder has labels.pt, and one file a model
"""

import sys

import hqe

pool = hqe.Pool.open(sys.argv[1])
print(pool)
for model in hqe.inspect(pool).models:
    print(f"{model.name:12} {model.accuracy:.3f}", *model.notes)

study = hqe.prune(pool, size=2)
study.save("study.json")  # hqe report, hqe plot and hqe.Study.load read it.
study.report("report.html")
print(repr(study))
