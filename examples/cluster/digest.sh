#!/bin/sh
# SPDX-License-Identifier: MIT
# One task's share of a pool's rows, as a digest. By a Slurm array:
#
#     sbatch --array=0-99 examples/cluster/digest.sh POOL ROWS OUT 100
#
# or by MPI's launcher, which starts the tasks and no more:
#
#     mpirun -n 100 examples/cluster/digest.sh POOL ROWS OUT
#
# POOL has ROWS rows and lies where every task can read it; OUT is a folder that all can write to; TASKS is how many
# tasks share the rows, numbered from 0 (without it as many as the launcher started). A task that died is started again,
# alone or with others (sbatch --array=3 ... 100), also where it was not dead: a digest appears whole, and the same rows
# give the same bytes.
# When all are done, OUT is the pool: `hqe prune OUT`. While one is missing, its rows are named and refused.
#SBATCH --cpus-per-task=2
set -eu

if [ $# -ne 3 ] && [ $# -ne 4 ]; then
    echo "usage: $0 POOL ROWS OUT [TASKS]" >&2
    exit 2
fi
task=${SLURM_ARRAY_TASK_ID:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-}}}}
tasks=${4:-${SLURM_ARRAY_TASK_COUNT:-${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-}}}}}
if [ -z "$task" ] || [ -z "$tasks" ]; then
    echo "$0: no task number. Start it by sbatch --array, srun or mpirun" >&2
    exit 2
fi
# An array of some tasks, or one that does not begin at 0, has other numbers than it has tasks: every task says so.
if [ "$task" -ge "$tasks" ] || [ "${SLURM_ARRAY_TASK_MAX:-0}" -ge "$tasks" ]; then
    echo "$0: task ${SLURM_ARRAY_TASK_MAX:-$task} of $tasks: tasks are numbered from 0. Give --array=0-$((tasks - 1)), or, to start" \
        "some of them again, how many there were: $0 POOL ROWS OUT TASKS" >&2
    exit 2
fi

begin=$(($2 * task / tasks))
end=$(($2 * (task + 1) / tasks))
if [ "$begin" -eq "$end" ]; then
    exit 0
fi
mkdir -p "$3"
exec hqe digest "$1" --rows "$begin:$end" -o "$3/$(printf %012d-%012d "$begin" "$end").digest" --quiet
