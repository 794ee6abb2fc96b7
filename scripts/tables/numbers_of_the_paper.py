# SPDX-License-Identifier: MIT
"""Numbers that Wu, Chow, Wei and Liu (ACM TIST 2023) print in their tables, in percent where not said
otherwise. scripts/results sets them beside ours."""

# Team, accuracy; the entire ensemble first.
EXAMPLES_CIFAR10 = [("0123456789", 96.33), ("0123", 97.15), ("01238", 96.87), ("123", 96.81), ("1234", 96.63)]
EXAMPLES_IMAGENET = [("0123456789", 79.82), ("12345", 80.77), ("2345", 80.70), ("1234", 80.29), ("124", 79.84)]

# Least, mean, most.
MEMBERS = {"CIFAR-10": (91.73, 94.25, 96.68), "ImageNet": (56.63, 71.60, 78.25),
           "Cora": (81.70, 84.87, 88.90), "MNIST": (91.89, 94.27, 96.31)}

# Threshold (a score), least and most accuracy of the kept, precision, recall.
MEAN_CIFAR10 = {"BD": (0.339, 93.56, 96.72, 6.18, 11.72), "F-BD": (0.602, 95.71, 97.15, 63.53, 95.51),
                "GD": (0.524, 93.56, 97.15, 36.90, 63.10), "F-GD": (0.543, 95.71, 97.15, 53.90, 97.59)}
MEAN_IMAGENET = {"BD": (0.314, 61.39, 80.54, 8.53, 23.15), "F-BD": (0.632, 76.77, 80.77, 41.93, 98.52),
                 "GD": (0.335, 70.79, 80.60, 17.74, 46.31), "F-GD": (0.594, 76.41, 80.77, 36.75, 99.01)}

# Size, beta (a fraction), precision, recall.
DESIRED_SIZE = [(4, 0.20, 81.25, 52.0), (5, 0.10, 100.0, 47.14), (6, 0.04, 97.56, 57.14)]

# Title, pools of ours, size, beta, (precision, recall) of F-CK, F-BD, F-KW, F-GD, MAJORITY-F.
HIERARCHICAL = [
    ("CIFAR-10", ["cifar10-10"], 5, 0.10, [(85.71, 17.14), (100, 51.43), (100, 51.43), (100, 52.86), (100, 47.14)]),
    ("CIFAR-10", ["cifar10-10"], 4, 0.20, [(26.09, 12.0), (81.25, 52.0), (81.25, 52.0), (81.25, 52.0), (81.25, 52.0)]),
    ("ImageNet", ["imagenet-10"], 5, 0.10, [(0, 0), (75.61, 64.58), (75.61, 64.58), (74.42, 66.67), (78.95, 62.50)]),
    ("Cora", ["cora-10-val", "cora-10-test"], 4, 0.10,
     [(91.67, 64.71), (86.30, 61.76), (86.30, 61.76), (84.93, 60.78), (87.14, 59.80)]),
    ("MNIST", ["mnist-7-val", "mnist-7-test"], 3, 0.50, [(100, 60), (75, 60), (75, 60), (75, 60), (75, 60)]),
]

# Team, accuracy, gain.
TOP_CIFAR10 = {"F-GD": [("0235", 96.89, 0.56), ("0234", 96.84, 0.51), ("0123", 97.15, 0.82)],
               "GD": [("0268", 96.18, -0.15), ("0456", 95.63, -0.70), ("1345", 96.17, -0.16)]}
TOP_IMAGENET = {"F-GD": [("12345", 80.77, 0.95), ("23459", 80.50, 0.68), ("23458", 80.44, 0.62)],
                "GD": [("03478", 78.53, -1.29), ("02356", 79.25, -0.57), ("01257", 79.19, -0.63)]}

# Seconds on CIFAR-10 and on ImageNet.
TIMES = {"no pruning": {"BD": (0.90, 79.08), "GD": (0.84, 75.83), "F-BD": (2.01, 97.26), "F-GD": (2.01, 93.51)},
         "hierarchical": {"F-BD": (0.63, 21.89), "F-GD": (0.62, 21.79)}}

# Size, all teams, then for CIFAR-10 and ImageNet: seconds without and with pruning, teams scored.
BREAKDOWN = [(2, 45, (0.06, 0.06, 45), (1.37, 1.32, 45)), (3, 120, (0.26, 0.18, 85), (9.17, 5.82, 82)),
             (4, 210, (0.63, 0.23, 86), (28.34, 9.78, 78)), (5, 252, (1.03, 0.15, 37), (52.94, 5.32, 27))]

# Size (None: all), team, accuracy, gain, million parameters, GFLOPs, milliseconds.
COSTS = [(None, "0123456789", 79.82, 0.0, 481.73, 149.94, 456.00), (3, "245", 80.42, 0.60, 92.64, 58.50, 153.69),
         (4, "2345", 80.70, 0.88, 117.67, 67.04, 160.93), (5, "12345", 80.77, 0.95, 125.65, 72.80, 208.49)]
