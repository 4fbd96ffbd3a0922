#!/bin/sh
# A Slurm of two nodes on the loopback of this machine, for tests: its own munge, slurmctld and two slurmd, all files in DIR.
#   slurm.sh start DIR     then: export SLURM_CONF=DIR/slurm.conf
#   slurm.sh stop DIR
set -eu
command=$1 dir=$2

start() {
  mkdir -p "$dir/state" "$dir/spool.n1" "$dir/spool.n2"
  chmod 755 "$dir"
  user=$(id -un)
  port=$((20000 + $$ % 20000))
  dd if=/dev/urandom of="$dir/munge.key" bs=1 count=1024 2>/dev/null
  chmod 400 "$dir/munge.key"
  cat >"$dir/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.socket
SlurmctldPort=$port
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=test Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
EOF
  export SLURM_CONF="$dir/slurm.conf"
  munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munge.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
  slurmctld -c
  for node in n1 n2; do slurmd -N "$node"; done
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    [ "$(sinfo -h -N -o %T 2>/dev/null | sort -u)" = idle ] && exit 0
    sleep 1
  done
  echo "the nodes did not come up: $(sinfo -h -N -o '%N %T %E' 2>&1)" >&2
  exit 1
}

# Only what was started here: by the files that they wrote their numbers to.
stop() {
  for name in slurmd.n1 slurmd.n2 slurmctld munge; do
    [ -f "$dir/$name.pid" ] && kill "$(cat "$dir/$name.pid")" 2>/dev/null || true
  done
  for second in 1 2 3 4 5 6 7 8 9 10; do
    [ -z "$(ls "$dir"/*.pid 2>/dev/null)" ] && break
    sleep 1
  done
}

"$command"
