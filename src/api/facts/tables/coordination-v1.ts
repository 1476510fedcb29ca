/** k8s.io.api.coordination.v1 */
export const coordinationV1 = `
Lease
  1 metadata: meta.ObjectMeta
  2 spec: LeaseSpec!

LeaseList
  1 metadata: meta.ListMeta
  2 items: Lease[]!

LeaseSpec
  1 holderIdentity: string?
  2 leaseDurationSeconds: int32?
  3 acquireTime: meta.MicroTime
  4 renewTime: meta.MicroTime
  5 leaseTransitions: int32?
  6 strategy: string? (go v1.CoordinatedLeaseStrategy)
  7 preferredHolder: string?
`
