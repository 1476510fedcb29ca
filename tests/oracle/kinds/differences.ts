/** Steps that are answered otherwise, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'a quantity is printed as the struct that Go keeps it in; ours is printed as it is written': ['pbad-ext-frac'],
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
  'discovery: not as recorded yet': ['dgroup-cs', 'dgroup-d-binding', 'dgroup-openapi-apps'],
  'a token that counts no longer is told from one that was never good': ['ctltok-dead'],
  'versions of a definition are named, where kube-apiserver prints the whole of them': [
    'crdbad-dupversion',
    'crdbad-nostorage',
  ],
  'a changed plural no longer fits the name, which is told too': ['crdver-name-immutable'],
  'a body that calls itself another version is refused before its fields are looked at': ['crdlife-cr-version'],
  'kube-apiserver sends the index of OpenAPI v3 as plain text; ours says that it is JSON': ['crdlife-openapi'],
  'status of workloads, ingresses and claims: not as recorded yet': ['kstat-job-bad', 'kstat-pvc-bad'],
  'CSIDrivers: not as recorded yet': ['kcsidriver-upd-capacity-ok'],
  'ControllerRevisions: not as recorded yet': ['kcontrollerrevision-upd-rev'],
  'FlowSchemas: not as recorded yet': ['kflowschema-bad-verbs', 'kflowschema-table'],
  'HorizontalPodAutoscalers: not as recorded yet': ['khorizontalpodautoscaler-bad-nopolicies'],
  'LimitRanges: not as recorded yet': [
    'klimitrange-bad-default',
    'klimitrange-bad-minmax',
    'klimitrange-bad-ratio',
    'klimitrange-bad-resource',
  ],
  'PersistentVolumeClaims: not as recorded yet': [
    'kpersistentvolumeclaim-bad-ds',
    'kpersistentvolumeclaim-bad-dsref',
    'kpersistentvolumeclaim-upd-mode',
  ],
  'PersistentVolumes: not as recorded yet': ['kpersistentvolume-upd-policy-bad'],
  'PriorityLevelConfigurations: not as recorded yet': [
    'kprioritylevelconfiguration-bad-pct',
    'kprioritylevelconfiguration-upd-type',
  ],
  'StorageClasses: not as recorded yet': ['kstorageclass-bad-topo'],
  'VolumeAttachments: not as recorded yet': ['kvolumeattachment-bad-empty'],
  'apply on workloads: not as recorded yet': [
    'ssad-dup-containers',
    'ssad-m1-replicas-conflict',
    'ssad-no-key',
    'ssad-selector',
    'ssad-unknown',
  ],
  'objects that every cluster starts with: not as recorded yet': ['kbuiltin-fs', 'kbuiltin-fsget', 'kbuiltin-svc'],
  'patches of workloads: not as recorded yet': ['smpt-nokey', 'smpt-vol-switch'],
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
