/** Steps that are answered otherwise, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'policies are not checked against the types of what they match, and have no status': [
    'vapa-status',
    'vape-typecheck',
  ],
  'a quantity is printed as the struct that Go keeps it in; ours is printed as it is written': ['pbad-ext-frac'],
  'the version says which engine it is': ['dgroup-version'],
  'two budgets for one Pod are a 500 in kube-apiserver; ours is a conflict that says so': ['pevict-two-pdbs'],
  'kube-apiserver answers a mistake of the caller with a 500; ours is a 400 that says what is wrong': [
    'crdval-ssa-unknown',
    'pbind-badkind',
    'pbind-notarget',
  ],
  'logs, exec and proxies of Pods, Services and Nodes are not served yet': [
    'knode-disc-proxy',
    'kservice-disc-proxy',
    'pdefa-disc-exec',
    'pdefa-disc-log',
    'pdefa-disc-proxy',
    'pdefa-exec',
    'pdefa-log',
  ],
  'discovery: not as recorded yet': ['dgroup-cs', 'dgroup-d-binding', 'dgroup-openapi-apps'],
  'versions of a definition are named, where kube-apiserver prints the whole of them': [
    'crdbad-dupversion',
    'crdbad-nostorage',
  ],
  'a changed plural no longer fits the name, which is told too': ['crdver-name-immutable'],
  'a body that calls itself another version is refused before its fields are looked at': ['crdlife-cr-version'],
  'kube-apiserver sends the index of OpenAPI v3 as plain text; ours says that it is JSON': ['crdlife-openapi'],
  'nodes have no authorizer and no restriction of their own yet': [
    'pnode-create-pod',
    'pnode-get-self',
    'pnode-label',
    'pnode-pod-status',
    'pnode-pod2-status',
    'pnode-secret',
    'pnode-status-other',
  ],
  'status of workloads, ingresses and claims: not as recorded yet': ['kstat-job-bad', 'kstat-pvc-bad'],
  'APIServices: not as recorded yet': [
    'kapiservice-bad-local-insecure',
    'kapiservice-bad-nogroup',
    'kapiservice-bad-noversion',
    'kapiservice-call',
    'kapiservice-call2',
    'kapiservice-groups',
    'kapiservice-status',
    'kapiservice-table',
    'kapiservice-table-local',
  ],
  'CSIDrivers: not as recorded yet': ['kcsidriver-upd-capacity-ok'],
  'CertificateSigningRequests: not as recorded yet': [
    'kcertificatesigningrequest-bad-masters',
    'kcertificatesigningrequest-bad-norequest',
    'kcertificatesigningrequest-bad-request',
    'kcertificatesigningrequest-bad-unknown-legacy',
  ],
  'ControllerRevisions: not as recorded yet': ['kcontrollerrevision-upd-rev'],
  'FlowSchemas: not as recorded yet': [
    'kflowschema-bad-method',
    'kflowschema-bad-prec1',
    'kflowschema-bad-subject',
    'kflowschema-bad-url',
    'kflowschema-bad-verbs',
    'kflowschema-table',
  ],
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
  'PersistentVolumes: not as recorded yet': [
    'kpersistentvolume-bad-csi',
    'kpersistentvolume-bad-modes',
    'kpersistentvolume-bad-nfs',
    'kpersistentvolume-bad-nocap',
    'kpersistentvolume-upd-policy-bad',
  ],
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
  'objects that every cluster starts with: not as recorded yet': [
    'kbuiltin-aps',
    'kbuiltin-fs',
    'kbuiltin-fsget',
    'kbuiltin-svc',
  ],
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

/** Stories about what is not built yet: they are played up to their first difference. */
export const notYet: Readonly<Record<string, readonly string[]>> = {
  'certificates are not signed yet': ['ctlcsr'],
  'aggregation is not built yet': ['agga'],
  'the controllers of other workloads, volumes and nodes are not built yet': [...['ctlns', 'ctlagg', 'ctltok']],
}
