import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface PriorityClass extends KubeObject {
  readonly value: number
  readonly globalDefault?: boolean
  readonly description?: string
  readonly preemptionPolicy?: string
}
