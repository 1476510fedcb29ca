/** Steps with different answers, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'running Pods are resized by the subresource that Kubernetes serves by default from 1.33 on': [
    'pdefa-disc-resize',
    'pephem-resize',
  ],
  'two budgets for one Pod are a 500 in kube-apiserver; ours is a conflict that says so': ['pevict-two-pdbs'],
  'kube-apiserver answers a mistake of the caller with a 500; ours is a 400 that says what is wrong': [
    'crdval-ssa-unknown',
    'pbind-badkind',
    'pbind-notarget',
    'smpt-nokey',
    'ssad-dup-containers',
    'ssad-unknown',
  ],
  'a token that counts no longer is told from one that was never good': ['ctltok-dead'],
  'kube-apiserver compares data byte by byte, so that a patch of data that was sent with white space changes it': [
    'kcontrollerrevision-upd-rev',
  ],
  'the port that the server listens on': ['kbuiltin-svc'],
  'an empty list counts as absent, as it does in protobuf, so that defaults take its place': [
    'khorizontalpodautoscaler-bad-nopolicies',
  ],
  'texts of the libraries of Go, which do not say which webhook is meant; ours do': [
    'whfa-junk',
    'whfa-notreview',
    'whfa-refused',
    'whfa-ver',
    'whma-badpatch',
    'whma-garbled',
    'whma-typed',
  ],
}

export const differences: ReadonlyMap<string, string> = new Map(
  Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
)
