#!/bin/sh
# SPDX-License-Identifier: MIT
# One task's share of a pool's rows, as a digest. By a Slurm array:
#
#     sbatch --array=0-99 examples/cluster/digest.sh POOL ROWS OUT
#
# or by MPI's launcher, which starts the tasks and no more:
#
#     mpirun -n 100 examples/cluster/digest.sh POOL ROWS OUT
#
# POOL has ROWS rows and lies where every task can read it; OUT is a folder that all can write to. A task that died is
# started again, also where it was not dead: a digest appears whole, and the same rows give the same bytes.
# When all are done, OUT is the pool: `hqe prune OUT`. While one is missing, its rows are named and refused.
#SBATCH --cpus-per-task=2
set -eu

if [ $# -ne 3 ]; then
    echo "usage: $0 POOL ROWS OUT" >&2
    exit 2
fi
task=${SLURM_ARRAY_TASK_ID:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-}}}}
tasks=${SLURM_ARRAY_TASK_COUNT:-${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-}}}}
if [ -z "$task" ] || [ -z "$tasks" ]; then
    echo "$0: no task number. Start it by sbatch --array, srun or mpirun" >&2
    exit 2
fi

begin=$(($2 * task / tasks))
end=$(($2 * (task + 1) / tasks))
if [ "$begin" -eq "$end" ]; then
    exit 0
fi
mkdir -p "$3"
# Tasks that count from 1 would leave a gap, which hqe names.
exec hqe digest "$1" --rows "$begin:$end" -o "$3/$(printf %012d "$begin").digest" --quiet
