import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface BoundObjectReference {
  readonly kind?: string
  readonly apiVersion?: string
  readonly name?: string
  readonly uid?: string
}

export interface SelfSubjectReview extends KubeObject {
  readonly status: SelfSubjectReviewStatus
}

export interface SelfSubjectReviewStatus {
  readonly userInfo: UserInfo
}

export interface TokenRequest extends KubeObject {
  readonly spec: TokenRequestSpec
  readonly status: TokenRequestStatus
}

export interface TokenRequestSpec {
  readonly audiences: readonly string[] | null
  readonly expirationSeconds?: number
  readonly boundObjectRef?: BoundObjectReference
}

export interface TokenRequestStatus {
  readonly token: string
  readonly expirationTimestamp: string | null
}

export interface TokenReview extends KubeObject {
  readonly spec: TokenReviewSpec
  readonly status: TokenReviewStatus
}

export interface TokenReviewSpec {
  readonly token?: string
  readonly audiences?: readonly string[]
}

export interface TokenReviewStatus {
  readonly authenticated?: boolean
  readonly user: UserInfo
  readonly audiences?: readonly string[]
  readonly error?: string
}

export interface UserInfo {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}
