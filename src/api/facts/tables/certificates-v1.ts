/** k8s.io.api.certificates.v1 */
export const certificatesV1 = `
CertificateSigningRequest
  1 metadata: meta.ObjectMeta
  2 spec: CertificateSigningRequestSpec! (required)
  3 status: CertificateSigningRequestStatus!

CertificateSigningRequestCondition
  1 type: string! (required, go v1.RequestConditionType)
  6 status: string! (required, go v1.ConditionStatus)
  2 reason: string
  3 message: string
  4 lastUpdateTime: meta.Time!
  5 lastTransitionTime: meta.Time!

CertificateSigningRequestList
  1 metadata: meta.ListMeta
  2 items: CertificateSigningRequest[]!

CertificateSigningRequestSpec
  1 request: bytes! (required)
  7 signerName: string! (required)
  8 expirationSeconds: int32?
  5 usages: string[] (go []v1.KeyUsage)
  2 username: string
  3 uid: string
  4 groups: string[]
  6 extra: map ExtraValue (go map[string]v1.ExtraValue)

CertificateSigningRequestStatus
  1 conditions: CertificateSigningRequestCondition[] (keyed by type)
  2 certificate: bytes

ExtraValue as bare-list
  1 items: string[]
`
