/** Descriptions of Namespace, Secret, ConfigMap, ServiceAccount, Lease and of references. */
export const coreTexts: Readonly<Record<string, string>> = {
  'core.Namespace':
    'A scope for names. Objects in different namespaces may have the same name, and access is granted by namespace.',
  'core.Namespace.spec': 'What is wanted of the namespace.',
  'core.Namespace.status': 'In which phase of its life the namespace is. Set by the server.',
  'core.NamespaceSpec': 'What is wanted of a namespace.',
  'core.NamespaceSpec.finalizers':
    'Who still has to clean up before the namespace may disappear. `kubernetes` stands for the removal of its content. Entries change through the `finalize` endpoint only.',
  'core.NamespaceStatus': 'The observed state of a namespace.',
  'core.NamespaceStatus.phase': '`Active`, or `Terminating` once its deletion was requested.',
  'core.NamespaceStatus.conditions': 'What hinders the removal of the namespace, if anything does.',
  'core.NamespaceCondition': 'One aspect of the state of a namespace.',
  'core.NamespaceCondition.type': 'Which aspect this is about, such as `NamespaceContentRemaining`.',
  'core.NamespaceCondition.status': 'Whether it holds: `True`, `False` or `Unknown`.',
  'core.NamespaceCondition.lastTransitionTime': 'When status last changed.',
  'core.NamespaceCondition.reason': 'Why status last changed, as one word in CamelCase.',
  'core.NamespaceCondition.message': 'The same for people.',

  'core.Secret': 'Confidential data, such as passwords, tokens and keys, kept apart from those who use it.',
  'core.Secret.immutable':
    'Whether data and type can never change again. Once set it stays; only labels, annotations and the like can then be changed. Absent means no.',
  'core.Secret.data': 'The entries. Keys consist of letters, digits, `-`, `_` and `.`; values are base64.',
  'core.Secret.stringData':
    'Entries in plain text, for writing only: they are merged into data, win over entries of the same key there, and are never shown.',
  'core.Secret.type':
    'What the secret is for. Well-known types require certain entries. `Opaque` by default; it cannot be changed.',

  'core.ConfigMap': 'Configuration that pods and other programs read.',
  'core.ConfigMap.immutable':
    'Whether the data can never change again. Once set it stays; only labels, annotations and the like can then be changed. Absent means no.',
  'core.ConfigMap.data':
    'Entries whose values are text. Keys consist of letters, digits, `-`, `_` and `.`, and must not occur in binaryData.',
  'core.ConfigMap.binaryData': 'Entries whose values are bytes in base64. Keys must not occur in data.',

  'core.ServiceAccount':
    'An identity for programs. It has a name, can be given roles, and tokens can be requested for it.',
  'core.ServiceAccount.secrets':
    'Secrets that pods of this account may use. A token for the account is requested, not kept here.',
  'core.ServiceAccount.imagePullSecrets':
    'Secrets in the same namespace with which images of pods of this account are pulled.',
  'core.ServiceAccount.automountServiceAccountToken':
    'Whether pods of this account get a token mounted unless they say otherwise. Absent means yes.',

  'core.ObjectReference': 'Points to an object, or to a part of one.',
  'core.ObjectReference.kind': 'Kind of the object.',
  'core.ObjectReference.namespace': 'Namespace of the object; empty if it is cluster-scoped.',
  'core.ObjectReference.name': 'Name of the object.',
  'core.ObjectReference.uid': 'Identity of the object; another object of the same name has another one.',
  'core.ObjectReference.apiVersion': 'API version of the object.',
  'core.ObjectReference.resourceVersion': 'Version of the object that is meant, if one in particular is.',
  'core.ObjectReference.fieldPath':
    'The part of the object that is meant, for example `spec.containers{web}`; empty for all of it.',
  'core.LocalObjectReference': 'Points to an object in the same namespace by its name.',
  'core.LocalObjectReference.name': 'Name of the object.',

  'coordination.Lease':
    'A claim that expires. Programs use leases to elect a leader, and nodes to show that they are alive.',
  'coordination.Lease.spec': 'Who holds the lease, since when and for how long.',
  'coordination.LeaseSpec': 'Who holds a lease, since when and for how long.',
  'coordination.LeaseSpec.holderIdentity': 'Who holds the lease. Empty or absent: the lease is free.',
  'coordination.LeaseSpec.leaseDurationSeconds':
    'How long others have to wait, counted from the last renewal, before they may take the lease over.',
  'coordination.LeaseSpec.acquireTime': 'When the holder got the lease.',
  'coordination.LeaseSpec.renewTime': 'When the holder last renewed the lease.',
  'coordination.LeaseSpec.leaseTransitions': 'How often the lease has changed hands.',
  'coordination.LeaseSpec.strategy':
    'How a holder would be chosen by the server. Not served: it is dropped when written.',
  'coordination.LeaseSpec.preferredHolder':
    'Who the lease should go to next in such an election. Not served: it is dropped when written.',
}
