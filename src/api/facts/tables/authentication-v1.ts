/** k8s.io.api.authentication.v1 */
export const authenticationV1 = `
BoundObjectReference
  1 kind: string
  2 apiVersion: string
  3 name: string
  4 uID: string (json uid, go types.UID)

ExtraValue as bare-list
  1 items: string[]

SelfSubjectReview
  1 metadata: meta.ObjectMeta
  2 status: SelfSubjectReviewStatus!

SelfSubjectReviewStatus
  1 userInfo: UserInfo!

TokenRequest
  1 metadata: meta.ObjectMeta
  2 spec: TokenRequestSpec! (required)
  3 status: TokenRequestStatus!

TokenRequestSpec
  1 audiences: string[]! (required)
  4 expirationSeconds: int64?
  3 boundObjectRef: BoundObjectReference

TokenRequestStatus
  1 token: string! (required)
  2 expirationTimestamp: meta.Time! (required)

TokenReview
  1 metadata: meta.ObjectMeta
  2 spec: TokenReviewSpec! (required)
  3 status: TokenReviewStatus!

TokenReviewSpec
  1 token: string
  2 audiences: string[]

TokenReviewStatus
  1 authenticated: bool
  2 user: UserInfo!
  4 audiences: string[]
  3 error: string

UserInfo
  1 username: string
  2 uid: string
  3 groups: string[]
  4 extra: map ExtraValue (go map[string]v1.ExtraValue)
`
