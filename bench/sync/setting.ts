import type { Subject } from '../contract.ts'
import type { Api } from './api.ts'

/** A filled virtual cluster and a host. */
export interface SyncBench {
  /** Of the host, as the table shows it. */
  readonly name: string
  readonly directory: string
  readonly virtual: Subject
  readonly host: Subject
  readonly virtualApi: Api
  readonly hostApi: Api
}
