/** Steps that are answered otherwise, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'the version says which engine it is': ['dgroup-version'],
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
  'an engine alone has no way into Pods: virtual clusters and the embedded host do, and list them so': [
    'knode-disc-proxy',
    'kservice-disc-proxy',
    'pdefa-disc-exec',
    'pdefa-disc-log',
    'pdefa-disc-proxy',
    'pdefa-exec',
    'pdefa-log',
  ],
  'a token that counts no longer is told from one that was never good': ['ctltok-dead'],
  'versions of a definition are named, where kube-apiserver prints the whole of them': [
    'crdbad-dupversion',
    'crdbad-nostorage',
  ],
  'a body that calls itself another version is refused before its fields are looked at': ['crdlife-cr-version'],
  'kube-apiserver sends the index of OpenAPI v3 as plain text; ours says that it is JSON': ['crdlife-openapi'],
  'kube-apiserver compares data byte by byte, so that a patch of data that was sent with white space changes it': [
    'kcontrollerrevision-upd-rev',
  ],
  'FlowSchemas are kept as data: nothing looks whether their level exists': ['kflowschema-table'],
  'requests are shared out by the rules of docs/limits.md: no cluster starts with FlowSchemas that would say otherwise':
    ['kbuiltin-fs', 'kbuiltin-fsget'],
  'the port that the server listens on': ['kbuiltin-svc'],
  'defaults that are an empty object are left out of OpenAPI v3: they say nothing': ['dgroup-openapi-apps'],
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
