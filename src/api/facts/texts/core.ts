/** Descriptions of Namespace, Secret, ConfigMap, ServiceAccount, Lease and of references. */
export const coreTexts: Readonly<Record<string, string>> = {
  'core.Namespace':
    'A scope for names. Objects in different namespaces may have the same name, and access can be granted per namespace.',
  'core.Namespace.spec': 'The desired state of the namespace.',
  'core.Namespace.status': 'The lifecycle phase of the namespace. Set by the server.',
  'core.NamespaceSpec': 'Describes the desired state of a namespace.',
  'core.NamespaceSpec.finalizers':
    'Cleanup that must finish before the namespace is removed. `kubernetes` stands for the removal of the objects in it. Entries can be changed only through the `finalize` subresource.',
  'core.NamespaceStatus': 'The observed state of a namespace.',
  'core.NamespaceStatus.phase': '`Active`, or `Terminating` after deletion has been requested.',
  'core.NamespaceStatus.conditions': 'Reasons why the namespace cannot be removed yet, if any.',
  'core.NamespaceCondition': 'One aspect of the state of a namespace.',
  'core.NamespaceCondition.type': 'The aspect that the condition describes, such as `NamespaceContentRemaining`.',
  'core.NamespaceCondition.status': 'Whether the condition holds: `True`, `False` or `Unknown`.',
  'core.NamespaceCondition.lastTransitionTime': 'Time of the last change of status.',
  'core.NamespaceCondition.reason': 'Reason for the last change of status, as one word in CamelCase.',
  'core.NamespaceCondition.message': 'Details about the last change of status, for human readers.',

  'core.Secret':
    'Confidential data, such as passwords, tokens and keys, stored separately from the workloads that use it.',
  'core.Secret.immutable':
    'If true, data and type can never be changed again, and neither can this field; metadata can. False by default.',
  'core.Secret.data': 'The entries. Keys consist of letters, digits, `-`, `_` and `.`; values are encoded in base64.',
  'core.Secret.stringData':
    'Entries in plain text. Write-only: they are merged into data, replace entries with the same key, and are never returned.',
  'core.Secret.type':
    'The purpose of the secret. Well-known types require certain entries. `Opaque` by default. Immutable.',

  'core.ConfigMap': 'Configuration data for pods and other programs.',
  'core.ConfigMap.immutable':
    'If true, the data can never be changed again, and neither can this field; metadata can. False by default.',
  'core.ConfigMap.data':
    'Entries with text values. Keys consist of letters, digits, `-`, `_` and `.`, and must not occur in binaryData.',
  'core.ConfigMap.binaryData': 'Entries with binary values, encoded in base64. Keys must not occur in data.',

  'core.ServiceAccount': 'An identity for programs. Roles can be bound to it, and tokens can be requested for it.',
  'core.ServiceAccount.secrets':
    'Secrets that pods of this account may use. Tokens are requested from the API rather than stored here.',
  'core.ServiceAccount.imagePullSecrets':
    'Secrets in the same namespace that are used to pull the images of pods of this account.',
  'core.ServiceAccount.automountServiceAccountToken':
    'Whether a token is mounted into pods of this account that do not set the field themselves. True by default.',

  'core.ObjectReference': 'Refers to an object, or to a part of one.',
  'core.ObjectReference.kind': 'Kind of the object.',
  'core.ObjectReference.namespace': 'Namespace of the object. Empty for cluster-scoped objects.',
  'core.ObjectReference.name': 'Name of the object.',
  'core.ObjectReference.uid':
    'UID of the object, which distinguishes it from earlier and later objects with the same name.',
  'core.ObjectReference.apiVersion': 'API version of the object.',
  'core.ObjectReference.resourceVersion': 'Version of the object that the reference is to, if it is to a specific one.',
  'core.ObjectReference.fieldPath':
    'The part of the object that the reference is to, for example `spec.containers{web}`. Empty for the whole object.',
  'core.LocalObjectReference': 'Refers by name to an object in the same namespace.',
  'core.LocalObjectReference.name': 'Name of the object.',

  'coordination.Lease':
    'A claim that expires unless it is renewed. Programs use leases for leader election, and nodes use them as heartbeats.',
  'coordination.Lease.spec': 'Holder, times and duration of the lease.',
  'coordination.LeaseSpec': 'Describes the holder, times and duration of a lease.',
  'coordination.LeaseSpec.holderIdentity': 'Identity of the holder. If empty or absent, the lease is free.',
  'coordination.LeaseSpec.leaseDurationSeconds':
    'Seconds after the last renewal for which other candidates must wait before they may take over the lease.',
  'coordination.LeaseSpec.acquireTime': 'Time at which the holder acquired the lease.',
  'coordination.LeaseSpec.renewTime': 'Time at which the holder last renewed the lease.',
  'coordination.LeaseSpec.leaseTransitions': 'Number of times that the lease has changed holders.',
  'coordination.LeaseSpec.strategy': 'How the server would choose a holder. Not supported: the value is dropped.',
  'coordination.LeaseSpec.preferredHolder':
    'Candidate that would receive the lease next in such an election. Not supported: the value is dropped.',
}
