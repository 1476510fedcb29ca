import type { KubeObject } from '../object.ts'
import type { Toleration } from './core-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface Overhead {
  readonly podFixed?: Readonly<Record<string, string | number>>
}

export interface RuntimeClass extends KubeObject {
  readonly handler: string
  readonly overhead?: Overhead
  readonly scheduling?: Scheduling
}

export interface Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
}
