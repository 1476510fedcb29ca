import type { Subject } from '../contract.ts'
import type { Api } from './api.ts'

/** A filled virtual cluster and a host. */
export interface SyncBench {
  /** The name of the host in the table. */
  readonly name: string
  readonly directory: string
  readonly virtual: Subject
  readonly host: Subject
  readonly virtualApi: Api
  readonly hostApi: Api
}
