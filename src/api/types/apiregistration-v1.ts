import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface APIService extends KubeObject {
  readonly spec: APIServiceSpec
  readonly status: APIServiceStatus
}

export interface APIServiceCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface APIServiceSpec {
  readonly service?: ServiceReference
  readonly group?: string
  readonly version?: string
  readonly insecureSkipTLSVerify?: boolean
  readonly caBundle?: string
  readonly groupPriorityMinimum: number
  readonly versionPriority: number
}

export interface APIServiceStatus {
  readonly conditions?: readonly APIServiceCondition[]
}

export interface ServiceReference {
  readonly namespace?: string
  readonly name?: string
  readonly port?: number
}
