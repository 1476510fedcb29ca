/** k8s.io.apimachinery.pkg.apis.meta.v1 */
export const metaV1 = `
APIGroup
  1 name: string! (required)
  2 versions: GroupVersionForDiscovery[]! (required)
  3 preferredVersion: GroupVersionForDiscovery!
  4 serverAddressByClientCIDRs: ServerAddressByClientCIDR[]

APIGroupList
  1 groups: APIGroup[]! (required)

APIResource
  1 name: string! (required)
  6 singularName: string! (required)
  2 namespaced: bool! (required)
  8 group: string
  9 version: string
  3 kind: string! (required)
  4 verbs: Verbs! (required, go v1.Verbs)
  5 shortNames: string[]
  7 categories: string[]
  10 storageVersionHash: string

APIResourceList
  1 groupVersion: string! (required)
  2 resources: APIResource[]! (required)

APIVersions
  1 versions: string[]! (required)
  2 serverAddressByClientCIDRs: ServerAddressByClientCIDR[]! (required)

Condition
  1 type: string! (required)
  2 status: string! (required, go v1.ConditionStatus)
  3 observedGeneration: int64
  4 lastTransitionTime: Time! (required)
  5 reason: string! (required)
  6 message: string! (required)

DeleteOptions
  1 gracePeriodSeconds: int64?
  2 preconditions: Preconditions
  3 orphanDependents: bool?
  4 propagationPolicy: string? (go v1.DeletionPropagation)
  5 dryRun: string[]
  6 ignoreStoreReadErrorWithClusterBreakingPotential: bool?

FieldSelectorRequirement
  1 key: string! (required)
  2 operator: string! (required, go v1.FieldSelectorOperator)
  3 values: string[]

FieldsV1 as raw-json
  1 Raw: bytes

GroupVersionForDiscovery
  1 groupVersion: string! (required)
  2 version: string! (required)

LabelSelector
  1 matchLabels: map string
  2 matchExpressions: LabelSelectorRequirement[]

LabelSelectorRequirement
  1 key: string! (required)
  2 operator: string! (required, go v1.LabelSelectorOperator)
  3 values: string[]

ListMeta
  1 selfLink: string
  2 resourceVersion: string
  3 continue: string
  4 remainingItemCount: int64?

ManagedFieldsEntry
  1 manager: string
  2 operation: string (go v1.ManagedFieldsOperationType)
  3 apiVersion: string
  4 time: Time
  6 fieldsType: string
  7 fieldsV1: FieldsV1
  8 subresource: string

MicroTime as micro-time
  1 seconds: int64
  2 nanos: int32

ObjectMeta
  1 name: string
  2 generateName: string
  3 namespace: string
  4 selfLink: string
  5 uid: string (go types.UID)
  6 resourceVersion: string
  7 generation: int64
  8 creationTimestamp: Time!
  9 deletionTimestamp: Time
  10 deletionGracePeriodSeconds: int64?
  11 labels: map string
  12 annotations: map string
  13 ownerReferences: OwnerReference[]
  14 finalizers: string[]
  17 managedFields: ManagedFieldsEntry[]

OwnerReference
  5 apiVersion: string! (required)
  1 kind: string! (required)
  3 name: string! (required)
  4 uid: string! (required, go types.UID)
  6 controller: bool?
  7 blockOwnerDeletion: bool?

PartialObjectMetadata
  1 metadata: ObjectMeta

PartialObjectMetadataList
  1 metadata: ListMeta
  2 items: PartialObjectMetadata[]!

Preconditions
  1 uid: string? (go types.UID)
  2 resourceVersion: string?

ServerAddressByClientCIDR
  1 clientCIDR: string! (required)
  2 serverAddress: string! (required)

Status
  1 metadata: ListMeta
  2 status: string
  3 message: string
  4 reason: string (go v1.StatusReason)
  5 details: StatusDetails
  6 code: int32

StatusCause
  1 reason: string (go v1.CauseType)
  2 message: string
  3 field: string

StatusDetails
  1 name: string
  2 group: string
  3 kind: string
  6 uid: string (go types.UID)
  4 causes: StatusCause[]
  5 retryAfterSeconds: int32

Time as time
  1 seconds: int64
  2 nanos: int32

Verbs as bare-list
  1 items: string[]

WatchEvent
  1 type: string
  2 object: runtime.RawExtension
`
