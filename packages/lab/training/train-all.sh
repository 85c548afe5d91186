#!/bin/sh
# Trains everything of the second generation on one GPU, what can go side by side at once:
#   sh packages/lab/training/train-all.sh DATA BASE OUT [folds|finals]
# DATA holds english.npz, other.npz and languages/parallel.npz; OUT gets weights, logits and a log each.
set -e
data=$1 base=$2 out=$3 part=${4:-all} epochs=${EPOCHS:-4}
here=$(dirname "$0")
mkdir -p "$out"
mind() { name=$1; shift; python3 -u "$here/train.py" --data "$data/english.npz" --base "$base" --out "$out" --epochs "$epochs" "$@" >"$out/$name.log" 2>&1; }
languages() {
  name=$1; shift
  python3 -u "$here/train_languages.py" --english "$data/english.npz" --other "$data/other.npz" \
    --parallel "$data/languages/parallel.npz" --base "$base" --out "$out" "$@" >"$out/$name.log" 2>&1
}
together() { for job in "$@"; do wait "$job"; done; }

if [ "$part" != finals ]; then
  mind first-folds --mind first --folds 0,1 --teach & one=$!
  mind second-folds --mind second --folds 0,1 --teach & two=$!
  { languages align --only-align --seconds "${ALIGN:-300}" && languages fold-0 --trunk "$out/trunk.pt" --fold 0 && languages fold-1 --trunk "$out/trunk.pt" --fold 1; } & three=$!
  together $one $two $three
fi
if [ "$part" != folds ]; then
  teachers="$out/first-fold-0-teacher.npy,$out/first-fold-1-teacher.npy,$out/second-fold-0-teacher.npy,$out/second-fold-1-teacher.npy"
  mind first-final --mind first --final --seed 11 --teachers "$teachers" & one=$!
  mind second-final --mind second --final --seed 12 --teachers "$teachers" & two=$!
  languages final --trunk "$out/trunk.pt" & three=$!
  together $one $two $three
fi
