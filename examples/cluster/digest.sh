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
# tasks share the rows, numbered from 0. An array has to say it, since where some tasks are started again it knows of these
# alone; MPI's launcher started all of them. A task that died is started again, alone or with others, also where it was not
# dead: a digest appears whole, and the same rows give the same bytes. Of an array
#
#     sbatch --array=3 examples/cluster/digest.sh POOL ROWS OUT 100
#
# and of MPI, where a launcher would number it from 0, by its number:
#
#     OMPI_COMM_WORLD_RANK=3 examples/cluster/digest.sh POOL ROWS OUT 100
#
# When all are done, OUT is the pool: `hqe prune OUT`. While one is missing, its rows are named and refused.
#SBATCH --cpus-per-task=2
set -eu

name=examples/cluster/digest.sh # Slurm runs a copy with another name.
refuse() {
    echo "$name: $1" >&2
    exit 2
}

if [ $# -ne 3 ] && [ $# -ne 4 ]; then
    echo "usage: $name POOL ROWS OUT [TASKS]" >&2
    exit 2
fi
task=${SLURM_ARRAY_TASK_ID:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-}}}}
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ] && [ $# -ne 4 ]; then
    refuse "an array has to say how many tasks share the rows, also those that are not started again: $name POOL ROWS OUT TASKS"
fi
tasks=${4-${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-}}}}
if [ -z "$task" ] || { [ $# -eq 3 ] && [ -z "$tasks" ]; }; then
    refuse "no task number. Start it by sbatch --array, srun or mpirun"
fi
case $tasks in
'' | 0* | *[!0-9]*) refuse "TASKS $tasks: expected a whole number from 1" ;;
esac
# Of an array that does not begin at 0 every task says so.
if [ "$task" -ge "$tasks" ] || [ "${SLURM_ARRAY_TASK_MAX:-0}" -ge "$tasks" ]; then
    refuse "task ${SLURM_ARRAY_TASK_MAX:-$task} of $tasks: tasks are numbered from 0. Give --array=0-$((tasks - 1))"
fi

begin=$(($2 * task / tasks))
end=$(($2 * (task + 1) / tasks))
if [ "$begin" -eq "$end" ]; then
    exit 0
fi
mkdir -p "$3"
exec hqe digest "$1" --rows "$begin:$end" -o "$3/$(printf %012d-%012d "$begin" "$end").digest" --quiet
